// SHA-256, by OpenSSL's libcrypto.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyc {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
Result<std::string> sha256_file(const std::filesystem::path &path);

}  // namespace pyc
