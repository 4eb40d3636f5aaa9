// Line 2: the times are of this candidate, complete, possible, and of outputs that were right afterwards.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/gate_lines.h"
#include "hpc/roofline.h"
#include "pyc/gemm.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::Benchmark;
using evidence::Shape;
using evidence::ShapeBenchmark;
using workspace::Candidate;

std::string time_text(double time_ns) {
  return time_ns < 1e6 ? fmt::format("{:.4g} us", time_ns / 1e3) : fmt::format("{:.4g} ms", time_ns / 1e6);
}

// The arms whose times lines 5 to 7 compare; the vendor's are for comparison by people.
bool decides(const Arm &arm) {
  return arm.role == "candidate" || arm.role == "incumbent" || arm.role.ends_with("_control");
}

// What the harness looks at in every arm that is compared; in the candidate also at the kernels that it launches.
std::string missing_check(const Arm &arm) {
  std::vector<std::string> wanted = {"output", "every_call", "threads", "device_state"};
  if (arm.role == "candidate") wanted.push_back("launches");
  for (const std::string &name : wanted) {
    const auto is_it = [&](const evidence::Check &check) { return check.check == name; };
    if (std::none_of(arm.output_checks.begin(), arm.output_checks.end(), is_it)) return name;
  }
  return {};
}

// Of the kernel that an arm times: what its contract, or its record, declares.
Units units_of(const Arm &arm, const GateInput &input) {
  const evidence::CandidateRef &ref = input.candidate->ref;
  const workspace::Entry *entry = input.registry->find(ref.selector, ref.arch);
  const bool incumbent = arm.role.starts_with("incumbent");
  if (incumbent && !entry) return Units::kOfDtype;
  const workspace::RuntimeFigures &declared = incumbent ? entry->record.runtime : input.candidate->contract.runtime;
  return declared.tensor_core ? Units::kTensorCores : Units::kOfDtype;
}

std::string too_fast_reason(const Arm &arm, double median_ns, const Shape &shape, const GateInput &input) {
  const auto floor_ns =
      physical_floor_ns(shape, input.candidate->contract.dtype, *input.benchmark->header.gpu, units_of(arm, input));
  if (!floor_ns) return "the evidence lacks the GPU's clocks, so the roofline is unknown";
  if (median_ns >= kRoofTolerance * *floor_ns) return {};
  return fmt::format("its median of {} is faster than the device can be, {}", time_text(median_ns),
                     time_text(*floor_ns));
}

std::string arm_reason(const Arm &arm, const Shape &shape, const GateInput &input) {
  const auto is_time = [](double time_ns) { return time_ns > 0 && time_ns <= workspace::kLongestTimeNs; };
  const auto median_ns = evidence::cold_median_ns(arm);
  if (!median_ns || !std::all_of(arm.cold_ns.begin(), arm.cold_ns.end(), is_time))
    return "it has no times, or some that are not positive or are no times of a kernel; bench again";
  if (arm.output_checks.empty()) return "its output was not checked after timing";
  const auto failed = std::find_if_not(arm.output_checks.begin(), arm.output_checks.end(), holds);
  if (failed != arm.output_checks.end())
    return fmt::format("check '{}' failed: {}", printable(failed->check), printable(failed->reason));
  if (!decides(arm)) return {};
  if (const std::string missing = missing_check(arm); !missing.empty())
    return fmt::format("the check '{}' was not made; bench again with this version of pyc", missing);
  if (arm.cold_ns.size() < kLeastPairs)
    return fmt::format("it has {} samples, at least {} are needed; see --repeats", arm.cold_ns.size(), kLeastPairs);
  return too_fast_reason(arm, *median_ns, shape, input);
}

const evidence::Launches *validated_launches(const Shape &shape, const GateInput &input) {
  for (const evidence::ShapeValidation &validated : input.validation->shapes)
    if (validated.shape == shape) return validated.launches ? &*validated.launches : nullptr;
  return nullptr;
}

// What was timed is what was validated, and can be served: a kernel that chooses another way when it is timed, or one
// that needs more workspace than the runtime gives, would be promoted for what nobody gets.
std::string launches_reason(const ShapeBenchmark &shape, const GateInput &input) {
  const evidence::Launches *validated = validated_launches(shape.shape, input);
  if (!validated || !shape.launches)
    return "the kernels that one call launches were not recorded; validate and bench again";
  if (kernel_names(*validated) != kernel_names(*shape.launches))
    return "it launched other kernels than the validation saw; validate and bench again";
  const std::int64_t workspace_bytes = shape.launches->workspace_bytes.value_or(0);
  if (workspace_bytes <= static_cast<std::int64_t>(PYC_WORKSPACE_BYTES)) return {};
  return fmt::format("it needs {} bytes of workspace, the runtime gives {}", workspace_bytes, PYC_WORKSPACE_BYTES);
}

std::string shape_reason(const ShapeBenchmark &shape, const GateInput &input) {
  if (shape.status != "completed") return fmt::format("its status is '{}'", printable(shape.status));
  const Arm *candidate = shape.find("candidate");
  if (!candidate || candidate->status != "ready") return "the candidate was not timed";
  for (const Arm &arm : shape.arms) {
    if (arm.status != "ready") continue;
    const std::string reason = arm_reason(arm, shape.shape, input);
    if (!reason.empty()) return fmt::format("{} '{}': {}", arm.role, printable(arm.name), reason);
  }
  return {};
}

// The geometric mean weighs every shape of kernel.json once: a shape more or less would answer another question.
std::string shape_set_reason(const Benchmark &benchmark, const Candidate &candidate) {
  std::vector<Shape> left = candidate.contract.timed_shapes();
  if (left.empty() || benchmark.shapes.empty()) return "nothing was timed";
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    const auto at = std::find(left.begin(), left.end(), shape.shape);
    if (at == left.end()) return to_string(shape.shape) + " is no shape of kernel.json; bench without --shape";
    left.erase(at);
  }
  if (left.empty()) return {};
  return to_string(left.front()) + " of kernel.json was not timed; bench without --shape";
}

// Another compiler makes another kernel of the same sources, and another model of GPU may be given another path of it.
std::string machine_reason(const evidence::Header &timed, const evidence::Header &validated) {
  if (validated.gpu && validated.gpu->name != timed.gpu->name)
    return fmt::format("it was made on {}, the validation on {}; validate and bench on one model of GPU",
                       gpu_name(timed), gpu_name(validated));
  if (validated.toolchain.nvcc_version == timed.toolchain.nvcc_version) return {};
  return fmt::format("it was built by nvcc {}, the validation by nvcc {}; validate and bench with one compiler",
                     printable(timed.toolchain.nvcc_version), printable(validated.toolchain.nvcc_version));
}

std::string reason_of(const GateInput &input) {
  const Benchmark &benchmark = *input.benchmark;
  const evidence::Header &header = benchmark.header;
  if (std::string reason = unfit_reason(header, *input.candidate); !reason.empty()) return reason;
  if (header.status != evidence::DocumentStatus::kCompleted)
    return fmt::format("its status is '{}'{}{}", to_string(header.status), header.error.empty() ? "" : ": ",
                       printable(header.error));
  if (std::string reason = machine_reason(header, input.validation->header); !reason.empty()) return reason;
  if (const int looks = stats::looks_within(benchmark.repeats, benchmark.max_repeats); benchmark.passes > looks)
    return fmt::format("it took {} passes where {} were planned", benchmark.passes, looks);
  for (const ShapeBenchmark &shape : benchmark.shapes)
    if (const std::string reason = shape_reason(shape, input); !reason.empty())
      return to_string(shape.shape) + ": " + reason;
  if (std::string reason = shape_set_reason(benchmark, *input.candidate); !reason.empty()) return reason;
  for (const ShapeBenchmark &shape : benchmark.shapes)
    if (const std::string reason = launches_reason(shape, input); !reason.empty())
      return to_string(shape.shape) + ": " + reason;
  return {};
}

std::string median_range(const Benchmark &benchmark) {
  std::vector<double> medians;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    const Arm *arm = shape.find("candidate");
    if (const auto median = arm ? evidence::cold_median_ns(*arm) : std::nullopt) medians.push_back(*median);
  }
  if (medians.empty()) return "no medians";
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  return fmt::format("medians {} to {}", time_text(*low), time_text(*high));
}

}  // namespace

GateLine judge_benchmark(const GateInput &input) {
  const Benchmark &benchmark = *input.benchmark;
  const auto completed = std::count_if(benchmark.shapes.begin(), benchmark.shapes.end(),
                                       [](const ShapeBenchmark &shape) { return shape.status == "completed"; });
  return gate_line(2, "benchmark",
                   fmt::format("{} of {} shapes timed on {}, {}", completed, benchmark.shapes.size(),
                               gpu_name(benchmark.header), median_range(benchmark)),
                   reason_of(input));
}

}  // namespace pyc::hpc
