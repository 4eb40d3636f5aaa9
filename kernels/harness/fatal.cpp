#include "fatal.h"

#include <cstring>

namespace pyc::harness {

void check_cuda(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess) return;
  const char *slash = std::strrchr(file, '/');
  const std::string name = cudaGetErrorName(error), text = cudaGetErrorString(error);
  throw Fatal{kExitCudaError, "cuda_error", name + ": " + text, call, slash ? slash + 1 : file, line, name};
}

}  // namespace pyc::harness
