// kernels/registry/kernels.json: the promoted records, one per (selector, arch), and the files generated from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/records.h"
#include "workspace/contract.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

constexpr const char *kRegistrySchema = "pyc.registry/1";

// Larger figures are no figures of kernels; a registry holds none.
constexpr double kLongestTimeNs = 1e15, kLargestRatio = 1e6;

struct RatioInterval {
  double estimate = 0, low = 0, high = 0;
};

struct ShapeEvidence {
  evidence::Shape shape;
  double median_ns = 0;  // candidate, cold
  std::optional<double> incumbent_median_ns, cublaslt_median_ns;
  std::optional<RatioInterval> ratio_to_incumbent;  // incumbent / candidate
};

struct EvidenceSummary {
  std::string validation_file, validation_sha256, benchmark_file, benchmark_sha256;
  std::string gpu_name, gpu_uuid, driver, nvcc_version, host_compiler, tool_version, tool_git;
  std::vector<ShapeEvidence> shapes;
  std::optional<RatioInterval> ratio_to_incumbent;  // geometric mean over the shapes; absent for a bootstrap
  std::string replaced_digest;                      // empty for a bootstrap
};

struct Record {
  std::string name, dtype, layout, shape_family, arch, symbol, digest, source, source_sha256;
  std::vector<std::string> flags;  // kernel_flags() at promotion
  Requires requirements;
  bool workspace = false;
  RuntimeFigures runtime;
  EvidenceSummary evidence;
  std::string promoted_utc;
  std::string selector() const;
};

struct Entry {
  Record record;
  std::vector<Record> history;  // replaced records, newest first
};

struct Registry {
  std::vector<Entry> entries;  // sorted by (selector, arch)
  const Entry *find(std::string_view selector, std::string_view arch) const;
  const Entry *find_name(std::string_view name) const;  // a promoted candidate's name, or null
};

// kInvalid naming file, field and reason: duplicate (selector, arch), a name, symbol, path, hash or flag that does not
// match its strict pattern, and everything parse_contract() refuses.
Result<Registry> parse_registry(std::string_view json, const std::string &file_in_messages);
Result<Registry> read_registry(const Workspace &workspace);
std::string to_json(const Registry &registry);

// The generated files as pure functions of the registry; the rows' format stands beside the files, in
// src/compiler/cutlass_kernels/README.md. Only for what parse_registry() accepts: other values are not escaped.
std::string generated_registry_cu(const Registry &registry);
std::string generated_kernels_cmake(const Registry &registry);

// Which generated files differ from what the registry says (paths relative to the workspace); empty: all current.
Result<std::vector<std::string>> stale_generated_files(const Workspace &workspace, const Registry &registry);

// Registry first, then the generated files; all temporaries are written before the first rename, so that a crash leaves
// either the old state or one that write_generated_files() completes. Files that are current are not touched. What
// parse_registry() would refuse is refused here, before anything is written.
Status write_registry(const Workspace &workspace, const Registry &registry);
Status write_generated_files(const Workspace &workspace, const Registry &registry);

}  // namespace pyc::workspace
