#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "any_case.h"
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
  const auto detail_of = [&](const void *a, const void *b, void *c, pyc_status status = PYC_STATUS_INVALID_VALUE) {
    EXPECT_EQ(pyc_gemm(context.get(), &x.desc, 1.0f, a, b, 0.0f, c, nullptr), status);
    return std::string(pyc_last_error_detail());
  };
  EXPECT_EQ(detail_of(nullptr, x.b.data(), x.c.data()), "a is NULL");
  EXPECT_EQ(detail_of(x.a.data(), nullptr, x.c.data()), "b is NULL");
  EXPECT_EQ(detail_of(x.a.data(), x.b.data(), nullptr), "c is NULL");
  const char *const odd = reinterpret_cast<const char *>(x.a.data()) + 2;
  EXPECT_EQ(detail_of(odd, x.b.data(), x.c.data(), PYC_STATUS_MISALIGNED).substr(0, 5), "a is ");
}

TEST(Descriptor, NullContextAndDescriptorAreNamed) {
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  EXPECT_EQ(x.run(nullptr), PYC_STATUS_INVALID_VALUE);
  EXPECT_STREQ(pyc_last_error_detail(), "context is NULL");
  const ContextPtr context = make_context();
  EXPECT_EQ(pyc_gemm(context.get(), nullptr, 1, nullptr, nullptr, 0, nullptr, nullptr), PYC_STATUS_INVALID_VALUE);
  EXPECT_STREQ(pyc_last_error_detail(), "desc is NULL");
}

TEST(Descriptor, TheFirstVersionsSizeMeansOneProduct) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  x.desc.struct_size = PYC_GEMM_DESC_SIZE_V1;
  x.desc.batch_count = -3;  // behind the end of such a struct
  const std::vector<float> before = x.c;
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(x.count_wrong(before, x.c), 0);
}

TEST(Descriptor, AStructOfALaterVersionIsSaidToBeOne) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  x.desc.struct_size += 8;
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_INVALID_VALUE);
  EXPECT_STREQ(pyc_last_error_detail(),
               "desc.struct_size is 112: of a later version than this library, 104 bytes here");
}

TEST(Descriptor, MatricesOfCThatOverlapAreRefusedAndInterleavedRowsAreNot) {
  expect_refused("stride_c", PYC_LAYOUT_NN, [](GemmCase *x) {
    x->desc.batch_count = 2;
    x->desc.stride_c = 5 * 6 - 1;
  });
  const ContextPtr context = make_context();
  pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NT, 4, 3, 5);
  desc.batch_count = 3;
  desc.stride_c = 3;
  desc.ldc = 9;
  AnyCase interleaved(desc, 1);
  const Bytes before = interleaved.c;
  ASSERT_EQ(interleaved.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(interleaved.count_wrong(before, interleaved.c), 0);
  interleaved.desc.ldc = 8;
  EXPECT_EQ(interleaved.run(context.get()), PYC_STATUS_INVALID_VALUE);
}

TEST(Descriptor, BatchesBeyondTheAddressSpaceAreRefused) {
  const auto batch = [](int64_t count, int64_t stride_a, int64_t stride_b) {
    return [=](GemmCase *x) {
      x->desc.batch_count = count;
      x->desc.stride_a = stride_a;
      x->desc.stride_b = stride_b;
      x->desc.stride_c = 30;
    };
  };
  expect_refused("stride_a", PYC_LAYOUT_NN, batch(2, kHuge / 4, 0));
  expect_refused("stride_b", PYC_LAYOUT_NN, batch(1 << 30, 0, int64_t(1) << 40));
  expect_refused("stride_c", PYC_LAYOUT_NN, batch(kHuge, 0, 0));
  expect_refused("batch_count", PYC_LAYOUT_NN, batch(-1, 0, 0));
  expect_refused("stride_a", PYC_LAYOUT_NN, batch(2, -1, 0));
}

}  // namespace
