#include "workspace/template.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/text.h"
#include "toolchain/arch.h"
#include "workspace/rule_expression.h"

namespace pyc::workspace {

namespace {

constexpr std::int64_t kMaxThreadsPerBlock = 1024;    // CUDA C++ programming guide, table of compute capabilities
constexpr std::int64_t kMaxRegistersPerThread = 255;  // the same

const TemplateParameter *find_parameter(const Template &from, std::string_view name) {
  for (const TemplateParameter &parameter : from.parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

// What the parameter admits, if `value` is not among it.
std::optional<std::string> why_refused(const TemplateParameter &parameter, std::int64_t value) {
  const auto &[minimum, maximum, multiple] = std::tie(parameter.minimum, parameter.maximum, parameter.multiple_of);
  if (!parameter.values.empty()) {
    if (std::find(parameter.values.begin(), parameter.values.end(), value) != parameter.values.end()) return {};
    return fmt::format("one of {}", fmt::join(parameter.values, ", "));
  }
  if (value >= minimum && value <= maximum && value % multiple == 0) return {};
  const std::string range = fmt::format("from {} to {}", minimum, maximum);
  return multiple == 1 ? range : fmt::format("a multiple of {} {}", multiple, range);
}

Status check_value(const TemplateParameter &parameter, std::int64_t value, bool given) {
  const auto expected = why_refused(parameter, value);
  if (!expected) return {};
  return fail(ErrorKind::kInvalid,
              fmt::format("parameter '{}': expected {}, got {}{}", parameter.name, *expected, value,
                          given ? "" : ", its default for these other parameters"),
              fmt::format("{}: {}", parameter.name, parameter.description));
}

// Constant defaults first, so that an expression may name any parameter that is given, constant or before it.
Result<Variables> complete(const Template &from, const Parameters &given) {
  Variables values(given.begin(), given.end());
  for (const TemplateParameter &parameter : from.parameters) {
    if (parameter.default_expression.empty()) values.try_emplace(parameter.name, parameter.default_value);
  }
  for (const TemplateParameter &parameter : from.parameters) {
    if (values.contains(parameter.name)) continue;
    const auto value = evaluate(parameter.default_expression, values);
    if (!value) return fail(value.error(), fmt::format("the default of parameter '{}'", parameter.name));
    values[parameter.name] = *value;
  }
  return values;
}

std::string listed(const Parameters &parameters) {
  std::vector<std::string> words;
  for (const auto &[name, value] : parameters) words.push_back(fmt::format("{} = {}", name, value));
  return join(words, ", ");
}

Status check_rules(const Template &from, const Parameters &parameters, const toolchain::Arch &arch) {
  Variables values = rule_limits(arch);
  values.insert(parameters.begin(), parameters.end());
  for (const TemplateRule &rule : from.rules) {
    const auto kept = evaluate(rule.rule, values);
    if (!kept) return fail(kept.error(), fmt::format("a rule of the template '{}'", from.name));
    if (*kept != 0) continue;
    return fail(
        ErrorKind::kInvalid, fmt::format("{} ({})", rule.message, listed(parameters)),
        fmt::format("the rule is: {}\nwith shared_memory_limit = {} on {}, max_threads = {}, max_registers = {}",
                    rule.rule, arch.shared_memory_per_block_bytes, arch.name, kMaxThreadsPerBlock,
                    kMaxRegistersPerThread));
  }
  return {};
}

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t word_end(const std::string &text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

// Where pyc_gemm_NAME and pyc_gemm_NAME_workspace stand as whole words.
std::vector<std::size_t> find_symbol(const std::string &source, const std::string &symbol) {
  std::vector<std::size_t> found;
  for (std::size_t at = source.find(symbol); at != source.npos; at = source.find(symbol, at + 1)) {
    const std::string word = source.substr(at, word_end(source, at) - at);
    const bool begins_word = at == 0 || !is_word(source[at - 1]);
    if (begins_word && (word == symbol || word == symbol + "_workspace")) found.push_back(at);
  }
  return found;
}

// The place of the value in "constexpr int kTileM = 128;".
struct Span {
  std::size_t begin = 0, end = 0;
};
std::vector<Span> find_constant(const std::string &source, const std::string &constant) {
  const std::string declaration = "constexpr int " + constant + " = ";
  std::vector<Span> found;
  for (std::size_t at = source.find(declaration); at != source.npos; at = source.find(declaration, at + 1)) {
    const std::size_t begin = at + declaration.size(), end = word_end(source, begin);
    if (end > begin && end < source.size() && source[end] == ';') found.push_back({begin, end});
  }
  return found;
}

// The value of each constant; none for a parameter that has no value.
using Constants = std::map<std::string, std::optional<std::int64_t>>;

Constants constants_of(const Template &from, const Parameters &values, const std::string &layout) {
  Constants constants;
  for (const TemplateParameter &parameter : from.parameters) {
    const auto value = values.find(parameter.name);
    constants[parameter.constant] = value == values.end() ? std::nullopt : std::optional(value->second);
  }
  if (from.layouts.size() > 1) {
    constants["kTransposedA"] = layout.at(0) == 't';
    constants["kTransposedB"] = layout.at(1) == 't';
  }
  return constants;
}

Result<std::string> put_constants(std::string source, const Template &from, const Constants &constants) {
  const auto is_in_source = [&](const auto &constant) { return !find_constant(source, constant.first).empty(); };
  if (std::none_of(constants.begin(), constants.end(), is_in_source)) return source;
  for (const auto &[constant, value] : constants) {
    const auto found = find_constant(source, constant);
    if (found.size() != 1 || !value) {
      return fail(ErrorKind::kInternal,
                  fmt::format("the template '{}' must say `constexpr int {} = VALUE;` exactly once, it does {} times",
                              from.name, constant, found.size()),
                  "mend the template's kernel.cu or its template.json");
    }
    source.replace(found[0].begin, found[0].end - found[0].begin, std::to_string(*value));
  }
  return source;
}

}  // namespace

Status check_parameter_names(const Template &from, const Parameters &given) {
  std::vector<std::string> names;
  for (const TemplateParameter &parameter : from.parameters) names.push_back(parameter.name);
  for (const auto &[name, value] : given) {
    if (find_parameter(from, name) != nullptr) continue;
    return fail(ErrorKind::kInvalid,
                fmt::format("the template '{}' has no parameter '{}'", from.name, printable(name, 80)),
                suggest(name, names));
  }
  return {};
}

Status check_parameter(const TemplateParameter &parameter, std::int64_t value) {
  return check_value(parameter, value, true);
}

Variables rule_limits(const toolchain::Arch &arch) {
  return {{"shared_memory_limit", arch.shared_memory_per_block_bytes},
          {"max_threads", kMaxThreadsPerBlock},
          {"max_registers", kMaxRegistersPerThread}};
}

Result<Parameters> resolve_parameters(const Template &from, const Parameters &given, const std::string &arch_name) {
  const toolchain::Arch *arch = toolchain::find_arch(arch_name);
  if (arch == nullptr || std::find(from.arches.begin(), from.arches.end(), arch_name) == from.arches.end()) {
    return fail(ErrorKind::kInvalid,
                fmt::format("the template '{}' is not for the arch '{}'", from.name, printable(arch_name, 80)),
                "it is for: " + join(from.arches, ", "));
  }
  PYC_CHECK(check_parameter_names(from, given));
  for (const auto &[name, value] : given) PYC_CHECK(check_value(*find_parameter(from, name), value, true));
  PYC_TRY(const Variables values, complete(from, given));
  for (const auto &[name, value] : values) {
    PYC_CHECK(check_value(*find_parameter(from, name), value, given.contains(name)));
  }
  const Parameters parameters(values.begin(), values.end());
  PYC_CHECK(check_rules(from, parameters, *arch));
  return parameters;
}

Result<std::string> instantiate(const std::string &source, const Template &from, const Parameters &parameters,
                                const std::string &candidate_name, const std::string &layout) {
  PYC_CHECK(check_candidate_name(candidate_name));
  PYC_TRY(const std::string text, put_constants(source, from, constants_of(from, parameters, layout)));
  if (!find_symbol(text, "pyc_gemm_" + from.name).empty()) return rename_symbol(text, from.name, candidate_name);
  return fail(ErrorKind::kInternal, fmt::format("a source of the template does not name 'pyc_gemm_{}'", from.name),
              fmt::format("mend the sources in '{}'", from.folder.string()));
}

std::string rename_symbol(const std::string &source, const std::string &from, const std::string &to) {
  const std::string symbol = "pyc_gemm_" + from;
  std::string text;
  std::size_t copied = 0;
  for (const std::size_t at : find_symbol(source, symbol)) {
    text.append(source, copied, at - copied).append("pyc_gemm_" + to);
    copied = at + symbol.size();
  }
  return text.append(source, copied);
}

}  // namespace pyc::workspace
