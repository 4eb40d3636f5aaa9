// One folder of kernels/.build/: what it is made from, how it is made, and the one way to get it. Private to
// workspace/.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "workspace/build_cache.h"
#include "workspace/compiler_runs.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

// Runs that do not depend on each other.
struct BuildStage {
  std::string what;  // for progress: "compiling the harness"
  std::vector<CompilerRun> runs;
};

struct BuildRecipe {
  std::vector<std::string> facts;    // all that decides the result, a line each; their hash is the key
  std::string folder_prefix;         // before the key's first 32 digits in the folder's name
  std::vector<std::string> outputs;  // files that a whole folder has, beside build.log and build.json
  std::function<Status(const std::filesystem::path &folder)> write_sources;  // may be left out: what is compiled in it
  std::function<std::vector<BuildStage>(const std::filesystem::path &folder)> stages;  // one after the other
  std::function<Status()> confirm_sources;  // after the last stage: the sources are still those of the facts

  std::string key() const;  // 64 hexadecimal digits
  std::string folder_name() const;
};

struct CacheEntry {
  std::filesystem::path folder;
  bool from_cache = false;
};

// The whole folder, from the cache or built now: under a lock, in a staged folder that is renamed at the end. A hit
// starts no process and takes no lock.
Result<CacheEntry> find_or_build(const Workspace &workspace, const BuildRecipe &recipe, const BuildProgress &progress);

}  // namespace pyc::workspace
