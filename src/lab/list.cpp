// `pyc lab list`: the kernels of the manifest.
#include "lab/verbs.h"

namespace pyc::lab {

Result<workspace::LabManifest> list(const Context &context) {
  return workspace::read_lab_manifest(context.paths.manifest);
}

}  // namespace pyc::lab
