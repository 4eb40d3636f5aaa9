#include "hpc/machine.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "workspace/kernel_symbols.h"

namespace pyc::hpc {
namespace {

constexpr const char *kDryRunHint = "with --dry-run, validate and bench write planned evidence without a GPU";

Result<std::vector<toolchain::GpuInfo>> require_gpu(const Context &context, const workspace::Contract &contract,
                                                    const toolchain::Arch &arch) {
  auto gpus = toolchain::query_gpus(context.environment);
  if (!gpus) {
    return fail(gpus.error().kind, gpus.error().message,
                gpus.error().hint.empty() ? kDryRunHint : gpus.error().hint + "; " + kDryRunHint);
  }
  std::vector<std::string> found;
  for (const toolchain::GpuInfo &gpu : *gpus) {
    if (gpu.compute_capability == arch.compute_capability) return gpus;
    found.push_back(fmt::format("{} (compute capability {})", gpu.name, gpu.compute_capability));
  }
  return fail(ErrorKind::kUnavailable,
              fmt::format("'{}' is for {} (compute capability {}), and this machine has {}", contract.name, arch.name,
                          arch.compute_capability, join(found, ", ")),
              fmt::format("run it on a GPU of that arch, or port it: pyc hpc create gemm --from {} --arch ARCH",
                          contract.name));
}

workspace::BuildProgress build_progress(const Context &context) {
  return [&context](const std::string &what) { context.progress({what, 0, 0}); };
}

}  // namespace

Result<Machine> find_machine(const Context &context, const workspace::Candidate &candidate) {
  Machine machine;
  machine.arch = toolchain::find_arch(candidate.contract.arch);
  PYC_TRY(machine.gpus, require_gpu(context, candidate.contract, *machine.arch));
  PYC_TRY(machine.nvcc, toolchain::find_nvcc(context.nvcc, context.environment));
  PYC_CHECK(toolchain::check_flag_variables(context.environment));
  PYC_CHECK(toolchain::require_arch(machine.nvcc, *machine.arch));
  return machine;
}

Result<Machine> prepare_machine(const Context &context, const workspace::Candidate &candidate) {
  PYC_TRY(Machine machine, find_machine(context, candidate));
  PYC_TRY(machine.harness,
          workspace::build_harness(context.workspace, machine.nvcc, *machine.arch, build_progress(context)));
  return machine;
}

Result<workspace::CandidateBuild> build_on(const Context &context, const Machine &machine,
                                           const workspace::Candidate &candidate) {
  PYC_TRY(workspace::CandidateBuild build, workspace::build_candidate(context.workspace, candidate, machine.nvcc,
                                                                      machine.harness, build_progress(context)));
  if (candidate.contract.kind == "standard") {
    const std::string source = "kernels/prototypes/" + candidate.contract.name + "/kernel.cu";
    PYC_CHECK(workspace::check_symbols(build.folder / "kernel.o", source, candidate.contract.symbol));
  }
  return build;
}

evidence::Toolchain toolchain_record(const Machine &machine, const workspace::CandidateBuild &build) {
  return {machine.nvcc.path.string(), machine.nvcc.version, machine.nvcc.host_compiler, build.flags,
          machine.harness.sources_sha256};
}

std::vector<std::string> vendor_folders(const toolchain::Nvcc &nvcc) {
  std::vector<std::string> folders;
  for (const std::filesystem::path &folder : toolchain::library_folders(nvcc)) folders.push_back(folder.string());
  return folders;
}

std::int64_t most_memory_bytes(const Machine &machine) {
  std::int64_t most = 0;
  for (const toolchain::GpuInfo &gpu : machine.gpus) {
    if (gpu.compute_capability != machine.arch->compute_capability) continue;
    if (!gpu.memory_bytes) return 0;
    most = std::max(most, *gpu.memory_bytes);
  }
  return most;
}

std::optional<evidence::Gpu> first_gpu(const Machine &machine) {
  if (machine.gpus.empty()) return std::nullopt;
  const toolchain::GpuInfo &listed = machine.gpus.front();
  evidence::Gpu gpu;
  gpu.name = listed.name;
  gpu.uuid = listed.uuid;
  gpu.compute_capability = listed.compute_capability;
  gpu.memory_bytes = listed.memory_bytes.value_or(0);
  gpu.ecc = listed.ecc;
  return complete_gpu(std::move(gpu), machine.gpus);
}

evidence::Gpu complete_gpu(evidence::Gpu seen, const std::vector<toolchain::GpuInfo> &listed) {
  auto same = std::find_if(listed.begin(), listed.end(), [&](const auto &gpu) { return gpu.uuid == seen.uuid; });
  if (same == listed.end() && listed.size() == 1) same = listed.begin();  // a MIG slice has a uuid of its own
  if (same == listed.end()) return seen;
  seen.driver = same->driver;
  seen.power_limit_w = same->power_limit_w;
  seen.mig = same->mig;
  if (!seen.ecc) seen.ecc = same->ecc;
  return seen;
}

}  // namespace pyc::hpc
