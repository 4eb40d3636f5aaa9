#include "rig.h"

#include "reference.h"
#include "stopwatch.h"

namespace pyc::harness {
namespace {

std::string offset_text(const char *name, int64_t bytes) {
  return bytes == 0 ? "" : std::string(", ") + name + " + " + std::to_string(bytes) + " bytes";
}

std::string describe_changes(const char *what, const Changes &changes, const Placement &place) {
  return std::string(what) + ": " + std::to_string(changes.count) + " elements changed, the first " +
         describe_place(place, changes.first);
}

}  // namespace

std::string describe(const Trial &trial) {
  const char *const data = trial.data == Data::random    ? ""
                           : trial.data == Data::whole   ? ", whole numbers"
                           : trial.data == Data::nan_inf ? ", NaN and infinities"
                                                         : ", subnormal numbers";
  const char *const storage = trial.storage == Storage::packed   ? " packed"
                              : trial.storage == Storage::padded ? " padded"
                              : trial.storage == Storage::at_end ? " at the end of a page"
                                                                 : " at the begin of a page";
  return "alpha=" + number_text(trial.alpha) + " beta=" + number_text(trial.beta) + storage + data +
         (trial.around == kPoison ? ", NaN around" : "") + (trial.poison_c ? ", NaN in C" : "") +
         (trial.dirt == kPoison ? ", NaN in shared memory" : "") + offset_text("A", trial.offsets.a) +
         offset_text("B", trial.offsets.b) + offset_text("C", trial.offsets.c);
}

Arena::Arena(const Session &session, const Shape &shape, int64_t extra_bytes, const Driver *fence)
    : operands(shape, session.request.dtype, session.request.layout, session.request.requires_, extra_bytes, fence) {}

Rig::Rig(const Session &session, const Shape &shape, Report report)
    : session_(session),
      shape_(shape),
      report_(std::move(report)),
      main_(session, shape, shape.m * shape.n * static_cast<int64_t>(sizeof(double))),
      counter_(sizeof(ChangesCounter)) {}

// ---- before the call ------------------------------------------------------------------------------------------------

void Rig::load(Data data, Operands &operands) const {
  if (data == Data::random) {
    operands.reseed(session_.request.seed);
    return;
  }
  operands.reseed_whole(session_.request.seed);
  if (data == Data::nan_inf) operands.put_specials(Special::nan_inf);
  if (data == Data::subnormal) operands.put_specials(Special::subnormal);
}

void Rig::prepare(const Trial &trial, Arena &arena) {
  variant_ = describe(trial);
  Operands &operands = arena.operands;
  load(trial.data, operands);
  operands.place(trial.storage, trial.offsets);
  operands.surround_with(trial.around);
  operands.fill_inputs(arena.stream);
  if (trial.poison_c)
    operands.poison_c(arena.stream);
  else
    operands.fill_c(arena.stream);
  const pyc_gemm_args args = operands.args(trial.alpha, trial.beta);
  const size_t workspace_bytes = session_.request.workspace ? session_.candidate.workspace(&args) : 0;
  operands.set_workspace(workspace_bytes, arena.stream, trial.dirt == kPoison ? ~kPoison : kPoison);
  fill_shared_memory(trial.dirt, session_.device.sm_count, session_.device.shared_memory_per_block_optin_bytes,
                     arena.stream);
  arena.stream.synchronize();
}

// ---- the call -------------------------------------------------------------------------------------------------------

Rig::Answer Rig::ask(const pyc_gemm_args &args, cudaStream_t stream) const {
  Answer answer{session_.candidate.run(&args, stream), ""};
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    answer.left = std::string("; it left ") + cudaGetErrorName(error) + " behind";
  }
  return answer;
}

void Rig::expect_success(const Answer &answer, const std::string &variant) {
  if (answer.status == PYC_STATUS_SUCCESS && answer.left.empty()) return note(status_, variant, "");
  note(status_, variant, "the call answered status " + std::to_string(answer.status) + answer.left);
  throw Refused{};
}

void Rig::call(const Trial &trial, Arena &arena) {
  const std::string variant = describe(trial);
  const Stopwatch watch;
  const Answer answer = ask(arena.operands.args(trial.alpha, trial.beta), arena.stream);
  PYC_CUDA(cudaDeviceSynchronize());  // not the stream alone: work that strayed from it is the check `stream`'s concern
  call_ns_ = watch.elapsed_ns();
  expect_success(answer, variant);
  audit(variant, arena);
}

Compared Rig::attempt(const Trial &trial, Arena &arena) {
  prepare(trial, arena);
  call(trial, arena);
  return compare(trial, arena);
}

// ---- the output -----------------------------------------------------------------------------------------------------

const double *Rig::product(Data data, const Operands &operands) {
  if (!product_.data()) product_ = Buffer(shape_.m * shape_.n * static_cast<int64_t>(sizeof(double)));
  auto *const out = static_cast<double *>(product_.data());
  if (product_of_ == data) return out;
  const auto compute = data == Data::random ? reference_product : reference_special_product;
  compute(out, operands.a().pattern, operands.b().pattern, shape_.m, shape_.n, shape_.k, main_.stream);
  main_.stream.synchronize();
  product_of_ = data;
  return out;
}

const int32_t *Rig::whole_product(const Operands &operands) {
  if (whole_.data()) return static_cast<const int32_t *>(whole_.data());
  whole_ = Buffer(shape_.m * shape_.n * static_cast<int64_t>(sizeof(int32_t)));
  auto *const out = static_cast<int32_t *>(whole_.data());
  reference_whole_product(out, operands.a().pattern, operands.b().pattern, shape_.m, shape_.n, shape_.k, main_.stream);
  main_.stream.synchronize();
  return out;
}

Expectation Rig::expectation(const Trial &trial, const Operands &operands) {
  Expectation want{nullptr, shape_.m, shape_.n, trial.alpha, trial.beta, operands.c().pattern, {}};
  want.exact = trial.data != Data::random;
  want.rule = want.exact ? Rule{trial.data == Data::subnormal ? flush_slack(session_.request.dtype) : 0, 0}
                         : session_.request.tolerance;
  if (trial.data == Data::whole)
    want.whole = whole_product(operands);
  else
    want.product = product(trial.data, operands);
  return want;
}

Compared Rig::compare(const Trial &trial, Arena &arena) {
  const Operand &c = arena.operands.c();
  const Expectation want = expectation(trial, arena.operands);
  arena.comparison.enqueue(c.data(), c.place.ld, want, arena.stream);
  const Tally tally = arena.comparison.result(arena.stream);
  if (!want.exact) return compared_with_bound(tally, shape_, session_.request.dtype, trial.alpha, trial.beta);
  return Compared{tally, shape_.n};
}

Output Rig::output() const {
  const Operand &c = main_.operands.c();
  return {c.data(), shape_.m, shape_.n, c.place.ld, c.pattern.dtype};
}

void Rig::keep() {
  if (!kept_.data()) kept_ = Buffer(shape_.m * shape_.n * element_bytes(session_.request.dtype));
  keep_output(kept_.data(), output(), main_.stream);
  main_.stream.synchronize();
}

Changes Rig::differences() {
  if (!kept_.data()) return {};
  count_differences(kept_.data(), output(), static_cast<ChangesCounter *>(counter_.data()), main_.stream);
  return read_counter(main_.stream);
}

bool Rig::judge(const std::string &variant, const Compared &compared) {
  const CheckResult result = harness::judge(check_.c_str(), variant, compared);
  report_(result);
  return result.status == Status::passed;
}

// ---- what a call may not change -------------------------------------------------------------------------------------

void Rig::note(Audit &audit, const std::string &variant, const std::string &wrong) {
  ++audit.calls;
  if (wrong.empty() || audit.failed) return;
  audit.failed = true;
  report_({audit.check, variant, Status::failed, wrong, {}, {}});
}

void Rig::audit(const std::string &variant, Arena &arena) {
  note(writes_, variant, written_outside(arena));
  note(inputs_, variant, changed_input(arena));
}

std::string Rig::touched(Arena &arena) {
  const Operands &operands = arena.operands;
  if (const Changes seen = poison_changes(operands.c().memory, arena.stream); seen.count) {
    return "C: " + std::to_string(seen.count) + " words changed, the first " +
           describe_place(operands.c().place, seen.first);
  }
  if (std::string changed = changed_input(arena); !changed.empty()) return changed;
  if (operands.workspace_bytes() == 0) return "";
  const Buffer &workspace = operands.workspace();
  count_word_changes(workspace.data(), workspace.bytes(), operands.workspace_word(),
                     static_cast<ChangesCounter *>(counter_.data()), arena.stream);
  const Changes seen = read_counter(arena.stream);
  return seen.count ? "the workspace: " + std::to_string(seen.count) + " words changed" : "";
}

void Rig::report_audits() {
  for (const Audit *audit : {&status_, &writes_, &inputs_}) {
    if (audit->failed || audit->calls == 0) continue;
    report_({audit->check, std::to_string(audit->calls) + " calls", Status::passed, "", {}, {}});
  }
}

std::string Rig::written_outside(Arena &arena) {
  const Operands &operands = arena.operands;
  const Changes seen = changes(operands.c(), Inside::ignore, arena);
  if (seen.count) return describe_changes("outside C", seen, operands.c().place);
  if (operands.workspace_bytes() == 0) return "";
  const Placement place = operands.workspace_place();
  count_changes(operands.workspace().data(), place, Pattern{0, 0, DType::fp16}, operands.workspace_word(),
                Inside::ignore, static_cast<ChangesCounter *>(counter_.data()), arena.stream);
  const Changes around = read_counter(arena.stream);
  return around.count ? describe_changes("outside the workspace", around, place) : "";
}

std::string Rig::changed_input(Arena &arena) {
  const Operand *const operands[] = {&arena.operands.a(), &arena.operands.b()};
  for (const Operand *operand : operands) {
    const Changes seen = changes(*operand, Inside::compare, arena);
    if (seen.count) return describe_changes(operand == operands[0] ? "A" : "B", seen, operand->place);
  }
  return "";
}

Changes Rig::changes(const Operand &operand, Inside inside, Arena &arena) {
  count_changes(operand.memory.data(), operand.place, operand.pattern, arena.operands.around(), inside,
                static_cast<ChangesCounter *>(counter_.data()), arena.stream);
  return read_counter(arena.stream);
}

// Counted in words of four bytes, which are the elements of fp32 and pairs of the others.
Changes Rig::poison_changes(const Buffer &buffer, cudaStream_t stream) {
  count_word_changes(buffer.data(), buffer.bytes(), kPoison, static_cast<ChangesCounter *>(counter_.data()), stream);
  Changes seen = read_counter(stream);
  if (seen.count) seen.first *= 4 / element_bytes(session_.request.dtype);
  return seen;
}

Changes Rig::read_counter(cudaStream_t stream) {
  ChangesCounter counter{};
  PYC_CUDA(cudaMemcpyAsync(&counter, counter_.data(), sizeof counter, cudaMemcpyDeviceToHost, stream));
  PYC_CUDA(cudaStreamSynchronize(stream));
  return changes_of(counter);
}

}  // namespace pyc::harness
