// The edge of the library: no exception leaves it.
#pragma once

#include <exception>
#include <new>

#include "compiler/runtime/errors.h"

namespace pyc::runtime {

// Runs `body`, which returns a pyc_status.
template <typename Body>
pyc_status guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(PYC_STATUS_OUT_OF_MEMORY, "host memory is exhausted");
  } catch (const std::exception &error) {
    return fail(PYC_STATUS_INTERNAL_ERROR, "%s", error.what());
  }
}

}  // namespace pyc::runtime
