#include <sys/utsname.h>
#include <thread>

#include "base/files.h"
#include "base/text.h"
#include "toolchain/doctor.h"

namespace pyc::toolchain {
namespace {

// What follows `key` and `separator` on the first line that begins with the key; `fallback` without such a line.
std::string value_in(const char *path, std::string_view key, char separator, std::string fallback) {
  const auto contents = read_file(path);
  if (!contents) return fallback;
  for (const std::string &line : split(*contents, '\n')) {
    const auto at = line.find(separator);
    if (at == std::string::npos || trim(line.substr(0, at)) != key) continue;
    std::string_view value = trim(std::string_view(line).substr(at + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return printable(value);
  }
  return fallback;
}

}  // namespace

HostInfo host_info() {
  utsname system{};
  uname(&system);
  HostInfo host;
  host.name = printable(system.nodename);
  host.kernel = std::string(system.sysname) + " " + system.release;
  host.operating_system = value_in("/etc/os-release", "PRETTY_NAME", '=', system.sysname);
  host.cpu = value_in("/proc/cpuinfo", "model name", ':', system.machine);
  host.cores = static_cast<int>(std::thread::hardware_concurrency());
  return host;
}

}  // namespace pyc::toolchain
