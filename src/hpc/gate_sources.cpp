// Line 3: what would be compiled into the runtime is what was measured, and is a kernel of the standard contract.
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/candidate_row.h"
#include "hpc/gate_lines.h"

namespace pyc::hpc {
namespace {

using evidence::Header;
using workspace::Candidate;

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
  return {};
}

}  // namespace

GateLine judge_sources(const GateInput &input) {
  const evidence::CandidateRef &ref = input.candidate->ref;
  return gate_line(3, "sources", fmt::format("digest {}, {} files", short_digest(ref.digest), ref.files.size()),
                   reason_of(input));
}

}  // namespace pyc::hpc
