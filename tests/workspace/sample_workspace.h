// A small workspace of its own for one test, and values that fit into it.
#pragma once

#include <string>

#include "tests/base/temporary_folder.h"
#include "workspace/candidate.h"
#include "workspace/registry.h"
#include "workspace/workspace.h"

namespace pyc::workspace::test {

class SampleWorkspace {
 public:
  SampleWorkspace();  // an empty registry, include/pyc/kernel.h and a harness of one header and two sources

  const Workspace &workspace() const { return workspace_; }
  std::filesystem::path write(const std::string &name, const std::string &contents) const {
    return folder_.write(name, contents);
  }
  std::filesystem::path operator/(const std::string &name) const { return folder_ / name; }
  Candidate add_candidate(const std::string &name) const;
  const pyc::test::TemporaryFolder &folder() const { return folder_; }

 private:
  pyc::test::TemporaryFolder folder_;
  Workspace workspace_;
};

Contract sample_contract(const std::string &name);
NewCandidate sample_candidate(const std::string &name);

// A record with every field that can be there, and its selector's family.
Record sample_record(const std::string &name, const std::string &family = "square");
Registry registry_of(std::vector<Record> records);

// `text` with the first `from` replaced, which must be there.
std::string replaced(std::string text, const std::string &from, const std::string &to);

Workspace source_workspace();  // the checkout that the tests were built from

}  // namespace pyc::workspace::test
