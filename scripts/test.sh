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
    *) take_common_flag "$1" "$usage" || die 2 "unknown argument '$1'" "$usage" ;;
  esac
  shift
done

# PyPI packages that single tests need, in build/python-tools: the wheel's build backend, NumPy, the CUTLASS headers (without
# the tools around them). A test whose package neither the index nor an earlier run offers is skipped, and says so.
prepare_python_tools() {
  local folder="$root/build/python-tools"
  local python="$folder/bin/python" pip=(-m pip install --quiet --disable-pip-version-check)
  "$python" -c 'import scikit_build_core, numpy, cutlass_library' 2>/dev/null && return
  if [ "$package_mode" != install ]; then
    say "Not all of scikit-build-core, numpy and nvidia-cutlass are in build/python-tools; tests that need them will be skipped."
    return
  fi
  say "Installing from PyPI into build/python-tools: scikit-build-core numpy nvidia-cutlass"
  if ! python3 -m venv "$folder" >&2 ||
    ! "$python" "${pip[@]}" 'scikit-build-core>=0.10' numpy </dev/null >&2 ||
    ! "$python" "${pip[@]}" --no-deps nvidia-cutlass </dev/null >&2; then
    say "Not all could be installed; tests that need the missing ones will be skipped."
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
