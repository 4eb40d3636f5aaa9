#include "workspace/parameter_space.h"

#include <gtest/gtest.h>
#include <set>

#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

Template tiles() {
  Template from;
  from.name = "tiles";
  from.arches = {"sm90", "sm89"};
  from.parameters = {{"tile_m", "kTileM", 128, 16, 256, 16},
                     {"thread_m", "kThreadM", 0, 1, 16, 1, "tile_m / 16"},
                     {"vector", "kVector", 4, 1, 4, 1, "", {4, 1, 2}},
                     {"group_m", "kGroupM", 8, 1, 64, 1}};
  from.rules = {{"tile_m % thread_m == 0 && tile_m / thread_m >= 8", "thread_m must divide tile_m"},
                {"vector <= thread_m", "a load is not wider than a thread's rows"}};
  return from;
}

std::vector<std::int64_t> values_of(const ParameterSpace &space, const std::string &name) {
  for (const ParameterLevels &levels : space.levels())
    if (levels.name == name) return levels.values;
  return {};
}

using Values = std::vector<std::int64_t>;

TEST(ParameterSpace, LongRangesAreThinnedToFactorsOfTwoSignificantBits) {
  const auto space = ParameterSpace::enumerate(tiles(), {}, "sm90");
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(values_of(*space, "tile_m"), (Values{16, 32, 48, 64, 96, 128, 192, 256}));
  EXPECT_EQ(values_of(*space, "group_m"), (Values{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}));
  EXPECT_EQ(values_of(*space, "vector"), (Values{1, 2, 4})) << "a menu is taken as it is, in order";
}

TEST(ParameterSpace, ShortRangesAreTakenWhole) {
  Template from = tiles();
  from.parameters[3].maximum = 8;
  const auto space = ParameterSpace::enumerate(from, {}, "sm90");
  ASSERT_TRUE(space);
  EXPECT_EQ(values_of(*space, "group_m"), (Values{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(ParameterSpace, ADefaultBetweenTheLevelsIsALevel) {
  Template from = tiles();
  from.parameters[3].default_value = 37;
  const auto space = ParameterSpace::enumerate(from, {}, "sm90");
  ASSERT_TRUE(space);
  EXPECT_EQ(values_of(*space, "group_m"), (Values{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 37, 48, 64}));
  ASSERT_TRUE(space->default_id());
  EXPECT_EQ(space->at(*space->default_id()).at("group_m"), 37);
}

// What the walk finds is what asking every rule of every set finds.
TEST(ParameterSpace, HoldsExactlyTheSetsThatKeepTheRules) {
  const auto space = ParameterSpace::enumerate(tiles(), {{"group_m", {4, 8}}}, "sm90");
  ASSERT_TRUE(space);
  std::set<Parameters> expected;
  for (const std::int64_t tile : values_of(*space, "tile_m"))
    for (const std::int64_t thread : values_of(*space, "thread_m"))
      for (const std::int64_t vector : {1, 2, 4})
        for (const std::int64_t group : {4, 8}) {
          const Parameters set = {{"tile_m", tile}, {"thread_m", thread}, {"vector", vector}, {"group_m", group}};
          if (resolve_parameters(tiles(), set, "sm90")) expected.insert(set);
        }
  std::set<Parameters> found;
  for (std::uint64_t id = 0; id < space->size(); ++id) found.insert(space->at(id));
  EXPECT_EQ(found.size(), space->size()) << "each set once";
  EXPECT_EQ(found, expected);
  std::uint64_t without_rules = 1;
  for (const ParameterLevels &levels : space->levels()) without_rules *= levels.values.size();
  EXPECT_LT(space->size(), without_rules);
}

TEST(ParameterSpace, EverySetIsFoundAgain) {
  const auto space = ParameterSpace::enumerate(tiles(), {}, "sm90");
  ASSERT_TRUE(space);
  for (std::uint64_t id = 0; id < space->size(); id += 7) {
    EXPECT_EQ(space->find(space->at(id)), id);
    EXPECT_EQ(space->id_of(space->places(id)), id);
  }
  Parameters off = space->at(0);
  off["tile_m"] = 80;
  EXPECT_FALSE(space->find(off)) << "not on a level";
}

TEST(ParameterSpace, DefaultsFollowWhatIsPinned) {
  const auto space = ParameterSpace::enumerate(tiles(), {{"tile_m", {64}}}, "sm90");
  ASSERT_TRUE(space);
  ASSERT_TRUE(space->default_id());
  EXPECT_EQ(space->at(*space->default_id()),
            (Parameters{{"tile_m", 64}, {"thread_m", 4}, {"vector", 4}, {"group_m", 8}}));
}

TEST(ParameterSpace, DefaultsThatTheRulesRefuseLeaveNone) {
  const auto space = ParameterSpace::enumerate(tiles(), {{"tile_m", {16}}}, "sm90");
  ASSERT_TRUE(space) << "thread_m = 1 by default, and vector = 4 is wider";
  EXPECT_FALSE(space->default_id());
  EXPECT_GT(space->size(), 0u);
}

TEST(ParameterSpace, RefusesWhatTheTemplateDoesNotAdmit) {
  const auto refusal = [](const Restrictions &restrictions) {
    const auto space = ParameterSpace::enumerate(tiles(), restrictions, "sm90");
    EXPECT_FALSE(space);
    if (space) return std::string();
    EXPECT_EQ(space.error().kind, ErrorKind::kInvalid);
    return space.error().message + "; " + space.error().hint;
  };
  EXPECT_NE(refusal({{"tile_n", {64}}}).find("tile_m"), std::string::npos) << "the nearest name";
  EXPECT_NE(refusal({{"tile_m", {64, 65}}}).find("65"), std::string::npos);
  EXPECT_NE(refusal({{"vector", {3}}}).find("one of"), std::string::npos);
  EXPECT_NE(refusal({{"thread_m", {3}}, {"tile_m", {64}}}).find("no set of parameters"), std::string::npos);
}

TEST(ParameterSpace, LimitsOfTheArchDecide) {
  Template from = tiles();
  from.rules.push_back({"tile_m * 1024 <= shared_memory_limit", "the tile does not fit"});
  const auto large = ParameterSpace::enumerate(from, {}, "sm90"), small = ParameterSpace::enumerate(from, {}, "sm89");
  ASSERT_TRUE(large && small);
  EXPECT_GT(large->size(), small->size());
}

TEST(ParameterSpace, ARuleWithoutParametersMayEmptyIt) {
  Template from = tiles();
  from.rules = {{"max_threads > 5000", "never"}};
  EXPECT_FALSE(ParameterSpace::enumerate(from, {}, "sm90"));
  from.rules = {};
  EXPECT_TRUE(ParameterSpace::enumerate(from, {}, "sm90"));
}

TEST(ParameterSpace, ASpaceThatNobodyCanWalkIsRefused) {
  Template from;
  from.name = "vast";
  from.arches = {"sm90"};
  std::string sum = "0";
  for (const char *name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    from.parameters.push_back({name, "k", 1, 1, 1 << 20, 1});
    sum += std::string(" + ") + name;
  }
  from.rules = {{sum + " > 0", "always"}};
  const auto space = ParameterSpace::enumerate(from, {}, "sm90");
  ASSERT_FALSE(space);
  EXPECT_NE(space.error().hint.find("--set"), std::string::npos);
}

TEST(ParameterSpace, EveryMaintainedTemplateCanBeWalked) {
  const Workspace workspace = test::source_workspace();
  const auto templates = read_templates(workspace);
  ASSERT_TRUE(templates);
  for (const Template &from : *templates) {
    for (const std::string &arch : from.arches) {
      const auto space = ParameterSpace::enumerate(from, {}, arch);
      ASSERT_TRUE(space) << from.name << ": " << space.error().message;
      EXPECT_TRUE(space->default_id()) << from.name << " on " << arch;
    }
  }
}

}  // namespace
}  // namespace pyc::workspace
