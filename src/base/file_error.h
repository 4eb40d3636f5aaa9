// What the file functions say when the system refuses.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace pyc {

// "cannot write 'PATH': No space left on device", with a remedy that fits `error_number` (an errno value): kUnavailable
// where there is no permission (EACCES, EPERM, EROFS), else kInternal.
tl::unexpected<Error> write_failure(const std::filesystem::path &path, int error_number);

// For a message: control characters, which a name may hold and a terminal obeys, are escaped.
std::string printable_path(const std::filesystem::path &path);

}  // namespace pyc
