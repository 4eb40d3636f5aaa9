// A warm call asks for no memory, and a context for little. The sanitizers bring their own operator new, so that they
// cannot count.
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "any_case.h"
#include "context_fixture.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local int64_t allocation_count = 0, allocated_bytes = 0;

void *counted(void *memory, size_t bytes) {
  ++allocation_count;
  allocated_bytes += int64_t(bytes);
  return memory != nullptr ? memory : throw std::bad_alloc();
}
}  // namespace

void *operator new(size_t bytes) { return counted(std::malloc(bytes == 0 ? 1 : bytes), bytes); }
void *operator new(size_t bytes, std::align_val_t alignment) {
  const size_t unit = size_t(alignment);
  return counted(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit), bytes);
}
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

template <typename Call>
int64_t allocations_of(Call call) {
  const int64_t before = allocation_count;
  call();
  return allocation_count - before;
}

TEST(Allocations, AWarmCallMakesNoneInAnyDtypeAndByEitherWay) {
  for (const char *cblas : {"", "none"}) {
    const ScopedVariable library("PYC_CBLAS", cblas);
    const ContextPtr context = make_context();
    for (pyc_dtype dtype : {PYC_DTYPE_FP32, PYC_DTYPE_FP16, PYC_DTYPE_BF16}) {
      AnyCase x(pyc_gemm_desc_batched(dtype, PYC_LAYOUT_TN, 9, 10, 11, 2), 1);
      pyc_status status = PYC_STATUS_INTERNAL_ERROR;
      const auto call = [&] { status = x.run(context.get()); };
      EXPECT_GT(allocations_of(call), 0) << "a first call makes a plan";
      EXPECT_EQ(allocations_of(call), 0) << "dtype " << dtype << " PYC_CBLAS=" << cblas;
      EXPECT_EQ(status, PYC_STATUS_SUCCESS) << pyc_last_error_detail();
      x.alpha = 0.0f;
      EXPECT_EQ(allocations_of(call), 0) << "a quick answer";
      x.desc.m = -1;
      EXPECT_EQ(allocations_of(call), 0) << "an argument error";
    }
  }
}

// The tables of what CUDA said of pointers take half a MiB.
TEST(Allocations, AHostContextIsSmall) {
  const int64_t before = allocated_bytes;
  const ContextPtr context = make_context();
  EXPECT_LT(allocated_bytes - before, 64 << 10);
}

TEST(Allocations, ARunOfAPlanMakesNone) {
  const ContextPtr context = make_context();
  AnyCase x(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 9, 10, 11), 1);
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.align_a = options.align_b = options.align_c = 4;
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &x.desc, &options, &plan), PYC_STATUS_SUCCESS);
  pyc_status status = PYC_STATUS_INTERNAL_ERROR;
  const auto run = [&] {
    status = pyc_gemm_plan_run(plan, 1.0f, x.a.data(), x.b.data(), 0.0f, x.c.data(), nullptr, 0, nullptr);
  };
  EXPECT_EQ(allocations_of(run), 0);
  EXPECT_EQ(status, PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  pyc_gemm_plan_destroy(plan);
}

}  // namespace

#endif
