#include "clock.h"

#include <algorithm>
#include <vector>

#include "fatal.h"

namespace pyc::harness {
namespace {

constexpr uint64_t kHoldLimitNs = 250'000'000;

}  // namespace

Clock::Clock(const Device &device)
    : sm_count_(device.sm_count),
      flush_(2 * device.l2_bytes),
      flag_(sizeof(HoldFlag)),
      stamps_(2 * sizeof(Stamp) * static_cast<size_t>(device.sm_count)) {
  forbid_persisting_l2();
}

// A device without persisting lines refuses the limit, which is as good.
void Clock::forbid_persisting_l2() {
  if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) == cudaErrorUnsupportedLimit) (void)cudaGetLastError();
  PYC_CUDA(cudaGetLastError());
  PYC_CUDA(cudaCtxResetPersistingL2Cache());
}

void Clock::flush() {
  PYC_CUDA(
      cudaMemsetAsync(flush_.data(), static_cast<int>(number_ & 0xff), static_cast<size_t>(flush_.bytes()), stream_));
}

Sample Clock::measure(Cache cache, const Measured &measured) {
  forbid_persisting_l2();
  auto *const flag = static_cast<volatile HoldFlag *>(flag_.host());
  auto *const slots = static_cast<Stamp *>(stamps_.device());
  ++number_;
  hold(static_cast<HoldFlag *>(flag_.device()), number_, kHoldLimitNs, stream_);
  if (measured.prepare) measured.prepare();
  stamp(slots, number_, sm_count_, stream_);
  if (cache == Cache::cold) flush();
  PYC_CUDA(cudaEventRecord(begin_, stream_));
  measured.call();
  PYC_CUDA(cudaEventRecord(end_, stream_));
  if (measured.check) measured.check();
  stamp(slots + sm_count_, number_, sm_count_, stream_);
  if (measured.after) measured.after();
  flag->release = number_;
  stream_.synchronize();
  float time_ms = 0;
  PYC_CUDA(cudaEventElapsedTime(&time_ms, begin_, end_));
  // A call that enqueued nothing reads the overhead, a little more or less.
  const double time_ns = std::max(0.0, static_cast<double>(time_ms) * 1e6 - overhead_ns_);
  return Sample{time_ns, clock_mhz(number_), flag->expired != number_};
}

void Clock::run_unheld(const Measured &measured) {
  if (measured.prepare) measured.prepare();
  stamp(static_cast<Stamp *>(stamps_.device()), number_, sm_count_, stream_);
  flush();
  measured.call();
  if (measured.check) measured.check();
  if (measured.after) measured.after();
  stream_.synchronize();
}

double Clock::clock_mhz(uint32_t number) const {
  const auto *const first = static_cast<const Stamp *>(stamps_.host());
  for (int sm = 0; sm < sm_count_; ++sm) {
    const Stamp &before = first[sm], &behind = first[sm_count_ + sm];
    if (before.number != number || behind.number != number || behind.time_ns <= before.time_ns) continue;
    return 1e3 * static_cast<double>(behind.cycles - before.cycles) /
           static_cast<double>(behind.time_ns - before.time_ns);
  }
  return 0;
}

double Clock::calibrate(int count) {
  const Measured nothing{nullptr, [] {}, nullptr, nullptr};
  overhead_ns_ = 0;
  run_unheld(nothing);
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(measure(Cache::cold, nothing).time_ns);
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  overhead_ns_ = times[static_cast<size_t>(count / 2)];
  return overhead_ns_;
}

}  // namespace pyc::harness
