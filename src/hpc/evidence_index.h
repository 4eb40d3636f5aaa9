// Which evidence files a workspace holds, told from their names alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evidence/records.h"
#include "workspace/workspace.h"

namespace pyc::hpc {

struct EvidenceFileName {
  std::string candidate;
  evidence::Kind kind = evidence::Kind::kValidation;
  std::string stamp;  // 20260131T123456789Z: sorts by time
  std::filesystem::path path;
};

// Files of kernels/results/ that are named as evidence is, newest first. An absent folder is an empty one.
std::vector<EvidenceFileName> evidence_files(const workspace::Workspace &workspace);

}  // namespace pyc::hpc
