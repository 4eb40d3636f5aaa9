#include "events.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "exit_codes.h"

namespace pyc::harness {
namespace {

std::string number_json(double value) { return std::isfinite(value) ? number_text(value) : quote(number_text(value)); }

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.10g", value);
  if (std::strtod(digits, nullptr) != value) std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

std::string quote(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    char escape[8];
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

Line::Line(std::string_view event) : text_("{\"event\":" + quote(event)) {}

void Line::comma() {
  const char last = text_.back();
  if (last != '{' && last != '[') text_ += ',';
}

void Line::name(std::string_view key) {
  comma();
  text_ += quote(key) + ":";
}

Line &Line::put(std::string_view key, std::string_view value) { return name(key), text_ += quote(value), *this; }
Line &Line::put(std::string_view key, double value) { return name(key), text_ += number_json(value), *this; }
Line &Line::put(std::string_view key, int64_t value) { return name(key), text_ += std::to_string(value), *this; }
Line &Line::put(std::string_view key, bool value) { return name(key), text_ += value ? "true" : "false", *this; }
Line &Line::begin_object(std::string_view key) { return name(key), text_ += '{', *this; }
Line &Line::begin_list(std::string_view key) { return name(key), text_ += '[', *this; }
Line &Line::begin_item() { return comma(), text_ += '{', *this; }
Line &Line::end_object() { return text_ += '}', *this; }
Line &Line::end_list() { return text_ += ']', *this; }
void Line::item(double value) { comma(), text_ += number_json(value); }
void Line::item(int64_t value) { comma(), text_ += std::to_string(value); }

void Events::send(const Line &line) {
  if (descriptor_ < 0) return;
  const std::string text = line.text();
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(descriptor_, text.data() + written, text.size() - written);
    if (count > 0) {
      written += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      std::fprintf(stderr, "harness: an event could not be written: %s\n", std::strerror(errno));
      std::_Exit(kExitEventsLost);
    }
  }
}

}  // namespace pyc::harness
