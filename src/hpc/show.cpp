// `pyc hpc show`: one candidate, its evidence and its registry entry.
#include "hpc/evidence_index.h"
#include "hpc/verbs.h"

namespace pyc::hpc {

Result<ShowResult> show(const Context &context, const std::string &name) {
  PYC_CHECK(workspace::require_candidate(context.workspace, name));
  ShowResult result;
  PYC_TRY(result.candidate, workspace::read_candidate(context.workspace, name));
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  if (const workspace::Entry *entry = registry.find_name(name)) result.registry_entry = *entry;
  for (const EvidenceFileName &file : evidence_files(context.workspace)) {
    if (file.candidate != name) continue;
    if (auto summary = evidence::read_summary(file.path)) result.evidence.push_back(std::move(*summary));
  }
  return result;
}

}  // namespace pyc::hpc
