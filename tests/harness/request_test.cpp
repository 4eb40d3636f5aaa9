#include "request.h"

#include <gtest/gtest.h>

namespace pyc::harness {
namespace {

const std::string kWhole = R"({
  "schema": "pyc.harness-request/1", "mode": "bench", "nonce": "n", "dtype": "fp32", "layout": "nt",
  "compute_capability": "9.0", "seed": 18446744073709551615,
  "shapes": [{"m": 64, "n": 128, "k": 256, "timed": true}, {"m": 63, "n": 127, "k": 255, "timed": false}],
  "tolerance": {"absolute": 1e-4, "relative": 0.0001},
  "requires": {"m_multiple": 1, "n_multiple": 4, "k_multiple": 1, "pointer_alignment": 16, "ld_multiple": 4},
  "workspace": true, "warmup": 3, "repeats": 20,
  "contenders": [{"role": "incumbent", "name": "old", "digest": "d", "library": "/tmp/x.so", "symbol": "pyc_gemm_old",
                  "workspace": false, "requires": {"m_multiple": 2}}],
  "vendor_library_dirs": ["/a", "/b"], "vendor_algorithms": 9})";

std::string with(const std::string &from, const std::string &to) {
  std::string text = kWhole;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string &text) {
  try {
    parse_request(text);
  } catch (const BadRequest &bad) {
    return bad.what();
  }
  return "";
}

TEST(Request, ReadsEveryField) {
  const Request request = parse_request(kWhole);
  EXPECT_EQ(request.mode, Mode::bench);
  EXPECT_EQ(request.seed, 18446744073709551615u);
  EXPECT_TRUE(request.layout.b_transposed);
  ASSERT_EQ(request.shapes.size(), 2u);
  EXPECT_EQ(request.shapes[1].k, 255);
  EXPECT_FALSE(request.shapes[1].timed);
  EXPECT_EQ(request.tolerance.absolute, 1e-4);
  EXPECT_EQ(request.requires_.pointer_alignment, 16);
  EXPECT_TRUE(request.workspace);
  EXPECT_EQ(request.warmup, 3);
  ASSERT_EQ(request.contenders.size(), 1u);
  EXPECT_EQ(request.contenders[0].requires_.m_multiple, 2);
  EXPECT_EQ(request.vendor_library_dirs[1], "/b");
  EXPECT_EQ(request.vendor_algorithms, 9);
}

TEST(Request, ReadsHowMuchAValidationTries) {
  EXPECT_EQ(parse_request(kWhole).depth, Depth::thorough);
  EXPECT_EQ(parse_request(with("\"warmup\"", "\"depth\": \"quick\", \"warmup\"")).depth, Depth::quick);
  EXPECT_EQ(parse_request(with("\"warmup\"", "\"depth\": \"default\", \"warmup\"")).depth, Depth::thorough);
  EXPECT_NE(refusal(with("\"warmup\"", "\"depth\": \"deep\", \"warmup\"")).find("\"deep\""), std::string::npos);
  EXPECT_TRUE(parse_request(with("\"warmup\"", "\"deterministic\": true, \"warmup\"")).deterministic);
  EXPECT_FALSE(parse_request(kWhole).shapes[0].large);
  EXPECT_TRUE(parse_request(with("\"timed\": false", "\"large\": true")).shapes[1].large);
}

TEST(Request, NamesTheFieldThatIsWrong) {
  EXPECT_NE(refusal(with("\"mode\": \"bench\"", "\"mode\": \"race\"")).find("\"race\""), std::string::npos);
  EXPECT_NE(refusal(with("\"m\": 63", "\"m\": 0")).find("shapes[1].m"), std::string::npos);
  EXPECT_NE(refusal(with("\"m\": 63", "\"m\": 6.5")).find("shapes[1].m"), std::string::npos);
  EXPECT_NE(refusal(with("\"m\": 63", "\"m\": 99999999999")).find("shapes[1].m"), std::string::npos);
  EXPECT_NE(refusal(with("\"nonce\": \"n\", ", "")).find("\"nonce\" is missing"), std::string::npos);
  EXPECT_NE(refusal(with("\"nonce\"", "\"nonsense\": 1, \"nonce\"")).find("unknown key \"nonsense\""),
            std::string::npos);
  EXPECT_NE(refusal(with("\"n_multiple\": 4", "\"n_multiple\": 0")).find("requires.n_multiple"), std::string::npos);
  EXPECT_NE(refusal(with("\"/tmp/x.so\"", "\"x.so\"")).find("absolute path"), std::string::npos);
  EXPECT_NE(refusal(with("\"incumbent\"", "\"friend\"")).find("contenders[0].role"), std::string::npos);
  EXPECT_NE(refusal(with("1e-4", "-1e-4")).find("tolerance.absolute"), std::string::npos);
  EXPECT_NE(refusal(with("1e-4", "\"1e-4\"")).find("must be a number, not a string"), std::string::npos);
  EXPECT_NE(refusal(with("\"layout\": \"nt\"", "\"layout\": \"nx\"")).find("\"nx\""), std::string::npos);
  EXPECT_NE(refusal(with("\"fp32\"", "\"fp64\"")).find("\"fp64\""), std::string::npos);
  EXPECT_NE(refusal(with("18446744073709551615", "-1")).find("seed"), std::string::npos);
  EXPECT_NE(refusal(with("18446744073709551615", "18446744073709551616")).find("seed"), std::string::npos);
  EXPECT_NE(refusal(with("harness-request/1", "harness-request/2")).find("schema"), std::string::npos);
}

TEST(Request, RefusesADocumentThatIsNoObject) {
  EXPECT_NE(refusal("[]"), "");
  EXPECT_NE(refusal(""), "");
}

// Their bytes would not fit the arithmetic that asks whether there is memory for them.
TEST(Request, RefusesOperandsThatNoDeviceHolds) {
  const std::string huge = with("\"m\": 63, \"n\": 127", "\"m\": 2147483648, \"n\": 2147483648");
  EXPECT_NE(refusal(huge).find("shapes[1]"), std::string::npos) << refusal(huge);
  EXPECT_THROW(parse_shape("2147483648x2147483648x1"), BadRequest);
  EXPECT_THROW(parse_shape("1x2147483648x2147483648"), BadRequest);
  EXPECT_EQ(parse_shape("1048576x1048576x1").m, 1048576);
}

TEST(Requires, NamesTheMultipleThatAShapeBreaks) {
  const Requires requires_{1, 4, 8, 16, 1};
  EXPECT_EQ(unmet(requires_, {3, 8, 16, true}), "");
  EXPECT_EQ(unmet(requires_, {3, 6, 16, true}), "n = 6 is not a multiple of 4");
  EXPECT_EQ(unmet(requires_, {3, 8, 12, true}), "k = 12 is not a multiple of 8");
}

}  // namespace
}  // namespace pyc::harness
