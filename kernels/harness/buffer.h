// Memory that frees itself: on the device, and on the host where the device can read and write it.
#ifndef PYC_HARNESS_BUFFER_H
#define PYC_HARNESS_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver.h"

namespace pyc::harness {

// Device memory. Throws Fatal out_of_memory, with the bytes asked for and free, where there is not enough.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t bytes);
  ~Buffer();
  Buffer(Buffer &&other) noexcept { *this = std::move(other); }
  Buffer &operator=(Buffer &&other) noexcept;

  // At least `bytes`, rounded up to whole pages of the device, with an unmapped page on either side: the first access
  // beyond either end ends the program. driver.can_map() must hold.
  static Buffer fenced(int64_t bytes, const Driver &driver);

  void *data() const { return data_; }
  int64_t bytes() const { return bytes_; }

 private:
  void *data_ = nullptr;
  int64_t bytes_ = 0;
  std::shared_ptr<void> mapping_;  // owns the memory of a fenced buffer
};

// Zeroed page-locked host memory, mapped into the device's address space.
class MappedBuffer {
 public:
  explicit MappedBuffer(size_t bytes);
  ~MappedBuffer();
  MappedBuffer(const MappedBuffer &) = delete;
  MappedBuffer &operator=(const MappedBuffer &) = delete;

  void *host() const { return host_; }
  void *device() const { return device_; }

 private:
  void *host_ = nullptr, *device_ = nullptr;
};

}  // namespace pyc::harness

#endif
