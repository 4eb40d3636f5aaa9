# Sourced by run.sh and measure.sh: builds the harness and the kernels of this folder, and speaks the protocol.
#
# NVCC names the compiler, PYC_TEST_BUILD the build folder (default build/harness-gpu), JOBS the number of compilers at a
# time. Events and logs are kept in the build folder; if $OUT is set, each script leaves them there too, in few files.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=${PYC_TEST_BUILD:-$root/build/harness-gpu}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
jobs=${JOBS:-$(nproc)}
out=$build/events
flags=(-O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -Xcompiler -fPIC -I "$root/include" -I "$root/kernels/harness")
mkdir -p "$build/lib" "$out" ${OUT:+"$OUT"}

need_gpu() {
  if ! [ -x "$nvcc" ] || ! nvidia-smi -L > /dev/null 2>&1; then
    echo "skipped: needs nvcc and a GPU" >&2
    exit 77
  fi
}

rows() { grep -v '^#' "$here/kernels.txt"; }

compile_all() {
  {
    while read -r source; do
      echo "-c $root/kernels/harness/$source -o $build/lib/$source.o"
    done < "$root/kernels/harness/sources.txt"
    echo "-c $here/kernels/harness.cu -o $build/harness.o"
    echo "-DSYMBOL=pyc_gemm_incumbent -DREQUIRED_K_MULTIPLE=1 -shared $here/kernels/honest.cu -o $build/libincumbent.so"
    rows | while read -r name macros multiple _ _; do
      [ "$macros" = - ] && macros=
      echo "$macros -DREQUIRED_K_MULTIPLE=$multiple -c $here/kernels/honest.cu -o $build/$name.o"
    done
  } | xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"
  rm -f "$build/libpyc_harness.a"
  ar rcs "$build/libpyc_harness.a" "$build"/lib/*.o
  rows | while read -r name _; do
    echo "$build/harness.o $build/$name.o $build/libpyc_harness.a -o $build/$name -ldl -lpthread"
  done | xargs -P "$jobs" -I{} bash -c "$nvcc ${flags[*]} {}"
}

# request MODE K_MULTIPLE SHAPES
request() {
  local contenders='[]'
  [ "$1" = bench ] && contenders="[{\"role\":\"incumbent\",\"name\":\"other\",\"digest\":\"0\",\"library\":\"$build/libincumbent.so\",\"symbol\":\"pyc_gemm_incumbent\",\"workspace\":false}]"
  cat << JSON
{"schema":"pyc.harness-request/1","mode":"$1","nonce":"test","dtype":"fp32","layout":"nn","compute_capability":"9.0",
 "seed":20240229,"shapes":[$3],"tolerance":{"absolute":1e-4,"relative":1e-4},
 "requires":{"m_multiple":1,"n_multiple":1,"k_multiple":$2,"pointer_alignment":4,"ld_multiple":1},"workspace":false,
 "warmup":${WARMUP:-10},"repeats":${REPEATS:-50},"contenders":$contenders,
 "vendor_library_dirs":["$(dirname "$(dirname "$nvcc")")/lib64"],"vendor_algorithms":8}
JSON
}

shape() { echo "{\"m\":$1,\"n\":$2,\"k\":$3,\"timed\":$4}"; }

# run NAME REQUEST: events to OUT/NAME.jsonl, exit code on stdout
run() {
  local status=0
  "$build/$1" --request "$2" --events-fd 3 3> "$out/$3.jsonl" > "$out/$3.log" 2>&1 || status=$?
  echo "$status"
}
