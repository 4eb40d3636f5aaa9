# shellcheck shell=bash
# Sourced by the scripts that send kernels through the protocol: what an events file and an exit code say together.

# Distinct names of the checks that failed, in order, separated by commas.
failed_checks() {  # events
  sed -n 's/.*"check":"\([^"]*\)","variant":"[^"]*","status":"failed".*/\1/p' "$1" | awk '!seen[$0]++' | paste -sd, -
}

# How a run that gave up ended. A kernel's fault must come as its failed check, the shape's end and `fatal`, in this order.
fault_of() {  # events exit_code
  local kind
  kind=$(sed -n 's/.*"event":"fatal","kind":"\([^"]*\)".*/\1/p' "$1")
  [ "$kind" = cuda_error ] || { echo "fatal:$kind" && return; }
  tail -n 3 "$1" | grep -o -e '"event":"[^"]*"' -e '"status":"[^"]*"' | cut -d'"' -f4 | paste -sd' ' - |
    grep -qx 'check failed shape_end failed fatal' || { echo "fatal:out_of_order" && return; }
  [ "$2" = 4 ] && echo "$(failed_checks "$1"),fault" || echo "fault:exit_$2"
}

# "passed", "passed,not_deterministic", or the checks that failed; then ",fault" if a CUDA error ended the run.
# "unavailable" if the candidate could not be timed. Whatever contradicts itself has a word of its own, never "passed".
outcome_of() {  # events exit_code
  local failed
  failed=$(failed_checks "$1")
  if grep -q '"event":"fatal"' "$1"; then
    fault_of "$1" "$2"
  elif [ "$2" != 0 ] || ! tail -n 1 "$1" | grep -q '"event":"done"'; then
    echo "incomplete:exit_$2"
  elif grep -q '"event":"contender".*"arm":0,.*"status":"unavailable"' "$1"; then
    echo unavailable
  elif [ -n "$failed" ]; then
    grep -q '"event":"shape_end".*"status":"failed"' "$1" && echo "$failed" || echo "contradiction:$failed"
  elif grep -q '"status":"failed"' "$1"; then
    echo contradiction:unnamed
  elif grep -q '"deterministic":false' "$1"; then
    echo passed,not_deterministic
  else
    echo passed
  fi
}

# Whether the outcome is the expected one: "passed" whole, else the first failed check, with alternatives behind "|".
matches() {  # expected outcome
  case $1 in
    passed*) [ "$1" = "$2" ] ;;
    *) [[ "|$1|" == *"|${2%%,*}|"* ]] ;;
  esac
}
