"""The lab's task builder from outside, under its old name: a plan, its steps, a record, the next baseline.

    uv run --with pytest python -m pytest tests/test_kernel_lab_task_builder.py -q
    python3 tests/test_kernel_lab_task_builder.py --pyc build/ci/src/cli/pyc      # without pytest or an installed wheel

Every test types `python3 kernels/lab/kernel_lab.py ...` in a workspace of its own, where kernels are shell scripts:
"compiled" by cp and run by sh. The pyc that is started is the first in PATH, or the one that PYC_BINARY or --pyc names.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pyc_under_test

ROOT = Path(__file__).resolve().parents[1]


def kernel(name, *tags, milliseconds):
    return {
        "name": name,
        "source": f"kernels/lab/prototypes/{name}.sh",
        "description": f"says that it takes {milliseconds} ms",
        "tags": list(tags),
        "compile_cmd": "cp {source} {build_dir}/{name}",
        "run_cmd": "sh {build_dir}/{name}",
    }


def baseline(name, arch):
    return {"task_kind": "gemm", "backend": "cuda", "arch": arch, "kernel": name, "source": "a test",
            "updated_utc": None, "notes": ""}


class TaskBuilder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="pyc-lab-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "kernels/registry").mkdir(parents=True)
        (self.folder / "kernels/registry/kernels.json").write_text('{"schema": "pyc.registry/1", "records": []}\n')
        lab = self.folder / "kernels/lab"
        (lab / "prototypes").mkdir(parents=True)
        (lab / "manifests").mkdir()
        shutil.copy(ROOT / "kernels/lab/kernel_lab.py", lab)
        kernels = {"old": 4.0, "new": 2.0, "hopper": 1.0}
        for name, milliseconds in kernels.items():
            (lab / f"prototypes/{name}.sh").write_text(f"echo best_ms={milliseconds}\necho gflops={8000 / milliseconds}\n")
        self.write("manifests/kernels.json", {"kernels": [
            kernel(name, *(("hopper", "sm90") if name == "hopper" else ("ada", "sm89")), milliseconds=milliseconds)
            for name, milliseconds in kernels.items()]})
        self.write("manifests/task_baselines.json", {"version": 1, "baselines": [baseline("old", "sm89")]})
        # No GPU and no nvcc of the machine: a plan is made for the arch of its candidates.
        binary = os.environ.get("PYC_BINARY") or shutil.which("pyc")
        self.assertIsNotNone(binary, "there is no pyc in PATH; name one with PYC_BINARY")
        self.environment = {"PATH": f"{Path(binary).parent}:/usr/bin:/bin", "CUDA_HOME": "/nonexistent"}

    def write(self, file, document):
        (self.folder / "kernels/lab" / file).write_text(json.dumps(document))

    def read(self, file):
        return json.loads((self.folder / file).read_text())

    def lab(self, *words):
        return subprocess.run([sys.executable, "kernels/lab/kernel_lab.py", *words], cwd=self.folder, text=True, check=False,
                              env=self.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)

    def succeed(self, *words):
        done = self.lab(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def create(self, *flags):
        return self.succeed("task-create", "ada-sm89-gemm", "--task-kind", "gemm", "--candidate-tag", "ada",
                            "--repeats", "2", "--warmup", "0", *flags)

    def test_doctor_finds_the_lab_in_order(self):
        self.assertIn("3 kernels", self.succeed("doctor"))

    def test_a_plan_names_machine_baseline_and_steps(self):
        path = self.create("--control-kernel", "old", "--target-tflops-min", "1", "--objective", "be quick")
        self.assertEqual(path, "kernels/lab/tasks/ada-sm89-gemm.json")
        task = self.read(path)
        self.assertEqual((task["meta"]["name"], task["meta"]["status"]), ("ada-sm89-gemm", "planned"))
        self.assertEqual((task["hardware"]["backend"], task["hardware"]["arch"]), ("cuda", "sm89"))
        self.assertEqual((task["task"]["baseline_kernel"], task["task"]["objective"]), ("old", "be quick"))
        self.assertEqual(task["baseline"]["name"], "old")
        self.assertIn("--tag ada", " ".join(task["benchmark_plan"]["profile_protocol"]))

    def test_a_plan_runs_nothing(self):
        self.create()
        self.succeed("task-run", "ada-sm89-gemm", "--dry-run")
        self.assertFalse((self.folder / "kernels/lab/build").exists())

    def test_a_run_measures_every_candidate_and_keeps_a_record(self):
        self.create()
        record = self.read(self.succeed("task-run", "ada-sm89-gemm"))
        self.assertEqual(record["meta"]["status"], "ok")
        results = [self.read(path) for step in record["steps"] for path in step["written_paths"]]
        suite = next(result for result in results if result["kind"] == "suite" and result["meta"]["phase"] == "run")
        self.assertEqual({entry["kernel"]["name"]: entry["run"]["best_ms"] for entry in suite["kernels"]},
                         {"old": 4.0, "new": 2.0})

    def test_the_winner_is_the_next_baseline(self):
        self.create()
        record = self.read(self.succeed("task-run", "ada-sm89-gemm"))
        result = record["steps"][-1]["written_paths"][0]
        self.succeed("task-complete", "ada-sm89-gemm", "--winner", "new", "--result-json", result, "--notes", "halved")
        entries = self.read("kernels/lab/manifests/task_baselines.json")["baselines"]
        self.assertEqual([(entry["arch"], entry["kernel"], entry["notes"]) for entry in entries],
                         [("sm89", "new", "halved")])
        self.succeed("task-create", "next", "--candidate-tag", "ada")
        self.assertEqual(self.read("kernels/lab/tasks/next.json")["task"]["baseline_kernel"], "new")

    def test_exit_codes_tell_input_schema_and_commands_apart(self):
        self.assertEqual(self.lab("task-create", "x", "--baseline", "nobody").returncode, 2)
        self.assertEqual(self.lab("task-run", "nothing").returncode, 2)
        (self.folder / "kernels/lab/prototypes/old.sh").write_text("exit 1\n")
        self.create()
        self.assertEqual(self.lab("task-run", "ada-sm89-gemm").returncode, 5)
        self.write("manifests/kernels.json", {"kernels": "none"})
        self.assertEqual(self.lab("task-create", "y").returncode, 3)


if __name__ == "__main__":
    pyc_under_test.main()
