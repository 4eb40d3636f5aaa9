"""Builds the wheel from the checkout, installs it and runs the tool from it. Exits with 77 (skipped) where the build
backend is not installed: the test downloads nothing."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = next(
    line.split('"')[1] for line in (ROOT / "pyproject.toml").read_text().splitlines() if line.startswith("version = ")
)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} exited with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="pyc-wheel-")
        cls.addClassCleanup(folder.cleanup)
        cls.target = Path(folder.name) / "site"
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder.name,
            f"--config-settings=build-dir={folder.name}/build", str(ROOT))
        cls.wheels = list(Path(folder.name).glob("*.whl"))
        run(*pip, "install", "--no-deps", "--no-index", "--target", str(cls.target), str(cls.wheels[0]))

    def test_holds_the_binary_the_package_and_nothing_else(self):
        self.assertEqual(len(self.wheels), 1)
        names = zipfile.ZipFile(self.wheels[0]).namelist()
        outside = [n for n in names if not n.startswith("pyc/") and ".dist-info/" not in n]
        self.assertEqual(outside, [f"pyc-{VERSION}.data/scripts/pyc"])
        self.assertEqual([n for n in names if ".so" in n], ["pyc/libpyc.so"])

    def test_the_runtime_is_found_beside_the_package_and_multiplies(self):
        code = ("from array import array; from pyc import runtime; context = runtime.Context('host')\n"
                "x, y = array('f', [3.0]), array('f', [0.0])\n"
                "one = lambda v: runtime.Matrix(v.buffer_info()[0], (1, 1), (1, 1), 'fp32')\n"
                "context.gemm(one(x), one(x), one(y)); print(runtime.version(), y[0])")
        environment = {k: v for k, v in os.environ.items() if k != "PYC_RUNTIME_LIBRARY"}
        printed = run(sys.executable, "-c", code, env={**environment, "PYTHONPATH": str(self.target)})
        self.assertEqual(printed.split(), [VERSION, "9.0"])

    def test_the_binary_tells_the_version_of_the_package(self):
        self.assertIn(VERSION, run(str(self.target / "bin" / "pyc"), "--version"))

    def test_python_dash_m_pyc_is_the_same_tool(self):
        environment = {**os.environ, "PYTHONPATH": str(self.target)}
        by_module = run(sys.executable, "-m", "pyc", "--version", env=environment)
        self.assertEqual(by_module, run(str(self.target / "bin" / "pyc"), "--version"))

    def test_the_tool_finds_the_workspace_upwards_from_the_current_folder(self):
        run(str(self.target / "bin" / "pyc"), "hpc", "list", cwd=ROOT / "kernels" / "templates")


if __name__ == "__main__":
    if importlib.util.find_spec("scikit_build_core") is None or importlib.util.find_spec("pip") is None:
        print(f"skipped: scikit-build-core is not installed for {sys.executable}")
        sys.exit(77)
    unittest.main(verbosity=2)
