// Two profiles, launch by launch.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/comparison.h"
#include "hpc/profile_summary.h"

namespace pyc::hpc {
namespace {

using evidence::Profile;

// How a figure of the summary is shown: `factor` takes it to `unit`.
struct Figure {
  const char *name, *unit;
  std::optional<double> ProfileRow::*value;
  double factor;
};
constexpr Figure kFigures[] = {
    {"time", "us", &ProfileRow::time_ns, 1e-3},
    {"compute", "% of peak", &ProfileRow::compute, 100},
    {"memory", "% of peak", &ProfileRow::memory, 100},
    {"device memory", "% of peak", &ProfileRow::dram, 100},
    {"occupancy", "%", &ProfileRow::occupancy, 100},
    {"possible occupancy", "%", &ProfileRow::possible_occupancy, 100},
    {"blocks per SM", "", &ProfileRow::limit_blocks, 1},
    {"bank conflicts", "", &ProfileRow::bank_conflicts, 1},
    {"L2 hit rate", "%", &ProfileRow::l2_hit_rate, 100},
};

std::optional<double> scaled(const ProfileRow &row, const Figure &figure) {
  const std::optional<double> &value = row.*figure.value;
  return value ? std::optional(*value * figure.factor) : std::nullopt;
}

std::string stalls_of(const ProfileRow &row) {
  std::vector<std::string> reasons;
  for (const Stall &stall : row.stalls)
    reasons.push_back(fmt::format("{} {:.2f}", stall.reason, stall.warps_per_issue));
  return join(reasons, ", ");
}

ProfileRow row_at(const Profile &profile, std::size_t index) {
  return index < profile.kernels.size() ? summarize(profile.kernels[index]) : ProfileRow{};
}

ComparedKernel compare_kernel(const ProfileRow &left, const ProfileRow &right) {
  ComparedKernel kernel{left.kernel,     right.kernel,    {}, join(left.limiters, ", "), join(right.limiters, ", "),
                        stalls_of(left), stalls_of(right)};
  for (const Figure &figure : kFigures)
    kernel.figures.push_back({figure.name, figure.unit, scaled(left, figure), scaled(right, figure)});
  return kernel;
}

std::vector<std::string> remarks_on(const Profile &left, const Profile &right) {
  std::vector<std::string> remarks = why_not_comparable(left.header, right.header);
  if (!(left.shape == right.shape)) {
    remarks.push_back(fmt::format("different problem sizes: {} and {}", to_string(left.shape), to_string(right.shape)));
  }
  for (const Profile *profile : {&left, &right}) {
    if (profile->default_metrics) continue;
    remarks.push_back(fmt::format("the {} one was made with --command: its output is kept, and not read",
                                  profile == &left ? "left" : "right"));
  }
  if (left.kernels.size() != right.kernels.size()) {
    remarks.push_back(
        fmt::format("different numbers of launches: {} and {}", left.kernels.size(), right.kernels.size()));
  }
  return remarks;
}

}  // namespace

ProfileComparison compare_profiles(const Profile &left, const Profile &right) {
  ProfileComparison comparison;
  comparison.left_name = left.header.candidate.name;
  comparison.right_name = right.header.candidate.name;
  comparison.left_shape = left.shape;
  comparison.right_shape = right.shape;
  comparison.remarks = remarks_on(left, right);
  comparison.differences = find_differences(left, right);
  for (std::size_t i = 0; i < std::max(left.kernels.size(), right.kernels.size()); ++i)
    comparison.kernels.push_back(compare_kernel(row_at(left, i), row_at(right, i)));
  return comparison;
}

}  // namespace pyc::hpc
