#include "json_reader.h"

#include <gtest/gtest.h>

namespace pyc::harness {
namespace {

std::string refusal(std::string_view text) {
  try {
    read_json(text);
  } catch (const BadRequest &bad) {
    return bad.what();
  }
  return "";
}

TEST(JsonReader, ReadsEveryKindOfValue) {
  const Json value = read_json(R"( {"a": [1, -2.5e3, true, false, null], "b": {"c": "d"}, "e": [], "f": {}} )");
  const Json &list = *value.find("a");
  ASSERT_EQ(list.items.size(), 5u);
  EXPECT_EQ(list.items[1].text, "-2.5e3");
  EXPECT_TRUE(list.items[2].boolean);
  EXPECT_FALSE(list.items[3].boolean);
  EXPECT_EQ(list.items[4].kind, Json::Kind::null);
  EXPECT_EQ(value.find("b")->find("c")->text, "d");
  EXPECT_EQ(value.find("nothing"), nullptr);
}

TEST(JsonReader, DecodesEscapesAndSurrogatePairs) {
  EXPECT_EQ(read_json(R"("\"\\\/\b\f\n\r\t")").text, "\"\\/\b\f\n\r\t");
  EXPECT_EQ(read_json(R"("\u00e4\u20ac\ud83d\ude00")").text, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(JsonReader, KeepsEveryDigitOfALargeInteger) {
  EXPECT_EQ(read_json("18446744073709551615").text, "18446744073709551615");
}

TEST(JsonReader, RefusesDuplicateKeys) {
  EXPECT_NE(refusal(R"({"a": 1, "a": 2})").find("\"a\" stands twice"), std::string::npos);
}

TEST(JsonReader, RefusesWhatIsNotJson) {
  for (const char *text :
       {"",   "{", "[1,", "[1 2]", "{\"a\"}", "{\"a\":}",    "{a:1}",       "[1,]",   "{\"a\":1,}", "01",  "1.",
        "+1", "-", "nul", "\"",    "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\n\"", "1 2",        "NaN", "'a'"}) {
    EXPECT_NE(refusal(text), "") << text;
  }
}

TEST(JsonReader, RefusesDeepNestingAndHugeDocuments) {
  EXPECT_EQ(refusal(std::string(10, '[') + std::string(10, ']')), "");
  EXPECT_NE(refusal(std::string(100000, '[')).find("deeper"), std::string::npos);
  EXPECT_NE(refusal(std::string((4u << 20) + 1, ' ')).find("4 MiB"), std::string::npos);
}

TEST(JsonReader, NamesTheByteWhereItWentWrong) { EXPECT_NE(refusal("[1, x]").find("byte 4"), std::string::npos); }

}  // namespace
}  // namespace pyc::harness
