// Every set of parameters that a template's rules admit, on a few levels of each parameter (parameter_levels.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "workspace/template.h"

namespace pyc::workspace {

// Parameters that may only have these values: one pins it.
using Restrictions = std::map<std::string, std::vector<std::int64_t>>;

struct ParameterLevels {
  std::string name;
  std::vector<std::int64_t> values;  // ascending, at least one
};

class ParameterSpace {
 public:
  // kInvalid for a parameter that the template does not have, a value that it does not admit, a space that the rules
  // leave empty, and one that is too large to be walked.
  static Result<ParameterSpace> enumerate(const Template &from, const Restrictions &restrictions,
                                          const std::string &arch);

  const std::vector<ParameterLevels> &levels() const { return levels_; }  // in the order of the template
  std::uint64_t size() const { return rows() * free_sets_; }              // sets that keep every rule

  // For id < size(): the place of each parameter's value among its levels.
  std::vector<std::uint8_t> places(std::uint64_t id) const;
  Parameters at(std::uint64_t id) const;
  // The set with these places, or with these parameters; none if it breaks a rule or is not on the levels.
  std::optional<std::uint64_t> id_of(const std::vector<std::uint8_t> &places) const;
  std::optional<std::uint64_t> find(const Parameters &parameters) const;
  // The set that `from` has by itself: defaults, with the pinned values. None where the rules refuse it.
  const std::optional<std::uint64_t> &default_id() const { return default_id_; }

 private:
  class Walk;
  std::uint64_t rows() const { return ruled_.empty() ? 1 : row_places_.size() / ruled_.size(); }
  std::vector<std::uint8_t> row(std::uint64_t number) const;

  std::vector<ParameterLevels> levels_;
  std::vector<std::size_t> ruled_, free_;  // parameters that a rule names, in the order of the walk; and the others
  std::vector<std::uint8_t> row_places_;   // of the ruled ones: a row for each set that keeps the rules, ascending
  std::uint64_t free_sets_ = 1;            // sets of the free ones
  std::optional<std::uint64_t> default_id_;
};

}  // namespace pyc::workspace
