#include "compiler/runtime/names.h"

#include <array>
#include <cstddef>

#include "pyc/gemm.h"

namespace pyc::runtime {
namespace {

constexpr std::array kStatuses = {
    "success",
    "an argument breaks its contract",
    "a valid call that this kernel or build does not serve",
    "every rung refused the call",
    "no code for this device was compiled in",
    "a pointer or leading dimension lacks the alignment asked for",
    "the workspace is smaller than the kernel asked for",
    "the stream is being captured and the call is not warm",
    "memory is exhausted",
    "no usable GPU or driver on this machine",
    "the driver is older than the CUDA toolkit of this build",
    "CUDA reported an error",
    "a fault of PyC's own",
};

constexpr std::array kReasons = {
    "not refused",
    "the call is answered without a kernel",
    "taken out by an environment variable",
    "this library was built without CUDA",
    "serves device memory, and the context is for host memory",
    "serves host memory, and the context is for a device",
    "the stream is being captured and the call is not warm",
    "no kernel is promoted for the selector",
    "its kernels are for another arch",
    "does not serve this dtype",
    "does not serve this layout",
    "does not promise repeatable bits",
    "a size is not a multiple of what the kernel requires",
    "a leading dimension is not a multiple of what the kernel requires",
    "a pointer lacks the alignment that the kernel requires",
    "needs more workspace than the context gives",
    "the library cannot be opened on this machine",
    "the library offers nothing for this call",
    "the kernel answered that it does not serve this call",
    "this library was built without CUTLASS",
    "serves one product at a time, and a batch of such small ones is faster in one launch",
    "a size is larger than it serves",
    "its kernels are for other families",
};
static_assert(kReasons.size() == PYC_REASON_COUNT);

constexpr std::array kRungs = {"promoted", "cublaslt", "cublas", "cpu", "cutlass"};
static_assert(kRungs.size() == PYC_RUNG_COUNT && PYC_RUNG_COUNT <= PYC_RUNG_SLOTS);

constexpr std::array kVerdicts = {"refused", "accepted", "chosen"};
constexpr std::array kDtypes = {"fp32", "fp16", "bf16"};
constexpr std::array kLayouts = {"nn", "nt", "tn", "tt"};

template <size_t size>
const char *look_up(const std::array<const char *, size> &table, int32_t value, const char *unknown) {
  return value >= 0 && size_t(value) < size ? table[size_t(value)] : unknown;
}

}  // namespace

const char *status_string(int32_t status) { return look_up(kStatuses, status, "unknown status"); }
const char *reason_string(int32_t reason) { return look_up(kReasons, reason, "unknown reason"); }
const char *rung_name(int32_t rung) { return look_up(kRungs, rung, "unknown rung"); }
const char *verdict_name(int32_t verdict) { return look_up(kVerdicts, verdict, "unknown verdict"); }
const char *dtype_name(int32_t dtype) { return look_up(kDtypes, dtype, "unknown dtype"); }
const char *layout_name(int32_t layout) { return look_up(kLayouts, layout, "unknown layout"); }

int32_t rung_from_name(std::string_view name) {
  for (size_t i = 0; i < kRungs.size(); ++i) {
    if (name == kRungs[i]) return int32_t(i);
  }
  return -1;
}

}  // namespace pyc::runtime
