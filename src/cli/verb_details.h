// The prose behind the tables: what a verb does beyond its one line. The reference page and the manual pages show it.
#pragma once

#include <string>

#include "cli/verb.h"

namespace pyc::cli {

// Paragraphs with an empty line between them, `code` in backquotes, and tables in Markdown's form. Empty for a verb
// that its flags explain.
std::string details_of(const Verb &verb);

// The same of all verbs together: what stands on which stream.
std::string general_details();

// The statuses of `list` and other words of a verb's answers, as a table.
std::string word_table(const Verb &verb);

}  // namespace pyc::cli
