#include "toolchain/probe.h"

#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"

namespace pyc::toolchain {

Result<std::string> ask(const std::filesystem::path &program, const std::vector<std::string> &arguments,
                        const Environment &environment, std::chrono::milliseconds limit) {
  ProcessOptions options;
  options.argv = {program.string()};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.environment = {{"LC_ALL", "C"}};
  if (!environment.path.empty()) options.environment["PATH"] = environment.path;
  options.time_limit = limit;
  options.output_limit_bytes = 64 << 10;
  PYC_TRY(const ProcessResult result, run_process(options));
  if (result.end == ProcessEnd::kInterrupted) return fail(ErrorKind::kInterrupted, "interrupted");
  if (result.succeeded()) return result.standard_output;
  // nvidia-smi puts its errors on stdout.
  std::string words = first_line(result.standard_error);
  if (words.empty()) words = first_line(result.standard_output);
  return fail(ErrorKind::kUnavailable, fmt::format("`{}` failed: {}{}{}", quote_command(options.argv),
                                                   result.describe(), words.empty() ? "" : ": ", words));
}

std::string first_line(const std::string &text) {
  for (const std::string &line : split(text, '\n'))
    if (!trim(line).empty()) return printable(trim(line));
  return {};
}

}  // namespace pyc::toolchain
