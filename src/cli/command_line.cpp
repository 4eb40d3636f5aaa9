// The only file that includes CLI11.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "cli/command_tree.h"
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
      add_group(verb.group);
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
  const Level &group(const char *name) const { return groups_.at(name); }
  std::vector<std::string> leftovers() const { return root_.remaining(true); }

 private:
  void add_group(const char *name) {
    const auto [group, fresh] = groups_.try_emplace(name);
    if (!fresh) return;
    group->second.app = child(root_, name);
    add_flags(group->second, group_flags(name));
  }
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
  std::map<std::string, Level> groups_;
};

std::vector<std::string> flag_names(const Verb *verb) {
  std::vector<std::string> names;
  if (verb != nullptr) {
    for (const Flag &flag : flags_of(*verb)) names.push_back(flag.name);
  } else {
    for (const Flag &flag : common_flags()) names.push_back(flag.name);
  }
  return names;
}

bool has_flag(const Verb &verb, const std::string &flag) {
  return std::any_of(verb.flags.begin(), verb.flags.end(), [&](const Flag &known) { return flag == known.name; });
}

// "'--repeats' is a flag of 'pyc hpc bench'": of the verbs of that group, or of all; empty if no other verb has it.
std::string owner_of_flag(const std::string &flag, const std::vector<std::string> &named) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> here, anywhere;
  for (const Verb &verb : verbs()) {
    if (!has_flag(verb, flag)) continue;
    anywhere.push_back("'pyc " + join(words_of(verb), " ") + "'");
    if (!named.empty() && named.front() == verb.group) here.push_back(anywhere.back());
  }
  std::vector<std::string> &owners = here.empty() ? anywhere : here;
  if (owners.empty()) return {};
  if (owners.size() > kShown) owners.resize(kShown), owners.emplace_back("others");
  return fmt::format("'{}' is a flag of {}", flag, join(owners, ", "));
}

// A flag of a verb that would have to be named first.
bool is_flag_below(const std::string &word, const std::vector<std::string> &named) {
  const std::string flag = word.substr(0, word.find('='));
  const std::vector<const Verb *> below = verbs_below(named);
  return std::any_of(below.begin(), below.end(), [&](const Verb *verb) { return has_flag(*verb, flag); });
}

std::vector<std::string> verb_words() {
  std::vector<std::string> all;
  for (const Verb &verb : verbs()) {
    const std::vector<std::string> words = words_of(verb);
    all.insert(all.end(), words.begin() + 1, words.end());
  }
  return all;
}

// For a verb without its group, or in the wrong one: "did you mean 'pyc hpc doctor'?"; empty if there is no such verb.
std::string place_of_verb(const std::string &word) {
  std::vector<std::string> places;
  for (const Verb &verb : verbs()) {
    const std::vector<std::string> words = words_of(verb);
    const bool named = std::find(words.begin() + 1, words.end(), word) != words.end();
    if (named) places.push_back("'pyc " + join(words, " ") + "'");
  }
  return places.empty() ? "" : fmt::format("did you mean {}?", join(places, " or "));
}

std::string help_command(const std::vector<std::string> &named) {
  return fmt::format("see 'pyc {}{}--help'", join(named, " "), named.empty() ? "" : " ");
}

// The verb takes a --name, and none was given.
bool lacks_name(const Level &level) {
  const auto name = level.words.find("--name");
  return name != level.words.end() && name->second.empty();
}

tl::unexpected<Error> refuse_leftover(const std::string &word, const std::vector<std::string> &named, const Verb *verb,
                                      bool name_is_missing) {
  if (word.size() > 1 && word[0] == '-') {
    const std::string flag = word.substr(0, word.find('='));
    const auto nearest = nearest_name(flag, flag_names(verb));
    const std::string owner = owner_of_flag(flag, named);
    return fail(ErrorKind::kInvalid, fmt::format("unknown flag '{}'", printable(flag)),
                !owner.empty() ? owner
                : nearest      ? fmt::format("did you mean '{}'?", *nearest)
                               : help_command(named));
  }
  if (verb != nullptr) {
    return fail(ErrorKind::kInvalid, fmt::format("unexpected argument '{}'", printable(word)),
                name_is_missing ? fmt::format("did you mean '--name {}'?", printable(word)) : help_command(named));
  }
  const std::string place = named.empty() ? "pyc" : "pyc " + join(named, " ");
  const bool near_here = nearest_name(word, next_words(named)).has_value();
  const std::string elsewhere = near_here ? "" : place_of_verb(nearest_name(word, verb_words()).value_or(word));
  return fail(ErrorKind::kInvalid, fmt::format("unknown verb '{}' after '{}'", printable(word), place),
              elsewhere.empty() ? suggest(word, next_words(named)) : elsewhere);
}

// `--arch "$ARCH"` with ARCH unset must not mean the default. A required flag without a value is refused as missing.
Status refuse_empty(const Flag &flag, const std::vector<std::string> &given) {
  if (flag.required() || std::find(given.begin(), given.end(), "") == given.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("{} '' is empty", flag.name),
              fmt::format("give it {}, or leave the flag out", flag.value));
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
    PYC_CHECK(refuse_empty(flag, given));
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
  PYC_CHECK(take_values(tree.group(line.verb->group), group_flags(line.verb->group), line.values));
  PYC_CHECK(take_values(tree.level(index), line.verb->flags, line.values));
  if (line.values.has("--help")) {
    line.printed = verb_help(*line.verb);
    return line;
  }
  PYC_CHECK(require_flags(*line.verb, line.values));
  return line;
}

// "hpc create" has one verb, and its help is meant.
std::string help_of(const std::vector<std::string> &named) {
  const std::vector<const Verb *> below = verbs_below(named);
  if (below.size() == 1) return verb_help(*below.front());
  return group_help(named.empty() ? "" : named.front());
}

Result<CommandLine> read_tree(const Tree &tree, const std::string &problem) {
  const std::vector<std::string> named = tree.named();
  const auto index = tree.verb_index();
  if (!problem.empty()) return fail(ErrorKind::kInvalid, problem, help_command(named));
  const std::vector<std::string> leftovers = tree.leftovers();
  const bool verb_is_missing = !index && !leftovers.empty() && is_flag_below(leftovers.front(), named);
  if (!leftovers.empty() && !verb_is_missing)
    return refuse_leftover(leftovers.front(), named, index ? &verbs()[*index] : nullptr,
                           index && lacks_name(tree.level(*index)));
  if (index) return read_verb(tree, *index);
  CommandLine line;
  if (tree.wants_version()) line.printed = version_line();
  if (!line.printed && tree.common().switches.at("--help")) line.printed = help_of(named);
  if (line.printed) return line;
  return fail(ErrorKind::kInvalid, fmt::format("'pyc{}{}' needs a verb", named.empty() ? "" : " ", join(named, " ")),
              fmt::format("one of: {}; {}", join(next_words(named), ", "), help_command(named)));
}

// The words behind "pyc", with what other tools call help in the words of this one: "help hpc bench", "hpc help bench",
// "-h".
std::vector<std::string> with_usual_help(const std::vector<std::string> &argv) {
  std::vector<std::string> words(argv.begin() + std::min<std::size_t>(1, argv.size()), argv.end());
  const auto end = std::find(words.begin(), words.end(), "--");  // what is behind it belongs to another program
  std::replace(words.begin(), end, std::string("-h"), std::string("--help"));
  const std::vector<std::string> groups = next_words({});
  const bool names_group = !words.empty() && std::find(groups.begin(), groups.end(), words[0]) != groups.end();
  const auto word = words.begin() + (names_group ? 1 : 0);
  if (word == words.end() || *word != "help") return words;
  words.erase(word);
  words.emplace_back("--help");
  return words;
}

}  // namespace

ParsedLine parse_command_line(const std::vector<std::string> &argv) {
  Tree tree;
  const std::string problem = tree.parse(with_usual_help(argv));
  ParsedLine parsed{read_tree(tree, problem)};
  parsed.json = tree.common().switches.at("--json");
  parsed.quiet = tree.common().switches.at("--quiet");
  const std::vector<std::string> &color = tree.common().words.at("--color");
  if (!color.empty()) parsed.color = color.back();
  const std::vector<std::string> known = color_choices();
  if (std::find(known.begin(), known.end(), parsed.color) == known.end()) {
    parsed.line = fail(ErrorKind::kInvalid, fmt::format("--color '{}' is not known", printable(parsed.color)),
                       suggest(parsed.color, known));
    parsed.color = "auto";
  }
  return parsed;
}

}  // namespace pyc::cli
