#include "fenced_mapping.h"

#include <string>

#include "fatal.h"

namespace pyc::harness {
namespace {

void check_driver(CUresult result, const char *call, int line) {
  if (result == CUDA_SUCCESS) return;
  const bool memory = result == CUDA_ERROR_OUT_OF_MEMORY;
  throw Fatal{kExitCudaError,
              memory ? "out_of_memory" : "cuda_error",
              "pages of device memory cannot be mapped",
              call,
              "fenced_mapping.cpp",
              line,
              "CUresult " + std::to_string(static_cast<int>(result))};
}

#define PYC_DRIVER(call) check_driver((call), #call, __LINE__)

}  // namespace

FencedMapping::FencedMapping(int64_t bytes, const Driver &driver) : driver_(driver) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  PYC_CUDA(cudaGetDevice(&properties.location.id));
  PYC_DRIVER(driver_.allocation_granularity(&page_, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  mapped_ = (static_cast<size_t>(bytes > 0 ? bytes : 1) + page_ - 1) / page_ * page_;
  PYC_DRIVER(driver_.address_reserve(&reserved_, mapped_ + 2 * page_, 0, 0, 0));
  try {
    map(properties);
  } catch (...) {
    (void)driver_.address_free(reserved_, mapped_ + 2 * page_);
    throw;
  }
}

void FencedMapping::map(const CUmemAllocationProp &properties) {
  PYC_DRIVER(driver_.memory_create(&memory_, mapped_, &properties, 0));
  PYC_DRIVER(driver_.memory_map(reserved_ + page_, mapped_, 0, memory_, 0));
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  PYC_DRIVER(driver_.memory_set_access(reserved_ + page_, mapped_, &access, 1));
}

FencedMapping::~FencedMapping() {
  (void)driver_.memory_unmap(reserved_ + page_, mapped_);
  (void)driver_.memory_release(memory_);
  (void)driver_.address_free(reserved_, mapped_ + 2 * page_);
}

}  // namespace pyc::harness
