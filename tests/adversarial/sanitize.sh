#!/usr/bin/env bash
# `pyc hpc validate` with --sanitize and --large on the GPU, in a workspace of its own: a candidate of the template must pass
# both, and a plain kernel that lacks a barrier must fail racecheck, whatever its outputs were. Exit code 0: so it is;
# 1: it is not; 77: no GPU, no nvcc or no compute-sanitizer here.
#
#   PATH=FOLDER_OF_PYC:$PATH tests/adversarial/sanitize.sh
#
# ARCH is the candidates' arch (sm90). If OUT is set, the evidence is left there. It takes about a minute, most of it in
# the sanitizer.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
arch=${ARCH:-sm90}
small="--shape 64x64x64 --quick --sanitize"
workspace=$(mktemp -d)
trap 'rm -rf "$workspace"' EXIT

skip() { echo "skipped: $1" >&2 && exit 77; }

make_workspace() {
  mkdir -p "$workspace"/{include,kernels/registry,src/compiler/cutlass_kernels/registry}
  cp -r "$root/include/pyc" "$workspace/include/"
  cp -r "$root/kernels/templates" "$root/kernels/harness" "$workspace/kernels/"
  printf '{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n' > "$workspace/kernels/registry/kernels.json"
}

# A plain kernel without the barrier between writing and reading shared memory.
make_racy() {
  pyc hpc create gemm --name racy --arch "$arch" > /dev/null
  {
    echo '#define SYMBOL pyc_gemm_racy'
    echo '#define REQUIRED_K_MULTIPLE 1'
    sed '0,/^ *__syncthreads();$/{/^ *__syncthreads();$/d}' "$root/tests/harness/gpu/kernels/honest.cu"
  } > kernels/prototypes/racy/kernel.cu
}

# validate WANTED_EXIT_CODE ARGUMENT...: leaves the path of the evidence in `evidence`.
validate() {
  local wanted=$1 got=0 begin=$SECONDS
  shift
  evidence=$(pyc hpc validate "$@" < /dev/null) || got=$?
  echo "exit $got, expected $wanted, after $((SECONDS - begin)) s: validate $*"
  [ -z "${OUT:-}" ] || [ ! -f "$evidence" ] || cp "$evidence" "$OUT/"
  [ "$got" != 3 ] || skip "compute-sanitizer or the GPU cannot be used; the words stand above"
  [ "$got" = "$wanted" ] || wrong=1
}

command -v pyc > /dev/null || skip "no pyc on PATH"
nvidia-smi -L > /dev/null 2>&1 || skip "no GPU"
[ -z "${OUT:-}" ] || mkdir -p "$OUT"
make_workspace
cd "$workspace"
wrong=0
pyc hpc create gemm --name good --arch "$arch" > /dev/null
make_racy
validate 0 --name good --shape 64x64x64 --large
# shellcheck disable=SC2086
validate 0 --name good $small
# shellcheck disable=SC2086
validate 1 --name racy $small
tr -d ' \n' < "$evidence" | grep -q '"check":"racecheck"[^}]*"status":"failed"' ||
  { echo "racecheck found nothing" && wrong=1; }
exit $wrong
