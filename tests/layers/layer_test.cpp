// The house keeps its own rules: the first half shows that each rule can catch a violation, the second half applies
// all of them to the repository.
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "layer_rules.h"

namespace pyc::layers {
namespace {

const std::filesystem::path kRoot = PYC_REPOSITORY;
const std::vector<std::string> kSourceFolders = {"src", "include", "kernels"};

void append(std::vector<std::string> &all, const std::vector<std::string> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) text += "  " + line + "\n";
  return text;
}

SourceFile source(const std::string &path, const std::string &text) { return {path, parse_includes(text)}; }

TEST(IncludeLines, AreReadWithTheirLineAndKind) {
  const auto includes =
      parse_includes("// #include \"no.h\"\n#include <vector>\n  # include \"base/files.h\"  // why\n");
  ASSERT_EQ(includes.size(), 2u);
  EXPECT_EQ(includes[0].target, "vector");
  EXPECT_FALSE(includes[0].quoted);
  EXPECT_EQ(includes[1].target, "base/files.h");
  EXPECT_TRUE(includes[1].quoted);
  EXPECT_EQ(includes[1].line, 3);
}

TEST(LayerRules, ARoomBelowMayNotIncludeARoomAbove) {
  const auto wrong = check_rooms(kRoot, source("src/base/x.cpp", "#include \"hpc/verbs.h\"\n"));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0], "src/base/x.cpp:1: src/base may not include src/hpc (\"hpc/verbs.h\")");
}

TEST(LayerRules, TheRuntimeSeesOnlyThePublicHeadersAndItself) {
  EXPECT_EQ(check_rooms(kRoot, source("src/compiler/runtime/x.cpp", "#include \"base/files.h\"\n")).size(), 1u);
  EXPECT_EQ(check_rooms(kRoot, source("src/compiler/runtime/x.cpp", "#include \"pyc/status.h\"\n")).size(), 0u);
}

TEST(LayerRules, AnIncludeThatLeadsNowhereIsNamed) {
  EXPECT_EQ(check_rooms(kRoot, source("src/base/x.cpp", "#include \"gone.h\"\n")).size(), 1u);
  EXPECT_EQ(check_rooms(kRoot, source("src/attic/x.cpp", "")).size(), 1u);
}

TEST(LayerRules, OurOwnHeadersTakeQuotes) {
  EXPECT_EQ(check_rooms(kRoot, source("src/hpc/x.cpp", "#include <base/files.h>\n#include <vector>\n")).size(), 1u);
}

TEST(LayerRules, ThirdPartyHeadersStayInTheirRooms) {
  EXPECT_EQ(check_third_party(source("src/hpc/x.cpp", "#include <nlohmann/json.hpp>\n")).size(), 1u);
  EXPECT_EQ(check_third_party(source("src/base/x.cpp", "#include <CLI/CLI.hpp>\n")).size(), 1u);
  EXPECT_EQ(check_third_party(source("src/cli/arguments.cpp", "#include <CLI/CLI.hpp>\n")).size(), 0u);
}

TEST(LayerRules, NvccReadsNoThirdPartyHostHeader) {
  EXPECT_EQ(check_language_headers(source("kernels/harness/x.cu", "#include <fmt/core.h>\n")).size(), 1u);
  const std::string allowed =
      "#include <cuda_runtime.h>\n#include <vector>\n#include <sys/stat.h>\n#include <dlfcn.h>\n";
  EXPECT_EQ(check_language_headers(source("kernels/harness/x.cu", allowed)).size(), 0u);
  EXPECT_EQ(check_language_headers(source("include/pyc/x.h", "#include <stdlib.h>\n")).size(), 1u);
}

TEST(LayerRules, OnlyTheCudaFilesOfTheCutlassSetSeeCutlass) {
  const std::string text = "#include <cutlass/cutlass.h>\n#include <cute/tensor.hpp>\n";
  const std::string set = "src/compiler/cutlass_kernels/cutlass/";
  for (const std::string &allowed : {set + "x.cu", set + "x.cuh"}) {
    EXPECT_EQ(check_language_headers(source(allowed, text)).size(), 0u) << allowed;
    EXPECT_EQ(check_third_party(source(allowed, text)).size(), 0u) << allowed;
  }
  EXPECT_EQ(check_language_headers(source(set + "kernel.h", text)).size(), 2u);
  EXPECT_EQ(check_language_headers(source("kernels/prototypes/x/kernel.cu", text)).size(), 2u);
  EXPECT_EQ(check_third_party(source("src/compiler/runtime/rung_cutlass.cpp", text)).size(), 2u);
}

TEST(LayerRules, CMakeListsDoNotGlob) {
  EXPECT_EQ(check_cmake_text("src/base/CMakeLists.txt", "# file(GLOB x)\nfile( GLOB sources *.cpp)\n").size(), 1u);
  EXPECT_EQ(check_cmake_text("src/base/CMakeLists.txt", "add_library(pyc_base STATIC files.cpp)\n").size(), 0u);
}

TEST(LayerRules, ARoomLinksOnlyWhatItMayInclude) {
  EXPECT_EQ(check_links("src/evidence/CMakeLists.txt", "target_link_libraries(pyc_evidence PUBLIC pyc_hpc)").size(),
            1u);
  EXPECT_EQ(check_links("src/evidence/CMakeLists.txt", "target_link_libraries(pyc_evidence PUBLIC pyc_base)").size(),
            0u);
}

TEST(House, EveryRoomIncludesOnlyWhatTheTableAllows) {
  std::vector<std::string> wrong;
  for (const SourceFile &file : read_sources(kRoot, kSourceFolders)) append(wrong, check_rooms(kRoot, file));
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(House, ThirdPartyHeadersAreWhereTheyBelong) {
  std::vector<std::string> wrong;
  for (const SourceFile &file : read_sources(kRoot, kSourceFolders)) append(wrong, check_third_party(file));
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(House, OnlyOneFileIncludesCli11) {
  std::set<std::string> files;
  for (const SourceFile &file : read_sources(kRoot, {"src"}))
    for (const Include &include : file.includes)
      if (include.target.starts_with("CLI/")) files.insert(file.path);
  EXPECT_LE(files.size(), 1u) << joined({files.begin(), files.end()});
}

TEST(House, KernelsHarnessRuntimeAndPublicHeadersNeedOnlyTheLanguageAndCuda) {
  std::vector<std::string> wrong;
  for (const SourceFile &file : read_sources(kRoot, {"include", "kernels", "src/compiler"}))
    append(wrong, check_language_headers(file));
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(House, EveryCudaFileUnderSrcNeedsOnlyTheLanguageAndCuda) {
  std::vector<std::string> wrong;
  for (const SourceFile &file : read_sources(kRoot, {"src", "tests"}))
    if (file.path.ends_with(".cu") || file.path.ends_with(".cuh")) append(wrong, check_language_headers(file));
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(House, SourcesAreListedByName) {
  std::vector<std::string> wrong;
  for (const std::string &path : cmake_files(kRoot, {"src", "examples", "kernels", "cmake", "benchmark"}))
    append(wrong, check_cmake_text(path, read_text(kRoot / path)));
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(House, EverySourceIsBuilt) {
  const auto wrong =
      unlisted_sources(kRoot, {"src/base", "src/stats", "src/evidence", "src/toolchain", "src/workspace", "src/hpc",
                               "src/lab", "src/cli", "src/compiler/runtime", "examples", "tests"});
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(House, RoomsLinkOnlyWhatTheyMayInclude) {
  std::vector<std::string> wrong;
  for (const Room &room : rooms())
    if (room.folder.starts_with("src/") && std::filesystem::exists(kRoot / room.folder / "CMakeLists.txt"))
      append(wrong, check_links(room.folder + "/CMakeLists.txt", read_text(kRoot / room.folder / "CMakeLists.txt")));
  EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

// Folder and last cell of each row of ARCHITECTURE.md's table; a row may name several folders.
std::map<std::string, std::string> architecture_rows() {
  std::map<std::string, std::string> rows;
  std::istringstream lines(read_text(kRoot / "ARCHITECTURE.md"));
  const std::regex row(R"(^\| (`[^|]*`) \|.*\| ([^|]*) \|$)"), folder("`([^`]+)`");
  std::smatch cells;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, cells, row)) continue;
    const std::string names = cells[1];
    for (std::sregex_iterator name(names.begin(), names.end(), folder), end; name != end; ++name)
      rows[name->str(1)] = cells[2];
  }
  return rows;
}

// The rooms that the last cell names: "base, `include/pyc`, harness".
std::set<std::string> rooms_named(const std::string &cell) {
  std::set<std::string> named;
  static const std::regex word("[A-Za-z_/]+");
  for (std::sregex_iterator match(cell.begin(), cell.end(), word), end; match != end; ++match) {
    for (const char *above : {"", "src/", "kernels/"}) {
      const std::string folder = above + match->str();
      if (room_of(folder + "/x") != folder) continue;
      named.insert(folder);
      break;
    }
  }
  return named;
}

TEST(House, ArchitectureSaysOfEachRoomWhatTheRulesSay) {
  const auto rows = architecture_rows();
  for (const Room &room : rooms()) {
    ASSERT_EQ(rows.count(room.folder), 1u) << room.folder << " has no row";
    EXPECT_EQ(rooms_named(rows.at(room.folder)), std::set(room.may_include.begin(), room.may_include.end()))
        << room.folder;
  }
}

TEST(House, ArchitectureHasARowForEveryFolderOfSrcAndTests) {
  const auto rows = architecture_rows();
  const auto is_mirror = [](const std::string &name) {
    for (const char *above : {"src", "src/compiler", "kernels"})
      if (std::filesystem::is_directory(kRoot / above / name)) return true;
    return false;
  };
  for (const char *above : {"src", "tests"}) {
    for (const auto &entry : std::filesystem::directory_iterator(kRoot / above)) {
      const std::string name = entry.path().filename(), folder = std::string(above) + "/" + name;
      if (!entry.is_directory() || name.starts_with("__")) continue;
      const bool mirrors = std::string(above) == "tests" && is_mirror(name);
      EXPECT_TRUE(mirrors || rows.count(folder) == 1) << folder << " has no row";
    }
  }
  for (const auto &[folder, cell] : rows) {
    if (!folder.starts_with("src/") && !folder.starts_with("tests/")) continue;
    EXPECT_TRUE(std::filesystem::is_directory(kRoot / folder)) << folder << " is a row and no folder";
  }
}

}  // namespace
}  // namespace pyc::layers
