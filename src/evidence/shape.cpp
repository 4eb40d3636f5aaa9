#include <charconv>
#include <fmt/format.h>

#include "base/text.h"
#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

std::optional<std::int64_t> parse_dimension(const std::string &text) {
  std::int64_t value = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 1) return std::nullopt;
  return value;
}

}  // namespace

std::string to_string(const Shape &shape) { return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k); }

std::optional<Shape> parse_shape(const std::string &text) {
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() != 3) return std::nullopt;
  const auto m = parse_dimension(parts[0]), n = parse_dimension(parts[1]), k = parse_dimension(parts[2]);
  if (!m || !n || !k) return std::nullopt;
  return Shape{*m, *n, *k};
}

void put_shape(json::Json &object, const Shape &shape) {
  object["m"] = shape.m;
  object["n"] = shape.n;
  object["k"] = shape.k;
}

Shape get_shape(json::ObjectReader &fields) {
  Shape shape;
  shape.m = fields.integer("m", 1, INT64_MAX);
  shape.n = fields.integer("n", 1, INT64_MAX);
  shape.k = fields.integer("k", 1, INT64_MAX);
  return shape;
}

}  // namespace pyc::evidence
