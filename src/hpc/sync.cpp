// `pyc hpc sync`: bring the generated files to what kernels.json says, also after a promotion that was cut short.
#include "hpc/registry_lock.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

Result<SyncResult> find_stale(const Context &context, const workspace::Registry &registry) {
  SyncResult result;
  PYC_TRY(result.stale, workspace::stale_generated_files(context.workspace, registry));
  return result;
}

// Takes no lock, so that it works in a workspace that cannot be written.
Result<SyncResult> check_only(const Context &context) {
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  return find_stale(context, registry);
}

}  // namespace

Result<SyncResult> sync(const Context &context, bool check) {
  if (check) return check_only(context);
  PYC_TRY(const FileLock lock, lock_registry(context));
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  PYC_TRY(SyncResult result, find_stale(context, registry));
  if (result.stale.empty()) return result;
  PYC_CHECK(workspace::write_generated_files(context.workspace, registry));
  result.written = true;
  return result;
}

}  // namespace pyc::hpc
