#include "cli/exit_codes.h"

namespace pyc::cli {
namespace {

constexpr ExitCodeRow kRows[] = {
    {kExitYes, "done, and the answer is yes"},
    {kExitNo,
     "done, and the answer is no: wrong results, a crash or hang of the candidate, a kernel that does not "
     "compile, a refused promotion, a slower benchmark, files out of date, a machine that is not ready"},
    {kExitCouldNot,
     "could not: usage, a bad file, evidence of something else, a name that does not exist, a full disk, a lock "
     "that another process keeps, an internal error"},
    {kExitCannotRunHere,
     "cannot run here: no GPU, another GPU than the candidate's, no nvcc, or one that is too old, a profiler that is "
     "missing or may not look, a workspace that may not be written"},
    {kExitInterrupted, "interrupted by Ctrl-C or SIGTERM; finished shapes are kept"},
};

constexpr ExitCodeRow kLabRows[] = {
    {kExitYes, "done"},
    {kExitCouldNot, "user input: usage, a name or a file that does not exist, a kernel that was not compiled yet"},
    {kExitLabSchema, "a manifest, a baseline list, a task or a result that cannot be read as one"},
    {kExitLabToolchain, "cannot run here: nvcc or another program is missing, a folder may not be written"},
    {kExitLabFailed, "a command failed or ran over its time limit, or the machine did: a full disk"},
    {kExitInterrupted, "interrupted by Ctrl-C or SIGTERM; what was finished is kept"},
};

ExitCode lab_exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalid: return kExitCouldNot;
    case ErrorKind::kSchema: return kExitLabSchema;
    case ErrorKind::kUnavailable: return kExitLabToolchain;
    case ErrorKind::kNo:
    case ErrorKind::kInternal: return kExitLabFailed;
    case ErrorKind::kInterrupted: return kExitInterrupted;
  }
  return kExitLabFailed;
}

}  // namespace

std::span<const ExitCodeRow> exit_code_rows() { return kRows; }
std::span<const ExitCodeRow> lab_exit_code_rows() { return kLabRows; }

ExitCode exit_code(std::string_view group, ErrorKind kind) {
  if (group == "lab") return lab_exit_code(kind);
  switch (kind) {
    case ErrorKind::kNo: return kExitNo;
    case ErrorKind::kInvalid:
    case ErrorKind::kSchema:
    case ErrorKind::kInternal: return kExitCouldNot;
    case ErrorKind::kUnavailable: return kExitCannotRunHere;
    case ErrorKind::kInterrupted: return kExitInterrupted;
  }
  return kExitCouldNot;
}

}  // namespace pyc::cli
