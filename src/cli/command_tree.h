// The command line as a tree of words, read from the table of verbs: what may stand behind what. Help, parsing,
// completions and the manual read the same tree.
#pragma once

#include <string>
#include <vector>

#include "cli/verb.h"

namespace pyc::cli {

// "hpc", "create", "gemm".
std::vector<std::string> words_of(const Verb &verb);

// The verbs whose words begin with those already named and go on. In the order of the table.
std::vector<const Verb *> verbs_below(const std::vector<std::string> &named);

// Words that may follow those already named: groups, verbs, or the second word of a verb. In the order of the table.
std::vector<std::string> next_words(const std::vector<std::string> &named);

// Every beginning of a verb's words that is not a whole verb: {}, {hpc}, {hpc, create}.
std::vector<std::vector<std::string>> inner_nodes();

// The verb that these words are; null if they are none.
const Verb *find_verb(const std::vector<std::string> &words);

// All flags of a verb: its own, its group's, the common ones.
std::vector<Flag> flags_of(const Verb &verb);

// What a group or verb is, for lists: a verb's summary, or "pyc hpc ...: verbs of hpc".
std::string describe_word(const std::vector<std::string> &words);

}  // namespace pyc::cli
