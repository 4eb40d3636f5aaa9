#include "base/hash.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <vector>

#include "base/descriptor.h"
#include "base/text.h"

namespace pyc {
namespace {

// libcrypto always has SHA-256; without it no digest that PyC writes could be trusted, so there is nothing to return.
void require(int openssl_result) {
  if (openssl_result == 1) return;
  std::fputs("pyc: libcrypto cannot compute SHA-256\n", stderr);
  std::abort();
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) { require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }
  void add(std::string_view bytes) { require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }
  std::string hex() {
    std::array<unsigned char, 32> digest{};
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : digest) text.append({kDigits[byte >> 4], kDigits[byte & 15]});
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

Result<std::string> sha256_file(const std::filesystem::path &path) {
  const std::string doing = "cannot hash '" + path.string() + "'";
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) return fail(ErrorKind::kInvalid, doing + ": " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::kInvalid, doing + ": it is not a regular file");
  Sha256 hash;
  std::vector<char> chunk(1 << 16);
  for (;;) {
    const ssize_t count = read(file.get(), chunk.data(), chunk.size());
    if (count == 0) return hash.hex();
    if (count < 0 && errno != EINTR) return fail(ErrorKind::kInvalid, doing + ": " + std::strerror(errno));
    if (count > 0) hash.add({chunk.data(), static_cast<std::size_t>(count)});
  }
}

std::string short_digest(std::string_view digest) {
  constexpr std::size_t kShownDigits = 12;
  return printable(digest.substr(0, kShownDigits));
}

}  // namespace pyc
