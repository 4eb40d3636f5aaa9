// The struct_size of a caller's struct, against the versions that this library knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "compiler/runtime/errors.h"
#include "pyc/gemm.h"

namespace pyc::runtime {

// INVALID_VALUE naming the struct unless `given` is one of `known`, the sizes of its versions in their order.
inline pyc_status check_struct_size(const char *name, uint32_t given, std::initializer_list<size_t> known) {
  if (std::find(known.begin(), known.end(), size_t(given)) != known.end()) return PYC_STATUS_SUCCESS;
  const size_t newest = known.end()[-1];
  return fail(PYC_STATUS_INVALID_VALUE, "%s.struct_size is %u: %s, %zu bytes here", name, given,
              given > newest ? "of a later version than this library" : "not the size of any version", newest);
}

}  // namespace pyc::runtime
