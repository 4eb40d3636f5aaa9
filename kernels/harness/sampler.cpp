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
      product_(product_bytes(shape)),
      spots_(secret_of(session.request.nonce)) {}

// Values that no call of this shape has seen, at the same addresses; an output that holds no answer.
void Sampler::next_inputs(size_t workspace_bytes) {
  operands_.poison_c(clock_.stream());
  operands_.set_workspace(workspace_bytes, clock_.stream());
  operands_.fill_inputs(clock_.stream());
}

// The arm's call. A thread that it starts is seen before it can queue work of its own behind the call.
Sampler::Call Sampler::audited_call(Arm &arm) {
  return [this, &arm] {
    const int64_t threads = thread_count();
    const pyc_status status = arm.contender->launch(operands_.args(1.0f, 0.0f), clock_.stream());
    if (arm.contender->is_kernel()) arm.audit.add_threads(threads, thread_count());
    return status;
  };
}

// What stands around a call: the settings that it may not change, work of its that still runs, and the look at its
// output. The next arm begins on an idle device whatever this one left.
template <class Work>
void Sampler::audit(Arm &arm, const Work &work) {
  Clock::forbid_persisting_l2();  // what another arm asked for is not this one's change
  const Settings settings = read_settings(clock_.stream());
  work();
  const bool idle = default_streams_idle();
  PYC_CUDA(cudaDeviceSynchronize());
  if (arm.contender->is_kernel()) {
    arm.audit.add_stray_work(idle);
    arm.audit.add_settings(settings, read_settings(clock_.stream()));
  }
  arm.audit.add_output(spots_.tally(), shape_, session_.request.dtype);
}

void Sampler::look_at_output() { spots_.enqueue(operands_, session_.request.tolerance, calls_, clock_.stream()); }

Sample Sampler::attempt(const Call &call, size_t workspace_bytes, Cache cache, const std::function<void()> &after) {
  pyc_status status = PYC_STATUS_SUCCESS;
  const Sample sample = clock_.measure(cache, {[&] { next_inputs(workspace_bytes); }, [&] { status = answer_of(call); },
                                               [&] { look_at_output(); }, after});
  require_success(status);
  return sample;
}

Sample Sampler::attempt_audited(Arm &arm, Cache cache, const std::function<void()> &after) {
  const size_t workspace_bytes = arm.contender->workspace_bytes(operands_.args(1.0f, 0.0f));
  Sample sample;
  audit(arm, [&] { sample = attempt(audited_call(arm), workspace_bytes, cache, after); });
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

void Sampler::first_call(Arm &arm) {
  operands_.reseed(derive_seed(session_.request.seed, ++calls_));
  const size_t workspace_bytes = arm.contender->workspace_bytes(operands_.args(1.0f, 0.0f));
  const Call call = audited_call(arm);
  pyc_status status = PYC_STATUS_SUCCESS;
  audit(arm, [&] {
    clock_.run_unheld(
        {[&] { next_inputs(workspace_bytes); }, [&] { status = answer_of(call); }, [&] { look_at_output(); }, nullptr});
  });
  require_success(status);
}

Sample Sampler::take(Arm &arm, Cache cache, int64_t &retaken) {
  return repeat_until_sound([&] { return attempt_audited(arm, cache, nullptr); }, retaken);
}

Sample Sampler::take_checked(Arm &arm, Cache cache, int64_t &retaken, CheckResult &result) {
  const auto compare = [&] {
    comparison_.enqueue(operands_.c().data(), operands_.c().place.ld, expectation(), clock_.stream());
  };
  const Sample sample = repeat_until_sound(
      [&] {
        reference_product(static_cast<double *>(product_.data()), operands_.a().pattern, operands_.b().pattern,
                          shape_.m, shape_.n, shape_.k, clock_.stream());
        return attempt_audited(arm, cache, compare);
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
  clock_.run_unheld({[&] { next_inputs(0); }, [&] { status = answer_of(call); }, nullptr, nullptr});
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
