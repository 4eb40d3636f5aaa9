// Checks of what a call touches: pages that are not there, and arguments that it must refuse.
#include "capture.h"
#include "checks.h"
#include "fatal.h"
#include "violations.h"

namespace pyc::harness {
namespace {

// Empty if the call was refused and left everything alone.
std::string what_is_wrong(Rig &rig, const pyc_gemm_args &args) {
  Arena &arena = rig.main();
  const std::string wanted = ", not " + std::to_string(PYC_STATUS_UNSUPPORTED) + " (unsupported)";
  arena.operands.poison_c(arena.stream);
  const Rig::Answer answer = rig.ask(args, arena.stream);
  PYC_CUDA(cudaDeviceSynchronize());  // not the stream alone: nothing may be enqueued on another one either
  if (answer.status != PYC_STATUS_UNSUPPORTED || !answer.left.empty()) {
    return "the call answered status " + std::to_string(answer.status) + wanted + answer.left;
  }
  if (std::string touched = rig.touched(arena); !touched.empty()) return touched;
  const CapturedCall captured(rig.session().candidate.run, args);
  if (!captured.broken().empty()) return captured.broken();
  const size_t nodes = captured.nodes().size();
  return nodes == 0 ? "" : "the call was refused, but it enqueued " + std::to_string(nodes) + " operations";
}

// With its workspace allocated too, so that memory which does not suffice shows here.
std::unique_ptr<Arena> fenced_arena(Rig &rig, const Trial &trial) {
  auto fenced = std::make_unique<Arena>(rig.session(), rig.shape(), 0, &rig.session().driver);
  rig.prepare(trial, *fenced);
  return fenced;
}

}  // namespace

void check_unsupported(Rig &rig) {
  const Request &request = rig.session().request;
  rig.prepare(Trial{}, rig.main());
  for (const Violation &violation :
       violations_of(request.requires_, request.dtype, rig.main().operands.args(1.0f, 0.0f))) {
    if (const std::string wrong = what_is_wrong(rig, violation.args); wrong.empty())
      rig.pass(violation.what);
    else
      rig.fail(violation.what, wrong);
  }
}

// Operands and workspace in pages of their own with nothing mapped on either side. C is read too.
void check_page_ends(Rig &rig) {
  if (!rig.session().driver.can_map()) return rig.skip("the driver cannot map single pages");
  Trial trial;
  trial.alpha = 1, trial.beta = 1, trial.storage = Storage::at_end;
  std::unique_ptr<Arena> fenced;
  try {
    fenced = fenced_arena(rig, trial);
  } catch (const Fatal &fatal) {
    if (fatal.kind != "out_of_memory") throw;
    return rig.skip("no memory for a second set of operands: " + fatal.message);
  }
  for (const Storage storage : {Storage::at_end, Storage::at_begin}) {
    trial.storage = storage;
    const Compared compared = rig.attempt(trial, *fenced);
    if (storage == Storage::at_begin || !right(compared)) {
      rig.judge(describe(trial), compared);
      return;
    }
  }
}

}  // namespace pyc::harness
