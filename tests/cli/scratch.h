// pyc as a user runs it: the built binary in a scratch workspace, with a fake toolkit and a fake GPU on PATH.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "tests/base/temporary_folder.h"

namespace pyc::cli::test {

inline bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// What a file holds; one that cannot be read fails the test.
template <typename Document>
Document value_of(const Result<Document> &read) {
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  return read ? *read : Document{};
}

struct Outcome {
  int exit_code = -1;
  std::string output, errors;  // stdout and stderr
  std::string line() const;    // stdout, which must be one line, without its newline
};

class Scratch {
 public:
  // The checkout's templates, harness and headers, with an empty registry.
  Scratch();

  // Environment of the next calls, on top of the fakes: PYC_FAKE_SCENARIO and its kin.
  void set(const std::string &name, const std::string &value) { environment_[name] = value; }
  Outcome run(const std::vector<std::string> &arguments, const std::string &below = "") const;  // below: the folder
  Outcome shell(const std::string &script) const;  // `pyc` in it is the built binary

  // Creates a candidate from the template; `arch` is the fake GPU's.
  void create(const std::string &name, const std::string &arch = "sm90") const;
  std::filesystem::path root() const { return folder_.path(); }
  std::filesystem::path operator/(const std::string &name) const { return folder_ / name; }
  std::filesystem::path write(const std::string &name, const std::string &text) const {
    return folder_.write(name, text);
  }
  int entries(const std::string &folder) const;  // how many, 0 if it is absent
  int compilations() const;                      // how often the fake nvcc wrote a file

 private:
  pyc::test::TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
};

}  // namespace pyc::cli::test
