// Text of any length, of which the head and the tail are kept.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace pyc {

class BoundedText {
 public:
  explicit BoundedText(std::size_t limit_bytes) : limit_(limit_bytes) {}

  void append(std::string_view bytes) {
    const std::size_t to_head = std::min(bytes.size(), limit_ / 2 - head_.size());
    head_ += bytes.substr(0, to_head);
    tail_ += bytes.substr(to_head);
    // Cut only now and then, so that appending stays linear.
    if (tail_.size() > 2 * tail_limit() + 4096) cut_tail();
  }

  // The text, or its head, a line that says how much was left out, and its tail: at most the limit and that line.
  std::string str() {
    cut_tail();
    if (left_out_ == 0) return head_ + tail_;
    return head_ + "\n[... " + std::to_string(left_out_) + " bytes left out ...]\n" + tail_;
  }
  bool truncated() const { return left_out_ > 0; }

 private:
  std::size_t tail_limit() const { return limit_ - limit_ / 2; }
  void cut_tail() {
    if (tail_.size() <= tail_limit()) return;
    left_out_ += tail_.size() - tail_limit();
    tail_.erase(0, tail_.size() - tail_limit());
  }

  std::size_t limit_, left_out_ = 0;
  std::string head_, tail_;
};

}  // namespace pyc
