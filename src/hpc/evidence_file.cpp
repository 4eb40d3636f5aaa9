#include "hpc/evidence_file.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/bounded_text.h"
#include "base/files.h"
#include "evidence/documents.h"
#include "toolchain/doctor.h"
#include "workspace/ptxas_report.h"

namespace pyc::hpc {
namespace {

constexpr std::size_t kLogLimitBytes = 256 << 10;

std::string bounded(const std::string &log, bool &truncated) {
  BoundedText text(kLogLimitBytes);
  text.append(log);
  std::string kept = text.str();
  truncated = truncated || text.truncated();
  return kept;
}

}  // namespace

evidence::Host host_record() {
  const toolchain::HostInfo info = toolchain::host_info();
  return {info.name, info.operating_system, info.kernel, info.cpu, info.cores};
}

evidence::Header planned_header(const Context &context, const workspace::Candidate &candidate, evidence::Kind kind) {
  evidence::Header header;
  header.kind = kind;
  header.status = evidence::DocumentStatus::kPlanned;
  header.tool = context.tool;
  header.created_utc = utc_iso(context.now());
  header.candidate = candidate.ref;
  header.command = context.command;
  header.host = host_record();
  return header;
}

void add_compiler_log(evidence::Header &header, const std::string &compiler_log) {
  header.logs.compiler = bounded(compiler_log, header.logs.truncated);
  const std::int64_t spill = workspace::read_ptxas_report(compiler_log).spill_bytes;
  if (spill == 0) return;
  header.warnings.push_back({"register_spill", fmt::format("ptxas spills {} bytes of registers to memory", spill),
                             "choose a smaller tile per thread, or fewer blocks per SM"});
}

void add_harness_log(evidence::Header &header, const std::string &log, bool truncated) {
  header.logs.truncated = header.logs.truncated || truncated;
  header.logs.harness = bounded(log, header.logs.truncated);
}

Result<EvidenceFile> EvidenceFile::create(const Context &context, const std::string &candidate, evidence::Kind kind,
                                          const std::string &json) {
  PYC_CHECK(make_folder(context.workspace.results()));
  const auto path_of = [&](const std::string &stamp) {
    return context.workspace.results() / evidence::file_name(candidate, kind, stamp);
  };
  const auto write = [&](const std::filesystem::path &path) { return write_new_file(path, json); };
  PYC_TRY(std::filesystem::path path, take_stamped_name(context.now(), path_of, write));
  return EvidenceFile(std::move(path));
}

Status EvidenceFile::write(const std::string &json) const { return write_file_atomic(path_, json); }

}  // namespace pyc::hpc
