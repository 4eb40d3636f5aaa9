#!/usr/bin/env bash
# Takes the samples behind the figures of docs/measurement.md on a GPU. `analyse`, which the test folder builds, turns
# them into the tables; it needs no GPU.
#
#   tests/measurement/run.sh [build] [null] [power] [truth] [cost]     without a word: all, in this order
#
# null   a kernel against itself: fp32 (the template), bf16 and fp16 (cuBLASLt as the candidate), the default shapes of
#        the five families, default settings, six arms of the same kernel: three comparisons a shape
# power  kernels that are 0, 3, 4 and 5 % slower than themselves, in 10 processes, 5 us to 1 ms; each process is one of
#        the ten runs of the stability test too
# truth  cold medians of splitk_fp32 beside the durations that ncu --clock-control none reads, 14 shapes of 4 us to 20 ms
# cost   seconds for a family's default set with defaults
#
# The samples are left in build/measurement/out; if OUT is set, also as OUT/measurement.tgz, and what was printed as
# OUT/measurement.txt. LIMIT: most seconds for one part (200). NVCC, ARCH (90a), JOBS
# as for the other scripts. Exit code 0: every part ran; 1: one did not; 77: no GPU or no nvcc here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${PYC_TEST_BUILD:-$root/build/measurement}
out=$build/out
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
jobs=${JOBS:-$(nproc)}
limit=${LIMIT:-200}
arch=${ARCH:-90a}
cuda=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
flags=(-O3 -std=c++17 -gencode "arch=compute_$arch,code=sm_$arch" -diag-suppress 177 -I "$root/include" -I "$root/kernels/harness")
fractions="0.00 0.03 0.04 0.05"

small="64x64x64 128x128x128 256x256x256 512x512x512 128x256x512"
square="1024x1024x1024 512x4096x4096 1024x1536x7168 700x1024x512"
large_square="2048x2048x2048 4096x4096x4096 8192x8192x8192 4096x4096x14336"
wide_skinny="1x4096x4096 16x4096x4096 64x4096x4096 128x4096x4096 16x28672x4096 128x8192x4096"
tall_skinny="8192x128x4096 16384x64x4096 4096x16x4096 8457x35x2048"
families="small square large_square wide_skinny tall_skinny"

# ---- building --------------------------------------------------------------------------------------------------------

compile_commands() {
  local source fraction
  while read -r source; do
    echo "-c $root/kernels/harness/$source -o $build/lib/$source.o"
  done < "$root/kernels/harness/sources.txt"
  echo "-c $root/tests/adversarial/main.cu -o $build/main.o"
  echo "-DWITH_WORKSPACE=1 -c $root/tests/adversarial/main.cu -o $build/main_workspace.o"
  echo "-DSYMBOL=pyc_gemm_simt_fp32 -c $root/tests/adversarial/main.cu -o $build/main_simt.o"
  echo "-Xcompiler=-fPIC -c $root/kernels/templates/gemm/simt_fp32/kernel.cu -o $build/fp32.o"
  echo "-DSYMBOL=pyc_gemm_splitk_fp32 -c $root/tests/adversarial/main.cu -o $build/main_splitk.o"
  echo "-c $root/kernels/templates/gemm/splitk_fp32/kernel.cu -o $build/splitk.o"
  vendor_command bf16 __nv_bfloat16
  vendor_command fp16 __half
  for fraction in $fractions; do
    echo "-Xcompiler=-fPIC -DFRACTION=$fraction -c $here/paced.cu -o $build/paced_$fraction.o"
  done
}
vendor_command() {
  echo "-Xcompiler=-fPIC -DUSE_LT -DELEMENT=$2 -DA_TRANSPOSED=0 -DB_TRANSPOSED=0 -c $root/tests/adversarial/vendor.cu -o $build/$1.o"
}

link_commands() {
  local name libraries fraction
  echo "$build/main_simt.o $build/fp32.o $build/libpyc_harness.a -ldl -lpthread -o $build/fp32"
  echo "$build/main_splitk.o $build/splitk.o $build/libpyc_harness.a -ldl -lpthread -o $build/splitk"
  echo "$build/main.o $build/paced_0.00.o $build/libpyc_harness.a -ldl -lpthread -o $build/paced"
  libraries="-L$cuda/lib64 -lcublas -lcublasLt -Xlinker -rpath=$cuda/lib64"
  for name in bf16 fp16; do
    echo "$build/main_workspace.o $build/$name.o $build/libpyc_harness.a $libraries -ldl -lpthread -o $build/$name"
    echo "-shared -Xlinker=-Bsymbolic $build/$name.o $libraries -o $build/$name.so"
  done
  echo "-shared -Xlinker=-Bsymbolic $build/fp32.o -o $build/fp32.so"
  for fraction in $fractions; do echo "-shared -Xlinker=-Bsymbolic $build/paced_$fraction.o -o $build/paced_$fraction.so"; done
}

part_build() {
  compile_commands | xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"
  rm -f "$build/libpyc_harness.a"
  ar rcs "$build/libpyc_harness.a" "$build"/lib/*.o
  link_commands | xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"
}

# ---- requests --------------------------------------------------------------------------------------------------------

shapes_json() {
  local size list=""
  for size in "$@"; do
    list+="${list:+,}{\"m\":${size%%x*},\"n\":$(echo "$size" | cut -dx -f2),\"k\":${size##*x}}"
  done
  echo "$list"
}

contender() {  # name library symbol workspace
  echo "{\"role\":\"against\",\"name\":\"$1\",\"library\":\"$2\",\"symbol\":\"$3\",\"workspace\":$4}"
}

request() {  # dtype workspace algorithms seed contenders shape...
  local dtype=$1 workspace=$2 algorithms=$3 seed=$4 contenders=$5 tolerance=1e-4
  shift 5
  [ "$dtype" = fp16 ] && tolerance=5e-2
  [ "$dtype" = bf16 ] && tolerance=8e-2
  cat << JSON
{"schema":"pyc.harness-request/1","mode":"bench","nonce":"$RANDOM$RANDOM","dtype":"$dtype","layout":"nn","compute_capability":"${arch:0:1}.${arch:1:1}",
 "seed":$seed,"shapes":[$(shapes_json "$@")],"tolerance":{"absolute":$tolerance,"relative":$tolerance},
 "requires":{"m_multiple":1,"n_multiple":1,"k_multiple":1,"pointer_alignment":4,"ld_multiple":1},"workspace":$workspace,
 "warmup":10,"repeats":50,"vendor_algorithms":$algorithms,"vendor_library_dirs":["$cuda/lib64"],"contenders":[$contenders]}
JSON
}

copies() {  # count contender
  local i list=""
  for ((i = 0; i < $1; ++i)); do list+="${list:+,}$2"; done
  echo "$list"
}

# Seconds that the harness took stand in NAME.seconds.
run() {  # program name
  local begin status=0
  begin=$(date +%s.%N)
  "$build/$1" --request "$build/$2.json" --events-fd 3 3> "$out/$2.jsonl" > "$out/$2.log" 2>&1 || status=$?
  [ $status -eq 0 ] || bad=1
  echo "$(date +%s.%N) $begin" | awk '{ printf "%.2f\n", $1 - $2 }' > "$out/$2.seconds"
  printf '  %-22s exit %d, %s s\n' "$2" "$status" "$(cat "$out/$2.seconds")"
}

# ---- the parts -------------------------------------------------------------------------------------------------------

part_null() {
  local dtype family symbol workspace
  for dtype in fp32 bf16 fp16; do
    symbol=pyc_gemm_adversarial workspace=true
    [ $dtype = fp32 ] && symbol=pyc_gemm_simt_fp32 workspace=false
    for family in $families; do
      request $dtype $workspace 1 "$RANDOM" "$(copies 4 "$(contender self "$build/$dtype.so" $symbol $workspace)")" ${!family} \
        > "$build/null_${dtype}_$family.json"
      run $dtype "null_${dtype}_$family"
    done
  done
}

part_power() {
  local process fraction list=""
  for fraction in $fractions; do
    list+="${list:+,}$(copies 3 "$(contender "paced_$fraction" "$build/paced_$fraction.so" pyc_gemm_adversarial false)")"
  done
  for process in 0 1 2 3 4 5 6 7 8 9; do
    request fp32 false 1 "$RANDOM" "$list" 704x768x16 704x768x64 704x768x128 704x768x512 704x768x6144 > "$build/power_$process.json"
    run paced "power_$process"
  done
}

part_cost() {
  local family
  for family in $families; do
    request fp32 false 8 1 "" ${!family} > "$build/cost_$family.json"
    run fp32 "cost_$family"
  done
}

truth_shapes="64x64x64 128x128x128 128x256x512 256x256x256 512x512x512 16x4096x4096 700x1024x512 1024x1024x1024 128x8192x4096 \
512x4096x4096 2048x2048x2048 4096x4096x4096 4096x4096x14336 8192x8192x8192"

part_truth() {
  local shape ncu
  ncu=$(command -v ncu || ls "$cuda"/bin/ncu 2> /dev/null || true)
  if [ -z "$ncu" ]; then
    echo "  there is no ncu here"
    return 1
  fi
  request fp32 false 1 1 "" $truth_shapes > "$build/truth.json"
  run splitk truth
  for shape in $truth_shapes; do
    # The template's kernels are called gemm, none of the harness is.
    timeout 60 "$ncu" --clock-control none --cache-control all --metrics gpu__time_duration.sum --csv \
      --kernel-name regex:gemm --launch-skip 2 --launch-count 12 \
      "$build/splitk" --shape "$shape" --launches 20 > "$out/truth_$shape.csv" 2>&1 || true
    printf '  %-20s %s\n' "$shape" "$(tail -1 "$out/truth_$shape.csv" | cut -c1-150)"
  done
}

# ---- -----------------------------------------------------------------------------------------------------------------

if ! [ -x "$nvcc" ] || { [ "${1:-}" != build ] && ! nvidia-smi -L > /dev/null 2>&1; }; then
  echo "skipped: needs nvcc and a GPU" >&2
  exit 77
fi
if [ "${1:-}" = --part ]; then
  bad=0
  "part_$2"
  exit $bad
fi
mkdir -p "$build/lib" "$out"
failed=0
for part in "${@:-build null power truth cost}"; do
  for word in $part; do
    SECONDS=0
    echo "== $word"
    timeout "$limit" "$0" --part "$word" || { echo "  the part '$word' did not end well"; failed=1; }
    echo "  $SECONDS s"
  done
done > >(tee "$out/measurement.txt")
if [ -n "${OUT:-}" ]; then
  mkdir -p "$OUT"
  tar czf "$OUT/measurement.tgz" -C "$out" .
  cp "$out/measurement.txt" "$OUT"
fi
exit $failed
