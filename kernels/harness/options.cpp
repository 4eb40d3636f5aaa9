#include "options.h"

#include <cerrno>
#include <cstdlib>

namespace pyc::harness {
namespace {

int64_t whole_number(const std::string &option, const std::string &text, int64_t least, int64_t most) {
  char *end = nullptr;
  errno = 0;
  const int64_t value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end || errno || value < least || value > most) {
    throw BadRequest(option + " takes a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
                     ", not \"" + text + "\"");
  }
  return value;
}

}  // namespace

Options parse_options(int argc, const char *const *argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw BadRequest(option + " takes a value, or is no option");
    const std::string value = argv[i + 1];
    if (option == "--request")
      options.request = value;
    else if (option == "--events-fd")
      options.events_descriptor = static_cast<int>(whole_number(option, value, 0, 65535));
    else if (option == "--shape")
      options.shape = parse_shape(value);
    else if (option == "--dtype")
      options.dtype = parse_dtype(value);
    else if (option == "--layout")
      options.layout = parse_layout(value);
    else if (option == "--launches")
      options.launches = whole_number(option, value, 1, 1000000);
    else
      throw BadRequest("unknown option \"" + option + "\"");
  }
  return options;
}

}  // namespace pyc::harness
