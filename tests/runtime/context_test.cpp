#include <gtest/gtest.h>

#include "compiler/runtime/device.h"
#include "context_fixture.h"

namespace {

TEST(Context, DestroyTakesNull) { pyc_context_destroy(nullptr); }

TEST(Context, AnOrdinalThatCannotExistIsRefused) {
  pyc_context *context = reinterpret_cast<pyc_context *>(1);
  for (int32_t ordinal : {-2, 1 << 20}) {
    EXPECT_NE(pyc_context_create(ordinal, &context), PYC_STATUS_SUCCESS);
    EXPECT_EQ(context, nullptr);
    EXPECT_STRNE(pyc_last_error_detail(), "");
  }
}

TEST(Context, WithoutCudaADeviceContextSaysHowToGetOne) {
  if (pyc::runtime::built_with_cuda()) GTEST_SKIP() << "built with CUDA";
  pyc_context *context = nullptr;
  EXPECT_EQ(pyc_context_create(0, &context), PYC_STATUS_NO_DEVICE);
  EXPECT_NE(std::string(pyc_last_error_detail()).find("PYC_ENABLE_CUDA_RUNTIME"), std::string::npos);
}

}  // namespace
