#include "hpc/run_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

#include "toolchain/arch.h"
#include "workspace/families.h"

namespace pyc::hpc {
namespace {

using evidence::HarnessRequest;
using evidence::Shape;

void add_once(std::vector<HarnessRequest::RequestedShape> &shapes, const Shape &shape, bool timed) {
  const bool known = std::any_of(shapes.begin(), shapes.end(), [&](const auto &have) { return have.shape == shape; });
  if (!known) shapes.push_back({shape, timed});
}

// What the harness takes: docs/reference/harness-protocol.md.
bool is_too_large(const Shape &shape) {
  constexpr std::int64_t kLargestExtent = std::int64_t{1} << 31, kLargestOperand = std::int64_t{1} << 40;
  if (std::max({shape.m, shape.n, shape.k}) > kLargestExtent) return true;
  return std::max({shape.m * shape.k, shape.k * shape.n, shape.m * shape.n}) > kLargestOperand;
}

Status add_shapes(RunPlan &plan, const std::vector<Shape> &timed, bool odd_twins) {
  const workspace::Requires &rules = plan.candidate.contract.requirements;
  for (const Shape &shape : timed) {
    if (!admits(rules, shape)) {
      return fail(ErrorKind::kInvalid,
                  fmt::format("shape '{}' breaks what '{}' requires: m, n, k multiples of {}, {}, {}", to_string(shape),
                              plan.candidate.contract.name, rules.m_multiple, rules.n_multiple, rules.k_multiple),
                  "choose another --shape, or mend \"requires\" or \"shapes\" in kernel.json");
    }
    if (is_too_large(shape)) {
      return fail(ErrorKind::kInvalid,
                  fmt::format("shape '{}' is too large: an extent may be 2^31, an operand may have 2^40 elements",
                              to_string(shape)),
                  "choose another --shape, or mend \"shapes\" in kernel.json");
    }
    add_once(plan.request.shapes, shape, true);
  }
  if (!odd_twins) return {};
  for (const Shape &shape : timed) {
    const Shape twin = workspace::odd_twin(shape);
    if (admits(rules, twin) && !is_too_large(twin)) add_once(plan.request.shapes, twin, false);
  }
  return {};
}

void warn_of_other_families(RunPlan &plan) {
  const std::string &family = plan.candidate.contract.shape_family;
  for (const HarnessRequest::RequestedShape &requested : plan.request.shapes) {
    const Shape &shape = requested.shape;
    const std::string actual = pyc_shape_family_name(pyc_gemm_shape_family(shape.m, shape.n, shape.k));
    if (!requested.timed || actual == family) continue;
    plan.warnings.push_back(
        {"shape_outside_family",
         fmt::format("{} belongs to the family {}, the candidate to {}", to_string(shape), actual, family),
         "the runtime will not ask this candidate for that shape"});
  }
}

void warn_of_loose_tolerance(RunPlan &plan) {
  const workspace::Contract &contract = plan.candidate.contract;
  if (!contract.has_loose_tolerance()) return;
  const evidence::Tolerance mine = contract.effective_tolerance();
  const evidence::Tolerance usual = workspace::default_tolerance(contract.dtype).value_or(evidence::Tolerance{});
  plan.warnings.push_back(
      {"loose_tolerance",
       fmt::format("the tolerance of kernel.json, absolute {:g} and relative {:g}, is looser than {}'s, {:g} and {:g}",
                   mine.absolute, mine.relative, contract.dtype, usual.absolute, usual.relative),
       "nothing is promoted on such a pass: take \"tolerance\" out of kernel.json"});
}

// It has no harness of ours: validate runs its own, nothing else can.
Status refuse_imported(const workspace::Contract &contract, const std::string &mode) {
  if (!contract.is_imported()) return {};
  return fail(ErrorKind::kInvalid,
              fmt::format("'{}' is imported: {} needs a candidate of the standard contract", contract.name, mode),
              fmt::format("time its own program with: pyc lab bench {} --phase run; or convert it "
                          "(docs/compiler-next/kernel-lab.md)",
                          contract.legacy ? contract.legacy->name : "NAME"));
}

}  // namespace

bool admits(const workspace::Requires &rules, const Shape &shape) {
  return shape.m % rules.m_multiple == 0 && shape.n % rules.n_multiple == 0 && shape.k % rules.k_multiple == 0;
}

std::string make_nonce() {
  std::random_device device;
  std::string nonce;
  for (int word = 0; word < 4; ++word) nonce += fmt::format("{:08x}", device());
  return nonce;
}

Result<RunPlan> plan_run(const Context &context, const std::string &mode, const RunOptions &options, bool odd_twins) {
  PYC_CHECK(workspace::require_candidate(context.workspace, options.name));
  RunPlan plan;
  PYC_TRY(plan.candidate, workspace::read_candidate(context.workspace, options.name));
  const workspace::Contract &contract = plan.candidate.contract;
  PYC_CHECK(refuse_imported(contract, mode));
  plan.request.mode = mode;
  plan.request.nonce = make_nonce();
  plan.request.dtype = contract.dtype;
  plan.request.layout = contract.layout;
  plan.request.compute_capability = toolchain::find_arch(contract.arch)->compute_capability;
  plan.request.seed = options.seed.value_or(kDefaultSeed);
  plan.request.tolerance = contract.effective_tolerance();
  plan.request.requirements = contract.requirements;
  plan.request.workspace = contract.workspace;
  PYC_CHECK(add_shapes(plan, options.shapes.empty() ? contract.timed_shapes() : options.shapes, odd_twins));
  warn_of_other_families(plan);
  warn_of_loose_tolerance(plan);
  return plan;
}

}  // namespace pyc::hpc
