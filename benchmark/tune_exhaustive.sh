#!/usr/bin/env bash
# Measures `pyc hpc tune gemm` itself: a search over about 200 sets beside the exhaustive run over the same sets, in which
# each is timed with a final's samples. Fails if the search takes longer than LIMIT_S or its winner is slower than WITHIN of
# the best that the exhaustive run knows. Needs a GPU; leaves two candidates, tune_search and tune_all, which it removes.
#
#   benchmark/tune_exhaustive.sh [PYC]              default: build/ci/src/cli/pyc
#   TEMPLATE=simt_fp32 FAMILY=square SETS="tile_m=64,128 tile_n=128,256" benchmark/tune_exhaustive.sh
set -euo pipefail
cd "$(dirname "$0")/.."

pyc=${1:-build/ci/src/cli/pyc}
template=${TEMPLATE:-simt_fp32} family=${FAMILY:-square}
sets=${SETS:-"tile_m=64,128,256 tile_n=64,128,256 tile_k=8,16 thread_m=8,16 thread_n=4,8 stages=2,4 group_m=8 min_blocks_per_sm=1,2"}
limit_s=${LIMIT_S:-600} within=${WITHIN:-0.98} most=${MOST:-250}
out=build/tune_exhaustive
mkdir -p "$out"

words=(hpc tune gemm --template "$template" --shape-family "$family")
for set in $sets; do words+=(--set "$set"); done

forget() { rm -rf kernels/prototypes/tune_search kernels/prototypes/tune_all; }
trap forget EXIT
forget
rm -f kernels/results/tune_search-tuning-*.json kernels/results/tune_all-tuning-*.json

"$pyc" "${words[@]}" --name tune_search --dry-run --json > "$out/plan.json"
space=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["record"]["space_sets"])' "$out/plan.json")
echo "the space has $space sets"
if [ "$space" -gt "$most" ]; then
  echo "more than $most: narrow it with SETS" >&2
  exit 2
fi

# Compiled afresh, so that the time is that of somebody who searches for the first time.
rm -rf kernels/.build/trial-*
timed() {
  local begin=$SECONDS
  "$pyc" "${words[@]}" --budget "$space" --restart "${@:2}" --json > "$out/$1.json"
  echo $((SECONDS - begin)) > "$out/$1.seconds"
  echo "$1: $(cat "$out/$1.seconds") s"
}
timed search --name tune_search
timed all --name tune_all --exhaustive

python3 - "$out" "$limit_s" "$within" <<'PY'
import json, math, statistics, sys

out, limit_s, within = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
search, everything = (json.load(open(f"{out}/{name}.json"))["record"] for name in ("search", "all"))
seconds = float(open(f"{out}/search.seconds").read())

def key(record, number):
    return json.dumps(record["sets"][number]["parameters"], sort_keys=True)

# baseline / set, as the tool counts it, from the exhaustive run's raw samples.
speed = {key(everything, everything["baseline"]): 1.0}
for round_ in everything["rounds"]:
    for run in round_["runs"]:
        numbers = {arm["set"] for shape in run["shapes"] for arm in shape["arms"]}
        for number in numbers:
            logs = []
            for shape in run["shapes"]:
                mine = next((arm["cold_ns"] for arm in shape["arms"] if arm["set"] == number), None)
                if mine is None:
                    break
                logs.append(math.log(statistics.median(b / m for b, m in zip(shape["baseline_ns"], mine))))
            else:
                speed[key(everything, number)] = math.exp(statistics.fmean(logs))

if key(search, search["baseline"]) != key(everything, everything["baseline"]):
    sys.exit("the two runs have different baselines: a set was valid in one and not in the other")
best, found = max(speed.values()), speed[key(search, search["winner"]["set"])]
valid = sum(one["status"] == "valid" for one in search["sets"])
samples_ns = sum(sum(arm["cold_ns"]) for round_ in search["rounds"] for run in round_["runs"]
                 for shape in run["shapes"] for arm in shape["arms"])
compiled = sorted(one["build"]["elapsed_ns"] / 1e9 for one in search["sets"] if "build" in one)
print(f"{len(search['sets'])} sets, {valid} valid, in {seconds:.0f} s: {seconds / len(search['sets']):.2f} s for each")
print(f"compilation of a set: median {statistics.median(compiled):.1f} s, longest {compiled[-1]:.1f} s")
print(f"samples alone: {samples_ns / 1e9:.1f} s of GPU time")
for round_ in search["rounds"]:
    timed = {arm["set"] for run in round_["runs"] for shape in run["shapes"] for arm in shape["arms"]}
    print(f"round {round_['number'] or 'final'}: {len(timed)} sets, {round_['repeats']} samples")
rank = sorted(speed.values(), reverse=True).index(found) + 1
print(f"winner / exhaustive best = {found / best:.4f} (number {rank} of {len(speed)}); winner / defaults = {found:.3f}")
failed = []
if seconds > limit_s:
    failed.append(f"the search took {seconds:.0f} s, more than {limit_s:.0f}")
if found / best < within:
    failed.append(f"the winner is below {within} of the best")
sys.exit("; ".join(failed) if failed else 0)
PY
