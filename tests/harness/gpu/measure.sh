#!/usr/bin/env bash
# Validates and times the right kernel on the default shapes of the square family and on a large one, with a second build
# of it as incumbent, and prints a summary: seconds per shape, errors against bounds, medians and ratios per arm.
#
#   tests/harness/gpu/measure.sh [--built]        --built: run.sh has built everything already
. "$(dirname "$0")/common.sh"

square="$(shape 1024 1024 1024 true),$(shape 512 4096 4096 true),$(shape 1024 1536 7168 true),$(shape 700 1024 512 true)"
twins="$(shape 1023 1025 1021 false),$(shape 701 1023 511 false)"
large="$(shape 8192 8192 8192 false),$(shape 8191 8193 8189 false)"

need_gpu
[ "${1:-}" = --built ] || time compile_all
request validate 1 "$square,$twins,$large" > "$build/validate.json"
request bench 1 "$(shape 256 256 256 true),$square,$(shape 2048 2048 2048 true)" > "$build/bench.json"
for mode in validate bench; do
  SECONDS=0
  status=$(run honest "$build/$mode.json" "$mode")
  echo "== $mode: exit $status after $SECONDS s"
  python3 "$here/summary.py" "$out/$mode.jsonl"
  [ -z "${OUT:-}" ] || cp "$out/$mode.jsonl" "$out/$mode.log" "$OUT"
done
