// What a run needs of this machine: a GPU of the candidate's arch and a compiler for it. And the build on it.
#pragma once

#include <vector>

#include "base/result.h"
#include "hpc/context.h"
#include "toolchain/gpu.h"
#include "toolchain/nvcc.h"
#include "workspace/build_cache.h"
#include "workspace/candidate.h"

namespace pyc::hpc {

struct Machine {
  const toolchain::Arch *arch = nullptr;
  toolchain::Nvcc nvcc;
  std::vector<toolchain::GpuInfo> gpus;
  workspace::HarnessBuild harness;  // the engine, built for this toolchain and arch
};

// kUnavailable, before anything is compiled, if there is no GPU, none of the candidate's arch, or no nvcc for it.
Result<Machine> prepare_machine(const Context &context, const workspace::Candidate &candidate);

// kNo if the kernel does not compile, or needs symbols that a standard candidate may not (the check `symbols`).
Result<workspace::CandidateBuild> build_on(const Context &context, const Machine &machine,
                                           const workspace::Candidate &candidate);

evidence::Toolchain toolchain_record(const Machine &machine, const workspace::CandidateBuild &build);

// The harness's GPU completed with what only nvidia-smi knows: driver, power limit, ECC, MIG.
evidence::Gpu complete_gpu(evidence::Gpu seen, const std::vector<toolchain::GpuInfo> &listed);

}  // namespace pyc::hpc
