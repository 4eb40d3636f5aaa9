#include "workspace/workspace.h"

#include <gtest/gtest.h>
#include <regex>

#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

using test::SampleWorkspace;

TEST(FindWorkspace, WalksUpToTheRegistry) {
  const SampleWorkspace sample;
  std::filesystem::create_directories(sample / "kernels/prototypes/deep/er");
  const auto found = find_workspace("", "", sample / "kernels/prototypes/deep/er/");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->root, sample.folder().path());
}

TEST(FindWorkspace, AnOptionWinsOverTheEnvironmentAndBothOverTheFolder) {
  const SampleWorkspace here, by_option, by_environment;
  const auto root = [&](const std::string &option, const std::string &environment) {
    return find_workspace(option, environment, here.folder().path())->root;
  };
  EXPECT_EQ(root(by_option.folder().path(), by_environment.folder().path()), by_option.folder().path());
  EXPECT_EQ(root("", by_environment.folder().path()), by_environment.folder().path());
  EXPECT_EQ(root("", ""), here.folder().path());
}

TEST(FindWorkspace, ANamedFolderIsNotSearchedUpwards) {
  const SampleWorkspace sample;
  const auto found = find_workspace(sample / "kernels", "", sample.folder().path());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(found.error().message.find("--workspace"), std::string::npos);
}

TEST(FindWorkspace, SaysWhereTheSearchBegan) {
  const pyc::test::TemporaryFolder empty;
  const auto found = find_workspace("", "", empty.path());
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find(empty.path().string()), std::string::npos);
}

TEST(Workspace, RelativePathsAreForThoseInside) {
  const Workspace workspace{"/a/b"};
  EXPECT_EQ(workspace.relative("/a/b/kernels/x"), "kernels/x");
  EXPECT_EQ(workspace.relative("/a/b/kernels/../x"), "x");
  EXPECT_EQ(workspace.relative("/a/c"), "/a/c");
}

TEST(CandidateName, FollowsThePattern) {
  const std::string good[] = {"a", "tiled_fp32_v1", "a_", "explain2", std::string(63, 'a')};
  for (const std::string &name : good) {
    EXPECT_TRUE(is_candidate_name(name)) << name;
  }
  const std::string bad[] = {"",
                             "..",
                             "../x",
                             "a/b",
                             "Tiled",
                             "1a",
                             "_a",
                             "a-b",
                             "a b",
                             "a;",
                             "a\n",
                             "\xc3\xa9",
                             std::string(64, 'a'),
                             std::string(200, 'a'),
                             std::string("a\0b", 3)};
  for (const std::string &name : bad) {
    EXPECT_FALSE(is_candidate_name(name)) << name;
    const Status status = check_candidate_name(name);
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(status.error().hint.find("lower-case"), std::string::npos);
    EXPECT_LT(status.error().message.size(), 200u);
  }
}

// A candidate `explain` would define pyc_gemm_explain, which the C API has.
TEST(CandidateName, DoesNotTakeANameOfThePublicHeaders) {
  std::string headers;
  for (const auto &entry : std::filesystem::directory_iterator(test::source_workspace().include() / "pyc")) {
    headers += pyc::test::slurp(entry.path());
  }
  const std::regex pattern("pyc_gemm_([a-z0-9_]+)");
  int seen = 0;
  for (std::sregex_iterator match(headers.begin(), headers.end(), pattern), end; match != end; ++match, ++seen) {
    EXPECT_FALSE(is_candidate_name(match->str(1))) << match->str();
  }
  EXPECT_GT(seen, 5);
  EXPECT_FALSE(is_candidate_name("x_workspace"));
}

TEST(CandidateNames, AreTheFoldersWithAContractSorted) {
  const SampleWorkspace sample;
  EXPECT_TRUE(candidate_names(sample.workspace()).empty());
  for (const char *name : {"beta", "alpha", ".alpha.staged-1-0"}) {
    sample.write(std::string("kernels/prototypes/") + name + "/kernel.json", "{}");
  }
  sample.write("kernels/prototypes/legacy.cu", "");
  sample.write("kernels/prototypes/notes/readme.txt", "");
  EXPECT_EQ(candidate_names(sample.workspace()), (std::vector<std::string>{"alpha", "beta"}));
}

TEST(RequireCandidate, NamesTheNearest) {
  const SampleWorkspace sample;
  sample.write("kernels/prototypes/tiled_fp32/kernel.json", "{}");
  EXPECT_TRUE(require_candidate(sample.workspace(), "tiled_fp32"));
  const Status missing = require_candidate(sample.workspace(), "tiled_fp23");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(missing.error().message.find("'tiled_fp23'"), std::string::npos);
  EXPECT_NE(missing.error().hint.find("'tiled_fp32'"), std::string::npos);
  EXPECT_FALSE(require_candidate(sample.workspace(), "../registry"));
}

TEST(RequireCandidate, AFolderWithoutAContractIsNotCalledAbsent) {
  const SampleWorkspace sample;
  sample.write("kernels/prototypes/mine/kernel.cu", "");
  const Status missing = require_candidate(sample.workspace(), "mine");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "'kernels/prototypes/mine' has no kernel.json");
}

}  // namespace
}  // namespace pyc::workspace
