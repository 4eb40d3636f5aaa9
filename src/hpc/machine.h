// What a run needs of this machine: a GPU of the candidate's arch and a compiler for it. And the build on it.
#pragma once

#include <optional>
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

// The same without the engine, which an imported candidate does not use.
Result<Machine> find_machine(const Context &context, const workspace::Candidate &candidate);

// kNo if the kernel does not compile, or needs symbols that a standard candidate may not (the check `symbols`).
Result<workspace::CandidateBuild> build_on(const Context &context, const Machine &machine,
                                           const workspace::Candidate &candidate);

evidence::Toolchain toolchain_record(const Machine &machine, const workspace::CandidateBuild &build);

// Where the harness looks for cuBLASLt and cuBLAS.
std::vector<std::string> vendor_folders(const toolchain::Nvcc &nvcc);

// Of the GPUs of the machine's arch, the largest memory; 0 where it is not known of one of them.
std::int64_t most_memory_bytes(const Machine &machine);

// CUDA's device 0, as far as nvidia-smi can tell, for a run that does not say itself where it was.
std::optional<evidence::Gpu> first_gpu(const Machine &machine);

// The harness's GPU completed with what only nvidia-smi knows: driver, power limit, ECC, MIG.
evidence::Gpu complete_gpu(evidence::Gpu seen, const std::vector<toolchain::GpuInfo> &listed);

}  // namespace pyc::hpc
