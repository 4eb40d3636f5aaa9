// Text to JSON values and back: the two ends of json_fields.h that know nothing of fields.
#include <algorithm>
#include <exception>
#include <fmt/format.h>

#include "base/file_error.h"
#include "base/text.h"
#include "evidence/json_fields.h"

namespace pyc::json {
namespace {

// Watches a parse for what the grammar allows and we do not. The parser cannot be stopped by its callback's answer,
// hence the exception, which never leaves this file.
class Watcher {
 public:
  struct Refused : std::exception {
    explicit Refused(std::string what_is_wrong) : reason(std::move(what_is_wrong)) {}
    std::string reason;
  };

  bool operator()(int depth, Json::parse_event_t event, const Json &parsed) {
    using Event = Json::parse_event_t;
    if (depth >= kDepthLimit) throw Refused(fmt::format("nested deeper than {} levels", kDepthLimit));
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key) add_key(parsed.get_ref<const std::string &>());
    return true;
  }

 private:
  void add_key(const std::string &key) {
    if (!open_.back().insert(key).second) throw Refused(fmt::format("field '{}' stands twice", printable(key)));
  }

  std::vector<std::set<std::string>> open_;  // the keys seen so far in every object that is open
};

// "[json.exception.parse_error.101] parse error at line 1, ..." without the library's own label.
std::string without_label(const std::string &message) {
  const std::size_t end = message.find("] ");
  return printable(end == std::string::npos ? message : message.substr(end + 2), 300);
}

bool fits_on_one_line(const Json &list) {
  return std::none_of(list.begin(), list.end(), [](const Json &item) { return item.is_structured(); });
}

std::string scalar(const Json &value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void append(std::string &out, const Json &value, int indent);

void append_list_on_one_line(std::string &out, const Json &list) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) out += (i ? ", " : "") + scalar(list[i]);
  out += ']';
}

void append_list(std::string &out, const Json &list, int indent) {
  const std::string blanks(indent + 2, ' ');
  out += "[\n";
  for (std::size_t i = 0; i < list.size(); ++i) {
    out += blanks;
    append(out, list[i], indent + 2);
    out += i + 1 < list.size() ? ",\n" : "\n";
  }
  out += std::string(indent, ' ') + ']';
}

void append_object(std::string &out, const Json &object, int indent) {
  if (object.empty()) {
    out += "{}";
    return;
  }
  const std::string blanks(indent + 2, ' ');
  std::size_t left = object.size();
  out += "{\n";
  for (const auto &item : object.items()) {
    out += blanks + scalar(item.key()) + ": ";
    append(out, item.value(), indent + 2);
    out += --left ? ",\n" : "\n";
  }
  out += std::string(indent, ' ') + '}';
}

void append(std::string &out, const Json &value, int indent) {
  if (value.is_object()) return append_object(out, value, indent);
  if (!value.is_array()) return void(out += scalar(value));
  if (fits_on_one_line(value)) return append_list_on_one_line(out, value);
  append_list(out, value, indent);
}

}  // namespace

Result<Json> parse_strict(std::string_view text, const std::string &file) {
  Watcher watcher;
  try {
    return Json::parse(text.begin(), text.end(), [&watcher](int depth, Json::parse_event_t event, Json &parsed) {
      return watcher(depth, event, parsed);
    });
  } catch (const Watcher::Refused &refused) {
    return fail(ErrorKind::kInvalid, fmt::format("'{}': {}", printable_path(file), refused.reason));
  } catch (const Json::exception &error) {
    return fail(ErrorKind::kInvalid, fmt::format("'{}': {}", printable_path(file), without_label(error.what())));
  }
}

std::string to_text(const Json &value) {
  std::string out;
  append(out, value, 0);
  out += '\n';
  return out;
}

}  // namespace pyc::json
