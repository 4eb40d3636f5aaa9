// A shared library opened at run time, so that this one starts on machines that lack it.
#pragma once

#include <initializer_list>
#include <string>

namespace pyc::runtime {

class DynamicLibrary {
 public:
  // Opens the first of `names` that the process has loaded already, else the first that the loader finds, by name and
  // then in /usr/local/cuda. With a `folder`, only what is there. Never closed: such libraries keep threads and exit
  // handlers. An error names all that was tried, and what the loader said of a file that it found.
  void open(std::initializer_list<const char *> names, const std::string &folder = {});

  bool is_open() const { return handle_ != nullptr; }
  const std::string &name() const { return name_; }    // what was opened
  const std::string &error() const { return error_; }  // why it is unusable, see open(), resolve() and reject()

  // Sets *function to the symbol; a missing one closes the object (is_open() is false from then on).
  template <typename Function>
  void resolve(const char *symbol, Function *function) {
    *function = reinterpret_cast<Function>(find(symbol));
  }

  // Closes the object: the library is there and cannot be used. error() is its name and `why`.
  void reject(const std::string &why);

 private:
  bool try_loaded(std::initializer_list<const char *> names);
  bool try_folder(const std::string &folder, std::initializer_list<const char *> names);
  bool try_open(const std::string &name, int flags);
  void *find(const char *symbol);

  void *handle_ = nullptr;
  std::string name_, error_;
  std::string cause_;  // what the loader said of a library that is there and cannot be loaded
};

}  // namespace pyc::runtime
