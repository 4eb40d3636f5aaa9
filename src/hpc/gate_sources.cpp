// Line 3: what would be compiled into the runtime is what was measured, and is a kernel of the standard contract.
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/gate_lines.h"

namespace pyc::hpc {
namespace {

using evidence::Header;
using workspace::Candidate;

std::string change_since(const Header &header, const Candidate &candidate) {
  for (const evidence::FileHash &file : header.candidate.files) {
    const evidence::FileHash *now = candidate.find_file(file.path);
    if (!now) return printable(file.path) + " is gone";
    if (now->sha256 != file.sha256) return printable(file.path) + " has changed";
  }
  return "kernel.json, the flags or the set of files has changed";
}

std::string reason_of(const GateInput &input) {
  const Candidate &candidate = *input.candidate;
  if (candidate.contract.kind != "standard")
    return fmt::format("the candidate is {}; only standard ones are promoted", printable(candidate.contract.kind));
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
