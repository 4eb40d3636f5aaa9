// What ptxas says about a compiled source with -Xptxas=-v: the largest figure of all its kernels.
#pragma once

#include <cstdint>
#include <string_view>

namespace pyc::workspace {

struct PtxasReport {
  int kernels = 0;
  int registers_per_thread = 0;
  std::int64_t spill_bytes = 0;  // stores and loads of registers that went to memory, the larger of the two
  std::int64_t stack_bytes = 0, static_shared_bytes = 0;
};
PtxasReport read_ptxas_report(std::string_view log);

}  // namespace pyc::workspace
