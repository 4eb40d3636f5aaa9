// A library of the vendor, opened at run time, so that the harness links none and runs where there is none.
#ifndef PYC_HARNESS_VENDOR_LIBRARY_H
#define PYC_HARNESS_VENDOR_LIBRARY_H

#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace pyc::harness {

class VendorLibrary {
 public:
  // Tries each folder with each name, newest name first, then the loader's own path. Throws std::runtime_error.
  VendorLibrary(const std::vector<std::string> &folders, const std::vector<std::string> &names);

  // Sets `function` to the symbol's address; throws std::runtime_error if there is none.
  template <class Function>
  void look_up(const char *symbol, Function *function) const {
    *function = reinterpret_cast<Function>(dlsym(handle_, symbol));
    if (!*function) throw std::runtime_error(path_ + " lacks " + symbol);
  }

 private:
  void *handle_ = nullptr;  // never closed: its kernels stay loaded
  std::string path_;
};

}  // namespace pyc::harness

#endif
