// A scratch workspace and evidence for it, made through the real writers: no GPU, no compiler.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/records.h"
#include "hpc/context.h"
#include "tests/base/temporary_folder.h"
#include "workspace/candidate.h"
#include "workspace/registry.h"

namespace pyc::test {

// kernels/ with an empty registry and current generated files, in a folder that goes away.
class ScratchWorkspace {
 public:
  ScratchWorkspace();
  const workspace::Workspace &workspace() const { return workspace_; }
  const std::filesystem::path &root() const { return workspace_.root; }
  hpc::Context context() const;

  // A candidate folder that every reader accepts; the kernel itself does nothing.
  workspace::Candidate add_candidate(const std::string &name, const std::string &family = "square") const;
  workspace::Candidate read(const std::string &name) const;
  workspace::Registry registry() const;

  // Into kernels/results/, under a name of its own each time.
  std::filesystem::path write(const evidence::Validation &validation) const;
  std::filesystem::path write(const evidence::Benchmark &benchmark) const;

 private:
  std::filesystem::path next_file(const std::string &name, evidence::Kind kind) const;

  TemporaryFolder folder_;
  workspace::Workspace workspace_;
  mutable int files_ = 0;
};

evidence::Gpu h200();

// Of the harness that every ScratchWorkspace has and all of the evidence here was made by.
std::string harness_sha256();

// Every shape passed every check, on an H200.
evidence::Validation good_validation(const workspace::Candidate &candidate);

// Samples that a quiet machine might give, in A B B A blocks, every output right.
struct Pace {
  double speedup = 1.10;  // incumbent / candidate; without an incumbent it is not used
  double noise = 0.003;   // relative standard deviation of one sample
  int samples = 40;       // cold ones per arm and shape
};
// `incumbent`: the record that is timed beside the candidate, or null for a bootstrap.
evidence::Benchmark good_benchmark(const workspace::Candidate &candidate, const workspace::Record *incumbent,
                                   const Pace &pace = {});

}  // namespace pyc::test
