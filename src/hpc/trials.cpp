#include "hpc/trials.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/machine.h"
#include "hpc/run_plan.h"
#include "hpc/runtime_figures.h"
#include "workspace/families.h"
#include "workspace/kernel_symbols.h"
#include "workspace/ptxas_report.h"

namespace pyc::hpc {
namespace {

using evidence::HarnessRequest;
using evidence::SetStatus;
using evidence::TunedSet;

constexpr std::ptrdiff_t kCheckedAtATime = 4;  // on one GPU: starting a process takes longer than the checks
constexpr std::size_t kCheckedProblems = 2;
constexpr std::size_t kReasonLimitBytes = 400;

double work(const evidence::Shape &shape) {
  return static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

// The line of an error's message that says what is wrong: of a compiler's output the first that names an error, else
// the first behind the headline.
std::string first_complaint(const std::string &message) {
  std::vector<std::string> lines = split(message, '\n');
  const std::string headline = lines.front();
  lines.erase(lines.begin());
  std::erase_if(lines, [](const std::string &line) { return trim(line).empty(); });
  const auto found =
      std::find_if(lines.begin(), lines.end(), [](const std::string &line) { return line.find("error") != line.npos; });
  if (found != lines.end()) return printable(trim(*found), kReasonLimitBytes);
  return printable(trim(lines.empty() ? headline : headline + " " + lines.front()), kReasonLimitBytes);
}

// The set is out, if the error is about it and not about the machine.
Status put_out(TunedSet &set, SetStatus status, const Error &error) {
  if (error.kind != ErrorKind::kNo) return tl::unexpected<Error>(error);
  set.status = status;
  set.reason = first_complaint(error.message);
  return {};
}

std::string first_failure(const std::vector<evidence::ShapeValidation> &shapes) {
  for (const evidence::ShapeValidation &shape : shapes) {
    for (const evidence::Check &check : shape.checks) {
      if (check.status == "failed")
        return fmt::format("{} at {}: {}", check.check, to_string(shape.shape), check.reason);
    }
  }
  return "a shape failed";
}

void keep_launch(TunedSet &set, const std::vector<evidence::ShapeValidation> &shapes) {
  evidence::Validation validation;
  validation.shapes = shapes;
  const auto figures = measured_figures(validation, {});
  if (!figures) return;
  set.launch = {figures->occupancy_estimate.value_or(0), figures->registers_per_thread.value_or(0),
                figures->shared_memory_bytes.value_or(0)};
}

}  // namespace

std::vector<HarnessRequest::RequestedShape> checked_shapes(const Search &search, std::size_t problems) {
  std::vector<evidence::Shape> shapes = search.shapes;
  std::stable_sort(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) { return work(a) < work(b); });
  shapes.resize(std::min(shapes.size(), problems));
  std::vector<HarnessRequest::RequestedShape> checked;
  checked.reserve(2 * shapes.size());
  for (const evidence::Shape &shape : shapes) checked.push_back({shape, true, false});
  for (const evidence::Shape &shape : shapes) {
    const evidence::Shape twin = workspace::odd_twin(shape);
    if (!(twin == shape) && admits(search.contract.requirements, twin)) checked.push_back({twin, false, false});
  }
  return checked;
}

Trials::Trials(const Context &context, const Search &search, const Bench &bench,
               std::chrono::milliseconds silence_limit)
    : context_(context), search_(search), bench_(bench), silence_limit_(silence_limit), gpu_places_(kCheckedAtATime) {
  context_.progress = [](const Progress &) {};
}

Result<TunedSet> Trials::prepare(TunedSet set) {
  PYC_CHECK(compile(set));
  if (set.status == SetStatus::kCompiled && !bench_.gpus.empty()) PYC_CHECK(check(set, kCheckedProblems));
  return set;
}

Result<workspace::TrialBuild> Trials::build(const workspace::Parameters &parameters) const {
  PYC_TRY(const workspace::NewCandidate instance, instance_of(context_, search_, parameters));
  return workspace::build_trial(context_.workspace, search_.from, instance, bench_.nvcc);
}

const std::optional<Result<workspace::TrialBuild>> &Trials::defaults() {
  std::call_once(defaults_once_, [this] {
    if (const auto id = search_.space.default_id()) {
      defaults_ = build(search_.space.at(*id));
    } else if (const auto own = workspace::resolve_parameters(search_.from, {}, search_.contract.arch)) {
      defaults_ = build(*own);
    }
  });
  return defaults_;
}

Result<std::int64_t> Trials::usual_spill_bytes() {
  const auto &built = defaults();
  if (!built) return 0;
  if (*built) return workspace::read_ptxas_report((*built)->compiler_log).spill_bytes;
  if (built->error().kind != ErrorKind::kNo) return tl::unexpected<Error>(built->error());
  return 0;
}

Status Trials::compile(TunedSet &set) {
  const auto begin = std::chrono::steady_clock::now();
  const auto id = search_.space.default_id();
  const bool is_default = id && search_.space.find(set.parameters) == id;
  const auto built = is_default ? *defaults() : build(set.parameters);
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  if (!built) return put_out(set, SetStatus::kNotCompiled, built.error());
  const workspace::PtxasReport report = workspace::read_ptxas_report(built->compiler_log);
  set.build = {std::chrono::nanoseconds(elapsed).count(), built->from_cache, report.registers_per_thread,
               report.static_shared_bytes, report.spill_bytes};
  const Status symbols = workspace::check_symbols(built->object, "kernel.cu", search_.contract.symbol);
  if (!symbols) return put_out(set, SetStatus::kUnfit, symbols.error());
  set.status = SetStatus::kCompiled;
  if (report.spill_bytes == 0 || search_.keep_spills) return {};
  PYC_TRY(const std::int64_t usual_bytes, usual_spill_bytes());
  if (report.spill_bytes <= usual_bytes) return {};
  set.status = SetStatus::kUnfit;
  set.reason = fmt::format("{} bytes of registers spill to memory", report.spill_bytes);
  return {};
}

Result<std::filesystem::path> Trials::library(const TunedSet &set) const {
  PYC_TRY(const workspace::TrialBuild built, build(set.parameters));
  return built.library;
}

evidence::Gpu Trials::gpu(const evidence::Gpu &seen) const { return complete_gpu(seen, bench_.gpus); }

HarnessRequest Trials::request(const std::string &mode) const {
  const workspace::Contract &contract = search_.contract;
  HarnessRequest request;
  request.mode = mode;
  request.nonce = make_nonce();
  request.dtype = contract.dtype;
  request.layout = contract.layout;
  request.compute_capability = toolchain::find_arch(contract.arch)->compute_capability;
  request.seed = search_.seed;
  request.tolerance = contract.effective_tolerance();
  request.requirements = contract.requirements;
  request.workspace = contract.workspace;
  request.depth = "quick";
  return request;
}

Result<HarnessProgram> Trials::program(const TunedSet &set) const {
  PYC_TRY(const std::filesystem::path kernel, library(set));
  return HarnessProgram(bench_.loader, {"--library", kernel.string(), "--symbol", search_.contract.symbol});
}

Status Trials::check(TunedSet &set, std::size_t problems) {
  PYC_TRY(const HarnessProgram loader, program(set));
  HarnessRequest asked = request("validate");
  asked.shapes = checked_shapes(search_, problems);
  evidence::HarnessTranscript transcript(asked);
  gpu_places_.acquire();
  const auto run = run_harness(context_, loader, asked, silence_limit_, transcript, [] {});
  gpu_places_.release();
  if (!run) return tl::unexpected<Error>(run.error());
  keep_launch(set, transcript.validations());
  const auto &validations = transcript.validations();
  const bool passed =
      std::all_of(validations.begin(), validations.end(), [](const auto &shape) { return shape.status == "passed"; });
  const bool failed =
      std::any_of(validations.begin(), validations.end(), [](const auto &shape) { return shape.has_failed_check(); });
  if (run->failure && !failed) return put_out(set, SetStatus::kWrong, *run->failure);
  set.status = passed ? SetStatus::kValid : SetStatus::kWrong;
  if (!passed) set.reason = printable(first_failure(validations), kReasonLimitBytes);
  return {};
}

}  // namespace pyc::hpc
