#include "base/spawn.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/text.h"

namespace pyc {
namespace {

namespace fs = std::filesystem;

constexpr int kFirstFreeDescriptor = 10;
constexpr int kEventDescriptor = 3;

std::string search_path(const ProcessOptions &options) {
  if (const auto found = options.environment.find("PATH"); found != options.environment.end()) return found->second;
  const char *path = std::getenv("PATH");
  return path ? path : "";
}

tl::unexpected<Error> cannot_start(const std::string &program, const std::string &reason, std::string hint = {}) {
  return fail(ErrorKind::kUnavailable, fmt::format("cannot start '{}': {}", program, reason), std::move(hint));
}

// Absolute, because the child looks it up from its own working directory.
Result<fs::path> locate(const ProcessOptions &options) {
  if (options.argv.empty() || options.argv[0].empty()) return fail(ErrorKind::kInternal, "no program was named");
  const std::string &name = options.argv[0], path = search_path(options);
  const bool in_path = name.find('/') == std::string::npos;
  const auto program = find_program(name, path);
  if (!program && in_path) return cannot_start(name, "it is not in PATH", fmt::format("PATH is '{}'", path));
  if (!program) return cannot_start(name, fs::exists(name) ? "it is not an executable file" : "there is no such file");
  std::error_code error;
  const fs::path absolute = fs::absolute(*program, error);
  if (error) return cannot_start(name, error.message());
  return absolute;
}

// The caller's environment with the additions, as NAME=value.
std::vector<std::string> merged_environment(const std::map<std::string, std::string> &additions) {
  std::vector<std::string> entries;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    if (!additions.contains(name)) entries.emplace_back(*entry);
  }
  for (const auto &[name, value] : additions) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

std::vector<char *> pointers_to(std::vector<std::string> &strings) {
  std::vector<char *> pointers(strings.size() + 1, nullptr);
  std::transform(strings.begin(), strings.end(), pointers.begin(), [](std::string &string) { return string.data(); });
  return pointers;
}

// posix_spawn's two descriptions of the child. The calls fail only for want of memory, which posix_spawn then reports.
class SpawnPlan {
 public:
  SpawnPlan(const ProcessOptions &options, const ChildPipes &pipes) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    place_descriptors(pipes);
    if (!options.working_directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions_, options.working_directory.c_str());
    reset_signals();
  }
  SpawnPlan(const SpawnPlan &) = delete;
  SpawnPlan &operator=(const SpawnPlan &) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  const posix_spawn_file_actions_t *actions() const { return &actions_; }
  const posix_spawnattr_t *attributes() const { return &attributes_; }

 private:
  void place_descriptors(const ChildPipes &pipes) {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, pipes.standard_output.write_end.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, pipes.standard_error.write_end.get(), STDERR_FILENO);
    if (pipes.events) posix_spawn_file_actions_adddup2(&actions_, pipes.events->write_end.get(), kEventDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&actions_, pipes.events ? kEventDescriptor + 1 : kEventDescriptor);
  }

  void reset_signals() {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// What exec's errno means for a file that exists and may be executed.
std::string start_reason(int error) {
  if (error == ENOENT) return "the interpreter or loader that it asks for does not exist";
  if (error == ENOEXEC) return "it is neither a program for this machine nor a script with a #! line";
  return std::strerror(error);
}

}  // namespace

Result<Pipe> open_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorKind::kInternal, fmt::format("pipe: {}", std::strerror(errno)));
  const Descriptor low_read(ends[0]), low_write(ends[1]);
  Pipe pipe{Descriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstFreeDescriptor)),
            Descriptor(fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstFreeDescriptor))};
  const bool ready = pipe.read_end && pipe.write_end && fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK) == 0;
  if (!ready) return fail(ErrorKind::kInternal, fmt::format("pipe: {}", std::strerror(errno)));
  return pipe;
}

Result<Child> Child::start(const ProcessOptions &options, const ChildPipes &pipes) {
  PYC_TRY(const fs::path program, locate(options));
  std::error_code error;
  if (!options.working_directory.empty() && !fs::is_directory(options.working_directory, error)) {
    return cannot_start(options.argv[0], fmt::format("no folder '{}'", options.working_directory.string()));
  }
  std::vector<std::string> words = options.argv, entries = merged_environment(options.environment);
  const SpawnPlan plan(options, pipes);
  pid_t process = 0;
  const int failure = posix_spawn(&process, program.c_str(), plan.actions(), plan.attributes(),
                                  pointers_to(words).data(), pointers_to(entries).data());
  if (failure != 0) return cannot_start(program.string(), start_reason(failure));
  return Child(process);
}

Child::Child(Child &&other) noexcept : process_(std::exchange(other.process_, -1)) {}

Child::~Child() {
  if (process_ < 0) return;
  signal_group(SIGKILL);
  // A process that the kernel cannot end (a driver that hangs) must not hang us: it is left to init.
  waitpid(process_, nullptr, WNOHANG);
}

bool Child::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

void Child::signal_group(int signal) const { kill(-process_, signal); }

int Child::reap() {
  signal_group(SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

}  // namespace pyc
