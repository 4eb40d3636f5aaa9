#include <fmt/format.h>
#include <set>

#include "cli/command_line.h"

namespace pyc::cli {
namespace {

std::string usage_of(const Flag &flag) {
  return flag.is_switch() ? flag.name : fmt::format("{} {}", flag.name, flag.value);
}

std::vector<std::vector<std::string>> flag_rows(std::span<const Flag> flags) {
  std::vector<std::vector<std::string>> rows;
  for (const Flag &flag : flags) {
    rows.push_back({"  " + usage_of(flag), flag.help + std::string(flag.required() ? " (required)" : "")});
  }
  return rows;
}

std::string first_example(const std::string &group) {
  for (const Verb &verb : verbs())
    if (group.empty() || group == verb.group) return verb.example;
  return {};
}

}  // namespace

std::string verb_help(const Verb &verb) {
  auto rows = flag_rows(verb.flags);
  for (auto &row : flag_rows(group_flags(verb.group))) rows.push_back(std::move(row));
  for (auto &row : flag_rows(common_flags())) rows.push_back(std::move(row));
  return fmt::format("Example:\n  {}\n\npyc {} {}: {}\n\nFlags:\n{}", verb.example, verb.group, verb.name, verb.summary,
                     format_table(rows));
}

std::string group_help(const std::string &group) {
  std::vector<std::vector<std::string>> rows;
  for (const Verb &verb : verbs()) {
    if (group.empty() || group == verb.group)
      rows.push_back({fmt::format("  pyc {} {}", verb.group, verb.name), verb.summary});
  }
  return fmt::format(
      "Example:\n  {}\n\nPyC, a CUDA GEMM kernel workbench: create, validate, bench, "
      "promote.\n\nVerbs:\n{}\n"
      "'pyc {} VERB --help' leads with an example of the verb; 'pyc --version' names this build.\n",
      first_example(group), format_table(rows), group.empty() ? "hpc" : group);
}

}  // namespace pyc::cli
