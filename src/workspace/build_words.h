// What the recipes of the build cache share: words of command lines, and the facts of a toolchain that enter every key.
// Private to workspace/.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/arch.h"
#include "toolchain/nvcc.h"

namespace pyc::workspace {

constexpr const char *kRecipe = "pyc.build/1";  // raise the number when a recipe's command line changes

using Words = std::vector<std::string>;

inline Words concatenated(std::initializer_list<Words> lists) {
  Words words;
  for (const Words &list : lists) words.insert(words.end(), list.begin(), list.end());
  return words;
}

inline std::string code_flag(const toolchain::Arch &arch) { return fmt::format("-gencode={}", arch.code_flag); }

inline Words toolchain_facts(const toolchain::Nvcc &nvcc) {
  return {"nvcc " + nvcc.version, "toolkit " + nvcc.toolkit.string(), "host compiler " + nvcc.host_compiler};
}

// The compiler runs in the workspace's root, so a relative --nvcc would not be found.
inline std::string nvcc_program(const toolchain::Nvcc &nvcc) { return std::filesystem::absolute(nvcc.path).string(); }

inline tl::unexpected<Error> changed_meanwhile(const std::string &what) {
  return fail(ErrorKind::kInvalid, fmt::format("{} changed while it was compiled", what),
              "nothing was kept; run the command again");
}

}  // namespace pyc::workspace
