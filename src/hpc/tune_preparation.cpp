#include "hpc/tune_preparation.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>
#include <vector>

#include "base/process.h"
#include "hpc/neighbours.h"

namespace pyc::hpc {
namespace {

using evidence::SetStatus;
using evidence::TunedSet;

constexpr double kSecondsPerMinute = 60;
constexpr const char *kDefault = "default", *kCover = "cover";  // where a set comes from; else "near N"
constexpr std::size_t kCentres = 4;                             // of the best, beside which a generation looks
constexpr std::size_t kBesideInTime = 64;                       // sets that it lists with a budget in time

}  // namespace

std::string time_left(std::chrono::nanoseconds elapsed, int done, int total) {
  if (done <= 0 || total <= done) return {};
  const double seconds = std::chrono::duration<double>(elapsed).count() / done * (total - done);
  return seconds < kSecondsPerMinute ? fmt::format("about {:.0f} s left", seconds)
                                     : fmt::format("about {:.0f} min left", seconds / kSecondsPerMinute);
}

Preparation::Preparation(const Context &context, const TuneOptions &options, const Search &search,
                         const SearchClock &clock, TuningFile &file)
    : context_(context), options_(options), search_(search), clock_(clock), file_(file), order_(order_of(search)) {
  // The same search has the same order: what an earlier run tried has come already.
  for (const TunedSet &set : file.document().sets) {
    const auto id = search.space.find(set.parameters);
    if (set.origin == kCover)
      order_.next();
    else if (id)
      order_.take(*id);
  }
}

void Preparation::add_set(std::uint64_t id, const std::string &origin) {
  std::vector<TunedSet> &sets = file_.document().sets;
  TunedSet &set = sets.emplace_back();
  set.number = static_cast<int>(sets.size()) - 1;
  set.parameters = search_.space.at(id);
  set.origin = origin;
}

bool Preparation::add_covering_set() {
  const auto &defaults = search_.space.default_id();
  if (file_.document().sets.empty() && defaults) {
    order_.take(*defaults);
    add_set(*defaults, kDefault);
    return true;
  }
  const auto id = order_.next();
  if (id) add_set(*id, kCover);
  return id.has_value();
}

void Preparation::cover(const Generation &generation) {
  generation_ = generation;
  finds_more_ = options_.budget.time.has_value();
  const auto &sets = file_.document().sets;
  const auto is_covering = [](const TunedSet &set) { return set.origin == kCover || set.origin == kDefault; };
  auto covering = std::count_if(sets.begin(), sets.end(), is_covering);
  while (!finds_more_ && covering < generation.sets && add_covering_set()) ++covering;
}

void Preparation::look_beside(const std::vector<int> &best, const Generation &generation) {
  generation_ = generation;
  finds_more_ = false;
  std::vector<std::vector<std::uint64_t>> beside;
  for (std::size_t i = 0; i < std::min(best.size(), kCentres); ++i) {
    const auto &parameters = file_.document().sets[static_cast<std::size_t>(best[i])].parameters;
    if (const auto id = search_.space.find(parameters)) beside.push_back(neighbours(search_.space, *id, search_.seed));
  }
  const std::size_t most =
      options_.budget.time ? file_.document().sets.size() + kBesideInTime : static_cast<std::size_t>(generation.sets);
  const auto is_full = [&] { return file_.document().sets.size() >= most; };
  // The centres take turns, the nearest sets of each first.
  bool any = true;
  for (std::size_t turn = 0; any && !is_full(); ++turn) {
    any = false;
    for (std::size_t i = 0; i < beside.size() && !is_full(); ++i) {
      if (turn >= beside[i].size()) continue;
      any = true;
      if (order_.take(beside[i][turn])) add_set(beside[i][turn], fmt::format("near {}", best[i]));
    }
  }
  while (options_.budget.tries && !is_full() && add_covering_set()) {
  }
}

bool Preparation::is_open(const TunedSet &set) const {
  return set.status == SetStatus::kPlanned || (on_gpu_ && set.status == SetStatus::kCompiled);
}

// The mutex is held.
std::optional<TunedSet> Preparation::next_set() {
  if (!has_time(options_.budget, clock_.spent(), generation_.time_share)) return std::nullopt;
  std::vector<TunedSet> &sets = file_.document().sets;
  for (const TunedSet &set : sets)
    if (is_open(set) && under_way_.insert(set.number).second) return set;
  if (!finds_more_ || !add_covering_set()) return std::nullopt;
  under_way_.insert(sets.back().number);
  return sets.back();
}

void Preparation::tell() {
  const auto &sets = file_.document().sets;
  const int total = static_cast<int>(sets.size());
  const auto open =
      static_cast<int>(std::count_if(sets.begin(), sets.end(), [&](const TunedSet &set) { return is_open(set); }));
  const auto spent_s = std::chrono::duration_cast<std::chrono::seconds>(clock_.spent()).count();
  const std::string left =
      options_.budget.time
          ? time_left(clock_.spent(), static_cast<int>(spent_s),
                      static_cast<int>(static_cast<double>(options_.budget.time->count()) * generation_.time_share))
          : time_left(clock_.this_run() - began_, finished_, finished_ + open);
  std::string what = on_gpu_ ? "compiling and checking sets" : "compiling sets";
  if (!left.empty()) what += ", " + left;
  // With a budget in time nobody knows how many there will be.
  if (options_.budget.time) what = fmt::format("[{}] {}", total - open, what);
  context_.progress({what, total - open, options_.budget.time ? 0 : total});
}

void Preparation::finish(const Result<TunedSet> &prepared, int number) {
  const std::lock_guard lock(mutex_);
  under_way_.erase(number);
  if (!prepared) {
    if (status_) status_ = tl::unexpected<Error>(prepared.error());
    return;
  }
  file_.document().sets[static_cast<std::size_t>(number)] = *prepared;
  ++finished_;
  file_.document().elapsed_ns = clock_.spent().count();
  if (const Status saved = file_.save(context_); !saved && status_) status_ = saved;
  tell();
}

void Preparation::work(Trials &trials) {
  for (;;) {
    std::optional<TunedSet> set;
    {
      const std::lock_guard lock(mutex_);
      if (!status_) return;
      if (interrupt_flag()) {
        status_ = fail(ErrorKind::kInterrupted, "interrupted");
        return;
      }
      set = next_set();
    }
    if (!set) return;
    finish(trials.prepare(*set), set->number);
  }
}

Status Preparation::run(Trials &trials, bool on_gpu, int jobs) {
  on_gpu_ = on_gpu;
  began_ = clock_.this_run();
  finished_ = 0;
  tell();
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(jobs));
  for (int i = 0; i < jobs; ++i) threads.emplace_back([&] { work(trials); });
  threads.clear();  // joins them
  return status_;
}

}  // namespace pyc::hpc
