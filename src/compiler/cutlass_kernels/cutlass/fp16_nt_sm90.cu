// fp16 on the tensor cores, B stored transposed, sm90.
#include "compiler/cutlass_kernels/cutlass/sm90_gemm.cuh"

using namespace pyc::runtime;
using Gemm = Sm90Gemm<cutlass::half_t, Transposed>;

const CutlassKernel pyc_cutlass_fp16_nt_sm90 =
    Gemm::row("pyc_cutlass_fp16_nt_sm90", "sm90", PYC_DTYPE_FP16, PYC_LAYOUT_NT);
