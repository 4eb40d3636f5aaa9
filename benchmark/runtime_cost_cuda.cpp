// Costs on a device: a call of the runtime against a direct call of the kernel that it would launch. Calls are timed in
// bursts that fit into the launch queue, because a full queue would make every launch wait for the GPU. A launch takes
// some microseconds and the host's speed drifts by more than what is looked for, so each burst is compared with its
// neighbour alone, and a direct call with itself says how far the figures are to be believed.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>

#include "compiler/runtime/promoted.h"
#include "runtime_cost.h"

namespace {

using namespace pyc::runtime;

constexpr int kPairs = 2001, kBurstCalls = 20;
constexpr double kOverheadBar_ns = 300;
constexpr int64_t kSize = 64;

void check(bool good, const char *call) {
  if (good) return;
  std::fprintf(stderr, "error: %s: %s; %s\n", call, cudaGetErrorString(cudaGetLastError()), pyc_last_error_detail());
  std::exit(2);
}

struct Device {
  pyc_context *context = nullptr;
  cudaStream_t stream = nullptr;
  void *a = nullptr, *b = nullptr, *c = nullptr;

  Device() {
    check(pyc_context_create(0, &context) == PYC_STATUS_SUCCESS, "pyc_context_create");
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "cudaStreamCreate");
    for (void **matrix : {&a, &b, &c}) {
      check(cudaMalloc(matrix, kSize * kSize * sizeof(float)) == cudaSuccess, "cudaMalloc");
      check(cudaMemset(*matrix, 0, kSize * kSize * sizeof(float)) == cudaSuccess, "cudaMemset");
    }
  }
  ~Device() {
    for (void *matrix : {a, b, c}) cudaFree(matrix);
    cudaStreamDestroy(stream);
    pyc_context_destroy(context);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
};

template <typename Call>
double burst_ns(cudaStream_t stream, Call call) {
  const cost::Clock::time_point begin = cost::Clock::now();
  for (int i = 0; i < kBurstCalls; ++i) call();
  const double time_ns = cost::ns_since(begin) / kBurstCalls;
  check(cudaStreamSynchronize(stream) == cudaSuccess, "cudaStreamSynchronize");
  return time_ns;
}

// The medians over pairs of neighbouring bursts, whose order alternates: of the direct calls, and of what the others
// take longer.
struct Cost {
  double direct_ns, over_ns;
};
template <typename Direct, typename Other>
Cost compare(cudaStream_t stream, Direct direct, Other other) {
  std::vector<double> direct_ns, over_ns;
  burst_ns(stream, direct), burst_ns(stream, other);
  for (int i = 0; i < kPairs; ++i) {
    const bool other_first = i % 2 == 1;
    const double before_ns = other_first ? burst_ns(stream, other) : 0;
    direct_ns.push_back(burst_ns(stream, direct));
    const double other_ns = other_first ? before_ns : burst_ns(stream, other);
    over_ns.push_back(other_ns - direct_ns.back());
  }
  return {cost::median(direct_ns), cost::median(over_ns)};
}

// The kernel that the promoted rung takes for kSize^3 on device 0; nullptr if there is none.
const PromotedKernel *promoted_kernel(const Device &device, const pyc_gemm_desc &desc) {
  pyc_rung_report reports[PYC_RUNG_SLOTS];
  size_t count = 0;
  reports[0].struct_size = sizeof reports[0];
  const pyc_status status = pyc_gemm_explain(device.context, &desc, 1, device.a, device.b, 0, device.c, device.stream,
                                             reports, PYC_RUNG_SLOTS, &count);
  check(status == PYC_STATUS_SUCCESS, "pyc_gemm_explain");
  for (size_t i = 0; i < count; ++i) {
    if (reports[i].rung != PYC_RUNG_PROMOTED || reports[i].verdict != PYC_VERDICT_CHOSEN) continue;
    return find_promoted(promoted_kernels(), reports[i].symbol);
  }
  return nullptr;
}

cost::Figure time_figure(const std::string &name, double time_ns, double bar_ns = cost::kNoBar) {
  return {name, time_ns, "ns", bar_ns, false, {}};
}

template <typename Call>
cost::Figure allocations_figure(const char *name, Call call) {
  return {std::string("allocations per 1000 warm ") + name, cost::allocations_per_1000(call), "", 0, false, {}};
}

auto call_of(const Device &device, const pyc_gemm_desc &desc) {
  return [&device, &desc] {
    check(pyc_gemm(device.context, &desc, 1, device.a, device.b, 0, device.c, device.stream) == PYC_STATUS_SUCCESS,
          "pyc_gemm");
  };
}

// What `direct` takes, and how much longer the other two take.
template <typename Direct, typename Call, typename Run>
void add_overheads(cudaStream_t stream, const char *symbol, Direct direct, Call by_call, Run by_plan,
                   std::vector<cost::Figure> *figures) {
  const Cost itself = compare(stream, direct, direct), call = compare(stream, direct, by_call),
             run = compare(stream, direct, by_plan);
  figures->push_back(time_figure("direct launch of " + std::string(symbol), call.direct_ns));
  figures->push_back(time_figure("the same over it: what the figures are good for", itself.over_ns));
  figures->push_back(time_figure("warm pyc_gemm over it", call.over_ns, kOverheadBar_ns));
  figures->push_back(time_figure("pyc_gemm_plan_run over it", run.over_ns, kOverheadBar_ns));
  figures->push_back(allocations_figure("pyc_gemm, device", by_call));
  figures->push_back(allocations_figure("pyc_gemm_plan_run", by_plan));
  check(cudaStreamSynchronize(stream) == cudaSuccess, "cudaStreamSynchronize");
}

// The plan runs with the same workspace as the kernel alone, so that both start the same launches.
void add_overheads(const Device &device, const pyc_gemm_desc &desc, const PromotedKernel &kernel,
                   std::vector<cost::Figure> *figures) {
  pyc_gemm_args args = make_call(desc, 1, device.a, device.b, 0, device.c, device.stream).args;
  args.workspace_bytes = kernel.workspace ? kernel.workspace(&args) : 0;
  if (args.workspace_bytes > 0) check(cudaMalloc(&args.workspace, args.workspace_bytes) == cudaSuccess, "cudaMalloc");
  pyc_gemm_plan *plan = nullptr;
  check(pyc_gemm_plan_create(device.context, &desc, nullptr, &plan) == PYC_STATUS_SUCCESS, "pyc_gemm_plan_create");
  const auto direct = [&] { check(kernel.run(&args, device.stream) == PYC_STATUS_SUCCESS, kernel.symbol); };
  const auto by_plan = [&] {
    check(pyc_gemm_plan_run(plan, 1, device.a, device.b, 0, device.c, args.workspace, args.workspace_bytes,
                            device.stream) == PYC_STATUS_SUCCESS,
          "pyc_gemm_plan_run");
  };
  add_overheads(device.stream, kernel.symbol, direct, call_of(device, desc), by_plan, figures);
  pyc_gemm_plan_destroy(plan);
  cudaFree(args.workspace);
}

// What a call costs where the runtime cannot be compared with a direct launch; bf16 tt has no kernel of our own.
cost::Figure vendor_call(const Device &device) {
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_TT, kSize, kSize, kSize);
  const auto call = call_of(device, desc);
  call();
  return time_figure("warm pyc_gemm, bf16 tt, by a vendor's library", compare(device.stream, call, call).direct_ns);
}

}  // namespace

std::vector<cost::Figure> cost::device_figures(std::string *why_not) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    *why_not = "no GPU on this machine";
    return {};
  }
  const Device device;
  std::vector<Figure> figures;
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, kSize, kSize, kSize);
  const PromotedKernel *const kernel = promoted_kernel(device, desc);
  if (kernel != nullptr) add_overheads(device, desc, *kernel, &figures);
  if (kernel == nullptr) *why_not = "nothing is promoted for gemm/fp32/nn/small on this arch";
  figures.push_back(vendor_call(device));
  return figures;
}
