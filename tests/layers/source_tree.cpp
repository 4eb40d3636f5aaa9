#include "source_tree.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace pyc::layers {
namespace {

const std::set<std::string> kSourceExtensions = {".c", ".cpp", ".cu", ".cuh", ".h"};

bool is_output(const std::string &path) {
  return path.starts_with("kernels/.build/") || path.starts_with("kernels/results/");
}

std::vector<std::string> find_files(const fs::path &root, const std::vector<std::string> &folders,
                                    const std::function<bool(const fs::path &)> &wanted) {
  std::vector<std::string> found;
  for (const std::string &folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      if (entry.is_regular_file() && wanted(entry.path()) && !is_output(path)) found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::string read_text(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Include> parse_includes(const std::string &text) {
  static const std::regex directive(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (std::regex_match(line, match, directive)) includes.push_back({match[2], match[1] == "\"", number});
  }
  return includes;
}

std::vector<SourceFile> read_sources(const fs::path &root, const std::vector<std::string> &folders) {
  const auto is_source = [](const fs::path &path) { return kSourceExtensions.count(path.extension()) == 1; };
  std::vector<SourceFile> files;
  for (const std::string &path : find_files(root, folders, is_source))
    files.push_back({path, parse_includes(read_text(root / path))});
  return files;
}

std::vector<std::string> cmake_files(const fs::path &root, const std::vector<std::string> &folders) {
  const auto is_list = [](const fs::path &path) {
    return path.filename() == "CMakeLists.txt" || path.extension() == ".cmake";
  };
  std::vector<std::string> files = find_files(root, folders, is_list);
  if (fs::exists(root / "CMakeLists.txt")) files.insert(files.begin(), "CMakeLists.txt");
  return files;
}

}  // namespace pyc::layers
