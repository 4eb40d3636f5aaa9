// Asks the check `symbols` about one object: judge_symbols OBJECT ENTRY_POINT. Exit code 0: allowed; 1: refused, with
// the reason; 2: cannot tell.
#include <cstdio>

#include "workspace/kernel_symbols.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const pyc::Status status = pyc::workspace::check_symbols(argv[1], argv[1], argv[2]);
  if (status) return 0;
  std::printf("%s\n", status.error().message.c_str());
  return status.error().kind == pyc::ErrorKind::kNo ? 1 : 2;
}
