// Line 3: what would be compiled into the runtime is what was measured, by the harness that is here, and is a kernel of
// the standard contract.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "hpc/candidate_row.h"
#include "hpc/gate_lines.h"

namespace pyc::hpc {
namespace {

using evidence::Header;
using workspace::Candidate;

// Checks and clock are as strict as the harness that has them: evidence of another one is no evidence of this one's.
std::string harness_reason(const Header &header, const std::string &now) {
  const std::string &then = header.toolchain.harness_sha256;
  if (then == now) return {};
  if (then.empty()) {
    return fmt::format("the {} does not say which harness made it; validate and bench again", to_string(header.kind));
  }
  return fmt::format("kernels/harness was {} at the {} and is {}; validate and bench again", short_digest(then),
                     to_string(header.kind), short_digest(now));
}

std::string reason_of(const GateInput &input) {
  const Candidate &candidate = *input.candidate;
  if (candidate.contract.kind != "standard")
    return fmt::format(
        "the candidate is {}; only standard ones are promoted (docs/compiler-next/kernel-lab.md converts one)",
        printable(candidate.contract.kind));
  for (const Header *header : {&input.validation->header, &input.benchmark->header}) {
    if (header->candidate.name != candidate.ref.name || header->candidate.digest == candidate.ref.digest) continue;
    return fmt::format("{} since the {}; validate and bench again", change_since(*header, candidate),
                       to_string(header->kind));
  }
  for (const Header *header : {&input.validation->header, &input.benchmark->header}) {
    if (std::string reason = harness_reason(*header, input.harness_sha256); !reason.empty()) return reason;
  }
  return {};
}

}  // namespace

GateLine judge_sources(const GateInput &input) {
  const evidence::CandidateRef &ref = input.candidate->ref;
  return gate_line(3, "sources",
                   fmt::format("digest {}, {}", short_digest(ref.digest), counted(ref.files.size(), "file")),
                   reason_of(input));
}

}  // namespace pyc::hpc
