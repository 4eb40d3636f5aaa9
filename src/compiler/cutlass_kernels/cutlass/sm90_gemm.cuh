// fp16 and bf16 on the tensor cores of sm90, fp32 sums: TMA loads, warp-group mma, persistent blocks.
//
// Two blocks of a cluster stand one below the other and share their tile of B by multicast. In a block one warp keeps
// as many stages of tiles, 64 deep, in flight as shared memory holds, and two warp groups compute a 128 x 256 tile of C
// together. A block takes tile after tile. The epilogue stores through shared memory with TMA, and loads C only if beta
// is not 0.
#pragma once

#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

#include "compiler/cutlass_kernels/cutlass/gemm_call.cuh"

namespace pyc::runtime {

// A stride of CUTLASS is (ld, 1, batch) along rows and (1, ld, batch) along columns, where the 1 is a type.
template <class Stride>
Stride stride_of(int64_t ld) {
  Stride stride = {};
  cute::get<cute::is_static_v<cute::tuple_element_t<0, Stride>> ? 1 : 0>(stride) = ld;
  return stride;
}

// Persistent blocks are as many as the current device has SMs.
inline cutlass::KernelHardwareInfo current_device() {
  cutlass::KernelHardwareInfo device;
  cudaGetDevice(&device.device_id);
  device.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(device.device_id);
  return device;
}

template <class Element, class LayoutB>
struct Sm90Problem {
  static constexpr int kAlignment = 16 / sizeof(Element);  // TMA reads rows that begin at multiples of 16 bytes
  using Row = cutlass::layout::RowMajor;
  using Arch = cutlass::arch::Sm90;
  using Unit = cutlass::arch::OpClassTensorOp;
  using Tile = cute::Shape<cute::_128, cute::_256, cute::_64>;
  using Cluster = cute::Shape<cute::_2, cute::_1, cute::_1>;

  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      Arch, Unit, Tile, Cluster, cutlass::epilogue::collective::EpilogueTileAuto, float, float, Element, Row,
      kAlignment, Element, Row, kAlignment, cutlass::epilogue::TmaWarpSpecializedCooperative>::CollectiveOp;
  using Stages =
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      Arch, Unit, Element, Row, kAlignment, Element, LayoutB, kAlignment, float, Tile, Cluster, Stages,
      cutlass::gemm::KernelTmaWarpSpecializedCooperative>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  // The rows of A, B and C run along k or n: each begins at 16 bytes and ends at a multiple of them.
  static constexpr KernelRequirements kRequirements = {1, kAlignment, kAlignment, 16, kAlignment};
  static constexpr uint32_t kFamilies = kTile128Families;

  static typename Gemm::Arguments arguments(const pyc_gemm_args &x) {
    const auto *const a = static_cast<const Element *>(x.a), *const b = static_cast<const Element *>(x.b);
    auto *const c = static_cast<Element *>(x.c);
    const auto stride_a = stride_of<typename Kernel::StrideA>(x.lda);
    const auto stride_b = stride_of<typename Kernel::StrideB>(x.ldb);
    const auto stride_c = stride_of<typename Kernel::StrideC>(x.ldc);
    return {cutlass::gemm::GemmUniversalMode::kGemm,
            {static_cast<int>(x.m), static_cast<int>(x.n), static_cast<int>(x.k), /*batch_count=*/1},
            {a, stride_a, b, stride_b},
            {{x.alpha, x.beta}, c, stride_c, c, stride_c},
            current_device()};
  }
};

template <class Element, class LayoutB>
using Sm90Gemm = GemmCall<Sm90Problem<Element, LayoutB>>;

}  // namespace pyc::runtime
