#include "lab/record_file.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"

namespace pyc::lab {
namespace {

constexpr std::size_t kLabelLimit = 100;

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string safe_label(const std::string &label) {
  std::string safe = label.substr(0, kLabelLimit);
  for (char &c : safe) {
    if (!is_letter_or_digit(c) && c != '-' && c != '_' && c != '.') c = '_';
  }
  if (safe.starts_with('.')) safe[0] = '_';
  return safe;
}

}  // namespace

Status check_label(const std::string &label) {
  if (std::any_of(label.begin(), label.end(), is_letter_or_digit)) return {};
  return fail(ErrorKind::kInvalid, fmt::format("the label '{}' names nothing", printable(label)),
              "use letters and digits");
}

Result<std::filesystem::path> reserve_record(const std::filesystem::path &folder, const std::string &label,
                                             TimePoint now) {
  PYC_CHECK(check_label(label));
  PYC_CHECK(make_folder(folder));
  const auto path_of = [&](const std::string &stamp) {
    return folder / fmt::format("{}-{}.json", safe_label(label), stamp);
  };
  return take_stamped_name(now, path_of, claim_name);
}

}  // namespace pyc::lab
