"""benchmark/promoted_table.py over made-up evidence and, in a copy of the tree's few files that it reads, a tool that
writes such evidence."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READ = ("benchmark/promoted_table.py", "docs/compiler-next/kernel-optimization-playbook.md")
TOOL = """#!/bin/sh
echo "$2 $4" >> calls
case "$2" in
  profile) echo nothing > kernels/results/$4-profile.json; echo kernels/results/$4-profile.json ;;
  bench) cp evidence.json kernels/results/$4-benchmark.json; echo kernels/results/$4-benchmark.json ;;
esac
exit ${TOOL_EXIT:-0}
"""


def benchmark(selector, *ratios):
    arms = lambda ratio: [{"role": "candidate", "cold_ns": [100, 200]}, {"role": "cublas", "cold_ns": [1, 1]},
                          {"role": "cublaslt", "cold_ns": [100 * ratio, 200 * ratio]}]
    shapes = [{"m": 8, "n": 8, "k": 8, "status": "completed", "arms": arms(ratio)} for ratio in ratios]
    return {"kind": "benchmark", "candidate": {"selector": selector, "name": "made_up"}, "shapes": shapes}


class PromotedTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in READ:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "kernels/results").mkdir(parents=True)

    def run_script(self, *words, **environment):
        return subprocess.run([sys.executable, self.root / READ[0], *words], capture_output=True, text=True,
                              env={**os.environ, **environment})

    def table(self, document):
        (self.root / "evidence.json").write_text(json.dumps(document))
        return self.run_script("--evidence", self.root / "evidence.json")

    def test_holds_each_family_against_the_bar_of_the_playbook(self):
        for family, bar in (("large_square", 1.05), ("square", 1.15), ("small", 1.25), ("tall_skinny", 1.3),
                            ("wide_skinny", 1.5)):
            for layout in ("nn", "nt"):
                met = self.table(benchmark(f"gemm/fp32/{layout}/{family}", bar + 0.01, bar + 0.01))
                self.assertEqual((met.returncode, f"| {bar:.2f} met |" in met.stdout), (0, True), met.stdout)
                missed = self.table(benchmark(f"gemm/fp32/{layout}/{family}", bar - 0.01, bar - 0.01))
                self.assertEqual((missed.returncode, f"| {bar:.2f} missed |" in missed.stdout), (1, True))

    def test_one_slower_shape_is_enough_to_say_no(self):
        run = self.table(benchmark("gemm/fp32/nn/square", 0.99, 4))
        self.assertEqual(run.returncode, 1)
        self.assertIn("| 0.990 4.000 | 1.990 | 1.15 met |", run.stdout)

    def test_other_dtypes_have_no_bar(self):
        run = self.table(benchmark("gemm/bf16/nn/square", 1.01))
        self.assertEqual((run.returncode, "| 1.010 | - |" in run.stdout), (0, True), run.stdout)

    def test_evidence_without_cublaslt_or_of_another_kind_is_no_answer(self):
        untimed = benchmark("gemm/fp32/nn/square", 2)
        untimed["shapes"][0]["arms"].pop()
        failed = benchmark("gemm/fp32/nn/square", 2)
        failed["shapes"][0]["status"] = "failed"
        for document in (untimed, failed, {"kind": "profile"}, [], benchmark("gemm/fp32/nn/square")):
            run = self.table(document)
            self.assertEqual(run.returncode, 2, document)
            self.assertIn("evidence.json' is no whole benchmark", run.stderr)
        self.assertEqual(self.run_script("--evidence", "absent.json").returncode, 2)

    def with_tool(self, **environment):
        (self.root / "kernels/registry").mkdir()
        records = [{"name": name, "arch": arch} for name, arch in (("one", "sm90"), ("two", "sm90"), ("old", "sm89"))]
        (self.root / "kernels/registry/kernels.json").write_text(json.dumps({"records": records}))
        (self.root / "evidence.json").write_text(json.dumps(benchmark("gemm/fp32/nn/square", 2)))
        (self.root / "tool").write_text(TOOL)
        (self.root / "tool").chmod(0o755)
        return self.run_script("--pyc", self.root / "tool", **environment)

    def test_builds_everything_before_it_times_anything(self):
        run = self.with_tool()
        self.assertEqual(run.returncode, 0, run.stderr)
        calls = (self.root / "calls").read_text().split("\n")[:-1]
        self.assertEqual(sorted(calls[:2]), ["profile one", "profile two"])
        self.assertEqual(calls[2:], ["bench one", "bench two"])
        left = sorted(path.name for path in (self.root / "kernels/results").iterdir())
        self.assertEqual(left, ["one-benchmark.json", "two-benchmark.json"], "the profiles of nothing are gone")

    def test_says_why_it_cannot_tell(self):
        run = self.with_tool(TOOL_EXIT="3")
        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.assertIn("0 of 2 candidates built", run.stderr)
        self.assertEqual(self.run_script("--pyc", self.root / "absent").returncode, 2)
        self.assertIn("sm90", self.run_script("--pyc", self.root / "tool", "--arch", "sm70").stderr)


if __name__ == "__main__":
    unittest.main()
