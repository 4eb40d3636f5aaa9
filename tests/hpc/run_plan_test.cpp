#include "hpc/run_plan.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::hpc {
namespace {

using workspace::test::SampleWorkspace;

class RunPlanTest : public testing::Test {
 protected:
  RunPlanTest() { context_.workspace = scratch_.workspace(); }

  void add(const workspace::Requires &requirements = {}) {
    workspace::NewCandidate fresh = workspace::test::sample_candidate("x");
    fresh.contract.requirements = requirements;
    ASSERT_TRUE(workspace::write_candidate(scratch_.workspace(), fresh));
  }
  Result<RunPlan> plan(const std::vector<evidence::Shape> &shapes, bool odd_twins = true) {
    RunOptions options;
    options.name = "x";
    options.shapes = shapes;
    return plan_run(context_, "validate", options, odd_twins);
  }

  SampleWorkspace scratch_;
  Context context_;
};

TEST_F(RunPlanTest, EveryShapeGetsAnOddTwinThatIsNotTimed) {
  add();
  const auto planned = plan({{1024, 1024, 1024}});
  ASSERT_TRUE(planned);
  ASSERT_EQ(planned->request.shapes.size(), 2u);
  EXPECT_TRUE(planned->request.shapes[0].timed);
  const auto &twin = planned->request.shapes[1];
  EXPECT_FALSE(twin.timed);
  EXPECT_EQ(twin.shape.m % 2 + twin.shape.n % 2 + twin.shape.k % 2, 3);
}

TEST_F(RunPlanTest, WithoutShapesTheFamilysOwnAreTaken) {
  add();
  const auto planned = plan({}, false);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->request.shapes.size(), 4u);  // the square set
  EXPECT_TRUE(planned->warnings.empty());
}

TEST_F(RunPlanTest, ALooseToleranceIsWarnedOf) {
  workspace::NewCandidate fresh = workspace::test::sample_candidate("x");
  fresh.contract.tolerance = evidence::Tolerance{1, 1};
  ASSERT_TRUE(workspace::write_candidate(scratch_.workspace(), fresh));
  const auto planned = plan({}, false);
  ASSERT_TRUE(planned);
  ASSERT_EQ(planned->warnings.size(), 1u);
  EXPECT_EQ(planned->warnings[0].code, "loose_tolerance");
}

TEST_F(RunPlanTest, AShapeThatIsGivenTwiceIsRunOnce) {
  add();
  const auto planned = plan({{1024, 1024, 1024}, {1024, 1024, 1024}}, false);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->request.shapes.size(), 1u);
}

TEST_F(RunPlanTest, AShapeThatNoDeviceHoldsIsRefusedBeforeItsBytesOverflow) {
  add();
  for (const evidence::Shape &shape : {evidence::Shape{std::int64_t{1} << 31, std::int64_t{1} << 31, 1},
                                       {1, std::int64_t{3} << 40, 1},
                                       {1, 1, INT64_MAX}}) {
    const auto refused = plan({shape});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(refused.error().message.find(to_string(shape)), std::string::npos) << refused.error().message;
  }
  EXPECT_TRUE(plan({{std::int64_t{1} << 31, 1, 1}}));
}

TEST_F(RunPlanTest, AShapeThatTheKernelWouldRefuseIsRefusedBefore) {
  workspace::Requires requirements;
  requirements.k_multiple = 8;
  add(requirements);
  const auto refused = plan({{1024, 1024, 1020}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(refused.error().message.find("1024x1024x1020"), std::string::npos);
}

TEST_F(RunPlanTest, ATwinThatTheKernelWouldRefuseIsLeftOut) {
  workspace::Requires requirements;
  requirements.k_multiple = 8;
  add(requirements);
  const auto planned = plan({{1024, 1024, 1024}});
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->request.shapes.size(), 1u);
}

TEST_F(RunPlanTest, AShapeOfAnotherFamilyIsAWarning) {
  add();
  const auto planned = plan({{64, 64, 64}});
  ASSERT_TRUE(planned);
  ASSERT_EQ(planned->warnings.size(), 1u);
  EXPECT_EQ(planned->warnings[0].code, "shape_outside_family");
}

TEST_F(RunPlanTest, TheSeedIsTheSameEveryTimeAndTheNonceIsNot) {
  add();
  const auto first = plan({}), second = plan({});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->request.seed, second->request.seed);
  EXPECT_NE(first->request.nonce, second->request.nonce);
}

}  // namespace
}  // namespace pyc::hpc
