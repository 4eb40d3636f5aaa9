// Thrown when the request or the command line cannot be understood; what() names the field and what was expected.
#ifndef PYC_HARNESS_BAD_REQUEST_H
#define PYC_HARNESS_BAD_REQUEST_H

#include <stdexcept>

namespace pyc::harness {

struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pyc::harness

#endif
