"""`python -m pyc` and `pyc.cli.main()`: both become the native binary; arguments, streams and exit code are its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pyc import binary_path


def main(arguments: Sequence[str] | None = None) -> None:
    """Does not return: this process becomes the binary. Exits with 2 where there is none."""
    try:
        binary = binary_path()
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    words = sys.argv[1:] if arguments is None else list(arguments)
    os.execv(binary, [str(binary), *words])
