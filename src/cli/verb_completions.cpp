#include "cli/completions.h"
#include "cli/json_output.h"
#include "cli/verb.h"

namespace pyc::cli {
namespace {

Answer script(std::string text) {
  Answer answer;
  answer.json = [text] { return text_document(text); };
  answer.text = std::move(text);
  return answer;
}

}  // namespace

Result<Answer> run_completions_bash(const Invocation &) { return script(bash_completions()); }
Result<Answer> run_completions_zsh(const Invocation &) { return script(zsh_completions()); }
Result<Answer> run_completions_fish(const Invocation &) { return script(fish_completions()); }

}  // namespace pyc::cli
