#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pyc/gemm.h"

static int failed(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return 0;
  fprintf(stderr, "error: %s: %s\n", call, cudaGetErrorString(error));
  return 1;
}

int memory_allocate(int device, size_t bytes, void **memory) {
  if (device == PYC_DEVICE_HOST) {
    *memory = malloc(bytes ? bytes : 1);
    if (*memory == NULL) fprintf(stderr, "error: cannot allocate %zu bytes\n", bytes);
    return *memory == NULL;
  }
  if (failed(cudaSetDevice(device), "cudaSetDevice")) return 1;
  return failed(cudaMalloc(memory, bytes ? bytes : 1), "cudaMalloc");
}

int memory_upload(int device, void *to, const void *from, size_t bytes) {
  if (device != PYC_DEVICE_HOST) return failed(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  memcpy(to, from, bytes);
  return 0;
}

int memory_download(int device, void *to, const void *from, size_t bytes) {
  if (device != PYC_DEVICE_HOST) return failed(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  memcpy(to, from, bytes);
  return 0;
}

void memory_free(int device, void *memory) {
  if (device == PYC_DEVICE_HOST) {
    free(memory);
  } else {
    failed(cudaFree(memory), "cudaFree");
  }
}
