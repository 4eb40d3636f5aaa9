// How far one candidate has come, told from the registry and from the newest evidence of each kind.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hpc/context.h"
#include "hpc/verbs.h"
#include "workspace/registry.h"

namespace pyc::hpc {

// Evidence files by candidate and kind, newest first.
using EvidenceByCandidate = std::map<std::pair<std::string, evidence::Kind>, std::vector<std::filesystem::path>>;
EvidenceByCandidate evidence_by_candidate(const workspace::Workspace &workspace);

// The record that stands for a candidate in the registry today, and the one that another has replaced; null if none.
// `entry` is the entry in whose history the latter stands.
struct Promotion {
  const workspace::Entry *entry = nullptr;
  const workspace::Record *current = nullptr, *former = nullptr;
};
Promotion find_promotion(const workspace::Registry &registry, const std::string &name);

// Never fails: what cannot be read is `broken`, with the reason.
ListRow candidate_row(const Context &context, const workspace::Registry &registry, const EvidenceByCandidate &files,
                      const std::string &name);

// What the files on disk do not share with what was promoted; empty if they have the record's digest.
std::string change_since_promotion(const workspace::Candidate &candidate, const workspace::Record &record);

// The first file of the candidate that is not what `header` was made of, in words: "kernel.cu has changed".
std::string change_since(const evidence::Header &header, const workspace::Candidate &candidate);

}  // namespace pyc::hpc
