#include "hpc/harness_run.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::hpc {
namespace {

evidence::HarnessRequest one_shape() {
  evidence::HarnessRequest request;
  request.mode = "validate";
  request.nonce = "nonce";
  request.dtype = "fp32";
  request.layout = "nn";
  request.compute_capability = "9.0";
  request.shapes = {{{64, 64, 64}, true}};
  return request;
}

ProcessResult ended(ProcessEnd end, int code = 0) {
  ProcessResult result;
  result.end = end;
  result.exit_code = code;
  result.signal = code;
  return result;
}

std::optional<Error> judge(const ProcessResult &result, const std::string &fatal = "", const std::string &bad = "") {
  evidence::HarnessTranscript transcript(one_shape());
  if (!fatal.empty()) {
    const Status added = transcript.add(fatal);
    EXPECT_TRUE(added) << added.error().message;
  }
  return judge_run(result, transcript, bad);
}

TEST(JudgeRun, AnInterruptionComesBeforeEverythingElse) {
  const auto error = judge(ended(ProcessEnd::kInterrupted), "", "garbage");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::kInterrupted);
}

TEST(JudgeRun, AMachineThatCannotRunItIsNotTheCandidatesFault) {
  for (const char *kind : {"no_device", "wrong_device", "out_of_memory"}) {
    const auto error = judge(ended(ProcessEnd::kExited, 3),
                             std::string(R"({"event":"fatal","kind":")") + kind + R"(","message":"words"})");
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind, ErrorKind::kUnavailable) << kind;
    EXPECT_EQ(error->message, "words");
  }
  EXPECT_EQ(judge(ended(ProcessEnd::kExited, 3))->kind, ErrorKind::kUnavailable);
}

TEST(JudgeRun, AKernelThatEndsTheProgramWithThatCodeIsAtFault) {
  evidence::HarnessTranscript transcript(one_shape());
  ASSERT_TRUE(transcript.add(
      R"({"event":"session","protocol":1,"nonce":"nonce","gpu":{"name":"g","uuid":"u","compute_capability":"9.0",)"
      R"("memory_bytes":1,"sm_count":1,"l2_bytes":1,"sm_clock_max_khz":1,"memory_clock_max_khz":1,"memory_bus_bits":1,)"
      R"("shared_memory_per_block_optin_bytes":1,"ecc":true,"driver_version":1,"runtime_version":1}})"));
  const auto error = judge_run(ended(ProcessEnd::kExited, 3), transcript, "");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::kNo);
  EXPECT_NE(error->message.find("exit code 3"), std::string::npos) << error->message;
}

TEST(JudgeRun, AFailedCudaCallIsNamedWithItsPlace) {
  const auto error = judge(
      ended(ProcessEnd::kExited, 4),
      R"json({"event":"fatal","kind":"cuda_error","message":"m","call":"f()","file":"a.cu","line":7,"error":"cudaErrorX"})json");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::kNo);
  EXPECT_NE(error->message.find("f() at a.cu:7"), std::string::npos) << error->message;
}

TEST(JudgeRun, ACrashAHangAndALineThatIsNoEventAreTheCandidatesFault) {
  for (const ProcessEnd end : {ProcessEnd::kSignalled, ProcessEnd::kSilenceLimit, ProcessEnd::kEventOverflow}) {
    const auto error = judge(ended(end, 11));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind, ErrorKind::kNo);
  }
  EXPECT_EQ(judge(ended(ProcessEnd::kExited), "", "bad")->kind, ErrorKind::kNo);
}

TEST(JudgeRun, ExitCodeZeroWithoutDoneIsNotAWholeRun) {
  const auto error = judge(ended(ProcessEnd::kExited));
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("'done'"), std::string::npos);
}

TEST(RunHarness, RemovesTheRequestAndKeepsTheChildsWords) {
  const workspace::test::SampleWorkspace scratch;
  const auto child = scratch.folder().write_program("child", "echo out; echo err >&2; [ -s \"$2\" ] || exit 9");
  Context context;
  context.workspace = scratch.workspace();
  const evidence::HarnessRequest request = one_shape();
  evidence::HarnessTranscript transcript(request);
  const auto run = run_harness(context, child, request, std::chrono::seconds(10), transcript, [] {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->log, "out\nerr\n");
  ASSERT_TRUE(run->failure);
  EXPECT_NE(run->failure->message.find("'done'"), std::string::npos) << run->failure->message;
  EXPECT_TRUE(std::filesystem::is_empty(scratch / "kernels/.build/requests"));
}

TEST(RunHarness, AFloodOfLinesThatAreNoEventsEndsWithTheFirstOfThem) {
  const workspace::test::SampleWorkspace scratch;
  const auto child = scratch.folder().write_program("child", "seq 1 2000000 >&3");
  Context context;
  context.workspace = scratch.workspace();
  const evidence::HarnessRequest request = one_shape();
  evidence::HarnessTranscript transcript(request);
  const auto begin = std::chrono::steady_clock::now();
  const auto run = run_harness(context, child, request, std::chrono::seconds(10), transcript, [] {});
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->failure);
  EXPECT_NE(run->failure->message.find("\"1\""), std::string::npos) << run->failure->message;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace pyc::hpc
