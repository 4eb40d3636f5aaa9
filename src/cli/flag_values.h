// What may stand behind a flag, for completions.
#pragma once

#include <string>
#include <vector>

#include "cli/verb.h"

namespace pyc::cli {

struct FlagValues {
  enum Kind { kNone, kAnything, kChoice, kCandidate, kFile, kFolder } kind = kAnything;  // kNone: a switch
  std::vector<std::string> choices;                                                      // of kChoice
};
FlagValues values_of(const Verb &verb, const Flag &flag);

}  // namespace pyc::cli
