// What lines 1 to 4 share: whether a document speaks of this candidate at all, and how its words are quoted.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "hpc/gate_lines.h"
#include "toolchain/arch.h"

namespace pyc::hpc {

using evidence::DocumentStatus;
using evidence::Header;
using workspace::Candidate;

namespace {

std::string identity_reason(const Header &header, const Candidate &candidate) {
  const evidence::CandidateRef &is = header.candidate, &wanted = candidate.ref;
  const std::string kind = to_string(header.kind);
  if (is.name != wanted.name)
    return fmt::format("the {} is of candidate '{}', not of '{}'", kind, printable(is.name), wanted.name);
  if (is.arch != wanted.arch) return fmt::format("the {} is for {}, not for {}", kind, printable(is.arch), wanted.arch);
  if (is.selector != wanted.selector)
    return fmt::format("the {} is for {}, not for {}", kind, printable(is.selector), wanted.selector);
  if (is.digest != wanted.digest)
    return fmt::format("the {} is of digest {}, the sources on disk have {}{}", kind, short_digest(is.digest),
                       short_digest(wanted.digest), run_again(header, candidate));
  return {};
}

std::string device_reason(const Header &header, const Candidate &candidate) {
  const std::string kind = to_string(header.kind);
  if (!header.gpu) {
    // A run that ended early may not have got as far as the device; its status says more.
    if (header.status == DocumentStatus::kError) return {};
    return fmt::format("the {} was not made on a GPU{}", kind, run_again(header, candidate));
  }
  const toolchain::Arch *arch = toolchain::find_arch(candidate.ref.arch);
  if (arch && header.gpu->compute_capability == arch->compute_capability) return {};
  return fmt::format("the {} was made on compute capability {}, which is not {}", kind,
                     printable(header.gpu->compute_capability), candidate.ref.arch);
}

}  // namespace

std::string unfit_reason(const Header &header, const Candidate &candidate) {
  if (std::string reason = identity_reason(header, candidate); !reason.empty()) return reason;
  if (header.status == DocumentStatus::kPlanned)
    return fmt::format("the {}'s status is 'planned': nothing was run{}", to_string(header.kind),
                       run_again(header, candidate));
  return device_reason(header, candidate);
}

std::string gpu_name(const Header &header) { return header.gpu ? printable(header.gpu->name) : "no GPU"; }

std::string run_again(const Header &header, const Candidate &candidate) {
  const char *verb = header.kind == evidence::Kind::kValidation ? "validate" : "bench";
  return fmt::format("; run `pyc hpc {} --name {}`", verb, candidate.ref.name);
}

bool holds(const evidence::Check &check) {
  if (check.status != "passed" || check.violations != 0) return false;
  if (!check.normwise_bound) return true;
  return check.normwise_error && *check.normwise_error <= *check.normwise_bound;
}

GateLine gate_line(int number, std::string title, std::string figure, std::string reason) {
  return {number, std::move(title), reason.empty(), std::move(figure), std::move(reason)};
}

}  // namespace pyc::hpc
