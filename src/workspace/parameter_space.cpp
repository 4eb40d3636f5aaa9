#include "workspace/parameter_space.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/text.h"
#include "workspace/parameter_levels.h"
#include "workspace/rule_expression.h"

namespace pyc::workspace {
namespace {

constexpr std::int64_t kMostEvaluations = 3'000'000;  // of rules: some seconds
constexpr std::uint64_t kMostFreeSets = std::uint64_t{1} << 32;

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::set<std::string> names_in(const std::string &rule) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < rule.size();) {
    const std::size_t begin = at;
    while (at < rule.size() && (is_letter(rule[at]) || is_digit(rule[at]))) ++at;
    if (at == begin)
      ++at;
    else if (is_letter(rule[begin]))
      names.insert(rule.substr(begin, at - begin));
  }
  return names;
}

Parameters pinned(const Restrictions &restrictions) {
  Parameters values;
  for (const auto &[name, choice] : restrictions) {
    if (choice.size() == 1) values[name] = choice.front();
  }
  return values;
}

Status check_names(const Template &from, const Restrictions &restrictions) {
  Parameters named;
  for (const auto &[name, values] : restrictions) named[name] = values.empty() ? 0 : values.front();
  return check_parameter_names(from, named);
}

}  // namespace

// Depth first over the ruled parameters; a rule is asked as soon as all that it names has a value, so that most of the
// product is never visited.
class ParameterSpace::Walk {
 public:
  Walk(ParameterSpace &space, const Template &from, const toolchain::Arch &arch)
      : space_(space), values_(rule_limits(arch)) {
    for (const TemplateRule &rule : from.rules) rules_.push_back({rule.rule, indices(names_in(rule.rule)), 0});
    order_parameters();
  }

  Status run() {
    for (const Rule &rule : rules_) {
      if (!rule.parameters.empty()) continue;
      PYC_TRY(const bool kept, keeps(rule));
      if (!kept) space_.free_sets_ = 0;
    }
    places_.resize(space_.ruled_.size());
    return visit(0);
  }

 private:
  struct Rule {
    std::string expression;
    std::set<std::size_t> parameters;
    std::size_t depth;  // how many parameters have values when it can be asked
  };

  std::set<std::size_t> indices(const std::set<std::string> &names) const {
    std::set<std::size_t> found;
    for (std::size_t i = 0; i < space_.levels_.size(); ++i) {
      if (names.contains(space_.levels_[i].name)) found.insert(i);
    }
    return found;
  }

  // The rule that lacks the fewest sets comes next, so that rules are asked early.
  void order_parameters() {
    std::vector<Rule *> open;
    for (Rule &rule : rules_) open.push_back(&rule);
    std::set<std::size_t> assigned;
    const auto cost = [&](const Rule *rule) {
      double sets = 1;
      for (const std::size_t i : rule->parameters)
        sets *= assigned.contains(i) ? 1 : static_cast<double>(levels(i).size());
      return sets;
    };
    while (!open.empty()) {
      const auto next = std::min_element(open.begin(), open.end(), [&](auto *a, auto *b) { return cost(a) < cost(b); });
      for (const std::size_t i : (*next)->parameters) {
        if (assigned.insert(i).second) space_.ruled_.push_back(i);
      }
      (*next)->depth = space_.ruled_.size();
      open.erase(next);
    }
    for (std::size_t i = 0; i < space_.levels_.size(); ++i) {
      if (!assigned.contains(i)) space_.free_.push_back(i);
    }
  }

  const std::vector<std::int64_t> &levels(std::size_t parameter) const { return space_.levels_[parameter].values; }

  Status visit(std::size_t depth) {
    if (depth == space_.ruled_.size()) {
      space_.row_places_.insert(space_.row_places_.end(), places_.begin(), places_.end());
      return {};
    }
    const std::size_t parameter = space_.ruled_[depth];
    for (std::size_t place = 0; place < levels(parameter).size(); ++place) {
      places_[depth] = static_cast<std::uint8_t>(place);
      values_[space_.levels_[parameter].name] = levels(parameter)[place];
      PYC_TRY(const bool kept, keeps_all(depth + 1));
      if (kept) PYC_CHECK(visit(depth + 1));
    }
    return {};
  }

  Result<bool> keeps_all(std::size_t depth) {
    for (const Rule &rule : rules_) {
      if (rule.depth != depth || rule.parameters.empty()) continue;
      PYC_TRY(const bool kept, keeps(rule));
      if (!kept) return false;
    }
    return true;
  }

  Result<bool> keeps(const Rule &rule) {
    if (++evaluations_ > kMostEvaluations) {
      return fail(ErrorKind::kInvalid, "the template's parameters have too many values to be walked", kNarrow);
    }
    const auto value = evaluate(rule.expression, values_);
    if (!value) return fail(value.error(), "a rule of the template");
    return *value != 0;
  }

  ParameterSpace &space_;
  Variables values_;
  std::vector<Rule> rules_;
  std::vector<std::uint8_t> places_;
  std::int64_t evaluations_ = 0;
};

Result<ParameterSpace> ParameterSpace::enumerate(const Template &from, const Restrictions &restrictions,
                                                 const std::string &arch_name) {
  const toolchain::Arch *arch = toolchain::find_arch(arch_name);
  if (arch == nullptr) return fail(ErrorKind::kInternal, "no such arch: " + arch_name);
  PYC_CHECK(check_names(from, restrictions));
  ParameterSpace space;
  const auto defaults = resolve_parameters(from, pinned(restrictions), arch_name);
  for (const TemplateParameter &parameter : from.parameters) {
    PYC_TRY(ParameterLevels levels, levels_of(parameter, restrictions));
    if (defaults && !restrictions.contains(parameter.name)) add_level(levels, defaults->at(parameter.name));
    space.levels_.push_back(std::move(levels));
  }
  Walk walk(space, from, *arch);
  PYC_CHECK(walk.run());
  for (const std::size_t i : space.free_) {
    space.free_sets_ *= space.levels_[i].values.size();
    if (space.free_sets_ > kMostFreeSets) {
      return fail(ErrorKind::kInvalid, "the template's parameters have too many values to be walked", kNarrow);
    }
  }
  if (space.size() == 0) {
    return fail(ErrorKind::kInvalid,
                fmt::format("no set of parameters keeps the rules of the template '{}'", from.name),
                defaults ? "restrict fewer parameters with --set" : defaults.error().message);
  }
  if (defaults) space.default_id_ = space.find(*defaults);
  return space;
}

std::vector<std::uint8_t> ParameterSpace::row(std::uint64_t number) const {
  const auto begin = row_places_.begin() + static_cast<std::ptrdiff_t>(number * ruled_.size());
  return {begin, begin + static_cast<std::ptrdiff_t>(ruled_.size())};
}

std::vector<std::uint8_t> ParameterSpace::places(std::uint64_t id) const {
  std::vector<std::uint8_t> places(levels_.size());
  std::uint64_t rest = id % free_sets_;
  for (const std::size_t i : free_) {
    places[i] = static_cast<std::uint8_t>(rest % levels_[i].values.size());
    rest /= levels_[i].values.size();
  }
  const std::vector<std::uint8_t> ruled = row(id / free_sets_);
  for (std::size_t depth = 0; depth < ruled_.size(); ++depth) places[ruled_[depth]] = ruled[depth];
  return places;
}

Parameters ParameterSpace::at(std::uint64_t id) const {
  const std::vector<std::uint8_t> where = places(id);
  Parameters parameters;
  for (std::size_t i = 0; i < levels_.size(); ++i) parameters[levels_[i].name] = levels_[i].values[where[i]];
  return parameters;
}

// The walk leaves its rows in ascending order.
std::optional<std::uint64_t> ParameterSpace::id_of(const std::vector<std::uint8_t> &places) const {
  std::vector<std::uint8_t> wanted;
  for (const std::size_t i : ruled_) wanted.push_back(places[i]);
  std::uint64_t low = 0, high = rows();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (row(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == rows() || row(low) != wanted) return std::nullopt;
  std::uint64_t rest = 0, weight = 1;
  for (const std::size_t i : free_) {
    rest += weight * places[i];
    weight *= levels_[i].values.size();
  }
  return low * free_sets_ + rest;
}

std::optional<std::uint64_t> ParameterSpace::find(const Parameters &parameters) const {
  std::vector<std::uint8_t> where;
  for (const ParameterLevels &levels : levels_) {
    const auto value = parameters.find(levels.name);
    if (value == parameters.end()) return std::nullopt;
    const auto place = std::find(levels.values.begin(), levels.values.end(), value->second);
    if (place == levels.values.end()) return std::nullopt;
    where.push_back(static_cast<std::uint8_t>(place - levels.values.begin()));
  }
  return id_of(where);
}

}  // namespace pyc::workspace
