#!/usr/bin/env bash
# Installs what is missing, builds PyC and takes one candidate down the path, in a scratch workspace.
#   ./scripts/quickstart.sh [--no-install | --skip-packages] [--device auto|gpu|host] [--build-dir DIR]
# With a supported GPU and nvcc: create, validate, bench, promote, rebuild, and a C program that calls the promoted
# kernel. Without: create, compile, planned evidence, the gate's refusal of it, and a GEMM through the CPU rung.
# The checkout's own candidates and registry are not touched: the scratch workspace is build/quickstart/workspace.
# Exit codes: 0 every step gave what it should, 1 one did not, 2 usage, 3 something is missing that may not be installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
source "$root/scripts/lib/common.sh"
source "$root/scripts/lib/path_steps.sh"

usage='./scripts/quickstart.sh [--no-install | --skip-packages] [--device auto|gpu|host] [--build-dir DIR]'
device=auto
build_dir=$root/build/ci  # the folder of scripts/test.sh on a host without a GPU, so that nothing is compiled twice
while [ $# -gt 0 ]; do
  case "$1" in
    --device)
      [ $# -ge 2 ] || die 2 "--device needs a value" "$usage"
      device=$2
      shift
      ;;
    --build-dir)
      [ $# -ge 2 ] || die 2 "--build-dir needs a value" "$usage"
      build_dir=$(realpath -m "$2")
      shift
      ;;
    *) take_common_flag "$1" "$usage" || die 2 "unknown argument '$1'" "$usage" ;;
  esac
  shift
done

step "Packages"
install_packages "${build_packages[@]}"
nvcc=$(find_nvcc)
use_toolkit_of "$nvcc"
arch=$(gpu_arch)
if [ "$device" = auto ]; then
  device=host
  if [ -n "$nvcc" ] && [ -n "$arch" ]; then device=gpu; fi
fi
case "$device" in
  host) ;;
  gpu)
    if [ -z "$nvcc" ] || [ -z "$arch" ]; then
      die 3 "there is no nvcc, or no GPU of arch sm89 or sm90" "./scripts/quickstart.sh --device host"
    fi
    ;;
  *) die 2 "unknown device '$device'" "it is auto, gpu or host" ;;
esac
say "nvcc: ${nvcc:-none}; GPU: ${arch:-none that PyC promotes for}; taking the path for: $device"

step "Build the tool and the runtime ($build_dir)"
cd "$root"
cmake --preset ci -B "$build_dir" -D PYC_BUILD_TESTS=OFF -D PYC_BUILD_COMPILER_NEXT_TESTS=OFF </dev/null >&2
cmake --build "$build_dir" --target pyc_cli pyc_example_gemm </dev/null >&2
export PATH="$build_dir/src/cli:$PATH"
example="$build_dir/examples/c/pyc_example_gemm"

step "Scratch workspace with an empty registry (build/quickstart/workspace)"
make_scratch_workspace "$root" "$root/build/quickstart/workspace"
cd "$root/build/quickstart/workspace"
unset PYC_WORKSPACE

if [ "$device" = gpu ]; then
  take_path_to_promotion
else
  take_path_without_gpu
fi
step "Done: every step gave what it should."
