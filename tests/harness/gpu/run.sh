#!/usr/bin/env bash
# Runs kernels that are wrong in one way each, and right ones, through the protocol on the GPU, and prints for each which
# check was expected to fail and which did. Exit code 0: every one as expected; 77: no GPU here.
#
#   tests/harness/gpu/run.sh [--build-only]
. "$(dirname "$0")/common.sh"

# The first check that failed in an events file, or how the run ended.
first_failure() {
  local fatal
  fatal=$(grep -o '"event":"fatal","kind":"[a-z_]*"' "$1" | sed 's/.*"kind":"//; s/"//' || true)
  [ -n "$fatal" ] && { echo "fatal:$fatal"; return; }
  grep -q '"arm":0,"role":"candidate".*"status":"unavailable"' "$1" && { echo unavailable; return; }
  local failed
  failed=$(grep -m1 '"status":"failed"' "$1" | grep -o '"check":"[a-z]*"' | cut -d'"' -f4 || true)
  [ -n "$failed" ] && { echo "$failed"; return; }
  grep -q '"event":"done"' "$1" && echo passed || echo incomplete
}

table() {
  local wrong=0
  printf '%-22s %-12s %-12s %s\n' kernel expected actual exit
  while read -r name _ multiple mode expected; do
    if [ "$mode" = validate ]; then
      request validate "$multiple" "$(shape 256 256 256 true),$(shape 257 131 67 false)" > "$build/$name.json"
    else
      request bench "$multiple" "$(shape 256 256 256 true)" > "$build/$name.json"
    fi
    status=$(run "$name" "$build/$name.json" "$name" )
    actual=$(first_failure "$out/$name.jsonl")
    note=
    [ "$actual" = "$expected" ] || { note='<-- not as expected'; wrong=1; }
    printf '%-22s %-12s %-12s %s %s\n' "$name" "$expected" "$actual" "$status" "$note"
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
