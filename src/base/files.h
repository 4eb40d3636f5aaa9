// Files and folders: bounded reads, writes that are whole or absent, locks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace pyc {

constexpr std::uintmax_t kTextFileLimitBytes = 16 << 20;       // for files that a person edits
constexpr std::uintmax_t kEvidenceFileLimitBytes = 256 << 20;  // evidence carries raw samples

// The file's bytes. kInvalid if it is absent, unreadable, not a regular file or larger than the limit.
Result<std::string> read_file(const std::filesystem::path &path, std::uintmax_t limit_bytes = kTextFileLimitBytes);

// Writes to a temporary name beside `path`, syncs, and renames: a reader sees the old file or the new one, whole.
// On failure kUnavailable (no permission, read-only) or kInternal (disk full) with the reason; the temporary is removed
// and the old file is as it was.
Status write_file_atomic(const std::filesystem::path &path, std::string_view contents);

// An empty file under a name that must be free. False: somebody's file, folder or link has that name, and is as it was.
// Of processes that ask at once for one name one is told true.
Result<bool> claim_name(const std::filesystem::path &path);

// write_file_atomic() under a name that is claimed so; until the rename it is that of an empty file.
Result<bool> write_new_file(const std::filesystem::path &path, std::string_view contents);

// The path that `path_of` makes of the stamp of `time` (utc_file_stamp), or of the first millisecond after it at which
// `take`, one of the two above, gets the name.
Result<std::filesystem::path> take_stamped_name(
    TimePoint time, const std::function<std::filesystem::path(const std::string &stamp)> &path_of,
    const std::function<Result<bool>(const std::filesystem::path &)> &take);

// As write_file_atomic() for several files that belong together: every temporary is written and synced before the first
// rename, and the renames happen in the order given.
Status write_files_atomic(const std::vector<std::pair<std::filesystem::path, std::string>> &files);

// A fresh folder beside `target` that is renamed onto it by commit() and removed otherwise.
class StagedFolder {
 public:
  static Result<StagedFolder> create(const std::filesystem::path &target);
  StagedFolder(StagedFolder &&other) noexcept;
  StagedFolder &operator=(StagedFolder &&) = delete;
  ~StagedFolder();
  const std::filesystem::path &path() const { return path_; }
  // True: renamed. False: somebody else's folder already stands there; it is kept and ours is removed.
  Result<bool> commit();

 private:
  StagedFolder(std::filesystem::path path, std::filesystem::path target);
  std::filesystem::path path_, target_;
};

// An advisory lock on a file, held until destruction; the file itself stays.
class FileLock {
 public:
  // Waits up to `wait_seconds`; kInternal if another process still holds it then (a crash releases the lock).
  // `on_wait` is called once, where it is held at first.
  static Result<FileLock> acquire(const std::filesystem::path &path, double wait_seconds,
                                  const std::function<void()> &on_wait = {});
  FileLock(FileLock &&other) noexcept;
  FileLock &operator=(FileLock &&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

Status make_folder(const std::filesystem::path &path);

}  // namespace pyc
