#!/usr/bin/env bash
# Runs clang-tidy over the tool and the runtime; any finding is an error.
#   scripts/tidy.sh [FILE...]   default: every .cpp under src/
# Needs a configured build folder (cmake --preset dev) for its compile_commands.json; PYC_BUILD_DIR names another one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${PYC_BUILD_DIR:-build/dev}
if [ ! -f "$build/compile_commands.json" ]; then
  echo "error: '$build/compile_commands.json' does not exist" >&2
  echo "hint: cmake --preset dev" >&2
  exit 2
fi
if ! command -v clang-tidy >/dev/null; then
  echo "error: clang-tidy was not found" >&2
  echo "hint: apt-get install clang-tidy" >&2
  exit 3
fi

if [ $# -gt 0 ]; then
  printf '%s\0' "$@"
else
  find src -name '*.cpp' -print0
fi | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p "$build"
