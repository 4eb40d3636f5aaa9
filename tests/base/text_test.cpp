#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace {

using Words = std::vector<std::string>;

TEST(Text, SplitKeepsEmptyFields) {
  EXPECT_EQ(pyc::split("a,,b,", ','), (Words{"a", "", "b", ""}));
  EXPECT_EQ(pyc::split("", ','), Words{""});
}

TEST(Text, JoinUndoesSplit) {
  EXPECT_TRUE(rc::check([](const std::string &text) { RC_ASSERT(pyc::join(pyc::split(text, ','), ",") == text); }));
}

TEST(Text, TrimTakesWhiteSpaceFromBothEndsOnly) {
  EXPECT_EQ(pyc::trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(pyc::trim(" \n "), "");
}

TEST(Text, OneThingIsCountedInTheSingular) {
  EXPECT_EQ(pyc::counted(1, "shape"), "1 shape");
  EXPECT_EQ(pyc::counted(0, "shape"), "0 shapes");
  EXPECT_EQ(pyc::counted(12, "shape"), "12 shapes");
}

TEST(Text, LowerCaseLeavesOtherBytesAlone) { EXPECT_EQ(pyc::to_lower("H200 \xC3\x84"), "h200 \xC3\x84"); }

const Words kFamilies = {"small", "square", "large_square", "tall_skinny", "wide_skinny"};

TEST(NearestName, FindsTheOneThatWasMeant) {
  EXPECT_EQ(pyc::nearest_name("sqaure", kFamilies), "square");
  EXPECT_EQ(pyc::nearest_name("Tall-Skinny", kFamilies), "tall_skinny");
  EXPECT_EQ(pyc::nearest_name("fp23", {"fp16", "fp32", "bf16"}), "fp32");
}

TEST(NearestName, StaysSilentWhenNothingIsNear) {
  EXPECT_FALSE(pyc::nearest_name("hexagonal", kFamilies));
  EXPECT_FALSE(pyc::nearest_name("x", {"nn", "a"}));
  EXPECT_FALSE(pyc::nearest_name("", {"a"}));
  EXPECT_FALSE(pyc::nearest_name(std::string(100000, 'a'), kFamilies));
}

TEST(Suggest, NamesOneOrListsAll) {
  EXPECT_EQ(pyc::suggest("sqare", kFamilies), "did you mean 'square'?");
  EXPECT_EQ(pyc::suggest("?", {"fp16", "fp32"}), "one of: fp16, fp32");
  EXPECT_EQ(pyc::suggest("x", {}), "");
}

TEST(Suggest, NamesThoseThatAreEquallyNear) {
  EXPECT_EQ(pyc::suggest("sm80", {"sm89", "sm90"}), "did you mean 'sm89' or 'sm90'?");
  EXPECT_EQ(pyc::suggest("a5", {"a1", "a2", "a3", "a4"}), "one of: a1, a2, a3, a4");
}

TEST(Suggest, DoesNotListHundreds) {
  const std::string list = pyc::suggest("?", Words(500, "candidate"));
  EXPECT_LT(list.size(), 300u);
  EXPECT_TRUE(list.ends_with(", ..."));
}

TEST(Utf8, AcceptsWholeCharactersOnly) {
  EXPECT_TRUE(pyc::is_valid_utf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x80"));
  for (const char *broken : {"\xFF", "\xC3", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                             "\x80", "\xF0\x9F\x9A"}) {
    EXPECT_FALSE(pyc::is_valid_utf8(broken)) << pyc::printable(broken);
  }
}

TEST(Printable, ShowsControlCharactersAndBrokenBytes) {
  EXPECT_EQ(pyc::printable("a\n\t\x1b[31m\xFF\xC2\x9B"), "a\\n\\t\\x1b[31m\\xff\\xc2\\x9b");
  EXPECT_EQ(pyc::printable("\xC3\xA4"), "\xC3\xA4");
}

TEST(Printable, CutsWithinTheLimitAndBetweenCharacters) {
  EXPECT_EQ(pyc::printable("abcdef", 6), "abcdef");
  EXPECT_EQ(pyc::printable("abcdefg", 6), "abc...");
  EXPECT_EQ(pyc::printable("a\xC3\xA4\xC3\xA4\xC3\xA4", 6), "a\xC3\xA4...");
}

TEST(Printable, AnyBytesGiveShortValidText) {
  EXPECT_TRUE(rc::check([](const std::string &bytes) {
    const std::string shown = pyc::printable(bytes, 20);
    RC_ASSERT(shown.size() <= 20u);
    RC_ASSERT(pyc::is_valid_utf8(shown));
    RC_ASSERT(std::none_of(shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }));
  }));
}

}  // namespace
