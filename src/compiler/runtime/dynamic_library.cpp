#include "compiler/runtime/dynamic_library.h"

#include <dlfcn.h>
#include <string_view>
#include <unistd.h>

namespace pyc::runtime {
namespace {

// That the library is not there is what the names tried say already; that a library which it needs is not there is
// news.
bool is_absence(const std::string &name, std::string_view why) {
  return why.starts_with(name + ":") && why.find("No such file or directory") != std::string_view::npos;
}

}  // namespace

void DynamicLibrary::open(std::initializer_list<const char *> names, const std::string &folder) {
  if (folder.empty()) {
    if (try_loaded(names)) return;
    for (const char *usual : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) {
      if (try_folder(usual, names)) return;
    }
  } else if (try_folder(folder + "/", names)) {
    return;
  }
  error_ = "cannot open any of";
  for (const char *name : names) error_ += std::string(" ") + name;
  if (!folder.empty()) error_ += " in " + folder;
  if (!cause_.empty()) error_ += ": " + cause_;
}

bool DynamicLibrary::try_loaded(std::initializer_list<const char *> names) {
  for (const char *name : names) {
    if (try_open(name, RTLD_NOLOAD)) return true;
  }
  return false;
}

bool DynamicLibrary::try_folder(const std::string &folder, std::initializer_list<const char *> names) {
  for (const char *name : names) {
    if (try_open(folder + name, 0)) return true;
  }
  return false;
}

bool DynamicLibrary::try_open(const std::string &name, int flags) {
  handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
  if (handle_ != nullptr) {
    name_ = name;
    return true;
  }
  const char *why = dlerror();
  if (why == nullptr) return false;  // RTLD_NOLOAD: it is not loaded, which says nothing of the file
  if (!is_absence(name, why)) {
    cause_ = why;
  } else if (name.find('/') != std::string::npos && access(name.c_str(), F_OK) == 0) {
    cause_ = name + " is for another architecture";  // the loader passes over such a file, as if there were none
  }
  return false;
}

void *DynamicLibrary::find(const char *symbol) {
  if (handle_ == nullptr) return nullptr;
  void *const address = dlsym(handle_, symbol);
  if (address == nullptr) reject(std::string("has no ") + symbol);
  return address;
}

void DynamicLibrary::reject(const std::string &why) {
  error_ = name_ + " " + why;
  handle_ = nullptr;
}

}  // namespace pyc::runtime
