// bf16 on the tensor cores, B stored transposed, sm90.
#include "compiler/cutlass_kernels/cutlass/sm90_gemm.cuh"

using namespace pyc::runtime;
using Gemm = Sm90Gemm<cutlass::bfloat16_t, Transposed>;

const CutlassKernel pyc_cutlass_bf16_nt_sm90 =
    Gemm::row("pyc_cutlass_bf16_nt_sm90", "sm90", PYC_DTYPE_BF16, PYC_LAYOUT_NT);
