// What is kept of one attempt to promote, whether it was refused or not: kernels/results/NAME-promotion-STAMP.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/records.h"

namespace pyc::evidence {

constexpr const char *kPromotionSchema = "pyc.promotion/1";

struct PromotionLine {
  int number = 0;
  std::string title, figure, reason;
  bool passed = false;
};

struct PromotionAttempt {
  std::string created_utc, name, selector, arch, digest;
  std::string incumbent, incumbent_digest;  // empty: there was none
  FileHash validation, benchmark;
  int attempts = 1;  // benchmarks of this digest against this incumbent that were known then
  std::string verdict;
  // refused: the gate did. accepted: the gate did not, and the registry was about to be written; whether it was, the
  // registry says. promoted: it was. Empty in traces of older versions.
  std::string outcome;
  std::vector<PromotionLine> lines;
  std::vector<std::string> remarks;
};
std::string to_json(const PromotionAttempt &attempt);

// kInvalid if the file is none that to_json() wrote.
Result<PromotionAttempt> read_promotion(const std::filesystem::path &path);

// Which benchmark an earlier attempt rested on.
struct PromotionTrace {
  std::string digest, incumbent_digest, benchmark_sha256;
};
// kInvalid if the file is none that to_json() wrote.
Result<PromotionTrace> read_promotion_trace(const std::filesystem::path &path);

// NAME-promotion-20260131T123456789Z.json
std::string promotion_file_name(const std::string &name, const std::string &file_stamp);
bool is_promotion_file_of(const std::string &file_name, const std::string &name);

}  // namespace pyc::evidence
