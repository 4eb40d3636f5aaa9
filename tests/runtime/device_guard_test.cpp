// The guard against a driver that keeps a stack of contexts for a thread, as the real one does.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"

namespace {

using namespace pyc::runtime;

struct FakeContext {
  int handle;
};
FakeContext primary_of_0{0}, primary_of_1{1}, callers_own_on_0{0}, callers_own_on_1{1};

std::vector<FakeContext *> stack;
int retained, error_of_retain, error_of_push;
bool unloaded;

constexpr int kDeinitialized = 4, kInvalidContext = 201;

int ctx_get_device(int *handle) {
  if (unloaded) return kDeinitialized;
  if (stack.empty() || stack.back() == nullptr) return kInvalidContext;
  *handle = stack.back()->handle;
  return 0;
}
int ctx_push_current(void *context) {
  if (error_of_push == 0) stack.push_back(static_cast<FakeContext *>(context));
  return error_of_push;
}
int ctx_pop_current(void **context) {
  *context = stack.back();
  stack.pop_back();
  return 0;
}
int device_primary_ctx_retain(void **context, int handle) {
  if (unloaded) return kDeinitialized;
  ++retained;
  *context = handle == 0 ? &primary_of_0 : &primary_of_1;
  return error_of_retain;
}
int get_error_name(int error, const char **name) {
  if (error != kDeinitialized) return 1;
  *name = "CUDA_ERROR_DEINITIALIZED";
  return 0;
}

class DeviceGuardTest : public testing::Test {
 protected:
  void SetUp() override {
    stack.clear();
    retained = error_of_retain = error_of_push = 0;
    unloaded = false;
  }

  static Device device(int ordinal) {
    Device device;
    device.ordinal = device.driver_handle = ordinal;
    device.driver = {ctx_get_device, ctx_push_current, ctx_pop_current, device_primary_ctx_retain, get_error_name};
    device.primary_context = std::make_shared<std::atomic<void *>>(nullptr);
    return device;
  }

  using Stack = std::vector<FakeContext *>;
};

TEST_F(DeviceGuardTest, HostMemoryAsksNoDriver) {
  const DeviceGuard guard{Device()};
  EXPECT_EQ(guard.status(), PYC_STATUS_SUCCESS);
}

TEST_F(DeviceGuardTest, ACurrentDeviceIsLeftAsItIsAlsoInAContextOfTheCallersOwn) {
  const Device zero = device(0);
  for (FakeContext *current : {&primary_of_0, &callers_own_on_0}) {
    stack = {current};
    const DeviceGuard guard(zero);
    EXPECT_EQ(guard.status(), PYC_STATUS_SUCCESS);
    EXPECT_EQ(stack, Stack{current});
  }
  EXPECT_EQ(retained, 0);
}

TEST_F(DeviceGuardTest, TheCallersOwnContextOnAnotherDeviceIsCurrentAgain) {
  const Device zero = device(0);
  stack = {&primary_of_1, &callers_own_on_1};
  {
    const DeviceGuard guard(zero);
    EXPECT_EQ(guard.status(), PYC_STATUS_SUCCESS);
    EXPECT_EQ(stack.back(), &primary_of_0);
  }
  EXPECT_EQ(stack, (Stack{&primary_of_1, &callers_own_on_1}));
}

TEST_F(DeviceGuardTest, AThreadWithoutAContextHasNoneAfterwards) {
  const Device one = device(1);
  {
    const DeviceGuard guard(one);
    EXPECT_EQ(stack, Stack{&primary_of_1});
  }
  EXPECT_EQ(stack, Stack());
}

TEST_F(DeviceGuardTest, ThePrimaryContextIsRetainedOnceForAllCopiesOfADevice) {
  const Device one = device(1), copy = one;
  for (const Device *each : {&one, &copy, &one}) const DeviceGuard guard(*each);
  EXPECT_EQ(retained, 1);
}

TEST_F(DeviceGuardTest, WhatTheDriverRefusesIsAStatusAndNothingIsPopped) {
  const Device zero = device(0);
  stack = {&primary_of_1};
  error_of_retain = 2;
  EXPECT_EQ(DeviceGuard(zero).status(), PYC_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(last_error_detail(), "cuDevicePrimaryCtxRetain: unknown error (2)");
  error_of_retain = 0;
  error_of_push = 999;
  EXPECT_EQ(DeviceGuard(zero).status(), PYC_STATUS_DEVICE_ERROR);
  EXPECT_STREQ(last_error_detail(), "cuCtxPushCurrent: unknown error (999)");
  EXPECT_EQ(stack, Stack{&primary_of_1});
}

TEST_F(DeviceGuardTest, AfterTheDriverWasUnloadedTheStatusSaysSo) {
  const Device zero = device(0);
  { const DeviceGuard guard(zero); }
  unloaded = true;
  const Device fresh = device(0);
  stack = {&primary_of_0};
  EXPECT_EQ(DeviceGuard(fresh).status(), PYC_STATUS_DEVICE_ERROR);
  EXPECT_STREQ(last_error_detail(), "cuDevicePrimaryCtxRetain: CUDA_ERROR_DEINITIALIZED (4)");
  EXPECT_EQ(stack, Stack{&primary_of_0});
}

}  // namespace
