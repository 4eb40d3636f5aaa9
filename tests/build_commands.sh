#!/bin/sh
# The command lines that configure the project, as they stand in its first description, in a copy of the checkout, and
# that the two scripts of the README answer --help without doing anything:
#   tests/build_commands.sh CHECKOUT
# Building and testing what they configure is what scripts/test.sh does.
set -eu
checkout=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt cmake src include kernels examples tests scripts benchmark; do
  [ ! -e "$checkout/$part" ] || cp -r "$checkout/$part" "$scratch/"
done
rm -rf "$scratch/kernels/.build" "$scratch/kernels/results"
cd "$scratch"

for script in quickstart test; do
  "./scripts/$script.sh" --help | grep -qF "./scripts/$script.sh ["
done

cmake -S . -B build \
  -D PYC_BUILD_COMPILER_NEXT=ON \
  -D PYC_BUILD_COMPILER_NEXT_TESTS=ON
[ -e build/CMakeCache.txt ]

if command -v nvcc > /dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
  cmake -S . -B build-cuda \
    -D PYC_BUILD_COMPILER_NEXT=ON \
    -D PYC_ENABLE_CUDA_RUNTIME=ON \
    -D PYC_CUTLASS_PATH=/path/to/cutlass > cuda.log 2>&1 || { cat cuda.log; grep -q '/path/to/cutlass' cuda.log; }
  echo "configured for CUDA, or refused with the path that is not there"
fi
