// What validate and bench share: plan, build, run, and evidence after each finished shape.
#pragma once

#include <functional>
#include <utility>

#include "base/result.h"
#include "evidence/documents.h"
#include "hpc/evidence_file.h"
#include "hpc/harness_run.h"
#include "hpc/machine.h"
#include "hpc/run_plan.h"

namespace pyc::hpc {

// Evidence of what would be run: nothing is compiled or started.
template <class Document>
Result<RunResult<Document>> record_plan(const Context &context, Document document) {
  PYC_TRY(const EvidenceFile file,
          EvidenceFile::reserve(context, document.header.candidate.name, document.header.kind));
  PYC_CHECK(file.write(to_json(document)));
  return RunResult<Document>{file.path(), std::move(document), std::nullopt};
}

// Runs the harness and keeps `document` on disk up to date. `take` copies the shapes out of the transcript; `conclude`
// sets the status of a run that ended well, and may give a failure. A run that ended badly has the status `error`.
template <class Document>
Result<RunResult<Document>> record_run(const Context &context, const Machine &machine,
                                       const workspace::CandidateBuild &build, const evidence::HarnessRequest &request,
                                       std::chrono::milliseconds silence_limit, Document document,
                                       const std::function<void(Document &, const evidence::HarnessTranscript &)> &take,
                                       const std::function<std::optional<Error>(Document &)> &conclude) {
  document.header.toolchain = toolchain_record(machine, build);
  add_compiler_log(document.header, build.compiler_log);
  document.header.status = evidence::DocumentStatus::kError;
  document.header.error = "the run has not ended";
  PYC_TRY(const EvidenceFile file,
          EvidenceFile::reserve(context, document.header.candidate.name, document.header.kind));

  evidence::HarnessTranscript transcript(request);
  Status saved;
  const auto save = [&] {
    take(document, transcript);
    if (transcript.gpu()) document.header.gpu = complete_gpu(*transcript.gpu(), machine.gpus);
    if (saved) saved = file.write(to_json(document));
  };
  save();
  PYC_TRY(HarnessRun run, run_harness(context, build.executable, request, silence_limit, transcript, save));
  add_harness_log(document.header, run.log, run.log_truncated);
  take(document, transcript);
  document.header.error = run.failure ? run.failure->message : "";
  if (!run.failure) run.failure = conclude(document);
  save();
  PYC_CHECK(saved);
  return RunResult<Document>{file.path(), std::move(document), std::move(run.failure)};
}

}  // namespace pyc::hpc
