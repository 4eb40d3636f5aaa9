// What makes PyC more useful: profiler, sanitizer, CUTLASS headers, a BLAS for the CPU rung.
#include <dlfcn.h>
#include <fmt/format.h>
#include <regex>
#include <unistd.h>

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "toolchain/checks.h"
#include "toolchain/ncu.h"
#include "toolchain/probe.h"
#include "toolchain/sanitizer.h"

namespace pyc::toolchain {
namespace {

namespace fs = std::filesystem;

DoctorCheck optional(const char *name, CheckStatus status, std::string finding, std::string hint = {}) {
  return {name, status, std::move(finding), std::move(hint), false};
}

// In PATH, or in one of the toolkit's folders.
std::optional<fs::path> find_tool(const char *name, const NvccResult &nvcc, const Environment &environment,
                                  std::initializer_list<const char *> toolkit_places) {
  if (auto found = find_program(name, environment.path)) return found;
  if (!nvcc) return std::nullopt;
  for (const char *place : toolkit_places)
    if (auto found = find_program((nvcc->toolkit / place).string(), "")) return found;
  return std::nullopt;
}

// "2025.3.0.0" of a line "Version 2025.3.0.0 (build 36273991)".
std::string version_of(const std::string &answer) {
  static const std::regex kVersion(R"(Version (\d[\d.]{0,30}))");
  std::smatch match;
  return std::regex_search(answer, match, kVersion) ? match[1].str() : "of unknown version";
}

DoctorCheck check_tool(const char *name, const std::optional<fs::path> &path, const Environment &environment,
                       const std::string &purpose) {
  if (!path) {
    return optional(name, CheckStatus::kMissing, "not in PATH nor in the toolkit",
                    fmt::format("needed for {}: install it from the CUDA repository or the Nsight packages", purpose));
  }
  const auto answer = ask(*path, {"--version"}, environment);
  if (!answer) return optional(name, CheckStatus::kMissing, answer.error().message, "install it again");
  return optional(name, CheckStatus::kOk, fmt::format("{} at {}", version_of(*answer), path->string()));
}

// Whether this process has CAP_SYS_ADMIN, which root in a container mostly lacks. Linux, capabilities(7): bit 21.
bool is_administrator(const Environment &environment) {
  constexpr int kSysAdmin = 21;
  static const std::regex kEffective(R"(CapEff:\s*([0-9a-fA-F]{1,16}))");
  const auto status = read_file(environment.proc / "self/status");
  std::smatch match;
  if (!status || !std::regex_search(*status, match, kEffective)) return geteuid() == 0;
  return (std::stoull(match[1], nullptr, 16) >> kSysAdmin & 1) != 0;
}

enum class Counters { kOpen, kRestricted, kUnknown };

// Whether the driver keeps the performance counters from everybody but the administrator.
Counters counters(const Environment &environment) {
  const auto parameters = read_file(environment.proc / "driver/nvidia/params");
  if (!parameters) return Counters::kUnknown;
  const bool restricted = parameters->find("RmProfilingAdminOnly: 1") != std::string::npos;
  return restricted && !is_administrator(environment) ? Counters::kRestricted : Counters::kOpen;
}

// The first definition of `macro` in a header; empty if there is none.
std::string macro_value(const std::string &header, const std::string &macro) {
  std::smatch match;
  const std::regex definition("#define\\s+" + macro + "\\s+(\\d{1,6})");
  return std::regex_search(header, match, definition) ? match[1].str() : "";
}

// Where the loader found what holds `symbol`.
std::string file_of(void *symbol) {
  Dl_info info{};
  return symbol && dladdr(symbol, &info) != 0 && info.dli_fname ? info.dli_fname : "unknown place";
}

std::optional<fs::path> locate_sanitizer(const NvccResult &nvcc, const Environment &environment) {
  return find_tool("compute-sanitizer", nvcc, environment,
                   {"bin/compute-sanitizer", "compute-sanitizer/compute-sanitizer"});
}

std::optional<fs::path> locate_ncu(const NvccResult &nvcc, const Environment &environment) {
  return find_tool("ncu", nvcc, environment, {"bin/ncu"});
}

}  // namespace

Result<fs::path> find_sanitizer(const Nvcc &nvcc, const Environment &environment) {
  if (auto path = locate_sanitizer(nvcc, environment)) return *path;
  return fail(ErrorKind::kUnavailable, "compute-sanitizer is neither in PATH nor in the toolkit",
              "install it from the CUDA repository, or leave out --sanitize");
}

Result<fs::path> find_ncu(const Nvcc &nvcc, const Environment &environment) {
  if (auto path = locate_ncu(nvcc, environment)) return *path;
  return fail(ErrorKind::kUnavailable, "ncu (Nsight Compute) is neither in PATH nor in the toolkit",
              "install nsight-compute from the CUDA repository, or name another profiler with --command");
}

DoctorCheck check_ncu(const NvccResult &nvcc, const Environment &environment) {
  DoctorCheck check = check_tool("ncu", locate_ncu(nvcc, environment), environment, "profiles");
  if (check.status != CheckStatus::kOk) return check;
  switch (counters(environment)) {
    case Counters::kOpen: check.finding += ", which may read the GPU's counters"; break;
    case Counters::kUnknown: check.finding += "; the driver does not say who may read the GPU's counters"; break;
    case Counters::kRestricted:
      check.status = CheckStatus::kWarning;
      check.finding += ", but only an administrator may read the GPU's counters";
      check.hint =
          "run profile as root, in a container with --cap-add=SYS_ADMIN, or load the driver with "
          "NVreg_RestrictProfilingToAdminUsers=0";
  }
  return check;
}

DoctorCheck check_sanitizer(const NvccResult &nvcc, const Environment &environment) {
  const auto path = locate_sanitizer(nvcc, environment);
  return check_tool("compute-sanitizer", path, environment, "finding memory errors of a candidate");
}

DoctorCheck check_cutlass(const Environment &environment) {
  std::vector<fs::path> places = {"/usr/include", "/usr/local/include"};
  if (!environment.cutlass_path.empty()) {  // as cmake/PycCutlass.cmake: a checkout, or the PyPI package
    const fs::path given = environment.cutlass_path;
    places = {given / "include", given, given / "cutlass_library/source/include", given / "source/include"};
  }
  for (const fs::path &include : places) {
    const auto header = read_file(include / "cutlass/version.h");
    if (!header) continue;
    return optional("cutlass", CheckStatus::kOk,
                    fmt::format("{}.{} at {}", macro_value(*header, "CUTLASS_MAJOR"),
                                macro_value(*header, "CUTLASS_MINOR"), include.string()));
  }
  const std::string where = environment.cutlass_path.empty()
                                ? "CUTLASS_PATH is not set"
                                : fmt::format("CUTLASS_PATH '{}' has no cutlass/version.h", environment.cutlass_path);
  return optional("cutlass", CheckStatus::kMissing, where,
                  "only the CUTLASS rung needs it: set CUTLASS_PATH to a checkout of NVIDIA/cutlass, or to what "
                  "'pip install --no-deps --target FOLDER nvidia-cutlass' filled");
}

DoctorCheck check_blas() {
  // The names that the runtime's CPU rung tries. A library stays loaded: its threads may not survive being unloaded.
  for (const char *name : {"libopenblas.so.0", "libopenblas.so", "libblis.so.4", "libblis.so", "libmkl_rt.so.2"}) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    void *gemm = library ? dlsym(library, "cblas_sgemm") : nullptr;
    if (gemm) return optional("blas", CheckStatus::kOk, fmt::format("{} at {}", name, file_of(gemm)));
  }
  return optional("blas", CheckStatus::kMissing, "no library with a CBLAS interface",
                  "the CPU rung then uses its own slow loop: install one (apt-get install libopenblas0)");
}

}  // namespace pyc::toolchain
