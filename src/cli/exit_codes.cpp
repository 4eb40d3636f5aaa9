#include "cli/exit_codes.h"

namespace pyc::cli {
namespace {

constexpr ExitCodeRow kRows[] = {
    {kExitYes, "done, and the answer is yes"},
    {kExitNo,
     "done, and the answer is no: wrong results, a crash or hang of the candidate, a kernel that does not "
     "compile, a refused promotion, a slower benchmark, files out of date, a machine that is not ready"},
    {kExitCouldNot,
     "could not: usage, a bad file, evidence of something else, a name that does not exist, a full disk or one "
     "that may not be written, an internal error"},
    {kExitCannotRunHere,
     "cannot run here: no GPU, another GPU than the candidate's, no nvcc, or one that is too old, a profiler that is "
     "missing or may not look"},
    {kExitInterrupted, "interrupted by Ctrl-C or SIGTERM; finished shapes are kept"},
};

}  // namespace

std::span<const ExitCodeRow> exit_code_rows() { return kRows; }

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNo: return kExitNo;
    case ErrorKind::kInvalid:
    case ErrorKind::kInternal: return kExitCouldNot;
    case ErrorKind::kUnavailable: return kExitCannotRunHere;
    case ErrorKind::kInterrupted: return kExitInterrupted;
  }
  return kExitCouldNot;
}

}  // namespace pyc::cli
