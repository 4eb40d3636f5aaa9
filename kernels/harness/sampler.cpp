#include "sampler.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "fatal.h"
#include "reference.h"

namespace pyc::harness {
namespace {

constexpr double kLowClock = 0.75;  // of the highest clock seen: below it a sample is throttled
constexpr int kMaxRetakes = 20;     // for one sample; then it counts as it is, and its clock tells
constexpr int kMaxExpired = 3;      // holds that ran out, one after the other

int64_t product_bytes(const Shape &shape) { return shape.m * shape.n * static_cast<int64_t>(sizeof(double)); }

// The answer of a call; an error that a launch left behind counts as one.
pyc_status answer_of(const std::function<pyc_status()> &call) {
  const pyc_status status = call();
  const cudaError_t left = cudaGetLastError();
  return status == PYC_STATUS_SUCCESS && left != cudaSuccess ? PYC_STATUS_DEVICE_ERROR : status;
}

void require_success(pyc_status status) {
  if (status != PYC_STATUS_SUCCESS) throw CallFailed("the call answered status " + std::to_string(status));
}

}  // namespace

Sampler::Sampler(const Session &session, const Shape &shape, Clock &clock, double &highest_clock_mhz)
    : session_(session),
      shape_(shape),
      clock_(clock),
      highest_clock_mhz_(highest_clock_mhz),
      operands_(shape, session.request.dtype, session.request.layout, session.request.requires_, product_bytes(shape)),
      product_(product_bytes(shape)) {}

// Values that no call of this shape has seen, at the same addresses; an output that holds no answer.
void Sampler::next_inputs(size_t workspace_bytes) {
  operands_.poison_c(clock_.stream());
  operands_.set_workspace(workspace_bytes, clock_.stream());
  operands_.fill_inputs(clock_.stream());
}

Sample Sampler::attempt(const Call &call, size_t workspace_bytes, Cache cache, const std::function<void()> &after) {
  pyc_status status = PYC_STATUS_SUCCESS;
  const Sample sample =
      clock_.measure(cache, {[&] { next_inputs(workspace_bytes); }, [&] { status = answer_of(call); }, after});
  require_success(status);
  return sample;
}

Sample Sampler::repeat_until_sound(const std::function<Sample()> &attempt, int64_t &retaken) {
  for (int tries = 0, expired = 0;; ++tries) {
    operands_.reseed(derive_seed(session_.request.seed, ++calls_));
    const Sample sample = attempt();
    highest_clock_mhz_ = std::max(highest_clock_mhz_, sample.sm_clock_mhz);
    expired = sample.held ? 0 : expired + 1;
    if (expired == kMaxExpired)
      throw CallFailed("the call does not return while its stream is held: it waits for the device");
    const bool throttled = sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kLowClock * highest_clock_mhz_;
    if (sample.held && (!throttled || tries >= kMaxRetakes)) return sample;
    ++retaken;
    if (throttled) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Sampler::first_call(Contender &contender) {
  operands_.reseed(derive_seed(session_.request.seed, ++calls_));
  const size_t workspace_bytes = contender.workspace_bytes(operands_.args(1.0f, 0.0f));
  const Call call = [&] { return contender.launch(operands_.args(1.0f, 0.0f), clock_.stream()); };
  pyc_status status = PYC_STATUS_SUCCESS;
  clock_.run_unheld({[&] { next_inputs(workspace_bytes); }, [&] { status = answer_of(call); }, nullptr});
  require_success(status);
}

Sample Sampler::take(Contender &contender, Cache cache, int64_t &retaken) {
  const size_t workspace_bytes = contender.workspace_bytes(operands_.args(1.0f, 0.0f));
  const Call call = [&] { return contender.launch(operands_.args(1.0f, 0.0f), clock_.stream()); };
  return repeat_until_sound([&] { return attempt(call, workspace_bytes, cache, nullptr); }, retaken);
}

Sample Sampler::take_checked(Contender &contender, Cache cache, int64_t &retaken, CheckResult &result) {
  const size_t workspace_bytes = contender.workspace_bytes(operands_.args(1.0f, 0.0f));
  const Call call = [&] { return contender.launch(operands_.args(1.0f, 0.0f), clock_.stream()); };
  const auto compare = [&] {
    comparison_.enqueue(operands_.c().data(), operands_.c().place.ld, expectation(), clock_.stream());
  };
  const Sample sample = repeat_until_sound(
      [&] {
        reference_product(static_cast<double *>(product_.data()), operands_.a().pattern, operands_.b().pattern,
                          shape_.m, shape_.n, shape_.k, clock_.stream());
        return attempt(call, workspace_bytes, cache, compare);
      },
      retaken);
  result = judge("output", "behind the call on its stream", compare_now());
  if (result.status != Status::passed) return sample;
  PYC_CUDA(cudaDeviceSynchronize());
  compare();
  result = judge("output", "after a device-wide synchronisation", compare_now());
  return sample;
}

pyc_gemm_args Sampler::ready_call(const Contender &contender) {
  operands_.set_workspace(contender.workspace_bytes(operands_.args(1.0f, 0.0f)), clock_.stream());
  clock_.stream().synchronize();
  return operands_.args(1.0f, 0.0f);
}

double Sampler::time_call(const Call &call, int count) {
  pyc_status status = PYC_STATUS_SUCCESS;
  clock_.run_unheld({[&] { next_inputs(0); }, [&] { status = answer_of(call); }, nullptr});
  require_success(status);
  int64_t retaken = 0;
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    times.push_back(repeat_until_sound([&] { return attempt(call, 0, Cache::cold, nullptr); }, retaken).time_ns);
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[static_cast<size_t>(count / 2)];
}

Expectation Sampler::expectation() const {
  return {static_cast<const double *>(product_.data()),
          shape_.m,
          shape_.n,
          1.0,
          0.0,
          operands_.c().pattern,
          session_.request.tolerance};
}

Compared Sampler::compare_now() {
  return compared_with_bound(comparison_.result(clock_.stream()), shape_, session_.request.dtype, 1.0, 0.0);
}

}  // namespace pyc::harness
