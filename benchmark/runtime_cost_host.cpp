// Costs that need no GPU: the plan look-up, a warm call in host memory, and how both scale over threads.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "compiler/runtime/plan_cache.h"
#include "pyc/gemm.h"
#include "runtime_cost.h"

namespace {

using namespace pyc::runtime;

constexpr int kSamples = 101, kCalls = 2000, kThreads = 8;
constexpr double kLookUpBar_ns = 150, kScalingBar = 6;

// One multiplication, so that a call is next to nothing but the library's own path.
struct SmallCall {
  pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 1, 1, 1);
  float a = 2.0f, b = 3.0f, c = 0.0f;

  SmallCall() { desc.determinism = PYC_DETERMINISM_REPEATABLE; }  // the library's own loops

  void run(pyc_context *context) {
    if (pyc_gemm(context, &desc, 1.0f, &a, &b, 0.0f, &c, nullptr) == PYC_STATUS_SUCCESS) return;
    std::fprintf(stderr, "error: pyc_gemm: %s\n", pyc_last_error_detail());
    std::exit(2);
  }
};

pyc_context *open_host_context() {
  pyc_context *context = nullptr;
  if (pyc_context_create(PYC_DEVICE_HOST, &context) == PYC_STATUS_SUCCESS) return context;
  std::fprintf(stderr, "error: pyc_context_create: %s\n", pyc_last_error_detail());
  std::exit(2);
}

Call call_of_size(int64_t m) {
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, m, 128, 128);
  return make_call(desc, 1.0f, nullptr, nullptr, 0.0f, nullptr, nullptr);
}

// As many plans as a model's layers may need.
void fill(PlanCache *cache) {
  for (int64_t m = 1; m <= 512; ++m) cache->insert(plan_key(call_of_size(m)), {nullptr, PYC_RUNG_CPU, {}});
}

// Calls a second that `threads` threads make together, each of its own `make_work()`.
template <typename MakeWork>
double calls_per_second(int threads, MakeWork make_work) {
  std::atomic<int> ready = 0;
  std::atomic<bool> stop = false;
  std::array<uint64_t, kThreads> done = {};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      auto work = make_work();
      uint64_t count = 0;
      for (++ready; !stop.load(std::memory_order_relaxed); count += 64) {
        for (int i = 0; i < 64; ++i) work();
      }
      done[size_t(t)] = count;
    });
  }
  while (ready.load() < threads) std::this_thread::yield();
  const cost::Clock::time_point begin = cost::Clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  stop = true;
  for (std::thread &worker : workers) worker.join();
  uint64_t total = 0;
  for (uint64_t count : done) total += count;
  return double(total) / cost::ns_since(begin) * 1e9;
}

template <typename MakeWork>
cost::Figure scaling(const char *name, MakeWork make_work) {
  std::vector<double> ratios;
  for (int i = 0; i < 5; ++i) {
    const double one = calls_per_second(1, make_work);
    ratios.push_back(calls_per_second(kThreads, make_work) / one);
  }
  const unsigned cores = std::thread::hardware_concurrency();
  const bool judged = cores >= kThreads;
  return {name, cost::median(ratios),
          "x",  judged ? kScalingBar : cost::kNoBar,
          true, judged ? "" : "not judged: this machine has " + std::to_string(cores) + " cores"};
}

}  // namespace

std::vector<cost::Figure> cost::host_figures() {
  PlanCache cache;
  fill(&cache);
  const Call call = call_of_size(300);
  bool found = true;
  const auto look_up = [&] { found = found && cache.find(plan_key(call)).entry != nullptr; };
  pyc_context *const context = open_host_context();
  SmallCall small;
  const auto warm_call = [&] { small.run(context); };

  std::vector<Figure> figures = {
      {"warm plan look-up, 512 plans", median_ns(kSamples, kCalls, look_up), "ns", kLookUpBar_ns, false, {}},
      {"warm pyc_gemm, host, 1x1x1", median_ns(kSamples, kCalls, warm_call), "ns", kNoBar, false, {}},
      {"allocations per 1000 warm pyc_gemm, host", allocations_per_1000(warm_call), "", 0, false, {}},
      scaling("8 threads over 1, plan look-up", [&] { return [&cache, call] { (void)cache.find(plan_key(call)); }; }),
      scaling("8 threads over 1, warm pyc_gemm on one host context",
              [&] { return [context, own = SmallCall()]() mutable { own.run(context); }; }),
  };
  pyc_context_destroy(context);
  if (!found) figures.front().value = kNoBar;  // what was timed was no look-up: NaN keeps no bar
  return figures;
}
