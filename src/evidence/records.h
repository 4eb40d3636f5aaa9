// What the evidence files say, as plain values. One struct for each part of the documents; documents.h reads and
// writes them. Times are in ns, sizes in bytes, frequencies in kHz unless a name says otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pyc::evidence {

struct Shape {
  std::int64_t m = 0, n = 0, k = 0;
  bool operator==(const Shape &) const = default;
};
std::string to_string(const Shape &shape);                  // 4096x4096x4096
std::optional<Shape> parse_shape(const std::string &text);  // m, n, k >= 1

struct FileHash {
  std::string path;  // relative to the workspace, with '/'
  std::string sha256;
};

struct CandidateRef {
  std::string name, selector, arch, digest;
  std::vector<FileHash> files;
};

struct Tool {
  std::string version, git;
};

struct Toolchain {
  std::string nvcc_path, nvcc_version, host_compiler;
  std::vector<std::string> flags;
  std::string harness_sha256 = {};  // of the engine's sources (workspace::harness_digest); "" where none was built
};

struct Host {
  std::string name, operating_system, kernel, cpu;
  int cores = 0;
};

// What the harness saw (session event) and what nvidia-smi adds; a figure that nobody could tell is absent, not zero.
struct Gpu {
  std::string name, uuid, compute_capability, driver;
  int driver_cuda_version = 0, runtime_cuda_version = 0;  // 13000 for 13.0
  std::int64_t memory_bytes = 0, l2_bytes = 0, shared_memory_per_block_optin_bytes = 0;
  int sm_count = 0, memory_bus_bits = 0;
  std::int64_t sm_clock_max_khz = 0, memory_clock_max_khz = 0;
  std::optional<double> power_limit_w;
  std::optional<bool> ecc, mig;
};

struct Warning {
  std::string code, message, hint;
};

struct Logs {
  std::string compiler, harness;  // bounded
  bool truncated = false;
};

enum class Kind { kValidation, kBenchmark, kProfile };
enum class DocumentStatus { kPassed, kFailed, kCompleted, kPlanned, kError };
std::string to_string(Kind kind);              // "validation"
std::string to_string(DocumentStatus status);  // "passed"

// What every document carries.
struct Header {
  Kind kind = Kind::kValidation;
  DocumentStatus status = DocumentStatus::kError;
  std::string error;  // why the status is `error`: "the harness was ended by signal 11"; empty otherwise
  Tool tool;
  std::string created_utc;
  CandidateRef candidate;
  std::vector<std::string> command;  // argv that repeats it
  Toolchain toolchain;
  Host host;
  std::optional<Gpu> gpu;
  Logs logs;
  std::vector<Warning> warnings;
};

struct Tolerance {
  double absolute = 0, relative = 0;
};

struct FirstWrong {
  std::int64_t row = 0, column = 0;
  std::string expected, got, error;  // text, because they may be NaN
  // The tile of C that it lies in, counted from 0; absent where the candidate's parameters name no tile.
  std::optional<std::int64_t> tile_row, tile_column;
};

struct Check {
  std::string check, variant, status, reason;  // status: passed, failed, skipped
  std::optional<double> max_abs_error, max_rel_error, normwise_error, normwise_bound;  // absent where not finite
  std::int64_t violations = 0, elements = 0;
  std::optional<FirstWrong> first;
  std::optional<bool> deterministic;  // of `repeat`: every call gave the same bits
};

struct KernelLaunch {
  std::string name;
  std::int64_t grid[3] = {0, 0, 0}, block[3] = {0, 0, 0};
  int registers_per_thread = 0, static_shared_bytes = 0, dynamic_shared_bytes = 0, local_bytes = 0, blocks_per_sm = 0;
  double occupancy = 0;  // 0 to 1
};

struct Launches {
  std::string capture;                          // "ok", or why one call could not be captured
  std::optional<std::int64_t> workspace_bytes;  // that the call asked for
  std::vector<KernelLaunch> kernels;
};

struct ShapeValidation {
  Shape shape;
  bool timed = true;
  std::string status;  // passed, failed, unfinished
  std::int64_t elapsed_ns = 0;
  std::optional<Launches> launches;
  std::vector<Check> checks;
  bool has_failed_check() const;
};

// What ptxas said about kernel.cu: the largest figure of all its kernels.
struct PtxasFigures {
  int kernels = 0, registers_per_thread = 0;
  std::int64_t spill_bytes = 0;  // stores or loads of registers that went to memory, the larger of the two
  std::int64_t stack_bytes = 0, static_shared_bytes = 0;
};

// A validation of an imported candidate: its own program ran and said how it went.
struct OwnHarness {
  std::string compile_command, run_command;  // expanded, as a shell would read them
  std::string ended;                         // "exit code 0"; empty if it was not run
  std::optional<int> return_code;            // absent if it did not exit by itself
  std::optional<double> best_ms, gflops;     // as it printed them
};

struct Validation {
  Header header;
  std::uint64_t seed = 0;
  Tolerance tolerance;
  std::string depth = "default";  // default, or quick: some checks were left out
  std::optional<PtxasFigures> ptxas;
  std::vector<ShapeValidation> shapes;
  std::vector<Check> sanitizers;  // memcheck, racecheck, initcheck, synccheck at small shapes, if they were asked for
  std::optional<OwnHarness> own_harness;  // of an imported candidate, which has no shapes here
  int failed_shapes() const;              // those whose status is not passed
  // Whether every repeat of a call gave the same bits, at all shapes; absent where no check `repeat` could tell.
  std::optional<bool> deterministic() const;
};

// One contender at one shape, with its raw samples.
struct Arm {
  int arm = 0;
  std::string role, name, digest, status, reason, detail;  // role and status as in the harness protocol
  std::vector<double> cold_ns, warm_ns;
  std::vector<std::int64_t> cold_order;   // place of each cold sample in the shape's sequence
  std::vector<double> cold_sm_clock_mhz;  // may be empty
  int retaken = 0;
  std::vector<Check> output_checks;  // after the last timed call
};

struct ShapeBenchmark {
  Shape shape;
  std::string status;  // completed, failed, unfinished
  std::int64_t elapsed_ns = 0;
  std::optional<double> timer_overhead_ns;
  std::optional<Launches> launches;
  std::vector<Arm> arms;
  const Arm *find(const std::string &role) const;  // first arm of that role, or null
};

struct Benchmark {
  Header header;
  std::uint64_t seed = 0;
  int warmup = 0, repeats = 0;
  int max_repeats = 0;  // most samples that the run would take in all; 0: not said, and then no more than `repeats`
  int passes = 0;       // over all shapes: 1, and 1 for each time the verdict was open and samples were added
  std::vector<ShapeBenchmark> shapes;
};

// One figure that the profiler gave for one launch of a kernel, in the profiler's own words.
struct ProfilerMetric {
  std::string name, unit, text;  // text: as printed, where it is no number
  std::optional<double> value;
};

struct ProfiledKernel {
  std::string name;
  std::vector<ProfilerMetric> metrics;
  const ProfilerMetric *find(const std::string &metric) const;  // null if it was not measured
};

// The profiler's run, kept as it was.
struct ProfilerRun {
  std::vector<std::string> command;  // after placeholders: what was started
  std::string ended;                 // "exit code 0", "signal 11 (Segmentation fault)", "not started"
  std::optional<int> return_code;    // absent if it did not exit by itself
  std::string standard_output, standard_error;
  bool truncated = false;
};

struct Profile {
  Header header;
  std::uint64_t seed = 0;
  Shape shape;
  bool default_metrics = true;  // false: with a --command, whose output is kept and not read
  ProfilerRun run;
  std::vector<ProfiledKernel> kernels;  // the candidate's launches, in order; empty with a --command
};

// Medians of an arm's cold samples; no value without samples.
std::optional<double> cold_median_ns(const Arm &arm);

// The names of the kernels, in the order of their launches.
std::vector<std::string> kernel_names(const Launches &launches);

}  // namespace pyc::evidence
