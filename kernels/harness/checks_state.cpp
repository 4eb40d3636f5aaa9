// Checks of what a call may not depend on: earlier calls, other streams, the way in which it is launched.
#include <algorithm>
#include <chrono>
#include <thread>

#include "capture.h"
#include "checks.h"
#include "stamps.h"

namespace pyc::harness {
namespace {

constexpr int kRepeats = 20, kFewRepeats = 3;
constexpr int64_t kRepeatBudgetNs = 1'000'000'000;
constexpr uint64_t kHoldLimitNs = 500'000'000;

std::string place_text(const Changes &seen, const Shape &shape) {
  return std::to_string(seen.count) + " elements have other bits than the first call gave, the first in row " +
         std::to_string(seen.first / shape.n) + ", column " + std::to_string(seen.first % shape.n);
}

// Slow kernels are called less often, but never less than a few times.
int repeats_of(const Rig &rig) {
  if (rig.session().request.depth == Depth::quick) return kFewRepeats;
  const int64_t fit = kRepeatBudgetNs / std::max<int64_t>(rig.call_ns(), 1);
  return static_cast<int>(std::clamp<int64_t>(fit, kFewRepeats, kRepeats));
}

Trial whole_trial() {
  Trial trial;
  trial.data = Data::whole;
  return trial;
}

// Data for a second problem: whole numbers, unless k is too large for them.
Trial other_trial(const Rig &rig) {
  Trial trial = rig.shape().k <= kLargestExactK ? whole_trial() : Trial{};
  trial.alpha = -2, trial.beta = 0.5f;
  return trial;
}

// A stream that does nothing until released.
class Gate {
 public:
  Gate() : flag_(sizeof(HoldFlag)) {}
  ~Gate() { release(); }
  void hold(cudaStream_t stream) { harness::hold(static_cast<HoldFlag *>(flag_.device()), 1, kHoldLimitNs, stream); }
  void release() { static_cast<volatile HoldFlag *>(flag_.host())->release = 1; }
  bool expired() const { return static_cast<volatile HoldFlag *>(flag_.host())->expired != 0; }

 private:
  MappedBuffer flag_;
};

// The call on a smaller problem in the same memory; what it computes is not looked at.
void call_smaller(Rig &rig) {
  const Requires &requires_ = rig.session().request.requires_;
  pyc_gemm_args args = rig.main().operands.args(1.0f, 0.0f);
  const auto shrink = [](int64_t extent, int64_t multiple) {
    return std::max(multiple, extent / 2 / multiple * multiple);
  };
  args.m = shrink(args.m, requires_.m_multiple);
  args.n = shrink(args.n, requires_.n_multiple);
  args.k = shrink(args.k, requires_.k_multiple);
  if (rig.session().request.workspace && rig.session().candidate.workspace(&args) > args.workspace_bytes) return;
  const Rig::Answer answer = rig.ask(args, rig.main().stream);
  rig.main().stream.synchronize();
  rig.expect_success(answer, "a smaller problem");
  rig.audit("a smaller problem", rig.main());
}

void replay(Rig &rig, CapturedCall &call, const Trial &trial) {
  call.replay(rig.main().stream);
  rig.main().stream.synchronize();
  rig.audit("replayed, " + describe(trial), rig.main());
}

// The output again: the same bits, or for a kernel that is not deterministic a right answer.
void judge_same(Rig &rig, const Trial &trial) {
  const Compared compared = rig.compare(trial, rig.main());
  if (right(compared) && rig.deterministic) {
    const Changes seen = rig.differences();
    if (seen.count) return rig.fail(describe(trial), place_text(seen, rig.shape()));
  }
  rig.judge(describe(trial), compared);
}

}  // namespace

void check_repeat(Rig &rig) {
  Trial trial;
  Compared compared = rig.attempt(trial);
  if (!right(compared)) {
    rig.judge("a second call, " + describe(trial), compared);
    return;
  }
  rig.keep();
  const int repeats = repeats_of(rig);
  Changes first_difference;
  for (int i = 1; i <= repeats; ++i) {
    trial.dirt = i % 2 ? kPoison : kCalm;
    rig.prepare(trial, rig.main());
    rig.call(trial, rig.main());
    const Changes seen = rig.differences();
    if (seen.count == 0) continue;
    if (rig.deterministic) first_difference = seen;
    rig.deterministic = false;
    compared = rig.compare(trial, rig.main());
    if (right(compared)) continue;
    rig.judge("repeat " + std::to_string(i) + " of " + std::to_string(repeats) + ", " + describe(trial), compared);
    return;
  }
  const bool demanded = rig.session().request.deterministic && !rig.deterministic;
  CheckResult result{
      rig.check(),      std::to_string(repeats) + " repeats", demanded ? Status::failed : Status::passed, "", {},
      rig.deterministic};
  if (!rig.deterministic) result.reason = place_text(first_difference, rig.shape());
  rig.report(result);
}

void check_state(Rig &rig) {
  const Trial first, other = other_trial(rig);
  const Compared between = rig.attempt(other);
  if (!right(between)) {
    rig.judge(describe(other), between);
    return;
  }
  call_smaller(rig);
  rig.prepare(first, rig.main());
  rig.call(first, rig.main());
  judge_same(rig, first);
}

// The work must wait for its stream, and the call must not.
void check_stream(Rig &rig) {
  Trial trial;
  trial.around = kPoison, trial.poison_c = true;
  Arena &arena = rig.main();
  const Stream aside;
  rig.prepare(trial, arena);
  rig.poison_changes(arena.operands.c().memory, aside);  // its kernels load lazily, which a held stream would block
  Gate gate;
  gate.hold(arena.stream);
  const Rig::Answer answer = rig.ask(arena.operands.args(trial.alpha, trial.beta), arena.stream);
  const bool waited = gate.expired(), strayed = !default_streams_idle();
  std::this_thread::sleep_for(std::chrono::nanoseconds(std::clamp<int64_t>(3 * rig.call_ns(), 2'000'000, 200'000'000)));
  const Changes early = waited ? Changes{} : rig.poison_changes(arena.operands.c().memory, aside);
  const bool held = !gate.expired();
  gate.release();
  arena.stream.synchronize();
  PYC_CUDA(cudaDeviceSynchronize());
  rig.expect_success(answer, describe(trial));
  rig.audit(describe(trial), arena);
  if (waited)
    return rig.fail(describe(trial), "the call did not return while its stream was held: it waits for the device");
  if (early.count && held)
    return rig.fail(describe(trial), "C changed while the stream of the call was held: the work runs on another one");
  if (strayed) return rig.fail(describe(trial), "the call left work on a default stream");
  rig.judge(describe(trial), rig.compare(trial, arena));
}

void check_streams(Rig &rig) {
  constexpr int kRounds = 4;
  std::unique_ptr<Arena> other;
  try {
    other = std::make_unique<Arena>(rig.session(), rig.shape(), 0);
  } catch (const Fatal &fatal) {
    if (fatal.kind != "out_of_memory") throw;
    return rig.skip("no memory for a second problem: " + fatal.message);
  }
  const Trial here;
  Trial there = other_trial(rig);
  there.alpha = 1, there.beta = 0;
  rig.prepare(here, rig.main());
  rig.prepare(there, *other);
  Gate gate;
  gate.hold(rig.main().stream);
  gate.hold(other->stream);
  std::vector<Rig::Answer> answers;
  for (int round = 0; round < kRounds; ++round) {
    answers.push_back(rig.ask(rig.main().operands.args(here.alpha, here.beta), rig.main().stream));
    answers.push_back(rig.ask(other->operands.args(there.alpha, there.beta), other->stream));
  }
  gate.release();
  rig.main().stream.synchronize();
  other->stream.synchronize();
  for (const Rig::Answer &answer : answers) rig.expect_success(answer, "on two streams");
  rig.audit("on the first of two streams", rig.main());
  rig.audit("on the second of two streams", *other);
  const Compared second = rig.compare(there, *other);
  if (!right(second)) {
    rig.judge("on the second of two streams, " + describe(there), second);
    return;
  }
  judge_same(rig, here);
}

void check_graph(Rig &rig) {
  Arena &arena = rig.main();
  const Trial captured;
  Trial replayed = other_trial(rig);
  replayed.alpha = captured.alpha, replayed.beta = captured.beta;
  rig.prepare(captured, arena);
  CapturedCall call(rig.session().candidate.run, arena.operands.args(captured.alpha, captured.beta));
  if (const std::string why = call.refusal(); !why.empty()) return rig.fail(describe(captured), why);
  rig.prepare(replayed, arena);
  replay(rig, call, replayed);
  const Compared changed = rig.compare(replayed, arena);
  if (!right(changed)) {
    rig.judge("replayed with changed inputs, " + describe(replayed), changed);
    return;
  }
  rig.prepare(captured, arena);
  replay(rig, call, captured);
  judge_same(rig, captured);
}

}  // namespace pyc::harness
