#include "json_reader.h"

#include <cctype>
#include <cstdint>

namespace pyc::harness {
namespace {

constexpr size_t kMaxBytes = 4u << 20;
constexpr int kMaxDepth = 16;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Json document() {
    if (text_.size() > kMaxBytes) fail("longer than 4 MiB");
    Json value = read_value(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the document");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string &what) const {
    throw BadRequest("not valid JSON at byte " + std::to_string(at_) + ": " + what);
  }

  bool more() const { return at_ < text_.size(); }
  char peek() const { return more() ? text_[at_] : '\0'; }
  char next() {
    if (!more()) fail("the document ends early");
    return text_[at_++];
  }

  void skip_space() {
    while (more() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }

  void expect(char wanted) {
    if (peek() != wanted || !more()) fail(std::string("expected '") + wanted + "'");
    ++at_;
  }

  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Json read_value(int depth) {
    if (depth > kMaxDepth) fail("nested deeper than 16");
    skip_space();
    Json value;
    if (peek() == '{') return read_object(depth);
    if (peek() == '[') return read_list(depth);
    if (peek() == '"') {
      value.kind = Json::Kind::string;
      value.text = read_string();
    } else if (take("true") || take("false")) {
      value.kind = Json::Kind::boolean;
      value.boolean = text_[at_ - 2] == 'u';
    } else if (!take("null")) {
      value.kind = Json::Kind::number;
      value.text = read_number();
    }
    return value;
  }

  Json read_object(int depth) {
    Json value;
    value.kind = Json::Kind::object;
    expect('{');
    for (skip_space(); peek() != '}'; skip_space()) {
      if (!value.members.empty()) {
        expect(',');
        skip_space();
      }
      std::string key = read_string();
      if (value.find(key)) fail("the key \"" + key + "\" stands twice");
      skip_space();
      expect(':');
      value.members.emplace_back(std::move(key), read_value(depth + 1));
    }
    expect('}');
    return value;
  }

  Json read_list(int depth) {
    Json value;
    value.kind = Json::Kind::list;
    expect('[');
    for (skip_space(); peek() != ']'; skip_space()) {
      if (!value.items.empty()) expect(',');
      value.items.push_back(read_value(depth + 1));
    }
    expect(']');
    return value;
  }

  void digits() {
    if (!std::isdigit(static_cast<unsigned char>(peek()))) fail("expected a value");
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
  }

  std::string read_number() {
    const size_t begin = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0')
      ++at_;
    else
      digits();
    if (peek() == '.') ++at_, digits();
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string read_string() {
    std::string out;
    expect('"');
    for (char c = next(); c != '"'; c = next()) {
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      if (c == '\\')
        read_escape(out);
      else
        out += c;
    }
    return out;
  }

  void read_escape(std::string &out) {
    const char c = next();
    switch (c) {
      case '"':
      case '\\':
      case '/': out += c; return;
      case 'b': out += '\b'; return;
      case 'f': out += '\f'; return;
      case 'n': out += '\n'; return;
      case 'r': out += '\r'; return;
      case 't': out += '\t'; return;
      case 'u': append_utf8(out, read_code_point()); return;
      default: fail("an unknown escape in a string");
    }
  }

  uint32_t read_hex4() {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = next();
      if (!std::isxdigit(static_cast<unsigned char>(c))) fail("expected four hex digits");
      value = value * 16 + static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return value;
  }

  uint32_t read_code_point() {
    const uint32_t high = read_hex4();
    if (high < 0xd800 || high > 0xdfff) return high;
    if (high > 0xdbff || !take("\\u")) fail("half of a surrogate pair");
    const uint32_t low = read_hex4();
    if (low < 0xdc00 || low > 0xdfff) fail("half of a surrogate pair");
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  }

  static void append_utf8(std::string &out, uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | (code >> 6)), tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0);
    } else {
      out += static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

const Json *Json::find(std::string_view key) const {
  for (const auto &member : members) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

const char *kind_name(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::null: return "null";
    case Json::Kind::boolean: return "a boolean";
    case Json::Kind::number: return "a number";
    case Json::Kind::string: return "a string";
    case Json::Kind::list: return "a list";
    case Json::Kind::object: return "an object";
  }
  return "unknown";
}

Json read_json(std::string_view text) { return Reader(text).document(); }

}  // namespace pyc::harness
