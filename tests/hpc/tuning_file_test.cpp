#include "hpc/tuning_file.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::hpc {
namespace {

using workspace::test::SampleWorkspace;

class TuningFileTest : public testing::Test {
 protected:
  TuningFileTest() {
    context_.workspace = scratch_.workspace();
    fresh_.name = "tuned";
    fresh_.key = std::string(64, 'a');
    fresh_.budget = "200 tries";
  }

  Result<TuningFile> open(bool restart = false) { return TuningFile::open(context_, fresh_, restart); }

  SampleWorkspace scratch_;
  Context context_;
  evidence::Tuning fresh_;
};

TEST_F(TuningFileTest, BeginsAfreshAndThenGoesOn) {
  {
    auto file = open();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_FALSE(std::filesystem::exists(file->path())) << "nothing is written before there is something to keep";
    file->document().sets.resize(1);
    file->document().elapsed_ns = 5;
    ASSERT_TRUE(file->save(context_));
  }
  fresh_.budget = "400 tries";
  const auto again = open();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->document().sets.size(), 1u);
  EXPECT_EQ(again->document().elapsed_ns, 5);
  EXPECT_EQ(again->document().budget, "400 tries") << "what this run was told";
}

TEST_F(TuningFileTest, OneProcessAtATimeIsAtASearch) {
  const auto held = open();
  ASSERT_TRUE(held);
  const auto refused = open();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(refused.error().message.find("another process"), std::string::npos);
  fresh_.key = std::string(64, 'b');
  EXPECT_TRUE(open()) << "another search is not held up";
}

TEST_F(TuningFileTest, WhatCannotBeReadIsRefusedAndLeftAlone) {
  const std::string name = "kernels/results/" + evidence::tuning_file_name("tuned", fresh_.key);
  for (const std::string &text : {std::string("{"), to_json(evidence::Tuning{})}) {
    scratch_.write(name, text);
    const auto refused = open();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(refused.error().hint.find("--restart"), std::string::npos);
    EXPECT_EQ(pyc::test::slurp(scratch_ / name), text);
    EXPECT_TRUE(open(true)) << "told to restart";
  }
}

}  // namespace
}  // namespace pyc::hpc
