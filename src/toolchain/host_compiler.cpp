// Which host compiler nvcc calls, and what else its environment variables would add to a recipe.
#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLong = "--compiler-bindir", kShort = "-ccbin";

// The words of one variable, taken apart: the host compiler that they name, and everything else.
struct FlagWords {
  std::string host_compiler;
  std::vector<std::string> others;
};

FlagWords read_flags(const std::string &variable) {
  FlagWords flags;
  const std::vector<std::string> words = split_command(variable).value_or(std::vector<std::string>{variable});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view name = word.substr(0, word.find('='));
    if (name != kLong && name != kShort) {
      flags.others.push_back(words[i]);
    } else if (name.size() < word.size()) {
      flags.host_compiler = word.substr(name.size() + 1);
    } else if (i + 1 < words.size()) {
      flags.host_compiler = words[++i];
    }
  }
  return flags;
}

std::string named_compiler(const Environment &environment) {
  for (const std::string *variable : {&environment.nvcc_append_flags, &environment.nvcc_prepend_flags}) {
    std::string named = read_flags(*variable).host_compiler;
    if (!named.empty()) return named;
  }
  return environment.nvcc_ccbin;
}

}  // namespace

std::optional<fs::path> find_host_compiler(const Environment &environment) {
  const std::string named = named_compiler(environment);
  std::error_code error;
  if (named.empty()) return find_program("g++", environment.path);
  if (fs::is_directory(named, error)) return find_program((fs::path(named) / "g++").string(), "");
  return find_program(named, environment.path);
}

Status check_flag_variables(const Environment &environment) {
  const std::pair<const char *, const std::string *> variables[] = {
      {"NVCC_PREPEND_FLAGS", &environment.nvcc_prepend_flags}, {"NVCC_APPEND_FLAGS", &environment.nvcc_append_flags}};
  for (const auto &[name, value] : variables) {
    const std::vector<std::string> others = read_flags(*value).others;
    if (others.empty()) continue;
    return fail(ErrorKind::kInvalid,
                fmt::format("{} adds '{}' to every compilation: that is another recipe than the digest names", name,
                            printable(join(others, " "))),
                fmt::format("unset {}; it may hold -ccbin COMPILER and nothing else", name));
  }
  return {};
}

}  // namespace pyc::toolchain
