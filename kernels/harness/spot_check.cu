// Data path: one warp per element. Its lanes compute the products along k from the patterns, 32 apart, and add them up
// with shuffles; the first lane compares. The eight tallies of a block meet in shared memory and leave for mapped host
// memory, so that reading them needs no copy behind the held stream.
#include "fatal.h"
#include "spot_check.h"

namespace pyc::harness {
namespace {

constexpr int kWarp = 32, kWarps = 8, kBlocks = kSpots / kWarps;

struct Look {
  const void *c;
  int64_t m, n, k, ldc;
  Pattern a, b;
  DType dtype;
  Rule rule;
  uint64_t seed;
};

__device__ double dot(const Look &look, int64_t row, int64_t column) {
  double sum = 0;
  for (int64_t l = threadIdx.x % kWarp; l < look.k; l += kWarp) {
    sum = fma(double{random_value(look.a, row, l)}, double{random_value(look.b, l, column)}, sum);
  }
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  return sum;
}

__global__ void __launch_bounds__(kWarp *kWarps) spot_kernel(Look look, Tally *tallies) {
  __shared__ Tally seen[kWarps];
  const int warp = threadIdx.x / kWarp, spot = blockIdx.x * kWarps + warp;
  const uint64_t place = derive_seed(look.seed, static_cast<uint64_t>(spot));
  const int64_t index = static_cast<int64_t>(place % static_cast<uint64_t>(look.m * look.n));
  const int64_t row = index / look.n, column = index - row * look.n;
  const double expected = dot(look, row, column);
  if (threadIdx.x % kWarp == 0) {
    seen[warp] = Tally{};
    count_element(seen[warp], look.rule, index, expected, load_element(look.dtype, look.c, row * look.ldc + column));
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < kWarps; ++i) merge(seen[0], seen[i]);
  tallies[blockIdx.x] = seen[0];
}

}  // namespace

SpotCheck::SpotCheck(uint64_t secret) : secret_(secret), tallies_(kBlocks * sizeof(Tally)) {}

void SpotCheck::enqueue(const Operands &operands, const Rule &rule, uint64_t call, cudaStream_t stream) {
  const Shape &shape = operands.shape();
  const Operand &c = operands.c();
  const Look look{c.data(),
                  shape.m,
                  shape.n,
                  shape.k,
                  c.place.ld,
                  operands.a().pattern,
                  operands.b().pattern,
                  c.pattern.dtype,
                  rule,
                  derive_seed(secret_, call)};
  spot_kernel<<<kBlocks, kWarp * kWarps, 0, stream>>>(look, static_cast<Tally *>(tallies_.device()));
  PYC_CUDA_LAUNCHED();
}

Tally SpotCheck::tally() const {
  const auto *const tallies = static_cast<const Tally *>(tallies_.host());
  Tally total;
  for (int block = 0; block < kBlocks; ++block) merge(total, tallies[block]);
  return total;
}

uint64_t secret_of(const std::string &nonce) {
  uint64_t secret = 0;
  for (const char letter : nonce) secret = derive_seed(secret, static_cast<unsigned char>(letter));
  return secret;
}

}  // namespace pyc::harness
