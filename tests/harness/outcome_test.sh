#!/usr/bin/env bash
# Events files as the harness writes them, and what outcome.sh makes of each. Needs no GPU.
set -euo pipefail
. "$(dirname "$0")/gpu/outcome.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

complain() { echo "$1" >> "$folder/complaints"; }

check() { echo "{\"event\":\"check\",\"index\":0,\"check\":\"$1\",\"variant\":\"alpha=1 beta=0 packed\",\"status\":\"$2\",\"reason\":\"\"${3:-}}"; }
shape_end() { echo "{\"event\":\"shape_end\",\"index\":0,\"status\":\"$1\",\"elapsed_ns\":1}"; }
fatal() { echo "{\"event\":\"fatal\",\"kind\":\"$1\",\"message\":\"m\"}"; }
event() { echo "{\"event\":\"$1\"}"; }

# expect NAME EXIT_CODE OUTCOME < EVENTS
expect() {
  local got
  cat > "$folder/events"
  got=$(outcome_of "$folder/events" "$2")
  [ "$got" = "$3" ] || complain "$1: '$got', not '$3'"
}

{ check random passed; check repeat passed ',"deterministic":true'; shape_end passed; event "done"; } | expect right 0 passed
{ check repeat passed ',"deterministic":false'; shape_end passed; event "done"; } | expect other_bits 0 passed,not_deterministic
{ check random passed; check beta_zero failed; shape_end failed; event "done"; } | expect underscore 0 beta_zero
{ check nan_inf failed; check page_ends failed; check nan_inf failed; shape_end failed; event "done"; } |
  expect each_once_in_order 0 nan_inf,page_ends
{ check check2 failed; shape_end failed; event "done"; } | expect any_name 0 check2
{ check writes failed; check page_ends failed; shape_end failed; fatal cuda_error; } | expect fault 4 writes,page_ends,fault
{ check page_ends failed; shape_end failed; fatal cuda_error; } | expect fault_with_another_code 1 fault:exit_1
{ check writes failed; fatal cuda_error; } | expect fault_without_shape_end 4 fatal:out_of_order
{ check writes failed; check page_ends passed; shape_end failed; fatal cuda_error; } | expect fault_of_no_check 4 fatal:out_of_order
{ check random passed; fatal out_of_memory; } | expect no_memory 4 fatal:out_of_memory
{ check random passed; shape_end passed; } | expect early 0 incomplete:exit_0
{ check random passed; shape_end passed; event "done"; } | expect crash_behind_done 139 incomplete:exit_139
{ check random failed; shape_end passed; event "done"; } | expect failed_check_of_a_passed_shape 0 contradiction:random
{ check random passed; shape_end failed; event "done"; } | expect failed_shape_without_a_check 0 contradiction:unnamed
{ echo '{"event":"contender","index":0,"arm":0,"role":"candidate","name":"x","status":"unavailable","reason":"r"}'
  shape_end failed; event "done"; } | expect not_timed 0 unavailable
{ check output failed | sed 's/"event":"check"/"event":"output_check"/'; shape_end failed; event "done"; } | expect output 0 output

for pair in 'passed passed' 'random|repeat repeat,exact' 'writes writes,page_ends,fault'; do
  matches ${pair% *} "${pair#* }" || complain "'$pair' should match"
done
for pair in 'passed beta_zero' 'passed passed,not_deterministic' 'random|repeat exact,random' 'page_ends writes,page_ends' \
  'beta beta_zero' 'writes incomplete:exit_0'; do
  ! matches ${pair% *} "${pair#* }" || complain "'$pair' should not match"
done
[ ! -e "$folder/complaints" ] || { cat "$folder/complaints" >&2 && exit 1; }
