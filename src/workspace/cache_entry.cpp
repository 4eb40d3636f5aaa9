#include "workspace/cache_entry.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"
#include "evidence/json_fields.h"

namespace pyc::workspace {

namespace fs = std::filesystem;

namespace {

constexpr const char *kEntrySchema = "pyc.build/1";
constexpr std::size_t kKeyDigits = 32;
constexpr double kLockWaitSeconds = 3600;

bool is_whole(const BuildRecipe &recipe, const fs::path &folder) {
  std::error_code error;
  const auto exists = [&](const std::string &name) { return fs::exists(folder / name, error); };
  return std::all_of(recipe.outputs.begin(), recipe.outputs.end(), exists) && exists("build.log") &&
         exists("build.json");
}

Result<std::string> run_stages(const Workspace &workspace, const std::vector<BuildStage> &stages,
                               const BuildProgress &progress) {
  std::string log;
  for (const BuildStage &stage : stages) {
    const auto tell = [&](int done) {
      const std::size_t all = stage.runs.size();
      if (progress) progress(all == 1 ? stage.what : fmt::format("{} ({} of {})", stage.what, done, all));
    };
    tell(0);
    PYC_TRY(const std::string output, run_compilers(stage.runs, workspace.root, kCompileTimeLimit, tell));
    log += output;
  }
  return log;
}

std::string build_json(const BuildRecipe &recipe, const std::vector<BuildStage> &stages) {
  json::Json json = {{"schema", kEntrySchema}, {"key", recipe.key()}, {"facts", recipe.facts}};
  json["commands"] = json::Json::array();
  for (const BuildStage &stage : stages) {
    for (const CompilerRun &run : stage.runs) json["commands"].push_back(quote_command(run.argv));
  }
  return json::to_text(json);
}

Status build(const Workspace &workspace, const BuildRecipe &recipe, const fs::path &folder,
             const BuildProgress &progress) {
  PYC_TRY(StagedFolder staged, StagedFolder::create(folder));
  if (recipe.write_sources) PYC_CHECK(recipe.write_sources(staged.path()));
  PYC_TRY(const std::string log, run_stages(workspace, recipe.stages(staged.path()), progress));
  PYC_CHECK(recipe.confirm_sources());
  PYC_CHECK(write_file_atomic(staged.path() / "build.log", log));
  PYC_CHECK(write_file_atomic(staged.path() / "build.json", build_json(recipe, recipe.stages(folder))));
  for (const std::string &name : recipe.outputs) {
    std::error_code error;
    if (fs::exists(staged.path() / name, error)) continue;
    return fail(ErrorKind::kInternal, fmt::format("the compiler reported success but did not write '{}'", name));
  }
  PYC_CHECK(staged.commit());  // if somebody else was faster, theirs is as good
  return {};
}

Result<FileLock> lock(const Workspace &workspace, const std::string &name, const BuildProgress &progress) {
  const fs::path locks = workspace.build() / "locks";
  PYC_CHECK(make_folder(locks));
  return FileLock::acquire(locks / name, kLockWaitSeconds, [&] {
    if (progress) progress("waiting for another build of the same");
  });
}

}  // namespace

std::string BuildRecipe::key() const { return sha256_hex(join(facts, "\n")); }
std::string BuildRecipe::folder_name() const { return folder_prefix + key().substr(0, kKeyDigits); }

Result<CacheEntry> find_or_build(const Workspace &workspace, const BuildRecipe &recipe, const BuildProgress &progress) {
  const std::string name = recipe.folder_name();
  const fs::path folder = workspace.build() / name;
  if (is_whole(recipe, folder)) return CacheEntry{folder, true};
  PYC_TRY(const FileLock held, lock(workspace, name, progress));
  if (is_whole(recipe, folder)) return CacheEntry{folder, true};

  std::error_code error;
  fs::remove_all(folder, error);  // a folder that lost files; what cannot be removed fails below
  PYC_CHECK(build(workspace, recipe, folder, progress));
  if (is_whole(recipe, folder)) return CacheEntry{folder, false};
  return fail(ErrorKind::kInternal, fmt::format("'{}' lacks some of its files", workspace.relative(folder)),
              fmt::format("remove it and try again: rm -r {}", quote_command({folder.string()})));
}

}  // namespace pyc::workspace
