// kernel.json: what a candidate promises, read strictly and written in a fixed order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/harness_events.h"
#include "evidence/records.h"

namespace pyc::workspace {

constexpr const char *kContractSchema = "pyc.kernel/1";
constexpr const char *kImportedKind = "imported";
using Requires = evidence::HarnessRequest::Requires;

// priority and tensor_core are declared, and the digest covers them. The rest is measured at validation, never typed
// in.
struct RuntimeFigures {
  int priority = 100;
  std::optional<double> occupancy_estimate;         // 0 to 1
  bool tensor_core = false;                         // declared; it chooses the roof that times are held against
  std::optional<std::int64_t> shared_memory_bytes;  // per block
  std::optional<int> registers_per_thread;
  std::optional<std::string> register_pressure;          // low (<= 64), medium (<= 128), high
  std::optional<std::int64_t> stack_bytes, spill_bytes;  // per thread, as ptxas says
  std::optional<bool> deterministic;                     // every repeat of a call gave the same bits
};

// Where an imported candidate comes from, and the commands of its own harness, with the lab's placeholders.
struct LegacyOrigin {
  std::string name, source, compile_cmd, run_cmd;
};

struct Contract {
  std::string name, dtype, layout, arch, shape_family, symbol;
  std::string kind = "standard";       // or "imported": not promotable
  std::optional<LegacyOrigin> legacy;  // of an imported one
  std::string template_name;           // empty: written by hand
  std::map<std::string, std::int64_t> template_parameters;
  Requires requirements;
  std::vector<evidence::Shape> shapes;           // empty: the family's default set
  std::optional<evidence::Tolerance> tolerance;  // absent: the dtype's default
  bool workspace = false;
  RuntimeFigures runtime;

  bool is_imported() const { return kind == kImportedKind; }
  std::string selector() const;  // gemm/<dtype>/<layout>/<family>
  std::vector<evidence::Shape> timed_shapes() const;
  evidence::Tolerance effective_tolerance() const;
  // Whether a part of the tolerance is above the dtype's default: nothing is promoted on such a pass.
  bool has_loose_tolerance() const;
};

// kInvalid naming the file, the field and what was expected: unknown, missing or duplicate keys, wrong types, values
// out of range, broken UTF-8, a symbol that is not pyc_gemm_NAME, a folder whose name is not `name`.
Result<Contract> parse_contract(std::string_view json, const std::string &file_in_messages);
Result<Contract> read_contract(const std::filesystem::path &candidate_folder, const std::string &file_in_messages);

std::string to_json(const Contract &contract);

// The contract without what validation measures: this text enters the digest.
std::string digest_text(const Contract &contract);

}  // namespace pyc::workspace
