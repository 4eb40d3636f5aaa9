// bf16 on the tensor cores, B stored transposed, sm89.
#include "compiler/cutlass_kernels/cutlass/sm89_gemm.cuh"

using namespace pyc::runtime;
using Gemm = Sm89Gemm<cutlass::bfloat16_t, Transposed>;

const CutlassKernel pyc_cutlass_bf16_nt_sm89 =
    Gemm::row("pyc_cutlass_bf16_nt_sm89", "sm89", PYC_DTYPE_BF16, PYC_LAYOUT_NT);
