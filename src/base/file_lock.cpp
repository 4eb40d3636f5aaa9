#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>

#include "base/descriptor.h"
#include "base/file_error.h"
#include "base/files.h"
#include "base/process.h"

namespace pyc {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRetryInterval{20};

tl::unexpected<Error> still_held(const std::filesystem::path &path, double wait_seconds) {
  return fail(ErrorKind::kInternal,
              fmt::format("another process holds the lock '{}' (waited {:.1f} s)", path.string(), wait_seconds),
              fmt::format("wait for it and try again; `fuser {}` names it", quote_command({path.string()})));
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::filesystem::path &path, double wait_seconds,
                                   const std::function<void()> &on_wait) {
  // flock belongs to this open file, so it also excludes other threads, and the system drops it with the process.
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file) return write_failure(path, errno);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wait_seconds));
  for (bool told = false; flock(file.get(), LOCK_EX | LOCK_NB) != 0;) {
    if (errno != EWOULDBLOCK && errno != EINTR) return write_failure(path, errno);
    if (interrupt_flag()) return fail(ErrorKind::kInterrupted, "interrupted while waiting for '" + path.string() + "'");
    if (on_wait && !std::exchange(told, true)) on_wait();
    if (Clock::now() >= deadline) return still_held(path, wait_seconds);
    std::this_thread::sleep_for(kRetryInterval);
  }
  return FileLock(file.release());
}

FileLock::FileLock(FileLock &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace pyc
