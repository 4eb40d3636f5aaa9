// What two runs do not share.
#include <cmath>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "hpc/comparison.h"
#include "stats/distribution.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

using evidence::Benchmark;
using evidence::Gpu;
using evidence::Header;
using evidence::Profile;

class Differences {
 public:
  void add(const std::string &what, const std::string &left, const std::string &right) {
    if (left == right) return;
    list_.push_back({what, left.empty() ? "unknown" : left, right.empty() ? "unknown" : right});
  }
  std::vector<Difference> take() { return std::move(list_); }

 private:
  std::vector<Difference> list_;
};

std::string megahertz(std::int64_t khz) {
  return khz == 0 ? "" : fmt::format("{:.0f} MHz", static_cast<double>(khz) / 1e3);
}
std::string watts(const std::optional<double> &power) { return power ? fmt::format("{:.0f} W", *power) : ""; }
std::string on_or_off(const std::optional<bool> &value) { return value ? (*value ? "on" : "off") : ""; }
std::string gibibytes(std::int64_t bytes) {
  return bytes == 0 ? "" : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}
std::string cuda_version(int version) {
  return version == 0 ? "" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

void add_gpu(Differences &differences, const Gpu &left, const Gpu &right) {
  differences.add("GPU", left.name, right.name);
  differences.add("GPU uuid", left.uuid, right.uuid);
  differences.add("compute capability", left.compute_capability, right.compute_capability);
  differences.add("driver", left.driver, right.driver);
  differences.add("CUDA of the driver", cuda_version(left.driver_cuda_version),
                  cuda_version(right.driver_cuda_version));
  differences.add("CUDA runtime", cuda_version(left.runtime_cuda_version), cuda_version(right.runtime_cuda_version));
  differences.add("memory", gibibytes(left.memory_bytes), gibibytes(right.memory_bytes));
  differences.add("highest SM clock", megahertz(left.sm_clock_max_khz), megahertz(right.sm_clock_max_khz));
  differences.add("highest memory clock", megahertz(left.memory_clock_max_khz), megahertz(right.memory_clock_max_khz));
  differences.add("power limit", watts(left.power_limit_w), watts(right.power_limit_w));
  differences.add("ECC", on_or_off(left.ecc), on_or_off(right.ecc));
  differences.add("MIG", on_or_off(left.mig), on_or_off(right.mig));
}

// Mean over all cold samples of the candidate.
std::optional<double> mean_clock_mhz(const Benchmark &benchmark) {
  std::vector<double> clocks;
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) {
    const evidence::Arm *arm = shape.find("candidate");
    if (arm != nullptr) clocks.insert(clocks.end(), arm->cold_sm_clock_mhz.begin(), arm->cold_sm_clock_mhz.end());
  }
  return stats::positive_mean(clocks);
}

void add_clocks(Differences &differences, const Benchmark &left, const Benchmark &right) {
  const auto one = mean_clock_mhz(left), other = mean_clock_mhz(right);
  if (one && other && std::fabs(*one / *other - 1) <= stats::kClockTolerance) return;
  const auto text = [](const std::optional<double> &clock) { return clock ? fmt::format("{:.0f} MHz", *clock) : ""; };
  differences.add("SM clock while timed", text(one), text(other));
}

void add_header(Differences &differences, const Header &left, const Header &right) {
  differences.add("candidate", left.candidate.name, right.candidate.name);
  differences.add("digest", short_digest(left.candidate.digest), short_digest(right.candidate.digest));
  differences.add("selector", left.candidate.selector, right.candidate.selector);
  differences.add("arch", left.candidate.arch, right.candidate.arch);
  add_gpu(differences, left.gpu.value_or(Gpu{}), right.gpu.value_or(Gpu{}));
  differences.add("nvcc", left.toolchain.nvcc_version, right.toolchain.nvcc_version);
  differences.add("host compiler", left.toolchain.host_compiler, right.toolchain.host_compiler);
  differences.add("harness", short_digest(left.toolchain.harness_sha256), short_digest(right.toolchain.harness_sha256));
  differences.add("flags", join(left.toolchain.flags, " "), join(right.toolchain.flags, " "));
  differences.add("host", left.host.name, right.host.name);
  differences.add("pyc", left.tool.version + " " + left.tool.git, right.tool.version + " " + right.tool.git);
}

// The program alone: the words behind it name a file of the build.
std::string profiler_of(const Profile &profile) {
  return profile.run.command.empty() ? "" : profile.run.command.front();
}

std::string dtype_and_layout(const Header &header) {
  const auto words = split(header.candidate.selector, '/');
  return words.size() == 4 ? words[1] + " " + words[2] : header.candidate.selector;
}

}  // namespace

std::vector<std::string> why_not_comparable(const Header &left, const Header &right) {
  std::vector<std::string> reasons;
  const auto &one = left.gpu, &other = right.gpu;
  if (!one || !other) {
    reasons.push_back("a run does not say which GPU it had");
  } else if (one->name != other->name) {
    reasons.push_back(fmt::format("different GPUs: {} and {}", one->name, other->name));
  } else if (one->uuid != other->uuid) {
    reasons.push_back(fmt::format("different GPUs: two of {}", one->name));
  }
  if (dtype_and_layout(left) != dtype_and_layout(right)) {
    reasons.push_back(fmt::format("different problems: {} and {}", dtype_and_layout(left), dtype_and_layout(right)));
  }
  return reasons;
}

std::vector<Difference> find_differences(const Benchmark &left, const Benchmark &right) {
  Differences differences;
  add_header(differences, left.header, right.header);
  add_clocks(differences, left, right);
  differences.add("seed", std::to_string(left.seed), std::to_string(right.seed));
  differences.add("repeats", std::to_string(left.repeats), std::to_string(right.repeats));
  return differences.take();
}

std::vector<Difference> find_differences(const Profile &left, const Profile &right) {
  Differences differences;
  add_header(differences, left.header, right.header);
  differences.add("shape", to_string(left.shape), to_string(right.shape));
  differences.add("seed", std::to_string(left.seed), std::to_string(right.seed));
  differences.add("profiler", profiler_of(left), profiler_of(right));
  return differences.take();
}

}  // namespace pyc::hpc
