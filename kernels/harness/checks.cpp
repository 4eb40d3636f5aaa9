#include "checks.h"

#include "reference.h"

namespace pyc::harness {
namespace {

constexpr Variant kVariants[] = {
    {1.0f, 0.0f, Storage::packed},
    {1.0f, 0.0f, Storage::padded},
    {1.5f, -0.75f, Storage::padded},
};

int64_t product_bytes(const Shape &shape) { return shape.m * shape.n * static_cast<int64_t>(sizeof(double)); }

CheckResult passed(const char *check, const std::string &variant) { return {check, variant, Status::passed, "", {}}; }

CheckResult failed(const char *check, const std::string &variant, const std::string &reason) {
  return {check, variant, Status::failed, reason, {}};
}

std::string describe_changes(const char *what, const Changes &changes, const Placement &place) {
  return std::string(what) + ": " + std::to_string(changes.count) + " elements changed, the first " +
         describe_place(place, changes.first);
}

// The error that a call left behind without a word, cleared; empty if none.
std::string error_left_behind() {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? "" : std::string("; it left ") + cudaGetErrorName(error) + " behind";
}

}  // namespace

std::string describe(const Variant &variant) {
  return "alpha=" + number_text(variant.alpha) + " beta=" + number_text(variant.beta) +
         (variant.storage == Storage::packed ? " packed" : " padded");
}

ShapeChecks::ShapeChecks(const Session &session, const Shape &shape, Report report)
    : session_(session),
      shape_(shape),
      report_(std::move(report)),
      operands_(shape, session.request.dtype, session.request.layout, session.request.requires_, product_bytes(shape)),
      product_(product_bytes(shape)),
      counter_(sizeof(ChangesCounter)) {
  operands_.reseed(session.request.seed);
}

void ShapeChecks::run() {
  const std::string excluded = unmet(session_.request.requires_, shape_);
  if (excluded.empty()) {
    reference_product(static_cast<double *>(product_.data()), operands_.a().pattern, operands_.b().pattern, shape_.m,
                      shape_.n, shape_.k, stream_);
    for (const Variant &variant : kVariants) run_variant(variant);
  } else {
    for (const char *check : {"status", "random", "poison", "inputs"}) {
      report_({check, "", Status::skipped, "the kernel's requires exclude the shape: " + excluded, {}});
    }
  }
  run_unsupported();
}

pyc_gemm_args ShapeChecks::packed_call() {
  prepare(kVariants[0]);
  return operands_.args(1.0f, 0.0f);
}

void ShapeChecks::prepare(const Variant &variant) {
  operands_.place(variant.storage);
  operands_.fill_inputs(stream_);
  if (variant.beta == 0.0f)
    operands_.poison_c(stream_);
  else
    operands_.fill_c(stream_);
  const pyc_gemm_args args = operands_.args(variant.alpha, variant.beta);
  operands_.set_workspace(session_.request.workspace ? session_.candidate.workspace(&args) : 0, stream_);
  stream_.synchronize();
}

void ShapeChecks::run_variant(const Variant &variant) {
  const std::string name = describe(variant);
  prepare(variant);
  const CheckResult answer = status(name, operands_.args(variant.alpha, variant.beta));
  report_(answer);
  if (answer.status == Status::failed) return;
  report_(random(variant));
  report_(poison(name));
  report_(inputs(name));
}

CheckResult ShapeChecks::status(const std::string &variant, const pyc_gemm_args &args) {
  const pyc_status answer = session_.candidate.run(&args, static_cast<cudaStream_t>(stream_));
  const std::string left = error_left_behind();
  stream_.synchronize();
  if (answer == PYC_STATUS_SUCCESS && left.empty()) return passed("status", variant);
  return failed("status", variant, "the call answered status " + std::to_string(answer) + left);
}

CheckResult ShapeChecks::random(const Variant &variant) {
  const Expectation expectation{static_cast<const double *>(product_.data()),
                                shape_.m,
                                shape_.n,
                                variant.alpha,
                                variant.beta,
                                operands_.c().pattern,
                                session_.request.tolerance};
  comparison_.enqueue(operands_.c().data(), operands_.c().place.ld, expectation, stream_);
  const Compared compared =
      compared_with_bound(comparison_.result(stream_), shape_, session_.request.dtype, variant.alpha, variant.beta);
  return judge("random", describe(variant), compared);
}

CheckResult ShapeChecks::poison(const std::string &variant) {
  const Operand &c = operands_.c();
  if (const Changes seen = changes(c.memory.data(), c.place, c.pattern, Inside::ignore); seen.count) {
    return failed("poison", variant, describe_changes("outside C", seen, c.place));
  }
  if (operands_.workspace_bytes() == 0) return passed("poison", variant);
  const Placement place = operands_.workspace_place();
  const Changes seen = changes(operands_.workspace().data(), place, Pattern{0, 0, DType::fp16}, Inside::ignore);
  if (seen.count) return failed("poison", variant, describe_changes("outside the workspace", seen, place));
  return passed("poison", variant);
}

CheckResult ShapeChecks::inputs(const std::string &variant) {
  const Operand *const operands[] = {&operands_.a(), &operands_.b()};
  for (const Operand *operand : operands) {
    const Changes seen = changes(operand->memory.data(), operand->place, operand->pattern, Inside::compare);
    const char *const name = operand == operands[0] ? "A" : "B";
    if (seen.count) return failed("inputs", variant, describe_changes(name, seen, operand->place));
  }
  return passed("inputs", variant);
}

void ShapeChecks::run_unsupported() {
  prepare(kVariants[0]);
  const auto violations = violations_of(session_.request.requires_, session_.request.dtype, operands_.args(1.0f, 0.0f));
  for (const Violation &violation : violations) report_(unsupported(violation));
}

CheckResult ShapeChecks::unsupported(const Violation &violation) {
  operands_.poison_c(stream_);
  const pyc_status answer = session_.candidate.run(&violation.args, static_cast<cudaStream_t>(stream_));
  const std::string left = error_left_behind();
  stream_.synchronize();
  if (answer != PYC_STATUS_UNSUPPORTED || !left.empty()) {
    return failed("unsupported", violation.what,
                  "the call answered status " + std::to_string(answer) + ", not " +
                      std::to_string(PYC_STATUS_UNSUPPORTED) + " (unsupported)" + left);
  }
  const Operand &c = operands_.c();
  const Changes seen = poison_changes(c.memory);
  if (seen.count) return failed("unsupported", violation.what, describe_changes("C", seen, c.place));
  return passed("unsupported", violation.what);
}

Changes ShapeChecks::changes(const void *allocation, const Placement &place, const Pattern &pattern, Inside inside) {
  count_changes(allocation, place, pattern, inside, static_cast<ChangesCounter *>(counter_.data()), stream_);
  return read_counter();
}

// Counted in words of four bytes, which are the elements of fp32 and pairs of the others.
Changes ShapeChecks::poison_changes(const Buffer &buffer) {
  count_poison_changes(buffer.data(), buffer.bytes(), static_cast<ChangesCounter *>(counter_.data()), stream_);
  Changes seen = read_counter();
  if (seen.count) seen.first *= 4 / element_bytes(session_.request.dtype);
  return seen;
}

Changes ShapeChecks::read_counter() {
  ChangesCounter counter{};
  PYC_CUDA(cudaMemcpyAsync(&counter, counter_.data(), sizeof counter, cudaMemcpyDeviceToHost, stream_));
  stream_.synchronize();
  return changes_of(counter);
}

}  // namespace pyc::harness
