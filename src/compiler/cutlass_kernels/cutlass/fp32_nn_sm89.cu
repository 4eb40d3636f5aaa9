// fp32 on the CUDA cores, A and B as written, sm89.
#include "compiler/cutlass_kernels/cutlass/simt_gemm.cuh"

using namespace pyc::runtime;
using Gemm = SimtGemm<AsWritten>;

const CutlassKernel pyc_cutlass_fp32_nn_sm89 =
    Gemm::row("pyc_cutlass_fp32_nn_sm89", "sm89", PYC_DTYPE_FP32, PYC_LAYOUT_NN);
