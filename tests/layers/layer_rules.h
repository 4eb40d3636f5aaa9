// Who may include whom. The table is the one in ARCHITECTURE.md; the functions say where a file breaks it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "source_tree.h"

namespace pyc::layers {

struct Room {
  std::string folder;                    // src/base
  std::vector<std::string> may_include;  // folders of other rooms
};

// Every room of the house, in the order of the layers.
const std::vector<Room> &rooms();

// The folder of the room that holds `path`; empty if none does.
std::string room_of(const std::string &path);

// Each function returns one line "path:line: what is wrong" for each violation.

// Quoted includes: found in the tree, and in a room that the including room may use.
std::vector<std::string> check_rooms(const std::filesystem::path &root, const SourceFile &file);

// Third-party headers: each in the files that may see it and nowhere else.
std::vector<std::string> check_third_party(const SourceFile &file);

// Files that nvcc or a C compiler reads: language, CUDA and system headers only.
std::vector<std::string> check_language_headers(const SourceFile &file);

// A CMake list names its sources: no globbing, and every .c and .cpp under `folders` is named in a CMakeLists.txt
// beside or above it.
std::vector<std::string> check_cmake_text(const std::string &path, const std::string &text);
std::vector<std::string> unlisted_sources(const std::filesystem::path &root, const std::vector<std::string> &folders);

// Libraries that a room's CMake list links: only rooms that it may include.
std::vector<std::string> check_links(const std::string &path, const std::string &text);

}  // namespace pyc::layers
