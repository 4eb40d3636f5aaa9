// Operands made, and products checked, on the GPU itself: large shapes would take the host minutes. Every function acts
// on the default stream of the current device, and returns a cudaError_t.
#pragma once

#include <cstdint>

#include "pyc/gemm.h"

// Fills `count` elements with values between -1 and 1 that depend on the seed and the element's index alone.
int fill_uniform(int32_t dtype, void *memory, int64_t count, uint32_t seed);

// A product that was computed into C. Before, C's memory held fill_uniform(c_seed), or, for seed 0, bytes of 0xff.
struct Product {
  pyc_gemm_desc desc;
  float alpha, beta;
  const void *a, *b, *c;
  uint32_t c_seed;
};

struct Findings {
  uint64_t checked;            // elements compared with an fp64 sum
  uint64_t wrong;              // of these, further off than rounding explains
  uint64_t unwritten;          // elements of C that are NaN, among all
  uint64_t spilt;              // elements between the rows and matrices of C that changed, among all
  int64_t batch, row, column;  // of a wrong element
  double expected, got;
};

// Compares every element of a small product, and of a large one the last row, the last column and a random choice;
// looks for NaN and for changes outside the matrices in all of C. Waits for the device.
int check_product(const Product &product, Findings *findings);
