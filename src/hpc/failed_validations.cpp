#include "hpc/failed_validations.h"

#include <algorithm>

#include "evidence/documents.h"
#include "hpc/evidence_index.h"

namespace pyc::hpc {
namespace {

bool found_a_fault(const evidence::Validation &validation) {
  const auto failed = [](const evidence::Check &check) { return check.status == "failed"; };
  return std::any_of(validation.shapes.begin(), validation.shapes.end(),
                     [](const evidence::ShapeValidation &shape) { return shape.has_failed_check(); }) ||
         std::any_of(validation.sanitizers.begin(), validation.sanitizers.end(), failed);
}

}  // namespace

std::vector<std::string> failed_validations(const Context &context, const evidence::CandidateRef &candidate) {
  std::vector<std::string> paths;
  for (const EvidenceFileName &file : evidence_files(context.workspace)) {
    if (file.kind != evidence::Kind::kValidation || file.candidate != candidate.name) continue;
    const auto outline = evidence::read_outline(file.path);
    if (!outline || outline->digest != candidate.digest) continue;
    const auto validation = evidence::read_validation(file.path);
    if (validation && found_a_fault(*validation)) paths.push_back(context.workspace.relative(file.path));
  }
  return paths;
}

}  // namespace pyc::hpc
