// Wall time since its making.
#ifndef PYC_HARNESS_STOPWATCH_H
#define PYC_HARNESS_STOPWATCH_H

#include <chrono>
#include <cstdint>

namespace pyc::harness {

class Stopwatch {
 public:
  int64_t elapsed_ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace pyc::harness

#endif
