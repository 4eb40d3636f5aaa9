#include "hpc/sanitize.h"

#include <fmt/format.h>
#include <numeric>

#include "base/text.h"
#include "toolchain/sanitizer.h"

namespace pyc::hpc {
namespace {

constexpr const char *kTools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr int kErrorsFound = 99;  // the exit code that the sanitizer is told to use
constexpr std::chrono::minutes kTimeLimit{5};

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// The first line that names an error: "Invalid __global__ read of size 4 bytes".
std::string first_finding(const std::string &output) {
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    std::string line = output.substr(begin, end - begin);
    begin = end + 1;
    if (line.rfind("=========", 0) != 0 || line.find("COMPUTE-SANITIZER") != std::string::npos) continue;
    line = line.substr(line.find_first_not_of("= ") == std::string::npos ? line.size() : line.find_first_not_of("= "));
    if (!line.empty()) return printable(line);
  }
  return "no words about what";
}

Error cannot_look(const std::string &tool, const std::string &why) {
  return {ErrorKind::kUnavailable, fmt::format("compute-sanitizer's {} cannot run here: {}", tool, why),
          "run `pyc hpc doctor`; without --sanitize the other checks run as before"};
}

std::vector<std::string> command_of(const std::filesystem::path &sanitizer, const char *tool,
                                    const workspace::CandidateBuild &build, const workspace::Contract &contract,
                                    const evidence::Shape &shape) {
  return {sanitizer.string(),
          "--tool",
          tool,
          "--error-exitcode",
          std::to_string(kErrorsFound),
          build.executable,
          "--shape",
          to_string(shape),
          "--dtype",
          contract.dtype,
          "--layout",
          contract.layout};
}

Result<ProcessResult> run_tool(const Context &context, const std::vector<std::string> &command) {
  ProcessOptions child;
  child.argv = command;
  child.working_directory = context.workspace.root;
  child.time_limit = kTimeLimit;
  return run_process(child);
}

Status look(const Context &context, const Machine &machine, const workspace::CandidateBuild &build,
            const workspace::Contract &contract, Sanitized &all) {
  PYC_TRY(const std::filesystem::path sanitizer, toolchain::find_sanitizer(machine.nvcc, context.environment));
  for (const char *tool : kTools) {
    context.progress({fmt::format("running {}", tool), static_cast<int>(all.checks.size()), 0});
    for (const evidence::Shape &shape : sanitized_shapes(contract.requirements)) {
      const std::vector<std::string> command = command_of(sanitizer, tool, build, contract, shape);
      PYC_TRY(const ProcessResult ended, run_tool(context, command));
      PYC_TRY(evidence::Check check, judge_sanitizer(tool, shape, ended));
      if (check.status == "failed" && all.again.empty()) all.again = quote_command(command);
      all.checks.push_back(std::move(check));
    }
  }
  return {};
}

}  // namespace

std::vector<evidence::Shape> sanitized_shapes(const workspace::Requires &rules) {
  const auto shape = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return evidence::Shape{round_up(m, std::lcm(rules.m_multiple, rules.ld_multiple)),
                           round_up(n, std::lcm(rules.n_multiple, rules.ld_multiple)),
                           round_up(k, std::lcm(rules.k_multiple, rules.ld_multiple))};
  };
  return {shape(129, 131, 67), shape(256, 128, 128)};
}

Result<evidence::Check> judge_sanitizer(const std::string &tool, const evidence::Shape &shape,
                                        const ProcessResult &ended) {
  if (ended.end == ProcessEnd::kInterrupted) return fail(ErrorKind::kInterrupted, "interrupted", {});
  const std::string output = ended.standard_output + ended.standard_error;
  evidence::Check check;
  check.check = tool;
  check.variant = to_string(shape);
  const bool looked = output.find("SUMMARY") != std::string::npos;
  check.status = ended.succeeded() && looked ? "passed" : "failed";
  if (check.status == "passed") return check;
  if (ended.end == ProcessEnd::kTimeLimit) {
    check.reason = ended.describe();
    return check;
  }
  if (ended.end == ProcessEnd::kExited && ended.exit_code != kErrorsFound && !looked) {
    return tl::unexpected<Error>(cannot_look(tool, first_finding(output)));
  }
  check.reason = first_finding(output);
  return check;
}

Sanitized sanitize(const Context &context, const Machine &machine, const workspace::CandidateBuild &build,
                   const workspace::Contract &contract) {
  Sanitized all;
  const Status looked = look(context, machine, build, contract, all);
  if (!looked) all.blind = looked.error();
  return all;
}

}  // namespace pyc::hpc
