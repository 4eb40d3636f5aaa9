// The clock. One sample is one call between two events on a held stream:
//
//     hold | prepare (inputs rewritten, output poisoned) | stamp | flush of twice the L2 | event | call | event
//          | check (of the output) | stamp
//
// Everything is queued before the hold is released, so the host's latency enters no sample. The two stamps read a cycle
// counter and the timer of the same SM: their quotient is the SM clock from the flush to the check. They stand outside
// the events, so that they cost the sample nothing. The check stands right behind the call, so that work which has
// strayed from the stream is not finished when the output is looked at.
#ifndef PYC_HARNESS_CLOCK_H
#define PYC_HARNESS_CLOCK_H

#include <functional>

#include "buffer.h"
#include "device.h"
#include "stamps.h"
#include "stream.h"

namespace pyc::harness {

enum class Cache { cold, warm };

struct Sample {
  double time_ns = 0;
  double sm_clock_mhz = 0;  // 0 where the device could not tell
  bool held = true;         // false: the hold ran out before everything was queued; the time is not to be used
};

// What surrounds and makes one call. Each function only enqueues on the clock's stream.
struct Measured {
  std::function<void()> prepare, call, check, after;
};

class Clock {
 public:
  explicit Clock(const Device &device);

  const Stream &stream() const { return stream_; }

  // No line of the L2 cache may outlive the flush. measure() sees to it too, before every sample.
  static void forbid_persisting_l2();

  // Takes one sample and waits for it.
  Sample measure(Cache cache, const Measured &measured);

  // The same calls without the hold, for the first time: modules load lazily, and a held stream would block that.
  void run_unheld(const Measured &measured);

  // Measures what two events with nothing between them read, the median of `count` times, takes that off every later
  // sample, and returns it.
  double calibrate(int count);

 private:
  void flush();
  double clock_mhz(uint32_t number) const;

  int sm_count_;
  Stream stream_;
  Event begin_, end_;
  Buffer flush_;
  MappedBuffer flag_, stamps_;
  uint32_t number_ = 0;
  double overhead_ns_ = 0;
};

}  // namespace pyc::harness

#endif
