// What the tool asks for: one document, read strictly. Unknown keys, wrong types and values out of range are refused
// with the key and what was expected.
#ifndef PYC_HARNESS_REQUEST_H
#define PYC_HARNESS_REQUEST_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bad_request.h"
#include "element.h"
#include "tally.h"

namespace pyc::harness {

enum class Mode { validate, bench };

// How much a validation tries: everything, or what fits in a few seconds.
enum class Depth { quick, thorough };

struct Layout {
  bool a_transposed = false, b_transposed = false;
};

struct Shape {
  int64_t m = 0, n = 0, k = 0;
  bool timed = true;
  bool large = false;  // only the checks for operands of more than 2^31 elements
};

// The predicate of kernel.json. pointer_alignment in bytes, the rest in elements.
struct Requires {
  int64_t m_multiple = 1, n_multiple = 1, k_multiple = 1, pointer_alignment = 1, ld_multiple = 1;
};

// Empty if the kernel serves the sizes, else the multiple that they break.
std::string unmet(const Requires &requires_, const Shape &shape);

struct ContenderRequest {
  std::string role, name, digest, library, symbol;
  bool workspace = false;
  Requires requires_;
};

struct Request {
  Mode mode = Mode::validate;
  std::string nonce;
  DType dtype = DType::fp32;
  Layout layout;
  std::string compute_capability;
  uint64_t seed = 0;
  std::vector<Shape> shapes;
  Rule tolerance{};
  Requires requires_;
  bool workspace = false;
  Depth depth = Depth::thorough;
  bool deterministic = false;  // results with other bits at a repeat are failures
  int64_t warmup = 10, repeats = 50;
  std::vector<ContenderRequest> contenders;
  std::vector<std::string> vendor_library_dirs;
  int64_t vendor_algorithms = 8;
};

// All throw BadRequest.
Request parse_request(std::string_view text);
DType parse_dtype(const std::string &name);
Layout parse_layout(const std::string &letters);
Shape parse_shape(const std::string &text);  // "MxNxK"

}  // namespace pyc::harness

#endif
