// The values of one parameter that a search looks at. Private to workspace/.
//
// They are those that the caller restricts it to, else the template's menu, else its range: whole where it has few
// values, and otherwise those multiples whose factor has at most two significant bits (1, 2, 3, 4, 6, 8, 12, 16, ...),
// because what a tile twice as large changes, one that is a tenth larger does not show.
#pragma once

#include "workspace/parameter_space.h"

namespace pyc::workspace {

constexpr const char *kNarrow = "give some of them with --set KEY=VALUE, or a few values: --set KEY=V1,V2";

// kInvalid for a value that the parameter does not admit, and for more values than can be told apart in a byte.
Result<ParameterLevels> levels_of(const TemplateParameter &parameter, const Restrictions &restrictions);

void add_level(ParameterLevels &levels, std::int64_t value);  // in its place, if it is not there

}  // namespace pyc::workspace
