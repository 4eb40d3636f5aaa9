"""The verbs of `pyc hpc` for Python programs: a call runs the binary with --json and hands back its document.

    from pyc import hpc
    answer = hpc.call("validate", "--name", "tiled_fp32_v1")
    if answer.yes:
        print(answer.document["evidence_path"])

Verbs, flags and exit codes are those of the command line (docs/reference/command-line.md).
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from typing import Any

from pyc import binary_path

__all__ = ["Answer", "call"]


@dataclass(frozen=True)
class Answer:
    """What a verb said. `document` always has the member "error", which is None where the answer is yes."""

    exit_code: int
    document: dict[str, Any] = field(repr=False)
    notes: str = field(repr=False)  # stderr: tables, warnings, the error in words

    @property
    def yes(self) -> bool:
        return self.exit_code == 0


def call(
    verb: str,
    *flags: str,
    folder: str | os.PathLike[str] | None = None,
    binary: str | os.PathLike[str] | None = None,
    environment: dict[str, str] | None = None,
) -> Answer:
    """Runs `pyc hpc VERB FLAGS... --json` in `folder` (default: the current one), which lies in a workspace.

    `verb` may be two words ("create gemm"). `environment` is added to this process's own. Raises FileNotFoundError
    where there is no binary, and RuntimeError where it ended without a document: killed, or out of disk space.
    """
    words = [os.fspath(binary or binary_path()), "hpc", *verb.split(), *flags, "--json"]
    done = subprocess.run(
        words,
        check=False,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError as error:
        raise RuntimeError(f"{words} exited with {done.returncode} without a document: {done.stderr}") from error
    return Answer(done.returncode, document, done.stderr)
