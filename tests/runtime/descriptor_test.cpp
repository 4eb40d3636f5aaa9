#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "context_fixture.h"
#include "gemm_case.h"

namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

// Runs a 5 x 6 x 7 problem after `spoil` changed it; the detail must begin with the argument's name, and C must be as
// it was.
void expect_refused(const std::string &argument, pyc_layout layout, const std::function<void(GemmCase *)> &spoil) {
  const ContextPtr context = make_context();
  GemmCase x(layout, 5, 6, 7);
  x.fill_c();
  const std::vector<float> before = x.c;
  spoil(&x);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_INVALID_VALUE);
  const std::string detail = pyc_last_error_detail();
  EXPECT_EQ(detail.substr(0, detail.find(' ')), argument) << detail;
  EXPECT_EQ(x.c, before);
}

TEST(Descriptor, EachFieldThatIsOutOfRangeIsNamed) {
  expect_refused("desc.struct_size", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.struct_size = 0; });
  expect_refused("desc.struct_size", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.struct_size += 8; });
  expect_refused("dtype", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.dtype = 3; });
  expect_refused("dtype", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.dtype = -1; });
  expect_refused("layout", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.layout = 4; });
  expect_refused("precision", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.precision = 2; });
  expect_refused("determinism", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.determinism = 2; });
  expect_refused("m", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.m = -1; });
  expect_refused("n", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.n = std::numeric_limits<int64_t>::min(); });
  expect_refused("k", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.k = -7; });
}

TEST(Descriptor, LeadingDimensionsAreHeldAgainstTheStoredRow) {
  for (pyc_layout layout : {PYC_LAYOUT_NN, PYC_LAYOUT_NT, PYC_LAYOUT_TN, PYC_LAYOUT_TT}) {
    expect_refused("lda", layout, [](GemmCase *x) { --x->desc.lda; });
    expect_refused("ldb", layout, [](GemmCase *x) { --x->desc.ldb; });
    expect_refused("ldc", layout, [](GemmCase *x) { --x->desc.ldc; });
  }
  expect_refused("lda", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.k = x->desc.lda = 0; });
}

TEST(Descriptor, SpansBeyondTheAddressSpaceAreRefused) {
  expect_refused("lda", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.lda = kHuge; });
  expect_refused("ldb", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.ldb = kHuge / 4; });
  expect_refused("ldc", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.ldc = kHuge; });
  expect_refused("lda", PYC_LAYOUT_NN, [](GemmCase *x) { x->desc.m = x->desc.k = x->desc.lda = kHuge; });
}

TEST(Descriptor, NullAndMisalignedPointersAreNamed) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  const auto detail_of = [&](const void *a, const void *b, void *c) {
    EXPECT_EQ(pyc_gemm(context.get(), &x.desc, 1.0f, a, b, 0.0f, c, nullptr), PYC_STATUS_INVALID_VALUE);
    return std::string(pyc_last_error_detail());
  };
  EXPECT_EQ(detail_of(nullptr, x.b.data(), x.c.data()), "a is NULL");
  EXPECT_EQ(detail_of(x.a.data(), nullptr, x.c.data()), "b is NULL");
  EXPECT_EQ(detail_of(x.a.data(), x.b.data(), nullptr), "c is NULL");
  const char *const odd = reinterpret_cast<const char *>(x.a.data()) + 2;
  EXPECT_EQ(detail_of(odd, x.b.data(), x.c.data()).substr(0, 5), "a is ");
}

TEST(Descriptor, NullContextAndDescriptorAreNamed) {
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  EXPECT_EQ(x.run(nullptr), PYC_STATUS_INVALID_VALUE);
  EXPECT_STREQ(pyc_last_error_detail(), "context is NULL");
  const ContextPtr context = make_context();
  EXPECT_EQ(pyc_gemm(context.get(), nullptr, 1, nullptr, nullptr, 0, nullptr, nullptr), PYC_STATUS_INVALID_VALUE);
  EXPECT_STREQ(pyc_last_error_detail(), "desc is NULL");
}

}  // namespace
