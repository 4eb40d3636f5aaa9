#include "hpc/contenders.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::hpc {
namespace {

using workspace::test::SampleWorkspace;

class ContendersTest : public testing::Test {
 protected:
  ContendersTest() {
    context_.workspace = scratch_.workspace();
    first_ = scratch_.add_candidate("first");
    second_ = scratch_.add_candidate("second");
  }
  // `first` becomes the record of its selector, as it is on disk or as somebody else would have it.
  void promote_first() { promote_first(first_.kernel_source_sha256, first_.ref.digest); }
  void promote_first(const std::string &source_sha256, const std::string &digest) {
    workspace::Record record = workspace::test::sample_record("first");
    record.source_sha256 = source_sha256;
    record.digest = digest;
    scratch_.write("kernels/registry/kernels.json",
                   workspace::to_json(workspace::test::registry_of({std::move(record)})));
  }

  SampleWorkspace scratch_;
  Context context_;
  workspace::Candidate first_, second_;
};

TEST_F(ContendersTest, WithoutARecordThereIsNone) {
  const auto chosen = choose_contenders(context_, second_, {});
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(chosen->list.empty());
}

TEST_F(ContendersTest, TheIncumbentGoesByTheDigestOfItsRecord) {
  promote_first();
  const auto chosen = choose_contenders(context_, second_, {});
  ASSERT_TRUE(chosen) << chosen.error().message;
  ASSERT_EQ(chosen->list.size(), 1u);
  EXPECT_EQ(chosen->list[0].role, "incumbent");
  EXPECT_EQ(chosen->list[0].digest, first_.ref.digest);
  EXPECT_EQ(chosen->list[0].symbol, "pyc_gemm_first");
}

TEST_F(ContendersTest, AnIncumbentWithAnotherSourceIsRefused) {
  promote_first(std::string(64, '0'), std::string(64, 'd'));
  const auto refused = choose_contenders(context_, second_, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(refused.error().hint.find("--from first"), std::string::npos);
}

// A header that spins, or a kernel.json that asks for less, would slow the kernel that the candidate has to beat.
TEST_F(ContendersTest, AnIncumbentWhoseOtherFilesChangedIsNotTimedUnderItsDigest) {
  promote_first(first_.kernel_source_sha256, std::string(64, 'd'));
  const auto refused = choose_contenders(context_, second_, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(refused.error().message.find("kernel.cu is the same, but a header"), std::string::npos);
  EXPECT_NE(refused.error().hint.find("git checkout -- kernels/prototypes/first,"), std::string::npos)
      << refused.error().hint;
}

TEST_F(ContendersTest, TheIncumbentIsMeasuredAloneWithAWarning) {
  promote_first();
  const auto chosen = choose_contenders(context_, first_, {});
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(chosen->list.empty());
  ASSERT_EQ(chosen->warnings.size(), 1u);
  EXPECT_EQ(chosen->warnings[0].code, "is_incumbent");
}

TEST_F(ContendersTest, AgainstTheIncumbentItIsTimedOnce) {
  promote_first();
  const auto chosen = choose_contenders(context_, second_, {"first"});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->list.size(), 1u);
}

TEST_F(ContendersTest, AgainstAnotherCandidateGoesByItsDigestOnDisk) {
  const auto chosen = choose_contenders(context_, second_, {"first"});
  ASSERT_TRUE(chosen);
  ASSERT_EQ(chosen->list.size(), 1u);
  EXPECT_EQ(chosen->list[0].role, "against");
  EXPECT_EQ(chosen->list[0].digest, first_.ref.digest);
}

TEST_F(ContendersTest, ANullTestNeedsNoIncumbentAndTimesItOnlyWhereItIsAskedFor) {
  promote_first(std::string(64, '0'), std::string(64, 'd'));
  const auto alone = choose_contenders(context_, second_, {}, true);
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_TRUE(alone->list.empty());
  const auto asked = choose_contenders(context_, second_, {"first"}, true);
  ASSERT_TRUE(asked) << asked.error().message;
  ASSERT_EQ(asked->list.size(), 1u);
  EXPECT_EQ(asked->list[0].role, "against");
}

TEST_F(ContendersTest, AgainstItselfIsRefused) { EXPECT_FALSE(choose_contenders(context_, second_, {"second"})); }

}  // namespace
}  // namespace pyc::hpc
