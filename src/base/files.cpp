#include "base/files.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "base/file_error.h"

namespace pyc {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> read_failure(const fs::path &path, const std::string &reason) {
  return fail(ErrorKind::kInvalid, fmt::format("cannot read '{}': {}", printable_path(path), reason));
}

tl::unexpected<Error> too_large(const fs::path &path, std::uintmax_t limit_bytes) {
  return read_failure(path, fmt::format("it is larger than {} bytes", limit_bytes));
}

// What stops `status` from being read as a file, or null.
const char *not_a_file(const struct stat &status) {
  if (S_ISREG(status.st_mode)) return nullptr;
  return S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
}

Status write_all(const Descriptor &file, std::string_view bytes, const fs::path &path) {
  while (!bytes.empty()) {
    const ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return write_failure(path, errno);
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status sync_folder(const fs::path &folder) {
  const Descriptor descriptor(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor) return write_failure(folder, errno);
  // Some file systems cannot sync a folder; they order renames by themselves.
  if (fsync(descriptor.get()) != 0 && errno != EINVAL && errno != ENOTSUP) return write_failure(folder, errno);
  return {};
}

// A written and synced file under a name of its own beside `target`, removed unless it was renamed.
class Temporary {
 public:
  static Result<Temporary> create(const fs::path &target, std::string_view contents) {
    PYC_TRY(Temporary temporary, open_beside(target));
    PYC_CHECK(temporary.keep_mode_of_target());
    PYC_CHECK(write_all(temporary.file_, contents, target));
    if (fsync(temporary.file_.get()) != 0) return write_failure(target, errno);
    temporary.file_.close();
    return temporary;
  }

  Temporary(Temporary &&other) noexcept
      : path_(std::exchange(other.path_, {})), target_(std::move(other.target_)), file_(std::move(other.file_)) {}
  Temporary &operator=(Temporary &&) = delete;
  ~Temporary() {
    if (!path_.empty()) unlink(path_.c_str());
  }

  Status rename_to_target() {
    if (std::rename(path_.c_str(), target_.c_str()) != 0) return write_failure(target_, errno);
    path_.clear();
    return sync_folder(target_.parent_path());
  }

 private:
  Temporary(fs::path path, fs::path target, Descriptor file)
      : path_(std::move(path)), target_(std::move(target)), file_(std::move(file)) {}

  static Result<Temporary> open_beside(const fs::path &target) {
    static std::atomic<unsigned> counter{0};
    if (target.filename().empty()) return fail(ErrorKind::kInternal, "cannot write '" + target.string() + "': no name");
    for (;;) {
      fs::path path =
          target.parent_path() / fmt::format(".{}.tmp-{}-{}", target.filename().string(), getpid(), counter++);
      Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (file) return Temporary(std::move(path), target, std::move(file));
      if (errno != EEXIST) return write_failure(target, errno);  // EEXIST: left by a dead process of the same number
    }
  }

  Status keep_mode_of_target() {
    struct stat status {};
    if (stat(target_.c_str(), &status) != 0) return {};
    if (S_ISDIR(status.st_mode)) return write_failure(target_, EISDIR);
    // Not having the old mode is no reason to lose the new contents.
    if (fchmod(file_.get(), status.st_mode & 0777) != 0) errno = 0;
    return {};
  }

  fs::path path_, target_;
  Descriptor file_;
};

}  // namespace

Result<std::string> read_file(const fs::path &path, std::uintmax_t limit_bytes) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return read_failure(path, std::strerror(errno));
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return read_failure(path, std::strerror(errno));
  if (const char *reason = not_a_file(status)) return read_failure(path, reason);
  if (static_cast<std::uintmax_t>(status.st_size) > limit_bytes) return too_large(path, limit_bytes);

  // The size is a hint: /proc says 0, and a file may grow while it is read.
  std::string contents;
  contents.reserve(static_cast<std::size_t>(status.st_size) + 1);
  char chunk[1 << 16];
  for (;;) {
    const ssize_t count = read(file.get(), chunk, sizeof chunk);
    if (count == 0) return contents;
    if (count < 0 && errno != EINTR) return read_failure(path, std::strerror(errno));
    if (count > 0) contents.append(chunk, static_cast<std::size_t>(count));
    if (contents.size() > limit_bytes) return too_large(path, limit_bytes);
  }
}

Status write_file_atomic(const fs::path &path, std::string_view contents) {
  PYC_TRY(Temporary temporary, Temporary::create(path, contents));
  return temporary.rename_to_target();
}

Result<bool> claim_name(const fs::path &path) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file) return true;
  if (errno == EEXIST) return false;
  return write_failure(path, errno);
}

Result<bool> write_new_file(const fs::path &path, std::string_view contents) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error))) return false;
  PYC_TRY(Temporary temporary, Temporary::create(path, contents));
  // A hard link, which needs no empty file first, is not to be had on every file system.
  PYC_TRY(const bool is_ours, claim_name(path));
  if (!is_ours) return false;
  const Status renamed = temporary.rename_to_target();
  if (!renamed) unlink(path.c_str());
  PYC_CHECK(renamed);
  return true;
}

Result<fs::path> take_stamped_name(TimePoint time, const std::function<fs::path(const std::string &stamp)> &path_of,
                                   const std::function<Result<bool>(const fs::path &)> &take) {
  for (;; time += std::chrono::milliseconds(1)) {
    fs::path path = path_of(utc_file_stamp(time));
    PYC_TRY(const bool taken, take(path));
    if (taken) return path;
  }
}

Status write_files_atomic(const std::vector<std::pair<fs::path, std::string>> &files) {
  std::vector<Temporary> temporaries;
  for (const auto &[path, contents] : files) {
    PYC_TRY(Temporary temporary, Temporary::create(path, contents));
    temporaries.push_back(std::move(temporary));
  }
  for (Temporary &temporary : temporaries) PYC_CHECK(temporary.rename_to_target());
  return {};
}

Status make_folder(const fs::path &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return write_failure(path, error.value());
  if (!fs::is_directory(path, error)) return write_failure(path, ENOTDIR);
  return {};
}

}  // namespace pyc
