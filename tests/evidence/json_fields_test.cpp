#include "evidence/json_fields.h"

#include <cmath>
#include <gtest/gtest.h>

namespace pyc::json {
namespace {

std::string refusal_of(std::string_view text) {
  const auto value = parse_strict(text, "f.json");
  return value ? "accepted" : value.error().message;
}

// What a reader of one field says of a document.
template <class Getter>
std::string verdict(const std::string &text, Getter get) {
  const auto value = parse_strict(text, "f.json");
  if (!value) return value.error().message;
  ObjectReader fields(*value, "f.json");
  get(fields);
  const Status status = fields.finish();
  return status ? "accepted" : status.error().message;
}

TEST(ParseStrict, KeepsTheOrderOfKeys) {
  const auto value = parse_strict(R"({"z": 1, "a": 2})", "f.json");
  ASSERT_TRUE(value);
  EXPECT_EQ(ObjectReader(*value, "f.json").keys(), (std::vector<std::string>{"z", "a"}));
}

TEST(ParseStrict, RefusesDuplicateKeysAtEveryDepth) {
  EXPECT_EQ(refusal_of(R"({"a": 1, "a": 2})"), "'f.json': field 'a' stands twice");
  EXPECT_EQ(refusal_of(R"({"x": [{"b": 1, "b": 1}]})"), "'f.json': field 'b' stands twice");
  EXPECT_EQ(refusal_of(R"({"a": {"b": 1}, "b": {"a": 1}})"), "accepted");
  EXPECT_EQ(refusal_of(R"([{"a": 1}, {"a": 1}])"), "accepted");
}

TEST(ParseStrict, SeesADuplicateThroughAnEscape) {
  EXPECT_EQ(refusal_of("{\"a\": 1, \"\\u0061\": 2}"), "'f.json': field 'a' stands twice");
}

TEST(ParseStrict, RefusesWhatIsNotOneValue) {
  for (const char *text : {"", "{", "{\"a\": 1", "{\"a\": 1}}", "{} {}", "{\"a\": 01}", "{\"a\": NaN}", "{'a': 1}",
                           "{\"a\": 1,}", "// c\n{}", "{\"a\": 1e999}", "\xff", "nul"})
    EXPECT_NE(refusal_of(text), "accepted") << text;
}

TEST(ParseStrict, RefusesBrokenUtf8) {
  EXPECT_NE(refusal_of("{\"a\": \"\xff\"}"), "accepted");
  EXPECT_NE(refusal_of("{\"\xc3\": 1}"), "accepted");
  EXPECT_NE(refusal_of("{\"a\": \"\\ud800\"}"), "accepted");
  EXPECT_EQ(refusal_of("{\"a\": \"\xc3\xa9\"}"), "accepted");
}

TEST(ParseStrict, BoundsTheDepth) {
  const auto nested = [](int levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(refusal_of(nested(kDepthLimit)), "accepted");
  EXPECT_EQ(refusal_of(nested(kDepthLimit + 1)), "'f.json': nested deeper than 32 levels");
  EXPECT_EQ(refusal_of(std::string(1'000'000, '[')), "'f.json': nested deeper than 32 levels");
}

TEST(ParseStrict, SaysWhereTheTextBreaks) {
  EXPECT_NE(refusal_of("{\n  \"a\": ?\n}").find("line 2"), std::string::npos) << refusal_of("{\n  \"a\": ?\n}");
}

TEST(ObjectReader, ReadsEachType) {
  const auto value = parse_strict(
      R"({"s": "x", "i": -3, "u": 18446744073709551615, "d": 0.5, "b": true, "o": {"k": 1},
          "l": [1, 2.5], "t": ["p", "q"], "n": [4, 5]})",
      "f.json");
  ASSERT_TRUE(value);
  ObjectReader fields(*value, "f.json");
  EXPECT_EQ(fields.string("s"), "x");
  EXPECT_EQ(fields.integer("i", -10, 10), -3);
  EXPECT_EQ(fields.unsigned_integer("u"), 18446744073709551615u);
  EXPECT_EQ(fields.number("d"), 0.5);
  EXPECT_TRUE(fields.boolean("b"));
  ObjectReader inner = fields.object("o");
  EXPECT_EQ(inner.integer("k", 0, 9), 1);
  EXPECT_EQ(fields.numbers("l"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(fields.strings("t"), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(fields.integers("n", 0, 9), (std::vector<std::int64_t>{4, 5}));
  EXPECT_TRUE(inner.finish());
  EXPECT_TRUE(fields.finish());
}

TEST(ObjectReader, NamesFileFieldExpectedAndGot) {
  EXPECT_EQ(verdict(R"({"requires": {"m_multiple": "x"}})",
                    [](ObjectReader &fields) { fields.object("requires").integer("m_multiple", 1, 64); }),
            "'f.json': field 'requires.m_multiple': expected an integer from 1 to 64, got \"x\"");
  EXPECT_EQ(verdict(R"({"shapes": [{"m": 1}, {"m": {}}]})",
                    [](ObjectReader &fields) {
                      for (ObjectReader &shape : fields.objects("shapes")) shape.integer("m", 1, 64);
                    }),
            "'f.json': field 'shapes[1].m': expected an integer from 1 to 64, got an object");
  EXPECT_EQ(verdict("[]", [](ObjectReader &) {}), "'f.json': expected an object, got a list");
}

TEST(ObjectReader, RefusesAMissingField) {
  EXPECT_EQ(verdict("{}", [](ObjectReader &fields) { fields.string("name"); }),
            "'f.json': field 'name' is missing: expected a string");
}

TEST(ObjectReader, RefusesAnUnknownFieldWithTheNearestName) {
  const auto value = parse_strict(R"({"shape_famly": "square"})", "f.json");
  ObjectReader fields(*value, "f.json");
  fields.optional_string("shape_family");
  const Status status = fields.finish();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "'f.json': unknown field 'shape_famly'");
  EXPECT_NE(status.error().hint.find("shape_family"), std::string::npos);
}

TEST(ObjectReader, AMistypedRequiredFieldIsNamedBesideTheMissingOne) {
  const auto value = parse_strict(R"({"layot": "nn", "note": 1})", "f.json");
  ObjectReader fields(*value, "f.json");
  fields.string("layout");
  const Status status = fields.finish();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "'f.json': field 'layout' is missing: expected a string");
  EXPECT_EQ(status.error().hint, "is 'layot' meant to be 'layout'?");
}

TEST(ObjectReader, AnAbsentOptionalFieldIsSuggestedToo) {
  const auto value = parse_strict(R"({"tolerence": 1})", "f.json");
  ObjectReader fields(*value, "f.json");
  EXPECT_FALSE(fields.has("tolerance"));
  EXPECT_EQ(fields.finish().error().hint, "did you mean 'tolerance'?");
}

TEST(ObjectReader, FinishOfAPartRefusesItsUnknownFields) {
  EXPECT_EQ(verdict(R"({"o": {"x": 1}})", [](ObjectReader &fields) { fields.object("o").finish(); }),
            "'f.json': unknown field 'o.x'");
}

TEST(ObjectReader, AnOptionalFieldMayBeAbsentButNotNull) {
  const auto read = [](ObjectReader &fields) { fields.optional_integer("i", 0, 9); };
  EXPECT_EQ(verdict("{}", read), "accepted");
  EXPECT_EQ(verdict(R"({"i": null})", read), "'f.json': field 'i': expected an integer from 0 to 9, got null");
}

TEST(ObjectReader, RefusesOtherTypesAndRanges) {
  const auto integer = [](ObjectReader &fields) { fields.integer("x", 0, 9); };
  for (const char *text : {R"({"x": 10})", R"({"x": -1})", R"({"x": 1.0})", R"({"x": true})", R"({"x": "1"})",
                           R"({"x": 18446744073709551615})", R"({"x": 99999999999999999999})", R"({"x": [1]})"})
    EXPECT_NE(verdict(text, integer), "accepted") << text;
  const auto number = [](ObjectReader &fields) { fields.number("x", 0, 1); };
  for (const char *text : {R"({"x": 1.5})", R"({"x": -0.1})", R"({"x": "0.5"})", R"({"x": null})"})
    EXPECT_NE(verdict(text, number), "accepted") << text;
  const auto numbers = [](ObjectReader &fields) { fields.numbers("x"); };
  for (const char *text : {R"({"x": [1, "2"]})", R"({"x": [null]})", R"({"x": 1})"})
    EXPECT_NE(verdict(text, numbers), "accepted") << text;
}

TEST(ObjectReader, KeepsTheFirstError) {
  EXPECT_EQ(verdict(R"({"a": 1, "b": 2})",
                    [](ObjectReader &fields) {
                      fields.string("a");
                      fields.string("b");
                    }),
            "'f.json': field 'a': expected a string, got 1");
}

TEST(ToText, KeepsListsOfScalarsOnOneLine) {
  const Json value = {
      {"samples", {1.5, 2, 3}}, {"words", {"a", "b"}}, {"objects", {{{"x", 1}}}}, {"none", Json::array()}};
  EXPECT_EQ(
      to_text(value),
      "{\n  \"samples\": [1.5, 2, 3],\n  \"words\": [\"a\", \"b\"],\n  \"objects\": [\n    {\n      \"x\": 1\n    }\n"
      "  ],\n  \"none\": []\n}\n");
}

TEST(ToText, NumbersComeBackTheSame) {
  for (const double number : {0.1, 1.0 / 3, 1e-310, 123456789.123456789, 5e-324, 1.7976931348623157e308, -0.0, 3e22}) {
    const auto back = parse_strict(to_text(Json{{"x", number}}), "f.json");
    ASSERT_TRUE(back) << number;
    EXPECT_EQ(back->at("x").get<double>(), number);
    EXPECT_EQ(std::signbit(back->at("x").get<double>()), std::signbit(number));
  }
}

TEST(ToText, MakesBrokenUtf8Readable) {
  const auto back = parse_strict(to_text(Json{{"log", "a\xff\n"}}), "f.json");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->at("log").get<std::string>(), "a\xef\xbf\xbd\n");
}

}  // namespace
}  // namespace pyc::json
