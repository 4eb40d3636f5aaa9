#include <gtest/gtest.h>

#include "evidence/harness_events.h"
#include "evidence/json_fields.h"

namespace pyc::evidence {
namespace {

HarnessRequest full_request() {
  HarnessRequest request;
  request.mode = "bench";
  request.nonce = "n";
  request.dtype = "fp32";
  request.layout = "nn";
  request.compute_capability = "9.0";
  request.seed = 18446744073709551615u;
  request.shapes = {{{64, 32, 16}, true}, {{65, 33, 17}, false}};
  request.tolerance = {1e-4, 2e-4};
  request.contenders = {{"incumbent", "old", std::string(64, 'e'), "/lib.so", "pyc_gemm_old", true, {}}};
  request.vendor_library_dirs = {"/usr/local/cuda/lib64"};
  return request;
}

TEST(HarnessRequest, HasExactlyTheKeysOfTheProtocol) {
  const auto value = json::parse_strict(to_json(full_request()), "request");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(json::ObjectReader(*value, "request").keys(),
            (std::vector<std::string>{"schema", "mode", "nonce", "dtype", "layout", "compute_capability", "seed",
                                      "shapes", "tolerance", "requires", "workspace", "warmup", "repeats", "contenders",
                                      "vendor_library_dirs", "vendor_algorithms"}));
}

TEST(HarnessRequest, AValidationSaysHowMuchItTries) {
  HarnessRequest request = full_request();
  request.mode = "validate";
  request.depth = "quick";
  request.shapes[1].large = true;
  const auto value = json::parse_strict(to_json(request), "request");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->at("depth"), "quick");
  EXPECT_EQ(value->at("shapes")[0].dump(), R"({"m":64,"n":32,"k":16,"timed":true})");
  EXPECT_EQ(value->at("shapes")[1].dump(), R"({"m":65,"n":33,"k":17,"timed":false,"large":true})");
}

TEST(HarnessRequest, CarriesItsValues) {
  const auto value = json::parse_strict(to_json(full_request()), "request");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->at("schema"), "pyc.harness-request/1");
  EXPECT_EQ(value->at("seed").get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(value->at("shapes")[1].dump(), R"({"m":65,"n":33,"k":17,"timed":false})");
  EXPECT_EQ(value->at("tolerance").dump(), R"({"absolute":0.0001,"relative":0.0002})");
  EXPECT_EQ(value->at("contenders")[0].at("requires").dump(),
            R"({"m_multiple":1,"n_multiple":1,"k_multiple":1,"pointer_alignment":4,"ld_multiple":1})");
  EXPECT_EQ(value->at("contenders")[0].at("symbol"), "pyc_gemm_old");
  EXPECT_TRUE(value->at("contenders")[0].at("workspace").get<bool>());
}

}  // namespace
}  // namespace pyc::evidence
