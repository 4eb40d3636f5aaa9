#include <algorithm>
#include <gtest/gtest.h>

#include "evidence/documents.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

// The whole path with the fakes: only the figures are not real.
class WholePath : public testing::Test {
 protected:
  std::string validate(const std::string &name, const std::vector<std::string> &more = {}) {
    return path({"hpc", "validate", "--name", name}, more);
  }
  std::string bench(const std::string &name, const std::vector<std::string> &more = {}) {
    return path({"hpc", "bench", "--name", name}, more);
  }
  Outcome promote(const std::string &name, const std::string &validation, const std::string &benchmark,
                  const std::vector<std::string> &more = {}) {
    std::vector<std::string> words = {
        "hpc", "promote", "--name", name, "--validation-result", validation, "--benchmark-result", benchmark};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }
  std::string registry() const { return pyc::test::slurp(scratch_ / "kernels/registry/kernels.json"); }

  // Times that an H200 could show at the square set.
  void SetUp() override {
    scratch_.create("first");
    scratch_.set("PYC_FAKE_CANDIDATE_NS", "9000000");
    scratch_.set("PYC_FAKE_INCUMBENT_NS", "9000000");
  }

  Scratch scratch_;

 private:
  std::string path(std::vector<std::string> words, const std::vector<std::string> &more) {
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = scratch_.run(words);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    return run.line();
  }
};

TEST_F(WholePath, ABootstrapThenAFasterCandidateReplacesIt) {
  const std::string validation = validate("first"), benchmark = bench("first");
  const Outcome first = promote("first", validation, benchmark, {"--bootstrap"});
  ASSERT_EQ(first.exit_code, 0) << first.output << first.errors;
  EXPECT_EQ(first.output.rfind("1  ", 0), 0u) << first.output;
  EXPECT_TRUE(contains(first.output, "\n7  ")) << first.output;
  EXPECT_TRUE(contains(first.output, "\nverdict: ")) << first.output;
  EXPECT_TRUE(contains(registry(), "\"first\""));

  scratch_.create("second");
  scratch_.set("PYC_FAKE_CANDIDATE_NS", "8000000");
  const Outcome second = promote("second", validate("second"), bench("second"));
  EXPECT_EQ(second.exit_code, 0) << second.output << second.errors;
  EXPECT_TRUE(contains(registry(), "\"second\""));
  EXPECT_EQ(scratch_.run({"hpc", "sync", "--check"}).exit_code, 0);
  EXPECT_TRUE(contains(scratch_.run({"hpc", "list"}).output, "promoted"));
}

TEST_F(WholePath, ExplainShowsEveryShapeAndTheAttempt) {
  const std::string validation = validate("first"), benchmark = bench("first");
  const Outcome run = promote("first", validation, benchmark, {"--bootstrap", "--explain"});
  EXPECT_EQ(run.exit_code, 0) << run.output << run.errors;
  EXPECT_TRUE(contains(run.output, "1024x1024x1024")) << run.output;
  EXPECT_TRUE(contains(run.output, "attempt 1 of this digest")) << run.output;
}

TEST_F(WholePath, SwappedEvidenceIsToldWhichVerbPrintsThePath) {
  const std::string validation = validate("first"), benchmark = bench("first");
  const Outcome run = promote("first", benchmark, validation, {"--bootstrap"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "--validation-result takes the path that 'pyc hpc validate' printed")) << run.errors;
}

TEST_F(WholePath, ACandidateThatIsNotFasterIsRefusedAndNothingChanges) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  const std::string before = registry();
  scratch_.create("second");
  const Outcome run = promote("second", validate("second"), bench("second"));
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_TRUE(contains(run.output, "refused")) << run.output;
  EXPECT_EQ(registry(), before);
}

// The candidate is 2 % faster give or take what its samples differ: no number of them decides it.
class OpenVerdict : public WholePath {
 protected:
  void SetUp() override {
    WholePath::SetUp();
    ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
    scratch_.create("second");
    scratch_.set("PYC_FAKE_INCUMBENT_NS", "9180000");
    scratch_.set("PYC_FAKE_SPREAD", "0.004");
  }
  evidence::Benchmark timed(std::vector<std::string> more) {
    more.insert(more.end(), {"--repeats", "20"});
    return value_of(evidence::read_benchmark(scratch_ / bench("second", more)));
  }
  static std::size_t samples(const evidence::Benchmark &document) {
    return document.shapes.at(0).find("candidate")->cold_ns.size();
  }
};

TEST_F(OpenVerdict, GetsSamplesUpToFourTimesTheRepeats) {
  const evidence::Benchmark document = timed({});
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kCompleted);
  EXPECT_EQ(document.passes, 3);
  EXPECT_EQ(document.max_repeats, 80);
  EXPECT_EQ(samples(document), 80u);
  const std::vector<std::int64_t> &order = document.shapes.at(0).find("candidate")->cold_order;
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(OpenVerdict, GetsNoMoreThanWereAllowed) {
  EXPECT_EQ(samples(timed({"--max-repeats", "30"})), 30u);
  EXPECT_EQ(samples(timed({"--max-repeats", "20"})), 20u);
  EXPECT_EQ(scratch_.run({"hpc", "bench", "--name", "second", "--repeats", "20", "--max-repeats", "19"}).exit_code, 2);
}

TEST_F(OpenVerdict, IsJudgedByTheWiderInterval) {
  const std::string validation = validate("second"), benchmark = bench("second");
  const Outcome run = promote("second", validation, benchmark);
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_TRUE(contains(run.output, "98.33 % interval")) << run.output;
}

TEST_F(OpenVerdict, ADecidedOneGetsNoMore) {
  scratch_.set("PYC_FAKE_INCUMBENT_NS", "12000000");
  const evidence::Benchmark document = timed({});
  EXPECT_EQ(document.passes, 1);
  EXPECT_EQ(samples(document), 20u);
}

TEST_F(WholePath, WhateverLiesAmongTheEvidenceOfOthersIsNoHindrance) {
  const std::string validation = validate("first"), benchmark = bench("first");
  scratch_.create("other");
  const std::string shown = scratch_.run({"hpc", "show", "first"}).output;
  const std::string whole = pyc::test::slurp(scratch_ / benchmark), half = whole.substr(0, whole.size() / 2);
  for (const std::string kind : {"validation", "benchmark", "profile", "promotion", "tuning"}) {
    for (const std::string who : {"other", "nobody"}) {
      const std::string stem = "kernels/results/" + who + "-" + kind + "-20990101T00000000";
      int number = 0;
      const auto next = [&] { return stem + std::to_string(number++) + "Z.json"; };
      for (const std::string &text : {std::string(), std::string("\0\xff", 2), std::string(100000, '['), half, whole,
                                      std::string("{\"schema\": \"pyc.evidence/1\", \"kind\": 5, \"seal\": []}\n")})
        scratch_.write(next(), text);
      std::filesystem::create_directory(scratch_ / next());
      std::filesystem::create_symlink("/dev/zero", scratch_ / next());
      std::filesystem::create_symlink("nowhere", scratch_ / next());
    }
  }
  EXPECT_EQ(scratch_.run({"hpc", "show", "first"}).output, shown);
  EXPECT_EQ(scratch_.run({"hpc", "show", "other"}).exit_code, 0);
  const Outcome listed = scratch_.run({"hpc", "list"});
  EXPECT_EQ(listed.exit_code, 0) << listed.errors;
  EXPECT_TRUE(contains(listed.output, "benchmarked  passed")) << listed.output;
  EXPECT_EQ(scratch_.run({"hpc", "compare", benchmark, benchmark}).exit_code, 0);
  EXPECT_EQ(scratch_.run({"hpc", "tune", "gemm", "--name", "tuned", "--dry-run", "--budget", "2"}).exit_code, 0);
  EXPECT_EQ(promote("first", validation, benchmark, {"--bootstrap"}).exit_code, 0);
}

// Evidence that cannot be used is an input error, and nothing changes.
class UnusableEvidence : public WholePath, public testing::WithParamInterface<std::string> {
 protected:
  // The path of a validation that has the defect of this name.
  std::string defective(const std::string &defect) {
    if (defect == "absent") return "kernels/results/none.json";
    if (defect == "planned") return validate("first", {"--dry-run"});
    if (defect == "another_kind") return bench("first");
    const std::string path = validate("first");
    if (defect == "another_candidate") return scratch_.create("other"), validate("other");
    if (defect == "another_digest") return append("kernels/prototypes/first/kernel.cu", "// changed\n"), path;
    std::string text = pyc::test::slurp(scratch_ / path);
    if (defect == "truncated") text.resize(text.size() / 2);
    if (defect == "edited") text.replace(text.find("NVIDIA H200"), 11, "NVIDIA H100");
    scratch_.write(path, text);
    return path;
  }

 private:
  void append(const std::string &file, const std::string &text) {
    scratch_.write(file, pyc::test::slurp(scratch_ / file) + text);
  }
};

TEST_P(UnusableEvidence, IsExitTwoAndChangesNothing) {
  const std::string benchmark = bench("first"), validation = defective(GetParam()), before = registry();
  const Outcome run = promote("first", validation, benchmark, {"--bootstrap"});
  EXPECT_EQ(run.exit_code, 2) << run.output << run.errors;
  EXPECT_TRUE(contains(run.errors, "error: ")) << run.errors;
  EXPECT_EQ(registry(), before);
}

INSTANTIATE_TEST_SUITE_P(PromoteVerb, UnusableEvidence,
                         testing::Values("absent", "planned", "another_kind", "another_candidate", "another_digest",
                                         "truncated", "edited"),
                         [](const auto &info) { return info.param; });

TEST_F(WholePath, AnIncumbentThatWasEditedStopsTheBenchmark) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  const std::string source = pyc::test::slurp(scratch_ / "kernels/prototypes/first/kernel.cu");
  scratch_.write("kernels/prototypes/first/kernel.cu", source + "\n");
  scratch_.create("second");
  const Outcome run = scratch_.run({"hpc", "bench", "--name", "second", "--dry-run"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "'first' is not what was promoted: kernel.cu has changed")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "--from first")) << run.errors;
}

TEST_F(WholePath, AnEditedPromotedKernelIsNoLongerListedAsPromoted) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  EXPECT_TRUE(contains(scratch_.run({"hpc", "list", "--status", "promoted"}).output, "first"));
  const std::string path = "kernels/prototypes/first/kernel.cu", source = pyc::test::slurp(scratch_ / path);
  scratch_.write(path, source + "\n");
  const Outcome run = scratch_.run({"hpc", "list", "--status", "edited"});
  EXPECT_TRUE(contains(run.output, "first")) << run.output;
  EXPECT_TRUE(contains(run.errors, "edited_since_promotion: 'first' is not what was promoted: kernel.cu has changed"))
      << run.errors;
  EXPECT_EQ(scratch_.run({"hpc", "list", "--status", "promoted"}).output, "");
  const Outcome doctor = scratch_.run({"hpc", "doctor"});
  EXPECT_TRUE(contains(doctor.output, "warning  registry")) << doctor.output;
  const Outcome show = scratch_.run({"hpc", "show", "first"});
  EXPECT_TRUE(contains(show.output, "older: kernels/prototypes/first/kernel.cu has changed")) << show.output;
  EXPECT_TRUE(contains(show.errors, "next: git checkout")) << show.errors;
}

TEST_F(WholePath, APromotedKernelWhoseFolderIsGoneIsListedAsBroken) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  std::filesystem::remove_all(scratch_ / "kernels/prototypes/first");
  const Outcome run = scratch_.run({"hpc", "list"});
  EXPECT_TRUE(contains(run.output, "broken")) << run.output;
  EXPECT_TRUE(contains(run.errors, "'first' is promoted, and its folder cannot be read")) << run.errors;
}

TEST_F(WholePath, ShowTellsTheStoryOfBothSidesOfAReplacement) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  scratch_.create("second");
  const std::string too_slow = bench("second");
  ASSERT_EQ(promote("second", validate("second"), too_slow).exit_code, 1);
  scratch_.set("PYC_FAKE_CANDIDATE_NS", "8000000");
  const std::string validation = validate("second"), benchmark = bench("second");
  const Outcome before = scratch_.run({"hpc", "show", "second"});
  EXPECT_TRUE(contains(before.errors, "next: pyc hpc promote --name second --validation-result " + validation))
      << before.errors;
  ASSERT_EQ(promote("second", validation, benchmark).exit_code, 0);

  const Outcome second = scratch_.run({"hpc", "show", "second"});
  EXPECT_EQ(second.exit_code, 0) << second.errors;
  for (const char *part : {"promoted on NVIDIA H200", "HISTORY", "\nfirst", "bootstrap", "ATTEMPT TO PROMOTE",
                           "5 speed", " shapes passed", "incumbent/candidate 1.12", "as on disk"})
    EXPECT_TRUE(contains(second.output, part)) << part << "\n" << second.output;
  const Outcome first = scratch_.run({"hpc", "show", "first"});
  EXPECT_TRUE(contains(first.output, "since replaced by 'second'")) << first.output;
  EXPECT_TRUE(contains(scratch_.run({"hpc", "show", "first", "--json"}).output, "\"former_record\": {"));
}

TEST_F(WholePath, AReplacedKernelWithoutNewEvidenceIsListedAsReplaced) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  scratch_.create("second");
  scratch_.set("PYC_FAKE_CANDIDATE_NS", "8000000");
  ASSERT_EQ(promote("second", validate("second"), bench("second")).exit_code, 0);
  std::filesystem::remove_all(scratch_ / "kernels/results");
  EXPECT_TRUE(contains(scratch_.run({"hpc", "list", "--status", "replaced"}).output, "first"));
}

TEST_F(WholePath, TheIncumbentItselfIsMeasuredAloneWithAWarning) {
  ASSERT_EQ(promote("first", validate("first"), bench("first"), {"--bootstrap"}).exit_code, 0);
  const Outcome run = scratch_.run({"hpc", "bench", "--name", "first"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "is_incumbent")) << run.errors;
}

}  // namespace
}  // namespace pyc::cli::test
