#include "evidence/json_fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/file_error.h"
#include "base/text.h"

namespace pyc::json {
namespace {

std::string describe(const Json &value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), 80);
}

std::string expected_integer(std::int64_t minimum, std::int64_t maximum) {
  return fmt::format("an integer from {} to {}", minimum, maximum);
}

bool is_integer_within(const Json &value, std::int64_t minimum, std::int64_t maximum) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) return false;
  const auto number = value.get<std::int64_t>();
  return minimum <= number && number <= maximum;
}

bool is_number_within(const Json &value, double minimum, double maximum) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  return std::isfinite(number) && minimum <= number && number <= maximum;
}

std::string expected_number(double minimum, double maximum) {
  if (minimum == -HUGE_VAL && maximum == HUGE_VAL) return "a number";
  return fmt::format("a number from {} to {}", minimum, maximum);
}

bool all_strings(const Json &list) {
  return std::all_of(list.begin(), list.end(), [](const Json &item) { return item.is_string(); });
}

}  // namespace

ObjectReader::ObjectReader(const Json &value, const std::string &file)
    : ObjectReader(value, file, "", std::make_shared<FirstError>()) {}

ObjectReader::ObjectReader(const Json &value, const std::string &file, std::string path,
                           std::shared_ptr<FirstError> first_error)
    : value_(&value), file_(file), path_(std::move(path)), first_error_(std::move(first_error)) {
  if (value.is_object()) return;
  const std::string place = path_.empty() ? "" : fmt::format("field '{}': ", printable(path_));
  note(fmt::format("{}expected an object, got {}", place, describe(value)));
}

bool ObjectReader::has(const char *key) { return find(key) != nullptr; }

bool ObjectReader::is_null(const char *key) {
  const Json *value = find(key);
  return value != nullptr && value->is_null();
}

bool ObjectReader::is_string(const char *key) {
  const Json *value = find(key);
  return value != nullptr && value->is_string();
}

std::vector<std::string> ObjectReader::keys() const {
  std::vector<std::string> names;
  if (!value_->is_object()) return names;
  for (const auto &item : value_->items()) names.push_back(item.key());
  return names;
}

std::string ObjectReader::string(const char *key) {
  const Json *value = require(key, "a string");
  if (!value) return {};
  if (value->is_string()) return value->get<std::string>();
  note_unexpected(key, "a string", *value);
  return {};
}

std::string ObjectReader::one_of(const char *key, const std::vector<std::string> &allowed) {
  const std::string expected = "one of " + join(allowed, ", ");
  const Json *value = require(key, expected);
  if (!value) return {};
  if (value->is_string() && std::find(allowed.begin(), allowed.end(), value->get<std::string>()) != allowed.end())
    return value->get<std::string>();
  note_unexpected(key, expected, *value);
  return {};
}

std::int64_t ObjectReader::integer(const char *key, std::int64_t minimum, std::int64_t maximum) {
  const Json *value = require(key, expected_integer(minimum, maximum));
  if (!value) return 0;
  if (is_integer_within(*value, minimum, maximum)) return value->get<std::int64_t>();
  note_unexpected(key, expected_integer(minimum, maximum), *value);
  return 0;
}

std::uint64_t ObjectReader::unsigned_integer(const char *key) {
  const Json *value = require(key, "an integer >= 0");
  if (!value) return 0;
  if (value->is_number_unsigned() || is_integer_within(*value, 0, INT64_MAX)) return value->get<std::uint64_t>();
  note_unexpected(key, "an integer >= 0", *value);
  return 0;
}

double ObjectReader::number(const char *key) { return number(key, -HUGE_VAL, HUGE_VAL); }

double ObjectReader::number(const char *key, double minimum, double maximum) {
  const Json *value = require(key, expected_number(minimum, maximum));
  if (!value) return 0;
  if (is_number_within(*value, minimum, maximum)) return value->get<double>();
  note_unexpected(key, expected_number(minimum, maximum), *value);
  return 0;
}

bool ObjectReader::boolean(const char *key) {
  const Json *value = require(key, "true or false");
  if (!value) return false;
  if (value->is_boolean()) return value->get<bool>();
  note_unexpected(key, "true or false", *value);
  return false;
}

ObjectReader ObjectReader::object(const char *key) {
  static const Json kEmpty = Json::object();
  const Json *value = require(key, "an object");
  return ObjectReader(value ? *value : kEmpty, file_, path_of(key), first_error_);
}

std::vector<ObjectReader> ObjectReader::objects(const char *key) {
  std::vector<ObjectReader> readers;
  const Json *list = require_list(key, "a list of objects");
  if (!list) return readers;
  readers.reserve(list->size());
  for (const Json &item : *list)
    readers.push_back(ObjectReader(item, file_, fmt::format("{}[{}]", path_of(key), readers.size()), first_error_));
  return readers;
}

std::vector<std::string> ObjectReader::strings(const char *key) {
  const Json *list = require_list(key, "a list of strings");
  if (!list) return {};
  if (all_strings(*list)) return list->get<std::vector<std::string>>();
  note_unexpected(key, "a list of strings", *list);
  return {};
}

std::vector<double> ObjectReader::numbers(const char *key) {
  std::vector<double> values;
  const Json *list = require_list(key, "a list of numbers");
  if (!list) return values;
  for (const Json &item : *list) {
    if (is_number_within(item, -HUGE_VAL, HUGE_VAL)) {
      values.push_back(item.get<double>());
    } else {
      note_unexpected(fmt::format("{}[{}]", key, values.size()), "a number", item);
      return {};
    }
  }
  return values;
}

std::vector<std::int64_t> ObjectReader::integers(const char *key, std::int64_t minimum, std::int64_t maximum) {
  std::vector<std::int64_t> values;
  const Json *list = require_list(key, "a list of integers");
  if (!list) return values;
  for (const Json &item : *list) {
    if (is_integer_within(item, minimum, maximum)) {
      values.push_back(item.get<std::int64_t>());
    } else {
      note_unexpected(fmt::format("{}[{}]", key, values.size()), expected_integer(minimum, maximum), item);
      return {};
    }
  }
  return values;
}

std::optional<std::string> ObjectReader::optional_string(const char *key) {
  if (!find(key)) return std::nullopt;
  return string(key);
}

std::optional<std::int64_t> ObjectReader::optional_integer(const char *key, std::int64_t minimum,
                                                           std::int64_t maximum) {
  if (!find(key)) return std::nullopt;
  return integer(key, minimum, maximum);
}

std::optional<double> ObjectReader::optional_number(const char *key) {
  if (!find(key)) return std::nullopt;
  return number(key);
}

std::optional<double> ObjectReader::optional_number(const char *key, double minimum, double maximum) {
  if (!find(key)) return std::nullopt;
  return number(key, minimum, maximum);
}

std::optional<bool> ObjectReader::optional_boolean(const char *key) {
  if (!find(key)) return std::nullopt;
  return boolean(key);
}

std::optional<ObjectReader> ObjectReader::optional_object(const char *key) {
  if (!find(key)) return std::nullopt;
  return object(key);
}

void ObjectReader::skip(const char *key) { known_.insert(key); }

void ObjectReader::refuse(const char *key, const std::string &expected) {
  if (const Json *value = find(key)) return note_unexpected(key, expected, *value);
  note_missing(key, expected);
}

Status ObjectReader::finish() {
  for (const std::string &key : keys()) {
    if (known_.count(key)) continue;
    if (!missing_.empty() && nearest_name(key, {missing_}))
      (*first_error_)->hint = fmt::format("is '{}' meant to be '{}'?", printable(key), missing_);
    note(fmt::format("unknown field '{}'", printable(path_of(key))),
         suggest(key, std::vector<std::string>(known_.begin(), known_.end())));
  }
  return status();
}

Status ObjectReader::status() const {
  if (first_error_->has_value()) return tl::unexpected<Error>(**first_error_);
  return {};
}

std::string ObjectReader::path_of(const std::string &key) const { return path_.empty() ? key : path_ + "." + key; }

void ObjectReader::note(std::string message, std::string hint) {
  if (failed()) return;
  *first_error_ = Error{ErrorKind::kInvalid, fmt::format("'{}': {}", printable_path(file_), message), std::move(hint)};
}

void ObjectReader::note_missing(const std::string &key, const std::string &expected) {
  if (!failed()) missing_ = key;
  note(fmt::format("field '{}' is missing: expected {}", path_of(key), expected));
}

void ObjectReader::note_unexpected(const std::string &key, const std::string &expected, const Json &got) {
  note(fmt::format("field '{}': expected {}, got {}", printable(path_of(key)), expected, describe(got)));
}

const Json *ObjectReader::find(const char *key) {
  known_.insert(key);
  if (!value_->is_object()) return nullptr;
  const auto found = value_->find(key);
  return found == value_->end() ? nullptr : &*found;
}

const Json *ObjectReader::require(const char *key, const std::string &expected) {
  const Json *value = find(key);
  if (!value) note_missing(key, expected);
  return value;
}

const Json *ObjectReader::require_list(const char *key, const std::string &expected) {
  const Json *value = require(key, expected);
  if (!value || value->is_array()) return value;
  note_unexpected(key, expected, *value);
  return nullptr;
}

}  // namespace pyc::json
