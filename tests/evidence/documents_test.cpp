#include "evidence/documents.h"

#include <fstream>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/hash.h"
#include "tests/base/temporary_folder.h"
#include "tests/evidence/sample_records.h"

namespace pyc::evidence {
namespace {

class Documents : public testing::Test {
 protected:
  std::filesystem::path write(const std::string &text) {
    const std::filesystem::path path = folder_.path() / "evidence.json";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string validation_refusal(const std::string &text) {
    const auto read = read_validation(write(text));
    if (read) return "accepted";
    EXPECT_EQ(read.error().kind, ErrorKind::kInvalid);
    return read.error().message;
  }

  test::TemporaryFolder folder_;
};

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// What somebody does who edits a file and knows how the seal is made.
std::string sealed_again(const std::string &text) {
  const std::string before = text.substr(0, text.find("  \"seal\": \""));
  return before + "  \"seal\": \"" + sha256_hex(before) + "\"\n}\n";
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST_F(Documents, AValidationComesBackWhole) {
  const std::string text = to_json(sample_validation());
  const auto read = read_validation(write(text));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  EXPECT_EQ(read->seed, sample_validation().seed);
  EXPECT_EQ(read->header.logs.harness, sample_validation().header.logs.harness);
  EXPECT_EQ(read->shapes[0].launches->kernels[0].grid[1], 4);
  EXPECT_EQ(read->shapes[0].checks[0].first->got, "nan");
  EXPECT_FALSE(read->shapes[0].checks[0].max_rel_error);
  EXPECT_EQ(read->failed_shapes(), 1);
}

TEST_F(Documents, ABenchmarkComesBackWhole) {
  const std::string text = to_json(sample_benchmark());
  const auto read = read_benchmark(write(text));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  const Arm *incumbent = read->shapes[0].find("incumbent");
  ASSERT_TRUE(incumbent);
  EXPECT_EQ(incumbent->cold_ns, sample_benchmark().shapes[0].arms[1].cold_ns);
  EXPECT_EQ(incumbent->cold_order, (std::vector<std::int64_t>{0, 3, 4}));
  EXPECT_EQ(read->shapes[0].find("cublas"), nullptr);
}

TEST_F(Documents, AProfileComesBackWhole) {
  const std::string text = to_json(sample_profile());
  const auto read = read_profile(write(text));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  EXPECT_EQ(read->run.command, sample_profile().run.command);
  EXPECT_EQ(read->run.return_code, 0);
  ASSERT_EQ(read->kernels.size(), 1u);
  EXPECT_EQ(read->kernels[0].find("gpu__time_duration.sum")->value, 12345.5);
  EXPECT_EQ(read->kernels[0].find("device")->text, "H200");
  EXPECT_EQ(read->kernels[0].find("absent"), nullptr);
  EXPECT_TRUE(read_summary(write(text)));
}

TEST_F(Documents, AProfileIsNoBenchmarkAndGuardsItsOutput) {
  const std::string text = to_json(sample_profile());
  EXPECT_FALSE(read_benchmark(write(text)));
  EXPECT_FALSE(read_profile(write(to_json(sample_benchmark()))));
  const auto edited = read_profile(write(replaced(text, "12345.5", "1234.5")));
  ASSERT_FALSE(edited);
  EXPECT_TRUE(contains(edited.error().message, "seal")) << edited.error().message;
}

TEST_F(Documents, APlannedDocumentNeedsNoGpuAndNoShapes) {
  Validation planned;
  planned.header.status = DocumentStatus::kPlanned;
  const auto read = read_validation(write(to_json(planned)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->header.gpu);
}

TEST_F(Documents, SamplesStandOnOneLineAndTheSealLast) {
  const std::string text = to_json(sample_benchmark());
  EXPECT_TRUE(contains(text, "\"cold_ns\": [123456.789, 0.3333333333333333, 1000000000.0],\n"));
  EXPECT_EQ(text.find("\"seal\""), text.rfind('\n', text.size() - 4) + 3);
}

TEST_F(Documents, AMeasureThatIsNotFiniteIsLeftOut) {
  Validation validation = sample_validation();
  validation.shapes[0].checks[0].max_abs_error = std::numeric_limits<double>::quiet_NaN();
  validation.shapes[0].checks[0].normwise_error = std::numeric_limits<double>::infinity();
  const std::string text = to_json(validation);
  EXPECT_FALSE(contains(text, "max_abs_error"));
  EXPECT_FALSE(contains(text, "null"));
  const auto read = read_validation(write(text));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->shapes[0].checks[0].normwise_error);
}

TEST_F(Documents, TheWrittenMedianIsNotReadBack) {
  const std::string text = to_json(sample_benchmark());
  const std::string edited = sealed_again(replaced(text, "\"median_ns\": 123456.789", "\"median_ns\": 1.0"));
  const auto read = read_benchmark(write(edited));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(cold_median_ns(read->shapes[0].arms[0]), 123456.789);
}

TEST_F(Documents, RefusesAHandEditedFile) {
  const std::string text = to_json(sample_validation());
  EXPECT_TRUE(contains(validation_refusal(replaced(text, "\"status\": \"failed\"", "\"status\": \"passed\"")), "seal"));
  EXPECT_TRUE(contains(validation_refusal(text + "\n"), "seal"));
  EXPECT_TRUE(contains(validation_refusal(replaced(text, "\"seal\": \"", "\"seal\": \"0")), "seal"));
}

TEST_F(Documents, RefusesEveryTruncation) {
  const std::string text = to_json(sample_validation());
  for (std::size_t length = 0; length < text.size(); length += 1 + length / 40)
    EXPECT_NE(validation_refusal(text.substr(0, length)), "accepted") << length;
  EXPECT_NE(validation_refusal(text.substr(0, text.size() - 1)), "accepted");
}

TEST_F(Documents, RefusesAnyByteThatChanged) {
  const std::string text = to_json(sample_validation());
  for (std::size_t at = 0; at < text.size(); at += 29) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(validation_refusal(changed), "accepted") << at;
  }
}

TEST_F(Documents, RefusesAnotherKindByName) {
  EXPECT_TRUE(contains(validation_refusal(to_json(sample_benchmark())),
                       "field 'kind': expected one of validation, got \"benchmark\""));
  EXPECT_FALSE(read_benchmark(write(to_json(sample_validation()))));
}

TEST_F(Documents, NamesTheFieldThatIsWrong) {
  const std::string text = to_json(sample_validation());
  const auto refusal = [&](const std::string &from, const std::string &to) {
    return validation_refusal(sealed_again(replaced(text, from, to)));
  };
  EXPECT_TRUE(contains(refusal("pyc.evidence/1", "pyc.evidence/9"), "field 'schema'"));
  EXPECT_TRUE(contains(refusal("\"cores\": 64", "\"cores\": -1"), "field 'host.cores'"));
  EXPECT_TRUE(contains(refusal("\"cores\": 64", "\"cores\": 64, \"cores\": 65"), "'cores' stands twice"));
  EXPECT_TRUE(contains(refusal("\"cores\": 64", "\"kores\": 64"), "field 'host.cores' is missing"));
  EXPECT_TRUE(contains(refusal("\"ecc\": true", "\"ecc\": true, \"x\": 1"), "unknown field 'gpu.x'"));
  EXPECT_TRUE(contains(refusal("\"row\": 5", "\"row\": \"5\""), "field 'shapes[0].checks[0].first.row'"));
  EXPECT_TRUE(contains(refusal("\"m\": 1024", "\"m\": 0"), "field 'shapes[0].m'"));
  EXPECT_TRUE(
      contains(refusal("\"grid\": [8, 4, 1]", "\"grid\": [8, 4]"), "field 'shapes[0].launches.kernels[0].grid'"));
  EXPECT_TRUE(contains(refusal("\"absolute\": 0.0001", "\"absolute\": null"), "field 'tolerance.absolute'"));
  EXPECT_TRUE(contains(refusal("Debian 12", "Debian \xff"), "UTF-8"));
}

TEST_F(Documents, RefusesAnAbsentFileAndAFolder) {
  EXPECT_EQ(read_validation(folder_.path() / "none.json").error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(read_validation(folder_.path()).error().kind, ErrorKind::kInvalid);
}

TEST_F(Documents, RefusesAFileBeyondTheLimitWithoutReadingIt) {
  const std::filesystem::path path = write("{");
  std::filesystem::resize_file(path, kEvidenceFileLimitBytes + 1);
  const auto read = read_benchmark(path);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::kInvalid);
}

TEST_F(Documents, ASummaryIsTheHeaderWithoutLogs) {
  const auto summary = read_summary(write(to_json(sample_benchmark())));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->header.kind, Kind::kBenchmark);
  EXPECT_EQ(summary->header.status, DocumentStatus::kCompleted);
  EXPECT_EQ(summary->header.candidate.digest, sample_benchmark().header.candidate.digest);
  EXPECT_EQ(summary->header.gpu->uuid, "GPU-1234");
  EXPECT_TRUE(summary->header.logs.harness.empty());
}

TEST_F(Documents, ASummaryOfALongHeaderIsReadToo) {
  Validation validation = sample_validation();
  for (int i = 0; i < 2000; ++i) validation.header.command.push_back("--shape=64x64x64");
  const auto summary = read_summary(write(to_json(validation)));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->header.command.size(), validation.header.command.size());
}

TEST_F(Documents, ASummaryIsNotMisledByTextThatLooksLikeTheBody) {
  Validation validation = sample_validation();
  validation.header.candidate.name = "x\",\n  \"seed\": 1";
  const auto summary = read_summary(write(to_json(validation)));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->header.candidate.name, validation.header.candidate.name);
}

TEST_F(Documents, ASummaryOfSomethingElseIsRefused) {
  for (const char *text : {"", "{}", "not json", "{\n  \"a\": 1,\n  \"seed\": 2\n}\n"}) {
    const auto summary = read_summary(write(text));
    ASSERT_FALSE(summary) << text;
    EXPECT_EQ(summary.error().kind, ErrorKind::kInvalid);
  }
  EXPECT_FALSE(read_summary(folder_.path() / "none.json"));
}

TEST_F(Documents, AnOutlineSaysWhatTheHeaderSays) {
  const auto outline = read_outline(write(to_json(sample_benchmark())));
  ASSERT_TRUE(outline) << outline.error().message;
  EXPECT_EQ(outline->kind, Kind::kBenchmark);
  EXPECT_EQ(outline->status, DocumentStatus::kCompleted);
  EXPECT_EQ(outline->created_utc, sample_benchmark().header.created_utc);
  EXPECT_EQ(outline->candidate, "tiled");
  EXPECT_EQ(outline->digest, std::string(64, 'd'));
  for (const char *text : {"", "{}", "not json", "{\n  \"a\": {\n    \"b\": 1,\n    \"files\": []\n  }\n}\n"})
    EXPECT_FALSE(read_outline(write(text))) << text;
}

TEST(EvidenceFileName, CarriesNameKindAndTime) {
  EXPECT_EQ(file_name("tiled", Kind::kBenchmark, "20260131T123456789Z"), "tiled-benchmark-20260131T123456789Z.json");
}

}  // namespace
}  // namespace pyc::evidence
