// The command line, read once. CLI11 stays behind this header.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"
#include "cli/verb.h"

namespace pyc::cli {

struct CommandLine {
  const Verb *verb = nullptr;
  Values values;                       // the verb's and the common flags
  std::optional<std::string> printed;  // --help or --version: this text is the whole answer
};

// Always says what can be told about common flags, also where the rest is wrong, so that errors come out as asked for.
struct ParsedLine {
  Result<CommandLine> line;
  bool json = false, quiet = false;
  std::string color = "auto";
};
ParsedLine parse_command_line(const std::vector<std::string> &argv);

// Help of one verb, of a group ("hpc") or of all ("").
std::string verb_help(const Verb &verb);
std::string group_help(const std::string &group);

}  // namespace pyc::cli
