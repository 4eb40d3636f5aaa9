#include "lab/kernel_selection.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/text.h"

namespace pyc::lab {
namespace {

using workspace::LabKernel;

std::vector<std::string> tags_of(const workspace::LabManifest &manifest) {
  std::set<std::string> tags;
  for (const LabKernel &kernel : manifest.kernels) tags.insert(kernel.tags.begin(), kernel.tags.end());
  return {tags.begin(), tags.end()};
}

bool contains(const std::vector<std::string> &list, const std::string &item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Status require_tags(const workspace::LabManifest &manifest, const std::vector<std::string> &tags) {
  const std::vector<std::string> known = tags_of(manifest);
  for (const std::string &tag : tags) {
    if (contains(known, tag)) continue;
    return fail(ErrorKind::kInvalid, fmt::format("no kernel of the manifest has the tag '{}'", printable(tag)),
                suggest(tag, known));
  }
  return {};
}

bool is_chosen(const LabKernel &kernel, const std::vector<std::string> &tags, const std::vector<std::string> &names) {
  const bool has_tag =
      std::any_of(tags.begin(), tags.end(), [&](const std::string &tag) { return kernel.has_tag(tag); });
  return (tags.empty() || has_tag) && (names.empty() || contains(names, kernel.name));
}

}  // namespace

Result<std::vector<LabKernel>> select_kernels(const workspace::LabManifest &manifest,
                                              const std::vector<std::string> &tags,
                                              const std::vector<std::string> &names) {
  PYC_CHECK(require_tags(manifest, tags));
  for (const std::string &name : names) PYC_CHECK(workspace::require_lab_kernel(manifest, name));
  std::vector<LabKernel> chosen;
  for (const LabKernel &kernel : manifest.kernels)
    if (is_chosen(kernel, tags, names)) chosen.push_back(kernel);
  if (!chosen.empty()) return chosen;
  return fail(ErrorKind::kInvalid, "no kernel of the manifest has such a tag and such a name", "see: pyc lab list");
}

}  // namespace pyc::lab
