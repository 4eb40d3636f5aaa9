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

TEST(Context, WithCudaAndNoDriverADeviceContextSaysSo) {
  if (!pyc::runtime::built_with_cuda() || pyc::runtime::cuda_driver_version() != 0) {
    GTEST_SKIP() << "built without CUDA, or a driver is loaded";
  }
  pyc_context *context = nullptr;
  EXPECT_EQ(pyc_context_create(0, &context), PYC_STATUS_NO_DEVICE);
  EXPECT_STREQ(pyc_last_error_detail(), "no NVIDIA driver is loaded on this machine");
  EXPECT_NE(make_context(), nullptr) << "host memory needs no driver";
}

TEST(Context, NoDriverAnOldDriverAndNoGpuAreToldApart) {
  using pyc::runtime::missing_device;
  EXPECT_EQ(missing_device({0, 13000, true, "insufficient driver"}), PYC_STATUS_NO_DEVICE);
  EXPECT_STREQ(pyc_last_error_detail(), "no NVIDIA driver is loaded on this machine");
  EXPECT_EQ(missing_device({12040, 13000, true, "insufficient driver"}), PYC_STATUS_DRIVER_TOO_OLD);
  EXPECT_STREQ(pyc_last_error_detail(), "the driver supports CUDA 12.4, this library was built with 13.0");
  EXPECT_EQ(missing_device({13000, 13010, false, "no CUDA-capable device"}), PYC_STATUS_NO_DEVICE);
  EXPECT_STREQ(pyc_last_error_detail(), "no usable GPU: no CUDA-capable device");
}

TEST(Context, ABuildSaysWhatItIs) {
  pyc_build build = {};
  EXPECT_EQ(pyc_build_query(nullptr), PYC_STATUS_INVALID_VALUE);
  EXPECT_EQ(pyc_build_query(&build), PYC_STATUS_INVALID_VALUE);
  build.struct_size = sizeof build;
  ASSERT_EQ(pyc_build_query(&build), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_STREQ(build.version, pyc_version());
  EXPECT_STRNE(build.compiler, "");
  if (pyc::runtime::built_with_cuda()) {
    EXPECT_GE(build.cuda_built, 12040);
    EXPECT_STREQ(build.archs, "sm89 sm90 compute80");
  } else {
    EXPECT_EQ(build.cuda_built, 0);
    EXPECT_EQ(build.promoted_kernels, 0);
    EXPECT_STREQ(build.archs, "");
  }
}

}  // namespace
