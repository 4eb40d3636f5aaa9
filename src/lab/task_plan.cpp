#include "lab/task_plan.h"

#include "base/process.h"
#include "base/text.h"

namespace pyc::lab {
namespace {

using Words = std::vector<std::string>;

class Plan {
 public:
  Plan(const workspace::LabTask &task, const Words &pass_on) : task_(task), pass_on_(pass_on) {}

  void add_kernel(const workspace::LabKernel &kernel) {
    if (!trim(kernel.compile_cmd).empty()) add({"bench", kernel.name}, "compile", {});
    if (!trim(kernel.run_cmd).empty()) add({"bench", kernel.name}, "run", {});
  }

  void add_candidates() {
    Words filters;
    for (const std::string &tag : task_.candidate_tags) filters.insert(filters.end(), {"--tag", tag});
    for (const std::string &name : task_.candidate_names) filters.insert(filters.end(), {"--name", name});
    if (filters.empty()) return;
    add({"bench-suite", "--label", task_.slug + "-candidates-compile"}, "compile", filters);
    add({"bench-suite", "--label", task_.slug + "-candidates"}, "run", filters);
  }

  Words steps() && { return std::move(steps_); }

 private:
  // Compiling is not what a task compares: once is enough.
  void add(const Words &verb, const std::string &phase, const Words &filters) {
    const bool once = phase == "compile";
    Words words = {"pyc", "lab"};
    for (const Words &part : {pass_on_, verb,
                              Words{"--phase", phase, "--repeats", std::to_string(once ? 1 : task_.repeats), "--warmup",
                                    std::to_string(once ? 0 : task_.warmup)},
                              filters})
      words.insert(words.end(), part.begin(), part.end());
    steps_.push_back(quote_command(words));
  }

  const workspace::LabTask &task_;
  const Words &pass_on_;
  Words steps_;
};

}  // namespace

std::vector<std::string> plan_steps(const workspace::LabTask &task, const workspace::LabManifest &manifest,
                                    const std::vector<std::string> &pass_on) {
  Plan plan(task, pass_on);
  plan.add_kernel(*task.baseline);
  if (const workspace::LabKernel *control = manifest.find(task.control_kernel)) plan.add_kernel(*control);
  plan.add_candidates();
  return std::move(plan).steps();
}

}  // namespace pyc::lab
