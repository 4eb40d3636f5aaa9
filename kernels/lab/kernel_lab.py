#!/usr/bin/env python3
"""The lab's command line under its old name: `python3 kernels/lab/kernel_lab.py ...` is `pyc lab ...`."""

import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of this checkout, where pyc is not in PATH: builds, and where `uv run` puts it.
PLACES = [*(f"{build}/src/cli" for build in ("build/ci", "build/cuda", "build/dev", "build")), ".venv/bin"]


def find_pyc() -> "str | None":
    built = (shutil.which("pyc", path=str(ROOT / place)) for place in PLACES)
    return shutil.which("pyc") or next(filter(None, built), None)


pyc = find_pyc()
if pyc is None:
    print("error: there is no 'pyc' in PATH and none was built in this checkout\n\n"
          "hint: ./scripts/test.sh or 'uv run pyc' builds it; or put the folder that holds it into PATH", file=sys.stderr)
    sys.exit(4)  # of the lab: a tool is missing
os.environ["PYC_WORKSPACE"] = os.environ.get("PYC_WORKSPACE") or str(ROOT)
os.execv(pyc, [pyc, "lab", *sys.argv[1:]])
