#include "workspace/rule_expression.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <optional>

#include "base/text.h"

namespace pyc::workspace {

namespace {

using Value = std::int64_t;
constexpr int kNestingLimit = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Recursive descent, one function a level of precedence. The first problem is kept and moves the cursor to the end, so
// that every level above returns at once. `live_` is false inside the side of && or || that does not count: it must
// be well formed, but its arithmetic cannot fail.
class Parser {
 public:
  Parser(std::string_view text, const Variables &variables) : text_(text), variables_(variables) {}

  Result<Value> run() {
    const Value value = parse_or();
    skip_blanks();
    if (!problem_ && at_ < text_.size()) note("expected an operator or the end");
    if (!problem_) return value;
    return fail(ErrorKind::kInvalid,
                fmt::format("expression '{}', column {}: {}", printable(text_), problem_column_, *problem_));
  }

 private:
  Value note(std::string problem) { return note_at(at_, std::move(problem)); }

  Value note_at(std::size_t place, std::string problem) {
    if (!problem_) {
      problem_ = std::move(problem);
      problem_column_ = place + 1;
    }
    at_ = text_.size();
    return 0;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool accept(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  // The first of `tokens` that stands here; longer ones first, so that <= is not read as <.
  std::string_view accept_one_of(std::initializer_list<std::string_view> tokens) {
    for (const std::string_view token : tokens) {
      if (accept(token)) return token;
    }
    return {};
  }

  void expect(std::string_view token) {
    if (!accept(token)) note(fmt::format("expected '{}'", token));
  }

  Value parse_or() {
    Value left = parse_and();
    while (accept("||")) left = parse_side(left == 0, &Parser::parse_and, left != 0);
    return left;
  }

  Value parse_and() {
    Value left = parse_equality();
    while (accept("&&")) left = parse_side(left != 0, &Parser::parse_equality, left != 0);
    return left;
  }

  // The right side of && or ||: it decides if it is `needed`, else the left one already has.
  Value parse_side(bool needed, Value (Parser::*parse)(), Value decided) {
    const bool was_live = live_;
    live_ = live_ && needed;
    const Value right = (this->*parse)();
    live_ = was_live;
    return needed ? right != 0 : decided;
  }

  Value parse_equality() {
    const Value left = parse_relation();
    const std::string_view comparison = accept_one_of({"==", "!="});
    if (comparison.empty()) return left;
    const Value right = parse_relation();
    if (!accept_one_of({"==", "!="}).empty()) return note("comparisons cannot be chained");
    return comparison == "==" ? left == right : left != right;
  }

  Value parse_relation() {
    const Value left = parse_sum();
    const std::string_view comparison = accept_one_of({"<=", ">=", "<", ">"});
    if (comparison.empty()) return left;
    const Value right = parse_sum();
    if (!accept_one_of({"<=", ">=", "<", ">"}).empty()) return note("comparisons cannot be chained");
    if (comparison == "<=") return left <= right;
    if (comparison == ">=") return left >= right;
    return comparison == "<" ? left < right : left > right;
  }

  Value parse_sum() {
    Value left = parse_product();
    for (std::string_view sign; !(sign = accept_one_of({"+", "-"})).empty();) {
      left = combine(sign.front(), left, parse_product());
    }
    return left;
  }

  Value parse_product() {
    Value left = parse_unary();
    for (std::string_view sign; !(sign = accept_one_of({"*", "/", "%"})).empty();) {
      left = combine(sign.front(), left, parse_unary());
    }
    return left;
  }

  Value combine(char sign, Value left, Value right) {
    if (problem_ || !live_) return 0;
    Value value = 0;
    bool overflow = false;
    switch (sign) {
      case '+': overflow = __builtin_add_overflow(left, right, &value); break;
      case '-': overflow = __builtin_sub_overflow(left, right, &value); break;
      case '*': overflow = __builtin_mul_overflow(left, right, &value); break;
      default:
        if (right == 0) return note("division by zero");
        overflow = left == std::numeric_limits<Value>::min() && right == -1;
        if (!overflow) value = sign == '/' ? left / right : left % right;
    }
    return overflow ? note("the value does not fit into 64 bits") : value;
  }

  Value parse_unary() {
    if (++depth_ > kNestingLimit) return note("nested too deeply");
    Value value = 0;
    if (accept("!")) {
      value = parse_unary() == 0;
    } else if (accept("-")) {
      value = combine('-', 0, parse_unary());
    } else {
      value = parse_primary();
    }
    --depth_;
    return value;
  }

  Value parse_primary() {
    if (accept("(")) {
      const Value value = parse_or();
      expect(")");
      return value;
    }
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) return note("expected a number, a name or '('");
    return is_digit(word.front()) ? number(begin, word) : named(begin, word);
  }

  Value number(std::size_t begin, std::string_view word) {
    Value value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range) return note_at(begin, "the value does not fit into 64 bits");
    return end == word.data() + word.size() ? value : note_at(begin, fmt::format("'{}' is not a whole number", word));
  }

  Value named(std::size_t begin, std::string_view word) {
    if (word == "min" || word == "max") return least_or_greatest(word == "min");
    const auto found = variables_.find(word);
    return found != variables_.end() ? found->second : note_at(begin, fmt::format("'{}' is not a known name", word));
  }

  Value least_or_greatest(bool least) {
    expect("(");
    const Value left = parse_or();
    expect(",");
    const Value right = parse_or();
    expect(")");
    return least ? std::min(left, right) : std::max(left, right);
  }

  std::string_view text_;
  const Variables &variables_;
  std::size_t at_ = 0, problem_column_ = 0;
  std::optional<std::string> problem_;
  bool live_ = true;
  int depth_ = 0;
};

}  // namespace

Result<std::int64_t> evaluate(std::string_view expression, const Variables &variables) {
  return Parser(expression, variables).run();
}

}  // namespace pyc::workspace
