#include "tests/workspace/sample_workspace.h"

#include <gtest/gtest.h>

namespace pyc::workspace::test {

SampleWorkspace::SampleWorkspace() : workspace_{folder_.path()} {
  write("kernels/registry/kernels.json", to_json(Registry{}));
  write("include/pyc/kernel.h", "#include <stdint.h>\n");
  write("kernels/harness/harness.h", "#include \"pyc/kernel.h\"\n");
  write("kernels/harness/run.cpp", "#include \"harness.h\"\n");
  write("kernels/harness/compare.cu", "#include \"harness.h\"\n");
  write("kernels/harness/sources.txt", "run.cpp\ncompare.cu\n");
}

Candidate SampleWorkspace::add_candidate(const std::string &name) const {
  const Status written = write_candidate(workspace_, sample_candidate(name));
  EXPECT_TRUE(written) << written.error().message;
  auto candidate = read_candidate(workspace_, name);
  EXPECT_TRUE(candidate) << candidate.error().message;
  return candidate ? *candidate : Candidate{};
}

Contract sample_contract(const std::string &name) {
  Contract contract;
  contract.name = name;
  contract.dtype = "fp32";
  contract.layout = "nn";
  contract.arch = "sm90";
  contract.shape_family = "square";
  contract.symbol = "pyc_gemm_" + name;
  return contract;
}

NewCandidate sample_candidate(const std::string &name) {
  return {sample_contract(name),
          "#include \"pyc/kernel.h\"\nint pyc_gemm_" + name + ";\n",
          "#include \"harness.h\"\nint main() {}\n",
          {}};
}

Record sample_record(const std::string &name, const std::string &family) {
  Record record;
  record.name = name;
  record.dtype = "fp32";
  record.layout = "nn";
  record.shape_family = family;
  record.arch = "sm90";
  record.symbol = "pyc_gemm_" + name;
  record.digest = std::string(64, 'd');
  record.source = "kernels/prototypes/" + name + "/kernel.cu";
  record.source_sha256 = std::string(64, 'e');
  record.flags = {"-O3", "-std=c++17", "-gencode=arch=compute_90a,code=sm_90a", "-lineinfo"};
  record.runtime.occupancy_estimate = 0.25;
  record.runtime.shared_memory_bytes = 49152;
  record.runtime.registers_per_thread = 168;
  record.runtime.register_pressure = "high";
  record.promoted_utc = "2026-01-31T12:34:56.789Z";
  EvidenceSummary &evidence = record.evidence;
  evidence.validation_file = "kernels/results/" + name + "-validation-20260131T120000000Z.json";
  evidence.benchmark_file = "kernels/results/" + name + "-benchmark-20260131T120001000Z.json";
  evidence.validation_sha256 = std::string(64, '1');
  evidence.benchmark_sha256 = std::string(64, '2');
  evidence.gpu_name = "NVIDIA H200";
  evidence.gpu_uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef";
  evidence.driver = "580.82.07";
  evidence.nvcc_version = "13.0.88";
  evidence.host_compiler = "g++ (Debian 12.2.0-14) 12.2.0";
  evidence.tool_version = "0.1.0";
  evidence.tool_git = "0123abc";
  evidence.shapes = {{{1024, 1024, 1024}, 65432.1, 70000.25, 61000.0, RatioInterval{1.07, 1.06, 1.08}}};
  evidence.ratio_to_incumbent = RatioInterval{1.25, 1.24, 1.26};
  evidence.replaced_digest = std::string(64, 'f');
  return record;
}

Registry registry_of(std::vector<Record> records) {
  Registry registry;
  for (Record &record : records) registry.entries.push_back({std::move(record), {}});
  return registry;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << "'" << from << "' is not in: " << text;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

Workspace source_workspace() { return {PYC_SOURCE_FOLDER}; }

}  // namespace pyc::workspace::test
