// fp32 on the CUDA cores, A and B as written, sm90.
#include "compiler/cutlass_kernels/cutlass/simt_gemm.cuh"

using namespace pyc::runtime;
using Gemm = SimtGemm<AsWritten>;

const CutlassKernel pyc_cutlass_fp32_nn_sm90 =
    Gemm::row("pyc_cutlass_fp32_nn_sm90", "sm90", PYC_DTYPE_FP32, PYC_LAYOUT_NN);
