// Maintained templates: what they offer, the rules their parameters keep, and how one becomes a candidate.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/arch.h"
#include "workspace/contract.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

struct TemplateParameter {
  std::string name;      // tile_m
  std::string constant;  // kTileM
  std::int64_t default_value = 0, minimum = 0, maximum = 0, multiple_of = 1;
  std::string default_expression = {};    // over other parameters; empty: default_value is the default
  std::vector<std::int64_t> values = {};  // the only ones allowed; empty: all in the range
  std::string description = {};
};

// Beside the parameters, rules may name shared_memory_limit (bytes a block can have on the arch), max_threads (of a
// block) and max_registers (of a thread).
struct TemplateRule {
  std::string rule;     // an expression (rule_expression.h) that is not 0 if the rule is kept
  std::string message;  // the same in words
};

struct Template {
  std::string name, description;
  std::filesystem::path folder;
  std::vector<std::string> dtypes, layouts, arches;
  std::vector<TemplateParameter> parameters;
  std::vector<TemplateRule> rules;
  Requires requirements;  // pointer_alignment is at least one element of the widest dtype
  bool workspace = false, tensor_core = false;
};

// Sorted by name. kInvalid naming the file and the field if a template.json is not as docs/reference/template-json.md
// says.
Result<std::vector<Template>> read_templates(const Workspace &workspace);
// kInvalid with the names that there are if there is no such template.
Result<Template> read_template(const Workspace &workspace, const std::string &name);

using Parameters = std::map<std::string, std::int64_t>;

// What rules may name beside the parameters: the limits of `arch`.
std::map<std::string, std::int64_t, std::less<>> rule_limits(const toolchain::Arch &arch);

// kInvalid, naming it, for a parameter that the template does not have, and for a value that a parameter does not
// admit.
Status check_parameter_names(const Template &from, const Parameters &given);
Status check_parameter(const TemplateParameter &parameter, std::int64_t value);

// `given` completed with defaults and checked against ranges and rules for `arch`. kInvalid names the parameter or the
// rule.
Result<Parameters> resolve_parameters(const Template &from, const Parameters &given, const std::string &arch);

// kernel.cu or harness.cu of the template with the constants and the symbol of the candidate put in. The constants are
// those of the parameters and, if the template offers more than one layout, kTransposedA and kTransposedB: 1 where the
// letter is t. A source that has none of them (harness.cu) only gets the symbol. kInternal if some but not all of the
// constants are found, one is found twice, or the symbol is not found.
Result<std::string> instantiate(const std::string &source, const Template &from, const Parameters &parameters,
                                const std::string &candidate_name, const std::string &layout = "nn");

// pyc_gemm_FROM and pyc_gemm_FROM_workspace, where they stand as whole words, become those of `to`; both are candidate
// or template names. How a source becomes another candidate's.
std::string rename_symbol(const std::string &source, const std::string &from, const std::string &to);

}  // namespace pyc::workspace
