#!/usr/bin/env python3
"""Times every promoted kernel beside cuBLASLt and prints the table of the playbook: one run, all families and layouts.

    python3 benchmark/promoted_table.py [--pyc BINARY] [--arch sm90]        needs a GPU of that arch and nvcc
    python3 benchmark/promoted_table.py --evidence FILE...                  from benchmarks that were made before

Each record of kernels/registry/kernels.json is benchmarked over its family's default shapes with `pyc hpc bench`. A ratio
is the median of the pairwise ratios of cold samples, the best of the measured cuBLASLt algorithms over the candidate:
above 1 the candidate is faster. Exit codes: 0 no shape is slower than cuBLASLt, 1 one is, 2 usage, 3 cannot run here.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pyc", default="pyc", help="the tool; default: pyc in PATH")
    parser.add_argument("--arch", default="sm90", help="only records of this arch; default: sm90")
    parser.add_argument("--evidence", nargs="+", type=Path, help="benchmark files; nothing is run")
    return parser.parse_args()


def bench(pyc, name):
    """The path of the new benchmark of `name`."""
    done = subprocess.run([pyc, "hpc", "bench", "--name", name, "--workspace", ROOT], stdout=subprocess.PIPE, text=True)
    if done.returncode == 3:
        sys.exit(3)
    if done.returncode != 0:
        sys.exit(f"error: 'pyc hpc bench --name {name}' exited with {done.returncode}")
    return ROOT / done.stdout.strip()


def files_of(given):
    if given.evidence:
        return given.evidence
    records = json.loads((ROOT / "kernels/registry/kernels.json").read_text())["records"]
    return [bench(given.pyc, record["name"]) for record in records if record["arch"] == given.arch]


def ratio(shape):
    cold = {arm["role"]: arm["cold_ns"] for arm in shape["arms"] if arm["role"] in ("candidate", "cublaslt")}
    return statistics.median(slow / fast for slow, fast in zip(cold["cublaslt"], cold["candidate"]))


def row(path):
    """Selector, name and ratios of one benchmark."""
    record = json.loads(path.read_text())
    candidate = record["candidate"]
    return candidate["selector"], candidate["name"], [ratio(shape) for shape in record["shapes"]]


def main():
    rows = sorted(row(path) for path in files_of(parse()))
    print("| selector | candidate | each default shape | geometric mean |\n| --- | --- | --- | --- |")
    for selector, name, ratios in rows:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"| {selector} | {name} | {' '.join(f'{each:.3f}' for each in ratios)} | {mean:.3f} |")
    return 1 if any(each < 1 for _, _, ratios in rows for each in ratios) else 0


if __name__ == "__main__":
    sys.exit(main())
