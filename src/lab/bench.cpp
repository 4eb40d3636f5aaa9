// `pyc lab bench`: how long do a kernel's commands take?
#include "base/files.h"
#include "lab/kernel_bench.h"
#include "lab/record_file.h"

namespace pyc::lab {

Result<BenchResult> bench(const Context &context, const std::string &name, const BenchOptions &options) {
  PYC_TRY(const workspace::LabKernel kernel, show(context, name));
  PYC_TRY(KernelBench timed, bench_kernel(context, kernel, options));
  BenchResult result;
  result.result = blank_result(context, "bench", name, options);
  result.result.kernels.push_back(std::move(timed.result));
  result.failure = std::move(timed.failure);
  PYC_TRY(result.path, reserve_record(context.paths.results, name, context.now()));
  PYC_CHECK(write_file_atomic(result.path, to_json(result.result)));
  return result;
}

}  // namespace pyc::lab
