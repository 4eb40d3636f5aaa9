#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pyc/gemm.h"

int memory_allocate(int device, size_t bytes, void **memory) {
  *memory = device == PYC_DEVICE_HOST ? malloc(bytes ? bytes : 1) : NULL;
  if (*memory == NULL) fprintf(stderr, "error: cannot allocate %zu bytes\n", bytes);
  return *memory == NULL;
}

int memory_upload(int device, void *to, const void *from, size_t bytes) {
  (void)device;
  memcpy(to, from, bytes);
  return 0;
}

int memory_download(int device, void *to, const void *from, size_t bytes) {
  return memory_upload(device, to, from, bytes);
}

void memory_free(int device, void *memory) {
  (void)device;
  free(memory);
}
