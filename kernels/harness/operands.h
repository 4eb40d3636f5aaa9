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
// dimension that is an odd multiple of ld_multiple beyond the row. at_end, at_begin: packed, with the last or the first
// element at the end of the allocation.
enum class Storage { packed, padded, at_end, at_begin };

// Bytes by which packed operands are moved from 256-byte alignment; multiples of the element's size, at most 256.
struct Offsets {
  int64_t a = 0, b = 0, c = 0;
};

// nan_inf: one NaN and one infinity in each of A, B and C, and a line of -0 in A and B. subnormal: a line of subnormal
// numbers in A and B. They are apart because the product of an infinity and a flushed number is another NaN.
enum class Special { nan_inf, subnormal };

// One operand in its allocation.
struct Operand {
  Buffer memory;
  Placement place{};
  Pattern pattern{};

  void *data() const { return static_cast<char *>(memory.data()) + place.offset * element_bytes(pattern.dtype); }
};

class Operands {
 public:
  // With a `fence`, which must outlive this, the allocations are fenced buffers. Throws Fatal out_of_memory, naming all
  // the bytes of the shape, where they do not fit beside `extra_bytes`.
  Operands(const Shape &shape, DType dtype, Layout layout, const Requires &requires_, int64_t extra_bytes,
           const Driver *fence = nullptr);

  void place(Storage storage, const Offsets &offsets = {});

  // New values for A, B and C: each is a function of `seed` and its place in the matrix.
  void reseed(uint64_t seed);

  // Whole numbers for A, B and C, likewise. k <= kLargestExactK.
  void reseed_whole(uint64_t seed);

  // After reseed_whole(): lines of special values, as far as the shape has lines for them beside ordinary ones.
  void put_specials(Special special);

  // The word around the matrices from the next fill on; kPoison at first.
  void surround_with(uint32_t word) { around_ = word; }
  uint32_t around() const { return around_; }

  // Enqueue: A and B with their patterns; C with its pattern, or with poison everywhere.
  void fill_inputs(cudaStream_t stream) const;
  void fill_c(cudaStream_t stream) const;
  void poison_c(cudaStream_t stream) const;

  // Sets the workspace that args() hands out, between guards and full of one word; with a fence it lies where the
  // operands lie, at the end or at the begin of its pages. bytes 0: none.
  void set_workspace(size_t bytes, cudaStream_t stream, uint32_t word = kPoison);

  pyc_gemm_args args(float alpha, float beta) const;

  const Shape &shape() const { return shape_; }
  const Operand &a() const { return a_; }
  const Operand &b() const { return b_; }
  const Operand &c() const { return c_; }
  Placement workspace_place() const;
  const Buffer &workspace() const { return workspace_; }
  size_t workspace_bytes() const { return workspace_bytes_; }
  uint32_t workspace_word() const { return workspace_word_; }

 private:
  Shape shape_;
  Requires requires_;
  Operand a_, b_, c_;
  const Driver *fence_;  // null: ordinary allocations
  Storage storage_ = Storage::packed;
  Buffer workspace_;
  size_t workspace_bytes_ = 0;
  int64_t workspace_offset_ = 0;  // bytes from the begin of the allocation
  uint32_t around_ = kPoison, workspace_word_ = kPoison;
};

// The element of an allocation in words for a person: "row 3, column 7" of the matrix, or how far before or behind it.
std::string describe_place(const Placement &place, int64_t index);

}  // namespace pyc::harness

#endif
