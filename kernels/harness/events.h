// The way back to the tool: one JSON document per line, each written with a single write(2) as soon as its unit ends,
// so that a crash loses at most the unit in which it happened.
#ifndef PYC_HARNESS_EVENTS_H
#define PYC_HARNESS_EVENTS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace pyc::harness {

// Writes one object, key by key. Numbers that are not finite become strings: "nan", "inf", "-inf".
class Line {
 public:
  explicit Line(std::string_view event);

  Line &put(std::string_view key, std::string_view value);
  Line &put(std::string_view key, const char *value) { return put(key, std::string_view(value)); }
  Line &put(std::string_view key, const std::string &value) { return put(key, std::string_view(value)); }
  Line &put(std::string_view key, double value);
  Line &put(std::string_view key, int64_t value);
  Line &put(std::string_view key, int value) { return put(key, static_cast<int64_t>(value)); }
  Line &put(std::string_view key, bool value);
  template <class Range>
  Line &put_list(std::string_view key, const Range &values) {
    begin_list(key);
    for (const auto &value : values) item(value);
    return end_list();
  }

  Line &begin_object(std::string_view key);
  Line &begin_list(std::string_view key);
  Line &begin_item();  // an object inside a list
  Line &end_object();
  Line &end_list();

  // The whole line, closed, with its newline.
  std::string text() const { return text_ + "}\n"; }

 private:
  void comma();
  void name(std::string_view key);
  void item(double value);
  void item(int64_t value);
  void item(int value) { item(static_cast<int64_t>(value)); }

  std::string text_;
};

// `value` as a JSON string, quotes included.
std::string quote(std::string_view value);

// A number with all its digits; "nan", "inf" or "-inf", without quotes, if it is not finite.
std::string number_text(double value);

class Events {
 public:
  // Writes to `descriptor`; -1 drops every event (a run by hand).
  explicit Events(int descriptor) : descriptor_(descriptor) {}

  // Ends the program with exit code 5 if the line cannot be written: nobody is listening any more.
  void send(const Line &line);

 private:
  int descriptor_;
};

}  // namespace pyc::harness

#endif
