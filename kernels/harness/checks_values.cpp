// Checks that compare the output of one call with its reference.
#include <set>
#include <vector>

#include "checks.h"

namespace pyc::harness {
namespace {

bool too_deep_to_be_exact(Rig &rig) {
  if (rig.shape().k <= kLargestExactK) return false;
  rig.skip("k = " + std::to_string(rig.shape().k) + " is more than " + std::to_string(kLargestExactK) +
           ", whole numbers would not be exact");
  return true;
}

// One result for a list of calls: the first that is wrong, or the last.
void check_all(Rig &rig, const std::vector<Trial> &trials) {
  for (const Trial &trial : trials) {
    const Compared compared = rig.attempt(trial);
    if (&trial == &trials.back() || !right(compared)) {
      const std::string more = right(compared) ? " and " + std::to_string(trials.size() - 1) + " others" : "";
      rig.judge(describe(trial) + (trials.size() > 1 ? more : ""), compared);
      return;
    }
  }
}

Trial whole(float alpha, float beta, Storage storage = Storage::packed) {
  Trial trial;
  trial.data = Data::whole, trial.alpha = alpha, trial.beta = beta, trial.storage = storage;
  return trial;
}

Trial random(float alpha, float beta, Storage storage = Storage::packed) {
  Trial trial = whole(alpha, beta, storage);
  trial.data = Data::random;
  return trial;
}

// An alpha with one bit more than a 16-bit type has.
float alpha_beyond(DType dtype) {
  return dtype == DType::fp32 ? 0.5f : dtype == DType::fp16 ? 1.00048828125f : 1.00390625f;
}

void check_special(Rig &rig, Data data) {
  if (too_deep_to_be_exact(rig)) return;
  Trial plain = whole(1, 0), added = whole(1, 1);
  plain.data = added.data = data;
  check_all(rig, {plain, added});
}

}  // namespace

// Two results of one comparison: the element rule and the norm.
void check_random(Rig &rig) {
  const Trial trial = random(1, 0);
  const Compared compared = rig.attempt(trial);
  Compared by_element = compared;
  by_element.has_bound = false;
  rig.judge(describe(trial), by_element);
  rig.begin("normwise");
  rig.judge(describe(trial), compared);
}

void check_exact(Rig &rig) {
  if (!too_deep_to_be_exact(rig)) check_all(rig, {whole(1, 0)});
}

void check_scalars(Rig &rig) {
  std::vector<Trial> trials{random(1, 1), random(1.5f, -0.75f), random(-0.7853982f, 0), random(0.7853982f, 2)};
  if (rig.shape().k <= kLargestExactK) {
    const float beyond = alpha_beyond(rig.session().request.dtype);
    trials.insert(trials.begin(), {whole(1, 1), whole(-2, 0.5f), whole(beyond, 0)});
  }
  check_all(rig, trials);
}

void check_strides(Rig &rig) { check_all(rig, {random(1, 0, Storage::padded), random(1.5f, -0.75f, Storage::padded)}); }

void check_guards(Rig &rig) {
  std::vector<Trial> trials{random(1, 0), random(1, 1, Storage::padded)};
  for (Trial &trial : trials) trial.around = kPoison;
  check_all(rig, trials);
}

void check_beta_zero(Rig &rig) {
  Trial trial = random(1, 0);
  trial.around = kPoison, trial.poison_c = true;
  check_all(rig, {trial});
}

void check_offsets(Rig &rig) {
  const Request &request = rig.session().request;
  const int64_t element = element_bytes(request.dtype), alignment = request.requires_.pointer_alignment;
  std::vector<Trial> trials;
  for (const int64_t bytes : std::set<int64_t>{element, 2, 4, 8, alignment}) {
    if (bytes % alignment || bytes % element || bytes > 128) continue;
    for (const Offsets &offsets :
         {Offsets{bytes, bytes, bytes}, Offsets{bytes, 0, 0}, Offsets{0, bytes, 0}, Offsets{0, 0, bytes}}) {
      Trial trial = random(1, 1);
      trial.offsets = offsets, trial.around = kPoison;
      trials.push_back(trial);
    }
  }
  if (trials.empty()) return rig.skip("pointers must be aligned to more than 128 bytes");
  check_all(rig, trials);
}

void check_nan_inf(Rig &rig) { check_special(rig, Data::nan_inf); }

void check_subnormal(Rig &rig) { check_special(rig, Data::subnormal); }

void check_large(Rig &rig) {
  if (too_deep_to_be_exact(rig)) return;
  Trial trial = whole(1, 1);
  trial.around = kPoison;
  check_all(rig, {trial});
}

}  // namespace pyc::harness
