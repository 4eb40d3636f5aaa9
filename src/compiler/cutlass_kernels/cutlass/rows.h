// The one list of the set. Each row is defined by the .cu file of its name, and compiled for the arch in that name.
#pragma once

#include "compiler/cutlass_kernels/cutlass/kernel.h"

#define PYC_CUTLASS_ROWS(ROW)   \
  ROW(pyc_cutlass_fp32_nn_sm89) \
  ROW(pyc_cutlass_fp32_nt_sm89) \
  ROW(pyc_cutlass_fp16_nn_sm89) \
  ROW(pyc_cutlass_fp16_nt_sm89) \
  ROW(pyc_cutlass_bf16_nn_sm89) \
  ROW(pyc_cutlass_bf16_nt_sm89) \
  ROW(pyc_cutlass_fp32_nn_sm90) \
  ROW(pyc_cutlass_fp32_nt_sm90) \
  ROW(pyc_cutlass_fp16_nn_sm90) \
  ROW(pyc_cutlass_fp16_nt_sm90) \
  ROW(pyc_cutlass_bf16_nn_sm90) \
  ROW(pyc_cutlass_bf16_nt_sm90)

#define PYC_DECLARE_CUTLASS_ROW(symbol) \
  extern "C" __attribute__((visibility("hidden"))) const pyc::runtime::CutlassKernel symbol;
PYC_CUTLASS_ROWS(PYC_DECLARE_CUTLASS_ROW)
#undef PYC_DECLARE_CUTLASS_ROW
