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

}  // namespace pyc::runtime
