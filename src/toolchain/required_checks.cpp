// What validate and bench cannot do without.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <regex>

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "toolchain/checks.h"
#include "toolchain/mig.h"
#include "toolchain/probe.h"

namespace pyc::toolchain {
namespace {

DoctorCheck required(const char *name) { return {name, CheckStatus::kOk, "", "", true}; }

DoctorCheck &set(DoctorCheck &check, CheckStatus status, std::string finding, std::string hint) {
  check.status = status;
  check.finding = std::move(finding);
  check.hint = std::move(hint);
  return check;
}

// "sm89 (compute capability 8.9), sm90 (compute capability 9.0)"
std::string promoted_arches() {
  std::vector<std::string> names;
  for (const Arch &arch : arches())
    names.push_back(fmt::format("{} (compute capability {})", arch.name, arch.compute_capability));
  return join(names, ", ");
}

// The number before the first point; 0 if there is none.
int leading_number(std::string_view version) {
  int number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return number;
}

// The newest GCC that the toolkit's headers let pass ("gcc versions later than 15 are not supported"); 0 if not told.
int newest_supported_gcc(const Nvcc &nvcc) {
  static const std::regex kLimit(R"(gcc versions later than (\d{1,3}))");
  const auto header = read_file(nvcc.toolkit / "include/crt/host_config.h");
  std::smatch match;
  return header && std::regex_search(*header, match, kLimit) ? std::stoi(match[1]) : 0;
}

// The oldest driver branch that runs programs of this toolkit: CUDA Toolkit Release Notes, "CUDA Toolkit and Minimum
// Required Driver Version for CUDA Minor Version Compatibility". 0 for toolkits that the table does not know.
int oldest_driver_branch(const std::string &toolkit_version) {
  switch (leading_number(toolkit_version)) {
    case 12: return 525;
    case 13: return 580;
    default: return 0;
  }
}

std::string describe(const GpuInfo &gpu) {
  const Arch *arch = arch_of_compute_capability(gpu.compute_capability);
  const std::string memory =
      gpu.memory_bytes ? fmt::format(", {:.1f} GiB", static_cast<double>(*gpu.memory_bytes) / (1 << 30)) : "";
  return fmt::format("{}: {} ({}{}, {}{}) {}", gpu.index, gpu.name, gpu.compute_capability, memory,
                     arch ? arch->name : "no arch of PyC", gpu.mig.value_or(false) ? ", MIG on" : "", gpu.uuid);
}

bool is_promotable(const GpuInfo &gpu) { return arch_of_compute_capability(gpu.compute_capability) != nullptr; }

std::string describe(const std::vector<GpuInfo> &gpus, const Environment &environment) {
  std::vector<std::string> descriptions;
  for (const GpuInfo &gpu : gpus) descriptions.push_back(describe(gpu));
  std::string text = join(descriptions, "; ");
  if (environment.cuda_visible_devices)
    text += fmt::format(" [CUDA_VISIBLE_DEVICES '{}']", printable(*environment.cuda_visible_devices));
  return text;
}

// The slices of those among `gpus` whose MIG mode is on.
std::vector<MigSlice> slices_of(const std::vector<GpuInfo> &gpus, const std::vector<MigSlice> &all) {
  std::vector<MigSlice> slices;
  for (const MigSlice &slice : all) {
    const auto is_parent = [&](const GpuInfo &gpu) { return gpu.index == slice.gpu_index; };
    if (std::any_of(gpus.begin(), gpus.end(), is_parent)) slices.push_back(slice);
  }
  return slices;
}

// The slice that CUDA_VISIBLE_DEVICES names first, which is the only one that CUDA then sees; empty if it names none.
std::string wanted_slice(const Environment &environment) {
  const std::string first = split(environment.cuda_visible_devices.value_or(""), ',').front();
  const std::string_view token = trim(first);
  return token.starts_with("MIG-") ? std::string(token) : std::string();
}

// With MIG on, CUDA sees one slice: it must exist, and its figures are not those of the whole GPU.
DoctorCheck judge_mig(DoctorCheck check, const std::vector<GpuInfo> &gpus, const Environment &environment) {
  const auto all = query_slices(environment);
  if (!all)
    return set(check, CheckStatus::kWarning, check.finding, "the slices cannot be listed: " + all.error().message);
  const std::vector<MigSlice> slices = slices_of(gpus, *all);
  if (slices.empty()) {
    return set(check, CheckStatus::kBroken, check.finding + "; no slice exists, so CUDA sees no device",
               "make one (nvidia-smi mig -cgi PROFILE -C) or turn MIG off (nvidia-smi -mig 0), as the administrator");
  }
  const std::string wanted = wanted_slice(environment);
  const auto is_wanted = [&](const MigSlice &slice) { return slice.uuid == wanted; };
  if (!wanted.empty() && std::none_of(slices.begin(), slices.end(), is_wanted)) {
    return set(check, CheckStatus::kBroken, check.finding + "; no slice has that UUID",
               "set CUDA_VISIBLE_DEVICES to one of `nvidia-smi -L`, such as " + slices.front().uuid);
  }
  return set(check, CheckStatus::kWarning,
             fmt::format("{}; {}: {} {}", check.finding, counted(slices.size(), "slice"), slices.front().profile,
                         slices.front().uuid),
             "figures of a slice are not those of the GPU: compare and promote only what one slice has measured");
}

}  // namespace

DoctorCheck check_nvcc(const NvccResult &nvcc, const Environment &environment) {
  DoctorCheck check = required("nvcc");
  if (!nvcc) return set(check, CheckStatus::kMissing, nvcc.error().message, nvcc.error().hint);
  if (const Status flags = check_flag_variables(environment); !flags)
    return set(check, CheckStatus::kBroken, flags.error().message, flags.error().hint);
  std::vector<std::string> able;
  for (const Arch &arch : arches())
    if (require_arch(*nvcc, arch)) able.emplace_back(arch.name);
  const std::string found = fmt::format("{} at {}", nvcc->version, nvcc->path.string());
  if (able.empty()) {
    return set(check, CheckStatus::kMissing, fmt::format("{} compiles for none of {}", found, promoted_arches()),
               "install a CUDA toolkit that does");
  }
  return set(check, CheckStatus::kOk, fmt::format("{}, compiles for {}", found, join(able, ", ")), "");
}

DoctorCheck check_host_compiler(const NvccResult &nvcc, const Environment &environment) {
  DoctorCheck check = required("host compiler");
  const auto path = find_host_compiler(environment);
  if (!path) {
    return set(
        check, CheckStatus::kMissing, "the host compiler that nvcc would call is not there",
        "install g++ (apt-get install g++), or mend -ccbin in NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS or NVCC_CCBIN");
  }
  const std::string name = path->filename().string();
  const auto version = ask(*path, {"-dumpfullversion", "-dumpversion"}, environment);
  if (!version) return set(check, CheckStatus::kMissing, version.error().message, "install " + name + " again");
  const std::string found = fmt::format("{} {} at {}", name, first_line(*version), path->string());
  const bool is_gcc = name.find("clang") == std::string::npos;
  const int newest = nvcc && is_gcc ? newest_supported_gcc(*nvcc) : 0;
  if (newest > 0 && leading_number(*version) > newest) {
    return set(check, CheckStatus::kBroken,
               fmt::format("{} is newer than nvcc {} supports ({})", found, nvcc->version, newest),
               fmt::format("install g++-{0} and set NVCC_PREPEND_FLAGS='-ccbin g++-{0}'", newest));
  }
  return set(check, CheckStatus::kOk, found, "");
}

DoctorCheck check_gpu(const GpuResult &gpus, const Environment &environment) {
  DoctorCheck check = required("gpu");
  if (!gpus) return set(check, CheckStatus::kMissing, gpus.error().message, gpus.error().hint);
  check.finding = describe(*gpus, environment);
  if (std::none_of(gpus->begin(), gpus->end(), is_promotable)) {
    return set(check, CheckStatus::kMissing, check.finding,
               fmt::format("validate and bench need a GPU of {}", promoted_arches()));
  }
  const bool mig = std::any_of(gpus->begin(), gpus->end(), [](const GpuInfo &gpu) { return gpu.mig.value_or(false); });
  return mig || !wanted_slice(environment).empty() ? judge_mig(check, *gpus, environment) : check;
}

DoctorCheck check_driver(const GpuResult &gpus, const NvccResult &nvcc) {
  DoctorCheck check = required("driver");
  if (!gpus) return set(check, CheckStatus::kMissing, "not known without a GPU", gpus.error().hint);
  const std::string &driver = gpus->front().driver;
  const int oldest = nvcc ? oldest_driver_branch(nvcc->version) : 0;
  if (leading_number(driver) == 0) {
    return set(check, CheckStatus::kWarning, "nvidia-smi does not tell the driver's version",
               "run nvidia-smi yourself: its first lines name the driver");
  }
  if (leading_number(driver) < oldest) {
    return set(check, CheckStatus::kBroken,
               fmt::format("driver {} is too old for CUDA {}, which needs {} or newer", driver, nvcc->version, oldest),
               fmt::format("update the driver to {} or newer, or name an older toolkit with --nvcc PATH", oldest));
  }
  return set(check, CheckStatus::kOk,
             oldest > 0 ? fmt::format("{} (CUDA {} needs {})", driver, nvcc->version, oldest) : driver, "");
}

}  // namespace pyc::toolchain
