// What this machine has for PyC, check by check, each failure with a remedy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "toolchain/gpu.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {

enum class CheckStatus { kOk, kWarning, kMissing, kBroken };  // broken: it is there, and cannot be used as it is

struct DoctorCheck {
  std::string name;  // nvcc, host compiler, gpu, driver, ncu, compute-sanitizer, cutlass, blas
  CheckStatus status = CheckStatus::kOk;
  std::string finding;    // what was found, with version and path
  std::string hint;       // the remedy where something is missing
  bool required = false;  // validate and bench cannot run without it
  bool fails() const { return status == CheckStatus::kMissing || status == CheckStatus::kBroken; }
};

// Never fails: what cannot be found is a finding. The probes run at the same time where they can: under two seconds,
// unless a program that is asked for its version hangs, which its own time limit ends.
std::vector<DoctorCheck> examine_machine(const std::filesystem::path &requested_nvcc, const Environment &environment);

// Facts about the host for evidence.
struct HostInfo {
  std::string name, operating_system, kernel, cpu;
  int cores = 0;
};
HostInfo host_info();

}  // namespace pyc::toolchain
