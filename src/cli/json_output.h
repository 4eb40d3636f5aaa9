// The documents of --json: one per verb. An "error" is null where the answer is yes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
struct TuneResult;
}

namespace pyc::cli {

using Failure = std::optional<Error>;

std::string error_document(const Error &error);
std::string text_document(const std::string &text);  // of a verb whose answer is text for another program
// The array alone, for the documents of the lab.
std::string checks_document(const std::vector<toolchain::DoctorCheck> &checks);
std::string doctor_document(const hpc::DoctorResult &result, const Failure &failure);
std::string create_document(const hpc::CreateResult &result);
std::string tune_document(const hpc::TuneResult &result, const std::string &record_path);
std::string list_document(const std::vector<hpc::ListRow> &rows);
std::string show_document(const hpc::ShowResult &result);
// `evidence` is the evidence document as it stands in the file.
std::string run_document(const std::string &evidence_path, const std::string &evidence, const Failure &failure);
std::string compare_document(const hpc::BenchmarkComparison &result, const Failure &failure);
std::string compare_document(const hpc::ProfileComparison &result, const Failure &failure);
std::string promote_document(const hpc::PromoteResult &result, const Failure &failure);
std::string sync_document(const hpc::SyncResult &result, const Failure &failure);

}  // namespace pyc::cli
