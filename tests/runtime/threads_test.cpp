#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "compiler/runtime/plan_cache.h"
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

pyc::runtime::PlanKey key_of(int64_t m) { return {m, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 0}; }

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

TEST(Threads, TwoContextsServeTwoThreads) {
  std::array<std::thread, 2> threads;
  std::array<int, 2> right = {};
  for (size_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&right, t] {
      const ContextPtr context = make_context();
      for (int i = 0; i < kCalls; ++i) right[t] += serves(context.get(), 1 + i % 5);
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(right, (std::array<int, 2>{kCalls, kCalls}));
}

// Few enough plans fit that threads evict what others are about to use.
TEST(Threads, APlanThatIsEvictedStillServesWhoeverFoundIt) {
  const pyc::runtime::PlanKey keys[] = {key_of(1), key_of(2), key_of(3), key_of(4)};
  pyc::runtime::PlanCache cache(2);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const size_t which = size_t(t + i) % 4;
        const auto pinned = cache.find(keys[which]);
        if (pinned.entry != nullptr) wrong += pinned.entry->rung != pyc_rung(which);
      }
      for (int i = 0; i < 100; ++i) {
        const size_t which = size_t(t + i) % 4;
        cache.insert(keys[which], {nullptr, pyc_rung(which), "detail"});
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cache.size(), 2u);
}

TEST(Threads, OnePlanIsRunByManyThreads) {
  const ContextPtr context = make_context();
  const GemmCase x(PYC_LAYOUT_NT, 33, 17, 41);
  pyc_gemm_desc desc = x.desc;
  desc.determinism = PYC_DETERMINISM_REPEATABLE;
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.align_a = options.align_b = options.align_c = 4;
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &desc, &options, &plan), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  std::atomic<int64_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::vector<float> c = x.c;
      wrong += pyc_gemm_plan_run(plan, 1.0f, x.a.data(), x.b.data(), 0.0f, c.data(), nullptr, 0, nullptr);
      wrong += x.count_wrong(x.c, c);
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  pyc_gemm_plan_destroy(plan);
}

}  // namespace
