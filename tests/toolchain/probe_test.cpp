#include "toolchain/probe.h"

#include <gtest/gtest.h>

#include "tests/toolchain/fake_machine.h"

namespace {

using namespace pyc::toolchain;
using pyc::test::contains;
using pyc::test::FakeMachine;

TEST(Probe, OneThatHangsIsEndedAndToldApartFromOneThatFails) {
  FakeMachine machine;
  const auto program = machine.program("bin/nvcc", "sleep 1000");
  const auto answer = ask(program, {"--version"}, machine.environment, std::chrono::milliseconds(100));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, pyc::ErrorKind::kUnavailable);
  EXPECT_TRUE(contains(answer.error().message, "time limit")) << answer.error().message;
  EXPECT_TRUE(contains(answer.error().message, "nvcc --version")) << answer.error().message;
}

TEST(Probe, OneThatIsKilledIsToldBySignal) {
  FakeMachine machine;
  const auto answer = ask(machine.program("bin/nvcc", "kill -KILL $$"), {}, machine.environment);
  ASSERT_FALSE(answer);
  EXPECT_TRUE(contains(answer.error().message, "signal 9")) << answer.error().message;
}

TEST(Probe, AFloodIsBounded) {
  FakeMachine machine;
  const auto answer = ask(machine.program("bin/nvcc", "head -c 10000000 /dev/zero"), {}, machine.environment);
  EXPECT_LT(answer->size(), 100000u);
}

TEST(Probe, FirstLineSkipsEmptyOnesAndIsPrintable) {
  EXPECT_EQ(first_line("\n  \r\n  g++ 12\x1b[0m \nmore"), "g++ 12\\x1b[0m");
  EXPECT_EQ(first_line(" \n"), "");
}

}  // namespace
