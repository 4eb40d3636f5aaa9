// Random words that are the same everywhere: the standard library's distributions may differ between implementations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyc::stats {

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  // In [0, count), count < 2^32; the bias of the multiplication is below count / 2^32.
  std::size_t below(std::size_t count) { return (next() >> 32) * count >> 32; }

 private:
  std::uint64_t state_;
};

}  // namespace pyc::stats
