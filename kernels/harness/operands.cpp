#include "operands.h"

#include <algorithm>
#include <cmath>

#include "fatal.h"

namespace pyc::harness {
namespace {

constexpr int64_t kAlignment = 256;  // bytes; of packed operands and of the workspace

int64_t round_up(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

int64_t packed_ld(int64_t columns, const Requires &requires_) { return round_up(columns, requires_.ld_multiple); }

int64_t padded_ld(int64_t columns, const Requires &requires_) {
  const int64_t multiples = (columns + 3 + requires_.ld_multiple - 1) / requires_.ld_multiple;
  return (multiples | 1) * requires_.ld_multiple;
}

// Elements that bring a pointer from 256-byte alignment to just the alignment asked for.
int64_t offset_elements(DType dtype, const Requires &requires_) {
  const int64_t bytes = round_up(std::max(requires_.pointer_alignment, element_bytes(dtype)), element_bytes(dtype));
  return bytes / element_bytes(dtype);
}

// Elements of poison on either side: 256 rows, from 64 KiB to 4 MiB, in whole units of 256 bytes.
int64_t guard_elements(int64_t ld, DType dtype) {
  const int64_t bytes = std::clamp<int64_t>(256 * ld * element_bytes(dtype), 64 << 10, 4 << 20);
  return round_up(bytes, kAlignment) / element_bytes(dtype);
}

int64_t capacity_elements(const Placement &place, DType dtype, const Requires &requires_) {
  const int64_t ld = padded_ld(place.columns, requires_);
  return round_up(2 * guard_elements(ld, dtype) + offset_elements(dtype, requires_) + place.rows * ld, 256);
}

Operand make_operand(int64_t rows, int64_t columns, bool transposed, DType dtype, const Requires &requires_) {
  Operand operand;
  operand.place.rows = transposed ? columns : rows;
  operand.place.columns = transposed ? rows : columns;
  operand.place.transposed = transposed;
  operand.place.capacity = capacity_elements(operand.place, dtype, requires_);
  operand.pattern.dtype = dtype;
  return operand;
}

void require_memory(const Shape &shape, int64_t bytes) {
  size_t free_bytes = 0, total_bytes = 0;
  PYC_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (bytes <= static_cast<int64_t>(free_bytes)) return;
  throw Fatal{kExitCudaError,
              "out_of_memory",
              "shape " + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k) +
                  " needs " + std::to_string(bytes) + " bytes of device memory, " + std::to_string(free_bytes) +
                  " are free",
              "",
              "",
              0,
              ""};
}

}  // namespace

Operands::Operands(const Shape &shape, DType dtype, Layout layout, const Requires &requires_, int64_t extra_bytes,
                   const Driver *fence)
    : shape_(shape),
      requires_(requires_),
      a_(make_operand(shape.m, shape.k, layout.a_transposed, dtype, requires_)),
      b_(make_operand(shape.k, shape.n, layout.b_transposed, dtype, requires_)),
      c_(make_operand(shape.m, shape.n, false, dtype, requires_)),
      fence_(fence) {
  const int64_t elements = a_.place.capacity + b_.place.capacity + c_.place.capacity;
  require_memory(shape, elements * element_bytes(dtype) + extra_bytes);
  for (Operand *operand : {&a_, &b_, &c_}) {
    const int64_t bytes = operand->place.capacity * element_bytes(dtype);
    operand->memory = fence ? Buffer::fenced(bytes, *fence) : Buffer(bytes);
    operand->place.capacity = operand->memory.bytes() / element_bytes(dtype);
  }
  place(Storage::packed);
}

void Operands::place(Storage storage, const Offsets &offsets) {
  storage_ = storage;
  const DType dtype = c_.pattern.dtype;
  const int64_t unit = offset_elements(dtype, requires_);
  const auto put = [&](Placement &place, int64_t offset_bytes) {
    const int64_t padded = padded_ld(place.columns, requires_);
    place.ld = storage == Storage::padded ? padded : packed_ld(place.columns, requires_);
    const int64_t span = (place.rows - 1) * place.ld + place.columns;
    const int64_t guard = guard_elements(padded, dtype) + offset_bytes / element_bytes(dtype);
    place.offset = storage == Storage::at_end     ? (place.capacity - span) / unit * unit
                   : storage == Storage::at_begin ? 0
                                                  : guard;
  };
  put(a_.place, offsets.a);
  put(b_.place, offsets.b);
  put(c_.place, offsets.c);
}

// Uniform in [-s, s] has variance s^2/3. A and B carry k^-1/4 each, so that a sum of k products has variance 1.
void Operands::reseed(uint64_t seed) {
  const float unit = std::sqrt(3.0f);
  const float scaled = static_cast<float>(std::sqrt(3.0) * std::pow(static_cast<double>(shape_.k), -0.25));
  for (Operand *operand : {&a_, &b_, &c_}) operand->pattern.values = Values::random, operand->pattern.specials = {};
  a_.pattern.seed = derive_seed(seed, 0), a_.pattern.amplitude = scaled;
  b_.pattern.seed = derive_seed(seed, 1), b_.pattern.amplitude = scaled;
  c_.pattern.seed = derive_seed(seed, 2), c_.pattern.amplitude = unit;
}

void Operands::reseed_whole(uint64_t seed) {
  const WholeNumbers whole = whole_numbers(c_.pattern.dtype, shape_.k);
  const auto set = [&](Pattern &pattern, Values values, uint64_t use) {
    pattern.seed = derive_seed(seed, use), pattern.values = values;
    pattern.whole = whole, pattern.specials = {};
  };
  set(a_.pattern, Values::whole_a, 3);
  set(b_.pattern, Values::whole_b, 4);
  set(c_.pattern, Values::whole_c, 5);
}

// An ordinary line is left in every matrix of at least two.
void Operands::put_specials(Special special) {
  const auto line = [](int64_t wanted, int64_t lines) { return wanted + 1 < lines ? wanted : int64_t{-1}; };
  const auto set = [&](Pattern &pattern, int64_t lines) {
    Specials &specials = pattern.specials;
    specials = {};
    specials.nan_at = shape_.k / 3, specials.infinity_at = shape_.k * 2 / 3;
    if (special == Special::subnormal) {
      specials.subnormal = lines - 1;
      return;
    }
    specials.nan = line(0, lines), specials.infinity = line(1, lines), specials.zero = line(2, lines);
  };
  set(a_.pattern, shape_.m);
  set(b_.pattern, shape_.n);
  c_.pattern.specials = {};
  if (special == Special::subnormal) return;
  c_.pattern.specials.nan = line(3, shape_.m), c_.pattern.specials.infinity = line(4, shape_.m);
}

void Operands::fill_inputs(cudaStream_t stream) const {
  fill(a_.memory.data(), a_.place, a_.pattern, around_, stream);
  fill(b_.memory.data(), b_.place, b_.pattern, around_, stream);
}

void Operands::fill_c(cudaStream_t stream) const { fill(c_.memory.data(), c_.place, c_.pattern, around_, stream); }

void Operands::poison_c(cudaStream_t stream) const { fill_word(c_.memory.data(), c_.memory.bytes(), kPoison, stream); }

// The pointer keeps its 256-byte alignment, so that up to 255 bytes lie between the workspace and the end of a page.
void Operands::set_workspace(size_t bytes, cudaStream_t stream, uint32_t word) {
  constexpr int64_t kGuard = 64 << 10;
  const int64_t span = round_up(static_cast<int64_t>(bytes), kAlignment), all = span + 2 * kGuard;
  workspace_bytes_ = bytes, workspace_word_ = word;
  if (bytes == 0) return;
  if (workspace_.bytes() < all) workspace_ = fence_ ? Buffer::fenced(all, *fence_) : Buffer(all);
  workspace_offset_ = storage_ == Storage::at_end     ? workspace_.bytes() - span
                      : storage_ == Storage::at_begin ? 0
                                                      : kGuard;
  fill_word(workspace_.data(), workspace_.bytes(), word, stream);
}

Placement Operands::workspace_place() const {
  Placement place{};
  place.capacity = workspace_.bytes() / 2;
  place.offset = workspace_offset_ / 2;
  place.rows = 1;
  place.columns = place.ld = (static_cast<int64_t>(workspace_bytes_) + 1) / 2;
  return place;
}

pyc_gemm_args Operands::args(float alpha, float beta) const {
  pyc_gemm_args args{};
  args.struct_size = sizeof args;
  args.m = shape_.m, args.n = shape_.n, args.k = shape_.k;
  args.a = a_.data(), args.lda = a_.place.ld;
  args.b = b_.data(), args.ldb = b_.place.ld;
  args.c = c_.data(), args.ldc = c_.place.ld;
  args.alpha = alpha, args.beta = beta;
  if (workspace_bytes_) args.workspace = static_cast<char *>(workspace_.data()) + workspace_offset_;
  args.workspace_bytes = workspace_bytes_;
  return args;
}

std::string describe_place(const Placement &place, int64_t index) {
  const int64_t relative = index - place.offset, end = (place.rows - 1) * place.ld + place.columns;
  if (relative < 0) return std::to_string(-relative) + " elements before the first";
  if (relative >= end) return std::to_string(relative - end + 1) + " elements behind the last";
  const std::string where =
      "stored row " + std::to_string(relative / place.ld) + ", column " + std::to_string(relative % place.ld);
  return relative % place.ld >= place.columns ? where + " (padding)" : where;
}

}  // namespace pyc::harness
