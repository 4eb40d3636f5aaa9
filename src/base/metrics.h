// What a program says of itself on stdout: lines such as "best_ms=0.123".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pyc {

// Numbers of `key=value`, `key = value` and `key: value` lines, and of several key=value words on a line, by key; the
// last of a key counts. What is no finite decimal number ("nan", "1,5") is left out.
std::map<std::string, double> read_metrics(std::string_view text);

// The metric, if it is greater than zero: best_ms and gflops of a run that measured nothing are no figures.
std::optional<double> positive_metric(const std::map<std::string, double> &metrics, const std::string &key);

// The last lines of a text, at most 20 and at most 4000 bytes.
std::string tail_of(std::string_view text);

}  // namespace pyc
