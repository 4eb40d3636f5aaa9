#include <algorithm>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/hash.h"
#include "evidence/documents.h"
#include "hpc/verbs.h"
#include "tests/hpc/evidence_fixture.h"

namespace pyc::hpc {
namespace {

using test::slurp;

class Promote : public testing::Test {
 protected:
  // Evidence for `name` as the tool would have made it just now, against the incumbent if there is one.
  PromoteOptions evidence_for(const std::string &name, const test::Pace &pace = {}) {
    const workspace::Candidate candidate = scratch_.read(name);
    const workspace::Registry registry = scratch_.registry();
    const workspace::Entry *entry = registry.find(candidate.ref.selector, candidate.ref.arch);
    PromoteOptions options;
    options.name = name;
    options.validation_result = scratch_.write(test::good_validation(candidate));
    options.benchmark_result = scratch_.write(test::good_benchmark(candidate, entry ? &entry->record : nullptr, pace));
    options.bootstrap = entry == nullptr;
    return options;
  }
  PromoteOptions candidate_with_evidence(const std::string &name, const std::string &family = "square") {
    scratch_.add_candidate(name, family);
    return evidence_for(name);
  }
  void promote_first(const std::string &name) {
    const auto result = promote(scratch_.context(), candidate_with_evidence(name));
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_TRUE(result->promoted);
  }

  // Registry and generated files, as bytes.
  std::vector<std::string> tracked() const {
    return {slurp(scratch_.workspace().registry()), slurp(scratch_.workspace().generated() / "generated_registry.cu"),
            slurp(scratch_.workspace().generated() / "generated_kernels.cmake")};
  }
  bool generated_files_are_current() const {
    const auto stale = workspace::stale_generated_files(scratch_.workspace(), scratch_.registry());
    return stale && stale->empty();
  }

  // Refused by the gate, and nothing changed.
  void expect_refused(const PromoteOptions &options, int line, const std::string &reason, bool unfit) {
    const auto before = tracked();
    const auto result = promote(scratch_.context(), options);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_FALSE(result->promoted);
    EXPECT_FALSE(result->record);
    const GateLine &refused = result->report.lines.at(static_cast<std::size_t>(line - 1));
    EXPECT_FALSE(refused.passed);
    EXPECT_NE(refused.reason.find(reason), std::string::npos) << refused.reason;
    EXPECT_EQ(result->report.unfit_evidence, unfit);
    EXPECT_EQ(tracked(), before);
  }
  // An error of this kind, and nothing changed.
  void expect_error(const PromoteOptions &options, ErrorKind kind, const std::string &part) {
    const auto before = tracked();
    const auto result = promote(scratch_.context(), options);
    ASSERT_FALSE(result) << "promoted: " << result->promoted;
    EXPECT_EQ(result.error().kind, kind) << result.error().message;
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
    EXPECT_EQ(tracked(), before);
  }

  test::ScratchWorkspace scratch_;
};

void overwrite(const std::filesystem::path &path, const std::string &text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

TEST_F(Promote, TheFirstKernelBecomesARecordWithEverythingAboutIt) {
  const PromoteOptions options = candidate_with_evidence("first");
  const auto result = promote(scratch_.context(), options);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->promoted);
  const workspace::Registry registry = scratch_.registry();
  ASSERT_EQ(registry.entries.size(), 1u);
  const workspace::Record &record = registry.entries[0].record;
  const workspace::Candidate candidate = scratch_.read("first");
  EXPECT_EQ(record.name, "first");
  EXPECT_EQ(record.selector(), "gemm/fp32/nn/square");
  EXPECT_EQ(record.arch, "sm90");
  EXPECT_EQ(record.symbol, "pyc_gemm_first");
  EXPECT_EQ(record.digest, candidate.ref.digest);
  EXPECT_EQ(record.source, "kernels/prototypes/first/kernel.cu");
  EXPECT_EQ(record.source_sha256, candidate.kernel_source_sha256);
  EXPECT_FALSE(record.flags.empty());
  EXPECT_EQ(record.runtime.registers_per_thread, 96);
  EXPECT_EQ(record.promoted_utc, "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(record.evidence.gpu_name, "NVIDIA H200");
  EXPECT_EQ(record.evidence.driver, "580.65.06");
  EXPECT_EQ(record.evidence.nvcc_version, "13.0.88");
  EXPECT_EQ(record.evidence.tool_git, "abc1234");
  EXPECT_EQ(record.evidence.validation_file, "kernels/results/" + options.validation_result.filename().string());
  EXPECT_EQ(record.evidence.validation_sha256, sha256_hex(slurp(options.validation_result)));
  EXPECT_EQ(record.evidence.benchmark_sha256, sha256_hex(slurp(options.benchmark_result)));
  EXPECT_EQ(record.evidence.shapes.size(), candidate.contract.timed_shapes().size());
  EXPECT_GT(record.evidence.shapes[0].median_ns, 0);
  EXPECT_TRUE(record.evidence.shapes[0].cublaslt_median_ns);
  EXPECT_FALSE(record.evidence.ratio_to_incumbent);
  EXPECT_EQ(record.evidence.replaced_digest, "");
  EXPECT_TRUE(registry.entries[0].history.empty());
  EXPECT_TRUE(generated_files_are_current());
}

TEST_F(Promote, AFasterKernelReplacesTheIncumbentWhichBecomesHistory) {
  promote_first("first");
  for (const std::string name : {"second", "third"}) {
    const std::string replaced = scratch_.registry().entries[0].record.digest;
    const auto result = promote(scratch_.context(), candidate_with_evidence(name));
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_TRUE(result->promoted);
    EXPECT_EQ(scratch_.registry().entries[0].record.evidence.replaced_digest, replaced);
  }
  const workspace::Registry registry = scratch_.registry();
  ASSERT_EQ(registry.entries.size(), 1u);
  const workspace::Entry &entry = registry.entries[0];
  EXPECT_EQ(entry.record.name, "third");
  ASSERT_TRUE(entry.record.evidence.ratio_to_incumbent);
  EXPECT_NEAR(entry.record.evidence.ratio_to_incumbent->estimate, 1.1, 0.02);
  ASSERT_EQ(entry.history.size(), 2u);
  EXPECT_EQ(entry.history[0].name, "second");
  EXPECT_EQ(entry.history[1].name, "first");
  EXPECT_TRUE(generated_files_are_current());
}

TEST_F(Promote, SelectorsDoNotTouchEachOther) {
  promote_first("first");
  const auto result = promote(scratch_.context(), candidate_with_evidence("little", "small"));
  ASSERT_TRUE(result && result->promoted);
  EXPECT_EQ(scratch_.registry().entries.size(), 2u);
  EXPECT_EQ(scratch_.registry().find("gemm/fp32/nn/square", "sm90")->record.name, "first");
}

TEST_F(Promote, RefusesEvidenceOfAnotherCandidate) {
  PromoteOptions options = candidate_with_evidence("mine");
  const PromoteOptions other = candidate_with_evidence("other");
  options.validation_result = other.validation_result;
  expect_refused(options, 1, "of candidate 'other', not of 'mine'", true);
  options = evidence_for("mine");
  options.benchmark_result = other.benchmark_result;
  expect_refused(options, 2, "of candidate 'other', not of 'mine'", true);
}

TEST_F(Promote, RefusesEvidenceOfAnotherDigestOrArch) {
  const PromoteOptions options = candidate_with_evidence("mine");
  evidence::Validation validation = test::good_validation(scratch_.read("mine"));
  validation.header.candidate.digest = std::string(64, 'e');
  PromoteOptions changed = options;
  changed.validation_result = scratch_.write(validation);
  expect_refused(changed, 1, "of digest eeeeeeeeeeee", true);
  validation = test::good_validation(scratch_.read("mine"));
  validation.header.candidate.arch = "sm89";
  changed.validation_result = scratch_.write(validation);
  expect_refused(changed, 1, "for sm89", true);
}

TEST_F(Promote, RefusesPlannedAndFailedEvidenceByItsWord) {
  const PromoteOptions options = candidate_with_evidence("mine");
  evidence::Benchmark benchmark = test::good_benchmark(scratch_.read("mine"), nullptr);
  benchmark.header.status = evidence::DocumentStatus::kPlanned;
  PromoteOptions changed = options;
  changed.benchmark_result = scratch_.write(benchmark);
  expect_refused(changed, 2, "'planned'", true);
  evidence::Validation validation = test::good_validation(scratch_.read("mine"));
  validation.header.status = evidence::DocumentStatus::kFailed;
  changed = options;
  changed.validation_result = scratch_.write(validation);
  expect_refused(changed, 1, "'failed'", false);
}

TEST_F(Promote, RefusesEvidenceOfAnotherKind) {
  PromoteOptions options = candidate_with_evidence("mine");
  std::swap(options.validation_result, options.benchmark_result);
  expect_error(options, ErrorKind::kInvalid, "field 'kind'");
}

TEST_F(Promote, RefusesTruncatedEditedAndAbsentEvidence) {
  const PromoteOptions options = candidate_with_evidence("mine");
  const std::string text = slurp(options.benchmark_result);
  overwrite(options.benchmark_result, text.substr(0, text.size() / 2));
  expect_error(options, ErrorKind::kInvalid, options.benchmark_result.string());
  std::string edited = text;
  edited.replace(edited.find("\"warmup\": 10"), 12, "\"warmup\": 11");
  overwrite(options.benchmark_result, edited);
  expect_error(options, ErrorKind::kInvalid, "seal");
  std::filesystem::remove(options.benchmark_result);
  expect_error(options, ErrorKind::kInvalid, options.benchmark_result.string());
}

TEST_F(Promote, RefusesASourceEditedAfterItsEvidence) {
  const PromoteOptions options = candidate_with_evidence("mine");
  std::ofstream(scratch_.workspace().candidate("mine") / "kernel.cu", std::ios::app) << " ";
  expect_refused(options, 3, "kernel.cu has changed", true);
}

TEST_F(Promote, RefusesTimesAgainstAnOlderIncumbent) {
  promote_first("first");
  const PromoteOptions late = candidate_with_evidence("late");
  ASSERT_TRUE(promote(scratch_.context(), candidate_with_evidence("second"))->promoted);
  expect_refused(late, 4, "which is not the incumbent now", false);
}

TEST_F(Promote, RefusesBootstrapOverAnIncumbentAndAFirstWithoutIt) {
  PromoteOptions first = candidate_with_evidence("first");
  first.bootstrap = false;
  expect_refused(first, 4, "--bootstrap", false);
  first.bootstrap = true;
  ASSERT_TRUE(promote(scratch_.context(), first)->promoted);
  PromoteOptions second = candidate_with_evidence("second");
  second.bootstrap = true;
  expect_refused(second, 4, "--bootstrap", false);
}

TEST_F(Promote, RefusesThePromotedCandidateItself) {
  const PromoteOptions options = candidate_with_evidence("first");
  ASSERT_TRUE(promote(scratch_.context(), options)->promoted);
  expect_refused(options, 4, "'first' is promoted already", false);
}

TEST_F(Promote, RefusesAnImportedCandidate) {
  scratch_.add_candidate("old");
  const auto file = scratch_.workspace().candidate("old") / "kernel.json";
  std::string text = slurp(file);
  ASSERT_NE(text.find("\"standard\""), std::string::npos) << text;
  overwrite(file, text.replace(text.find("\"standard\""), 10, "\"imported\""));
  expect_refused(evidence_for("old"), 3, "imported", false);
}

TEST_F(Promote, RefusesASlowerCandidate) {
  promote_first("first");
  scratch_.add_candidate("slow");
  expect_refused(evidence_for("slow", {.speedup = 0.95}), 5, "not faster", false);
}

TEST_F(Promote, NamesAnUnknownCandidateAndABadLimit) {
  PromoteOptions options = candidate_with_evidence("mine");
  options.max_regression = -1;
  expect_error(options, ErrorKind::kInvalid, "--max-regression");
  options.max_regression = std::numeric_limits<double>::quiet_NaN();
  expect_error(options, ErrorKind::kInvalid, "--max-regression");
  options = evidence_for("mine");
  options.name = "nobody";
  expect_error(options, ErrorKind::kInvalid, "nobody");
  options.name = "../mine";
  expect_error(options, ErrorKind::kInvalid, "../mine");
}

TEST_F(Promote, ADamagedRegistryStopsIt) {
  const PromoteOptions options = candidate_with_evidence("mine");
  overwrite(scratch_.workspace().registry(), "{\"schema\": \"pyc.registry/1\"");
  expect_error(options, ErrorKind::kInvalid, "kernels.json");
  std::filesystem::remove(scratch_.workspace().registry());
  std::filesystem::create_directory(scratch_.workspace().registry());
  EXPECT_EQ(promote(scratch_.context(), options).error().kind, ErrorKind::kInvalid);
}

TEST_F(Promote, EvidenceFromOutsideTheWorkspaceIsRecordedByNameOnly) {
  PromoteOptions options = candidate_with_evidence("mine");
  const test::TemporaryFolder elsewhere;
  const auto moved = elsewhere / "mine-validation.json";
  std::filesystem::copy_file(options.validation_result, moved);
  options.validation_result = moved;
  ASSERT_TRUE(promote(scratch_.context(), options)->promoted);
  EXPECT_EQ(scratch_.registry().entries[0].record.evidence.validation_file, "mine-validation.json");
}

// ---- several at a time

TEST_F(Promote, TwoAtATimeForTwoSelectorsAreBothKept) {
  for (const char *family : {"square", "small", "wide_skinny", "tall_skinny"}) scratch_.add_candidate(family, family);
  std::vector<std::thread> threads;
  std::atomic<int> promoted{0};
  for (const char *name : {"square", "small", "wide_skinny", "tall_skinny"}) {
    threads.emplace_back([this, options = evidence_for(name), &promoted] {
      const auto result = promote(scratch_.context(), options);
      if (result && result->promoted) ++promoted;
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(promoted, 4);
  EXPECT_EQ(scratch_.registry().entries.size(), 4u);
  EXPECT_TRUE(generated_files_are_current());
}

// Runs `work` in a process of its own; its exit code.
int in_child(const std::function<int()> &work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(Promote, OfTwoProcessesForOneSelectorOneWinsAndTheOtherIsToldWhy) {
  const PromoteOptions a = candidate_with_evidence("a"), b = candidate_with_evidence("b");
  const auto code = [this](const PromoteOptions &options) {
    const auto result = promote(scratch_.context(), options);
    if (!result) return 3;
    if (result->promoted) return 0;
    return result->report.lines[3].passed ? 4 : 1;
  };
  int of_b = 0;
  std::thread other([&] { of_b = in_child([&] { return code(b); }); });
  const int of_a = in_child([&] { return code(a); });
  other.join();
  EXPECT_EQ(std::min(of_a, of_b), 0);
  EXPECT_EQ(std::max(of_a, of_b), 1) << "line 4 refuses --bootstrap over the winner";
  EXPECT_EQ(scratch_.registry().entries.size(), 1u);
  EXPECT_TRUE(generated_files_are_current());
}

// ---- a workspace that cannot be written

// A process whose files cannot grow: what a full disk does to it.
int with_full_disk(rlim_t bytes, const std::function<int()> &work) {
  return in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 9;
    return work();
  });
}

std::vector<std::filesystem::path> traces(const workspace::Workspace &workspace) {
  std::vector<std::filesystem::path> found;
  for (const auto &entry : std::filesystem::directory_iterator(workspace.results()))
    if (entry.path().filename().string().find("-promotion-") != std::string::npos) found.push_back(entry.path());
  return found;
}

TEST_F(Promote, ARefusedAttemptLeavesATraceAndThePromotionToo) {
  promote_first("first");
  EXPECT_EQ(traces(scratch_.workspace()).size(), 1u);
  scratch_.add_candidate("second");
  const PromoteOptions slow = evidence_for("second", {.speedup = 0.9});
  EXPECT_FALSE(promote(scratch_.context(), slow)->promoted);
  ASSERT_EQ(traces(scratch_.workspace()).size(), 2u);
  std::string text;
  for (const auto &path : traces(scratch_.workspace())) text += slurp(path);
  EXPECT_NE(text.find("\"verdict\": \"refused\""), std::string::npos) << text;
  EXPECT_NE(text.find("not faster by 2 %"), std::string::npos);
}

TEST_F(Promote, TheTraceSaysWhatBecameOfTheRegistry) {
  promote_first("first");
  const auto outcome = [&](const std::filesystem::path &trace) { return evidence::read_promotion(trace)->outcome; };
  ASSERT_EQ(traces(scratch_.workspace()).size(), 1u);
  EXPECT_EQ(outcome(traces(scratch_.workspace())[0]), "promoted");
  std::filesystem::remove(traces(scratch_.workspace())[0]);
  EXPECT_FALSE(promote(scratch_.context(), evidence_for("first"))->promoted);
  EXPECT_EQ(outcome(traces(scratch_.workspace())[0]), "refused");
}

TEST_F(Promote, APromotionThatCannotBeWrittenLeavesATraceThatDoesNotClaimIt) {
  promote_first("first");
  std::filesystem::remove(traces(scratch_.workspace())[0]);
  const PromoteOptions options = candidate_with_evidence("second");
  const auto generated = scratch_.workspace().generated() / "generated_registry.cu";
  std::filesystem::remove(generated);
  std::filesystem::create_directories(generated / "in_the_way");
  ASSERT_FALSE(promote(scratch_.context(), options));
  ASSERT_EQ(traces(scratch_.workspace()).size(), 1u);
  const auto trace = evidence::read_promotion(traces(scratch_.workspace())[0]);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->verdict, "promote");
  EXPECT_EQ(trace->outcome, "accepted");
}

TEST_F(Promote, TheRecordHasTheFiguresOfItsValidationAndNotThoseOfTheFile) {
  scratch_.add_candidate("first");
  const PromoteOptions options = evidence_for("first");
  workspace::RuntimeFigures typed_in = scratch_.read("first").contract.runtime;
  typed_in.registers_per_thread = 1, typed_in.deterministic = true;
  ASSERT_TRUE(workspace::write_runtime_figures(scratch_.workspace(), "first", typed_in));
  ASSERT_TRUE(promote(scratch_.context(), options)->promoted);
  const workspace::RuntimeFigures recorded = scratch_.registry().entries[0].record.runtime;
  EXPECT_EQ(recorded.registers_per_thread, 96);
  EXPECT_FALSE(recorded.deterministic) << "its validation did not repeat a call";
}

TEST_F(Promote, CountsTheBenchmarksOfOneQuestion) {
  promote_first("first");
  scratch_.add_candidate("second");
  scratch_.add_candidate("third");
  evidence_for("third", {.speedup = 0.9});
  const PromoteOptions one = evidence_for("second", {.speedup = 0.9}), two = evidence_for("second", {.speedup = 0.91});
  EXPECT_EQ(promote(scratch_.context(), one)->report.attempts, 2) << "the better of two is no single attempt";
  EXPECT_EQ(promote(scratch_.context(), two)->report.attempts, 2) << "the same two";
  std::filesystem::remove(one.benchmark_result);
  EXPECT_EQ(promote(scratch_.context(), two)->report.attempts, 2) << "the trace remembers";
  const PromoteOptions three = evidence_for("second", {.speedup = 0.92});
  EXPECT_EQ(promote(scratch_.context(), three)->report.attempts, 3);
}

// A kernel with a race is right now and then: the run that went well is not the one to believe.
TEST_F(Promote, APassDoesNotUndoAFailureOfTheSameDigest) {
  promote_first("first");
  const PromoteOptions options = candidate_with_evidence("second");
  evidence::Validation failed = test::good_validation(scratch_.read("second"));
  failed.header.status = evidence::DocumentStatus::kFailed;
  failed.shapes[0].status = failed.shapes[0].checks[0].status = "failed";
  const auto path = scratch_.write(failed);
  expect_refused(options, 1, path.filename().string(), false);
  failed.header.status = evidence::DocumentStatus::kError;
  scratch_.write(failed);
  std::filesystem::remove(path);
  expect_refused(options, 1, "says that this digest failed", false);
}

TEST_F(Promote, AFailureOfAnotherDigestOrWithoutAWrongResultDoesNotMatter) {
  promote_first("first");
  const PromoteOptions options = candidate_with_evidence("second");
  evidence::Validation other = test::good_validation(scratch_.read("second"));
  other.header.status = evidence::DocumentStatus::kError;
  other.shapes[0].status = "unfinished";
  scratch_.write(other);
  other.header.candidate.digest = std::string(64, 'e');
  other.shapes[0].checks[0].status = "failed";
  scratch_.write(other);
  const auto result = promote(scratch_.context(), options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->promoted);
}

TEST_F(Promote, ABootstrapComparesNothingAndCountsNothing) {
  candidate_with_evidence("first");
  const PromoteOptions again = evidence_for("first");
  EXPECT_EQ(promote(scratch_.context(), again)->report.attempts, 1);
}

TEST_F(Promote, AFullDiskLeavesRegistryAndGeneratedFilesWhole) {
  promote_first("first");
  const PromoteOptions options = candidate_with_evidence("second");
  const auto before = tracked();
  for (const rlim_t bytes : {0, 100, 1000, 3000}) {
    const int code = with_full_disk(bytes, [&] {
      const auto result = promote(scratch_.context(), options);
      return !result && result.error().kind == ErrorKind::kInternal ? 5 : 0;
    });
    EXPECT_EQ(code, 5) << bytes;
    EXPECT_EQ(tracked(), before) << bytes;
  }
  EXPECT_TRUE(promote(scratch_.context(), options)->promoted) << "once there is room again";
}

TEST_F(Promote, LeavesNoTemporaryFilesBehindAFullDisk) {
  const PromoteOptions options = candidate_with_evidence("mine");
  with_full_disk(100, [&] { return promote(scratch_.context(), options) ? 0 : 1; });
  for (const auto &folder : {scratch_.workspace().registry().parent_path(), scratch_.workspace().generated()})
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos) << entry.path();
}

TEST_F(Promote, SaysSoWhereTheLockCannotBeMade) {
  const PromoteOptions options = candidate_with_evidence("mine");
  std::filesystem::create_directory(scratch_.workspace().registry().parent_path() / ".lock");
  expect_error(options, ErrorKind::kInternal, ".lock");
}

TEST_F(Promote, ChangesNothingInAReadOnlyWorkspace) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const PromoteOptions options = candidate_with_evidence("mine");
  const auto folder = scratch_.workspace().registry().parent_path();
  std::filesystem::permissions(folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  expect_error(options, ErrorKind::kUnavailable, "kernels/registry");
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
}

TEST_F(Promote, AGeneratedFileThatCannotBeReplacedKeepsTheOldRegistry) {
  const PromoteOptions options = candidate_with_evidence("mine");
  const auto blocked = scratch_.workspace().generated() / "generated_kernels.cmake";
  std::filesystem::remove(blocked);
  std::filesystem::create_directory(blocked);
  const std::string before = slurp(scratch_.workspace().registry());
  const auto result = promote(scratch_.context(), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInternal);
  EXPECT_EQ(slurp(scratch_.workspace().registry()), before);
}

}  // namespace
}  // namespace pyc::hpc
