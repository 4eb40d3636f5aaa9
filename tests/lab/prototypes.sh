#!/bin/sh
# The lab's prototypes on a GPU: those that fit it compile, pass their own check at three shapes, and print their figures.
#   prototypes.sh FOLDER       builds and results go there; pyc is found in PATH
# Exit codes: 0 all are right, 1 one is not, 77 there is no GPU, no nvcc, or one of an arch before sm_80.
set -u
folder=$1
cd "$(dirname "$0")/../.." || exit 1
lab() { pyc lab --build-dir "$folder/build" --results-dir "$folder/results" "$@"; }

machine=$(lab task-hardware --json) || exit 1
arch=$(printf '%s' "$machine" | sed -n 's/.*"arch": "\(.*\)".*/\1/p')
printf '%s' "$machine" | grep -q '"nvcc": null' && { echo "skipped: no nvcc"; exit 77; }
case "$arch" in
  sm90) tags="ada hopper any" ;;      # what was compiled for Ada runs here by its PTX
  sm8[0-8]) tags=any ;;
  sm[0-9]*) tags="ada any" ;;
  *) echo "skipped: no GPU"; exit 77 ;;
esac

status=0
for tag in $tags; do
  # shellcheck disable=SC2046
  for name in $(lab list --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
    lab show "$name" --json | grep -q "^ *\"$tag\",*\$" || continue
    echo "== $name on $arch"
    lab compile "$name" || { status=1; continue; }
    for shape in "128 128 64" "1024 512 2048" "2048 2048 2048"; do
      # shellcheck disable=SC2086
      "$folder/build/$name" $shape 2 5 || { echo "exit code $? at $shape"; status=1; }
    done
    result=$(lab bench "$name" --phase run --repeats 2 --warmup 0) || { status=1; continue; }
    grep -q '"best_ms": [0-9]' "$result" && grep -q '"gflops": [0-9]' "$result" || { echo "no figures in $result"; status=1; }
  done
done
exit $status
