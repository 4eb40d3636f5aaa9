// Exit codes of the protocol, docs/reference/harness-protocol.md.
#ifndef PYC_HARNESS_EXIT_CODES_H
#define PYC_HARNESS_EXIT_CODES_H

namespace pyc::harness {

constexpr int kExitDone = 0, kExitBadRequest = 2, kExitCannotRun = 3, kExitCudaError = 4, kExitEventsLost = 5;

}  // namespace pyc::harness

#endif
