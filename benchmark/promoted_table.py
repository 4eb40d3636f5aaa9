#!/usr/bin/env python3
"""Times every promoted kernel beside cuBLASLt and prints the table of the playbook: one run, all families and layouts.

    python3 benchmark/promoted_table.py [--pyc BINARY] [--arch sm90]        needs a GPU of that arch and nvcc
    python3 benchmark/promoted_table.py --evidence FILE...                  from benchmarks that were made before

Each record of kernels/registry/kernels.json is benchmarked over its family's default shapes with `pyc hpc bench`. A ratio
is the median of the pairwise ratios of cold samples, the best of the measured cuBLASLt algorithms over the candidate:
above 1 the candidate is faster. The playbook's table of bars says what a family should reach. Exit codes: 0 every bar is
met and no shape is slower than cuBLASLt, 1 not so, 2 it could not be told, 3 cannot run here, 130 interrupted.
"""

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REGISTRY = ROOT / "kernels/registry/kernels.json"
PLAYBOOK = ROOT / "docs/compiler-next/kernel-optimization-playbook.md"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pyc", default="pyc", help="the tool; default: pyc in PATH")
    parser.add_argument("--arch", default="sm90", help="only records of this arch; default: sm90")
    parser.add_argument("--evidence", nargs="+", type=Path, help="benchmark files; nothing is run")
    return parser.parse_args()


def give_up(code, what, hint):
    print(f"error: {what}\n\nhint: {hint}", file=sys.stderr)
    sys.exit(code)


def promoted(arch):
    """The names of the arch's promoted candidates."""
    records = json.loads(REGISTRY.read_text())["records"]
    names = [record["name"] for record in records if record["arch"] == arch]
    if not names:
        archs = ", ".join(sorted({record["arch"] for record in records})) or "no arch"
        give_up(2, f"nothing is promoted for the arch '{arch}'", f"kernels.json has records of {archs}")
    return names


def run(pyc, *words, **streams):
    return subprocess.run([pyc, "hpc", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, **streams)


def build(pyc, name):
    """Fills the build cache and no more: the profiler is `true`, which starts nothing. `bench` tells what went wrong."""
    done = run(pyc, "profile", "--name", name, "--command", "true", stderr=subprocess.DEVNULL)
    if done.stdout.strip():
        (ROOT / done.stdout.strip()).unlink(missing_ok=True)  # a profile of nothing
    return done.returncode == 0


def build_all(pyc, names):
    begin = time.monotonic()
    with ThreadPoolExecutor(max_workers=max(1, (os.cpu_count() or 1) // 2)) as pool:  # each compiles two sources
        built = sum(pool.map(lambda name: build(pyc, name), names))
    print(f"{built} of {len(names)} candidates built in {time.monotonic() - begin:.0f} s", file=sys.stderr)


def bench(pyc, name):
    """The path of the new benchmark of `name`."""
    done = run(pyc, "bench", "--name", name)
    if done.returncode in (3, 130):
        sys.exit(done.returncode)
    if done.returncode != 0:
        give_up(2, f"'pyc hpc bench --name {name}' exited with {done.returncode}", "what it said stands above")
    return ROOT / done.stdout.strip()


def files_of(given):
    if given.evidence:
        return given.evidence
    pyc = shutil.which(given.pyc)
    if pyc is None:
        give_up(2, f"there is no program '{given.pyc}'", "name the tool: --pyc build/ci/src/cli/pyc")
    pyc, names = str(Path(pyc).resolve()), promoted(given.arch)
    build_all(pyc, names)
    return [bench(pyc, name) for name in names]


def ratio(shape):
    cold = {arm["role"]: arm["cold_ns"] for arm in shape["arms"] if arm["role"] in ("candidate", "cublaslt")}
    if shape["status"] != "completed" or len(cold["cublaslt"]) != len(cold["candidate"]):
        raise ValueError(f"{shape['m']}x{shape['n']}x{shape['k']} was not timed beside cuBLASLt")
    return statistics.median(slow / fast for slow, fast in zip(cold["cublaslt"], cold["candidate"]))


def row(path):
    """Selector, name and ratios of one benchmark."""
    try:
        record = json.loads(path.read_text())
        if record["kind"] != "benchmark":
            raise ValueError(f"it is a {record['kind']}")
        ratios = [ratio(shape) for shape in record["shapes"]]
        if not ratios:
            raise ValueError("it has no shape")
        return record["candidate"]["selector"], record["candidate"]["name"], ratios
    except OSError as error:
        give_up(2, f"'{path}' cannot be read: {error.strerror}", "give the path that pyc hpc bench printed")
    except (ValueError, KeyError, TypeError, ZeroDivisionError, statistics.StatisticsError) as error:
        give_up(2, f"'{path}' is no whole benchmark: {error!r}", "give evidence of pyc hpc bench with cuBLASLt in it")


def bars():
    """What the playbook wants of each fp32 family in nn and nt."""
    found = re.findall(r"^\| (\w+) \| at least (\d+\.\d+) \|", PLAYBOOK.read_text(), re.MULTILINE)
    return {f"gemm/fp32/{layout}/{family}": float(bar) for family, bar in found for layout in ("nn", "nt")}


def verdict(mean, bar):
    return "-" if bar is None else f"{bar:.2f} {'met' if mean >= bar else 'missed'}"


def main():
    wanted, failed = bars(), False
    rows = sorted(row(path) for path in files_of(parse()))
    print("| selector | candidate | each default shape | geometric mean | bar |\n| --- | --- | --- | --- | --- |")
    for selector, name, ratios in rows:
        mean, bar = math.exp(statistics.fmean(map(math.log, ratios))), wanted.get(selector)
        failed |= min(ratios) < 1 or (bar is not None and mean < bar)
        each = " ".join(f"{one:.3f}" for one in ratios)
        print(f"| {selector} | {name} | {each} | {mean:.3f} | {verdict(mean, bar)} |")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
