#include "hpc/tuning_file.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/process.h"

namespace pyc::hpc {
namespace {

Result<FileLock> hold(const Context &context, const std::string &file_name) {
  const std::filesystem::path folder = context.workspace.build() / "locks";
  PYC_CHECK(make_folder(folder));
  bool is_held = false;
  auto lock = FileLock::acquire(folder / file_name, 0, [&] { is_held = true; });
  if (lock || !is_held) return lock;
  return fail(ErrorKind::kInvalid, fmt::format("another process is at the same search ('{}')", file_name),
              "wait until it has ended, or give another --name or --seed");
}

}  // namespace

Result<TuningFile> TuningFile::open(const Context &context, evidence::Tuning fresh, bool restart) {
  const std::string name = evidence::tuning_file_name(fresh.name, fresh.key);
  PYC_CHECK(make_folder(context.workspace.results()));
  PYC_TRY(FileLock lock, hold(context, name));
  TuningFile file(std::move(lock), context.workspace.results() / name);
  file.document_ = std::move(fresh);
  std::error_code absent;
  if (restart || !std::filesystem::exists(file.path_, absent)) return file;
  auto found = evidence::read_tuning(file.path_);
  if (!found || found->key != file.document_.key) {
    return fail(ErrorKind::kInvalid,
                found ? fmt::format("'{}' is of another search", file.path_.string()) : found.error().message,
                fmt::format("start the search afresh with --restart, or remove the file: rm {}",
                            quote_command({file.path_.string()})));
  }
  found->command = file.document_.command;
  found->budget = file.document_.budget;
  found->tool = file.document_.tool;
  found->toolchain = file.document_.toolchain;
  found->host = file.document_.host;
  file.document_ = std::move(*found);
  return file;
}

Status TuningFile::save(const Context &context) {
  document_.updated_utc = utc_iso(context.now());
  return write_file_atomic(path_, to_json(document_));
}

}  // namespace pyc::hpc
