// The arms of one shape: which contenders are timed, under which numbers.
#ifndef PYC_HARNESS_ARMS_H
#define PYC_HARNESS_ARMS_H

#include <cstdint>
#include <string>
#include <vector>

#include "call_audit.h"
#include "clock.h"
#include "contender.h"

namespace pyc::harness {

// The samples of one arm with one state of the cache, in the order taken.
struct Series {
  std::vector<double> time_ns, sm_clock_mhz;
  std::vector<int64_t> order;  // place in the whole sequence of the shape
  int64_t retaken = 0;         // thrown away because the clock was low or the hold ran out
};

struct Arm {
  int number = 0;
  std::string role, name;
  std::string reason;              // why it is unavailable for this shape; empty if it is timed
  Contender *contender = nullptr;  // two arms share one where one is the other's null control
  Series cold, warm;
  CallAudit audit;
};

// Candidate, requested contenders, cuBLASLt and cuBLAS, opened once per run.
std::vector<Entrant> open_entrants(const Session &session);

// One arm per entrant in that order, the candidate as number 0, and one null control more: the incumbent a second time,
// or the candidate where there is no incumbent to open. Arms that cannot be timed keep their number and say why.
std::vector<Arm> make_arms(const std::vector<Entrant> &entrants);

// A control shares its contender with an arm before it, which gets that ready for both.
bool is_control(const Arm &arm);

void report_arm(Events &events, int index, const Arm &arm);
void report_samples(Events &events, int index, const Arm &arm);

}  // namespace pyc::harness

#endif
