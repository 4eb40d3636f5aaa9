// The thread's error detail: the sentence behind a status that is not success.
#pragma once

#include "pyc/status.h"

namespace pyc::runtime {

// Stores the sentence (printf format; longer ones are cut) for pyc_last_error_detail and returns `status`. Allocates
// nothing. Cold: the paths that lead here are laid out of the way of a call that succeeds.
[[gnu::format(printf, 2, 3), gnu::cold]] pyc_status fail(pyc_status status, const char *format, ...);

// The sentence of this thread's last fail(), "" before the first.
const char *last_error_detail();

}  // namespace pyc::runtime
