#include "workspace/contract_fields.h"

#include <bit>
#include <fmt/format.h>

#include "workspace/families.h"

namespace pyc::workspace {

using json::Json;
using json::ObjectReader;

Requires read_requires(ObjectReader fields, std::int64_t least_alignment) {
  Requires bounds;
  bounds.m_multiple = fields.integer("m_multiple", 1, kMultipleLimit);
  bounds.n_multiple = fields.integer("n_multiple", 1, kMultipleLimit);
  bounds.k_multiple = fields.integer("k_multiple", 1, kMultipleLimit);
  bounds.pointer_alignment = fields.integer("pointer_alignment", 1, kPointerAlignmentLimit);
  bounds.ld_multiple = fields.integer("ld_multiple", 1, kMultipleLimit);
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(bounds.pointer_alignment));
  if (!is_power || bounds.pointer_alignment < least_alignment) {
    fields.refuse("pointer_alignment", fmt::format("a power of two from {} (one element) to {}, in bytes",
                                                   least_alignment, kPointerAlignmentLimit));
  }
  fields.finish();
  return bounds;
}

RuntimeFigures read_runtime(ObjectReader fields) {
  RuntimeFigures figures;
  figures.priority =
      static_cast<int>(fields.optional_integer("priority", 0, kPriorityLimit).value_or(figures.priority));
  figures.occupancy_estimate = fields.optional_number("occupancy_estimate", 0, 1);
  figures.tensor_core = fields.optional_boolean("tensor_core").value_or(figures.tensor_core);
  figures.shared_memory_bytes = fields.optional_integer("shared_memory_bytes", 0, kSharedMemoryLimit);
  if (const auto registers = fields.optional_integer("registers_per_thread", 0, kRegistersLimit)) {
    figures.registers_per_thread = static_cast<int>(*registers);
  }
  if (fields.has("register_pressure")) {
    figures.register_pressure = fields.one_of("register_pressure", {"low", "medium", "high"});
  }
  figures.stack_bytes = fields.optional_integer("stack_bytes", 0, kLocalMemoryLimit);
  figures.spill_bytes = fields.optional_integer("spill_bytes", 0, kLocalMemoryLimit);
  figures.deterministic = fields.optional_boolean("deterministic");
  fields.finish();
  return figures;
}

evidence::Shape read_shape(ObjectReader &fields) {
  evidence::Shape shape;
  shape.m = fields.integer("m", 1, kShapeLimit);
  shape.n = fields.integer("n", 1, kShapeLimit);
  shape.k = fields.integer("k", 1, kShapeLimit);
  return shape;
}

Json requires_json(const Requires &requirements) {
  return {{"m_multiple", requirements.m_multiple},
          {"n_multiple", requirements.n_multiple},
          {"k_multiple", requirements.k_multiple},
          {"pointer_alignment", requirements.pointer_alignment},
          {"ld_multiple", requirements.ld_multiple}};
}

Json runtime_json(const RuntimeFigures &figures) {
  Json json = {{"priority", figures.priority}};
  if (figures.occupancy_estimate) json["occupancy_estimate"] = *figures.occupancy_estimate;
  json["tensor_core"] = figures.tensor_core;
  if (figures.shared_memory_bytes) json["shared_memory_bytes"] = *figures.shared_memory_bytes;
  if (figures.registers_per_thread) json["registers_per_thread"] = *figures.registers_per_thread;
  if (figures.register_pressure) json["register_pressure"] = *figures.register_pressure;
  if (figures.stack_bytes) json["stack_bytes"] = *figures.stack_bytes;
  if (figures.spill_bytes) json["spill_bytes"] = *figures.spill_bytes;
  if (figures.deterministic) json["deterministic"] = *figures.deterministic;
  return json;
}

Json shape_json(const evidence::Shape &shape) { return {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}}; }

}  // namespace pyc::workspace
