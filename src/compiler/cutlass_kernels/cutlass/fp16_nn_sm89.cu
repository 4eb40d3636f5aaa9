// fp16 on the tensor cores, A and B as written, sm89.
#include "compiler/cutlass_kernels/cutlass/sm89_gemm.cuh"

using namespace pyc::runtime;
using Gemm = Sm89Gemm<cutlass::half_t, AsWritten>;

const CutlassKernel pyc_cutlass_fp16_nn_sm89 =
    Gemm::row("pyc_cutlass_fp16_nn_sm89", "sm89", PYC_DTYPE_FP16, PYC_LAYOUT_NN);
