#include "cli/lab_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace pyc::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json &json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

// The error part of an error document: the one definition of how an error reads.
Json failure_json(const Failure &failure) {
  return failure ? Json::parse(error_document(*failure))["error"] : Json(nullptr);
}

Json number(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

Json kernel_json(const workspace::LabKernel &kernel) {
  return {{"name", kernel.name}, {"source", kernel.source},           {"description", kernel.description},
          {"tags", kernel.tags}, {"compile_cmd", kernel.compile_cmd}, {"run_cmd", kernel.run_cmd}};
}

Json timing_json(const workspace::LabTiming &timing) {
  return {{"kernel", timing.kernel},
          {"mean_ms", timing.mean_ms},
          {"best_ms", number(timing.best_ms)},
          {"gflops", number(timing.gflops)}};
}

}  // namespace

std::string lab_doctor_document(const lab::DoctorResult &result) {
  return dump({{"checks", Json::parse(checks_document(result.checks))}, {"error", failure_json(result.failure)}});
}

std::string lab_list_document(const workspace::LabManifest &manifest) {
  Json kernels = Json::array();
  for (const workspace::LabKernel &kernel : manifest.kernels) kernels.push_back(kernel_json(kernel));
  return dump({{"kernels", kernels}, {"error", nullptr}});
}

std::string lab_show_document(const workspace::LabKernel &kernel) {
  return dump({{"kernel", kernel_json(kernel)}, {"error", nullptr}});
}

std::string lab_command_document(const lab::CommandResult &result) {
  return dump({{"command", result.command},
               {"elapsed_ms", result.elapsed_ms},
               {"best_ms", number(result.best_ms)},
               {"gflops", number(result.gflops)},
               {"stdout", result.standard_output},
               {"stderr", result.standard_error},
               {"error", failure_json(result.failure)}});
}

std::string lab_compare_document(const lab::CompareResult &result) {
  Json rows = Json::array();
  for (const lab::ComparedTiming &row : result.rows) {
    rows.push_back({{"phase", row.left.phase}, {"left", timing_json(row.left)}, {"right", timing_json(row.right)}});
  }
  return dump({{"rows", rows}, {"left_out", result.left_out}, {"error", nullptr}});
}

std::string lab_task_list_document(const std::vector<lab::TaskRow> &rows, const Failure &failure) {
  Json tasks = Json::array();
  for (const lab::TaskRow &row : rows) {
    Json entry = {{"slug", row.slug}, {"problem", row.problem}};
    if (row.task) {
      entry["name"] = row.task->name;
      entry["status"] = row.task->status;
      entry["kind"] = row.task->kind;
      entry["arch"] = row.task->hardware.arch;
      entry["baseline_kernel"] = row.task->baseline_kernel;
      entry["winner_kernel"] = row.task->result ? Json(row.task->result->winner_kernel) : Json(nullptr);
    }
    tasks.push_back(std::move(entry));
  }
  return dump({{"tasks", tasks}, {"error", failure_json(failure)}});
}

std::string lab_task_hardware_document(const workspace::LabHardware &machine) {
  return dump({{"hardware", Json::parse(to_json(machine), nullptr, false)}, {"error", nullptr}});
}

std::string lab_task_show_document(const workspace::LabTask &task) {
  return dump({{"task", Json::parse(task.document, nullptr, false)}, {"error", nullptr}});
}

std::string lab_task_complete_document(const lab::TaskCompleteResult &result) {
  return dump({{"task", Json::parse(to_json(result.task), nullptr, false)},
               {"baseline",
                {{"task_kind", result.baseline.task_kind},
                 {"backend", result.baseline.backend},
                 {"arch", result.baseline.arch},
                 {"kernel", result.baseline.kernel},
                 {"replaced", result.replaced.empty() ? Json(nullptr) : Json(result.replaced)}}},
               {"error", nullptr}});
}

std::string lab_file_document(const std::string &path, const std::string &document, const Failure &failure) {
  return fmt::format("{{\"path\": {}, \"error\": {}, \"document\": {}}}", dump(path), dump(failure_json(failure)),
                     trim(document));
}

}  // namespace pyc::cli
