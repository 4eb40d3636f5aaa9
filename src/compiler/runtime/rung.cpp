#include "compiler/runtime/rung.h"

#include <utility>

namespace pyc::runtime {

Decision Decision::accept(std::shared_ptr<const Plan> plan, std::string detail) {
  return {std::move(plan), PYC_REASON_NONE, std::move(detail), PYC_STATUS_SUCCESS};
}

Decision Decision::refuse(pyc_reason reason, std::string detail) {
  return {nullptr, reason, std::move(detail), PYC_STATUS_SUCCESS};
}

Decision Decision::fail(pyc_status error) { return {nullptr, PYC_REASON_NONE, {}, error}; }

Decision Decision::refuse_workspace(const char *symbol, size_t needed_bytes, size_t max_bytes) {
  return refuse(PYC_REASON_WORKSPACE, std::string(symbol) + " needs " + std::to_string(needed_bytes) +
                                          " bytes; there may be " + std::to_string(max_bytes));
}

}  // namespace pyc::runtime
