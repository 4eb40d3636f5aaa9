// What every part of a run shares.
#ifndef PYC_HARNESS_SESSION_H
#define PYC_HARNESS_SESSION_H

#include "device.h"
#include "driver.h"
#include "events.h"
#include "harness.h"
#include "request.h"

namespace pyc::harness {

struct Session {
  Request request;
  Kernel candidate;
  Events events;
  Device device;
  Driver driver;
};

// The `session` event.
void report_session(Session &session);

// Both write one group of events per shape and throw Fatal where the run cannot go on.
void validate(Session &session);
void bench(Session &session);

}  // namespace pyc::harness

#endif
