// The repository as the layer test sees it: source files, their include lines and the names in CMake lists.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pyc::layers {

struct Include {
  std::string target;  // as written between the quotes or brackets
  bool quoted = false;
  int line = 0;
};

struct SourceFile {
  std::string path;  // relative to the repository, with '/'
  std::vector<Include> includes;
};

// Every .c, .cpp, .cu, .cuh and .h file under one of `folders`, sorted by path. Paths that hold a build folder or
// evidence (kernels/.build, kernels/results) are left out. A folder that does not exist has no files.
std::vector<SourceFile> read_sources(const std::filesystem::path &root, const std::vector<std::string> &folders);

// The include lines of one source text. Commented-out lines are not includes.
std::vector<Include> parse_includes(const std::string &text);

// Every CMakeLists.txt and *.cmake under `folders` and the one at the root, relative, sorted.
std::vector<std::string> cmake_files(const std::filesystem::path &root, const std::vector<std::string> &folders);

std::string read_text(const std::filesystem::path &path);

}  // namespace pyc::layers
