#include "vendor_library.h"

namespace pyc::harness {

VendorLibrary::VendorLibrary(const std::vector<std::string> &folders, const std::vector<std::string> &names) {
  std::vector<std::string> paths;
  for (const std::string &folder : folders) {
    for (const std::string &name : names) paths.push_back(folder + "/" + name);
  }
  paths.insert(paths.end(), names.begin(), names.end());
  for (const std::string &path : paths) {
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    path_ = path;
    if (handle_) return;
  }
  throw std::runtime_error("no " + names.front() + " or older in the given folders or the loader's path");
}

}  // namespace pyc::harness
