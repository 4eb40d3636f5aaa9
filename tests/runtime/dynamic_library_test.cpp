#include "compiler/runtime/dynamic_library.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace {

using pyc::runtime::DynamicLibrary;

TEST(DynamicLibrary, OpensTheFirstNameThatThereIs) {
  DynamicLibrary library;
  library.open({"libno_such_library.so", "libm.so.6"});
  ASSERT_TRUE(library.is_open()) << library.error();
  EXPECT_EQ(library.name(), "libm.so.6");
  double (*cosine)(double) = nullptr;
  library.resolve("cos", &cosine);
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
}

TEST(DynamicLibrary, NamesAllThatWereTried) {
  DynamicLibrary library;
  library.open({"libno_such_library.so", "libnor_this.so"});
  EXPECT_FALSE(library.is_open());
  EXPECT_EQ(library.error(), "cannot open any of libno_such_library.so libnor_this.so");
}

TEST(DynamicLibrary, LooksOnlyIntoTheFolderThatIsNamed) {
  DynamicLibrary library;
  library.open({"libm.so.6"}, "/no_such_folder");
  EXPECT_FALSE(library.is_open());
  EXPECT_EQ(library.error(), "cannot open any of libm.so.6 in /no_such_folder");
}

TEST(DynamicLibrary, AFileThatCannotBeLoadedSaysWhy) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/libpyc_not_elf.so") << "no library";
  DynamicLibrary library;
  library.open({"libno_such_library.so", "libpyc_not_elf.so"}, folder);
  std::remove((folder + "/libpyc_not_elf.so").c_str());
  EXPECT_FALSE(library.is_open());
  EXPECT_NE(library.error().find(folder + "/libpyc_not_elf.so: "), std::string::npos) << library.error();
  EXPECT_EQ(library.error().find("No such file"), std::string::npos) << library.error();
}

TEST(DynamicLibrary, AFileOfAnotherArchitectureIsNotCalledMissing) {
  const std::string path = testing::TempDir() + "/libpyc_of_elsewhere.so";
  std::string header(1024, '\0');
  std::ifstream("/proc/self/exe", std::ios::binary).read(header.data(), std::streamsize(header.size()));
  header[18] = header[19] = 22;  // e_machine: 0x1616, whichever byte comes first, is no machine's
  std::ofstream(path, std::ios::binary) << header;
  DynamicLibrary library;
  library.open({path.c_str()});
  std::remove(path.c_str());
  EXPECT_FALSE(library.is_open());
  EXPECT_NE(library.error().find(path + " is for another architecture"), std::string::npos) << library.error();
}

TEST(DynamicLibrary, AMissingSymbolClosesItAndIsNamed) {
  DynamicLibrary library;
  library.open({"libm.so.6"});
  void (*nothing)() = nullptr;
  library.resolve("pyc_no_such_symbol", &nothing);
  EXPECT_FALSE(library.is_open());
  EXPECT_EQ(library.error(), "libm.so.6 has no pyc_no_such_symbol");
}

}  // namespace
