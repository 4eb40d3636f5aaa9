#!/usr/bin/env bash
# Runs the runtime's tests on the host, its ten thousand random calls among them, under AddressSanitizer with
# UndefinedBehaviorSanitizer and then under ThreadSanitizer.
#   ./scripts/sanitize.sh [PRESET...]   default: asan tsan, presets of CMakePresets.json
# Needs the packages that scripts/test.sh installs. Exit code: 0 if nothing was found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib/common.sh

[ $# -gt 0 ] || set -- asan tsan
for preset; do
  step "The runtime's tests under $preset"
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --target runtime_tests
  "build/$preset/tests/runtime/runtime_tests" --gtest_brief=1
done
