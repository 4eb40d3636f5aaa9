#include "options.h"

#include <gtest/gtest.h>

namespace pyc::harness {
namespace {

Options parse(std::vector<const char *> words) {
  words.insert(words.begin(), "harness");
  return parse_options(static_cast<int>(words.size()), words.data());
}

TEST(Options, ReadsARequestAndItsDescriptor) {
  const Options options = parse({"--request", "r.json", "--events-fd", "3"});
  EXPECT_EQ(options.request, "r.json");
  EXPECT_EQ(options.events_descriptor, 3);
}

TEST(Options, ARunByHandTakesAShapeAndACount) {
  const Options options = parse({"--shape", "64x128x256", "--launches", "7", "--dtype", "bf16", "--layout", "nt"});
  EXPECT_EQ(options.shape.m, 64);
  EXPECT_EQ(options.shape.n, 128);
  EXPECT_EQ(options.shape.k, 256);
  EXPECT_EQ(options.launches, 7);
  EXPECT_EQ(options.dtype, DType::bf16);
  EXPECT_TRUE(options.layout.b_transposed);
}

TEST(Options, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(parse({"--nonsense", "1"}), BadRequest);
  EXPECT_THROW(parse({"--launches"}), BadRequest);
  EXPECT_THROW(parse({"--launches", "0"}), BadRequest);
  EXPECT_THROW(parse({"--launches", "2x"}), BadRequest);
  for (const char *shape :
       {"", "1", "1x2", "1x2x", "1x2x3x4", "0x1x1", "-1x1x1", "1x1x99999999999", "axbxc", "1X2X3"}) {
    EXPECT_THROW(parse({"--shape", shape}), BadRequest) << shape;
  }
}

}  // namespace
}  // namespace pyc::harness
