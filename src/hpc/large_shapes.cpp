#include "hpc/large_shapes.h"

#include "workspace/families.h"

namespace pyc::hpc {

std::vector<evidence::Shape> large_shapes(pyc_shape_family family) {
  switch (family) {
    case PYC_FAMILY_SMALL: return {};
    case PYC_FAMILY_SQUARE: return {{4096, 1008, 524800}, {1008, 4096, 524800}, {46592, 46592, 64}};
    case PYC_FAMILY_LARGE_SQUARE: return {{1049088, 512, 2048}, {512, 1049088, 2048}, {46592, 46592, 256}};
    case PYC_FAMILY_TALL_SKINNY: return {{2100224, 64, 1024}, {8389120, 256, 32}};
    case PYC_FAMILY_WIDE_SKINNY: return {{64, 2100224, 1024}, {256, 8389120, 32}};
  }
  return {};
}

std::int64_t large_shape_bytes(const evidence::Shape &shape, const std::string &dtype) {
  constexpr std::int64_t kReferenceBytes = 8 + 4;
  const std::int64_t elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
  return elements * static_cast<std::int64_t>(workspace::element_bytes(dtype)) + shape.m * shape.n * kReferenceBytes;
}

}  // namespace pyc::hpc
