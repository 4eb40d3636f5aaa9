#!/usr/bin/env bash
# Benchmarks kernels that cheat the clock in one way each, and honest ones, on the GPU, and prints for each which check
# had to refuse it and which did. Exit code 0: every row as expected; 1: some are not; 77: no GPU or no nvcc here.
#
#   tests/adversarial/speed/run.sh [--build-only | --symbols] [--only PATTERN]
#
# --symbols needs no GPU: it compiles the kernels and asks JUDGE_SYMBOLS, the program that the test folder builds, about
# each object. NVCC names the compiler, ARCH the code to build (90a), PYC_TEST_BUILD the build folder, JOBS the number of
# compilers at a time. If OUT is set, the table and the events are left there.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=${PYC_TEST_BUILD:-$root/build/speed}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
jobs=${JOBS:-$(nproc)}
arch=${ARCH:-90a}
cuda=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
flags=(-O3 -std=c++17 -gencode "arch=compute_$arch,code=sm_$arch" -diag-suppress 177 -I "$root/include" -I "$root/kernels/harness")
only=.
mode=run

table() { grep -v -e '^#' -e '^ *$' "$here/kernels.txt"; }
# The honest kernels that others run beside.
rivals() { { echo honest; table | awk 'NF > 5 { print $6 }'; } | sort -u; }
# Those that match, and the rivals, which are built in any case.
rows() { table | grep -E -- "^($(rivals | paste -sd'|')) |^[^ ]*($only)" || true; }
runs() { rows | awk '$5 != "-"'; }

# ---- building --------------------------------------------------------------------------------------------------------

source_of() {
  case $1 in
    simt) echo "$root/kernels/templates/gemm/simt_fp32/kernel.cu" ;;
    vendor) echo "-DELEMENT=float -DA_TRANSPOSED=0 -DB_TRANSPOSED=0 $here/../vendor.cu" ;;
    *) echo "$here/$1.cu" ;;
  esac
}
main_of() {  # source macros
  case $1:$2 in simt:*) echo main_simt ;; vendor:* | *CHEAT=in_query*) echo main_workspace ;; *) echo main ;; esac
}

kernel_commands() {
  local name source macros
  rows | while read -r name source macros _; do
    [ "$macros" = - ] && macros=
    echo "-Xcompiler=-fPIC ${macros//,/ } -c $(source_of "$source") -o $build/$name.o"
  done
}

engine_commands() {
  local source
  while read -r source; do
    echo "-c $root/kernels/harness/$source -o $build/lib/$source.o"
  done < "$root/kernels/harness/sources.txt"
  echo "-c $here/../main.cu -o $build/main.o"
  echo "-DWITH_WORKSPACE=1 -c $here/../main.cu -o $build/main_workspace.o"
  echo "-DSYMBOL=pyc_gemm_simt_fp32 -c $here/../main.cu -o $build/main_simt.o"
}

link_commands() {
  local name source macros libraries
  for name in $(rivals); do echo "-shared -Xlinker=-Bsymbolic $build/$name.o -o $build/$name.so"; done
  runs | while read -r name source macros _; do
    libraries=
    [ "$source" = vendor ] && libraries="-L$cuda/lib64 -lcublas -lcublasLt -Xlinker -rpath=$cuda/lib64"
    echo "$build/$(main_of "$source" "$macros").o $build/$name.o $build/libpyc_harness.a $libraries -ldl -lpthread -o $build/$name"
  done
}

compile() { xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"; }

build_kernels() {
  mkdir -p "$build/lib" "$build/events"
  kernel_commands | compile
}

build_all() {
  { kernel_commands; engine_commands; } | compile
  rm -f "$build/libpyc_harness.a"
  ar rcs "$build/libpyc_harness.a" "$build"/lib/*.o
  link_commands | compile
}

# ---- running ---------------------------------------------------------------------------------------------------------

request_of() {  # workspace rival
  cat << JSON
{"schema":"pyc.harness-request/1","mode":"bench","nonce":"$RANDOM$RANDOM","dtype":"fp32","layout":"nn","compute_capability":"${arch:0:1}.${arch:1:1}",
 "seed":1,"shapes":[{"m":256,"n":256,"k":256},{"m":320,"n":256,"k":512}],"tolerance":{"absolute":1e-4,"relative":1e-4},
 "requires":{"m_multiple":1,"n_multiple":1,"k_multiple":1,"pointer_alignment":4,"ld_multiple":1},"workspace":$1,
 "warmup":10,"repeats":20,"vendor_algorithms":1,"vendor_library_dirs":["$cuda/lib64"],
 "contenders":[{"role":"incumbent","name":"$2","library":"$build/$2.so","symbol":"pyc_gemm_adversarial"}]}
JSON
}

# The candidate's checks that failed, each once; "untimed" and the checks that its reason names; "passed", or how the run
# ended.
outcome_of() {
  local failed untimed
  failed=$(grep '"event":"output_check"' "$1" | grep '"arm":0,' | grep '"status":"failed"' | grep -o '"check":"[a-z_]*"' |
    cut -d'"' -f4 | awk '!seen[$0]++' | paste -sd, || true)
  untimed=$(grep '"event":"contender"' "$1" | grep '"arm":0,' | grep '"status":"unavailable"' || true)
  if [ -n "$failed" ]; then echo "$failed"
  elif [ -n "$untimed" ]; then
    { echo "$untimed" | grep -oE '(threads|device_state): a call' || true; } | cut -d: -f1 | sort -u | sed 's/$/,/' | tr -d '\n'
    echo untimed
  elif grep -q '"event":"fatal"' "$1"; then echo "fatal:$(grep -o '"event":"fatal","kind":"[a-z_]*"' "$1" | cut -d'"' -f8)"
  elif ! grep -q '"event":"done"' "$1"; then echo incomplete
  else echo passed; fi
}

matches() {  # expected outcome: one of the expected checks is among those that failed
  local check
  for check in ${2//,/ }; do [[ "|$1|" == *"|$check|"* ]] && return 0; done
  return 1
}

# Median of the cold samples of an arm at the first shape, in us.
median_of() {
  grep '"event":"samples","index":0,' "$2" | grep "\"arm\":$1,\"cache\":\"cold\"" | grep -o '"time_ns":\[[^]]*' | cut -d[ -f2 |
    tr , '\n' | sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.1f", v[int((NR + 1) / 2)] / 1000; else printf "-" }'
}

gain_of() {  # its median, its rival's
  awk -v its="$1" -v rival="$2" 'BEGIN { print (its + 0 >= 0.95 * rival && rival > 0) ? "gains_nothing" : "gains" }'
}

run_row() {  # name source macros symbols expected rival
  local name=$1 workspace=false status=0 outcome verdict=ok events=$build/events/$1.jsonl
  [ "$(main_of "$2" "$3")" = main_workspace ] && workspace=true
  request_of $workspace "${6:-honest}" > "$build/$name.json"
  timeout 60 "$build/$name" --request "$build/$name.json" --events-fd 3 3> "$events" > "$build/events/$name.log" 2>&1 || status=$?
  outcome=$(outcome_of "$events")
  [[ $outcome:$5 != passed:*gains_nothing* ]] || outcome=$(gain_of "$(median_of 0 "$events")" "$(median_of 1 "$events")")
  matches "$5" "$outcome" || verdict='<-- NOT AS EXPECTED'
  printf '%-18s %-22s %-44s %4d %9s %9s %s\n' "$name" "$5" "$outcome" "$status" "$(median_of 0 "$events")" "$(median_of 1 "$events")" "$verdict"
}

run_all() {
  {
    printf '%-18s %-22s %-44s %4s %9s %9s\n' kernel expected 'checks that failed' exit 'its us' 'rival us'
    runs | while read -r name source macros symbols expected rival; do run_row "$name" "$source" "$macros" "$symbols" "$expected" "$rival" < /dev/null; done
  } | tee "$build/table.txt"
}

save() {
  [ -n "${OUT:-}" ] || return 0
  mkdir -p "$OUT"
  cp "$build/table.txt" "$OUT/speed_table.txt"
  (cd "$build/events" && grep -H '"event":"output_check"' ./*.jsonl | grep '"arm":0,'; grep -H '"event":"fatal"' ./*.jsonl) > "$OUT/speed_checks.txt" || true
}

ask_symbols() {
  local name symbols said verdict failed=0
  while read -r name _ _ symbols _; do
    said=allowed verdict=ok
    "$JUDGE_SYMBOLS" "$build/$name.o" "$(nm -g "$build/$name.o" | grep -o 'T pyc_gemm_[a-z0-9_]*$' | cut -c3- | head -1)" > "$build/$name.symbols" || said=refused
    if [ "$said" != "$symbols" ]; then verdict='<-- NOT AS EXPECTED' failed=1; fi
    printf '%-18s %-9s %-9s %-20s %s\n' "$name" "$symbols" "$said" "$verdict" "$(head -c 120 "$build/$name.symbols" | tr '\n' ' ')"
  done < <(rows)
  return $failed
}

while [ $# -gt 0 ]; do
  case $1 in
    --build-only) mode=build ;;
    --symbols) mode=symbols ;;
    --only) only=$2 && shift ;;
    *) echo "unknown option '$1'" >&2 && exit 2 ;;
  esac
  shift
done
if ! [ -x "$nvcc" ] || { [ $mode = run ] && ! nvidia-smi -L > /dev/null 2>&1; }; then
  echo "skipped: needs nvcc and a GPU" >&2
  exit 77
fi
SECONDS=0
mkdir -p "$build/lib" "$build/events"
if [ $mode = symbols ]; then
  build_kernels
  ask_symbols
  exit
fi
build_all
echo "built in $SECONDS s" >&2
[ $mode = run ] || exit 0
run_all
echo "done after $SECONDS s" >&2
save
! grep -q 'NOT AS EXPECTED' "$build/table.txt"
