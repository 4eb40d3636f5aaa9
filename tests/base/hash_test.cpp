#include "base/hash.h"

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace {

using pyc::test::TemporaryFolder;

// FIPS 180-4 examples.
constexpr char kEmpty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr char kAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr char kMillionA[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Hash, KnowsThePublishedVectors) {
  EXPECT_EQ(pyc::sha256_hex(""), kEmpty);
  EXPECT_EQ(pyc::sha256_hex("abc"), kAbc);
  EXPECT_EQ(pyc::sha256_hex(std::string(1000000, 'a')), kMillionA);
}

TEST(Hash, ZeroBytesCount) { EXPECT_NE(pyc::sha256_hex(std::string(1, '\0')), kEmpty); }

TEST(Hash, FileAndTextAgreeAcrossChunks) {
  const TemporaryFolder folder;
  const std::string text(1000000, 'a');
  EXPECT_EQ(pyc::sha256_file(folder.write("a", text)).value(), kMillionA);
  EXPECT_EQ(pyc::sha256_file(folder.write("empty", "")).value(), kEmpty);
}

TEST(Hash, RefusesWhatIsNotAFileAndNamesIt) {
  const TemporaryFolder folder;
  for (const auto &path : {folder / "absent", folder.path()}) {
    const auto hash = pyc::sha256_file(path);
    ASSERT_FALSE(hash);
    EXPECT_EQ(hash.error().kind, pyc::ErrorKind::kInvalid);
    EXPECT_NE(hash.error().message.find(path.string()), std::string::npos) << hash.error().message;
  }
}

}  // namespace
