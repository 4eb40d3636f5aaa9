// How the harness gives up: one exception that becomes the `fatal` event and the exit code, and the check that stands
// around every CUDA call.
#ifndef PYC_HARNESS_FATAL_H
#define PYC_HARNESS_FATAL_H

#include <cuda_runtime_api.h>
#include <string>

#include "exit_codes.h"

namespace pyc::harness {

struct Fatal {
  int exit_code;
  std::string kind;     // `kind` of the fatal event
  std::string message;  // one sentence for a person
  std::string call;     // empty unless a CUDA call failed
  std::string file;
  int line = 0;
  std::string error;
};

// Throws Fatal unless the call succeeded.
void check_cuda(cudaError_t error, const char *call, const char *file, int line);

#define PYC_CUDA(call) ::pyc::harness::check_cuda((call), #call, __FILE__, __LINE__)

// The launch just made, checked.
#define PYC_CUDA_LAUNCHED() ::pyc::harness::check_cuda(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

}  // namespace pyc::harness

#endif
