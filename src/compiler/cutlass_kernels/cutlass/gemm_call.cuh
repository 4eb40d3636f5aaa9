// What every kernel of the set does around CUTLASS: from the kernel ABI to CUTLASS's arguments and back to a status.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <cutlass/cutlass.h>
#include <cutlass/layout/matrix.h>

#include "compiler/cutlass_kernels/cutlass/rows.h"

namespace pyc::runtime {

// How B lies in memory for each layout letter, in CUTLASS's words: a k x n matrix by rows, or by columns.
using AsWritten = cutlass::layout::RowMajor;
using Transposed = cutlass::layout::ColumnMajor;

// What a kernel with tiles of 128 rows and columns claims. On an H200 the 16-bit ones are level with cuBLASLt at
// large_square and take twice its time at square (docs/compiler-next/cuda-gemm-fast-path.md).
constexpr uint32_t kTile128Families = bit_of(PYC_FAMILY_LARGE_SQUARE);

inline bool within_limits(const pyc_gemm_args &x) {
  const auto below = [](int64_t limit, int64_t first, int64_t second, int64_t third) {
    return first <= limit && second <= limit && third <= limit;
  };
  return below(kCutlassMaxSize, x.m, x.n, x.k) && below(kCutlassMaxLd, x.lda, x.ldb, x.ldc);
}

// The multiples of leading dimensions and of pointers are powers of two, so that one division serves three.
inline bool keeps(const KernelRequirements &r, const pyc_gemm_args &x) {
  const auto address = [](const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); };
  return x.m % r.m_multiple == 0 && x.n % r.n_multiple == 0 && x.k % r.k_multiple == 0 &&
         (x.lda | x.ldb | x.ldc) % r.ld_multiple == 0 &&
         (address(x.a) | address(x.b) | address(x.c)) % r.pointer_alignment == 0;
}

// `Problem` offers the device-wide `Gemm` of CUTLASS, the arguments that a call becomes, and what it asks of a call:
//     static typename Gemm::Arguments arguments(const pyc_gemm_args &args);
//     static constexpr KernelRequirements kRequirements;
//     static constexpr uint32_t kFamilies;
// Nothing here allocates, synchronises or outlives the call: the parameters travel with the launch.
template <class Problem>
struct GemmCall {
  using Gemm = typename Problem::Gemm;

  static constexpr CutlassKernel row(const char *symbol, const char *arch, pyc_dtype dtype, pyc_layout layout) {
    return {symbol, arch, dtype, layout, Problem::kFamilies, Problem::kRequirements, run, workspace, objection};
  }

  static const char *objection(const pyc_gemm_args *args) {
    if (!within_limits(*args)) return "a size or a leading dimension is beyond the limits of CUTLASS";
    const cutlass::Status status = Gemm::can_implement(Problem::arguments(*args));
    return status == cutlass::Status::kSuccess ? nullptr : cutlass::cutlassGetStatusString(status);
  }

  static size_t workspace(const pyc_gemm_args *args) {
    return within_limits(*args) ? Gemm::get_workspace_size(Problem::arguments(*args)) : 0;
  }

  static pyc_status run(const pyc_gemm_args *args, void *stream) {
    if (!within_limits(*args) || !keeps(Problem::kRequirements, *args)) return PYC_STATUS_UNSUPPORTED;
    const typename Gemm::Arguments arguments = Problem::arguments(*args);
    if (Gemm::can_implement(arguments) != cutlass::Status::kSuccess) return PYC_STATUS_UNSUPPORTED;
    if (args->workspace_bytes < Gemm::get_workspace_size(arguments)) return PYC_STATUS_WORKSPACE_TOO_SMALL;
    Gemm gemm;
    const cutlass::Status status = gemm(arguments, args->workspace, static_cast<cudaStream_t>(stream));
    return status == cutlass::Status::kSuccess ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
  }
};

}  // namespace pyc::runtime
