#include "compiler/runtime/plan_cache.h"

#include <gtest/gtest.h>
#include <set>

namespace {

using namespace pyc::runtime;

class NamedPlan : public Plan {
 public:
  explicit NamedPlan(const char *name) : name_(name) {}
  pyc_status run(const Call &) const override { return PYC_STATUS_SUCCESS; }
  const char *symbol() const override { return name_; }

 private:
  const char *name_;
};

PlanKey key(int64_t m) { return {m, 2, 3, 4, 5, 6, 1, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 0}; }
PlanCache::Entry entry(const char *name) { return {std::make_shared<NamedPlan>(name), PYC_RUNG_CPU, {}}; }

TEST(PlanCache, FindsWhatWasInsertedAndNothingElse) {
  PlanCache cache;
  EXPECT_EQ(cache.find(key(1)).entry, nullptr);
  cache.insert(key(1), entry("one"));
  ASSERT_NE(cache.find(key(1)).entry, nullptr);
  EXPECT_STREQ(cache.find(key(1)).entry->plan->symbol(), "one");
  EXPECT_EQ(cache.find(key(2)).entry, nullptr);
}

TEST(PlanCache, TheFirstPlanOfAKeyStays) {
  PlanCache cache;
  cache.insert(key(1), entry("first"));
  cache.insert(key(1), entry("second"));
  EXPECT_STREQ(cache.find(key(1)).entry->plan->symbol(), "first");
  EXPECT_EQ(cache.size(), 1u);
}

TEST(PlanCache, TheOldestPlanIsEvictedAtCapacity) {
  PlanCache cache(3);
  for (int64_t m = 1; m <= 5; ++m) cache.insert(key(m), entry("plan"));
  EXPECT_EQ(cache.size(), 3u);
  for (int64_t m = 1; m <= 5; ++m) EXPECT_EQ(cache.find(key(m)).entry != nullptr, m > 2) << m;
}

TEST(PlanCache, AnEvictedPlanLivesAsLongAsItIsHeld) {
  PlanCache cache(1);
  cache.insert(key(1), entry("held"));
  const std::shared_ptr<const Plan> held = cache.find(key(1)).entry->plan;
  cache.insert(key(2), entry("other"));
  EXPECT_STREQ(held->symbol(), "held");
}

TEST(PlanKey, EveryFieldOfADescriptorAndEachAlignmentTellsKeysApart) {
  alignas(512) static char memory[1024];
  pyc_gemm_desc base = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 4, 4, 4);
  std::set<size_t> hashes;
  std::vector<PlanKey> keys;
  const auto add = [&](const pyc_gemm_desc &desc, size_t a = 0, size_t b = 0, size_t c = 0) {
    keys.push_back(plan_key(make_call(desc, 1, memory + a, memory + b, 0, memory + c, nullptr)));
    hashes.insert(PlanKeyHash()(keys.back()));
  };
  add(base);
  for (int64_t pyc_gemm_desc::*field : {&pyc_gemm_desc::m, &pyc_gemm_desc::n, &pyc_gemm_desc::k, &pyc_gemm_desc::lda,
                                        &pyc_gemm_desc::ldb, &pyc_gemm_desc::ldc, &pyc_gemm_desc::batch_count,
                                        &pyc_gemm_desc::stride_a, &pyc_gemm_desc::stride_b, &pyc_gemm_desc::stride_c}) {
    pyc_gemm_desc desc = base;
    ++(desc.*field);
    add(desc);
  }
  for (int32_t pyc_gemm_desc::*field :
       {&pyc_gemm_desc::dtype, &pyc_gemm_desc::layout, &pyc_gemm_desc::precision, &pyc_gemm_desc::determinism}) {
    pyc_gemm_desc desc = base;
    ++(desc.*field);
    add(desc);
  }
  for (size_t offset : {4, 16, 128}) {
    add(base, offset);
    add(base, 0, offset);
    add(base, 0, 0, offset);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_FALSE(keys[i] == keys[j]) << i << " and " << j;
  }
  EXPECT_EQ(hashes.size(), keys.size());
}

}  // namespace
