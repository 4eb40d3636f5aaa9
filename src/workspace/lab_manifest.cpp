#include "workspace/lab_manifest.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

#include "base/placeholders.h"
#include "base/process.h"
#include "base/text.h"
#include "workspace/lab_files.h"

namespace pyc::workspace {
namespace {

constexpr std::size_t kNameLimit = 128;

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// NAME=VALUE, as a shell takes it before a program.
bool is_assignment(const std::string &word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || std::isdigit(static_cast<unsigned char>(word[0]))) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

std::vector<std::string> values_of(const std::map<std::string, std::string> &environment) {
  std::vector<std::string> values;
  for (const auto &[name, value] : environment) values.push_back(value);
  return values;
}

}  // namespace

bool LabKernel::has_tag(std::string_view tag) const { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

const LabKernel *LabManifest::find(std::string_view name) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const LabKernel &k) { return k.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

std::vector<std::string> LabManifest::names() const {
  std::vector<std::string> names;
  for (const LabKernel &kernel : kernels) names.push_back(kernel.name);
  return names;
}

const std::vector<std::string> &lab_placeholders() {
  static const std::vector<std::string> kNames = {"name", "source", "root", "build_dir", "nvcc"};
  return kNames;
}

Result<LabCommand> split_lab_command(const std::string &command, const std::string &what) {
  if (command.find('\0') != std::string::npos)
    return fail(ErrorKind::kInvalid, fmt::format("{} holds a NUL: '{}'", what, printable(command)),
                "no word of a command can have one");
  auto words = split_command(command);
  if (!words) {
    return fail(ErrorKind::kInvalid, fmt::format("{} leaves a quote open: '{}'", what, printable(command)),
                "close it, or escape it with a backslash");
  }
  const auto program = std::find_if_not(words->begin(), words->end(), is_assignment);
  if (program == words->end() || program->empty()) {
    return fail(ErrorKind::kInvalid, fmt::format("{} names no program: '{}'", what, printable(command)),
                "write the program first, then its arguments");
  }
  LabCommand split{{}, {program, words->end()}};
  for (auto word = words->begin(); word != program; ++word) {
    const std::size_t equals = word->find('=');
    split.environment[word->substr(0, equals)] = word->substr(equals + 1);
  }
  return split;
}

Result<LabCommand> split_kernel_command(const std::string &command, const std::string &what) {
  PYC_TRY(LabCommand split, split_lab_command(command, what));
  PYC_CHECK(check_placeholders(split.words, lab_placeholders(), what));
  PYC_CHECK(check_placeholders(values_of(split.environment), lab_placeholders(), what));
  return split;
}

bool has_lab_placeholder(const LabCommand &command, const std::string &name) {
  return has_placeholder(command.words, name) || has_placeholder(values_of(command.environment), name);
}

LabCommand fill_lab_command(LabCommand command, const std::map<std::string, std::string> &values) {
  for (std::string &word : command.words) word = fill_placeholders(word, values);
  for (auto &[name, value] : command.environment) value = fill_placeholders(value, values);
  return command;
}

std::string LabCommand::text() const {
  std::string text;
  for (const auto &[name, value] : environment) text += fmt::format("{}={} ", name, quote_command({value}));
  return text + quote_command(words);
}

bool is_lab_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameLimit && is_letter_or_digit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; });
}

namespace {

Result<LabManifest> parse(std::string_view text, const std::string &file) {
  PYC_TRY(const json::Json document, json::parse_strict(text, file));
  json::ObjectReader fields(document, file);
  LabManifest manifest;
  std::set<std::string> names;
  for (json::ObjectReader &entry : fields.objects("kernels")) {
    manifest.kernels.push_back(read_lab_kernel(entry));
    const std::string &name = manifest.kernels.back().name;
    if (!entry.failed() && !names.insert(name).second) entry.refuse("name", "a name that no other kernel has");
    entry.finish();
    if (fields.failed()) break;
  }
  PYC_CHECK(fields.finish());
  return manifest;
}

}  // namespace

Result<LabManifest> parse_lab_manifest(std::string_view text, const std::string &file) {
  return parse_as_schema(parse(text, file));
}

Result<LabManifest> read_lab_manifest(const std::filesystem::path &path) {
  PYC_TRY(const std::string text, read_lab_file(path, "manifest", "name one with --manifest"));
  return parse_lab_manifest(text, path.string());
}

Result<LabKernel> require_lab_kernel(const LabManifest &manifest, const std::string &name) {
  if (const LabKernel *kernel = manifest.find(name)) return *kernel;
  const std::vector<std::string> names = manifest.names();
  return fail(ErrorKind::kInvalid, fmt::format("the manifest has no kernel '{}'", printable(name)),
              names.empty() ? "it is empty" : suggest(name, names));
}

}  // namespace pyc::workspace
