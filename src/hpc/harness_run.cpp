#include "hpc/harness_run.h"

#include <fmt/format.h>

#include "base/files.h"

namespace pyc::hpc {
namespace {

constexpr int kHarnessCannotRunHere = 3;  // docs/reference/harness-protocol.md
constexpr int kBadLinesRead = 100;        // behind so many lines that are no events the rest is not looked at

// The request's file, removed at the end of the run.
class RequestFile {
 public:
  static Result<RequestFile> write(const Context &context, const evidence::HarnessRequest &request) {
    const std::filesystem::path folder = context.workspace.build() / "requests";
    PYC_CHECK(make_folder(folder));
    RequestFile file(folder / (request.nonce + ".json"));
    PYC_CHECK(write_file_atomic(file.path_, to_json(request)));
    return file;
  }
  RequestFile(RequestFile &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  RequestFile &operator=(RequestFile &&) = delete;
  ~RequestFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  const std::filesystem::path &path() const { return path_; }

 private:
  explicit RequestFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

Error judge_fatal(const evidence::Fatal &fatal) {
  if (fatal.kind == "no_device") return {ErrorKind::kUnavailable, fatal.message, "run 'pyc hpc doctor'"};
  if (fatal.kind == "wrong_device") {
    return {ErrorKind::kUnavailable, fatal.message, "choose a GPU of the candidate's arch with CUDA_VISIBLE_DEVICES"};
  }
  if (fatal.kind == "out_of_memory") {
    return {ErrorKind::kUnavailable, fatal.message,
            "end other programs on the GPU, or give smaller shapes with --shape"};
  }
  if (fatal.kind == "bad_request")
    return {ErrorKind::kInternal, "the harness refused the request: " + fatal.message, {}};
  if (fatal.call.empty()) return {ErrorKind::kNo, fatal.message, {}};
  return {ErrorKind::kNo,
          fmt::format("a CUDA call failed: {} ({} at {}:{})", fatal.message, fatal.call, fatal.file, fatal.line),
          "compute-sanitizer on the candidate's executable shows the access that broke"};
}

std::string progress_text(const evidence::HarnessRequest &request, int finished) {
  const bool more = finished < static_cast<int>(request.shapes.size());
  const std::string verb = request.mode == "bench" ? "timing" : "validating";
  return more ? fmt::format("{} {}", verb, to_string(request.shapes[finished].shape)) : verb;
}

}  // namespace

std::optional<Error> judge_run(const ProcessResult &ended, const evidence::HarnessTranscript &transcript,
                               const std::string &first_bad_line) {
  if (ended.end == ProcessEnd::kInterrupted) return Error{ErrorKind::kInterrupted, "interrupted", {}};
  if (transcript.fatal()) return judge_fatal(*transcript.fatal());
  if (ended.end == ProcessEnd::kSilenceLimit) {
    return Error{ErrorKind::kNo, "the candidate hangs: its harness was " + ended.describe(),
                 "give a slow kernel more time with --timeout SECONDS"};
  }
  const bool began = transcript.gpu().has_value();  // from then on the code can only be the kernel's own
  if (ended.end == ProcessEnd::kExited && ended.exit_code == kHarnessCannotRunHere && !began) {
    return Error{ErrorKind::kUnavailable, "the harness cannot run on this machine", "run 'pyc hpc doctor'"};
  }
  if (!ended.succeeded()) return Error{ErrorKind::kNo, "the candidate's harness ended with " + ended.describe(), {}};
  if (!first_bad_line.empty()) {
    return Error{ErrorKind::kNo, "the harness wrote a line that is not an event: " + first_bad_line, {}};
  }
  if (!transcript.done()) return Error{ErrorKind::kNo, "the harness left without a 'done' event", {}};
  return std::nullopt;
}

Result<HarnessRun> run_harness(const Context &context, const HarnessProgram &program,
                               const evidence::HarnessRequest &request, std::chrono::milliseconds silence_limit,
                               evidence::HarnessTranscript &transcript, const std::function<void()> &shape_finished) {
  PYC_TRY(const RequestFile file, RequestFile::write(context, request));
  const int total = static_cast<int>(request.shapes.size());
  std::string first_bad_line;
  int finished = 0, bad_lines = 0;
  context.progress({progress_text(request, 0), 0, total});

  ProcessOptions child;
  child.argv = {program.executable.string()};
  child.argv.insert(child.argv.end(), program.words.begin(), program.words.end());
  child.argv.insert(child.argv.end(), {"--request", file.path().string(), "--events-fd", "3"});
  child.working_directory = context.workspace.root;
  child.silence_limit = silence_limit;
  child.on_event_line = [&](std::string_view line) {
    if (bad_lines == kBadLinesRead) return;
    const Status added = transcript.add(line);
    if (!added) ++bad_lines;
    if (!added && first_bad_line.empty()) first_bad_line = added.error().message;
    if (transcript.finished_shapes() == finished) return;
    finished = transcript.finished_shapes();
    context.progress({progress_text(request, finished), finished, total});
    shape_finished();
  };
  PYC_TRY(const ProcessResult ended, run_process(child));
  return HarnessRun{judge_run(ended, transcript, first_bad_line), ended.standard_output + ended.standard_error,
                    ended.output_truncated};
}

}  // namespace pyc::hpc
