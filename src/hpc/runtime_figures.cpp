#include "hpc/runtime_figures.h"

#include <algorithm>

#include "workspace/ptxas_report.h"

namespace pyc::hpc {
namespace {

constexpr int kLowPressureRegisters = 64, kMediumPressureRegisters = 128;  // per thread, as workspace/contract.h says

const evidence::Launches *first_timed_launches(const evidence::Validation &validation) {
  for (const evidence::ShapeValidation &shape : validation.shapes) {
    if (shape.timed && shape.launches && !shape.launches->kernels.empty()) return &*shape.launches;
  }
  return nullptr;
}

double blocks(const evidence::KernelLaunch &launch) {
  return static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
         static_cast<double>(launch.grid[2]);
}

}  // namespace

std::string register_pressure(int registers_per_thread) {
  if (registers_per_thread <= kLowPressureRegisters) return "low";
  return registers_per_thread <= kMediumPressureRegisters ? "medium" : "high";
}

std::optional<evidence::PtxasFigures> ptxas_figures(const std::string &compiler_log) {
  const workspace::PtxasReport report = workspace::read_ptxas_report(compiler_log);
  if (report.kernels == 0) return std::nullopt;
  return evidence::PtxasFigures{report.kernels, report.registers_per_thread, report.spill_bytes, report.stack_bytes,
                                report.static_shared_bytes};
}

std::optional<workspace::RuntimeFigures> measured_figures(const evidence::Validation &validation,
                                                          const workspace::RuntimeFigures &known) {
  const evidence::Launches *launches = first_timed_launches(validation);
  if (launches == nullptr) return std::nullopt;
  const evidence::KernelLaunch &main_kernel =
      *std::max_element(launches->kernels.begin(), launches->kernels.end(),
                        [](const auto &a, const auto &b) { return blocks(a) < blocks(b); });
  workspace::RuntimeFigures figures = known;
  figures.occupancy_estimate = main_kernel.occupancy;
  figures.shared_memory_bytes = std::int64_t{main_kernel.static_shared_bytes} + main_kernel.dynamic_shared_bytes;
  figures.registers_per_thread = main_kernel.registers_per_thread;
  figures.register_pressure = register_pressure(main_kernel.registers_per_thread);
  figures.stack_bytes = figures.spill_bytes = std::nullopt;
  if (validation.ptxas) figures.stack_bytes = validation.ptxas->stack_bytes;
  if (validation.ptxas) figures.spill_bytes = validation.ptxas->spill_bytes;
  figures.deterministic = validation.depth == "default" ? validation.deterministic() : std::nullopt;
  return figures;
}

}  // namespace pyc::hpc
