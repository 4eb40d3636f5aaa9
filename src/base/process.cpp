#include "base/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include "base/bounded_text.h"
#include "base/spawn.h"

namespace pyc {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kKillPatience{8};  // after SIGKILL; a child stuck in a driver is then given up
constexpr int kPollMilliseconds = 20;             // how late a limit, an interrupt or a silent end may be noticed
constexpr int kDrainChunks = 32;                  // read after the end at most: more than a pipe holds

std::atomic<bool> g_interrupted{false};

// Splits what the child writes to its event pipe into lines.
class EventLines {
 public:
  explicit EventLines(const ProcessOptions &options) : options_(options) {}

  // False if a line, or all of them together, grew over the limit.
  bool append(std::string_view bytes) {
    all_bytes_ += bytes.size();
    if (all_bytes_ > options_.event_limit_bytes) return false;
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
      partial_ += bytes.substr(0, end);
      if (partial_.size() > options_.event_line_limit_bytes) return false;
      options_.on_event_line(partial_);
      partial_.clear();
      last_line_ = Clock::now();
    }
    partial_ += bytes;
    return partial_.size() <= options_.event_line_limit_bytes;
  }
  Clock::time_point last_line() const { return last_line_; }

 private:
  const ProcessOptions &options_;
  std::string partial_;
  std::size_t all_bytes_ = 0;
  Clock::time_point last_line_ = Clock::now();
};

// One child from start to end.
class Run {
 public:
  // `started`: before the child was, which may have run for a while when its start returns.
  Run(const ProcessOptions &options, Child child, ChildPipes pipes, Clock::time_point started)
      : options_(options), child_(std::move(child)), pipes_(std::move(pipes)), events_(options), started_(started) {}

  ProcessResult wait() {
    while (!child_.has_ended() && !given_up()) {
      wait_for_output();
      read_once();
      if (end_ == ProcessEnd::kExited) check_limits();
      if (end_ != ProcessEnd::kExited) escalate();
    }
    return finish();
  }

 private:
  std::array<Descriptor *, 3> streams() {
    return {&pipes_.standard_output.read_end, &pipes_.standard_error.read_end,
            pipes_.events ? &pipes_.events->read_end : nullptr};
  }

  void wait_for_output() {
    std::array<pollfd, 3> waiting{};
    nfds_t count = 0;
    for (const Descriptor *stream : streams())
      if (stream && *stream) waiting[count++] = {stream->get(), POLLIN, 0};
    // What happened is found out by reading. A child that closed everything is about to end.
    poll(waiting.data(), count, count > 0 ? kPollMilliseconds : 1);
  }

  // One chunk of each stream, so that a flood on one starves neither the others nor the limits. False: all was empty.
  bool read_once() {
    bool any = false;
    for (Descriptor *stream : streams()) {
      if (!stream || !*stream) continue;
      const ssize_t count = read(stream->get(), chunk_.data(), chunk_.size());
      if (count == 0) stream->close();
      if (count <= 0) continue;
      any = true;
      take(*stream, {chunk_.data(), static_cast<std::size_t>(count)});
    }
    return any;
  }

  void take(const Descriptor &stream, std::string_view bytes) {
    if (&stream == &pipes_.standard_output.read_end) return output_.append(bytes);
    if (&stream == &pipes_.standard_error.read_end) return errors_.append(bytes);
    if (end_ == ProcessEnd::kEventOverflow) return;
    if (!events_.append(bytes)) stop(ProcessEnd::kEventOverflow);
  }

  void check_limits() {
    const auto now = Clock::now();
    const bool late = options_.time_limit.count() > 0 && now - started_ >= options_.time_limit;
    const bool silent = options_.silence_limit.count() > 0 && now - events_.last_line() >= options_.silence_limit;
    if (g_interrupted) return stop(ProcessEnd::kInterrupted);
    if (late) return stop(ProcessEnd::kTimeLimit);
    if (silent) stop(ProcessEnd::kSilenceLimit);
  }

  void stop(ProcessEnd reason) {
    if (end_ != ProcessEnd::kExited) return;
    end_ = reason;
    stopped_ = Clock::now();
    child_.signal_group(SIGTERM);
  }

  void escalate() {
    if (killed_ || Clock::now() - stopped_ < options_.grace) return;
    killed_ = true;
    child_.signal_group(SIGKILL);
  }

  bool given_up() const { return killed_ && Clock::now() - stopped_ >= options_.grace + kKillPatience; }

  ProcessResult finish() {
    const bool ended = child_.has_ended();
    const int status = ended ? child_.reap() : 0;
    for (int chunks = 0; chunks < kDrainChunks && read_once(); ++chunks) {
    }
    ProcessResult result;
    result.end = end_;
    result.elapsed = (end_ == ProcessEnd::kExited ? Clock::now() : stopped_) - started_;
    if (end_ == ProcessEnd::kExited && WIFSIGNALED(status)) result.end = ProcessEnd::kSignalled;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.standard_output = output_.str();
    result.standard_error = errors_.str();
    result.output_truncated = output_.truncated() || errors_.truncated();
    return result;
  }

  const ProcessOptions &options_;
  Child child_;
  ChildPipes pipes_;
  EventLines events_;
  BoundedText output_{options_.output_limit_bytes}, errors_{options_.output_limit_bytes};
  std::vector<char> chunk_ = std::vector<char>(1 << 16);
  const Clock::time_point started_;
  ProcessEnd end_ = ProcessEnd::kExited;  // kExited: nothing has stopped it so far
  Clock::time_point stopped_{};
  bool killed_ = false;
};

// "60", "0.25"
std::string seconds(std::chrono::nanoseconds time) {
  return fmt::format("{:.3g}", std::chrono::duration<double>(time).count());
}

}  // namespace

const std::atomic<bool> &interrupt_flag() { return g_interrupted; }

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = true; };
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
}

std::string ProcessResult::describe() const {
  switch (end) {
    case ProcessEnd::kExited: return fmt::format("exit code {}", exit_code);
    case ProcessEnd::kSignalled: {
      const char *name = sigdescr_np(signal);
      return fmt::format("signal {} ({})", signal, name ? name : "unknown");
    }
    case ProcessEnd::kTimeLimit: return fmt::format("stopped after {} s (time limit)", seconds(elapsed));
    case ProcessEnd::kSilenceLimit: return fmt::format("stopped after {} s (it had fallen silent)", seconds(elapsed));
    case ProcessEnd::kInterrupted: return fmt::format("interrupted after {} s", seconds(elapsed));
    case ProcessEnd::kEventOverflow:
      return fmt::format("stopped after {} s (its events were too long)", seconds(elapsed));
  }
  return "unknown";
}

Result<ProcessResult> run_process(const ProcessOptions &options) {
  if (g_interrupted) {
    ProcessResult result;
    result.end = ProcessEnd::kInterrupted;
    return result;
  }
  ChildPipes pipes;
  PYC_TRY(pipes.standard_output, open_pipe());
  PYC_TRY(pipes.standard_error, open_pipe());
  if (options.on_event_line) {
    PYC_TRY(pipes.events, open_pipe());
  }
  const auto started = Clock::now();
  PYC_TRY(Child child, Child::start(options, pipes));
  pipes.standard_output.write_end.close();
  pipes.standard_error.write_end.close();
  if (pipes.events) pipes.events->write_end.close();
  return Run(options, std::move(child), std::move(pipes), started).wait();
}

}  // namespace pyc
