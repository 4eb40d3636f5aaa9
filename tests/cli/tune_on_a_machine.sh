#!/usr/bin/env bash
# `pyc hpc tune gemm` with the machine's own compiler, in a scratch workspace: every maintained template.
#
#   tune_on_a_machine.sh compile PYC     sets are compiled and not timed; exit 77 without nvcc
#   tune_on_a_machine.sh gpu PYC         a whole search, and its winner through validate; exit 77 without a GPU
set -euo pipefail

mode=$1 pyc=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has_nvcc() { command -v nvcc > /dev/null || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; }
has_nvcc || { echo "skipped: no nvcc"; exit 77; }
if [ "$mode" = gpu ]; then nvidia-smi -L > /dev/null 2>&1 || { echo "skipped: no GPU"; exit 77; }; fi

mkdir -p "$work/kernels/registry" "$work/src/compiler/cutlass_kernels/registry"
cp -r "$root/include" "$work/include"
cp -r "$root/kernels/templates" "$root/kernels/harness" "$work/kernels/"
printf '{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n' > "$work/kernels/registry/kernels.json"
cd "$work"

fail() { echo "FAILED: $*" >&2; exit 1; }

# TEMPLATE: its first dtype and layout
offer() { python3 -c 'import json, sys; t = json.load(open(sys.argv[1])); print(t["dtype"][0], t["layouts"][0])' "kernels/templates/gemm/$1/template.json"; }

compile() {
  local code=0
  CUDA_VISIBLE_DEVICES= "$pyc" hpc tune gemm --name "tuned_$1" --template "$1" --dtype "$2" --layout "$3" \
    --shape-family square --budget 4 > "$1.out" 2> "$1.err" || code=$?
  cat "$1.err"
  [ "$code" = 3 ] || fail "$1: exit code $code, not 3"
  [ ! -s "$1.out" ] || fail "$1: there can be no winner"
  python3 - "$1" <<'PY' || fail "$1: the record"
import glob, json, sys
record = json.load(open(glob.glob(f"kernels/results/tuned_{sys.argv[1]}-tuning-*.json")[0]))
compiled = [one for one in record["sets"] if one["status"] == "compiled"]
assert record["status"] == "planned", record["status"]
assert record["sets"][0]["status"] == "compiled", "the template's own defaults: " + record["sets"][0].get("reason", "")
assert all(0 < one["build"]["registers_per_thread"] <= 255 for one in compiled), compiled
PY
}

search() {
  local folder
  folder=$("$pyc" hpc tune gemm --name "tuned_$1" --template "$1" --dtype "$2" --layout "$3" --shape-family square \
    --shape 1024x1024x1024 --shape 700x1024x512 --budget 10) || fail "$1: exit code $?"
  [ "$folder" = "kernels/prototypes/tuned_$1" ] || fail "$1: printed '$folder'"
  "$pyc" hpc validate --name "tuned_$1" --quick || fail "$1: its winner is wrong"
}

for folder in kernels/templates/gemm/*/; do
  template=$(basename "$folder")
  echo "== $template"
  read -r dtype layout < <(offer "$template")
  if [ "$mode" = gpu ]; then search "$template" "$dtype" "$layout"; else compile "$template" "$dtype" "$layout"; fi
done
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
"$nvcc" -std=c++17 -I include -I kernels/harness -c kernels/harness/loaded_kernel.cpp -o loaded_kernel.o
echo "passed"
