#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {

Result<Answer> run_import_legacy(const Invocation &invocation) {
  const Values &values = invocation.values;
  hpc::ImportOptions options;
  options.legacy_name = values.text("--legacy-name");
  options.name = values.text("--name");
  options.dtype = values.text("--dtype");
  options.arch = values.text("--arch");
  options.layout = values.text("--layout");
  options.shape_family = values.text("--shape-family");
  options.manifest = values.text("--manifest");
  PYC_TRY(hpc::CreateResult result, hpc::import_legacy(invocation.context, options));

  Answer answer;
  answer.text = printed_path(invocation.context, result.folder) + "\n";
  answer.notes = fmt::format(
      "imported '{}' as '{}': its own program validates it, and promote refuses it until it is converted\n"
      "next: pyc hpc validate --name {}\n",
      options.legacy_name, options.name, options.name);
  answer.json = [result] { return create_document(result); };
  return answer;
}

}  // namespace pyc::cli
