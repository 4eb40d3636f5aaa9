// A, B, C and the workspace of one shape: allocated once, large enough for every variant, each between guards.
#ifndef PYC_HARNESS_OPERANDS_H
#define PYC_HARNESS_OPERANDS_H

#include <cuda_runtime_api.h>
#include <string>

#include "buffer.h"
#include "fill.h"
#include "pyc/kernel.h"
#include "request.h"

namespace pyc::harness {

// packed: the least leading dimension that `requires` allows, and pointers aligned to 256 bytes. padded: a leading
// dimension that is an odd multiple of ld_multiple beyond the row, and pointers with no more than the alignment asked
// for.
enum class Storage { packed, padded };

// One operand in its allocation.
struct Operand {
  Buffer memory;
  Placement place{};
  Pattern pattern{};

  void *data() const { return static_cast<char *>(memory.data()) + place.offset * element_bytes(pattern.dtype); }
};

class Operands {
 public:
  // Throws Fatal out_of_memory, naming all the bytes of the shape, where they do not fit beside `extra_bytes`.
  Operands(const Shape &shape, DType dtype, Layout layout, const Requires &requires_, int64_t extra_bytes);

  void place(Storage storage);

  // New values for A, B and C: each is a function of `seed` and its place in the matrix.
  void reseed(uint64_t seed);

  // Enqueue: A and B with their patterns; C with its pattern, or with poison everywhere.
  void fill_inputs(cudaStream_t stream) const;
  void fill_c(cudaStream_t stream) const;
  void poison_c(cudaStream_t stream) const;

  // Sets the workspace that args() hands out, between guards and full of poison. bytes 0: none.
  void set_workspace(size_t bytes, cudaStream_t stream);

  pyc_gemm_args args(float alpha, float beta) const;

  // Bytes that one call must read and write at least.
  const Shape &shape() const { return shape_; }
  const Operand &a() const { return a_; }
  const Operand &b() const { return b_; }
  const Operand &c() const { return c_; }
  Placement workspace_place() const;
  const Buffer &workspace() const { return workspace_; }
  size_t workspace_bytes() const { return workspace_bytes_; }

 private:
  Shape shape_;
  Requires requires_;
  Operand a_, b_, c_;
  Buffer workspace_;
  size_t workspace_bytes_ = 0;
};

// The element of an allocation in words for a person: "row 3, column 7" of the matrix, or how far before or behind it.
std::string describe_place(const Placement &place, int64_t index);

}  // namespace pyc::harness

#endif
