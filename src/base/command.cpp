// Command lines as a POSIX shell reads them, and the search in PATH.
#include <algorithm>
#include <unistd.h>

#include "base/process.h"
#include "base/text.h"

namespace pyc {
namespace {

bool is_executable_file(const std::filesystem::path &path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

bool needs_quotes(std::string_view word) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  return word.empty() || word.find_first_not_of(kSafe) != std::string_view::npos;
}

std::string quote_word(const std::string &word) {
  if (!needs_quotes(word)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Reads one command line, character by character. Each method consumes what it names; false: the text ended inside.
class CommandReader {
 public:
  explicit CommandReader(std::string_view text) : text_(text) {}

  std::optional<std::vector<std::string>> words() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (std::string_view(" \t\n").find(c) != std::string_view::npos) {
        end_word();
      } else if (!take(c)) {
        return std::nullopt;
      }
    }
    end_word();
    return words_;
  }

 private:
  bool take(char c) {
    in_word_ = c != '\\' || text_.substr(at_, 1) != "\n" || in_word_;
    switch (c) {
      case '\'': return single_quoted();
      case '"': return double_quoted();
      case '\\': return escaped();
      default: word_ += c; return true;
    }
  }

  bool single_quoted() {
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) return false;
    word_ += text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool double_quoted() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      const bool escapes =
          c == '\\' && at_ < text_.size() && std::string_view("$`\"\\\n").find(text_[at_]) != text_.npos;
      if (escapes) {
        escaped();
      } else {
        word_ += c;
      }
    }
    return false;
  }

  bool escaped() {
    if (at_ >= text_.size()) return false;
    if (text_[at_] != '\n') word_ += text_[at_];  // a backslash before a line end joins the lines
    ++at_;
    return true;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_word_ = false;
  std::string word_;
  std::vector<std::string> words_;
};

}  // namespace

std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view path_variable) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) {
    if (is_executable_file(name)) return std::filesystem::path(name);
    return std::nullopt;
  }
  for (const std::string &folder : split(path_variable, ':')) {
    // An empty entry of PATH is the current folder.
    const std::filesystem::path candidate = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (is_executable_file(candidate)) return candidate;
  }
  return std::nullopt;
}

std::string quote_command(const std::vector<std::string> &argv) {
  std::vector<std::string> words(argv.size());
  std::transform(argv.begin(), argv.end(), words.begin(), quote_word);
  return join(words, " ");
}

std::optional<std::vector<std::string>> split_command(std::string_view command) {
  return CommandReader(command).words();
}

}  // namespace pyc
