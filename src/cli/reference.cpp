#include "cli/reference.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/environment.h"
#include "cli/exit_codes.h"
#include "cli/verb_details.h"

namespace pyc::cli {
namespace {

std::string row(const std::string &key, const std::string &text) { return fmt::format("| `{}` | {} |\n", key, text); }

std::string head(const char *left, const char *right) {
  return fmt::format("| {} | {} |\n| --- | --- |\n", left, right);
}

std::string usage(const Flag &flag) {
  return flag.is_switch() ? std::string(flag.name) : fmt::format("{} {}", flag.name, flag.value);
}

std::string flag_table(std::span<const Flag> flags) {
  std::string table = head("flag", "meaning");
  for (const Flag &flag : flags) table += row(usage(flag), flag.help);
  return table;
}

std::string required_line(const Verb &verb) {
  std::vector<std::string> names;
  for (const Flag &flag : verb.flags)
    if (flag.required()) names.push_back(fmt::format("`{}`", flag.name));
  return names.empty() ? "" : "Required: " + join(names, ", ") + ".\n";
}

// Parts with an empty line between them; those that are empty are left out.
std::string paragraphs(const std::vector<std::string> &parts) {
  std::string text;
  for (std::string part : parts) {
    if (part.empty()) continue;
    if (part.back() != '\n') part += '\n';
    text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

std::string verb_section(const Verb &verb) {
  return paragraphs({fmt::format("## pyc {} {}", verb.group, verb.name), fmt::format("    {}", verb.example),
                     verb.flags.empty() ? "" : flag_table(verb.flags), required_line(verb), word_table(verb),
                     details_of(verb)});
}

std::string group_section(const std::string &group) {
  const std::span<const Flag> flags = group_flags(group);
  if (flags.empty()) return {};
  return paragraphs({fmt::format("## Flags of every verb of pyc {}", group),
                     "They may also stand in front of the verb.", flag_table(flags)});
}

std::string verb_table() {
  std::string table = head("verb", "what it does");
  for (const Verb &verb : verbs()) table += row(fmt::format("pyc {} {}", verb.group, verb.name), verb.summary);
  return table;
}

std::string exit_code_table(std::span<const ExitCodeRow> rows) {
  std::string table = head("code", "meaning");
  for (const ExitCodeRow &code : rows) table += row(std::to_string(code.code), code.meaning);
  return table;
}

std::string variable_table() {
  std::string table = head("variable", "meaning");
  for (const EnvironmentVariable &variable : environment_variables()) table += row(variable.name, variable.meaning);
  return table;
}

constexpr const char *kIntroduction =
    "`pyc` prints its answer on stdout and nothing else there; tables, notes, warnings, progress and errors go to\n"
    "stderr.";
constexpr const char *kExitRule =
    "The rule is one: did it do its work, and is the answer yes? So `doctor` on a machine without a GPU is 1, because "
    "it\n"
    "found out what it was asked, and `validate` there is 3.";

}  // namespace

std::string markdown_reference() {
  std::vector<std::string> parts = {
      "<!-- Made by `pyc reference markdown` from the tables in src/cli. Do not edit. -->",
      "# The command line",
      kIntroduction,
      "## Verbs",
      verb_table(),
      general_details(),
      "## Flags of every verb",
      flag_table(common_flags())};
  for (const std::string &group : next_words({})) {
    parts.push_back(group_section(group));
    for (const Verb &verb : verbs())
      if (group == verb.group) parts.push_back(verb_section(verb));
  }
  for (const std::string &part :
       {std::string("## Exit codes"), exit_code_table(exit_code_rows()), std::string(kExitRule),
        std::string("## Exit codes of pyc lab"), exit_code_table(lab_exit_code_rows()),
        std::string("## Environment variables"), variable_table()})
    parts.push_back(part);
  return paragraphs(parts);
}

}  // namespace pyc::cli
