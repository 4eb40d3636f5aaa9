#include "tests/hpc/evidence_fixture.h"

#include <gtest/gtest.h>
#include <random>

#include "base/clock.h"
#include "base/files.h"
#include "base/hash.h"
#include "evidence/documents.h"
#include "hpc/gate.h"
#include "hpc/roofline.h"

namespace pyc::test {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) ADD_FAILURE() << result.error().message;
  return std::move(result).value();
}

void must(const Status &status) {
  if (!status) ADD_FAILURE() << status.error().message;
}

constexpr const char *kHarnessSource = "run.cpp", *kHarnessText = "// the engine\n";

evidence::Header header_for(const workspace::Candidate &candidate, evidence::Kind kind,
                            evidence::DocumentStatus status) {
  evidence::Header header;
  header.kind = kind;
  header.status = status;
  header.tool = {"0.1.0", "abc1234"};
  header.created_utc = "2026-01-31T12:34:56.789Z";
  header.candidate = candidate.ref;
  header.command = {"pyc", "hpc", "validate", "--name", candidate.ref.name};
  header.toolchain = {"/usr/local/cuda/bin/nvcc", "13.0.88", "gcc 12.2.0", {"-O3"}, harness_sha256()};
  header.host = {"node", "Debian 12", "6.1", "EPYC", 64};
  header.gpu = h200();
  return header;
}

evidence::Check passed_check(const std::string &name) {
  evidence::Check check;
  check.check = name;
  check.status = "passed";
  check.max_abs_error = 1e-6;
  check.normwise_error = 0.1;
  check.normwise_bound = 1;
  check.elements = 4096;
  return check;
}

evidence::Launches one_launch() {
  evidence::KernelLaunch kernel;
  kernel.name = "gemm";
  kernel.registers_per_thread = 96;
  for (int i = 0; i < 3; ++i) kernel.grid[i] = kernel.block[i] = 1;
  return {"ok", 0, {kernel}};
}

// Times around `base_ns`, drawn from a generator that every arm shares, as a machine's noise is shared.
class Machine {
 public:
  explicit Machine(double noise) : noise_(noise) {}
  double time_ns(double base_ns) { return base_ns * (1 + noise_ * normal_(generator_)); }

 private:
  double noise_;
  std::mt19937 generator_{2026};
  std::normal_distribution<double> normal_;
};

struct PlannedArm {
  std::string role, name, digest;
  double base_ns;
};

std::vector<PlannedArm> plan_arms(const workspace::Candidate &candidate, const workspace::Record *incumbent,
                                  const evidence::Shape &shape, double speedup) {
  const double candidate_ns = 2 * hpc::physical_floor_ns(shape, candidate.contract.dtype, h200()).value();
  std::vector<PlannedArm> arms = {{"candidate", candidate.contract.symbol, "", candidate_ns}};
  if (incumbent) arms.push_back({"incumbent", incumbent->name, incumbent->digest, candidate_ns * speedup});
  arms.push_back({"cublaslt", "cuBLASLt", "", candidate_ns * 0.8});
  PlannedArm control = incumbent ? arms[1] : arms[0];
  control.role += "_control";
  arms.push_back(control);
  return arms;
}

evidence::Arm ready_arm(const PlannedArm &plan, std::size_t number) {
  evidence::Arm arm;
  arm.arm = static_cast<int>(number);
  arm.role = plan.role;
  arm.name = plan.name;
  arm.digest = plan.digest;
  arm.status = "ready";
  for (const char *check : {"output", "every_call", "threads", "device_state", "launches"})
    arm.output_checks.push_back(passed_check(check));
  return arm;
}

evidence::ShapeBenchmark time_shape(const evidence::Shape &shape, const std::vector<PlannedArm> &plans,
                                    const Pace &pace, Machine &machine) {
  evidence::ShapeBenchmark result;
  result.shape = shape;
  result.status = "completed";
  result.elapsed_ns = 1'000'000;
  result.launches = one_launch();
  for (std::size_t i = 0; i < plans.size(); ++i) result.arms.push_back(ready_arm(plans[i], i));
  std::int64_t place = 0;
  for (int round = 0; round < pace.samples; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const std::size_t turn = round % 2 ? plans.size() - 1 - i : i;
      evidence::Arm &arm = result.arms[turn];
      arm.cold_ns.push_back(machine.time_ns(plans[turn].base_ns));
      arm.cold_order.push_back(place++);
      arm.cold_sm_clock_mhz.push_back(1980);
    }
  }
  return result;
}

}  // namespace

ScratchWorkspace::ScratchWorkspace() : workspace_{folder_.path()} {
  folder_.write("kernels/harness/sources.txt", std::string(kHarnessSource) + "\n");
  folder_.write(std::string("kernels/harness/") + kHarnessSource, kHarnessText);
  folder_.write("kernels/registry/kernels.json", workspace::to_json(workspace::Registry{}));
  std::filesystem::create_directories(workspace_.results());
  std::filesystem::create_directories(workspace_.prototypes());
  must(workspace::write_generated_files(workspace_, {}));
}

hpc::Context ScratchWorkspace::context() const {
  hpc::Context context;
  context.workspace = workspace_;
  context.tool = {"0.1.0", "abc1234"};
  context.now = [] { return TimePoint(std::chrono::seconds(1'800'000'000)); };
  return context;
}

workspace::Candidate ScratchWorkspace::add_candidate(const std::string &name, const std::string &family) const {
  workspace::Contract contract;
  contract.name = name;
  contract.dtype = "fp32";
  contract.layout = "nn";
  contract.arch = "sm90";
  contract.shape_family = family;
  contract.symbol = "pyc_gemm_" + name;
  contract.runtime.registers_per_thread = 96;
  must(workspace::write_candidate(workspace_, {contract, "// kernel " + name + "\n", "// harness\n"}));
  return read(name);
}

workspace::Candidate ScratchWorkspace::read(const std::string &name) const {
  return must(workspace::read_candidate(workspace_, name));
}

workspace::Registry ScratchWorkspace::registry() const { return must(workspace::read_registry(workspace_)); }

std::filesystem::path ScratchWorkspace::write(const evidence::Validation &validation) const {
  const auto path = next_file(validation.header.candidate.name, evidence::Kind::kValidation);
  must(write_file_atomic(path, to_json(validation)));
  return path;
}

std::filesystem::path ScratchWorkspace::write(const evidence::Benchmark &benchmark) const {
  const auto path = next_file(benchmark.header.candidate.name, evidence::Kind::kBenchmark);
  must(write_file_atomic(path, to_json(benchmark)));
  return path;
}

std::filesystem::path ScratchWorkspace::next_file(const std::string &name, evidence::Kind kind) const {
  const TimePoint time{std::chrono::seconds(1'790'000'000 + files_++)};
  return workspace_.results() / evidence::file_name(name, kind, utc_file_stamp(time));
}

std::string harness_sha256() {
  return sha256_hex(std::string("kernels/harness/") + kHarnessSource + " " + sha256_hex(kHarnessText));
}

evidence::Gpu h200() {
  evidence::Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.uuid = "GPU-1234";
  gpu.compute_capability = "9.0";
  gpu.driver = "580.65.06";
  gpu.l2_bytes = 62'914'560;
  gpu.sm_count = 132;
  gpu.memory_bus_bits = 6144;
  gpu.sm_clock_max_khz = 1'980'000;
  gpu.memory_clock_max_khz = 3'201'000;
  return gpu;
}

evidence::Validation good_validation(const workspace::Candidate &candidate) {
  evidence::Validation validation;
  validation.header = header_for(candidate, evidence::Kind::kValidation, evidence::DocumentStatus::kPassed);
  validation.seed = 1;
  validation.tolerance = candidate.contract.effective_tolerance();
  for (const evidence::Shape &shape : candidate.contract.timed_shapes()) {
    evidence::ShapeValidation result;
    result.shape = shape;
    result.status = "passed";
    for (const char *check :
         {"random", "normwise", "inputs", "repeat", "exact", "scalars", "strides", "guards", "beta_zero", "offsets",
          "state", "stream", "graph", "streams", "nan_inf", "subnormal", "page_ends", "status", "writes"})
      result.checks.push_back(passed_check(check));
    result.launches = one_launch();
    validation.shapes.push_back(std::move(result));
  }
  return validation;
}

evidence::Benchmark good_benchmark(const workspace::Candidate &candidate, const workspace::Record *incumbent,
                                   const Pace &pace) {
  evidence::Benchmark benchmark;
  benchmark.header = header_for(candidate, evidence::Kind::kBenchmark, evidence::DocumentStatus::kCompleted);
  benchmark.seed = 1;
  benchmark.warmup = 10;
  benchmark.repeats = pace.samples;
  Machine machine(pace.noise);
  for (const evidence::Shape &shape : candidate.contract.timed_shapes())
    benchmark.shapes.push_back(time_shape(shape, plan_arms(candidate, incumbent, shape, pace.speedup), pace, machine));
  return benchmark;
}

}  // namespace pyc::test
