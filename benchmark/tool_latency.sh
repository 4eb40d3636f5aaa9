#!/bin/sh
# Prints the tool's latencies in ms, the median of several runs, beside what is expected of them:
#   benchmark/tool_latency.sh [PYC]        PYC: the binary, default build/ci/src/cli/pyc
# Two figures need a GPU of arch sm90 and nvcc, and are skipped with the reason where these are missing. Nothing is
# written into the checkout: the candidates live in a scratch copy of its workspace.
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)
pyc=$(realpath "${1:-$checkout/build/ci/src/cli/pyc}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir -p "$scratch/kernels" "$scratch/src/compiler/cutlass_kernels"
cp -r "$checkout/include" "$scratch/"
cp -r "$checkout/kernels/templates" "$checkout/kernels/harness" "$scratch/kernels/"
mkdir "$scratch/kernels/registry"
printf '{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n' > "$scratch/kernels/registry/kernels.json"
cd "$scratch"

row() { printf '%-44s %12s   %s\n' "$1" "$2" "$3"; }
now_ns() { date +%s%N; }

# median_ms RUNS COMMAND...
median_ms() {
  runs=$1
  shift
  for _ in $(seq "$runs"); do
    start=$(now_ns)
    "$@" > /dev/null 2>&1 || true
    echo $(($(now_ns) - start))
  done | sort -n | awk '{ t[NR] = $1 } END { printf "%.1f", t[int((NR + 1) / 2)] / 1e6 }'
}

candidates() {
  "$pyc" hpc create gemm --name c0 --quiet > /dev/null
  for i in $(seq 1 499); do
    mkdir "kernels/prototypes/c$i"
    for file in kernel.cu harness.cu kernel.json; do
      sed "s/\bc0\b/c$i/g; s/pyc_gemm_c0\b/pyc_gemm_c$i/g" "kernels/prototypes/c0/$file" > "kernels/prototypes/c$i/$file"
    done
  done
}

# The time of one GEMM by the harness's fp64 reference is not an event of its own: a whole shape, the candidate's own calls
# included, bounds it.
gpu_rows() {
  if ! "$pyc" hpc doctor > doctor.log 2>&1; then
    row "second validate, square set" skipped "$(sed -n 's/^error: //p' doctor.log)"
    row "validate 8192^3, --quick" skipped "$(sed -n 's/^error: //p' doctor.log)"
    return
  fi
  "$pyc" hpc validate --name c0 --quiet > /dev/null
  row "second validate, square set" "$(median_ms 3 "$pyc" hpc validate --name c0)" "under 5000, no compiler"
  "$pyc" hpc validate --name c0 --shape 8192x8192x8192 --quick --json > large.json
  elapsed=$(sed -n 's/.*"elapsed_ns": *\([0-9]*\).*/\1/p' large.json | head -n 1)
  row "validate 8192^3, --quick" "$(awk -v ns="$elapsed" 'BEGIN { printf "%.1f", ns / 1e6 }')" \
    "holds one fp64 reference: that is under 1000"
}

row "what" "ms" "expected"
row "pyc --version" "$(median_ms 21 "$pyc" --version)" "under 20"
candidates
"$pyc" hpc list > list.txt
[ "$(wc -l < list.txt)" -eq 501 ] || { echo "list shows $(wc -l < list.txt) lines instead of 501" >&2; exit 1; }
row "pyc hpc list, 500 candidates" "$(median_ms 11 "$pyc" hpc list)" "under 100"
row "pyc hpc doctor" "$(median_ms 5 "$pyc" hpc doctor)" "under 2000"
gpu_rows
