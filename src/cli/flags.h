// Flags as rows, and what a command line gave for them. Help, parsing and the reference page read the same rows.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace pyc::cli {

struct Flag {
  const char *name;   // "--name"
  const char *value;  // what stands behind it: "NAME"; nullptr for a switch
  const char *help;
  enum Use { kOnce, kRepeatable, kRequired, kRequiredOrPositional } use = kOnce;
  bool is_switch() const { return value == nullptr; }
  bool required() const { return use == kRequired || use == kRequiredOrPositional; }
};

// Flags of every verb: --workspace, --json, --color, --quiet, --help.
std::span<const Flag> common_flags();
std::vector<std::string> color_choices();  // of --color

// The words that were given, by flag name. Numbers are read here, so that every verb refuses them alike: kInvalid with
// the flag, the literal and what was expected.
class Values {
 public:
  void add(const std::string &flag, std::string value) { given_[flag].push_back(std::move(value)); }
  bool has(const std::string &flag) const { return given_.count(flag) != 0; }
  std::string text(const std::string &flag) const;               // empty if it was not given
  std::vector<std::string> list(const std::string &flag) const;  // in the order given
  Result<std::int64_t> integer(const std::string &flag, std::int64_t fallback, std::int64_t minimum,
                               std::int64_t maximum) const;
  Result<double> number(const std::string &flag, double fallback, double minimum, double maximum) const;

 private:
  std::map<std::string, std::vector<std::string>> given_;
};

// `text` as a whole number; `what` names it in the message: "--tile-m".
Result<std::int64_t> parse_integer(const std::string &what, const std::string &text, std::int64_t minimum,
                                   std::int64_t maximum);

}  // namespace pyc::cli
