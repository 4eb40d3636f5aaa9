#include "events.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>
#include <vector>

#include "json_reader.h"

namespace pyc::harness {
namespace {

TEST(Events, ALineIsOneObjectThatEndsWithANewline) {
  const std::string text = Line("check").put("index", 3).put("passed", true).put("x", 0.5).text();
  EXPECT_EQ(text, "{\"event\":\"check\",\"index\":3,\"passed\":true,\"x\":0.5}\n");
}

TEST(Events, QuotesBackslashesAndControlCharactersAreEscaped) {
  const std::string nasty = "a\"b\\c\nd\te\x01";
  const std::string text = Line("x").put("reason", nasty).text();
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_EQ(read_json(text).find("reason")->text, nasty);
}

TEST(Events, NumbersThatAreNotFiniteBecomeStrings) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Json line = read_json(Line("x").put("a", std::nan("")).put("b", infinity).put("c", -infinity).text());
  EXPECT_EQ(line.find("a")->text, "nan");
  EXPECT_EQ(line.find("b")->text, "inf");
  EXPECT_EQ(line.find("c")->text, "-inf");
  EXPECT_EQ(line.find("a")->kind, Json::Kind::string);
}

TEST(Events, NumbersKeepAllTheirDigits) {
  for (const double value : {1.0 / 3.0, 1e-300, 123456789.125, 5e-324, -0.1}) {
    EXPECT_EQ(std::strtod(number_text(value).c_str(), nullptr), value);
  }
}

TEST(Events, ListsAndObjectsNest) {
  Line line("launches");
  line.begin_list("kernels");
  for (int i = 0; i < 2; ++i) line.begin_item().put_list("grid", std::vector<int64_t>{1, 2, 3}).end_object();
  line.end_list().begin_object("first").put("row", 1).end_object();
  const Json read = read_json(line.text());
  ASSERT_EQ(read.find("kernels")->items.size(), 2u);
  EXPECT_EQ(read.find("kernels")->items[1].find("grid")->items[2].text, "3");
  EXPECT_EQ(read.find("first")->find("row")->text, "1");
}

TEST(Events, ALineArrivesAsSoonAsItIsSent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Events(ends[1]).send(Line("done"));
  char text[64] = {};
  const ssize_t count = read(ends[0], text, sizeof text - 1);
  EXPECT_EQ(std::string(text, static_cast<size_t>(count)), "{\"event\":\"done\"}\n");
  close(ends[0]);
  close(ends[1]);
}

TEST(EventsDeathTest, ALineThatCannotBeWrittenEndsTheProgram) {
  EXPECT_EXIT(Events(1 << 15).send(Line("done")), testing::ExitedWithCode(5), "could not be written");
}

}  // namespace
}  // namespace pyc::harness
