// fp32 on the CUDA cores, B stored transposed, sm90.
#include "compiler/cutlass_kernels/cutlass/simt_gemm.cuh"

using namespace pyc::runtime;
using Gemm = SimtGemm<Transposed>;

const CutlassKernel pyc_cutlass_fp32_nt_sm90 =
    Gemm::row("pyc_cutlass_fp32_nt_sm90", "sm90", PYC_DTYPE_FP32, PYC_LAYOUT_NT);
