#include "cli/completions.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/flag_values.h"

namespace pyc::cli {
namespace {

// The first column of `pyc hpc list`, which takes some milliseconds.
constexpr const char *kCandidates = "pyc hpc list --quiet 2>/dev/null | awk 'NR > 1 { print $1 }'";

std::string path_of(const std::vector<std::string> &words) { return join(words, " "); }

// Every word path that is a node of the tree, verbs too, the root excepted.
std::vector<std::string> all_paths() {
  std::vector<std::string> paths;
  for (const auto &node : inner_nodes())
    if (!node.empty()) paths.push_back(path_of(node));
  for (const Verb &verb : verbs()) paths.push_back(path_of(words_of(verb)));
  return paths;
}

// 'hpc' | 'hpc doctor': alternatives of a case, for bash and zsh.
std::string quoted_patterns(const std::vector<std::string> &paths) {
  std::vector<std::string> patterns;
  patterns.reserve(paths.size());
  for (const std::string &path : paths) patterns.push_back("'" + path + "'");
  return join(patterns, " | ");
}

// ---- bash

std::string bash_action(const FlagValues &values) {
  switch (values.kind) {
    case FlagValues::kNone: return {};
    case FlagValues::kAnything: return "return";
    case FlagValues::kChoice: return fmt::format("words='{}'", join(values.choices, " "));
    case FlagValues::kCandidate: return "words=$(_pyc_candidates)";
    case FlagValues::kFile: return "_pyc_files -f; return";
    case FlagValues::kFolder: return "_pyc_files -d; return";
  }
  return {};
}

// What stands where no flag asks for a value: flags, or what may stand without its flag.
std::string bash_bare_word(const Verb &verb, const std::string &flag_names) {
  std::string flags = fmt::format("words='{}'", flag_names);
  for (const Flag &flag : verb.flags) {
    if (flag.use != Flag::kRequiredOrPositional) continue;
    const std::string action = bash_action(values_of(verb, flag));
    if (action == "return") return flags;
    return fmt::format("case $word in -*) {} ;; *) {} ;; esac", flags, action);
  }
  return flags;
}

std::string bash_verb(const Verb &verb) {
  const std::string path = path_of(words_of(verb));
  std::string cases;
  std::vector<std::string> names;
  for (const Flag &flag : flags_of(verb)) {
    names.emplace_back(flag.name);
    const std::string action = bash_action(values_of(verb, flag));
    if (!action.empty()) cases += fmt::format("        {}) {} ;;\n", flag.name, action);
  }
  return fmt::format("    '{}')\n      case $before in\n{}        *) {} ;;\n      esac ;;\n", path, cases,
                     bash_bare_word(verb, join(names, " ")));
}

// ---- zsh

// Characters that _arguments would read, in a text within single quotes.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_action(const FlagValues &values) {
  switch (values.kind) {
    case FlagValues::kNone:
    case FlagValues::kAnything: return " ";
    case FlagValues::kChoice: return fmt::format("({})", join(values.choices, " "));
    case FlagValues::kCandidate: return "_pyc_candidates";
    case FlagValues::kFile: return "_files";
    case FlagValues::kFolder: return "_files -/";
  }
  return {};
}

std::string zsh_flag(const Verb &verb, const Flag &flag) {
  const std::string head =
      fmt::format("{}{}[{}]", flag.use == Flag::kRepeatable ? "*" : "", flag.name, zsh_text(flag.help));
  if (flag.is_switch()) return fmt::format("'{}'", head);
  return fmt::format("'{}:{}:{}'", head, flag.value, zsh_action(values_of(verb, flag)));
}

std::string zsh_verb(const Verb &verb) {
  std::string text = fmt::format("    '{}')\n      _arguments", path_of(words_of(verb)));
  for (const Flag &flag : flags_of(verb)) text += " \\\n        " + zsh_flag(verb, flag);
  for (const Flag &flag : verb.flags) {
    if (flag.use == Flag::kRequiredOrPositional)
      text += fmt::format(" \\\n        ':{}:{}'", flag.value, zsh_action(values_of(verb, flag)));
  }
  return text + " ;;\n";
}

std::string zsh_node(const std::vector<std::string> &node) {
  std::string text = fmt::format("    '{}')\n      next=(", path_of(node));
  for (const std::string &word : next_words(node)) {
    std::vector<std::string> words = node;
    words.push_back(word);
    text += fmt::format("\n        '{}:{}'", word, zsh_text(describe_word(words)));
  }
  return text + ")\n      _describe 'verb' next ;;\n";
}

// ---- fish

std::string fish_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return "'" + escaped + "'";
}

std::string fish_action(const FlagValues &values) {
  switch (values.kind) {
    case FlagValues::kNone: return "";
    case FlagValues::kAnything: return " -x";
    case FlagValues::kChoice: return fmt::format(" -x -a '{}'", join(values.choices, " "));
    case FlagValues::kCandidate: return " -x -a '(__pyc_candidates)'";
    case FlagValues::kFile: return " -r -F";
    case FlagValues::kFolder: return " -x -a '(__fish_complete_directories)'";
  }
  return {};
}

std::string fish_verb(const Verb &verb) {
  const std::string path = path_of(words_of(verb));
  std::string text;
  for (const Flag &flag : flags_of(verb)) {
    text += fmt::format("complete -c pyc -n '__pyc_in {}' -l {}{} -d {}\n", path, std::string_view(flag.name).substr(2),
                        fish_action(values_of(verb, flag)), fish_text(flag.help));
  }
  for (const Flag &flag : verb.flags) {
    const FlagValues values = values_of(verb, flag);
    if (flag.use != Flag::kRequiredOrPositional) continue;
    text += fmt::format("complete -c pyc -n '__pyc_in {}'{}\n", path,
                        values.kind == FlagValues::kFile ? " -F" : fish_action(values));
  }
  return text;
}

std::string fish_node(const std::vector<std::string> &node) {
  std::string text;
  for (const std::string &word : next_words(node)) {
    std::vector<std::string> words = node;
    words.push_back(word);
    text += fmt::format("complete -c pyc -n '__pyc_at {}' -a {} -d {}\n", path_of(node), word,
                        fish_text(describe_word(words)));
  }
  return text;
}

}  // namespace

std::string bash_completions() {
  std::string nodes, whole;
  for (const auto &node : inner_nodes()) {
    const char *more = node.empty() ? " --help --version" : " --help";
    nodes += fmt::format("    '{}') words='{}{}' ;;\n", path_of(node), join(next_words(node), " "), more);
  }
  for (const Verb &verb : verbs()) whole += bash_verb(verb);
  return fmt::format(
      "# Completions of pyc for bash, made by `pyc completions bash`.\n"
      "_pyc_candidates() {{ {}; }}\n"
      "_pyc_files() {{ compopt -o filenames; mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$word\"); }}\n"
      "_pyc() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} path='' words='' next i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    next=${{path:+$path }}${{COMP_WORDS[i]}}\n"
      "    case $next in {}) path=$next ;; esac\n"
      "  done\n"
      "  case $path in\n{}{}"
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "}}\n"
      "complete -F _pyc pyc\n",
      kCandidates, quoted_patterns(all_paths()), nodes, whole);
}

std::string zsh_completions() {
  std::string nodes, whole;
  for (const auto &node : inner_nodes()) nodes += zsh_node(node);
  for (const Verb &verb : verbs()) whole += zsh_verb(verb);
  return fmt::format(
      "#compdef pyc\n"
      "# Completions of pyc for zsh, made by `pyc completions zsh`.\n"
      "_pyc_candidates() {{ local -a names; names=(${{(f)\"$({})\"}}); compadd -a names }}\n"
      "_pyc() {{\n"
      "  local verb='' longer\n"
      "  local -a next\n"
      "  while (( CURRENT > 2 )); do\n"
      "    longer=\"${{verb:+$verb }}${{words[2]}}\"\n"
      "    case $longer in\n      ({}) verb=$longer ;;\n      (*) break ;;\n    esac\n"
      "    shift words; (( CURRENT-- ))\n"
      "  done\n"
      "  case $verb in\n{}{}  esac\n"
      "}}\n"
      "if [ \"$funcstack[1]\" = _pyc ]; then _pyc \"$@\"; else compdef _pyc pyc; fi\n",
      kCandidates, quoted_patterns(all_paths()), nodes, whole);
}

std::string fish_completions() {
  std::string text =
      "# Completions of pyc for fish, made by `pyc completions fish`.\n"
      "function __pyc_candidates\n    " +
      std::string(kCandidates) +
      "\nend\n"
      "function __pyc_at\n    set -l words (commandline -opc)\n    test \"$words[2..-1]\" = \"$argv\"\nend\n"
      "function __pyc_in\n    set -l words (commandline -opc)\n    set -l last (math (count $argv) + 1)\n"
      "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\nend\n"
      "complete -c pyc -f\n";
  for (const auto &node : inner_nodes()) text += fish_node(node);
  for (const Verb &verb : verbs()) text += fish_verb(verb);
  return text;
}

}  // namespace pyc::cli
