// A harness whose kernel comes out of a shared object: one executable for the many kernels of a search.
//
//     BINARY --library FILE --symbol SYMBOL [words of any harness]
//
// SYMBOL_workspace is looked up too; a kernel without one has no workspace. It is not part of the engine's archive.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

#include "exit_codes.h"
#include "harness.h"

namespace {

int refuse(const char *why) {
  std::fprintf(stderr, "loaded_kernel: %s\n", why);
  return pyc::harness::kExitBadRequest;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 5 || std::strcmp(argv[1], "--library") != 0 || std::strcmp(argv[3], "--symbol") != 0) {
    return refuse("the first words must be --library FILE --symbol SYMBOL");
  }
  const std::string symbol = argv[4];
  void *const library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (!library) return refuse(dlerror());
  void *const kernel = dlsym(library, symbol.c_str());
  if (!kernel) return refuse(("the library lacks the symbol " + symbol).c_str());
  void *const workspace = dlsym(library, (symbol + "_workspace").c_str());
  std::vector<char *> words = {argv[0]};
  words.insert(words.end(), argv + 5, argv + argc);
  words.push_back(nullptr);
  return pyc::harness::run(static_cast<int>(words.size()) - 1, words.data(),
                           {symbol.c_str(), reinterpret_cast<pyc_gemm_kernel>(kernel),
                            reinterpret_cast<pyc_gemm_workspace_query>(workspace)});
}
