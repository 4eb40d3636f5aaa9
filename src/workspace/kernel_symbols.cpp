#include "workspace/kernel_symbols.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"

namespace pyc::workspace {
namespace {

constexpr std::size_t kNmOutputLimitBytes = 16 << 20;
constexpr std::size_t kShownSymbols = 8;

// What launches the candidate's own kernels, what nvcc puts into every object, and pure functions of the C library,
// with which a kernel may choose its tiles. Sorted, for the search.
constexpr std::array kAllowed = std::to_array<std::string_view>({
    "_GLOBAL_OFFSET_TABLE_",
    "_Unwind_Resume",
    "__cudaGetKernel",
    "__cudaInitModule",
    "__cudaLaunchKernel",
    "__cudaPopCallConfiguration",
    "__cudaPushCallConfiguration",
    "__cudaRegisterFatBinary",
    "__cudaRegisterFatBinaryEnd",
    "__cudaRegisterFunction",
    "__cudaRegisterVar",
    "__cudaUnregisterFatBinary",
    "__cxa_atexit",
    "__cxa_guard_abort",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "__dso_handle",
    "__gxx_personality_v0",
    "__stack_chk_fail",
    "atexit",
    "ceil",
    "ceilf",
    "cudaDeviceGetAttribute",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaGetDevice",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetLastError",
    "cudaLaunchKernel",
    "cudaLaunchKernelExC",
    "cudaMemsetAsync",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxActiveClusters",
    "cudaPeekAtLastError",
    "exit",
    "exp2",
    "exp2f",
    "floor",
    "floorf",
    "fmax",
    "fmaxf",
    "fmin",
    "fminf",
    "log2",
    "log2f",
    "memcpy",
    "memset",
    "round",
    "roundf",
    "sqrt",
    "sqrtf",
});
static_assert(std::is_sorted(kAllowed.begin(), kAllowed.end()));

bool is_allowed(std::string_view name) { return std::binary_search(kAllowed.begin(), kAllowed.end(), name); }

// A name of the candidate's own: mangled, and none of the engine's, of the standard library's or of an operator that
// would replace everybody's.
bool is_own(std::string_view name, bool weak) {
  if (name.find("3pyc7harness") != std::string_view::npos) return false;
  if (weak && (name.starts_with("DW.ref.") || name.starts_with("_Z"))) return true;
  const auto foreign = {"_Zn", "_Zd", "_ZSt", "_ZNSt", "_ZNKSt"};
  return name.starts_with("_Z") &&
         std::none_of(foreign.begin(), foreign.end(), [&](const char *prefix) { return name.starts_with(prefix); });
}

// Empty if the symbol may stand in the object. `kind` is nm's letter.
std::string refusal_of(std::string_view name, char kind, const std::string &entry_point) {
  if (kind == 'U') return is_allowed(name) ? "" : fmt::format("calls {}", printable(name));
  if (name == entry_point || name == entry_point + "_workspace") return {};
  const bool weak = kind == 'W' || kind == 'w' || kind == 'V' || kind == 'v' || kind == 'u';
  return is_own(name, weak) ? "" : fmt::format("defines {}", printable(name));
}

}  // namespace

std::vector<std::string> refused_symbols(std::string_view nm_output, const std::string &entry_point) {
  std::vector<std::string> refused;
  for (const std::string &line : split(nm_output, '\n')) {
    const std::vector<std::string> words = split(line, ' ');  // name, letter, and for a definition value and size
    if (words.size() < 2 || words[1].size() != 1) continue;
    std::string refusal = refusal_of(words[0], words[1][0], entry_point);
    if (!refusal.empty()) refused.push_back(std::move(refusal));
  }
  return refused;
}

Status check_symbols(const std::filesystem::path &object, const std::string &subject, const std::string &entry_point) {
  ProcessOptions options;
  options.argv = {"nm", "-P", "-g", object.string()};
  options.output_limit_bytes = kNmOutputLimitBytes;
  PYC_TRY(const ProcessResult result, run_process(options));
  if (!result.succeeded() || result.output_truncated) {
    return fail(ErrorKind::kInternal, fmt::format("the symbols of '{}' cannot be read: nm ended with {}: {}",
                                                  object.string(), result.describe(), result.standard_error));
  }
  std::vector<std::string> refused = refused_symbols(result.standard_output, entry_point);
  if (refused.empty()) return {};
  const std::size_t count = refused.size();
  if (count > kShownSymbols) refused.resize(kShownSymbols);
  return fail(ErrorKind::kNo,
              fmt::format("symbols: '{}' {}{}", subject, join(refused, ", "),
                          count > kShownSymbols ? fmt::format(", and {} more", count - kShownSymbols) : ""),
              "a kernel launches its own kernels on the stream that it is given, and nothing else; "
              "see 'What keeps a kernel honest' in docs/measurement.md");
}

}  // namespace pyc::workspace
