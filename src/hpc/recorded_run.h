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
          EvidenceFile::create(context, document.header.candidate.name, document.header.kind, to_json(document)));
  return RunResult<Document>{file.path(), std::move(document), std::nullopt};
}

// What one run does with its document.
template <class Document>
struct RunSteps {
  // Copies the shapes out of the transcript of the pass that is under way.
  std::function<void(Document &, const evidence::HarnessTranscript &)> take;
  // Sets the status of a run that ended well, and may give a failure.
  std::function<std::optional<Error>(Document &)> conclude;
  // After a pass that ended well: what the next one asks for, or nothing. Left out: there is one pass.
  std::function<std::optional<evidence::HarnessRequest>(Document &, const std::filesystem::path &evidence)> next_pass =
      nullptr;
};

// Runs the harness, pass by pass, and keeps `document` on disk up to date. A run that ended badly has the status
// `error`.
template <class Document>
Result<RunResult<Document>> record_run(const Context &context, const Machine &machine,
                                       const workspace::CandidateBuild &build, const evidence::HarnessRequest &first,
                                       std::chrono::milliseconds silence_limit, Document document,
                                       const RunSteps<Document> &steps) {
  document.header.toolchain = toolchain_record(machine, build);
  add_compiler_log(document.header, build.compiler_log);
  document.header.status = evidence::DocumentStatus::kError;
  document.header.error = "the run has not ended";
  // Before minutes go into what cannot be kept.
  PYC_TRY(const EvidenceFile file,
          EvidenceFile::create(context, document.header.candidate.name, document.header.kind, to_json(document)));

  HarnessRun run;
  Status saved;
  std::string log;
  for (std::optional<evidence::HarnessRequest> request = first; request;) {
    evidence::HarnessTranscript transcript(*request);
    const auto save = [&] {
      steps.take(document, transcript);
      if (transcript.gpu()) document.header.gpu = complete_gpu(*transcript.gpu(), machine.gpus);
      if (saved) saved = file.write(to_json(document));
    };
    PYC_TRY(run, run_harness(context, build.executable, *request, silence_limit, transcript, save));
    save();
    add_harness_log(document.header, log += run.log, run.log_truncated);
    const bool go_on = steps.next_pass && !run.failure && saved;
    request = go_on ? steps.next_pass(document, file.path()) : std::nullopt;
  }
  document.header.error = run.failure ? run.failure->message : "";
  if (!run.failure) run.failure = steps.conclude(document);
  if (saved) saved = file.write(to_json(document));
  PYC_CHECK(saved);
  return RunResult<Document>{file.path(), std::move(document), std::move(run.failure)};
}

}  // namespace pyc::hpc
