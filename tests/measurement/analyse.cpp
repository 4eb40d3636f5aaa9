// Turns the samples of run.sh into the tables of docs/measurement.md, with the statistics of the tool itself.
//
//   analyse null  FILE.jsonl...     a kernel against itself: how often is it called faster than itself?
//   analyse power FILE.jsonl...     kernels of known slowness: how often is it seen?
//   analyse stability FILE.jsonl... the same samples as separate runs: do kernels 5 % apart get one verdict from all?
//   analyse cost  FILE.jsonl...     seconds for each file's shapes, per shape and in all
//   analyse truth FILE.jsonl NCU.csv...   cold medians beside ncu's durations
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "stats/verdict.h"

namespace {

using Json = nlohmann::json;
using namespace pyc::stats;

constexpr double kBar = 1.02;

// Intervals are those of a first attempt with default settings, which may look at its samples more than once. Here each
// run has the samples of the first look alone.
const double kConfidenceOfBench = confidence_of(1, looks_within(50, 200));

struct Arm {
  std::string name, role;
  std::vector<double> cold_ns, clock_mhz;
};

struct ShapeRun {
  std::string file, shape;
  std::map<int, Arm> arms;
  double seconds = 0, overhead_ns = 0;
  std::vector<std::string> failed;  // output checks
};

void take(const Json &event, std::map<int, ShapeRun> &shapes, const std::string &file) {
  const std::string kind = event.at("event");
  if (!event.contains("index")) return;
  ShapeRun &run = shapes[event["index"].get<int>()];
  run.file = file;
  if (kind == "shape_begin") {
    run.shape = std::to_string(event["m"].get<long>()) + "x" + std::to_string(event["n"].get<long>()) + "x" +
                std::to_string(event["k"].get<long>());
  } else if (kind == "contender" && event["status"] == "ready") {
    run.arms[event["arm"]] = {event["name"], event["role"], {}, {}};
  } else if (kind == "samples" && event["cache"] == "cold") {
    run.arms[event["arm"]].cold_ns = event["time_ns"].get<std::vector<double>>();
    run.arms[event["arm"]].clock_mhz = event["sm_clock_mhz"].get<std::vector<double>>();
  } else if (kind == "timer") {
    run.overhead_ns = event["overhead_ns"];
  } else if (kind == "shape_end") {
    run.seconds = event["elapsed_ns"].get<double>() * 1e-9;
  } else if (kind == "output_check" && event["status"] == "failed") {
    run.failed.push_back("arm " + std::to_string(event["arm"].get<int>()) + " " + event["check"].get<std::string>());
  }
}

std::vector<ShapeRun> read(const std::string &path) {
  std::ifstream file(path);
  std::map<int, ShapeRun> shapes;
  for (std::string line; std::getline(file, line);) take(Json::parse(line), shapes, path);
  std::vector<ShapeRun> runs;
  for (auto &[index, run] : shapes) runs.push_back(std::move(run));
  return runs;
}

std::vector<ShapeRun> read_all(int count, char **paths) {
  std::vector<ShapeRun> runs;
  for (int i = 0; i < count; ++i) {
    for (ShapeRun &run : read(paths[i])) runs.push_back(std::move(run));
  }
  return runs;
}

// The arms that are not the vendor's, in the order of their numbers.
std::vector<const Arm *> kernels(const ShapeRun &run) {
  std::vector<const Arm *> arms;
  for (const auto &[number, arm] : run.arms) {
    if (arm.role != "cublas" && arm.role != "cublaslt" && !arm.cold_ns.empty()) arms.push_back(&arm);
  }
  return arms;
}

std::optional<Interval> ratio_of(const Arm &baseline, const Arm &contender) {
  return paired_ratio({baseline.cold_ns, contender.cold_ns}, kConfidenceOfBench);
}

// Of a kernel against itself, as line 7 of the gate takes it.
std::optional<Interval> control_of(const Arm &one, const Arm &other) {
  return paired_ratio({one.cold_ns, other.cold_ns});
}

double microseconds(const Arm &arm) { return median(arm.cold_ns).value_or(NAN) / 1e3; }

std::string file_name(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

// ---- null
// ------------------------------------------------------------------------------------------------------------

// Arms 2i and 2i+1 are compared; the next pair of the same shape is the control.
void null_test(const std::vector<ShapeRun> &runs) {
  std::map<Verdict, int> all;
  std::printf("%-26s %-18s %10s %7s %17s %11s  %s\n", "file", "shape", "median us", "pairs", "ratios", "widest int.",
              "faster slower same ambiguous noisy");
  for (const ShapeRun &run : runs) {
    const auto arms = kernels(run);
    std::map<Verdict, int> counted;
    double low = INFINITY, high = 0, widest = 0;
    const std::size_t pairs = arms.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::size_t other = (i + 1) % pairs;
      const auto ratio = ratio_of(*arms[2 * i], *arms[2 * i + 1]);
      const auto control = pairs > 1 ? control_of(*arms[2 * other], *arms[2 * other + 1]) : std::nullopt;
      ++counted[decide({ratio, control, std::nullopt, false}, kBar).verdict];
      if (!ratio) continue;
      low = std::min(low, ratio->estimate), high = std::max(high, ratio->estimate);
      widest = std::max(widest, ratio->high - ratio->low);
    }
    for (const auto &[verdict, count] : counted) all[verdict] += count;
    std::printf("%-26s %-18s %10.2f %7zu  %.4f to %.4f %9.2f %%  %6d %6d %4d %9d %5d\n", file_name(run.file).c_str(),
                run.shape.c_str(), arms.empty() ? NAN : microseconds(*arms[0]), pairs, low, high, 100 * widest,
                counted[Verdict::kFaster], counted[Verdict::kSlower], counted[Verdict::kSame],
                counted[Verdict::kAmbiguous], counted[Verdict::kNoisy]);
  }
  for (const auto &[verdict, count] : all) std::printf("%s: %d\n", to_string(verdict).c_str(), count);
}

// The same question as the gate asks it: over all shapes of a family together.
void null_test_by_file(const std::vector<ShapeRun> &runs) {
  std::map<std::string, std::vector<const ShapeRun *>> files;
  for (const ShapeRun &run : runs) files[run.file].push_back(&run);
  std::printf("\n%-26s %s\n", "family",
              "geometric means of the shapes' ratios, pair by pair, with the gate's intervals");
  for (const auto &[file, shapes] : files) {
    std::printf("%-26s", file_name(file).c_str());
    for (std::size_t i = 0; 2 * i + 1 < kernels(*shapes[0]).size(); ++i) {
      std::vector<PairedSamples> samples;
      for (const ShapeRun *run : shapes) {
        const auto arms = kernels(*run);
        if (2 * i + 1 < arms.size()) samples.push_back({arms[2 * i]->cold_ns, arms[2 * i + 1]->cold_ns});
      }
      const auto ratio = geometric_mean_ratio(samples, kConfidenceOfBench);
      if (ratio) std::printf("  %.4f (%.4f to %.4f)", ratio->estimate, ratio->low, ratio->high);
    }
    std::printf("\n");
  }
}

// ---- power
// -----------------------------------------------------------------------------------------------------------

struct Power {
  int comparisons = 0;
  std::map<Verdict, int> verdicts;
  double ratio_sum = 0, us = 0;
  std::vector<double> missing;  // how far the interval's lower end lay below what is known to be true, as a ratio
};

// `paced_0.05` takes 1.05 times what the plain kernel does.
double known_time(const std::string &name) { return 1 + std::stod(name.substr(name.find('_') + 1)); }

// The difference that 95 of 100 such runs would call `faster`, in per cent.
double found_by_most(std::vector<double> missing) {
  if (missing.empty()) return NAN;
  std::sort(missing.begin(), missing.end());
  return 100 * (kBar * missing[(missing.size() * 95 + 99) / 100 - 1] - 1);
}

std::vector<const Arm *> named(const ShapeRun &run, const std::string &name) {
  std::vector<const Arm *> arms;
  for (const auto &[number, arm] : run.arms) {
    if (arm.name == name && !arm.cold_ns.empty()) arms.push_back(&arm);
  }
  return arms;
}

// The i-th plain arm against the i-th slow one, with the next two plain ones as control.
void compare_paced(const ShapeRun &run, const std::string &baseline, const std::string &contender, Power &power) {
  const auto one = named(run, baseline), other = named(run, contender), plain = named(run, "paced_0.00");
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const auto ratio = ratio_of(*one[i], *other[i]);
    const auto control = control_of(*plain[(i + 1) % plain.size()], *plain[(i + 2) % plain.size()]);
    ++power.comparisons;
    ++power.verdicts[decide({ratio, control, std::nullopt, false}, kBar).verdict];
    power.ratio_sum += ratio ? ratio->estimate : NAN;
    power.us += microseconds(*one[i]);
    if (ratio) power.missing.push_back(known_time(baseline) / known_time(contender) / ratio->low);
  }
}

void power_test(const std::vector<ShapeRun> &runs) {
  const std::pair<const char *, const char *> questions[] = {{"paced_0.00", "paced_0.03"},
                                                             {"paced_0.03", "paced_0.00"},
                                                             {"paced_0.04", "paced_0.00"},
                                                             {"paced_0.05", "paced_0.00"},
                                                             {"paced_0.00", "paced_0.05"}};
  std::printf("%-14s %-12s %-12s %10s %8s %6s  %s\n", "shape", "baseline", "contender", "median us", "ratio", "runs",
              "faster slower same ambiguous noisy  found by 95 %");
  for (const auto &[baseline, contender] : questions) {
    std::map<std::string, Power> shapes;
    for (const ShapeRun &run : runs) compare_paced(run, baseline, contender, shapes[run.shape]);
    for (auto &[shape, power] : shapes) {
      std::printf("%-14s %-12s %-12s %10.2f %8.4f %6d  %6d %6d %4d %9d %5d  %8.1f %%\n", shape.c_str(), baseline,
                  contender, power.us / power.comparisons, power.ratio_sum / power.comparisons, power.comparisons,
                  power.verdicts[Verdict::kFaster], power.verdicts[Verdict::kSlower], power.verdicts[Verdict::kSame],
                  power.verdicts[Verdict::kAmbiguous], power.verdicts[Verdict::kNoisy], found_by_most(power.missing));
    }
  }
}

// The i-th arms of two names at every shape of a run.
std::vector<PairedSamples> pairs_over_shapes(const std::vector<const ShapeRun *> &shapes, const std::string &baseline,
                                             std::size_t i, const std::string &contender, std::size_t j) {
  std::vector<PairedSamples> samples;
  for (const ShapeRun *run : shapes) {
    const auto one = named(*run, baseline), other = named(*run, contender);
    if (i < one.size() && j < other.size()) samples.push_back({one[i]->cold_ns, other[j]->cold_ns});
  }
  return samples;
}

// Each file is one run, judged as the gate judges: over all its shapes.
void stability(const std::vector<ShapeRun> &runs) {
  std::map<std::string, std::vector<const ShapeRun *>> files;
  for (const ShapeRun &run : runs) files[run.file].push_back(&run);
  const std::pair<const char *, const char *> questions[] = {{"paced_0.05", "paced_0.00"},
                                                             {"paced_0.00", "paced_0.05"}};
  for (const auto &[baseline, contender] : questions) {
    std::map<Verdict, int> counted;
    for (const auto &[file, shapes] : files) {
      const auto ratio = geometric_mean_ratio(pairs_over_shapes(shapes, baseline, 0, contender, 0), kConfidenceOfBench);
      const auto control = geometric_mean_ratio(pairs_over_shapes(shapes, "paced_0.00", 0, "paced_0.00", 1));
      const Verdict verdict = decide({ratio, control, std::nullopt, false}, kBar).verdict;
      ++counted[verdict];
      std::printf("%-20s %s / %s  %.4f (%.4f to %.4f)  %s\n", file_name(file).c_str(), baseline, contender,
                  ratio ? ratio->estimate : NAN, ratio ? ratio->low : NAN, ratio ? ratio->high : NAN,
                  to_string(verdict).c_str());
    }
    std::printf("%zu runs, %zu verdicts: %s\n\n", files.size(), counted.size(),
                counted.size() == 1 ? to_string(counted.begin()->first).c_str() : "not stable");
  }
}

// ---- cost and truth
// --------------------------------------------------------------------------------------------------

void cost(const std::vector<ShapeRun> &runs) {
  std::map<std::string, double> files;
  for (const ShapeRun &run : runs) {
    files[run.file] += run.seconds;
    std::printf("%-26s %-18s %7.2f s  overhead %.2f us", file_name(run.file).c_str(), run.shape.c_str(), run.seconds,
                run.overhead_ns / 1e3);
    for (const auto &[number, arm] : run.arms) std::printf("  %s %.2f us", arm.role.c_str(), microseconds(arm));
    for (const std::string &failed : run.failed) std::printf("  FAILED %s", failed.c_str());
    std::printf("\n");
  }
  for (const auto &[file, seconds] : files) std::printf("%-26s %7.2f s in all\n", file_name(file).c_str(), seconds);
}

// Durations in ns from ncu's CSV: the last column of the rows that name the metric.
std::vector<double> ncu_durations(const std::string &path) {
  std::ifstream file(path);
  std::vector<double> durations;
  for (std::string line; std::getline(file, line);) {
    const std::size_t metric = line.find("\"gpu__time_duration.sum\",\"");
    if (metric == std::string::npos) continue;
    const std::size_t unit = metric + std::string("\"gpu__time_duration.sum\",\"").size(),
                      comma = line.find("\",\"", unit);
    const std::string unit_name = line.substr(unit, comma - unit);
    std::string value = line.substr(comma + 3);
    value.erase(std::remove(value.begin(), value.end(), ','), value.end());
    const double scale = unit_name == "ns" || unit_name == "nsecond"   ? 1
                         : unit_name == "us" || unit_name == "usecond" ? 1e3
                                                                       : 1e6;
    durations.push_back(std::strtod(value.c_str(), nullptr) * scale);
  }
  return durations;
}

void truth(const std::vector<ShapeRun> &runs, int count, char **paths) {
  std::printf("%-18s %12s %12s %10s %8s\n", "shape", "events us", "ncu us", "diff. us", "diff. %");
  for (const ShapeRun &run : runs) {
    for (int i = 0; i < count; ++i) {
      if (file_name(paths[i]) != "truth_" + run.shape + ".csv" || run.arms.count(0) == 0) continue;
      const double events = microseconds(run.arms.at(0)), ncu = median(ncu_durations(paths[i])).value_or(NAN) / 1e3;
      std::printf("%-18s %12.2f %12.2f %10.2f %8.2f\n", run.shape.c_str(), events, ncu, events - ncu,
                  100 * (events / ncu - 1));
    }
  }
  if (!runs.empty())
    std::printf("taken off each sample, what two events with nothing between them read: %.2f us\n",
                runs[0].overhead_ns / 1e3);
}

}  // namespace

int main(int argc, char **argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "null") {
    const auto runs = read_all(argc - 2, argv + 2);
    null_test(runs);
    null_test_by_file(runs);
  } else if (what == "power") {
    power_test(read_all(argc - 2, argv + 2));
  } else if (what == "stability") {
    stability(read_all(argc - 2, argv + 2));
  } else if (what == "cost") {
    cost(read_all(argc - 2, argv + 2));
  } else if (what == "truth") {
    truth(read(argv[2]), argc - 3, argv + 3);
  } else {
    std::fprintf(stderr, "analyse null|power|stability|cost|truth FILE...\n");
    return 2;
  }
  return 0;
}
