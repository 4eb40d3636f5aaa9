#include "hpc/neighbours.h"

#include <gtest/gtest.h>
#include <set>

namespace pyc::hpc {
namespace {

workspace::ParameterSpace space_of(const std::vector<workspace::TemplateRule> &rules) {
  workspace::Template from;
  from.name = "plain";
  from.arches = {"sm90"};
  from.parameters = {{"a", "kA", 4, 1, 8, 1}, {"b", "kB", 4, 1, 8, 1}, {"c", "kC", 1, 1, 1, 1}};
  from.rules = rules;
  return *workspace::ParameterSpace::enumerate(from, {}, "sm90");
}

int distance(const workspace::Parameters &one, const workspace::Parameters &other) {
  int moved = 0;
  for (const auto &[name, value] : one) moved += value != other.at(name);
  return moved;
}

TEST(Neighbours, DifferByOneLevelOfOneParameterThenOfTwo) {
  const auto space = space_of({});
  const auto id = *space.find({{"a", 4}, {"b", 4}, {"c", 1}});
  const auto near = neighbours(space, id, 1);
  ASSERT_EQ(near.size(), 8u) << "4 along one parameter, 4 along both";
  for (std::size_t i = 0; i < near.size(); ++i) EXPECT_EQ(distance(space.at(near[i]), space.at(id)), i < 4 ? 1 : 2);
  EXPECT_EQ(std::set<std::uint64_t>(near.begin(), near.end()).size(), near.size());
}

TEST(Neighbours, KeepTheRulesAndMoveTogetherWhereTheseTieParameters) {
  const auto space = space_of({{"a == b", "tied"}});
  const auto id = *space.find({{"a", 4}, {"b", 4}, {"c", 1}});
  std::set<workspace::Parameters> found;
  for (const std::uint64_t near : neighbours(space, id, 1)) found.insert(space.at(near));
  EXPECT_EQ(found, (std::set<workspace::Parameters>{{{"a", 3}, {"b", 3}, {"c", 1}}, {{"a", 5}, {"b", 5}, {"c", 1}}}));
}

TEST(Neighbours, EndAtTheEdgeOfTheSpace) {
  const auto space = space_of({});
  EXPECT_EQ(neighbours(space, *space.find({{"a", 1}, {"b", 8}, {"c", 1}}), 1).size(), 3u);
}

}  // namespace
}  // namespace pyc::hpc
