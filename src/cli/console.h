// The terminal: answers on stdout, everything else on stderr.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/answer.h"
#include "cli/command_line.h"
#include "cli/environment.h"
#include "cli/exit_codes.h"
#include "cli/style.h"
#include "hpc/context.h"

namespace pyc::cli {

class Console {
 public:
  Console(const ParsedLine &line, const Environment &environment);

  const Style &style() const { return error_style_; }          // of stderr
  const Style &answer_style() const { return answer_style_; }  // of stdout

  // One line that is drawn again; silent unless stderr is a terminal and --quiet was not given.
  // With --progress and no terminal it is a line for each.
  hpc::ProgressSink progress();

  // A line on stderr while a verb runs; silent with --quiet.
  hpc::NoteSink note();

  // Prints what a verb handed back and says how to exit.
  ExitCode present(const Result<Answer> &answer);
  ExitCode print(const std::string &text);

 private:
  void print_error(const Error &error);
  void print_warnings(const std::vector<evidence::Warning> &warnings);
  void clear_progress();

  bool json_, quiet_, draws_progress_, lists_progress_;
  std::string group_;  // of the verb
  bool progress_shown_ = false;
  Style error_style_, answer_style_;
};

}  // namespace pyc::cli
