// What is kept of one search for a template's best parameters: kernels/results/NAME-tuning-KEY.json. Every set that was
// tried stands there with what became of it, and every sample; the file is written again after each step, so that a
// search that was stopped goes on from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/records.h"

namespace pyc::evidence {

constexpr const char *kTuningSchema = "pyc.tuning/1";

// What became of a set, as far as it came. The words of the file in to_string().
enum class SetStatus {
  kPlanned,      // nothing was done with it
  kNotCompiled,  // the compiler refused it
  kUnfit,        // it compiled, but spills more registers than the defaults, or calls what a kernel may not
  kCompiled,     // it compiled and fits; no GPU has run it
  kWrong,        // a check failed, a call failed, or it crashed or hung
  kValid,        // the quick checks passed
};
std::string to_string(SetStatus status);

struct SetBuild {
  std::int64_t elapsed_ns = 0;
  bool from_cache = false;
  int registers_per_thread = 0;  // the largest of all kernels, as ptxas says
  std::int64_t static_shared_bytes = 0, spill_bytes = 0;
};

// Of the largest kernel of a call, as the device says.
struct SetLaunch {
  double occupancy = 0;  // 0 to 1
  int registers_per_thread = 0;
  std::int64_t shared_bytes = 0;
};

struct TunedSet {
  int number = 0;  // its place among the tries
  std::map<std::string, std::int64_t> parameters;
  std::string origin;  // "default", "cover" or "near N"
  SetStatus status = SetStatus::kPlanned;
  std::string reason;  // why it is out; empty while it is not
  std::optional<SetBuild> build;
  std::optional<SetLaunch> launch;
};

struct TunedArm {
  int set = 0;
  std::vector<double> cold_ns;
};

// Samples of one shape from one process: partners are the i-th of two arms.
struct TunedShape {
  Shape shape;
  std::vector<double> baseline_ns;
  std::vector<TunedArm> arms;
  std::optional<std::vector<double>> cublaslt_ns;  // only of the final
  std::string cublaslt_detail;
};

struct TuningRun {
  std::uint64_t seed = 0;
  std::vector<TunedShape> shapes;
};

struct TuningRound {
  int number = 0;  // 1, 2, ...; the final is 0
  int repeats = 0;
  std::vector<TuningRun> runs;
};

struct TunedWinner {
  int set = 0;
  std::string candidate;  // folder, relative to the workspace
};

struct Tuning {
  DocumentStatus status = DocumentStatus::kPlanned;  // planned, completed or error
  std::string error;                                 // why it is not completed
  std::string key;  // 64 digits: names the search; the same search goes on in this file
  Tool tool;
  std::string created_utc, updated_utc;
  std::vector<std::string> command;
  std::string name, template_name, selector, arch;
  std::map<std::string, std::vector<std::int64_t>> levels;  // the values of each parameter
  std::uint64_t space_sets = 0;                             // that keep the template's rules
  std::uint64_t seed = 0;
  std::string budget;
  std::vector<Shape> shapes;
  Toolchain toolchain;
  Host host;
  std::optional<Gpu> gpu;
  std::int64_t elapsed_ns = 0;  // of all runs of the search together
  int baseline = 0;             // the set that every ratio is against
  std::vector<TunedSet> sets;
  std::vector<TuningRound> rounds;
  std::optional<TunedWinner> winner;
};

std::string to_json(const Tuning &tuning);
// kInvalid, naming the file and the field, for anything that to_json() did not write.
Result<Tuning> read_tuning(const std::filesystem::path &path);

// NAME-tuning-KEY.json, with the key's first 16 digits.
std::string tuning_file_name(const std::string &name, const std::string &key);

}  // namespace pyc::evidence
