#include <gtest/gtest.h>

#include "tests/toolchain/fake_machine.h"
#include "toolchain/gpu.h"

namespace {

using namespace pyc::toolchain;
using pyc::test::contains;

constexpr char kH200[] =
    "0, NVIDIA H200, GPU-5b3e5b1d-0000-1111-2222-333344445555, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled";

GpuInfo parse_one(const std::string &line) {
  const auto gpus = parse_gpu_csv(line).value();
  EXPECT_EQ(gpus.size(), 1u);
  return gpus.at(0);
}

std::string refusal(const std::string &csv) {
  const auto gpus = parse_gpu_csv(csv);
  EXPECT_FALSE(gpus) << csv;
  if (gpus) return {};
  EXPECT_EQ(gpus.error().kind, pyc::ErrorKind::kInvalid);
  return gpus.error().message;
}

TEST(GpuCsv, ReadsEveryColumn) {
  const auto gpu = parse_one(kH200);
  EXPECT_EQ(gpu.index, 0);
  EXPECT_EQ(gpu.name, "NVIDIA H200");
  EXPECT_EQ(gpu.uuid, "GPU-5b3e5b1d-0000-1111-2222-333344445555");
  EXPECT_EQ(gpu.compute_capability, "9.0");
  EXPECT_EQ(gpu.driver, "580.65.06");
  EXPECT_EQ(gpu.memory_bytes, std::int64_t{143771} << 20);
  EXPECT_EQ(gpu.power_limit_w, 700.0);
  EXPECT_EQ(gpu.ecc, true);
  EXPECT_EQ(gpu.mig, false);
}

TEST(GpuCsv, ReadsOneRowPerGpu) {
  const auto gpus =
      parse_gpu_csv(std::string(kH200) + "\n1, NVIDIA L4, GPU-1, 8.9, 580.65.06, 23034, 72.00, Disabled, [N/A]\n")
          .value();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[1].index, 1);
  EXPECT_EQ(gpus[1].name, "NVIDIA L4");
  EXPECT_EQ(gpus[1].mig, std::nullopt);
}

// A unified-memory machine: no memory, limit, ECC or MIG of its own. Absent is not zero.
TEST(GpuCsv, NotAvailableIsAbsentNotZero) {
  const auto gpu = parse_one("0, NVIDIA GB10, GPU-1, 12.1, 580.95.05, [N/A], [N/A], [N/A], [N/A]");
  EXPECT_EQ(gpu.compute_capability, "12.1");
  EXPECT_FALSE(gpu.memory_bytes || gpu.power_limit_w || gpu.ecc || gpu.mig);
}

// A MIG slice inside a container.
TEST(GpuCsv, InsufficientPermissionsIsUnknownAndTheDeviceStaysUsable) {
  const auto gpu = parse_one(
      "0, NVIDIA H200, GPU-1, 9.0, 550.54.15, [Insufficient Permissions], "
      "[Insufficient Permissions], Enabled, Enabled");
  EXPECT_FALSE(gpu.memory_bytes);
  EXPECT_FALSE(gpu.power_limit_w);
  EXPECT_EQ(gpu.mig, true);
  EXPECT_EQ(gpu.compute_capability, "9.0");
}

TEST(GpuCsv, OtherWordsForUnknownAreUnknownToo) {
  const auto gpu = parse_one("0, [Unknown Error], [GPU requires reset], [Not Supported], N/A, 0, [Not Supported], , ");
  for (const std::string &field : {gpu.name, gpu.uuid, gpu.compute_capability, gpu.driver}) EXPECT_EQ(field, "unknown");
  EXPECT_FALSE(gpu.memory_bytes || gpu.power_limit_w || gpu.ecc || gpu.mig);
}

TEST(GpuCsv, TwoDigitCapabilitiesStayWhole) {
  for (const char *capability : {"10.0", "10.3", "12.0"}) {
    EXPECT_EQ(parse_one(std::string("0, X, GPU-1, ") + capability + ", 1, 1, 1, , ").compute_capability, capability);
  }
  for (const char *strange : {"90", "9.0a", "9..0", "-1.0", ".0", "9.", "1234.5"}) {
    EXPECT_EQ(parse_one(std::string("0, X, GPU-1, ") + strange + ", 1, 1, 1, , ").compute_capability, "unknown");
  }
}

TEST(GpuCsv, NamesMayHoldCommasQuotedOrNot) {
  EXPECT_EQ(parse_one("0, \"NVIDIA X, rev. 2\", GPU-1, 9.0, 1, 1, 1, , ").name, "NVIDIA X, rev. 2");
  EXPECT_EQ(parse_one("0, NVIDIA X, rev. 2, GPU-1, 9.0, 1, 1, 1, , ").name, "NVIDIA X, rev. 2");
  EXPECT_EQ(parse_one("0, \"NVIDIA \"\"X\"\"\", GPU-1, 9.0, 1, 1, 1, , ").name, "NVIDIA \"X\"");
}

TEST(GpuCsv, HeaderUnitsCarriageReturnsAndEmptyLinesAreTolerated) {
  const auto gpus = parse_gpu_csv(
                        "index, name, uuid, compute_cap, driver_version, memory.total [MiB], power.limit [W], "
                        "ecc.mode.current, mig.mode.current\r\n\r\n0, NVIDIA H200, GPU-1, 9.0, 580.65.06, "
                        "143771 MiB, 700.00 W, Enabled, Disabled\r\n")
                        .value();
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0].memory_bytes, std::int64_t{143771} << 20);
  EXPECT_EQ(gpus[0].power_limit_w, 700.0);
  EXPECT_EQ(gpus[0].mig, false);
}

TEST(GpuCsv, ATruncatedRowIsRefusedByItsLine) {
  const std::string whole = kH200;
  for (std::size_t length = 1; length < whole.rfind(','); length += 7) {
    EXPECT_TRUE(contains(refusal(whole + "\n" + whole.substr(0, length)), "line 2")) << length;
  }
  EXPECT_TRUE(contains(refusal("0, NVIDIA, H200, GPU-1, 9.0, 580, 143771, 700, Enabled"), "UUID"));
}

TEST(GpuCsv, ForeignTextIsRefusedAndQuotedSafely) {
  EXPECT_TRUE(contains(refusal("Failed to initialize NVML"), "'Failed to initialize NVML'"));
  EXPECT_TRUE(contains(refusal("x, a, GPU-1, 9.0, 1, 1, 1, , "), "index"));
  EXPECT_TRUE(contains(refusal("-1, a, GPU-1, 9.0, 1, 1, 1, , "), "index"));
  EXPECT_TRUE(contains(refusal("0, \"a, GPU-1, 9.0, 1, 1, 1, , "), "quote"));
  EXPECT_FALSE(contains(refusal("\x1b[2J\xFF"), "\x1b"));
}

TEST(GpuCsv, NoDevicesIsAnEmptyList) {
  EXPECT_TRUE(parse_gpu_csv("No devices were found\n")->empty());
  EXPECT_TRUE(parse_gpu_csv("")->empty());
}

}  // namespace
