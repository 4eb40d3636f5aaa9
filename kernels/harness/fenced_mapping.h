// Device memory whose neighbours in the address space are not mapped.
#ifndef PYC_HARNESS_FENCED_MAPPING_H
#define PYC_HARNESS_FENCED_MAPPING_H

#include <cstdint>

#include "driver.h"

namespace pyc::harness {

class FencedMapping {
 public:
  // Maps at least `bytes`, rounded up to whole pages. Throws Fatal where the driver refuses.
  FencedMapping(int64_t bytes, const Driver &driver);
  ~FencedMapping();
  FencedMapping(const FencedMapping &) = delete;
  FencedMapping &operator=(const FencedMapping &) = delete;

  void *data() const { return reinterpret_cast<void *>(reserved_ + page_); }
  int64_t bytes() const { return static_cast<int64_t>(mapped_); }

 private:
  void map(const CUmemAllocationProp &properties);

  Driver driver_;
  size_t page_ = 0, mapped_ = 0;  // bytes
  CUdeviceptr reserved_ = 0;      // one page before, the mapping, one page behind
  CUmemGenericAllocationHandle memory_ = 0;
};

}  // namespace pyc::harness

#endif
