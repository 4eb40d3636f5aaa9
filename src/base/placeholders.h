// {name} in the words of a command line that a person wrote: checked, and replaced.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace pyc {

// kInvalid, behind "`what`: ", for a placeholder that is none of `known` and for one that is not closed. A brace that
// no letter or '_' follows is an ordinary character.
Status check_placeholders(const std::vector<std::string> &words, const std::vector<std::string> &known,
                          const std::string &what);

// Whether {name} stands in one of the words.
bool has_placeholder(const std::vector<std::string> &words, const std::string &name);

// The word with values in place of its placeholders, all of which are closed and have a value.
std::string fill_placeholders(const std::string &word, const std::map<std::string, std::string> &values);

}  // namespace pyc
