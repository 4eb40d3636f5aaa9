#include "toolchain/mig.h"

#include <regex>

#include "base/text.h"
#include "toolchain/gpu.h"
#include "toolchain/probe.h"

namespace pyc::toolchain {

std::vector<MigSlice> parse_gpu_list(std::string_view list) {
  static const std::regex kGpu(R"(^GPU (\d{1,4}):.*)");
  static const std::regex kSlice(R"(^\s+MIG ([\w.+-]{1,40})\s+Device\s+\d{1,4}:\s*\(UUID: (MIG-[\w/-]{1,100})\)\s*$)");
  std::vector<MigSlice> slices;
  int gpu = 0;
  for (const std::string &line : split(list, '\n')) {
    std::smatch match;
    if (line.size() > 400) continue;
    if (std::regex_match(line, match, kGpu)) gpu = std::stoi(match[1]);
    if (std::regex_match(line, match, kSlice)) slices.push_back({gpu, match[1], match[2]});
  }
  return slices;
}

Result<std::vector<MigSlice>> query_slices(const Environment &environment) {
  const auto nvidia_smi = find_nvidia_smi(environment);
  if (!nvidia_smi) return fail(ErrorKind::kUnavailable, "no nvidia-smi was found");
  PYC_TRY(const std::string list, ask(*nvidia_smi, {"-L"}, environment));
  return parse_gpu_list(list);
}

}  // namespace pyc::toolchain
