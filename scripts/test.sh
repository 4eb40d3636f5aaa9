#!/usr/bin/env bash
# Installs what the tests need and is missing, builds everything and runs every test.
#   ./scripts/test.sh [--no-install | --skip-packages] [--preset NAME]
# --preset: a workflow preset of CMakePresets.json; default: `cuda` on a host with nvcc and a GPU, `ci` elsewhere.
# Exit codes: 0 all tests passed, 3 packages are missing and may not be installed, others: the build or a test failed.
# Tests that need a GPU are skipped where there is none, and the closing lines name them.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
source "$root/scripts/lib/common.sh"

usage='./scripts/test.sh [--no-install | --skip-packages] [--preset NAME]'
preset=
while [ $# -gt 0 ]; do
  case "$1" in
    --preset)
      [ $# -ge 2 ] || die 2 "--preset needs a value" "$usage"
      preset=$2
      shift
      ;;
    *) take_package_flag "$1" || die 2 "unknown argument '$1'" "$usage" ;;
  esac
  shift
done

# The wheel's test needs the build backend; it is skipped where neither the package index nor an earlier run offers it.
prepare_python_tools() {
  local python="$root/build/python-tools/bin/python"
  "$python" -c 'import scikit_build_core' 2>/dev/null && return
  if [ "$package_mode" != install ]; then
    say "scikit-build-core is not installed in build/python-tools; the wheel's test will be skipped."
    return
  fi
  say "Installing from PyPI into build/python-tools: scikit-build-core"
  if ! python3 -m venv "$root/build/python-tools" >&2 ||
    ! "$python" -m pip install --quiet --disable-pip-version-check 'scikit-build-core>=0.10' </dev/null >&2; then
    say "It could not be installed; the wheel's test will be skipped."
  fi
}

cd "$root"
step "Packages"
install_packages "${build_packages[@]}" "${test_packages[@]}"
prepare_python_tools

nvcc=$(find_nvcc)
use_toolkit_of "$nvcc"
if [ -z "$preset" ]; then
  preset=ci
  [ -z "$nvcc" ] || [ -z "$(gpu_arch)" ] || preset=cuda
fi
step "Configure, build and test: cmake --workflow --preset $preset"
exec cmake --workflow --preset "$preset" </dev/null
