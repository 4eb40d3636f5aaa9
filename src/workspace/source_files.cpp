#include "workspace/source_files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"

namespace pyc::workspace {

namespace fs = std::filesystem;

namespace {

// Lines that end in a backslash are one line to the preprocessor.
std::string spliced(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\\' && source.substr(i + 1, 1) == "\n") {
      ++i;
    } else if (source[i] == '\\' && source.substr(i + 1, 2) == "\r\n") {
      i += 2;
    } else {
      text += source[i];
    }
  }
  return text;
}

// `text` without the blanks and comments at its front.
std::string_view skip_blanks(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\v\f"), text.size()));
    if (!text.starts_with("/*")) return text;
    const std::size_t end = text.find("*/", 2);
    text.remove_prefix(end == text.npos ? text.size() : end + 2);
  }
}

// What follows `#include` and its kin on this line, or nothing if the line is no such directive.
std::optional<std::string_view> include_operand(std::string_view line) {
  const std::size_t hash = std::min(line.find('#'), line.find("%:"));
  if (hash == line.npos) return std::nullopt;
  const std::size_t comment_end = line.substr(0, hash).rfind("*/");  // of a comment that began on an earlier line
  const std::string_view front = comment_end == line.npos ? line : line.substr(comment_end + 2);
  std::string_view rest = skip_blanks(front);
  if (!rest.starts_with('#') && !rest.starts_with("%:")) return std::nullopt;
  rest = skip_blanks(rest.substr(rest.front() == '#' ? 1 : 2));
  for (const std::string_view directive : {"include_next", "include", "import"}) {
    if (rest.starts_with(directive)) return skip_blanks(rest.substr(directive.size()));
  }
  return std::nullopt;
}

Result<Include> parse_operand(std::string_view operand) {
  const bool quoted = operand.starts_with('"'), bracketed = operand.starts_with('<');
  const std::size_t end = quoted || bracketed ? operand.find(quoted ? '"' : '>', 1) : operand.npos;
  if (end != operand.npos) return Include{std::string(operand.substr(1, end - 1)), quoted};
  return fail(ErrorKind::kInvalid, fmt::format("#include {} does not name a file", printable(trim(operand), 80)),
              "name the file in quotes: the digest must cover every header of the project");
}

struct Parsed {
  std::string sha256;
  std::vector<Include> includes;
};

Result<Parsed> parse_source(const std::string &path, const std::string &relative) {
  PYC_TRY(const std::string text, read_file(path));
  auto includes = includes_of(text);
  if (!includes) return fail(std::move(includes).error(), fmt::format("'{}'", relative));
  return Parsed{sha256_hex(text), std::move(*includes)};
}

// A file's identity on disk; any write changes it.
using Identity = std::array<std::int64_t, 7>;
std::optional<Identity> identity_of(const std::string &path) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) return std::nullopt;
  return Identity{static_cast<std::int64_t>(s.st_dev),
                  static_cast<std::int64_t>(s.st_ino),
                  s.st_size,
                  s.st_mtim.tv_sec,
                  s.st_mtim.tv_nsec,
                  s.st_ctim.tv_sec,
                  s.st_ctim.tv_nsec};
}

// The headers of this process's candidates are nearly all the same few.
Result<Parsed> parse_header(const std::string &path, const std::string &relative, const Identity &identity) {
  static std::mutex mutex;
  static std::map<std::string, std::pair<Identity, Parsed>> known;
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(path);
    if (found != known.end() && found->second.first == identity) return found->second.second;
  }
  PYC_TRY(Parsed parsed, parse_source(path, relative));
  const std::lock_guard lock(mutex);
  known[path] = {identity, parsed};
  return parsed;
}

// Paths are strings here: `list` resolves thousands of them.
std::string normal(std::string path) {
  const bool is_normal = path.find("/.") == path.npos && path.find("//") == path.npos;
  return is_normal ? path : fs::path(path).lexically_normal().string();
}

std::string folder_of(const std::string &path) { return path.substr(0, path.rfind('/') + 1); }

class Collector {
 public:
  explicit Collector(const Workspace &workspace)
      : root_(workspace.root.string() + '/'),
        include_(workspace.include().string() + '/'),
        harness_(workspace.harness().string() + '/') {}

  Status add_root(const std::string &relative) {
    PYC_TRY(const Parsed parsed, parse_source(root_ + relative, relative));
    return add(root_ + relative, parsed);
  }

  std::vector<SourceFile> files() const {
    std::vector<SourceFile> files;
    for (const auto &[path, sha256] : hashes_) files.push_back({path.substr(root_.size()), sha256});
    return files;
  }

 private:
  Status add(const std::string &path, const Parsed &parsed) {
    hashes_[path] = parsed.sha256;
    for (const Include &include : parsed.includes) PYC_CHECK(follow(include, folder_of(path)));
    return {};
  }

  Status follow(const Include &include, const std::string &beside) {
    for (const std::string *folder : {&beside, &include_, &harness_}) {
      if (folder == &beside && !include.quoted) continue;
      const std::string path = normal(include.name.starts_with('/') ? include.name : *folder + include.name);
      if (hashes_.contains(path)) return {};
      if (const auto identity = identity_of(path)) return add_header(path, *identity, include);
    }
    return {};
  }

  Status add_header(const std::string &path, const Identity &identity, const Include &include) {
    if (!path.starts_with(root_)) {
      return fail(ErrorKind::kInvalid,
                  fmt::format("#include \"{}\" leads out of the workspace", printable(include.name, 80)),
                  "copy the header into the candidate's folder: the digest must cover it");
    }
    PYC_TRY(const Parsed parsed, parse_header(path, path.substr(root_.size()), identity));
    return add(path, parsed);
  }

  const std::string root_, include_, harness_;  // each with a '/' at its end
  std::map<std::string, std::string> hashes_;   // by absolute path
};

}  // namespace

Result<std::vector<Include>> includes_of(std::string_view source) {
  std::string owned;
  if (source.find("\\\n") != source.npos || source.find("\\\r\n") != source.npos) source = owned = spliced(source);
  std::vector<Include> includes;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    if (const auto operand = include_operand(source.substr(0, end))) {
      PYC_TRY(Include include, parse_operand(*operand));
      includes.push_back(std::move(include));
    }
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return includes;
}

Result<std::vector<SourceFile>> source_files(const Workspace &workspace, const std::vector<std::string> &roots) {
  Collector collector(workspace);
  for (const std::string &root : roots) PYC_CHECK(collector.add_root(root));
  return collector.files();
}

}  // namespace pyc::workspace
