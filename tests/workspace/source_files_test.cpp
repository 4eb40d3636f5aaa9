#include "workspace/source_files.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

using test::SampleWorkspace;

std::vector<std::string> names_in(const std::string &source) {
  const auto includes = includes_of(source);
  EXPECT_TRUE(includes) << includes.error().message;
  std::vector<std::string> names;
  if (!includes) return names;
  for (const Include &include : *includes) names.push_back((include.quoted ? "\"" : "<") + include.name);
  return names;
}

TEST(Includes, AreFoundInEveryWriting) {
  EXPECT_EQ(names_in("#include \"a.h\"\n  #  include <b.h> // why\n#include/**/\"c.h\"\r\n/* x */ #include \"d.h\""),
            (std::vector<std::string>{"\"a.h", "<b.h", "\"c.h", "\"d.h"}));
  EXPECT_EQ(names_in("#inc\\\nlude \"a.h\"\n#include \\\r\n \"b.h\"\n"), (std::vector<std::string>{"\"a.h", "\"b.h"}));
  EXPECT_EQ(names_in("%:include \"a.h\"\n#include_next \"b.h\"\n#import \"c.h\"\n"),
            (std::vector<std::string>{"\"a.h", "\"b.h", "\"c.h"}));
  EXPECT_EQ(names_in("/* a comment\n ends here */ #include \"a.h\"\n"), (std::vector<std::string>{"\"a.h"}));
}

TEST(Includes, AreFoundBehindConditions) {
  EXPECT_EQ(names_in("#if 0\n#include \"a.h\"\n#endif\n"), (std::vector<std::string>{"\"a.h"}));
}

TEST(Includes, AreNotSeenWhereThereIsNone) {
  EXPECT_EQ(
      names_in("int a = '#'; // #include \"a.h\"\n#define X \"include\"\n * #include \"b.h\"\nputs(\"#include\");"),
      (std::vector<std::string>{}));
}

TEST(Includes, ThatOnlyThePreprocessorCanTellAreRefused) {
  for (const char *source : {"#define H \"a.h\"\n#include H\n", "#include\n", "#include \"a.h\n"}) {
    const auto includes = includes_of(source);
    ASSERT_FALSE(includes) << source;
    EXPECT_EQ(includes.error().kind, ErrorKind::kInvalid);
  }
}

std::vector<std::string> files_of(const SampleWorkspace &sample, const std::string &root) {
  const auto files = source_files(sample.workspace(), {root});
  EXPECT_TRUE(files) << files.error().message;
  std::vector<std::string> names;
  if (!files) return names;
  for (const SourceFile &file : *files) names.push_back(file.path);
  return names;
}

TEST(SourceFiles, FollowsProjectHeadersToTheEnd) {
  const SampleWorkspace sample;
  sample.write("src/a.cu", "#include <cuda_runtime.h>\n#include \"b.h\"\n#include <pyc/kernel.h>\n");
  sample.write("src/b.h", "#include \"deep/c.h\"\n#include \"harness.h\"\n");
  sample.write("src/deep/c.h", "#include \"../b.h\"\n#include \"deep/c.h\"\n#include \"nowhere.h\"\n");
  EXPECT_EQ(files_of(sample, "src/a.cu"), (std::vector<std::string>{"include/pyc/kernel.h", "kernels/harness/harness.h",
                                                                    "src/a.cu", "src/b.h", "src/deep/c.h"}));
}

TEST(SourceFiles, BracketsDoNotFindFilesBeside) {
  const SampleWorkspace sample;
  sample.write("src/a.cu", "#include <b.h>\n");
  sample.write("src/b.h", "");
  EXPECT_EQ(files_of(sample, "src/a.cu"), (std::vector<std::string>{"src/a.cu"}));
}

TEST(SourceFiles, RefusesAHeaderOutsideTheWorkspace) {
  const SampleWorkspace sample, other;
  const auto outside = other.write("secret.h", "");
  sample.write("src/a.cu", "#include \"" + outside.string() + "\"\n");
  const auto files = source_files(sample.workspace(), {"src/a.cu"});
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().message.find("secret.h"), std::string::npos);
}

TEST(SourceFiles, NamesTheFileWhoseIncludeCannotBeFollowed) {
  const SampleWorkspace sample;
  sample.write("src/a.cu", "#include \"b.h\"\n");
  sample.write("src/b.h", "#include HEADER\n");
  const auto files = source_files(sample.workspace(), {"src/a.cu"});
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().message.find("src/b.h"), std::string::npos);
}

TEST(SourceFiles, SeesAHeaderThatChangedWithinTheProcess) {
  const SampleWorkspace sample;
  sample.write("src/a.cu", "#include \"b.h\"\n");
  sample.write("src/b.h", "int x;");
  const auto before = source_files(sample.workspace(), {"src/a.cu"});
  sample.write("src/b.h", "int xy;");
  const auto after = source_files(sample.workspace(), {"src/a.cu"});
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->back().sha256, after->back().sha256);
  EXPECT_EQ(before->front().sha256, after->front().sha256);
}

TEST(SourceFiles, ANeededFileThatIsMissingIsAnError) {
  const SampleWorkspace sample;
  const auto files = source_files(sample.workspace(), {"kernels/prototypes/x/kernel.cu"});
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().message.find("kernel.cu"), std::string::npos);
}

}  // namespace
}  // namespace pyc::workspace
