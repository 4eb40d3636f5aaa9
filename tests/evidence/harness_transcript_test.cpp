#include <gtest/gtest.h>
#include <random>

#include "evidence/harness_events.h"

namespace pyc::evidence {
namespace {

const std::string kSession =
    R"({"event":"session","protocol":1,"nonce":"n1","gpu":{"name":"NVIDIA H200","uuid":"GPU-1","compute_capability":"9.0",)"
    R"("memory_bytes":150000000000,"sm_count":132,"l2_bytes":62914560,"sm_clock_max_khz":1980000,)"
    R"("memory_clock_max_khz":3201000,"memory_bus_bits":6144,"shared_memory_per_block_optin_bytes":232448,"ecc":true,)"
    R"("driver_version":13000,"runtime_version":13000}})";
const std::string kBegin = R"({"event":"shape_begin","index":0,"m":64,"n":32,"k":16})";
const std::string kCheck =
    R"({"event":"check","index":0,"check":"random","variant":"plain","status":"passed","reason":"",)"
    R"("max_abs_error":1e-06,"max_rel_error":2e-06,"normwise_error":0.1,"normwise_bound":0.5,"violations":0,"elements":2048})";
const std::string kLaunches =
    R"({"event":"launches","index":0,"capture":"ok","kernels":[{"name":"k","grid":[1,2,3],"block":[256,1,1],)"
    R"("registers_per_thread":96,"static_shared_bytes":0,"dynamic_shared_bytes":1024,"local_bytes":0,"blocks_per_sm":2,)"
    R"("occupancy":0.25}]})";
const std::string kPassed = R"({"event":"shape_end","index":0,"status":"passed","elapsed_ns":5})";
const std::string kCompleted = R"({"event":"shape_end","index":0,"status":"completed","elapsed_ns":5})";
const std::string kDone = R"({"event":"done"})";
const std::string kCandidate =
    R"({"event":"contender","index":0,"arm":0,"role":"candidate","name":"tiled","status":"ready","reason":"","detail":"",)"
    R"("algorithms_measured":0})";
const std::string kIncumbent =
    R"({"event":"contender","index":0,"arm":1,"role":"incumbent","name":"old","status":"ready"})";
const std::string kCold =
    R"({"event":"samples","index":0,"arm":0,"cache":"cold","time_ns":[10.5,11],"order":[0,3],"sm_clock_mhz":[1980,1979],"retaken":1})";

HarnessRequest request_of(const std::string &mode) {
  HarnessRequest request;
  request.mode = mode;
  request.nonce = "n1";
  request.shapes = {{{64, 32, 16}, true}, {{65, 33, 17}, false}};
  request.contenders = {{"incumbent", "old", std::string(64, 'e'), "/old.so", "pyc_gemm_old", false, {}}};
  return request;
}

HarnessTranscript after(const std::string &mode, const std::vector<std::string> &lines) {
  HarnessTranscript transcript(request_of(mode));
  for (const std::string &line : lines) {
    const Status status = transcript.add(line);
    EXPECT_TRUE(status) << status.error().message;
  }
  return transcript;
}

std::string refusal(HarnessTranscript transcript, const std::string &line) {
  const Status status = transcript.add(line);
  if (status) return "accepted";
  EXPECT_EQ(status.error().kind, ErrorKind::kInvalid);
  return status.error().message;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(HarnessTranscript, FoldsAValidation) {
  const std::string second_begin = R"({"event":"shape_begin","index":1,"m":65,"n":33,"k":17})";
  const std::string failed_check =
      R"({"event":"check","index":1,"check":"random","variant":"plain","status":"failed","reason":"3 wrong",)"
      R"("max_abs_error":"nan","max_rel_error":"inf","normwise_error":"nan","normwise_bound":0.5,"violations":3,)"
      R"("elements":2145,"first":{"row":1,"column":2,"expected":"1","got":"nan","error":"nan"},"deterministic":false})";
  const std::string second_end = R"({"event":"shape_end","index":1,"status":"failed","elapsed_ns":6})";
  const HarnessTranscript transcript =
      after("validate", {kSession, kBegin, kLaunches, kCheck, kPassed, second_begin, failed_check, second_end, kDone});
  EXPECT_TRUE(transcript.done());
  EXPECT_EQ(transcript.finished_shapes(), 2);
  EXPECT_EQ(transcript.gpu()->memory_bus_bits, 6144);
  EXPECT_EQ(transcript.gpu()->runtime_cuda_version, 13000);
  ASSERT_EQ(transcript.validations().size(), 2u);
  const ShapeValidation &first = transcript.validations()[0], &second = transcript.validations()[1];
  EXPECT_EQ(first.status, "passed");
  EXPECT_EQ(first.checks[0].max_abs_error, 1e-06);
  EXPECT_EQ(first.launches->kernels[0].grid[2], 3);
  EXPECT_EQ(second.status, "failed");
  EXPECT_FALSE(second.timed);
  EXPECT_FALSE(second.checks[0].max_abs_error);
  EXPECT_EQ(second.checks[0].normwise_bound, 0.5);
  EXPECT_EQ(second.checks[0].first->got, "nan");
  EXPECT_EQ(second.checks[0].deterministic, false);
  EXPECT_FALSE(first.checks[0].deterministic);
  EXPECT_TRUE(transcript.benchmarks().empty());
}

TEST(HarnessTranscript, FoldsABenchmark) {
  const std::string vendor =
      R"({"event":"contender","index":0,"arm":4,"role":"cublaslt","name":"cublasLt","status":"ready",)"
      R"("detail":"algorithm 7","algorithms_measured":8})";
  const std::string absent = R"({"event":"contender","index":0,"arm":5,"role":"cublas","name":"cuBLAS",)"
                             R"("status":"unavailable","reason":"libcublas.so was not found"})";
  const std::string warm = replaced(replaced(kCold, "cold", "warm"), "\"retaken\":1", "\"retaken\":2");
  const std::string output =
      R"({"event":"output_check","index":0,"arm":0,"check":"random","variant":"","status":"passed"})";
  const std::string timer = R"({"event":"timer","index":0,"overhead_ns":1500.5})";
  const HarnessTranscript transcript = after("bench", {kSession, kBegin, kCandidate, kIncumbent, vendor, absent, timer,
                                                       kCold, warm, output, kLaunches, kCompleted, kDone});
  EXPECT_TRUE(transcript.done());
  ASSERT_EQ(transcript.benchmarks().size(), 1u) << "the untimed shape is not part of a benchmark";
  const ShapeBenchmark &shape = transcript.benchmarks()[0];
  EXPECT_EQ(shape.status, "completed");
  EXPECT_EQ(shape.timer_overhead_ns, 1500.5);
  const Arm &candidate = *shape.find("candidate");
  EXPECT_EQ(candidate.cold_ns, (std::vector<double>{10.5, 11}));
  EXPECT_EQ(candidate.cold_order, (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(candidate.warm_ns.size(), 2u);
  EXPECT_EQ(candidate.retaken, 3);
  EXPECT_EQ(candidate.output_checks.size(), 1u);
  EXPECT_EQ(candidate.detail, "");
  EXPECT_EQ(shape.launches->kernels.size(), 1u);
  EXPECT_EQ(shape.find("incumbent")->digest, std::string(64, 'e'));
  EXPECT_EQ(shape.find("cublaslt")->detail, "algorithm 7, fastest of 8 measured");
  EXPECT_EQ(shape.find("cublas")->reason, "libcublas.so was not found");
}

TEST(HarnessTranscript, TheControlHasTheDigestOfTheIncumbent) {
  const std::string control =
      R"({"event":"contender","index":0,"arm":2,"role":"incumbent_control","name":"old","status":"ready"})";
  const HarnessTranscript transcript = after("bench", {kSession, kBegin, kCandidate, control});
  EXPECT_EQ(transcript.benchmarks()[0].find("incumbent_control")->digest, std::string(64, 'e'));
}

TEST(HarnessTranscript, KeepsWhatWasFinishedWhenTheStreamStops) {
  const HarnessTranscript transcript = after("validate", {kSession, kBegin, kCheck, kPassed});
  EXPECT_FALSE(transcript.done());
  EXPECT_EQ(transcript.finished_shapes(), 1);
  EXPECT_EQ(transcript.validations()[0].status, "passed");
  EXPECT_EQ(transcript.validations()[1].status, "unfinished");
}

TEST(HarnessTranscript, KeepsAFatalEvent) {
  const std::string fatal =
      R"({"event":"fatal","kind":"cuda_error","message":"illegal address","call":"cudaStreamSynchronize",)"
      R"("file":"bench.cu","line":12,"error":"cudaErrorIllegalAddress"})";
  const HarnessTranscript transcript = after("validate", {kSession, kBegin, fatal});
  EXPECT_EQ(transcript.fatal()->kind, "cuda_error");
  EXPECT_EQ(transcript.fatal()->line, 12);
  EXPECT_TRUE(contains(refusal(transcript, kDone), "after 'fatal'"));
  EXPECT_TRUE(after("validate", {R"({"event":"fatal","kind":"no_device","message":"no GPU"})"}).fatal());
}

TEST(HarnessTranscript, RefusesAnotherNonceAndASecondSession) {
  EXPECT_TRUE(contains(refusal(after("validate", {}), replaced(kSession, "\"n1\"", "\"n2\"")), "nonce"));
  EXPECT_TRUE(contains(refusal(after("validate", {kSession}), kSession), "one session only"));
  EXPECT_TRUE(
      contains(refusal(after("validate", {}), replaced(kSession, "\"protocol\":1", "\"protocol\":2")), "protocol"));
}

TEST(HarnessTranscript, RefusesEventsOutOfPlace) {
  EXPECT_TRUE(contains(refusal(after("validate", {}), kBegin), "before 'session'"));
  EXPECT_TRUE(contains(refusal(after("validate", {kSession}), kCheck), "has not begun"));
  EXPECT_TRUE(contains(refusal(after("validate", {kSession, kBegin}), kBegin), "has begun already"));
  EXPECT_TRUE(contains(refusal(after("validate", {kSession, kBegin, kPassed}), kCheck), "has ended"));
  EXPECT_TRUE(contains(refusal(after("validate", {kSession, kBegin, kPassed}), kLaunches), "has ended"));
  EXPECT_TRUE(contains(refusal(after("validate", {kSession, kBegin, kPassed}), kDone), "only 1 of 2 shapes"));
  EXPECT_TRUE(contains(refusal(after("bench", {kSession, kBegin, kCandidate, kCompleted}), kCold), "has ended"));
  EXPECT_TRUE(contains(refusal(after("bench", {kSession, kBegin, kCompleted, kDone}), kSession), "after 'done'"));
}

TEST(HarnessTranscript, RefusesEventsOfTheOtherMode) {
  EXPECT_NE(refusal(after("validate", {kSession, kBegin}), kCandidate), "accepted");
  EXPECT_NE(refusal(after("bench", {kSession, kBegin}), kCheck), "accepted");
  EXPECT_NE(refusal(after("bench", {kSession, kBegin}), kPassed), "accepted");
  EXPECT_NE(refusal(after("validate", {kSession, kBegin}), kCompleted), "accepted");
}

TEST(HarnessTranscript, RefusesAnIndexOutOfRange) {
  for (const char *index : {"2", "-1", "9999999999999", "0.5", "\"0\""})
    EXPECT_TRUE(contains(
        refusal(after("validate", {kSession}), replaced(kBegin, "\"index\":0", std::string("\"index\":") + index)),
        "index"))
        << index;
  EXPECT_TRUE(
      contains(refusal(after("bench", {kSession}), replaced(kBegin, "\"index\":0", "\"index\":1")), "not to be timed"));
}

TEST(HarnessTranscript, RefusesAShapeThatWasNotAskedFor) {
  EXPECT_TRUE(contains(refusal(after("validate", {kSession}), replaced(kBegin, "64", "63")),
                       "64x32x16 was asked for, 63x32x16 has begun"));
}

TEST(HarnessTranscript, RefusesAPassThatContradictsItsChecks) {
  const std::string failed = replaced(kCheck, "\"passed\"", "\"failed\"");
  EXPECT_TRUE(contains(refusal(after("validate", {kSession, kBegin, failed}), kPassed), "a check of it failed"));
}

TEST(HarnessTranscript, RefusesSamplesThatDoNotFit) {
  const HarnessTranscript ready = after("bench", {kSession, kBegin, kCandidate});
  EXPECT_TRUE(contains(refusal(ready, replaced(kCold, "\"arm\":0", "\"arm\":3")), "a contender that is ready"));
  EXPECT_TRUE(contains(refusal(ready, replaced(kCold, "[0,3]", "[0]")), "one place per sample"));
  EXPECT_TRUE(contains(refusal(ready, replaced(kCold, "[1980,1979]", "[1980]")), "one clock per sample"));
  EXPECT_TRUE(contains(refusal(ready, replaced(kCold, "[10.5,11]", "[\"nan\",11]")), "time_ns[0]"));
  EXPECT_TRUE(contains(refusal(ready, replaced(kCold, "\"cold\"", "\"hot\"")), "cache"));
  EXPECT_EQ(refusal(ready, replaced(kCold, "[1980,1979]", "[]")), "accepted");
  EXPECT_TRUE(contains(refusal(after("bench", {kSession, kBegin, kCandidate, kCold}), kCold), "once per arm"));
}

TEST(HarnessTranscript, RefusesAContenderThatTakesAnothersPlace) {
  const HarnessTranscript ready = after("bench", {kSession, kBegin, kCandidate});
  EXPECT_TRUE(contains(refusal(ready, kCandidate), "arm"));
  EXPECT_TRUE(contains(refusal(ready, replaced(kIncumbent, "\"arm\":1", "\"arm\":0")), "arm"));
  EXPECT_TRUE(contains(refusal(ready, replaced(kIncumbent, "\"incumbent\"", "\"champion\"")), "role"));
}

TEST(HarnessTranscript, RefusesEveryMissingField) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> lines = {
      {kSession,
       {R"("protocol":1,)", R"("nonce":"n1",)", R"("uuid":"GPU-1",)", R"("sm_count":132,)", R"("ecc":true,)"}},
      {kBegin, {R"("index":0,)", R"("m":64,)", R"(,"k":16)"}},
      {kLaunches, {R"("capture":"ok",)", R"("grid":[1,2,3],)", R"(,"occupancy":0.25)"}}};
  std::vector<std::string> before;
  for (const auto &[line, fields] : lines) {
    for (const std::string &field : fields)
      EXPECT_TRUE(contains(refusal(after("validate", before), replaced(line, field, "")), "is missing")) << field;
    before.push_back(line);
  }
  const HarnessTranscript open = after("validate", {kSession, kBegin});
  for (const char *field : {R"("index":0,)", R"("check":"random",)", R"("status":"passed",)"})
    EXPECT_TRUE(contains(refusal(open, replaced(kCheck, field, "")), "is missing")) << field;
}

TEST(HarnessTranscript, RefusesGarbageAndShowsThePrintableLine) {
  const HarnessTranscript open = after("validate", {kSession, kBegin});
  for (const std::string line :
       {"", "garbage", "{}", "[]", "{\"event\":\"dance\"}", "{\"event\":7}", "null", "{\"event\""})
    EXPECT_NE(refusal(open, line), "accepted") << line;
  EXPECT_NE(refusal(open, kCheck + kCheck), "accepted");
  EXPECT_TRUE(contains(refusal(open, replaced(kCheck, "}", ",\"extra\":1}")), "unknown field 'extra'"));
  const std::string shown = refusal(open, "\x1b[31mred\xff");
  EXPECT_TRUE(contains(shown, "red")) << shown;
  EXPECT_FALSE(contains(shown, "\x1b")) << shown;
  EXPECT_LT(refusal(open, std::string(1 << 20, 'x')).size(), 1000u);
}

TEST(HarnessTranscript, ARefusedLineChangesNothing) {
  HarnessTranscript transcript = after("bench", {kSession, kBegin, kCandidate});
  EXPECT_FALSE(transcript.add(replaced(kCold, "[0,3]", "[0]")));
  EXPECT_FALSE(transcript.add(replaced(kCold, "\"retaken\":1", "\"retaken\":1,\"x\":1")));
  EXPECT_TRUE(transcript.benchmarks()[0].arms[0].cold_ns.empty());
  EXPECT_EQ(transcript.benchmarks()[0].arms[0].retaken, 0);
  EXPECT_TRUE(transcript.add(kCold));
}

// A candidate shares the harness's process and can write what it likes: nothing may crash the tool, and a line that is
// refused leaves the shapes as they were.
TEST(HarnessTranscript, SurvivesMutatedLines) {
  const std::vector<std::string> lines = {kSession, kBegin, kCandidate, kIncumbent, kCold, kCompleted, kDone};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    HarnessTranscript transcript(request_of("bench"));
    for (const std::string &line : lines) {
      std::string mutated = line;
      for (unsigned edits = random() % 3; edits > 0; --edits) {
        const std::size_t at = random() % mutated.size();
        if (random() % 2)
          mutated[at] = static_cast<char>(random());
        else
          mutated.erase(at, random() % 20 + 1);
        if (mutated.empty()) mutated.push_back(0x20);
      }
      const int finished = transcript.finished_shapes();
      const bool taken = transcript.add(mutated).has_value();
      EXPECT_LE(transcript.finished_shapes(), finished + taken);
    }
    EXPECT_LE(transcript.finished_shapes(), 1);
  }
}

}  // namespace
}  // namespace pyc::evidence
