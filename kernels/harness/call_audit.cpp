#include "call_audit.h"

#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include "spot_check.h"

namespace pyc::harness {
namespace {

struct Limit {
  const char *name;
  cudaLimit which;
};
constexpr Limit kLimits[] = {{"the stack size", cudaLimitStackSize},
                             {"the printf buffer", cudaLimitPrintfFifoSize},
                             {"the device heap", cudaLimitMallocHeapSize},
                             {"the L2 fetch granularity", cudaLimitMaxL2FetchGranularity},
                             {"the persisting L2 size", cudaLimitPersistingL2CacheSize}};
constexpr const char *kOthers[] = {"the cache configuration", "the current device", "the device flags",
                                   "the stream's priority", "the stream's L2 window"};
constexpr size_t kLimitCount = std::size(kLimits);
static_assert(kLimitCount + std::size(kOthers) == kSettings);

const char *name_of(size_t setting) {
  return setting < kLimitCount ? kLimits[setting].name : kOthers[setting - kLimitCount];
}

// A value that the device does not know is no error.
int64_t value_or_none(cudaError_t error, int64_t value) {
  if (error == cudaSuccess) return value;
  (void)cudaGetLastError();
  return -1;
}

int64_t limit_value(cudaLimit which) {
  size_t value = 0;
  const cudaError_t error = cudaDeviceGetLimit(&value, which);
  return value_or_none(error, static_cast<int64_t>(value));
}

int64_t l2_window_bytes(cudaStream_t stream) {
  cudaStreamAttrValue value{};
  const cudaError_t error = cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  return value_or_none(error, static_cast<int64_t>(value.accessPolicyWindow.num_bytes));
}

CheckResult state_result(const char *check, const CallAudit &audit, const std::string &finding) {
  return {check,
          std::to_string(audit.calls) + " calls",
          finding.empty() ? Status::passed : Status::failed,
          finding.empty() ? "" : "a call " + finding,
          {},
          {}};
}

// The norm is one of kSpots elements, wherever in the matrix they lie.
Compared compared_spots(const Tally &tally, const Shape &shape, DType dtype) {
  Compared compared = compared_with_bound(tally, {kSpots, 1, shape.k}, dtype, 1.0, 0.0);
  compared.columns = shape.n;
  return compared;
}

CheckResult every_call_result(const CallAudit &audit, const Shape &shape, DType dtype) {
  const std::string variant = std::to_string(kSpots) + " elements of each of " + std::to_string(audit.calls) + " calls";
  if (audit.wrong_calls == 0) return judge("every_call", variant, compared_spots(audit.spots, shape, dtype));
  const std::string reason = std::to_string(audit.wrong_calls) + " calls gave a wrong output, the first was call " +
                             std::to_string(audit.first_wrong + 1) + ": " + what_is_wrong(audit.first_seen);
  return {"every_call", variant, Status::failed, reason, audit.first_seen, {}};
}

std::string own_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

Settings read_settings(cudaStream_t stream) {
  Settings settings{};
  size_t place = 0;
  for (const Limit &limit : kLimits) settings[place++] = limit_value(limit.which);
  cudaFuncCache cache{};
  int device = 0, priority = 0;
  unsigned flags = 0;
  settings[place++] = value_or_none(cudaDeviceGetCacheConfig(&cache), cache);
  settings[place++] = value_or_none(cudaGetDevice(&device), device);
  settings[place++] = value_or_none(cudaGetDeviceFlags(&flags), flags);
  settings[place++] = value_or_none(cudaStreamGetPriority(stream, &priority), priority);
  settings[place++] = l2_window_bytes(stream);
  return settings;
}

std::string changed_settings(const Settings &before, const Settings &after) {
  for (size_t i = 0; i < kSettings; ++i) {
    if (before[i] == after[i]) continue;
    return std::string(name_of(i)) + " from " + std::to_string(before[i]) + " to " + std::to_string(after[i]);
  }
  return "";
}

// Entries of the folder beside "." and "..".
int64_t thread_count() {
  struct stat folder {};
  return stat("/proc/self/task", &folder) == 0 ? static_cast<int64_t>(folder.st_nlink) - 2 : 0;
}

void CallAudit::add_output(const Tally &seen, const Shape &shape, DType dtype) {
  merge(spots, seen);
  const Compared compared = compared_spots(seen, shape, dtype);
  if (!right(compared) && wrong_calls++ == 0) {
    first_wrong = calls;
    first_seen = compared;
  }
  ++calls;
}

void CallAudit::add_threads(int64_t before, int64_t after) {
  if (!threads.empty() || before == after) return;
  threads = "changed the number of threads from " + std::to_string(before) + " to " + std::to_string(after);
}

void CallAudit::add_settings(const Settings &before, const Settings &after) {
  const std::string change = changed_settings(before, after);
  if (settings.empty() && !change.empty()) settings = "changed " + change;
}

void CallAudit::add_stray_work(bool default_streams_idle) {
  if (settings.empty() && !default_streams_idle)
    settings = "left work on a default stream, which slows whoever is next";
}

std::vector<CheckResult> audit_results(const CallAudit &audit, const Shape &shape, DType dtype, bool is_kernel) {
  std::vector<CheckResult> results = {every_call_result(audit, shape, dtype)};
  if (!is_kernel) return results;
  results.push_back(state_result("threads", audit, audit.threads));
  results.push_back(state_result("device_state", audit, audit.settings));
  return results;
}

// A kernel is registered under its mangled name, so that the name stands in the program that brings it.
CheckResult judge_launches(const Launches &launches) {
  CheckResult result{
      "launches", std::to_string(launches.kernels.size()) + " kernels in one call", Status::passed, "", {}, {}};
  if (launches.capture != "ok") result.reason = "one call cannot be captured: " + launches.capture;
  if (result.reason.empty() && launches.kernels.empty()) result.reason = "one call launches no kernel";
  const std::string program = own_program();
  for (const Launch &launch : launches.kernels) {
    if (launch.name.empty() || !result.reason.empty()) continue;  // a driver before CUDA 12.3 tells no names
    const std::string registered = launch.name + '\0';
    if (program.find(registered) == std::string::npos) result.reason = launch.name + " is no kernel of the candidate";
  }
  if (!result.reason.empty()) result.status = Status::failed;
  return result;
}

}  // namespace pyc::harness
