#include "compiler/runtime/chain.h"

#include <gtest/gtest.h>

#include "compiler/runtime/errors.h"

namespace {

using namespace pyc::runtime;

// A kernel that would write behind a workspace that is too small.
class HungryPlan : public Plan {
 public:
  pyc_status run(const Call &) const override { return PYC_STATUS_INTERNAL_ERROR; }
  size_t workspace_bytes() const override { return PYC_WORKSPACE_BYTES + 1; }
  const char *symbol() const override { return "hungry"; }
};

TEST(Chain, APlanThatNeedsMoreThanAContextGivesDoesNotRunWithLess) {
  Workspaces workspaces;
  Chain chain(Settings(), workspaces);
  EXPECT_EQ(chain.run(HungryPlan(), {}), PYC_STATUS_WORKSPACE_TOO_SMALL);
  EXPECT_STREQ(last_error_detail(), "workspace is NULL: the plan needs 33554433 bytes, the context gives 33554432");
}

}  // namespace
