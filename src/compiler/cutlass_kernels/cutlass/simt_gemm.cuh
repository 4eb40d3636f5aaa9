// fp32 on the CUDA cores: every product and sum in fp32, any size and any leading dimension.
//
// A block of 256 threads computes a 128 x 128 tile of C, each warp 32 x 64 of it in registers. Tiles of A and B, 8
// deep, travel from global to shared memory with cp.async, element by element, so that no alignment is asked for; five
// stages are in flight. Neighbouring blocks walk 8 tiles of columns before the next rows, to meet in L2.
#pragma once

#include <cutlass/epilogue/thread/linear_combination.h>

#include "compiler/cutlass_kernels/cutlass/ampere_arguments.cuh"

namespace pyc::runtime {

template <class LayoutB>
struct SimtProblem {
  template <int m, int n, int k>
  using Shape = cutlass::gemm::GemmShape<m, n, k>;
  using Row = cutlass::layout::RowMajor;

  static constexpr int kStages = 5, kAlignment = 1;
  using Epilogue = cutlass::epilogue::thread::LinearCombination<float, kAlignment, float, float>;
  using Order = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>;
  using Gemm =
      cutlass::gemm::device::GemmUniversal<float, Row, float, LayoutB, float, Row, float, cutlass::arch::OpClassSimt,
                                           cutlass::arch::Sm80, Shape<128, 128, 8>, Shape<32, 64, 8>, Shape<1, 1, 1>,
                                           Epilogue, Order, kStages, kAlignment, kAlignment>;

  static constexpr KernelRequirements kRequirements = {1, 1, 1, sizeof(float), 1};
  static constexpr uint32_t kFamilies = kTile128Families;

  static typename Gemm::Arguments arguments(const pyc_gemm_args &args) { return ampere_arguments<Gemm>(args); }
};

template <class LayoutB>
using SimtGemm = GemmCall<SimtProblem<LayoutB>>;

}  // namespace pyc::runtime
