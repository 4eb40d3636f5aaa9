"""The workbench from outside: candidates, contracts, planned evidence, promotion, the 2 % gate, imports.

    uv run --with pytest python -m pytest tests/test_hpc_workbench.py -q
    python3 tests/test_hpc_workbench.py --pyc build/ci/src/cli/pyc      # without pytest or an installed wheel

Runs the binary of the installed wheel, or the one that PYC_BINARY or --pyc names, in scratch workspaces. nvcc and the
GPU are the stand-ins of tests/cli/fake_toolkit: only the figures are made up.
"""

import importlib
import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import pyc_under_test

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))  # the package beside this file, also where none is installed
hpc = importlib.import_module("pyc.hpc")

FAKES = ROOT / "tests" / "cli" / "fake_toolkit"
EMPTY_REGISTRY = '{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n'


class Workbench(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="pyc-workbench-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        for part in ("include", "kernels/templates", "kernels/harness"):
            shutil.copytree(ROOT / part, self.folder / part)
        (self.folder / "kernels/registry").mkdir()
        self.registry.write_text(EMPTY_REGISTRY)
        self.environment = {
            "PATH": f"{FAKES / 'bin'}:/usr/bin:/bin",
            "CUDA_HOME": str(FAKES),
            "PYC_WORKSPACE": "",
            "NVCC_PREPEND_FLAGS": "",
            "NVCC_APPEND_FLAGS": "",
            "PYC_FAKE_CANDIDATE_NS": "9000000",
            "PYC_FAKE_INCUMBENT_NS": "9000000",
        }

    @property
    def registry(self):
        return self.folder / "kernels/registry/kernels.json"

    def call(self, verb, *flags):
        binary = os.environ.get("PYC_BINARY")  # None: that of the installed wheel
        return hpc.call(verb, *flags, folder=self.folder, binary=binary, environment=self.environment)

    def succeed(self, verb, *flags):
        answer = self.call(verb, *flags)
        self.assertTrue(answer.yes, answer.notes)
        self.assertIsNone(answer.document["error"])
        return answer.document

    def create(self, name, *flags):
        return self.succeed("create gemm", "--name", name, *(flags or ("--arch", "sm90")))

    def promote(self, name, *flags):
        paths = {verb: self.succeed(verb, "--name", name)["evidence_path"] for verb in ("validate", "bench")}
        return self.call("promote", "--name", name, "--validation-result", paths["validate"],
                         "--benchmark-result", paths["bench"], *flags)


class Creation(Workbench):
    def test_writes_source_harness_and_contract(self):
        self.create("tiled_fp32_v1", "--arch", "sm89", "--shape-family", "square",
                    "--tile-m", "16", "--tile-n", "16", "--tile-k", "16")
        folder = self.folder / "kernels/prototypes/tiled_fp32_v1"
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["harness.cu", "kernel.cu", "kernel.json"])
        contract = json.loads((folder / "kernel.json").read_text())
        self.assertEqual(contract["symbol"], "pyc_gemm_tiled_fp32_v1")
        self.assertEqual([contract[key] for key in ("dtype", "layout", "arch", "shape_family")],
                         ["fp32", "nn", "sm89", "square"])
        self.assertIn("pyc_gemm_tiled_fp32_v1", (folder / "kernel.cu").read_text())

    def test_refuses_a_second_one_of_the_name_and_keeps_the_first(self):
        self.create("mine")
        path = self.folder / "kernels/prototypes/mine/kernel.cu"
        path.write_text("// my own work\n")
        answer = self.call("create gemm", "--name", "mine", "--arch", "sm90")
        self.assertEqual(answer.exit_code, 2)
        self.assertEqual(path.read_text(), "// my own work\n")

    def test_refuses_names_that_are_not_lower_snake_case(self):
        for name in ("Tiled", "9tiles", "a-b", "../x", "", "x" * 64):
            self.assertEqual(self.call("create gemm", "--name", name).exit_code, 2, name)


class Contracts(Workbench):
    def edit(self, key, value):
        path = self.folder / "kernels/prototypes/mine/kernel.json"
        contract = json.loads(path.read_text())
        contract[key] = value
        path.write_text(json.dumps(contract))
        return self.call("show", "mine")

    def test_name_the_field_that_is_wrong(self):
        self.create("mine")
        for key, value in (("dtype", "fp64"), ("arch", "sm10"), ("shape_family", "oblong"), ("symbol", "main"),
                           ("requires", {"m_multiple": 0}), ("surprise", 1)):
            answer = self.edit(key, value)
            self.assertEqual(answer.exit_code, 2, key)
            self.assertIn(key, answer.document["error"]["message"])
            shutil.rmtree(self.folder / "kernels/prototypes/mine")
            self.create("mine")


class DryRuns(Workbench):
    def test_write_planned_evidence_without_cuda(self):
        self.create("mine")
        self.environment.update(PATH="/nonexistent", CUDA_HOME="")
        for verb in ("validate", "bench"):
            document = self.succeed(verb, "--name", "mine", "--dry-run")
            self.assertEqual(document["evidence"]["status"], "planned")
            self.assertTrue((self.folder / document["evidence_path"]).is_file())

    def test_cannot_be_promoted(self):
        self.create("mine")
        planned = {verb: self.succeed(verb, "--name", "mine", "--dry-run")["evidence_path"]
                   for verb in ("validate", "bench")}
        answer = self.call("promote", "--name", "mine", "--validation-result", planned["validate"],
                           "--benchmark-result", planned["bench"], "--bootstrap")
        self.assertEqual(answer.exit_code, 2, answer.notes)
        self.assertEqual(self.registry.read_text(), EMPTY_REGISTRY)


class Promotion(Workbench):
    def test_writes_the_record_and_both_generated_files(self):
        self.create("first")
        self.assertTrue(self.promote("first", "--bootstrap").yes)
        self.assertEqual([record["name"] for record in json.loads(self.registry.read_text())["records"]], ["first"])
        generated = self.folder / "src/compiler/cutlass_kernels/registry"
        self.assertIn("pyc_gemm_first", (generated / "generated_registry.cu").read_text())
        self.assertIn("kernels/prototypes/first/kernel.cu", (generated / "generated_kernels.cmake").read_text())
        self.succeed("sync", "--check")

    def test_asks_for_bootstrap_where_there_is_no_incumbent(self):
        self.create("first")
        answer = self.promote("first")
        self.assertEqual(answer.exit_code, 1, answer.notes)
        self.assertIn("--bootstrap", answer.notes)


class Gate(Workbench):
    """With an incumbent that takes 9 ms."""

    def setUp(self):
        super().setUp()
        self.create("first")
        self.assertTrue(self.promote("first", "--bootstrap").yes)
        self.create("second")

    def promote_at(self, time_ns):
        self.environment["PYC_FAKE_CANDIDATE_NS"] = str(time_ns)
        return self.promote("second")

    def test_refuses_less_than_two_per_cent(self):
        for time_ns in (9_000_000, 8_900_000, 9_500_000):
            self.assertEqual(self.promote_at(time_ns).exit_code, 1, time_ns)
        self.assertNotIn("second", self.registry.read_text())

    def test_accepts_more_and_keeps_the_one_before(self):
        answer = self.promote_at(8_700_000)
        self.assertTrue(answer.yes, answer.notes)
        record = json.loads(self.registry.read_text())["records"][0]
        self.assertEqual((record["name"], record["history"][0]["name"]), ("second", "first"))

    def test_refuses_bootstrap_beside_an_incumbent(self):
        answer = self.promote("second", "--bootstrap")
        self.assertEqual(answer.exit_code, 1, answer.notes)


class Imports(Workbench):
    """A kernel of the lab whose program is a shell script."""

    def setUp(self):
        super().setUp()
        lab = self.folder / "kernels/lab"
        for part in ("manifests", "prototypes"):
            (lab / part).mkdir(parents=True)
        (lab / "prototypes/old.sh").write_text("echo best_ms=1.5\n")
        (lab / "manifests/kernels.json").write_text(json.dumps({"kernels": [{
            "name": "old", "source": "kernels/lab/prototypes/old.sh", "compile_cmd": "cp {source} {build_dir}/{name}",
            "run_cmd": "sh {build_dir}/{name}"}]}))
        self.succeed("import-legacy", "--legacy-name", "old", "--name", "mine", "--dtype", "fp32", "--arch", "sm90")

    def test_validate_by_their_own_program(self):
        evidence = self.succeed("validate", "--name", "mine")["evidence"]
        self.assertEqual((evidence["status"], evidence["own_harness"]["best_ms"]), ("passed", 1.5))

    def test_are_told_apart_and_never_promoted(self):
        self.assertEqual([row["status"] for row in self.succeed("list")["candidates"]], ["imported"])
        validation = self.succeed("validate", "--name", "mine")["evidence_path"]
        self.create("standard")
        benchmark = self.succeed("bench", "--name", "standard")["evidence_path"]
        answer = self.call("promote", "--name", "mine", "--validation-result", validation,
                           "--benchmark-result", benchmark, "--bootstrap")
        self.assertIn(answer.exit_code, (1, 2), answer.notes)
        self.assertEqual(self.registry.read_text(), EMPTY_REGISTRY)


if __name__ == "__main__":
    pyc_under_test.main()
