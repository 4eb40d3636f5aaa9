#include "checks.h"

namespace pyc::harness {
namespace {

enum class When { always, thorough, large };

struct Check {
  const char *name;
  When when;  // always: at every depth; thorough: not at the depth quick; large: only at shapes marked large
  void (*run)(Rig &rig);
};

// The order matters: each check comes behind those whose fault it would show too, so that the first that fails names
// the fault. The 20 calls of `repeat` come early, so that the 11th call of the process is among them; unmapped pages
// come last, because an access to one ends the program.
constexpr Check kChecks[] = {
    {"large", When::large, check_large},
    {"random", When::always, check_random},
    {"repeat", When::always, check_repeat},
    {"exact", When::always, check_exact},
    {"scalars", When::always, check_scalars},
    {"strides", When::always, check_strides},
    {"guards", When::always, check_guards},
    {"beta_zero", When::always, check_beta_zero},
    {"offsets", When::thorough, check_offsets},
    {"state", When::thorough, check_state},
    {"stream", When::thorough, check_stream},
    {"graph", When::thorough, check_graph},
    {"streams", When::thorough, check_streams},
    {"nan_inf", When::thorough, check_nan_inf},
    {"subnormal", When::thorough, check_subnormal},
};

constexpr Check kLastChecks[] = {
    {"unsupported", When::always, check_unsupported},
    {"page_ends", When::thorough, check_page_ends},
};

bool applies(const Check &check, const Shape &shape, Depth depth) {
  if (shape.large) return check.when == When::large || check.run == check_random;
  return check.when == When::always || (check.when == When::thorough && depth == Depth::thorough);
}

void run_one(const Check &check, Rig &rig, const Shape &shape, Depth depth, const std::string &excluded) {
  rig.begin(check.name);
  if (!excluded.empty()) return rig.skip("the kernel's requires exclude the shape: " + excluded);
  if (applies(check, shape, depth)) return check.run(rig);
  if (check.when == When::thorough && !shape.large) rig.skip("left out at the depth quick");
}

}  // namespace

void run_checks(Rig &rig, const Shape &shape, Depth depth) {
  const std::string excluded = unmet(rig.session().request.requires_, shape);
  try {
    for (const Check &check : kChecks) {
      if (check.when != When::large || shape.large) run_one(check, rig, shape, depth, excluded);
    }
    for (const Check &check : kLastChecks) {
      const bool turned_around = check.run == check_unsupported && !shape.large;
      run_one(check, rig, shape, depth, turned_around ? "" : excluded);
    }
  } catch (const Refused &) {
  }
  rig.report_audits();
}

pyc_gemm_args ready_call(Rig &rig) {
  rig.prepare(Trial{}, rig.main());
  return rig.main().operands.args(1.0f, 0.0f);
}

}  // namespace pyc::harness
