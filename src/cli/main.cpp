// pyc: read the command line, make a context, run one verb, say how to exit.
#include <exception>
#include <string>
#include <vector>

#include "base/process.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/environment.h"
#include "cli/open_context.h"

namespace pyc::cli {
namespace {

Result<Answer> run_verb(const CommandLine &line, const Environment &environment, const std::vector<std::string> &argv,
                        Console &console) try {
  PYC_TRY(const OpenedContext opened, open_context(line, environment, argv, console.progress(), console.note()));
  return line.verb->run({line.values, opened.context, opened.workspace_error, console.style(), console.answer_style()});
} catch (const std::exception &error) {
  return fail(ErrorKind::kInternal, std::string("internal error: ") + error.what(),
              "please report it with the command");
}

int run(const std::vector<std::string> &argv) {
  install_interrupt_handler();
  const Environment environment = read_environment();
  const ParsedLine parsed = parse_command_line(argv);
  Console console(parsed, environment);
  if (!parsed.line) return console.present(tl::unexpected<Error>(parsed.line.error()));
  if (parsed.line->printed) return console.print(*parsed.line->printed);
  return console.present(run_verb(*parsed.line, environment, argv, console));
}

}  // namespace
}  // namespace pyc::cli

int main(int argc, char **argv) { return pyc::cli::run({argv, argv + argc}); }
