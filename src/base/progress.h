// What a verb says of its work while it runs.
#pragma once

#include <functional>
#include <string>

namespace pyc {

// Told what is going on; src/cli draws it on a terminal.
struct Progress {
  std::string what;         // "compiling harness", "validating 1024x1024x1024"
  int done = 0, total = 0;  // units finished, of how many; total 0: unknown
};
using ProgressSink = std::function<void(const Progress &)>;

}  // namespace pyc
