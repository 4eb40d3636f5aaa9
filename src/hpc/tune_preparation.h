// The first half of a search: as many sets as the budget allows are compiled and checked, several at a time.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "hpc/search.h"
#include "hpc/trials.h"
#include "hpc/tune.h"
#include "hpc/tuning_file.h"

namespace pyc::hpc {

// Time of a search, earlier runs of it included.
class SearchClock {
 public:
  explicit SearchClock(std::int64_t before_ns) : before_(before_ns) {}
  std::chrono::nanoseconds spent() const { return before_ + this_run(); }
  std::chrono::nanoseconds this_run() const { return std::chrono::steady_clock::now() - begin_; }

 private:
  std::chrono::nanoseconds before_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// "about 3 min left", from how long the units that are done took; empty while it cannot be told.
std::string time_left(std::chrono::nanoseconds elapsed, int done, int total);

class Preparation {
 public:
  Preparation(const Context &context, const TuneOptions &options, const Search &search, const SearchClock &clock,
              TuningFile &file);

  // The generation begins. The covering one lists its sets, or with a budget in time finds each when a compiler is
  // free; another one lists sets beside the best, which are given best first.
  void cover(const Generation &generation);
  void look_beside(const std::vector<int> &best, const Generation &generation);

  // Compiles and checks what is listed. Whatever happens, what was finished is in the file. The first error of the
  // machine ends it.
  Status run(Trials &trials, bool on_gpu, int jobs);

 private:
  std::optional<evidence::TunedSet> next_set();
  bool is_open(const evidence::TunedSet &set) const;
  bool add_covering_set();
  void add_set(std::uint64_t id, const std::string &origin);
  void work(Trials &trials);
  void finish(const Result<evidence::TunedSet> &prepared, int number);
  void tell();

  const Context &context_;
  const TuneOptions &options_;
  const Search &search_;
  const SearchClock &clock_;
  TuningFile &file_;
  CoverageOrder order_;

  std::mutex mutex_;  // of all that follows, and of the file
  Generation generation_;
  bool finds_more_ = false;  // covering sets are found as compilers get free
  bool on_gpu_ = false;
  std::set<int> under_way_;
  std::chrono::nanoseconds began_{0};  // this generation
  int finished_ = 0;                   // of it
  Status status_;
};

}  // namespace pyc::hpc
