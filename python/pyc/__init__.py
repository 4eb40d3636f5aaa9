"""The pyc command as a Python package: finds the binary that the wheel installed.

The wheel puts the native binary `pyc` beside the interpreter's other scripts, so `pyc` starts without Python. This
package serves `python -m pyc` and programs that want the path.
"""

from __future__ import annotations

import os
import sysconfig
from importlib import metadata
from pathlib import Path

__all__ = ["__version__", "binary_path"]

try:
    __version__ = metadata.version("pyc")
except metadata.PackageNotFoundError:  # a source tree that was not installed
    __version__ = "unknown"


def _script_folders() -> list[Path]:
    """Where pip and uv put scripts: this environment, the user's scheme, and `pip install --target`."""
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    return [Path(folder) for folder in folders if folder] + [Path(__file__).resolve().parent.parent / "bin"]


def binary_path() -> Path:
    """The native `pyc` of this installation. Raises FileNotFoundError, naming every folder that was searched."""
    folders = _script_folders()
    for folder in folders:
        if os.access(folder / "pyc", os.X_OK):
            return folder / "pyc"
    searched = ", ".join(f"'{folder}'" for folder in folders)
    raise FileNotFoundError(f"no 'pyc' binary in {searched}; install the wheel: pip install .")
