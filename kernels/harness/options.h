// The command line of a candidate's executable.
#ifndef PYC_HARNESS_OPTIONS_H
#define PYC_HARNESS_OPTIONS_H

#include <string>

#include "request.h"

namespace pyc::harness {

struct Options {
  std::string request;  // path; empty: run by hand
  int events_descriptor = -1;
  Shape shape{1024, 1024, 1024, true};
  DType dtype = DType::fp32;
  Layout layout;
  int64_t launches = 1;
};

// Throws BadRequest.
Options parse_options(int argc, const char *const *argv);

}  // namespace pyc::harness

#endif
