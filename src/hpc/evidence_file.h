// The evidence document of one run: its header, and the file that is written again after every finished shape.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "evidence/records.h"
#include "hpc/context.h"
#include "workspace/build_cache.h"
#include "workspace/candidate.h"

namespace pyc::hpc {

evidence::Host host_record();  // this machine

// Everything of the header that is known before the run; status `planned`.
evidence::Header planned_header(const Context &context, const workspace::Candidate &candidate, evidence::Kind kind);

// The compiler's output, bounded, and a warning `register_spill` if ptxas reports spills.
void add_compiler_log(evidence::Header &header, const std::string &compiler_log);
void add_harness_log(evidence::Header &header, const std::string &log, bool truncated);

class EvidenceFile {
 public:
  // Written under a name in kernels/results/ that no other run has or gets; the folder is made if it is missing.
  static Result<EvidenceFile> create(const Context &context, const std::string &candidate, evidence::Kind kind,
                                     const std::string &json);
  const std::filesystem::path &path() const { return path_; }
  Status write(const std::string &json) const;  // whole, or as it was before

 private:
  explicit EvidenceFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace pyc::hpc
