# shellcheck shell=bash disable=SC2154
# The steps of quickstart.sh: the path that README.md describes, checked at each step. Sourced after common.sh; run from
# the scratch workspace with pyc on PATH. Stops at the first result that is not the expected one.

candidate=tiled_fp32_v1

# expect CODES COMMAND...: shows the command, runs it with its own output, and stops unless it exits with one of CODES.
expect() {
  local wanted=$1 got=0
  shift
  printf '\n$ %s\n' "$*" >&2
  "$@" </dev/null || got=$?
  [[ " $wanted " == *" $got "* ]] || die 1 "the command exited with $got, expected was ${wanted// / or }: $*" "its output stands above this line"
}

# make_scratch_workspace FROM TO: the sources of FROM with an empty registry and no candidates.
make_scratch_workspace() {
  rm -rf "$2"
  copy_tree "$1" "$2"
  rm -rf "$2/kernels/prototypes"
  mkdir "$2/kernels/prototypes"
  printf '{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n' >"$2/kernels/registry/kernels.json"
  (cd "$2" && expect 0 pyc hpc sync)
}

create_candidate() {
  expect 0 pyc hpc create gemm --name "$candidate" --arch "$1" --shape-family square \
    --tile-m 16 --tile-n 16 --tile-k 16
  expect 0 pyc hpc list
}

# run_verb VERB ARGUMENT...: leaves the evidence path that the verb prints in `evidence`.
run_verb() {
  printf '\n$ pyc hpc %s\n' "$*" >&2
  evidence=$(pyc hpc "$@" </dev/null) || die 1 "pyc hpc $1 exited with $?" "its output stands above this line"
  [ -f "$evidence" ] || die 1 "pyc hpc $1 printed no evidence path, but '$evidence'" "look at its output above"
  say "$evidence"
}

# compile_candidate EVIDENCE: by the recipe that the evidence names, which is the one of every later step.
compile_candidate() {
  local flags
  read -r -a flags < <(sed -n 's/^ *"flags": \[\(.*\)\].*/\1/p' "$1" | sed 's/", "/ /g; s/"//g')
  [ ${#flags[@]} -gt 0 ] || die 1 "no compiler flags in '$1'" "look at \"toolchain\" in it"
  expect 0 "$nvcc" "${flags[@]}" -I include -c "kernels/prototypes/$candidate/kernel.cu" -o kernel.o
}

take_path_without_gpu() {
  step "What this machine has"
  expect "0 1" pyc hpc doctor
  step "Create a candidate"
  create_candidate sm90
  step "Plan its validation and its benchmark: evidence of status planned"
  run_verb validate --name "$candidate" --dry-run
  local validation=$evidence
  run_verb bench --name "$candidate" --dry-run
  step "Compile the candidate, by the recipe that its evidence names"
  if [ -n "$nvcc" ]; then
    compile_candidate "$evidence"
  else
    say "Left out: there is no nvcc on this machine."
  fi
  step "The gate refuses evidence that no GPU stands behind"
  expect 2 pyc hpc promote --name "$candidate" --validation-result "$validation" --benchmark-result "$evidence" --bootstrap
  expect 0 pyc hpc sync --check
  step "A GEMM through the runtime, on the CPU rung, and why the rungs before it were refused"
  expect 0 "$example" --device host
}

# take_to_promotion NAME FLAG...: validate, bench and promote, with the flags for promote.
take_to_promotion() {
  local name=$1 validation
  shift
  step "Validate $name: is it right?"
  run_verb validate --name "$name"
  validation=$evidence
  step "Benchmark $name: how fast is it, beside the incumbent, cuBLASLt and cuBLAS?"
  run_verb bench --name "$name"
  step "Promote $name"
  expect 0 pyc hpc promote --name "$name" --validation-result "$validation" --benchmark-result "$evidence" "$@"
  expect 0 pyc hpc sync --check
}

take_path_to_promotion() {
  step "What this machine has"
  expect 0 pyc hpc doctor
  step "Create a candidate"
  create_candidate "$arch"
  take_to_promotion "$candidate" --bootstrap
  step "Create a better one, and promote it over the first: the gate asks for 2 %"
  expect 0 pyc hpc create gemm --name tiled_fp32_v2 --arch "$arch" --shape-family square \
    --tile-m 64 --tile-n 128 --tile-k 16 --set min_blocks_per_sm=3
  take_to_promotion tiled_fp32_v2
  expect 0 pyc hpc show --name tiled_fp32_v2
  call_promoted_kernel
}

call_promoted_kernel() {
  step "Rebuild the runtime with the promoted kernel, and call it from C"
  expect 0 cmake --preset cuda -D PYC_BUILD_TESTS=OFF -D PYC_BUILD_TOOL=OFF >&2
  expect 0 cmake --build build/cuda --target pyc_example_gemm >&2
  local output
  output=$(build/cuda/examples/c/pyc_example_gemm --m 1024 --n 1024 --k 1024 </dev/null) || die 1 "the example exited with $?" "its output: $output"
  say "$output"
  grep -q 'rung: promoted' <<<"$output" || die 1 "the example did not call the promoted kernel" "its output stands above"
}
