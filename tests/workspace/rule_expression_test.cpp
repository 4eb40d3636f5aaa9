#include "workspace/rule_expression.h"

#include <gtest/gtest.h>

namespace pyc::workspace {
namespace {

const Variables kVariables = {{"tile_m", 128}, {"thread_m", 8}, {"zero", 0}, {"big", INT64_MAX}, {"least", INT64_MIN}};

struct Case {
  const char *text;
  std::int64_t value;
};

TEST(RuleExpression, FollowsThePrecedenceOfC) {
  const Case cases[] = {{"1 + 2 * 3", 7},
                        {"(1 + 2) * 3", 9},
                        {"7 - 2 - 1", 4},
                        {"100 / 7 % 5", 4},
                        {"-7 / 2", -3},
                        {"-7 % 2", -1},
                        {"- -3", 3},
                        {"!0 + !5", 1},
                        {"1 < 2 == 1", 1},
                        {"1 == 1 && 2 != 3 || 0", 1},
                        {"1 || 0 && 0", 1},
                        {"0 && 1 || 0", 0},
                        {"2 && 4", 1},
                        {"0 || 7", 1},
                        {"min(3, max(1, 2))", 2},
                        {" tile_m\t% thread_m == 0 ", 1},
                        {"tile_m>=128&&tile_m<=128", 1},
                        {"2 + 2 * (tile_m % 32 == 0)", 4},
                        {"9223372036854775807", INT64_MAX}};
  for (const Case &c : cases) {
    const auto value = evaluate(c.text, kVariables);
    ASSERT_TRUE(value) << c.text << ": " << value.error().message;
    EXPECT_EQ(*value, c.value) << c.text;
  }
}

TEST(RuleExpression, DoesNotEvaluateWhatItNeedNot) {
  EXPECT_EQ(*evaluate("zero != 0 && 1 / zero == 1", kVariables), 0);
  EXPECT_EQ(*evaluate("zero == 0 || 1 / zero == 1", kVariables), 1);
  EXPECT_EQ(*evaluate("0 && (1 || 1 / zero)", kVariables), 0);
}

struct Bad {
  const char *text, *problem;
};

TEST(RuleExpression, RefusesWhatIsNotOneExpression) {
  const Bad cases[] = {{"", "expected a number"},
                       {"1 +", "expected a number"},
                       {"(1", "expected ')'"},
                       {"1)", "expected an operator"},
                       {"1 2", "expected an operator"},
                       {"min(1)", "expected ','"},
                       {"min 1, 2", "expected '('"},
                       {"12abc", "not a whole number"},
                       {"1.5", "expected an operator"},
                       {"0x10", "not a whole number"},
                       {"tile_x", "'tile_x' is not a known name"},
                       {"0 && tile_x", "'tile_x' is not a known name"},
                       {"1 < 2 < 3", "chained"},
                       {"1 == 1 == 1", "chained"},
                       {"1 = 1", "expected an operator"},
                       {"1 & 1", "expected an operator"},
                       {"a; system()", "not a known name"},
                       {"1 \n+ 1", "expected an operator"}};
  for (const Bad &c : cases) {
    const auto value = evaluate(c.text, kVariables);
    ASSERT_FALSE(value) << c.text;
    EXPECT_EQ(value.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(value.error().message.find(c.problem), std::string::npos) << c.text << ": " << value.error().message;
  }
}

TEST(RuleExpression, RefusesDivisionByZeroAndOverflow) {
  for (const char *text : {"1 / zero", "1 % (tile_m - 128)"}) {
    EXPECT_NE(evaluate(text, kVariables).error().message.find("division by zero"), std::string::npos) << text;
  }
  for (const char *text : {"big + 1", "least - 1", "big * 2", "least / -1", "least % -1", "-least",
                           "9223372036854775808", "99999999999999999999999"}) {
    const auto value = evaluate(text, kVariables);
    ASSERT_FALSE(value) << text;
    EXPECT_NE(value.error().message.find("64 bits"), std::string::npos) << text;
  }
}

TEST(RuleExpression, RefusesDeepNestingInsteadOfCrashing) {
  const std::string deep = std::string(100000, '(') + "1" + std::string(100000, ')');
  EXPECT_FALSE(evaluate(deep, kVariables));
  EXPECT_FALSE(evaluate(std::string(100000, '!') + "1", kVariables));
  EXPECT_LT(evaluate(deep, kVariables).error().message.size(), 1000u);
}

TEST(RuleExpression, NamesTheColumn) {
  EXPECT_NE(evaluate("1 + nothing", kVariables).error().message.find("column 5"), std::string::npos)
      << evaluate("1 + nothing", kVariables).error().message;
}

}  // namespace
}  // namespace pyc::workspace
