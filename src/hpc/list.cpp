// `pyc hpc list`: every candidate with how far it has come.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/candidate_row.h"
#include "hpc/choices.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

constexpr ListStatus kStatuses[] = {
    {"broken", "kernel.json or a source cannot be read"},
    {"promoted", "in the registry, as it is on disk"},
    {"edited", "in the registry, but what is on disk has another digest"},
    {"benchmarked", "validated, and benchmarked as it is on disk"},
    {"validated", "passed validation as it is on disk"},
    {"failed", "its newest validation did not pass"},
    {"replaced", "was promoted as it is on disk, and another took its place"},
    {"imported", "a copy from the lab, checked by its own program; promote refuses it until it is converted"},
    {"created", "no evidence of what is on disk"},
};

bool wanted(const ListRow &row, const ListOptions &options) {
  return (options.selector.empty() || row.selector == options.selector) &&
         (options.arch.empty() || row.arch == options.arch) && (options.status.empty() || row.status == options.status);
}

Status require_choice(const char *what, const std::string &given, const std::vector<std::string> &known) {
  if (given.empty() || std::find(known.begin(), known.end(), given) != known.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("unknown {} '{}'", what, printable(given)), suggest(given, known));
}

// Those with a folder, and those that the registry alone knows.
std::vector<std::string> all_names(const Context &context, const workspace::Registry &registry) {
  std::vector<std::string> names = workspace::candidate_names(context.workspace);
  for (const workspace::Entry &entry : registry.entries) names.push_back(entry.record.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::span<const ListStatus> list_statuses() { return kStatuses; }

Result<std::vector<ListRow>> list(const Context &context, const ListOptions &options) {
  PYC_CHECK(require_choice("selector", options.selector, choices_of("SELECTOR")));
  PYC_CHECK(require_choice("arch", options.arch, choices_of("ARCH")));
  PYC_CHECK(require_choice("status", options.status, choices_of("STATUS")));
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  const EvidenceByCandidate files = evidence_by_candidate(context.workspace);
  std::vector<ListRow> rows;
  for (const std::string &name : all_names(context, registry)) {
    ListRow row = candidate_row(context, registry, files, name);
    if (wanted(row, options)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pyc::hpc
