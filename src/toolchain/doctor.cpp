#include "toolchain/doctor.h"

#include <future>

#include "toolchain/checks.h"

namespace pyc::toolchain {

std::vector<DoctorCheck> examine_machine(const std::filesystem::path &requested_nvcc, const Environment &environment) {
  const auto start = [](auto probe) { return std::async(std::launch::async, std::move(probe)).share(); };
  const auto nvcc = start([&] { return find_nvcc(requested_nvcc, environment); });
  const auto gpus = start([&] { return query_gpus(environment); });
  const auto ncu = start([&] { return check_ncu(nvcc.get(), environment); });
  const auto sanitizer = start([&] { return check_sanitizer(nvcc.get(), environment); });
  const auto host_compiler = start([&] { return check_host_compiler(nvcc.get(), environment); });
  const auto gpu = start([&] { return check_gpu(gpus.get(), environment); });
  const auto blas = start([] { return check_blas(); });
  return {check_nvcc(nvcc.get(), environment),  host_compiler.get(), gpu.get(),
          check_driver(gpus.get(), nvcc.get()), ncu.get(),           sanitizer.get(),
          check_cutlass(environment),           blas.get()};
}

}  // namespace pyc::toolchain
