#include "cli/flag_values.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "hpc/choices.h"

namespace pyc::cli {
namespace {

constexpr std::string_view kMakers[] = {"create gemm", "tune gemm", "import-legacy"};  // their --name is a new one

// A candidate that exists: not the new one, nor a name of the lab.
bool names_a_candidate(const Verb &verb, const Flag &flag) {
  const bool is_maker =
      std::find(std::begin(kMakers), std::end(kMakers), std::string_view(verb.name)) != std::end(kMakers);
  const bool is_new = is_maker && std::string_view(flag.name) == "--name";
  return std::string_view(verb.group) == "hpc" && std::string_view(flag.value) == "NAME" && !is_new &&
         std::string_view(flag.name) != "--legacy-name";
}

}  // namespace

FlagValues values_of(const Verb &verb, const Flag &flag) {
  if (flag.is_switch()) return {FlagValues::kNone, {}};
  const std::string_view value = flag.value;
  if (value == "WHEN") return {FlagValues::kChoice, color_choices()};
  if (auto choices = hpc::choices_of(value); !choices.empty()) return {FlagValues::kChoice, std::move(choices)};
  if (names_a_candidate(verb, flag)) return {FlagValues::kCandidate, {}};
  if (value == "FILE" || value == "PATH") return {FlagValues::kFile, {}};
  if (value == "FOLDER") return {FlagValues::kFolder, {}};
  return {FlagValues::kAnything, {}};
}

}  // namespace pyc::cli
