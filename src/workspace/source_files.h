// Which files a CUDA source is made of: itself and the project headers that it includes, each with its hash.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

struct Include {
  std::string name;     // what stands between the quotes or brackets
  bool quoted = false;  // "..." : also looked for beside the including file
};

// Every #include of the text, also those that a condition or a comment hides: a digest may cover too much, never too
// little. kInvalid for an #include whose file only the preprocessor can tell.
Result<std::vector<Include>> includes_of(std::string_view source);

struct SourceFile {
  std::string path;  // relative to the workspace, with '/'
  std::string sha256;
};

// `roots` (paths relative to the workspace) and the headers that they include, to the end, sorted by path. Headers are
// looked for beside the including file ("..." only), in include/ and in kernels/harness/; those found in none of them
// are the toolkit's, and left out. kInvalid for a root that cannot be read and for a header outside the workspace.
// Roots are always read; headers are read again within one process only if their inode, size or times changed.
Result<std::vector<SourceFile>> source_files(const Workspace &workspace, const std::vector<std::string> &roots);

}  // namespace pyc::workspace
