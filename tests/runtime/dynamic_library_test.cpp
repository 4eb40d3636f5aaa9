#include "compiler/runtime/dynamic_library.h"

#include <gtest/gtest.h>

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

TEST(DynamicLibrary, AMissingSymbolClosesItAndIsNamed) {
  DynamicLibrary library;
  library.open({"libm.so.6"});
  void (*nothing)() = nullptr;
  library.resolve("pyc_no_such_symbol", &nothing);
  EXPECT_FALSE(library.is_open());
  EXPECT_EQ(library.error(), "libm.so.6 has no pyc_no_such_symbol");
}

}  // namespace
