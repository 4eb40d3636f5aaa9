// `pyc lab show`: one kernel of the manifest.
#include "lab/verbs.h"

namespace pyc::lab {

Result<workspace::LabKernel> show(const Context &context, const std::string &name) {
  PYC_TRY(const workspace::LabManifest manifest, workspace::read_lab_manifest(context.paths.manifest));
  return workspace::require_lab_kernel(manifest, name);
}

}  // namespace pyc::lab
