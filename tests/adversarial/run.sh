#!/usr/bin/env bash
# Validates kernels that are wrong in one way each, and right ones, on the GPU, and prints for each which check had to fail
# and which did. Exit code 0: every row as expected; 1: some are not; 77: no GPU or no nvcc here.
#
#   tests/adversarial/run.sh [--build-only] [--only PATTERN]     PATTERN: an extended regular expression for names
#
# NVCC names the compiler, ARCH the code to build (90a), PYC_TEST_BUILD the build folder (build/adversarial), JOBS the number
# of compilers at a time, RUNS the number of validations at a time. If OUT is set, the table, the events of failed checks
# and the logs are left there.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/../harness/gpu/outcome.sh"
build=${PYC_TEST_BUILD:-$root/build/adversarial}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
jobs=${JOBS:-$(nproc)}
runs=${RUNS:-3}
arch=${ARCH:-90a}
cuda=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
flags=(-O3 -std=c++17 -gencode "arch=compute_$arch,code=sm_$arch" -diag-suppress 177 -I "$root/include" -I "$root/kernels/harness")
only=.

# ---- what is validated -----------------------------------------------------------------------------------------------

rows() { grep -v -e '^#' -e '^ *$' "$here/kernels.txt" | grep -E -- "^[^ ]*($only)" || true; }

# MxNxK; with a + only the check for large operands
shapes_of() {
  case $1 in
    usual) echo 256x256x256 257x131x67 ;;
    deep) echo 64x64x4096 ;;
    spread) echo 64x64x64 65x63x61 1x1x1 513x511x1023 1x1024x1025 1025x3x511 ;;
    large_square) echo 2048x2048x256 ;;
    one_row) echo 1x1024x512 ;;
    wide) echo 64x2048x256 ;;
    families)
      echo 64x64x64 65x63x61 128x256x512 1024x1024x1024 1023x1025x1021 700x1024x512 2048x2048x2048 2047x2049x2045 \
        1x4096x4096 16x4096x4096 17x4095x4097 4096x16x4096 8457x35x2048 ;;
    huge_a) echo 2100224x64x1024+ ;;
    huge_b) echo 64x2100224x1024+ ;;
    huge_c) echo 46400x46400x32+ ;;
  esac
}

element_of() { case $1 in fp32) echo float ;; fp16) echo __half ;; bf16) echo __nv_bfloat16 ;; esac; }
element_bytes_of() { [ "$1" = fp32 ] && echo 4 || echo 2; }
tolerance_of() { case $1 in fp32) echo 1e-4 ;; fp16) echo 5e-2 ;; bf16) echo 8e-2 ;; esac; }
transposed() { [ "$1" = t ] && echo 1 || echo 0; }
macros_of() { [ "$1" = - ] || echo "${1//,/ }"; }
multiple_of() { [[ $1 =~ -DK_MULTIPLE=([0-9]+) ]] && echo "${BASH_REMATCH[1]}" || echo 1; }

# Which executable a row needs: with a workspace query, without one, or with the template's symbol.
main_of() {  # source macros
  case $1:$2 in
    simt:*) echo main_simt ;;
    vendor:*) echo main_workspace ;;
    *-DSPLITS=*) echo main_workspace ;;
    *) echo main ;;
  esac
}

request_of() {  # dtype layout shapes k_multiple workspace
  local list="" size separator="" large
  for size in $(shapes_of "$3"); do
    large=false
    [ "${size%+}" = "$size" ] || large=true
    size=${size%+}
    list+="$separator{\"m\":${size%%x*},\"n\":$(echo "$size" | cut -dx -f2),\"k\":${size##*x},\"large\":$large}"
    separator=,
  done
  cat << JSON
{"schema":"pyc.harness-request/1","mode":"validate","nonce":"test","dtype":"$1","layout":"$2","compute_capability":"${arch:0:1}.${arch:1:1}",
 "seed":20240229,"shapes":[$list],"tolerance":{"absolute":$(tolerance_of "$1"),"relative":$(tolerance_of "$1")},
 "requires":{"m_multiple":1,"n_multiple":1,"k_multiple":$4,"pointer_alignment":$(element_bytes_of "$1"),"ld_multiple":1},
 "workspace":$5}
JSON
}

# ---- building --------------------------------------------------------------------------------------------------------

template_with() {  # constants: the template's source, changed
  local names=(kTileM kTileN kTileK kThreadM kThreadN kStages kGroupM) values i edits=""
  IFS=, read -r -a values <<< "$1"
  for i in "${!names[@]}"; do edits+="s/constexpr int ${names[$i]} = .*;/constexpr int ${names[$i]} = ${values[$i]};/;"; done
  sed "$edits" "$root/kernels/templates/gemm/simt_fp32/kernel.cu"
}

compile_commands() {
  local source name macros dtype layout
  while read -r source; do
    echo "-c $root/kernels/harness/$source -o $build/lib/$source.o"
  done < "$root/kernels/harness/sources.txt"
  echo "-c $here/main.cu -o $build/main.o"
  echo "-DWITH_WORKSPACE=1 -c $here/main.cu -o $build/main_workspace.o"
  echo "-DSYMBOL=pyc_gemm_simt_fp32 -c $here/main.cu -o $build/main_simt.o"
  rows | while read -r name source macros dtype layout _; do
    if [ "$source" = simt ]; then
      template_with "$macros" > "$build/$name.cu"
      echo "-c $build/$name.cu -o $build/$name.o"
    else
      echo "-DELEMENT=$(element_of "$dtype") -DA_TRANSPOSED=$(transposed "${layout:0:1}")" \
        "-DB_TRANSPOSED=$(transposed "${layout:1:1}") $(macros_of "$macros") -c $here/$source.cu -o $build/$name.o"
    fi
  done
}

link_commands() {
  local name source macros libraries
  rows | while read -r name source macros _; do
    libraries=
    [ "$source" = vendor ] && libraries="-L$cuda/lib64 -lcublas -lcublasLt -Xlinker -rpath=$cuda/lib64"
    echo "$build/$(main_of "$source" "$macros").o $build/$name.o $build/libpyc_harness.a $libraries -ldl -lpthread -o $build/$name"
  done
}

build_all() {
  mkdir -p "$build/lib" "$build/events"
  compile_commands | xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"
  rm -f "$build/libpyc_harness.a"
  ar rcs "$build/libpyc_harness.a" "$build"/lib/*.o
  link_commands | xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"
}

# ---- running ---------------------------------------------------------------------------------------------------------

run_row() {  # name source macros dtype layout shapes expected
  local name=$1 workspace=false begin=$SECONDS status=0 outcome verdict=ok
  [ "$(main_of "$2" "$3")" = main_workspace ] && workspace=true
  request_of "$4" "$5" "$6" "$(multiple_of "$3")" $workspace > "$build/$name.json"
  timeout 200 "$build/$name" --request "$build/$name.json" --events-fd 3 3> "$build/events/$name.jsonl" \
    > "$build/events/$name.log" 2>&1 || status=$?
  outcome=$(outcome_of "$build/events/$name.jsonl" "$status")
  matches "$7" "$outcome" || verdict='<-- NOT AS EXPECTED'
  printf '%-32s %-24s %-56s %3d %4ds %s\n' "$name" "$7" "$outcome" "$status" $((SECONDS - begin)) "$verdict"
}

run_all() {
  rows | xargs -P "$runs" -L 1 "$0" --row | sort > "$build/rows.txt"
  {
    printf '%-32s %-24s %-56s %s\n' kernel 'expected (first)' 'checks that failed' exit
    rows | cut -d' ' -f1 | while read -r name; do grep "^$name " "$build/rows.txt"; done
    echo "$(grep -c ' ok$' "$build/rows.txt" || true) of $(wc -l < "$build/rows.txt") as expected"
  } | tee "$build/table.txt"
}

save() {
  [ -n "${OUT:-}" ] || return 0
  mkdir -p "$OUT"
  cp "$build/table.txt" "$OUT/table.txt"
  (cd "$build/events" && grep -h -H -e '"status":"failed"' -e '"deterministic":false' -e '"event":"fatal"' ./*.jsonl) > "$OUT/failed.txt" || true
  (cd "$build/events" && grep -H -o '"event":"shape_end".*' ./*.jsonl) > "$OUT/times.txt" || true
  (cd "$build/events" && tail -n 5 ./*.log) > "$OUT/logs.txt" || true
  (cd "$build/events" && grep -H -e '"check":"normwise"' -e '"check":"scalars"' ./cublas*.jsonl) > "$OUT/vendor.txt" || true
  cat "$build/events"/cublas_fp32_nn.jsonl "$build/events"/simt_128x256x16*.jsonl > "$OUT/passed.jsonl" 2> /dev/null || true
}

if [ "${1:-}" = --row ]; then
  shift
  run_row "$@"
  exit 0
fi
build_only=
while [ $# -gt 0 ]; do
  case $1 in
    --build-only) build_only=1 ;;
    --only) only=$2 && shift ;;
    *) echo "unknown option '$1'" >&2 && exit 2 ;;
  esac
  shift
done
if ! [ -x "$nvcc" ] || { [ -z "$build_only" ] && ! nvidia-smi -L > /dev/null 2>&1; }; then
  echo "skipped: needs nvcc and a GPU" >&2
  exit 77
fi
SECONDS=0
build_all
echo "built in $SECONDS s" >&2
[ -z "$build_only" ] || exit 0
run_all
echo "validated after $SECONDS s" >&2
save
! grep -q 'NOT AS EXPECTED' "$build/table.txt"
