// Line 4: the comparison was with the kernel that would be replaced, in the same run; a first kernel is asked for as
// such.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "hpc/gate_lines.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::ShapeBenchmark;
using workspace::Record;

std::string new_candidate(const std::string &name) {
  return fmt::format("go on in a new one: `pyc hpc create gemm --from {} --name NEW`", name);
}

// Why a candidate cannot be promoted because it is promoted already, for this selector or another.
std::string promoted_reason(const GateInput &input) {
  const std::string &name = input.candidate->ref.name;
  const workspace::Entry *entry = input.registry->find_name(name);
  if (!entry) return {};
  const Record &record = entry->record;
  if (record.digest == input.candidate->ref.digest || record.source_sha256 == input.candidate->kernel_source_sha256)
    return fmt::format("'{}' is promoted already, since {}; {}", name, record.promoted_utc, new_candidate(name));
  return fmt::format("'{}' is promoted and was edited since, which a promoted kernel must not be; restore it, and {}",
                     name, new_candidate(name));
}

std::string shape_reason(const ShapeBenchmark &shape, const Record &incumbent) {
  const Arm *arm = shape.find("incumbent"), *candidate = shape.find("candidate");
  if (!arm) return "the benchmark timed no incumbent; bench again";
  if (arm->digest != incumbent.digest)
    return fmt::format("the benchmark timed '{}' ({}), which is not the incumbent now; bench again",
                       printable(arm->name), short_digest(arm->digest));
  if (arm->status != "ready") return "the incumbent could not be timed: " + printable(arm->reason);
  if (!candidate || !are_interleaved(shape, *candidate, *arm))
    return "candidate and incumbent did not take turns; bench again";
  return {};
}

std::string incumbent_reason(const GateInput &input, const Record &incumbent) {
  if (input.bootstrap) return "--bootstrap is only for a selector that has no incumbent; leave it out";
  if (input.benchmark->shapes.empty()) return "the benchmark timed nothing; bench again";
  for (const ShapeBenchmark &shape : input.benchmark->shapes)
    if (const std::string reason = shape_reason(shape, incumbent); !reason.empty())
      return to_string(shape.shape) + ": " + reason;
  return {};
}

std::string bootstrap_reason(const GateInput &input) {
  return input.bootstrap ? "" : "the first kernel of a selector is promoted with --bootstrap";
}

std::string figure_of(const GateInput &input, const workspace::Entry *entry) {
  const evidence::CandidateRef &ref = input.candidate->ref;
  if (entry) return fmt::format("'{}' ({})", entry->record.name, short_digest(entry->record.digest));
  return fmt::format("none for {} on {}{}", ref.selector, ref.arch, input.bootstrap ? ", --bootstrap given" : "");
}

}  // namespace

GateLine judge_incumbent(const GateInput &input) {
  const evidence::CandidateRef &ref = input.candidate->ref;
  const workspace::Entry *entry = input.registry->find(ref.selector, ref.arch);
  std::string reason = promoted_reason(input);
  if (reason.empty()) reason = entry ? incumbent_reason(input, entry->record) : bootstrap_reason(input);
  return gate_line(4, "incumbent", figure_of(input, entry), std::move(reason));
}

}  // namespace pyc::hpc
