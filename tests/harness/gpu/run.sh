#!/usr/bin/env bash
# Runs kernels that are wrong in one way each, and right ones, through the protocol on the GPU, and prints for each which
# check was expected to fail first and which did. Exit code 0: every one as expected; 77: no GPU here.
#
#   tests/harness/gpu/run.sh [--build-only]
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/outcome.sh"

table() {
  local wrong=0
  printf '%-22s %-16s %s\n' kernel 'expected (first)' 'exit, checks that failed'
  while read -r name _ multiple mode expected; do
    if [ "$mode" = validate ]; then
      request validate "$multiple" "$(shape 256 256 256 true),$(shape 257 131 67 false)" > "$build/$name.json"
    else
      request bench "$multiple" "$(shape 256 256 256 true)" > "$build/$name.json"
    fi
    status=$(run "$name" "$build/$name.json" "$name")
    actual=$(outcome_of "$out/$name.jsonl" "$status")
    note=
    matches "$expected" "$actual" || { note='<-- not as expected'; wrong=1; }
    printf '%-22s %-16s %s %s %s\n' "$name" "$expected" "$status" "$actual" "$note"
  done < <(rows)
  return $wrong
}

[ "${1:-}" = --build-only ] || need_gpu
time compile_all
[ "${1:-}" = --build-only ] && exit 0
as_expected=0
table || as_expected=1
if [ -n "${OUT:-}" ]; then
  tail -n +1 "$out"/*.jsonl > "$OUT/kernels.jsonl"
  tail -n +1 "$out"/*.log > "$OUT/kernels.log"
fi
exit $as_expected
