#include <cstdint>
#include <fmt/format.h>
#include <limits>

#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

using Parameters = decltype(hpc::CreateOptions::parameters);

Status set_parameter(Parameters &parameters, const std::string &key, const std::string &flag,
                     const std::string &value) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  PYC_TRY(const std::int64_t number, parse_integer(flag, value, kLeast, kMost));
  if (parameters.emplace(key, number).second) return {};
  return fail(ErrorKind::kInvalid, fmt::format("the parameter '{}' is given twice", key), "give it once");
}

Result<Parameters> read_parameters(const Values &values) {
  Parameters parameters;
  const std::pair<const char *, const char *> kTiles[] = {
      {"--tile-m", "tile_m"}, {"--tile-n", "tile_n"}, {"--tile-k", "tile_k"}};
  for (const auto &[flag, key] : kTiles) {
    if (values.has(flag)) PYC_CHECK(set_parameter(parameters, key, flag, values.text(flag)));
  }
  for (const std::string &word : values.list("--set")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::kInvalid, fmt::format("--set '{}' is not KEY=VALUE", printable(word)),
                  "for example: --set stages=4");
    }
    const std::string key = word.substr(0, equals);
    PYC_CHECK(set_parameter(parameters, key, "--set " + printable(key), word.substr(equals + 1)));
  }
  return parameters;
}

}  // namespace

Result<Answer> run_create(const Invocation &invocation) {
  const Values &values = invocation.values;
  hpc::CreateOptions options;
  options.name = values.text("--name");
  options.arch = values.text("--arch");
  options.dtype = values.text("--dtype");
  options.layout = values.text("--layout");
  options.shape_family = values.text("--shape-family");
  options.template_name = values.text("--template");
  options.from = values.text("--from");
  PYC_TRY(options.parameters, read_parameters(values));
  PYC_TRY(hpc::CreateResult result, hpc::create(invocation.context, options));

  Answer answer;
  answer.text = printed_path(invocation.context, result.folder) + "\n";
  answer.notes = fmt::format("created '{}' for {} on {}\nnext: pyc hpc validate --name {}\n", options.name,
                             result.candidate.ref.selector, result.candidate.ref.arch, options.name);
  answer.json = [result] { return create_document(result); };
  return answer;
}

}  // namespace pyc::cli
