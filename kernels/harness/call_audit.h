// What was seen of an arm's calls beside their times: were their outputs right, did they leave the process and the
// device as they found them, and did they launch nothing but their own kernels?
#ifndef PYC_HARNESS_CALL_AUDIT_H
#define PYC_HARNESS_CALL_AUDIT_H

#include <array>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <string>
#include <vector>

#include "launches.h"
#include "reports.h"
#include "tally.h"

namespace pyc::harness {

// Settings that all kernels of a process share, with which one could slow its rivals down; -1 where the device knows no
// such setting.
constexpr size_t kSettings = 10;
using Settings = std::array<int64_t, kSettings>;

// `stream`: the one on which calls are timed, whose own settings count too.
Settings read_settings(cudaStream_t stream);

// "the persisting L2 size from 0 to 1048576"; empty if nothing changed.
std::string changed_settings(const Settings &before, const Settings &after);

// Threads of this process, by which a kernel could do its work behind the clock's back. One system call.
int64_t thread_count();

// Findings of all calls of one arm, warm-up included.
struct CallAudit {
  int64_t calls = 0, wrong_calls = 0, first_wrong = -1;
  Tally spots;                    // of all calls together
  Compared first_seen;            // of the first wrong call
  std::string threads, settings;  // what the first call did to them: "changed ..."; empty if none did anything

  // `seen`: the tally of one call's spots.
  void add_output(const Tally &seen, const Shape &shape, DType dtype);
  void add_threads(int64_t before, int64_t after);
  void add_settings(const Settings &before, const Settings &after);
  void add_stray_work(bool default_streams_idle);
};

// The checks `every_call` and, where the arm is a kernel of ours, `threads` and `device_state`.
std::vector<CheckResult> audit_results(const CallAudit &audit, const Shape &shape, DType dtype, bool is_kernel);

// The check `launches`: one call could be captured, and every kernel in it is one that this program brought along.
CheckResult judge_launches(const Launches &launches);

}  // namespace pyc::harness

#endif
