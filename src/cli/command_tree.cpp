#include "cli/command_tree.h"

#include <algorithm>

#include "base/text.h"

namespace pyc::cli {
namespace {

bool begins_with(const std::vector<std::string> &words, const std::vector<std::string> &beginning) {
  return words.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), words.begin());
}

}  // namespace

std::vector<std::string> words_of(const Verb &verb) {
  std::vector<std::string> words = {verb.group};
  for (std::string &word : split(verb.name, ' ')) words.push_back(std::move(word));
  return words;
}

std::vector<const Verb *> verbs_below(const std::vector<std::string> &named) {
  std::vector<const Verb *> below;
  for (const Verb &verb : verbs()) {
    const std::vector<std::string> words = words_of(verb);
    if (words.size() > named.size() && begins_with(words, named)) below.push_back(&verb);
  }
  return below;
}

std::vector<std::string> next_words(const std::vector<std::string> &named) {
  std::vector<std::string> next;
  for (const Verb *verb : verbs_below(named)) {
    std::string word = words_of(*verb)[named.size()];
    if (std::find(next.begin(), next.end(), word) == next.end()) next.push_back(std::move(word));
  }
  return next;
}

std::vector<std::vector<std::string>> inner_nodes() {
  std::vector<std::vector<std::string>> nodes;
  for (const Verb &verb : verbs()) {
    std::vector<std::string> words = words_of(verb);
    for (std::size_t length = 0; length < words.size(); ++length) {
      const std::vector<std::string> node(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(length));
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
  }
  return nodes;
}

const Verb *find_verb(const std::vector<std::string> &words) {
  for (const Verb &verb : verbs())
    if (words_of(verb) == words) return &verb;
  return nullptr;
}

std::vector<Flag> flags_of(const Verb &verb) {
  std::vector<Flag> flags(verb.flags.begin(), verb.flags.end());
  for (const std::span<const Flag> more : {group_flags(verb.group), common_flags()})
    flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

std::string describe_word(const std::vector<std::string> &words) {
  if (const Verb *verb = find_verb(words)) return verb->summary;
  return "one of: " + join(next_words(words), ", ");
}

}  // namespace pyc::cli
