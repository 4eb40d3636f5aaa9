#include "hpc/choices.h"

#include <fmt/format.h>

#include "hpc/verbs.h"
#include "toolchain/arch.h"
#include "workspace/families.h"

namespace pyc::hpc {
namespace {

std::vector<std::string> status_names() {
  std::vector<std::string> names;
  for (const ListStatus &status : list_statuses()) names.emplace_back(status.name);
  return names;
}

std::vector<std::string> selector_names() {
  std::vector<std::string> names;
  for (const std::string &dtype : workspace::dtype_names()) {
    for (const std::string &layout : workspace::layout_names()) {
      for (const std::string &family : workspace::family_names())
        names.push_back(fmt::format("gemm/{}/{}/{}", dtype, layout, family));
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> choices_of(std::string_view value) {
  if (value == "ARCH") return toolchain::arch_names();
  if (value == "DTYPE") return workspace::dtype_names();
  if (value == "LAYOUT") return workspace::layout_names();
  if (value == "FAMILY") return workspace::family_names();
  if (value == "STATUS") return status_names();
  if (value == "SELECTOR") return selector_names();
  return {};
}

}  // namespace pyc::hpc
