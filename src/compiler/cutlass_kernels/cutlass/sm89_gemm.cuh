// fp16 and bf16 on the tensor cores of sm89, fp32 sums, by the mma instruction of Ampere and Ada.
//
// A block of four warps computes a 128 x 128 tile of C, each warp a quarter of it in registers. Tiles of A and B, 32
// deep, travel with cp.async, 16 bytes at a time; three stages take 48 KiB, so that two blocks share an SM's 100 KiB.
#pragma once

#include <cutlass/epilogue/thread/linear_combination.h>

#include "compiler/cutlass_kernels/cutlass/ampere_arguments.cuh"

namespace pyc::runtime {

template <class Element, class LayoutB>
struct Sm89Problem {
  template <int m, int n, int k>
  using Shape = cutlass::gemm::GemmShape<m, n, k>;
  using Row = cutlass::layout::RowMajor;

  static constexpr int kStages = 3, kAlignment = 16 / sizeof(Element);
  using Epilogue = cutlass::epilogue::thread::LinearCombination<Element, kAlignment, float, float>;
  using Order = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>;
  using Gemm = cutlass::gemm::device::GemmUniversal<
      Element, Row, Element, LayoutB, Element, Row, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
      Shape<128, 128, 32>, Shape<64, 64, 32>, Shape<16, 8, 16>, Epilogue, Order, kStages, kAlignment, kAlignment>;

  // The rows of A, B and C run along k or n: each begins at 16 bytes and ends at a multiple of them.
  static constexpr KernelRequirements kRequirements = {1, kAlignment, kAlignment, 16, kAlignment};
  static constexpr uint32_t kFamilies = kTile128Families;

  static typename Gemm::Arguments arguments(const pyc_gemm_args &args) { return ampere_arguments<Gemm>(args); }
};

template <class Element, class LayoutB>
using Sm89Gemm = GemmCall<Sm89Problem<Element, LayoutB>>;

}  // namespace pyc::runtime
