// The only file that includes CLI11.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "cli/version.h"

namespace pyc::cli {
namespace {

// One CLI11 command with the storage behind its flags.
struct Level {
  CLI::App *app = nullptr;
  std::map<std::string, std::vector<std::string>> words;
  std::map<std::string, bool> switches;
};

void add_flags(Level &level, std::span<const Flag> flags) {
  for (const Flag &flag : flags) {
    if (flag.is_switch()) {
      level.app->add_flag(flag.name, level.switches[flag.name]);
      continue;
    }
    const std::string names = flag.use == Flag::kRequiredOrPositional
                                  ? fmt::format("{},{}", flag.name, std::string(flag.name).substr(2))
                                  : flag.name;
    level.app->add_option(names, level.words[flag.name])
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

// The tree of commands: pyc, its groups, their verbs; "create gemm" is two words deep.
class Tree {
 public:
  Tree() : root_("pyc") {
    configure(root_);
    root_level_.app = &root_;
    add_flags(root_level_, common_flags());
    root_.add_flag("--version", version_);
    levels_.reserve(verbs().size());
    for (const Verb &verb : verbs()) {
      CLI::App *app = &root_;
      for (const std::string &word : words_of(verb)) app = child(*app, word);
      levels_.emplace_back().app = app;
      add_flags(levels_.back(), verb.flags);
    }
  }

  // Empty: parsed. Otherwise what is wrong.
  std::string parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());
    try {
      root_.parse(std::move(arguments));
    } catch (const CLI::ArgumentMismatch &error) {
      const std::string message = error.what();  // "--name: 1 required TEXT missing"
      return message.substr(0, message.find(':')) + " needs a value";
    } catch (const CLI::Error &error) {
      return error.what();
    }
    return {};
  }

  bool wants_version() const { return version_; }
  const Level &common() const { return root_level_; }
  // The deepest command that was named, as words, and the verb if it is one.
  std::vector<std::string> named() const {
    std::vector<std::string> words;
    for (const CLI::App *app = &root_; !app->get_subcommands().empty();) {
      app = app->get_subcommands().front();
      words.push_back(app->get_name());
    }
    return words;
  }
  std::optional<std::size_t> verb_index() const {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (words_of(verbs()[i]) == named()) return i;
    }
    return std::nullopt;
  }
  const Level &level(std::size_t index) const { return levels_[index]; }
  std::vector<std::string> leftovers() const { return root_.remaining(true); }

  static std::vector<std::string> words_of(const Verb &verb) {
    std::vector<std::string> words = {verb.group};
    for (std::string &word : split(verb.name, ' ')) words.push_back(std::move(word));
    return words;
  }

 private:
  static void configure(CLI::App &app) {
    app.set_help_flag();
    app.allow_extras();
    app.fallthrough();
    app.require_subcommand(0, 1);
  }
  static CLI::App *child(CLI::App &parent, const std::string &word) {
    const auto known = parent.get_subcommands([&](const CLI::App *app) { return app->get_name() == word; });
    if (!known.empty()) return known.front();
    CLI::App *fresh = parent.add_subcommand(word);
    configure(*fresh);
    return fresh;
  }

  CLI::App root_;
  bool version_ = false;
  Level root_level_;
  std::vector<Level> levels_;
};

// Words that may follow those already named: groups, verbs, or the second word of a verb.
std::vector<std::string> next_words(const std::vector<std::string> &named) {
  std::vector<std::string> next;
  for (const Verb &verb : verbs()) {
    const std::vector<std::string> words = Tree::words_of(verb);
    if (words.size() <= named.size() || !std::equal(named.begin(), named.end(), words.begin())) continue;
    if (std::find(next.begin(), next.end(), words[named.size()]) == next.end()) next.push_back(words[named.size()]);
  }
  return next;
}

std::vector<std::string> flag_names(const Verb *verb) {
  std::vector<std::string> names;
  if (verb != nullptr) {
    for (const Flag &flag : verb->flags) names.push_back(flag.name);
  }
  for (const Flag &flag : common_flags()) names.push_back(flag.name);
  return names;
}

std::string help_command(const std::vector<std::string> &named) {
  return fmt::format("see 'pyc {}{}--help'", join(named, " "), named.empty() ? "" : " ");
}

tl::unexpected<Error> refuse_leftover(const std::string &word, const std::vector<std::string> &named,
                                      const Verb *verb) {
  if (word.size() > 1 && word[0] == '-') {
    const std::string flag = word.substr(0, word.find('='));
    const auto nearest = nearest_name(flag, flag_names(verb));
    return fail(ErrorKind::kInvalid, fmt::format("unknown flag '{}'", printable(flag)),
                nearest ? fmt::format("did you mean '{}'?", *nearest) : help_command(named));
  }
  if (verb != nullptr) {
    return fail(ErrorKind::kInvalid, fmt::format("unexpected argument '{}'", printable(word)), help_command(named));
  }
  const std::string place = named.empty() ? "pyc" : "pyc " + join(named, " ");
  return fail(ErrorKind::kInvalid, fmt::format("unknown verb '{}' after '{}'", printable(word), place),
              suggest(word, next_words(named)));
}

Status take_values(const Level &level, std::span<const Flag> flags, Values &values) {
  for (const Flag &flag : flags) {
    if (flag.is_switch()) {
      if (level.switches.at(flag.name)) values.add(flag.name, "");
      continue;
    }
    const std::vector<std::string> &given = level.words.at(flag.name);
    if (given.size() > 1 && flag.use != Flag::kRepeatable) {
      return fail(ErrorKind::kInvalid, fmt::format("{} is given {} times", flag.name, given.size()), "give it once");
    }
    for (const std::string &word : given) values.add(flag.name, word);
  }
  return {};
}

Status require_flags(const Verb &verb, const Values &values) {
  for (const Flag &flag : verb.flags) {
    if (!flag.required() || !values.text(flag.name).empty()) continue;
    return fail(ErrorKind::kInvalid, fmt::format("pyc {} {} needs {} {}", verb.group, verb.name, flag.name, flag.value),
                fmt::format("for example: {}", verb.example));
  }
  return {};
}

Result<CommandLine> read_verb(const Tree &tree, std::size_t index) {
  CommandLine line;
  line.verb = &verbs()[index];
  PYC_CHECK(take_values(tree.common(), common_flags(), line.values));
  PYC_CHECK(take_values(tree.level(index), line.verb->flags, line.values));
  if (line.values.has("--help")) {
    line.printed = verb_help(*line.verb);
    return line;
  }
  PYC_CHECK(require_flags(*line.verb, line.values));
  return line;
}

Result<CommandLine> read_tree(const Tree &tree, const std::string &problem) {
  const std::vector<std::string> named = tree.named();
  const auto index = tree.verb_index();
  if (!problem.empty()) return fail(ErrorKind::kInvalid, problem, help_command(named));
  const std::vector<std::string> leftovers = tree.leftovers();
  if (!leftovers.empty()) return refuse_leftover(leftovers.front(), named, index ? &verbs()[*index] : nullptr);
  if (index) return read_verb(tree, *index);
  CommandLine line;
  if (tree.wants_version()) line.printed = version_line();
  if (!line.printed && tree.common().switches.at("--help"))
    line.printed = group_help(named.empty() ? "" : named.front());
  if (line.printed) return line;
  return fail(ErrorKind::kInvalid, fmt::format("'pyc{}{}' needs a verb", named.empty() ? "" : " ", join(named, " ")),
              fmt::format("one of: {}; {}", join(next_words(named), ", "), help_command(named)));
}

}  // namespace

ParsedLine parse_command_line(const std::vector<std::string> &argv) {
  Tree tree;
  const std::string problem = tree.parse({argv.begin() + std::min<std::size_t>(1, argv.size()), argv.end()});
  ParsedLine parsed{read_tree(tree, problem)};
  parsed.json = tree.common().switches.at("--json");
  parsed.quiet = tree.common().switches.at("--quiet");
  const std::vector<std::string> &color = tree.common().words.at("--color");
  if (!color.empty()) parsed.color = color.back();
  const std::vector<std::string> known = {"auto", "always", "never"};
  if (std::find(known.begin(), known.end(), parsed.color) == known.end()) {
    parsed.line = fail(ErrorKind::kInvalid, fmt::format("--color '{}' is not known", printable(parsed.color)),
                       suggest(parsed.color, known));
    parsed.color = "auto";
  }
  return parsed;
}

}  // namespace pyc::cli
