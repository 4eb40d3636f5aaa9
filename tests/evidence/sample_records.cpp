#include "tests/evidence/sample_records.h"

namespace pyc::evidence {
namespace {

Header sample_header(Kind kind, DocumentStatus status) {
  Header header;
  header.kind = kind;
  header.status = status;
  header.error = "the harness was ended by signal 11";
  header.tool = {"0.1.0", "v0.1.0-3-gabc"};
  header.created_utc = "2026-01-31T12:34:56.789Z";
  header.candidate = {"tiled", "gemm/fp32/nn/square", "sm90", std::string(64, 'd'), {}};
  header.candidate.files = {{"kernels/prototypes/tiled/kernel.cu", std::string(64, 'a')},
                            {"include/pyc/kernel.h", std::string(64, 'b')}};
  header.command = {"pyc", "hpc", "validate", "--name", "tiled"};
  header.toolchain = {"/usr/local/cuda/bin/nvcc", "13.0.88", "gcc 12.2.0", {"-O3", "-std=c++17"}, std::string(64, 'e')};
  header.host = {"node", "Debian 12", "6.1", "EPYC", 64};
  header.gpu = sample_gpu();
  header.logs = {"ptxas info : Used 96 registers\n", "said: \"\t\x01\"\n", true};
  header.warnings = {{"ecc_off", "ECC is off", "turn it on"}};
  return header;
}

Check sample_check() {
  Check check;
  check.check = "random";
  check.variant = "alpha=1 beta=0";
  check.status = "failed";
  check.reason = "3 of 4096 elements are outside the tolerance";
  check.max_abs_error = 0.1;
  check.normwise_error = 1.0 / 3;
  check.normwise_bound = 1e-300;
  check.violations = 3;
  check.elements = 4096;
  check.first = FirstWrong{5, 7, "1.5", "nan", "nan", 0, 1};
  check.deterministic = false;
  return check;
}

Arm sample_arm(int number, const std::string &role) {
  Arm arm;
  arm.arm = number;
  arm.role = role;
  arm.name = role;
  arm.digest = number == 0 ? "" : std::string(64, 'e');
  arm.status = "ready";
  arm.detail = "algorithm 23";
  arm.cold_ns = {123456.789, 1.0 / 3, 1e9};
  arm.warm_ns = {100, 200};
  arm.cold_order = {0, 3, 4};
  arm.cold_sm_clock_mhz = {1980, 1979.5, 1980};
  arm.retaken = 2;
  arm.output_checks = {sample_check()};
  return arm;
}

}  // namespace

Gpu sample_gpu() {
  Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.uuid = "GPU-1234";
  gpu.compute_capability = "9.0";
  gpu.driver = "580.65.06";
  gpu.driver_cuda_version = gpu.runtime_cuda_version = 13000;
  gpu.memory_bytes = 150'000'000'000;
  gpu.l2_bytes = 62'914'560;
  gpu.shared_memory_per_block_optin_bytes = 232'448;
  gpu.sm_count = 132;
  gpu.memory_bus_bits = 6144;
  gpu.sm_clock_max_khz = 1'980'000;
  gpu.memory_clock_max_khz = 3'201'000;
  gpu.power_limit_w = 700;
  gpu.ecc = true;
  gpu.mig = false;
  return gpu;
}

Validation sample_validation() {
  Validation validation;
  validation.header = sample_header(Kind::kValidation, DocumentStatus::kFailed);
  validation.seed = 0xffff'ffff'ffff'ffff;
  validation.tolerance = {1e-4, 2e-4};
  validation.ptxas = PtxasFigures{2, 96, 16, 24, 32768};
  ShapeValidation shape;
  shape.shape = {1024, 512, 256};
  shape.timed = false;
  shape.status = "failed";
  shape.elapsed_ns = 12'345'678'901;
  KernelLaunch kernel;
  kernel.name = "pyc_gemm_tiled_kernel";
  kernel.grid[0] = 8, kernel.grid[1] = 4, kernel.grid[2] = 1;
  kernel.block[0] = 256, kernel.block[1] = kernel.block[2] = 1;
  kernel.registers_per_thread = 96;
  kernel.static_shared_bytes = 32768;
  kernel.occupancy = 0.25;
  shape.launches = Launches{"ok", 1 << 20, {kernel}};
  shape.checks = {sample_check()};
  validation.shapes = {shape};
  return validation;
}

Benchmark sample_benchmark() {
  Benchmark benchmark;
  benchmark.header = sample_header(Kind::kBenchmark, DocumentStatus::kCompleted);
  benchmark.seed = 42;
  benchmark.warmup = 10;
  benchmark.repeats = 3;
  benchmark.max_repeats = 12;
  benchmark.passes = 2;
  ShapeBenchmark shape;
  shape.shape = {64, 64, 64};
  shape.status = "completed";
  shape.elapsed_ns = 77;
  shape.timer_overhead_ns = 1500.5;
  shape.launches = Launches{"stream capture is refused", {}, {}};
  shape.arms = {sample_arm(0, "candidate"), sample_arm(1, "incumbent"), sample_arm(2, "incumbent_control")};
  benchmark.shapes = {shape};
  return benchmark;
}

Profile sample_profile() {
  Profile profile;
  profile.header = sample_header(Kind::kProfile, DocumentStatus::kCompleted);
  profile.seed = 1;
  profile.shape = {1024, 512, 256};
  profile.run = {{"ncu", "--csv", "/w/x", "--shape", "1024x512x256"}, "exit code 0", 0, "\"ID\"\n", "==PROF==\n", true};
  profile.kernels = {
      {"gemm(pyc_gemm_args)", {{"gpu__time_duration.sum", "ns", "", 12345.5}, {"device", "", "H200", {}}}}};
  return profile;
}

}  // namespace pyc::evidence
