#include "hpc/runtime_figures.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

evidence::KernelLaunch launch(std::int64_t blocks, int registers) {
  evidence::KernelLaunch launch;
  launch.grid[0] = blocks;
  launch.grid[1] = launch.grid[2] = 1;
  launch.registers_per_thread = registers;
  launch.static_shared_bytes = 100;
  launch.dynamic_shared_bytes = 20;
  launch.occupancy = 0.5;
  return launch;
}

evidence::ShapeValidation shape(bool timed, std::vector<evidence::KernelLaunch> kernels) {
  evidence::ShapeValidation shape;
  shape.timed = timed;
  shape.launches = evidence::Launches{"ok", 0, std::move(kernels)};
  return shape;
}

TEST(RuntimeFigures, ComeFromTheLargestKernelOfTheFirstTimedShape) {
  evidence::Validation validation;
  validation.shapes = {shape(false, {launch(999, 1)}), shape(true, {launch(4, 32), launch(64, 96)}),
                       shape(true, {launch(1000, 200)})};
  workspace::RuntimeFigures known;
  known.priority = 7;
  const auto figures = measured_figures(validation, known);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->registers_per_thread, 96);
  EXPECT_EQ(figures->shared_memory_bytes, 120);
  EXPECT_EQ(figures->occupancy_estimate, 0.5);
  EXPECT_EQ(figures->register_pressure, "medium");
  EXPECT_EQ(figures->priority, 7);
}

evidence::Check repeat(bool deterministic) {
  evidence::Check check;
  check.check = "repeat", check.status = "passed", check.deterministic = deterministic;
  return check;
}

TEST(RuntimeFigures, OneShapeWithOtherBitsMakesTheKernelNotDeterministic) {
  evidence::Validation validation;
  validation.shapes = {shape(true, {launch(4, 32)}), shape(false, {})};
  EXPECT_FALSE(measured_figures(validation, {})->deterministic) << "nothing was repeated";
  for (evidence::ShapeValidation &one : validation.shapes) one.checks = {repeat(true)};
  EXPECT_EQ(measured_figures(validation, {})->deterministic, true);
  validation.shapes[1].checks = {repeat(false)};
  EXPECT_EQ(measured_figures(validation, {})->deterministic, false);
}

TEST(RuntimeFigures, AQuickRunDoesNotTellWhetherAKernelIsDeterministic) {
  evidence::Validation validation;
  validation.shapes = {shape(true, {launch(4, 32)})};
  validation.shapes[0].checks = {repeat(true)};
  validation.depth = "quick";
  workspace::RuntimeFigures known;
  known.deterministic = true;
  EXPECT_FALSE(measured_figures(validation, known)->deterministic);
}

TEST(RuntimeFigures, StackAndSpillsAreWhatPtxasSaid) {
  evidence::Validation validation;
  validation.shapes = {shape(true, {launch(4, 32)})};
  validation.ptxas = ptxas_figures(
      "ptxas info    : Compiling entry function 'gemm' for 'sm_90a'\n"
      "    24 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Used 96 registers, used 1 barriers, 1024 bytes smem\n");
  ASSERT_TRUE(validation.ptxas);
  EXPECT_EQ(validation.ptxas->registers_per_thread, 96);
  EXPECT_EQ(validation.ptxas->static_shared_bytes, 1024);
  EXPECT_EQ(measured_figures(validation, {})->stack_bytes, 24);
  EXPECT_EQ(measured_figures(validation, {})->spill_bytes, 20);
  EXPECT_FALSE(ptxas_figures("nothing was compiled"));
}

TEST(RuntimeFigures, AreAbsentWhereNoLaunchWasSeen) {
  evidence::Validation validation;
  validation.shapes = {shape(true, {})};
  EXPECT_FALSE(measured_figures(validation, {}));
}

TEST(RuntimeFigures, PressureChangesAboveSixtyFourAndAboveOneHundredTwentyEight) {
  EXPECT_EQ(register_pressure(64), "low");
  EXPECT_EQ(register_pressure(65), "medium");
  EXPECT_EQ(register_pressure(128), "medium");
  EXPECT_EQ(register_pressure(129), "high");
}

}  // namespace
}  // namespace pyc::hpc
