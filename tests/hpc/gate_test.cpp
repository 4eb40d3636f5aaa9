#include "hpc/gate.h"

#include <functional>
#include <gtest/gtest.h>

#include "hpc/gate_lines.h"
#include "hpc/roofline.h"
#include "tests/hpc/evidence_fixture.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::DocumentStatus;
using evidence::ShapeBenchmark;

workspace::Candidate candidate_of(const std::string &name) {
  workspace::Candidate candidate;
  workspace::Contract &contract = candidate.contract;
  contract.name = name;
  contract.dtype = "fp32";
  contract.layout = "nn";
  contract.arch = "sm90";
  contract.shape_family = "square";
  contract.symbol = "pyc_gemm_" + name;
  contract.shapes = {{1024, 1024, 1024}, {700, 1024, 512}};
  candidate.ref = {name, contract.selector(), "sm90", std::string(63, 'd') + name.back(), {}};
  candidate.ref.files = {{"kernels/prototypes/" + name + "/kernel.cu", std::string(64, name.back())}};
  candidate.kernel_source_sha256 = candidate.ref.files[0].sha256;
  return candidate;
}

// Everything that the gate is given, in a state that it promotes.
struct Case {
  workspace::Candidate candidate = candidate_of("b");
  workspace::Registry registry;
  evidence::Validation validation;
  evidence::Benchmark benchmark;
  bool bootstrap = false;
  double max_regression = kDefaultMaxRegression;
  int attempts = 1;
  std::vector<std::string> failures = {};
  std::string harness = test::harness_sha256();

  GateReport judged() const {
    return judge(
        {&validation, &benchmark, &candidate, &registry, bootstrap, max_regression, attempts, failures, harness});
  }
  Arm &arm(const std::string &role, std::size_t shape = 0) {
    for (Arm &one : benchmark.shapes.at(shape).arms)
      if (one.role == role) return one;
    throw std::logic_error("no arm " + role);
  }
};

workspace::Record record_of(const workspace::Candidate &candidate) {
  workspace::Record record;
  record.name = candidate.contract.name;
  record.dtype = "fp32";
  record.layout = "nn";
  record.shape_family = candidate.contract.shape_family;
  record.arch = "sm90";
  record.digest = candidate.ref.digest;
  record.source_sha256 = candidate.kernel_source_sha256;
  record.promoted_utc = "2026-01-01T00:00:00.000Z";
  return record;
}

Case against_incumbent(const test::Pace &pace = {}) {
  Case c;
  c.registry.entries = {{record_of(candidate_of("a")), {}}};
  c.validation = test::good_validation(c.candidate);
  c.benchmark = test::good_benchmark(c.candidate, &c.registry.entries[0].record, pace);
  return c;
}

Case bootstrapping() {
  Case c;
  c.validation = test::good_validation(c.candidate);
  c.benchmark = test::good_benchmark(c.candidate, nullptr);
  c.bootstrap = true;
  return c;
}

std::string told(const GateReport &report) {
  std::string text = to_string(report.verdict) + "\n";
  for (const GateLine &line : report.lines)
    text += std::to_string(line.number) + " " + line.title + (line.passed ? " ok: " : " NO: ") + line.figure + " | " +
            line.reason + "\n";
  return text;
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(Gate, PromotesAFasterCandidate) {
  const GateReport report = against_incumbent().judged();
  EXPECT_EQ(report.verdict, GateVerdict::kPromote) << told(report);
  ASSERT_TRUE(report.ratio);
  EXPECT_NEAR(report.ratio->estimate, 1.10, 0.01);
  EXPECT_GE(report.ratio->low, kRequiredRatio);
  ASSERT_EQ(report.shapes.size(), 2u);
  EXPECT_NEAR(*report.shapes[1].incumbent_median_ns / report.shapes[1].median_ns, 1.10, 0.01);
  EXPECT_TRUE(report.shapes[0].cublaslt_median_ns);
  EXPECT_FALSE(report.unfit_evidence);
}

TEST(Gate, PromotesTheFirstKernelWithBootstrap) {
  const GateReport report = bootstrapping().judged();
  EXPECT_EQ(report.verdict, GateVerdict::kPromote) << told(report);
  EXPECT_FALSE(report.ratio);
  EXPECT_EQ(report.lines[4].figure, "no incumbent: nothing to compare");
  EXPECT_TRUE(contains(report.lines[6].figure, "candidate / itself")) << told(report);
}

TEST(Gate, AlwaysSaysSevenNumberedLinesWithAFigure) {
  Case empty;
  empty.validation.header.kind = evidence::Kind::kValidation;
  empty.benchmark.header.kind = evidence::Kind::kBenchmark;
  for (const GateReport &report : {against_incumbent().judged(), bootstrapping().judged(), empty.judged()}) {
    ASSERT_EQ(report.lines.size(), 7u);
    for (int i = 0; i < 7; ++i) {
      EXPECT_EQ(report.lines[i].number, i + 1);
      EXPECT_FALSE(report.lines[i].title.empty());
      EXPECT_FALSE(report.lines[i].figure.empty());
      EXPECT_EQ(report.lines[i].passed, report.lines[i].reason.empty());
    }
  }
}

TEST(Gate, IsAPureFunction) { EXPECT_EQ(told(against_incumbent().judged()), told(against_incumbent().judged())); }

struct Refusal {
  const char *what;
  int line;            // the line that refuses
  const char *reason;  // a part of it
  bool unfit;          // the evidence is not of this question
  std::function<void(Case &)> change;
};

class GateRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(GateRefusal, NamesLineAndReason) {
  Case c = against_incumbent();
  GetParam().change(c);
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kRefused) << told(report);
  const GateLine &line = report.lines.at(static_cast<std::size_t>(GetParam().line - 1));
  EXPECT_FALSE(line.passed) << told(report);
  EXPECT_TRUE(contains(line.reason, GetParam().reason)) << told(report);
  EXPECT_EQ(report.unfit_evidence, GetParam().unfit) << told(report);
}

const std::vector<Refusal> kValidationRefusals = {
    {"OtherCandidate", 1, "of candidate 'x', not of 'b'", true,
     [](Case &c) { c.validation.header.candidate.name = "x"; }},
    {"OtherDigest", 1, "of digest eeee", true,
     [](Case &c) { c.validation.header.candidate.digest = std::string(64, 'e'); }},
    {"OtherArch", 1, "is for sm89, not for sm90", true, [](Case &c) { c.validation.header.candidate.arch = "sm89"; }},
    {"OtherSelector", 1, "not for gemm/fp32/nn/square", true,
     [](Case &c) { c.validation.header.candidate.selector = "gemm/fp32/nn/small"; }},
    {"Planned", 1, "'planned'", true, [](Case &c) { c.validation.header.status = DocumentStatus::kPlanned; }},
    {"Failed", 1, "'failed'", false, [](Case &c) { c.validation.header.status = DocumentStatus::kFailed; }},
    {"Error", 1, "'error': ended by signal 11", false,
     [](Case &c) {
       c.validation.header.status = DocumentStatus::kError;
       c.validation.header.error = "ended by signal 11";
     }},
    {"ErrorBeforeTheDevice", 1, "'error'", false,
     [](Case &c) {
       c.validation.header.status = DocumentStatus::kError;
       c.validation.header.gpu.reset();
     }},
    {"Completed", 1, "'completed'", false, [](Case &c) { c.validation.header.status = DocumentStatus::kCompleted; }},
    {"NoGpu", 1, "not made on a GPU", true, [](Case &c) { c.validation.header.gpu.reset(); }},
    {"OtherGpu", 1, "compute capability 8.9", true,
     [](Case &c) { c.validation.header.gpu->compute_capability = "8.9"; }},
    {"FailedShape", 1, "700x1024x512", false, [](Case &c) { c.validation.shapes[1].status = "failed"; }},
    {"UnfinishedShape", 1, "'unfinished'", false, [](Case &c) { c.validation.shapes[1].status = "unfinished"; }},
    {"FailedCheckInAPassedShape", 1, "check 'normwise' failed", false,
     [](Case &c) { c.validation.shapes[0].checks[1].status = "failed"; }},
    {"ViolationsInAPassedCheck", 1, "check 'random' failed", false,
     [](Case &c) { c.validation.shapes[0].checks[0].violations = 1; }},
    {"ErrorAboveItsBound", 1, "check 'random' failed", false,
     [](Case &c) { c.validation.shapes[0].checks[0].normwise_error = 1.5; }},
    {"ErrorNotFinite", 1, "check 'random' failed", false,
     [](Case &c) { c.validation.shapes[0].checks[0].normwise_error.reset(); }},
    {"NothingCompared", 1, "no output was found right", false, [](Case &c) { c.validation.shapes[0].checks.clear(); }},
    {"EverythingSkipped", 1, "no output was found right", false,
     [](Case &c) {
       for (evidence::Check &check : c.validation.shapes[0].checks) check.status = "skipped";
     }},
    {"ShapeLeftOut", 1, "700x1024x512 of kernel.json was not validated", false,
     [](Case &c) { c.validation.shapes.pop_back(); }},
    {"CheckOfALaterVersionMissing", 1, "700x1024x512: the check 'graph' was not made; validate again", false,
     [](Case &c) {
       std::erase_if(c.validation.shapes[1].checks, [](const auto &check) { return check.check == "graph"; });
     }},
    {"CheckSkippedEverywhere", 1, "the check 'exact' was skipped at every shape: no memory; add a shape", false,
     [](Case &c) {
       for (evidence::ShapeValidation &shape : c.validation.shapes)
         for (evidence::Check &check : shape.checks)
           if (check.check == "exact") check.status = "skipped", check.reason = "no memory";
     }},
    {"TheSameDigestFailedBefore", 1, "'kernels/results/b-validation-1.json' says that this digest failed", false,
     [](Case &c) { c.failures = {"kernels/results/b-validation-1.json"}; }},
    {"TheSameDigestFailedThreeTimes", 1, "'first.json' (and 2 more) says that this digest failed", false,
     [](Case &c) {
       c.failures = {"first.json", "second.json", "third.json"};
     }},
    {"OnlyAnUntimedProblemHasTheExtents", 1, "700x1024x512 of kernel.json was not validated", false,
     [](Case &c) { c.validation.shapes[1].timed = false; }},
    {"ChecksLeftOut", 1, "--quick", false, [](Case &c) { c.validation.depth = "quick"; }},
    {"OtherTolerance", 1, "another tolerance", false, [](Case &c) { c.validation.tolerance.absolute = 1; }},
    {"LooseTolerance", 1, "looser than what fp32 has by default", false,
     [](Case &c) {
       c.candidate.contract.tolerance = c.validation.tolerance = {1, 1};
     }},
    {"SlightlyLooseTolerance", 1, "looser than", false,
     [](Case &c) {
       c.candidate.contract.tolerance = c.validation.tolerance = {1e-4, 1.1e-4};
     }},
};

const std::vector<Refusal> kBenchmarkRefusals = {
    {"OtherCandidate", 2, "of candidate 'x', not of 'b'", true,
     [](Case &c) { c.benchmark.header.candidate.name = "x"; }},
    {"OtherDigest", 2, "of digest eeee", true,
     [](Case &c) { c.benchmark.header.candidate.digest = std::string(64, 'e'); }},
    {"Planned", 2, "'planned'", true, [](Case &c) { c.benchmark.header.status = DocumentStatus::kPlanned; }},
    {"Failed", 2, "'failed'", false, [](Case &c) { c.benchmark.header.status = DocumentStatus::kFailed; }},
    {"Error", 2, "'error'", false, [](Case &c) { c.benchmark.header.status = DocumentStatus::kError; }},
    {"Passed", 2, "'passed'", false, [](Case &c) { c.benchmark.header.status = DocumentStatus::kPassed; }},
    {"NoGpu", 2, "not made on a GPU", true, [](Case &c) { c.benchmark.header.gpu.reset(); }},
    {"OtherGpu", 2, "compute capability 8.9", true,
     [](Case &c) { c.benchmark.header.gpu->compute_capability = "8.9"; }},
    {"UnfinishedShape", 2, "700x1024x512: its status is 'unfinished'", false,
     [](Case &c) { c.benchmark.shapes[1].status = "unfinished"; }},
    {"NoShapes", 2, "nothing was timed", false, [](Case &c) { c.benchmark.shapes.clear(); }},
    {"ShapeLeftOut", 2, "700x1024x512 of kernel.json was not timed", false,
     [](Case &c) { c.benchmark.shapes.pop_back(); }},
    {"ShapeAdded", 2, "512x512x512 is no shape of kernel.json", false,
     [](Case &c) {
       c.benchmark.shapes.push_back(c.benchmark.shapes[0]);
       c.benchmark.shapes.back().shape = {512, 512, 512};
     }},
    {"ShapeTwice", 2, "1024x1024x1024 is no shape", false,
     [](Case &c) { c.benchmark.shapes.push_back(c.benchmark.shapes[0]); }},
    {"CandidateUnavailable", 2, "the candidate was not timed", false,
     [](Case &c) { c.arm("candidate").status = "unavailable"; }},
    {"NoSamples", 2, "no times", false, [](Case &c) { c.arm("candidate").cold_ns.clear(); }},
    {"ZeroTime", 2, "not positive", false, [](Case &c) { c.arm("candidate").cold_ns[3] = 0; }},
    {"NegativeTime", 2, "not positive", false, [](Case &c) { c.arm("incumbent").cold_ns[3] = -1; }},
    {"TimeThatNoKernelTakes", 2, "no times of a kernel", false,
     [](Case &c) { c.arm("cublaslt").cold_ns.assign(40, 1e308); }},
    {"FewSamples", 2, "at least 20 are needed", false,
     [](Case &c) { c = against_incumbent({.samples = kLeastPairs - 1}); }},
    {"OutputUnchecked", 2, "was not checked after timing", false,
     [](Case &c) { c.arm("candidate").output_checks.clear(); }},
    {"OutputWrong", 2, "check 'output' failed", false,
     [](Case &c) { c.arm("candidate", 1).output_checks[0].status = "failed"; }},
    {"OutputOfTheIncumbentWrong", 2, "incumbent 'a': check 'output' failed", false,
     [](Case &c) { c.arm("incumbent").output_checks[0].violations = 3; }},
    {"OneCallWrong", 2, "check 'every_call' failed: 3 calls gave a wrong output", false,
     [](Case &c) {
       evidence::Check &check = c.arm("candidate").output_checks.at(1);
       check.status = "failed";
       check.reason = "3 calls gave a wrong output";
     }},
    {"CallsNotLookedAt", 2, "candidate 'pyc_gemm_b': the check 'every_call' was not made", false,
     [](Case &c) {
       auto &checks = c.arm("candidate").output_checks;
       checks.erase(checks.begin() + 1);
     }},
    {"LaunchesNotLookedAt", 2, "the check 'launches' was not made", false,
     [](Case &c) { c.arm("candidate").output_checks.pop_back(); }},
    {"OutputOfTheVendorWrong", 2, "cublaslt", false,
     [](Case &c) { c.arm("cublaslt").output_checks[0].status = "failed"; }},
    {"FasterThanTheDevice", 2, "faster than the device can be", false,
     [](Case &c) {
       for (double &time_ns : c.arm("candidate").cold_ns) time_ns *= 0.4;
     }},
    {"OtherKernelsThanValidated", 2, "1024x1024x1024: it launched other kernels than the validation saw", false,
     [](Case &c) { c.benchmark.shapes[0].launches->kernels[0].name = "other"; }},
    {"MoreKernelsThanValidated", 2, "700x1024x512: it launched other kernels", false,
     [](Case &c) {
       auto &kernels = c.benchmark.shapes[1].launches->kernels;
       kernels.push_back(kernels[0]);
     }},
    {"KernelsNotRecorded", 2, "were not recorded", false, [](Case &c) { c.validation.shapes[1].launches.reset(); }},
    {"WorkspaceThatTheRuntimeDoesNotGive", 2, "bytes of workspace, the runtime gives 33554432", false,
     [](Case &c) { c.benchmark.shapes[0].launches->workspace_bytes = (32 << 20) + 1; }},
    {"ValidatedOnAnotherModel", 2, "made on NVIDIA H200, the validation on NVIDIA H100", false,
     [](Case &c) { c.validation.header.gpu->name = "NVIDIA H100"; }},
    {"ValidatedByAnotherCompiler", 2, "built by nvcc 13.0.88, the validation by nvcc 12.4.131", false,
     [](Case &c) { c.validation.header.toolchain.nvcc_version = "12.4.131"; }},
    {"UnknownRoofline", 2, "roofline", false, [](Case &c) { c.benchmark.header.gpu->sm_clock_max_khz = 0; }},
};

const std::vector<Refusal> kSourceRefusals = {
    {"Edited", 3, "kernel.cu has changed since the validation", true,
     [](Case &c) {
       c.candidate.ref.digest = std::string(64, 'f');
       c.candidate.ref.files[0].sha256 = std::string(64, 'f');
     }},
    {"FileGone", 3, "is gone since the validation", true,
     [](Case &c) {
       c.candidate.ref.digest = std::string(64, 'f');
       c.candidate.ref.files.clear();
     }},
    {"ContractEdited", 3, "kernel.json, the flags", true,
     [](Case &c) { c.candidate.ref.digest = std::string(64, 'f'); }},
    {"ValidatedByAnotherHarness", 3, "kernels/harness was ", false,
     [](Case &c) { c.validation.header.toolchain.harness_sha256 = std::string(64, 'a'); }},
    {"TimedByAnotherHarness", 3, "at the benchmark and is ", false,
     [](Case &c) { c.benchmark.header.toolchain.harness_sha256 = std::string(64, 'a'); }},
    {"HarnessEditedSince", 3, "validate and bench again", false, [](Case &c) { c.harness = std::string(64, 'b'); }},
    {"NoWordOfTheHarness", 3, "does not say which harness made it", false,
     [](Case &c) { c.validation.header.toolchain.harness_sha256.clear(); }},
    {"Imported", 3, "imported; only standard", false, [](Case &c) { c.candidate.contract.kind = "imported"; }},
};

const std::vector<Refusal> kIncumbentRefusals = {
    {"BootstrapOverAnIncumbent", 4, "--bootstrap is only for", false, [](Case &c) { c.bootstrap = true; }},
    {"NoBootstrap", 4, "promoted with --bootstrap", false,
     [](Case &c) {
       c = bootstrapping();
       c.bootstrap = false;
     }},
    {"OlderIncumbent", 4, "timed 'a' (dddddddddddd), which is not the incumbent now", false,
     [](Case &c) { c.registry.entries[0].record.digest = std::string(64, 'c'); }},
    {"IncumbentNotTimed", 4, "timed no incumbent", false,
     [](Case &c) { c.benchmark = test::good_benchmark(c.candidate, nullptr); }},
    {"IncumbentNotTimedAtOneShape", 4, "700x1024x512: the benchmark timed no incumbent", false,
     [](Case &c) { c.arm("incumbent", 1).role = "against"; }},
    {"IncumbentUnavailable", 4, "could not be timed: dlopen failed", false,
     [](Case &c) {
       c.arm("incumbent").status = "unavailable";
       c.arm("incumbent").reason = "dlopen failed";
     }},
    {"NotInterleaved", 4, "did not take turns", false,
     [](Case &c) {
       for (std::int64_t &place : c.arm("incumbent").cold_order) place += 1000;
     }},
    {"PartnersHalfABlockApart", 4, "did not take turns", false,
     [](Case &c) {
       const auto half_block = static_cast<std::int64_t>(c.benchmark.shapes[0].arms.size());
       for (std::int64_t &place : c.arm("incumbent").cold_order) place += half_block;
     }},
    {"NoOrder", 4, "did not take turns", false, [](Case &c) { c.arm("candidate").cold_order.clear(); }},
    {"OnePlaceForAllSamples", 4, "did not take turns", false,
     [](Case &c) {
       for (const char *role : {"candidate", "incumbent"})
         for (std::int64_t &place : c.arm(role).cold_order) place = 7;
     }},
    {"OnePlaceForBothArms", 4, "did not take turns", false,
     [](Case &c) { c.arm("incumbent").cold_order = c.arm("candidate").cold_order; }},
    {"SamplesOutOfOrder", 4, "did not take turns", false,
     [](Case &c) {
       for (const char *role : {"candidate", "incumbent"})
         std::swap(c.arm(role).cold_order[0], c.arm(role).cold_order[1]);
     }},
    {"PromotedAlready", 4, "'b' is promoted already, since 2026-01-01", false,
     [](Case &c) { c.registry.entries[0].record = record_of(c.candidate); }},
    {"PromotedAndEdited", 4, "was edited since", false,
     [](Case &c) {
       c.registry.entries[0].record = record_of(c.candidate);
       c.registry.entries[0].record.digest = c.registry.entries[0].record.source_sha256 = std::string(64, 'c');
     }},
    {"PromotedForAnotherSelector", 4, "promoted", false,
     [](Case &c) {
       workspace::Record other = record_of(c.candidate);
       other.shape_family = "small";
       c.registry.entries.push_back({other, {}});
     }},
};

const std::vector<Refusal> kSpeedRefusals = {
    {"Slower", 5, "not faster by 2 %", false, [](Case &c) { c = against_incumbent({.speedup = 0.99}); }},
    {"FasterByOnePercent", 5, "not faster by 2 %", false, [](Case &c) { c = against_incumbent({.speedup = 1.01}); }},
    {"RatioThatNoKernelsHave", 5, "no two kernels differ by a factor of 1e+06", false,
     [](Case &c) {
       for (const char *role : {"incumbent", "incumbent_control"})
         for (double &time_ns : c.arm(role).cold_ns) time_ns = 1e14;
     }},
    {"OneShapeSlower", 6, "700x1024x512 is too much slower", false,
     [](Case &c) {
       for (double &time_ns : c.arm("candidate", 1).cold_ns) time_ns *= 1.17;
       for (double &time_ns : c.arm("candidate", 0).cold_ns) time_ns *= 0.8;
     }},
    {"NoControl", 7, "did not time the incumbent against itself", false,
     [](Case &c) { c.arm("incumbent_control").role = "against"; }},
    {"ControlOfAnotherKernel", 7, "against itself", false,
     [](Case &c) { c.arm("incumbent_control", 1).digest = std::string(64, 'e'); }},
    {"ControlNotInterleaved", 7, "against itself", false,
     [](Case &c) {
       for (std::int64_t &place : c.arm("incumbent_control").cold_order) place += 1000;
     }},
    {"ControlWithOtherCount", 7, "against itself", false,
     [](Case &c) { c.arm("incumbent_control").cold_ns.pop_back(); }},
};

std::string name_of(const testing::TestParamInfo<Refusal> &info) { return info.param.what; }

INSTANTIATE_TEST_SUITE_P(Validation, GateRefusal, testing::ValuesIn(kValidationRefusals), name_of);
INSTANTIATE_TEST_SUITE_P(Benchmark, GateRefusal, testing::ValuesIn(kBenchmarkRefusals), name_of);
INSTANTIATE_TEST_SUITE_P(Sources, GateRefusal, testing::ValuesIn(kSourceRefusals), name_of);
INSTANTIATE_TEST_SUITE_P(Incumbent, GateRefusal, testing::ValuesIn(kIncumbentRefusals), name_of);
INSTANTIATE_TEST_SUITE_P(Speed, GateRefusal, testing::ValuesIn(kSpeedRefusals), name_of);

TEST(Gate, IsAmbiguousWhereTheIntervalReachesBelowTheMargin) {
  const GateReport report = against_incumbent({.speedup = 1.022, .noise = 0.01, .samples = 40}).judged();
  EXPECT_EQ(report.verdict, GateVerdict::kAmbiguous) << told(report);
  EXPECT_TRUE(contains(report.lines[4].reason, "ambiguous")) << told(report);
  ASSERT_TRUE(report.repeats_to_decide);
  EXPECT_GT(*report.repeats_to_decide, 40);
  EXPECT_TRUE(contains(report.lines[4].reason, std::to_string(*report.repeats_to_decide))) << told(report);
}

// The harness takes four samples of a short kernel for each of --repeats.
TEST(Gate, TheRepeatsThatWouldDecideAreThoseOfTheFlag) {
  Case c = against_incumbent({.speedup = 1.022, .noise = 0.01, .samples = 40});
  const auto samples = c.judged().repeats_to_decide;
  c.benchmark.repeats = 10;
  const auto repeats = c.judged().repeats_to_decide;
  ASSERT_TRUE(samples && repeats);
  EXPECT_EQ(*repeats, (*samples + 3) / 4);
}

TEST(Gate, NamesNoNumberOfRepeatsThatBenchDoesNotTake) {
  GateTiming timing;
  timing.least_pairs = timing.repeats = 50;
  timing.most_repeats = 10'000;
  timing.incumbent = ArmComparison{{1.03, 1.01, 1.05}, {}, {}};
  EXPECT_EQ(repeats_to_decide(timing), 200);
  timing.incumbent->overall.estimate = 1.02001;
  EXPECT_FALSE(repeats_to_decide(timing));
}

TEST(Gate, AnOffsetThatTheContractForbidsMayBeSkippedEverywhere) {
  Case c = against_incumbent();
  for (evidence::ShapeValidation &shape : c.validation.shapes)
    for (evidence::Check &check : shape.checks)
      if (check.check == "offsets") check.status = "skipped";
  EXPECT_EQ(c.judged().verdict, GateVerdict::kPromote) << told(c.judged());
}

// It has two checks of its own, and may have the extents of a problem of kernel.json.
TEST(Gate, AProblemThatLargeAddedNeedsNotEveryCheck) {
  Case c = against_incumbent();
  evidence::ShapeValidation large = c.validation.shapes[0];
  large.timed = false;
  large.checks.resize(2);
  c.validation.shapes.push_back(large);
  EXPECT_EQ(c.judged().verdict, GateVerdict::kPromote) << told(c.judged());
}

// A throttled arm shows in its clocks alone.
TEST(Gate, IsNoisyWhereAClockIsUnknown) {
  const auto unknown = [](const std::function<void(std::vector<double> &)> &change) {
    Case c = against_incumbent();
    change(c.arm("incumbent", 1).cold_sm_clock_mhz);
    const GateReport report = c.judged();
    EXPECT_EQ(report.verdict, GateVerdict::kNoisy) << told(report);
    EXPECT_TRUE(contains(report.lines[6].reason, "SM clocks of the samples are not all known")) << told(report);
  };
  unknown([](auto &clocks) { clocks.clear(); });
  unknown([](auto &clocks) { clocks.pop_back(); });
  unknown([](auto &clocks) { clocks[3] = 0; });
}

TEST(Gate, ABenchmarkThatMayLookAgainHasToBeSurer) {
  Case c = against_incumbent({.speedup = 1.10});
  EXPECT_DOUBLE_EQ(c.judged().confidence, 0.95);
  c.benchmark.max_repeats = 4 * c.benchmark.repeats;
  c.benchmark.passes = 1;
  EXPECT_NEAR(c.judged().confidence, 1 - 0.05 / 3, 1e-12);
  EXPECT_TRUE(contains(c.judged().lines[4].figure, "98.33 % interval")) << told(c.judged());
}

TEST(Gate, MorePassesThanWerePlannedAreRefused) {
  Case c = against_incumbent({.speedup = 1.10});
  c.benchmark.passes = 2;
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kRefused) << told(report);
  EXPECT_TRUE(contains(report.lines[1].reason, "2 passes where 1 were planned")) << told(report);
}

TEST(Gate, AWinThatTheClockMadeIsNoisy) {
  Case c = against_incumbent({.speedup = 1.04});
  for (std::size_t shape = 0; shape < 2; ++shape)
    for (double &mhz : c.arm("incumbent", shape).cold_sm_clock_mhz) mhz *= 0.96;
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kNoisy) << told(report);
  EXPECT_TRUE(contains(report.lines[6].reason, "different SM clocks")) << told(report);
}

TEST(Gate, AClearWinAtAnotherClockIsAWin) {
  Case c = against_incumbent({.speedup = 1.4});
  for (std::size_t shape = 0; shape < 2; ++shape)
    for (double &mhz : c.arm("candidate", shape).cold_sm_clock_mhz) mhz *= 0.9;
  EXPECT_EQ(c.judged().verdict, GateVerdict::kPromote) << told(c.judged());
}

TEST(Gate, EveryFurtherAttemptHasToBeSurer) {
  Case c = against_incumbent({.speedup = 1.0216, .noise = 0.004, .samples = 60});
  const GateReport first = c.judged();
  EXPECT_EQ(first.verdict, GateVerdict::kPromote) << told(first);
  c.attempts = 8;
  const GateReport eighth = c.judged();
  EXPECT_EQ(eighth.verdict, GateVerdict::kAmbiguous) << told(eighth);
  EXPECT_LT(eighth.ratio->low, first.ratio->low);
  EXPECT_TRUE(contains(eighth.lines[4].figure, "99.91 % interval")) << told(eighth);
  EXPECT_TRUE(contains(eighth.lines[4].figure, "attempt 8")) << told(eighth);
}

// Three products of 16-bit planes for one of fp32 can honestly beat the rate of the fp32 lanes.
Case faster_than_fp32_lanes() {
  Case c = against_incumbent();
  for (std::size_t shape = 0; shape < 2; ++shape)
    for (double &time_ns : c.arm("candidate", shape).cold_ns) time_ns *= 0.3;
  return c;
}

TEST(Gate, ATensorCoreKernelIsHeldAgainstTheTensorCores) {
  Case c = faster_than_fp32_lanes();
  EXPECT_TRUE(contains(c.judged().lines[1].reason, "faster than the device can be")) << told(c.judged());
  c.candidate.contract.runtime.tensor_core = true;
  EXPECT_EQ(c.judged().verdict, GateVerdict::kPromote) << told(c.judged());
  for (double &time_ns : c.arm("candidate").cold_ns) time_ns *= 0.05;
  EXPECT_TRUE(contains(c.judged().lines[1].reason, "faster than the device can be")) << told(c.judged());
}

TEST(Gate, AnIncumbentIsHeldAgainstTheUnitsOfItsOwnRecord) {
  Case c = against_incumbent();
  for (const char *role : {"incumbent", "incumbent_control"})
    for (double &time_ns : c.arm(role).cold_ns) time_ns *= 0.3;
  EXPECT_TRUE(contains(c.judged().lines[1].reason, "incumbent 'a': its median")) << told(c.judged());
  c.candidate.contract.runtime.tensor_core = true;
  EXPECT_FALSE(c.judged().lines[1].passed) << "the candidate's declaration is not the incumbent's";
  c.candidate.contract.runtime.tensor_core = false;
  c.registry.entries[0].record.runtime.tensor_core = true;
  EXPECT_TRUE(c.judged().lines[1].passed) << told(c.judged());
}

TEST(Gate, NamesAKernelThatIsNotDeterministicAndPromotesIt) {
  Case c = against_incumbent();
  evidence::Check repeat = c.validation.shapes[1].checks[0];
  repeat.check = "repeat", repeat.deterministic = false;
  c.validation.shapes[1].checks.push_back(repeat);
  EXPECT_EQ(c.judged().verdict, GateVerdict::kPromote) << told(c.judged());
  ASSERT_EQ(c.judged().remarks.size(), 1u);
  EXPECT_TRUE(contains(c.judged().remarks[0], "not deterministic"));
}

TEST(Gate, NamesSamplesAtALowClock) {
  Case c = against_incumbent({.speedup = 1.2});
  for (std::size_t i = 0; i < 3; ++i) c.arm("candidate").cold_sm_clock_mhz[i] = 1400;
  const GateReport report = c.judged();
  ASSERT_EQ(report.remarks.size(), 1u);
  EXPECT_EQ(report.remarks[0],
            "1024x1024x1024, candidate: throttled: 3 of 40 samples under 75 % of the highest SM clock, 1980 MHz");
}

TEST(Gate, NamesTwoHeapsAndOutliersAndDecidesNothingOnThem) {
  Case c = against_incumbent({.speedup = 1.2});
  std::vector<double> &cold = c.arm("candidate").cold_ns;
  for (std::size_t i = 0; i < 10; ++i) cold[4 * i] *= 1.07;
  c.arm("incumbent", 1).cold_ns[3] *= 5;
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kPromote) << told(report);
  ASSERT_EQ(report.remarks.size(), 2u);
  EXPECT_TRUE(contains(report.remarks[0], "1024x1024x1024, candidate: bimodal: 75 % of its samples near"));
  EXPECT_TRUE(contains(report.remarks[1], "700x1024x512, incumbent: outliers: 0 low and 1 high of 40"));
}

TEST(Gate, IsNoisyWhereTheNullControlExceedsTheMargin) {
  Case c = against_incumbent();
  for (std::size_t shape = 0; shape < 2; ++shape)
    for (double &time_ns : c.arm("incumbent_control", shape).cold_ns) time_ns *= 1.03;
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kNoisy) << told(report);
  EXPECT_TRUE(contains(report.lines[6].reason, "noisy")) << told(report);
  EXPECT_TRUE(report.lines[4].passed) << "the other figures stand beside it";
}

TEST(Gate, ABootstrapMustBeQuietToo) {
  Case c = bootstrapping();
  for (std::size_t shape = 0; shape < 2; ++shape)
    for (double &time_ns : c.arm("candidate_control", shape).cold_ns) time_ns *= 0.97;
  EXPECT_EQ(c.judged().verdict, GateVerdict::kNoisy) << told(c.judged());
}

TEST(Gate, UnfitEvidenceIsRefusedHoweverNoisy) {
  Case c = against_incumbent({.noise = 0.5});
  c.validation.header.status = DocumentStatus::kFailed;
  EXPECT_EQ(c.judged().verdict, GateVerdict::kRefused);
}

TEST(Gate, TimesOfAnOlderIncumbentAreNotComparedWithThisOne) {
  Case c = against_incumbent();
  c.registry.entries[0].record.digest = std::string(64, 'c');
  const GateReport report = c.judged();
  EXPECT_FALSE(report.ratio);
  EXPECT_FALSE(report.lines[4].passed);
  EXPECT_EQ(report.lines[4].figure, "not measured");
}

TEST(Gate, ARegressionWithinTheLimitIsAccepted) {
  Case c = against_incumbent();
  for (double &time_ns : c.arm("candidate", 1).cold_ns) time_ns *= 1.13;
  for (double &time_ns : c.arm("candidate", 0).cold_ns) time_ns *= 0.8;
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kPromote) << told(report);
  EXPECT_TRUE(contains(report.lines[5].figure, "% slower than the incumbent, at 700x1024x512")) << told(report);
  c.max_regression = 0;
  EXPECT_FALSE(c.judged().lines[5].passed);
}

TEST(Gate, AnUnavailableVendorLibraryDoesNotMatter) {
  Case c = against_incumbent();
  for (std::size_t shape = 0; shape < 2; ++shape) {
    c.arm("cublaslt", shape).status = "unavailable";
    c.arm("cublaslt", shape).cold_ns.clear();
    c.arm("cublaslt", shape).output_checks.clear();
  }
  const GateReport report = c.judged();
  EXPECT_EQ(report.verdict, GateVerdict::kPromote) << told(report);
  EXPECT_FALSE(report.shapes[0].cublaslt_median_ns);
}

// Eight arms took turns in the first pass; a later one could not time five of them, whose samples are gone.
TEST(Gate, ArmsThatDroppedOutOfALaterPassTookTheirTurns) {
  Case c = against_incumbent();
  for (ShapeBenchmark &shape : c.benchmark.shapes) {
    shape.arms[2].status = "unavailable", shape.arms[2].cold_ns.clear(), shape.arms[2].output_checks.clear();
    shape.arms.resize(8, shape.arms[2]);
    for (const auto &[arm, turn] : {std::pair{0, 0}, {1, 7}, {3, 3}})
      for (std::size_t i = 0; i < shape.arms[arm].cold_order.size(); ++i)
        shape.arms[arm].cold_order[i] = static_cast<std::int64_t>(8 * i) + turn;
  }
  EXPECT_EQ(c.judged().verdict, GateVerdict::kPromote) << told(c.judged());
}

TEST(Gate, ForeignTextIsMadePrintable) {
  Case c = against_incumbent();
  c.validation.header.candidate.name = "x\x1b[31m\n";
  EXPECT_FALSE(contains(told(c.judged()), "\x1b"));
}

TEST(PhysicalFloor, IsTheLargerOfArithmeticAndMemory) {
  const evidence::Gpu gpu = test::h200();
  // 2 * 4096^3 / (132 * 128 * 2 * 1.98e9) s
  EXPECT_NEAR(physical_floor_ns({4096, 4096, 4096}, "fp32", gpu).value(), 2'054'079, 1000);
  // (4096 + 4096 * 4096) * 4 bytes at 2 * 3.201e9 * 6144 / 8 B/s
  EXPECT_NEAR(physical_floor_ns({1, 4096, 4096}, "fp32", gpu).value(), 13'652, 20);
  EXPECT_LT(*physical_floor_ns({4096, 4096, 4096}, "fp16", gpu), *physical_floor_ns({4096, 4096, 4096}, "fp32", gpu));
}

TEST(PhysicalFloor, OfFp32OnTensorCoresIsThatOfTheSixteenBitTypes) {
  const evidence::Shape shape{4096, 4096, 4096};
  const evidence::Gpu gpu = test::h200();
  EXPECT_EQ(physical_floor_ns(shape, "fp32", gpu, Units::kTensorCores), physical_floor_ns(shape, "bf16", gpu));
  EXPECT_EQ(physical_floor_ns(shape, "bf16", gpu, Units::kTensorCores), physical_floor_ns(shape, "bf16", gpu));
}

TEST(PhysicalFloor, CountsOnlyTheOutputThatLeavesTheCache) {
  evidence::Gpu gpu = test::h200();
  const double cached = physical_floor_ns({2048, 2048, 1}, "fp32", gpu).value();
  gpu.l2_bytes = 0;
  EXPECT_GT(physical_floor_ns({2048, 2048, 1}, "fp32", gpu).value(), 10 * cached);
}

TEST(PhysicalFloor, IsUnknownWithoutTheDevicesFigures) {
  evidence::Gpu gpu = test::h200();
  EXPECT_FALSE(physical_floor_ns({64, 64, 64}, "fp64", gpu));
  gpu.memory_clock_max_khz = 0;
  EXPECT_FALSE(physical_floor_ns({64, 64, 64}, "fp32", gpu));
  gpu = test::h200();
  gpu.compute_capability = "7.5";
  EXPECT_FALSE(physical_floor_ns({64, 64, 64}, "fp32", gpu));
}

}  // namespace
}  // namespace pyc::hpc
