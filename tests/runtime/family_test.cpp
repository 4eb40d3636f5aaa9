#include "pyc/family.h"

#include <gtest/gtest.h>
#include <limits>

namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

struct FamilyCase {
  int64_t m, n, k;
  pyc_shape_family expected;
};

void expect_families(std::initializer_list<FamilyCase> cases) {
  for (const FamilyCase &c : cases) {
    EXPECT_EQ(pyc_gemm_shape_family(c.m, c.n, c.k), c.expected)
        << c.m << "x" << c.n << "x" << c.k << " is " << pyc_shape_family_name(pyc_gemm_shape_family(c.m, c.n, c.k));
  }
}

TEST(Family, SkinnyBeginsAt1024ByAtMost256AndFourToOne) {
  expect_families({{256, 1024, 4096, PYC_FAMILY_WIDE_SKINNY},
                   {1024, 256, 4096, PYC_FAMILY_TALL_SKINNY},
                   {256, 1023, 4096, PYC_FAMILY_SQUARE},
                   {257, 1024, 4096, PYC_FAMILY_SQUARE},
                   {257, 1028, 4096, PYC_FAMILY_SQUARE},
                   {1, 1024, 1, PYC_FAMILY_WIDE_SKINNY},
                   {1024, 1, 1, PYC_FAMILY_TALL_SKINNY}});
}

TEST(Family, SmallIsUpTo512OrUpTo2To27Products) {
  expect_families({{1, 1, 1, PYC_FAMILY_SMALL},
                   {512, 512, kHuge, PYC_FAMILY_SMALL},
                   {513, 512, 1024, PYC_FAMILY_SQUARE},
                   {1024, 1024, 128, PYC_FAMILY_SMALL},
                   {1024, 1024, 129, PYC_FAMILY_SQUARE},
                   {2048, 2048, 32, PYC_FAMILY_SMALL}});
}

TEST(Family, LargeSquareBeginsAt512And2To22OutputsAndK256) {
  expect_families({{2048, 2048, 256, PYC_FAMILY_LARGE_SQUARE},
                   {2048, 2048, 255, PYC_FAMILY_SQUARE},
                   {2047, 2048, 4096, PYC_FAMILY_SQUARE},
                   {512, 8192, 4096, PYC_FAMILY_LARGE_SQUARE},
                   {511, 16384, 4096, PYC_FAMILY_SQUARE},
                   {512, 8191, 4096, PYC_FAMILY_SQUARE}});
}

TEST(Family, HugeSizesDoNotOverflow) {
  expect_families({{kHuge, kHuge, kHuge, PYC_FAMILY_LARGE_SQUARE},
                   {kHuge, 1, 1, PYC_FAMILY_TALL_SKINNY},
                   {1, kHuge, kHuge, PYC_FAMILY_WIDE_SKINNY},
                   {kHuge, 300, kHuge, PYC_FAMILY_SQUARE},
                   {kHuge, kHuge, 1, PYC_FAMILY_SQUARE},
                   {1, 1, kHuge, PYC_FAMILY_SMALL},
                   {int64_t(1) << 32, int64_t(1) << 32, 256, PYC_FAMILY_LARGE_SQUARE}});
}

TEST(Family, DefaultShapesAreInTheirOwnFamily) {
  expect_families({{64, 64, 64, PYC_FAMILY_SMALL},
                   {128, 256, 512, PYC_FAMILY_SMALL},
                   {512, 512, 512, PYC_FAMILY_SMALL},
                   {1024, 1024, 1024, PYC_FAMILY_SQUARE},
                   {512, 4096, 4096, PYC_FAMILY_SQUARE},
                   {1024, 1536, 7168, PYC_FAMILY_SQUARE},
                   {700, 1024, 512, PYC_FAMILY_SQUARE},
                   {2048, 2048, 2048, PYC_FAMILY_LARGE_SQUARE},
                   {4096, 4096, 14336, PYC_FAMILY_LARGE_SQUARE},
                   {1, 4096, 4096, PYC_FAMILY_WIDE_SKINNY},
                   {16, 28672, 4096, PYC_FAMILY_WIDE_SKINNY},
                   {128, 8192, 4096, PYC_FAMILY_WIDE_SKINNY},
                   {8192, 128, 4096, PYC_FAMILY_TALL_SKINNY},
                   {8457, 35, 2048, PYC_FAMILY_TALL_SKINNY}});
}

}  // namespace
