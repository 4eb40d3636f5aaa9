// A look at the output of every timed call, behind it on its stream: random elements, computed again in fp64 from the
// patterns. Which elements they are follows from the run's nonce, which no kernel can know. One look costs microseconds
// outside the timed window; over the hundreds of calls of a shape no share of work that is worth leaving out stays
// unseen: 1024 places a call find one missing row of 4096 within 20 calls with a probability of 99 %.
#ifndef PYC_HARNESS_SPOT_CHECK_H
#define PYC_HARNESS_SPOT_CHECK_H

#include <cuda_runtime_api.h>

#include "buffer.h"
#include "operands.h"
#include "tally.h"

namespace pyc::harness {

constexpr int kSpots = 1024;  // elements looked at per call, drawn with replacement

class SpotCheck {
 public:
  // The places of all calls are functions of `secret`.
  explicit SpotCheck(uint64_t secret);

  // Enqueues the look at C = A*B (alpha 1, beta 0) of call number `call`. It may be called while the stream is held.
  void enqueue(const Operands &operands, const Rule &rule, uint64_t call, cudaStream_t stream);

  // What the last enqueue() saw; its stream must have been synchronised.
  Tally tally() const;

 private:
  uint64_t secret_;
  MappedBuffer tallies_;
};

// A secret from a nonce's text.
uint64_t secret_of(const std::string &nonce);

}  // namespace pyc::harness

#endif
