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

// Its first 12 digits: what people are shown of it. It may come from a foreign file, and is made printable.
std::string short_digest(std::string_view digest);

}  // namespace pyc
