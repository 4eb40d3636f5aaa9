#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "base/file_error.h"
#include "base/files.h"

namespace pyc {
namespace {

namespace fs = std::filesystem;

// "x/" names the same folder as "x".
fs::path without_trailing_slash(const fs::path &path) { return path.filename().empty() ? path.parent_path() : path; }

Status sync(const fs::path &path) {
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (!descriptor) return write_failure(path, errno);
  if (fsync(descriptor.get()) != 0 && errno != EINVAL && errno != ENOTSUP) return write_failure(path, errno);
  return {};
}

// Everything in the folder reaches the disk before its new name does, or a crash could leave empty files under it.
Status sync_tree(const fs::path &folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::file_status status = entry->symlink_status(error);
    if (error) break;
    if (fs::is_regular_file(status) || fs::is_directory(status)) PYC_CHECK(sync(entry->path()));
  }
  if (error) return write_failure(folder, error.value());
  return sync(folder);
}

// Renames without replacing anything; an errno value, 0 if it worked.
int rename_to_absent(const fs::path &from, const fs::path &to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without RENAME_NOREPLACE: a plain rename still replaces nothing but an empty folder.
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

StagedFolder::StagedFolder(fs::path path, fs::path target) : path_(std::move(path)), target_(std::move(target)) {}

StagedFolder::StagedFolder(StagedFolder &&other) noexcept
    : path_(std::exchange(other.path_, {})), target_(std::move(other.target_)) {}

StagedFolder::~StagedFolder() {
  std::error_code ignored;  // nobody is left to tell
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<StagedFolder> StagedFolder::create(const fs::path &wanted) {
  static std::atomic<unsigned> counter{0};
  const fs::path target = without_trailing_slash(wanted), parent = target.parent_path();
  if (target.empty()) return fail(ErrorKind::kInternal, "a staged folder needs a name");
  if (!parent.empty()) PYC_CHECK(make_folder(parent));
  for (;;) {
    fs::path path = parent / fmt::format(".{}.staged-{}-{}", target.filename().string(), getpid(), counter++);
    if (mkdir(path.c_str(), 0777) == 0) return StagedFolder(std::move(path), target);
    if (errno != EEXIST) return write_failure(target, errno);  // EEXIST: left by a dead process of the same number
  }
}

Result<bool> StagedFolder::commit() {
  PYC_CHECK(sync_tree(path_));
  const int error = rename_to_absent(path_, target_);
  std::error_code ignored;
  if ((error == EEXIST || error == ENOTEMPTY) && fs::is_directory(target_, ignored)) {
    fs::remove_all(path_, ignored);
    path_.clear();
    return false;
  }
  if (error != 0) return write_failure(target_, error);
  path_.clear();
  const fs::path parent = target_.parent_path();
  PYC_CHECK(sync(parent.empty() ? "." : parent));
  return true;
}

}  // namespace pyc
