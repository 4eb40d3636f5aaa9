#include "layer_rules.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace pyc::layers {
namespace {

bool contains(const std::vector<std::string> &list, const std::string &item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string violation(const std::string &path, int line, const std::string &what) {
  return path + ":" + std::to_string(line) + ": " + what;
}

// A third-party library by the first part of its include path, and the only files (or rooms) that may see it.
struct ThirdParty {
  std::string prefix;
  std::vector<std::string> allowed;
};
const std::string kCutlassSet = "src/compiler/cutlass_kernels/cutlass/";
const std::vector<ThirdParty> kThirdParty = {
    {"CLI/", {"src/cli/"}},
    {"nlohmann/", {"src/evidence/", "src/workspace/", "src/cli/json_output.cpp", "src/cli/lab_json.cpp"}},
    {"tl/", {"src/base/result.h"}},
    {"fmt/", {"src/base/", "src/evidence/", "src/toolchain/", "src/workspace/", "src/hpc/", "src/lab/", "src/cli/"}},
    {"openssl/", {"src/base/"}},
    {"cutlass/", {kCutlassSet}},
    {"cute/", {kCutlassSet}},
};

// C and POSIX headers that harness, kernels and runtime use. C++ headers have no extension and need no list.
const std::set<std::string> kSystemHeaders = {"assert.h",  "dlfcn.h",  "errno.h",  "fcntl.h", "float.h",   "inttypes.h",
                                              "limits.h",  "link.h",   "math.h",   "poll.h",  "pthread.h", "signal.h",
                                              "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",  "string.h",
                                              "strings.h", "time.h",   "unistd.h", "elf.h",   "spawn.h"};

bool is_cuda_header(const std::string &target) {
  static const std::regex cuda(
      R"((cuda|cublas|nvml|nvrtc|cooperative_groups|mma|vector_types|driver_types|device_launch|sm_|nv/|nvtx3/).*)");
  return std::regex_match(target, cuda);
}

bool is_language_header(const std::string &target) {
  return target.find_first_of("./") == std::string::npos || target.starts_with("sys/") ||
         kSystemHeaders.count(target) == 1;
}

// Where a quoted include leads, relative to the repository; empty if to no file.
std::string resolve(const fs::path &root, const std::string &from, const std::string &target) {
  const fs::path beside = fs::path(from).parent_path() / target;
  for (const fs::path &candidate :
       {beside, fs::path("src") / target, fs::path("include") / target, fs::path("kernels/harness") / target}) {
    const fs::path path = candidate.lexically_normal();
    if (fs::is_regular_file(root / path) || fs::is_regular_file(root / (path.string() + ".in")))
      return path.generic_string();
  }
  return {};
}

}  // namespace

const std::vector<Room> &rooms() {
  static const std::vector<Room> table = {
      {"include/pyc", {}},
      {"src/base", {}},
      {"src/stats", {}},
      {"src/evidence", {"src/base", "src/stats"}},
      {"src/toolchain", {"src/base"}},
      {"src/workspace", {"src/base", "src/evidence", "src/toolchain", "include/pyc"}},
      {"src/hpc", {"src/base", "src/stats", "src/evidence", "src/toolchain", "src/workspace", "include/pyc"}},
      {"src/lab", {"src/base", "src/stats", "src/evidence", "src/toolchain", "src/workspace"}},
      {"src/cli", {"src/base", "src/evidence", "src/hpc", "src/lab"}},
      {"src/compiler", {"include/pyc"}},
      {"kernels/harness", {"include/pyc"}},
      {"kernels/templates", {"include/pyc", "kernels/harness"}},
      {"kernels/prototypes", {"include/pyc", "kernels/harness"}},
      {"kernels/lab", {}},
  };
  return table;
}

std::string room_of(const std::string &path) {
  for (const Room &room : rooms())
    if (path.starts_with(room.folder + "/")) return room.folder;
  return {};
}

std::vector<std::string> check_rooms(const fs::path &root, const SourceFile &file) {
  std::vector<std::string> wrong;
  const std::string from = room_of(file.path);
  const auto room = std::find_if(rooms().begin(), rooms().end(), [&](const Room &r) { return r.folder == from; });
  if (room == rooms().end()) return {violation(file.path, 1, "stands in no room of the table")};
  for (const Include &include : file.includes) {
    const std::string path = resolve(root, file.path, include.target);
    const std::string to = room_of(path);
    if (!include.quoted && include.target.find('/') != std::string::npos && !path.empty())
      wrong.push_back(violation(file.path, include.line, "<" + include.target + "> is ours and takes quotes"));
    if (!include.quoted) continue;
    if (path.empty() || to.empty())
      wrong.push_back(violation(file.path, include.line, "\"" + include.target + "\" leads to no room"));
    else if (to != from && !contains(room->may_include, to))
      wrong.push_back(
          violation(file.path, include.line, from + " may not include " + to + " (\"" + include.target + "\")"));
  }
  return wrong;
}

std::vector<std::string> check_third_party(const SourceFile &file) {
  std::vector<std::string> wrong;
  for (const Include &include : file.includes)
    for (const ThirdParty &library : kThirdParty) {
      const auto allows = [&](const std::string &place) { return file.path.starts_with(place); };
      if (!include.target.starts_with(library.prefix)) continue;
      if (std::none_of(library.allowed.begin(), library.allowed.end(), allows))
        wrong.push_back(violation(file.path, include.line, "<" + include.target + "> may not be included here"));
    }
  return wrong;
}

std::vector<std::string> check_language_headers(const SourceFile &file) {
  std::vector<std::string> wrong;
  const bool public_header = file.path.starts_with("include/");
  // The one exception: the CUTLASS set, and there only what nvcc reads, so that every build can read its table.
  const bool cutlass =
      file.path.starts_with(kCutlassSet) && (file.path.ends_with(".cu") || file.path.ends_with(".cuh"));
  for (const Include &include : file.includes) {
    const std::string &target = include.target;
    if (include.quoted && (!public_header || target.starts_with("pyc/"))) continue;
    if (cutlass && (target.starts_with("cutlass/") || target.starts_with("cute/"))) continue;
    const bool ok = public_header ? target == "stddef.h" || target == "stdint.h"
                                  : is_language_header(target) || is_cuda_header(target);
    if (!ok) wrong.push_back(violation(file.path, include.line, "'" + target + "' is not a language or CUDA header"));
  }
  return wrong;
}

std::vector<std::string> check_cmake_text(const std::string &path, const std::string &text) {
  static const std::regex glob(R"(file\s*\(\s*GLOB|aux_source_directory\s*\()", std::regex::icase);
  std::vector<std::string> wrong;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (std::regex_search(line.substr(0, line.find('#')), glob))
      wrong.push_back(violation(path, number, "sources are listed by name, not found by a pattern"));
  return wrong;
}

std::vector<std::string> unlisted_sources(const fs::path &root, const std::vector<std::string> &folders) {
  std::vector<std::string> wrong;
  for (const SourceFile &file : read_sources(root, folders)) {
    if (!file.path.ends_with(".c") && !file.path.ends_with(".cpp")) continue;
    bool listed = false;
    for (fs::path folder = fs::path(file.path).parent_path(); !folder.empty() && !listed;
         folder = folder.parent_path()) {
      const std::string name = fs::path(file.path).lexically_relative(folder).generic_string();
      const std::string list = read_text(root / folder / "CMakeLists.txt");
      const std::regex token("(^|[\\s(\"/])" + std::regex_replace(name, std::regex(R"([.+])"), R"(\$&)") +
                             "($|[\\s)\"])");
      listed = std::regex_search(list, token);
    }
    if (!listed) wrong.push_back(violation(file.path, 1, "is named in no CMakeLists.txt"));
  }
  return wrong;
}

std::vector<std::string> check_links(const std::string &path, const std::string &text) {
  static const std::regex library(R"(\bpyc_(base|stats|evidence|toolchain|workspace|hpc|lab|cli)\b)");
  const std::string from = room_of(path);
  std::vector<std::string> wrong;
  for (std::sregex_iterator match(text.begin(), text.end(), library), end; match != end; ++match) {
    const std::string to = "src/" + match->str(1);
    const int line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + match->position(), '\n'));
    const auto room = std::find_if(rooms().begin(), rooms().end(), [&](const Room &r) { return r.folder == from; });
    if (to != from && (room == rooms().end() || !contains(room->may_include, to)))
      wrong.push_back(violation(path, line, from + " may not link " + match->str()));
  }
  return wrong;
}

}  // namespace pyc::layers
