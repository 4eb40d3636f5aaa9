#include "workspace/families.h"

#include <array>
#include <iterator>

namespace pyc::workspace {

namespace {

using evidence::Shape;

constexpr pyc_shape_family kFamilies[] = {PYC_FAMILY_SMALL, PYC_FAMILY_SQUARE, PYC_FAMILY_LARGE_SQUARE,
                                          PYC_FAMILY_TALL_SKINNY, PYC_FAMILY_WIDE_SKINNY};

const Shape kSmall[] = {{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {128, 256, 512}};
const Shape kSquare[] = {{1024, 1024, 1024}, {512, 4096, 4096}, {1024, 1536, 7168}, {700, 1024, 512}};
const Shape kLargeSquare[] = {{2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}, {4096, 4096, 14336}};
const Shape kWideSkinny[] = {{1, 4096, 4096},   {16, 4096, 4096},  {64, 4096, 4096},
                             {128, 4096, 4096}, {16, 28672, 4096}, {128, 8192, 4096}};
const Shape kTallSkinny[] = {{8192, 128, 4096}, {16384, 64, 4096}, {4096, 16, 4096}, {8457, 35, 2048}};

struct Dtype {
  const char *name;
  std::size_t bytes;
  evidence::Tolerance tolerance;
};
const Dtype kDtypes[] = {{"fp32", 4, {1e-4, 1e-4}}, {"fp16", 2, {5e-2, 5e-2}}, {"bf16", 2, {8e-2, 8e-2}}};
constexpr const char *kLayouts[] = {"nn", "nt", "tn", "tt"};

const Dtype *find_dtype(std::string_view name) {
  for (const Dtype &dtype : kDtypes) {
    if (name == dtype.name) return &dtype;
  }
  return nullptr;
}

pyc_shape_family family_of(const Shape &shape) { return pyc_gemm_shape_family(shape.m, shape.n, shape.k); }

std::int64_t odd_neighbour(std::int64_t size, int direction) { return size % 2 == 0 ? size + direction : size; }

// Directions in which m, n and k leave an even size, in the order in which they are tried.
constexpr std::array<std::array<int, 3>, 8> kDirections = {
    {{+1, +1, -1}, {-1, -1, -1}, {+1, -1, -1}, {-1, +1, -1}, {+1, +1, +1}, {-1, -1, +1}, {+1, -1, +1}, {-1, +1, +1}}};

}  // namespace

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const pyc_shape_family family : kFamilies) names.emplace_back(pyc_shape_family_name(family));
  return names;
}

std::optional<pyc_shape_family> family_of_name(std::string_view name) {
  for (const pyc_shape_family family : kFamilies) {
    if (name == pyc_shape_family_name(family)) return family;
  }
  return std::nullopt;
}

std::span<const Shape> default_shapes(pyc_shape_family family) {
  switch (family) {
    case PYC_FAMILY_SMALL: return kSmall;
    case PYC_FAMILY_SQUARE: return kSquare;
    case PYC_FAMILY_LARGE_SQUARE: return kLargeSquare;
    case PYC_FAMILY_TALL_SKINNY: return kTallSkinny;
    case PYC_FAMILY_WIDE_SKINNY: return kWideSkinny;
  }
  return {};
}

// Some direction always stays in the family: every rule is a bound on sizes that an even size does not meet with
// equality in both directions at once.
Shape odd_twin(const Shape &shape) {
  for (const auto &[m, n, k] : kDirections) {
    const Shape twin = {odd_neighbour(shape.m, m), odd_neighbour(shape.n, n), odd_neighbour(shape.k, k)};
    if (family_of(twin) == family_of(shape)) return twin;
  }
  return shape;
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const Dtype &dtype : kDtypes) names.emplace_back(dtype.name);
  return names;
}

std::vector<std::string> layout_names() { return {std::begin(kLayouts), std::end(kLayouts)}; }

std::optional<evidence::Tolerance> default_tolerance(std::string_view dtype) {
  const Dtype *found = find_dtype(dtype);
  return found != nullptr ? std::optional(found->tolerance) : std::nullopt;
}

std::size_t element_bytes(std::string_view dtype) {
  const Dtype *found = find_dtype(dtype);
  return found != nullptr ? found->bytes : 0;
}

}  // namespace pyc::workspace
