// One kernel's phases, timed: what `bench` does once and `bench-suite` for each kernel.
#pragma once

#include "lab/verbs.h"

namespace pyc::lab {

struct KernelBench {
  workspace::LabKernelResult result;
  std::optional<Error> failure;  // why a phase has no times
};
// A phase that fails ends it. Errors, before anything was run: kInvalid for a command that the kernel does not have,
// kUnavailable for a program that is missing.
Result<KernelBench> bench_kernel(const Context &context, const workspace::LabKernel &kernel,
                                 const BenchOptions &options);

// The phases that the option names: kInvalid if it is none of compile, run and both.
Result<std::vector<std::string>> phases_of(const std::string &phase);

// What every result says of machine and tool; nvcc's and the GPU's part is empty where there is none.
workspace::LabResult blank_result(const Context &context, const std::string &kind, const std::string &label,
                                  const BenchOptions &options);

}  // namespace pyc::lab
