// Elements in the memory of a device, or of the host. The C example's memory.h knows how.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

extern "C" {
#include "memory.h"
}

namespace pyc_example {

template <class T>
class Buffer {
 public:
  Buffer(int device, std::span<const T> values) : memory_(nullptr, Free{device}), count_(values.size()) {
    void *memory = nullptr;
    require(memory_allocate(device, values.size_bytes(), &memory));
    memory_.reset(memory);
    require(memory_upload(device, memory, values.data(), values.size_bytes()));
  }

  void *get() const { return memory_.get(); }

  // The elements after all work that was enqueued before.
  std::vector<T> download() const {
    std::vector<T> values(count_);
    require(memory_download(memory_.get_deleter().device, values.data(), get(), count_ * sizeof(T)));
    return values;
  }

 private:
  struct Free {
    int device;
    void operator()(void *memory) const { memory_free(device, memory); }
  };

  static void require(int failed) {
    if (failed) throw std::runtime_error("memory of the device could not be used, see above");
  }

  std::unique_ptr<void, Free> memory_;
  size_t count_;
};

}  // namespace pyc_example
