#include "hpc/contenders.h"

#include <algorithm>
#include <fmt/format.h>

#include "hpc/candidate_row.h"
#include "workspace/registry.h"

namespace pyc::hpc {
namespace {

using Contender = evidence::HarnessRequest::Contender;

Contender contender_of(const std::string &role, const workspace::Candidate &candidate, const std::string &digest) {
  const workspace::Contract &contract = candidate.contract;
  return {role, contract.name, digest, {}, contract.symbol, contract.workspace, contract.requirements};
}

// The incumbent as it is on disk, which must be what was promoted: another build would be timed under its digest.
Result<workspace::Candidate> read_incumbent(const Context &context, const workspace::Record &record) {
  auto candidate = workspace::read_candidate(context.workspace, record.name);
  const std::string restore = fmt::format(
      "restore it (git checkout -- {}, and headers that it includes) and go on in a new candidate: pyc hpc create "
      "gemm --from {} --name NEW",
      std::filesystem::path(record.source).parent_path().generic_string(), record.name);
  if (!candidate) {
    return fail(candidate.error().kind,
                fmt::format("the incumbent '{}' cannot be read: {}", record.name, candidate.error().message), restore);
  }
  if (const std::string change = change_since_promotion(*candidate, record); !change.empty())
    return fail(ErrorKind::kInvalid, fmt::format("'{}' is not what was promoted: {}", record.name, change), restore);
  return std::move(*candidate);
}

Status add_incumbent(const Context &context, const workspace::Candidate &candidate, Contenders &contenders) {
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  const workspace::Entry *entry = registry.find(candidate.ref.selector, candidate.ref.arch);
  if (entry == nullptr) return {};
  PYC_TRY(const workspace::Candidate incumbent, read_incumbent(context, entry->record));
  if (entry->record.name == candidate.contract.name) {
    contenders.warnings.push_back({"is_incumbent",
                                   fmt::format("'{}' is the promoted kernel of {} on {}: it is measured alone",
                                               candidate.contract.name, candidate.ref.selector, candidate.ref.arch),
                                   "to improve on it, go on in a new candidate: pyc hpc create gemm --from " +
                                       candidate.contract.name + " --name NEW"});
    return {};
  }
  contenders.list.push_back(contender_of("incumbent", incumbent, entry->record.digest));
  return {};
}

Status check_comparable(const workspace::Contract &candidate, const workspace::Contract &other) {
  if (other.name == candidate.name) {
    return fail(ErrorKind::kInvalid, fmt::format("--against '{}' is the candidate itself", other.name),
                "the run measures a null control anyway");
  }
  if (other.dtype == candidate.dtype && other.layout == candidate.layout && other.arch == candidate.arch) return {};
  return fail(ErrorKind::kInvalid,
              fmt::format("'{}' ({} {} {}) cannot be timed against '{}' ({} {} {})", other.name, other.dtype,
                          other.layout, other.arch, candidate.name, candidate.dtype, candidate.layout, candidate.arch),
              "dtype, layout and arch must be the same");
}

bool is_listed(const Contenders &contenders, const std::string &name) {
  return std::any_of(contenders.list.begin(), contenders.list.end(), [&](const auto &one) { return one.name == name; });
}

}  // namespace

Result<Contenders> choose_contenders(const Context &context, const workspace::Candidate &candidate,
                                     const std::vector<std::string> &against, bool null) {
  Contenders contenders;
  if (!null) PYC_CHECK(add_incumbent(context, candidate, contenders));
  for (const std::string &name : against) {
    PYC_CHECK(workspace::require_candidate(context.workspace, name));
    PYC_TRY(const workspace::Candidate other, workspace::read_candidate(context.workspace, name));
    PYC_CHECK(check_comparable(candidate.contract, other.contract));
    if (!is_listed(contenders, name)) contenders.list.push_back(contender_of("against", other, other.ref.digest));
  }
  return contenders;
}

Status build_contenders(const Context &context, const Machine &machine, Contenders &contenders) {
  for (Contender &contender : contenders.list) {
    PYC_TRY(const workspace::Candidate candidate, workspace::read_candidate(context.workspace, contender.name));
    const auto build = build_on(context, machine, candidate);
    if (!build) return fail(build.error(), fmt::format("building the contender '{}'", contender.name));
    contender.library = build->library.string();
  }
  return {};
}

}  // namespace pyc::hpc
