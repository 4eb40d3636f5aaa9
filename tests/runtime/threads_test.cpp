#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "context_fixture.h"
#include "gemm_case.h"

namespace {

constexpr int kThreads = 8, kCalls = 20;

// The library's own loop, so that ThreadSanitizer sees all the code that runs.
bool serves(pyc_context *context, int64_t m) {
  GemmCase x(PYC_LAYOUT_NN, m, 9, 11);
  x.desc.determinism = PYC_DETERMINISM_REPEATABLE;
  const std::vector<float> before = x.c;
  return x.run(context) == PYC_STATUS_SUCCESS && x.count_wrong(before, x.c) == 0;
}

TEST(Threads, OneContextServesManyThreadsAtOnce) {
  const ContextPtr context = make_context();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kCalls; ++i) right += serves(context.get(), 1 + i % 5);
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(right, kThreads * kCalls);
  pyc_counters counters = {};
  counters.struct_size = sizeof counters;
  ASSERT_EQ(pyc_context_counters(context.get(), &counters), PYC_STATUS_SUCCESS);
  EXPECT_EQ(counters.served[PYC_RUNG_CPU], uint64_t(kThreads * kCalls));
  EXPECT_EQ(counters.plan_hits + counters.plan_misses, uint64_t(kThreads * kCalls));
}

TEST(Threads, ErrorDetailsBelongToTheirThread) {
  pyc_context_create(PYC_DEVICE_HOST, nullptr);
  const std::string mine = pyc_last_error_detail();
  std::string before, after;
  std::thread([&] {
    before = pyc_last_error_detail();
    pyc_context_counters(nullptr, nullptr);
    const pyc_gemm_desc *none = nullptr;
    pyc_gemm(nullptr, none, 1, nullptr, nullptr, 0, nullptr, nullptr);
    after = pyc_last_error_detail();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "context is NULL");
  EXPECT_EQ(mine, pyc_last_error_detail());
}

}  // namespace
