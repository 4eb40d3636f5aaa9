/* Where the matrices live. memory_cuda.c knows the GPU, memory_host.c does not; PyC itself takes any pointer. */
#ifndef PYC_EXAMPLE_MEMORY_H
#define PYC_EXAMPLE_MEMORY_H

#include <stddef.h>

/* `device` is a CUDA ordinal, or PYC_DEVICE_HOST. Each returns 0, or prints what failed and returns 1. */
int memory_allocate(int device, size_t bytes, void **memory);
int memory_upload(int device, void *to, const void *from, size_t bytes);
int memory_download(int device, void *to, const void *from, size_t bytes); /* waits for the work before it */
void memory_free(int device, void *memory);

#endif
