#include "toolchain/gpu.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"
#include "toolchain/gpu_csv.h"
#include "toolchain/probe.h"

namespace pyc::toolchain {
namespace {

// What nvidia-smi says when it fails, and what helps.
struct Remedy {
  const char *words, *hint;
};
constexpr Remedy kRemedies[] = {
    {"Driver/library version mismatch", "the driver was updated under running programs: reboot, or reload its module"},
    {"couldn't communicate with the NVIDIA driver", "load the driver (modprobe nvidia) or install it, and reboot"},
    {"Driver Not Loaded", "load the driver (modprobe nvidia) or install it, and reboot"},
    {"Unknown Error", "in a container: restart it, because the host has taken the devices away from it"},
    {"Insufficient Permissions", "your user may not open /dev/nvidia*: ask for membership of their group"},
    {"GPU is lost", "the GPU fell off the bus: reboot the machine"},
    {"not a valid field", "the driver is too old to tell the compute capability: update it"},
    {"time limit", "nvidia-smi hangs: look for Xid messages of the driver in dmesg, and reboot"},
};

std::string remedy(const std::string &message) {
  for (const auto &[words, hint] : kRemedies)
    if (message.find(words) != std::string::npos) return hint;
  return "run nvidia-smi yourself: PyC sees what it sees";
}

bool same_model(const std::vector<GpuInfo> &gpus) {
  return std::all_of(gpus.begin(), gpus.end(), [&](const GpuInfo &gpu) { return gpu.name == gpus.front().name; });
}

bool is_named(const GpuInfo &gpu, std::size_t place, std::string_view token) {
  if (token.starts_with("GPU-")) return gpu.uuid.starts_with(token);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  return error == std::errc() && end == token.data() + token.size() && number == place;
}

// Null: it names none, or, as a UUID's beginning, more than one.
const GpuInfo *named_gpu(const std::vector<GpuInfo> &gpus, std::string_view token) {
  const GpuInfo *named = nullptr;
  for (std::size_t place = 0; place < gpus.size(); ++place) {
    if (!is_named(gpus[place], place, token)) continue;
    if (named) return nullptr;
    named = &gpus[place];
  }
  return named;
}

}  // namespace

std::optional<std::filesystem::path> find_nvidia_smi(const Environment &environment) {
  if (auto found = find_program("nvidia-smi", environment.path)) return found;
  return find_program("/usr/lib/wsl/lib/nvidia-smi", "");
}

std::vector<GpuInfo> visible_gpus(const std::vector<GpuInfo> &gpus, const std::optional<std::string> &variable) {
  if (!variable) return gpus;
  std::vector<GpuInfo> visible;
  for (const std::string &raw : split(*variable, ',')) {
    const std::string_view token = trim(raw);
    const bool number = !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
    if (token.starts_with("MIG-") || (number && !same_model(gpus))) return gpus;
    const GpuInfo *gpu = named_gpu(gpus, token);
    const auto repeated = [&](const GpuInfo &seen) { return gpu && seen.index == gpu->index; };
    if (!gpu || std::any_of(visible.begin(), visible.end(), repeated)) break;
    visible.push_back(*gpu);
  }
  return visible;
}

Result<std::vector<GpuInfo>> query_gpus(const Environment &environment) {
  const auto nvidia_smi = find_nvidia_smi(environment);
  if (!nvidia_smi) {
    return fail(ErrorKind::kUnavailable, fmt::format("no nvidia-smi was found in PATH '{}'", environment.path),
                "install the NVIDIA driver, or in a container start it with access to the GPUs (--gpus all)");
  }
  const auto answer =
      ask(*nvidia_smi, {std::string("--query-gpu=") + kGpuColumns, "--format=csv,noheader,nounits"}, environment);
  if (!answer) {
    const Error &error = answer.error();
    return fail(error.kind, error.message, error.kind == ErrorKind::kInterrupted ? "" : remedy(error.message));
  }
  const auto gpus = parse_gpu_csv(*answer);
  if (!gpus) return fail(ErrorKind::kUnavailable, gpus.error().message, remedy(gpus.error().message));
  if (gpus->empty()) {
    return fail(ErrorKind::kUnavailable, "nvidia-smi lists no GPU",
                "in a container start it with access to the GPUs (--gpus all); else look at lspci and dmesg");
  }
  auto visible = visible_gpus(*gpus, environment.cuda_visible_devices);
  if (visible.empty()) {
    return fail(ErrorKind::kUnavailable,
                fmt::format("CUDA_VISIBLE_DEVICES is '{}', which shows none of this machine's {} GPUs",
                            printable(*environment.cuda_visible_devices), gpus->size()),
                "unset it, or set it to an index or a UUID of `nvidia-smi -L`");
  }
  return visible;
}

}  // namespace pyc::toolchain
