#include "base/placeholders.h"

#include <gtest/gtest.h>

namespace pyc {
namespace {

const std::vector<std::string> kKnown = {"name", "root"};

std::string refusal(const std::string &word) {
  const Status status = check_placeholders({"fine", word}, kKnown, "here");
  return status ? "accepted" : status.error().message + "; " + status.error().hint;
}

TEST(Placeholders, AreReplacedWhereverTheyStand) {
  EXPECT_EQ(fill_placeholders("{root}/{name}.{name}", {{"root", "/w"}, {"name", "x"}}), "/w/x.x");
  EXPECT_EQ(fill_placeholders("{name}", {{"name", "{root}"}}), "{root}") << "a value is not looked at again";
}

TEST(Placeholders, ABraceBeforeNoLetterIsItself) {
  EXPECT_EQ(refusal("a{2} {} }{ {"), "accepted");
  EXPECT_EQ(fill_placeholders("a{2} {} }{", {}), "a{2} {} }{");
}

TEST(Placeholders, UnknownAndOpenOnesAreRefusedByName) {
  EXPECT_EQ(refusal("-o {rot}"), "here: unknown placeholder '{rot}'; did you mean 'root'?");
  EXPECT_NE(refusal("{root").find("not closed"), std::string::npos);
}

TEST(Placeholders, AreFoundInsideWords) {
  EXPECT_TRUE(has_placeholder({"a", "b={name}"}, "name"));
  EXPECT_FALSE(has_placeholder({"name", "{root}"}, "name"));
}

}  // namespace
}  // namespace pyc
