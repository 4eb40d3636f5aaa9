#include "base/file_error.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "base/text.h"

namespace pyc {
namespace {

std::string remedy(const std::filesystem::path &path, int error_number) {
  const std::filesystem::path parent = path.parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  switch (error_number) {
    case ENOSPC: return fmt::format("free space on the file system of '{}' (df -h, df -i) and try again", folder);
    case EDQUOT: return fmt::format("your disk quota for '{}' is used up: remove files or have it raised", folder);
    case EFBIG: return "the file size limit of this shell is too low (ulimit -f)";
    case EROFS: return fmt::format("'{}' is on a read-only file system: use a copy that can be written", folder);
    case EACCES:
    case EPERM: return fmt::format("check the owner and the permissions of '{}' (ls -ld)", folder);
    case ENOENT: return fmt::format("create the folder '{}' first", folder);
    case ENOTDIR: return "a file stands where a folder is needed: move it, or choose a path beside it";
    case EISDIR: return "a folder stands where the file is needed: move it, or choose another name";
    case ENAMETOOLONG: return "choose a shorter name";
    case EMFILE:
    case ENFILE: return "too many files are open: raise the limit (ulimit -n)";
    default: return {};
  }
}

// No permission is a fact about this machine; everything else is a failure.
ErrorKind kind_of(int error_number) {
  const bool not_permitted = error_number == EACCES || error_number == EPERM || error_number == EROFS;
  return not_permitted ? ErrorKind::kUnavailable : ErrorKind::kInternal;
}

}  // namespace

std::string printable_path(const std::filesystem::path &path) {
  constexpr std::size_t kLongest = 4096;  // PATH_MAX
  return printable(path.string(), kLongest);
}

tl::unexpected<Error> write_failure(const std::filesystem::path &path, int error_number) {
  return fail(kind_of(error_number),
              fmt::format("cannot write '{}': {}", printable_path(path), std::strerror(error_number)),
              remedy(path, error_number));
}

}  // namespace pyc
