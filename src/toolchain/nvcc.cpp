#include "toolchain/nvcc.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <regex>

#include "base/process.h"
#include "base/text.h"
#include "toolchain/probe.h"

namespace pyc::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr std::array<int, 2> kOldestVersion = {12, 4};
constexpr const char *kChooseHint = "name another with --nvcc PATH or CUDA_HOME";

struct Place {
  std::string description;  // "CUDA_HOME '/opt/cuda'"
  std::optional<fs::path> found;
};

// In order of preference.
std::vector<Place> places(const fs::path &requested, const Environment &environment) {
  const auto at = [](const fs::path &path) { return find_program(path.string(), ""); };
  if (!requested.empty()) {
    const bool toolkit = fs::exists(requested / "bin/nvcc");
    return {{fmt::format("--nvcc '{}'", requested.string()),
             toolkit ? at(requested / "bin/nvcc") : find_program(requested.string(), environment.path)}};
  }
  std::vector<Place> all;
  if (environment.cuda_home.empty()) {
    all.push_back({"CUDA_HOME and CUDA_PATH (not set)", std::nullopt});
  } else {
    all.push_back({fmt::format("CUDA_HOME '{}'", environment.cuda_home), at(environment.cuda_home + "/bin/nvcc")});
  }
  all.push_back({fmt::format("PATH '{}'", environment.path), find_program("nvcc", environment.path)});
  const fs::path usual = environment.default_cuda / "bin/nvcc";
  all.push_back({fmt::format("'{}'", usual.string()), at(usual)});
  return all;
}

tl::unexpected<Error> not_found(const std::vector<Place> &places) {
  std::vector<std::string> descriptions(places.size());
  std::transform(places.begin(), places.end(), descriptions.begin(),
                 [](const Place &place) { return place.description; });
  return fail(ErrorKind::kUnavailable, "no nvcc was found; looked at " + join(descriptions, ", "),
              fmt::format("install the CUDA toolkit {}.{} or newer, or name its nvcc with --nvcc PATH or CUDA_HOME",
                          kOldestVersion[0], kOldestVersion[1]));
}

// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88".
std::optional<std::string> parse_version(const std::string &answer) {
  static const std::regex kVersion(R"(release \d{1,4}\.\d{1,4}, V(\d{1,4}\.\d{1,4}\.\d{1,6}))");
  std::smatch match;
  if (!std::regex_search(answer, match, kVersion)) return std::nullopt;
  return match[1].str();
}

bool too_old(const std::string &version) {
  const auto parts = split(version, '.');
  return std::array{std::stoi(parts[0]), std::stoi(parts[1])} < kOldestVersion;
}

// Lines that are not an architecture (a banner of a wrapper, a warning) are passed over.
std::vector<std::string> parse_arches(const std::string &answer) {
  static const std::regex kArch(R"(compute_\d{2,3}[af]?)");
  std::vector<std::string> arches;
  for (const std::string &line : split(answer, '\n')) {
    const std::string word(trim(line));
    if (std::regex_match(word, kArch)) arches.push_back(word);
  }
  return arches;
}

std::string other_places(const std::vector<Place> &places, const fs::path &chosen) {
  for (const Place &place : places) {
    std::error_code error;
    if (place.found && !fs::equivalent(*place.found, chosen, error))
      return fmt::format("; there is also '{}'", place.found->string());
  }
  return {};
}

std::string ask_host_compiler(const Environment &environment) {
  const auto compiler = find_host_compiler(environment);
  if (!compiler) return "unknown";
  const auto answer = ask(*compiler, {"--version"}, environment);
  const std::string line = answer ? first_line(*answer) : "";
  return line.empty() ? "unknown" : line;
}

Result<Nvcc> examine(const fs::path &path, const Environment &environment, const std::string &others) {
  Nvcc nvcc;
  std::error_code error;
  nvcc.path = fs::absolute(path, error);  // it is started in other folders too
  const fs::path resolved = fs::canonical(path, error);
  nvcc.toolkit = (error ? path : resolved).parent_path().parent_path();
  auto answer = ask(path, {"--version"}, environment);
  if (!answer) return fail(answer.error().kind, answer.error().message, kChooseHint + others);
  const auto version = parse_version(*answer);
  if (!version) {
    return fail(ErrorKind::kUnavailable,
                fmt::format("'{}' does not answer --version as nvcc does: '{}'", path.string(), first_line(*answer)),
                kChooseHint + others);
  }
  nvcc.version = *version;
  if (too_old(nvcc.version)) {
    return fail(ErrorKind::kUnavailable,
                fmt::format("nvcc {} at '{}' is too old: {}.{} or newer is needed", nvcc.version, path.string(),
                            kOldestVersion[0], kOldestVersion[1]),
                kChooseHint + others);
  }
  answer = ask(path, {"--list-gpu-arch"}, environment);
  if (!answer) return fail(answer.error().kind, answer.error().message, kChooseHint + others);
  nvcc.arches = parse_arches(*answer);
  nvcc.host_compiler = ask_host_compiler(environment);
  return nvcc;
}

}  // namespace

Result<Nvcc> find_nvcc(const fs::path &requested, const Environment &environment) {
  const std::vector<Place> looked_at = places(requested, environment);
  const auto first = std::find_if(looked_at.begin(), looked_at.end(), [](const Place &place) { return place.found; });
  if (first == looked_at.end()) return not_found(looked_at);
  return examine(*first->found, environment, other_places(looked_at, *first->found));
}

Status require_arch(const Nvcc &nvcc, const Arch &arch) {
  // Some releases list compute_90a, others only compute_90; every one since 12.0 compiles the former if it lists
  // either.
  const std::string exact = arch.nvcc_arch, base = exact.substr(0, exact.find_last_of("0123456789") + 1);
  for (const std::string &listed : nvcc.arches)
    if (listed == exact || listed == base) return {};
  return fail(
      ErrorKind::kUnavailable,
      fmt::format("nvcc {} at '{}' cannot compile for {}: it needs {}, and `nvcc --list-gpu-arch` has {}", nvcc.version,
                  nvcc.path.string(), arch.name, exact, nvcc.arches.empty() ? "none" : join(nvcc.arches, ", ")),
      kChooseHint);
}

std::vector<fs::path> library_folders(const Nvcc &nvcc) {
  // NVIDIA's installers, conda, Debian's package (toolkit /usr), and the wheels' folder for each library.
  static constexpr const char *kFolders[] = {"lib64",
                                             "lib",
                                             "targets/x86_64-linux/lib",
                                             "targets/sbsa-linux/lib",
                                             "lib/x86_64-linux-gnu",
                                             "lib/aarch64-linux-gnu",
                                             "../cublas/lib",
                                             "../cuda_runtime/lib"};
  std::vector<fs::path> folders;
  for (const char *name : kFolders) {
    std::error_code error;
    const fs::path folder = fs::canonical(nvcc.toolkit / name, error);
    if (error || !fs::is_directory(folder, error)) continue;
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  return folders;
}

}  // namespace pyc::toolchain
