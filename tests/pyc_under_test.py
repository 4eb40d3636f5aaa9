"""Which pyc the tests of this folder start: that of the installed wheel, or the one that PYC_BINARY or --pyc names."""

import os
import sys
import unittest
from pathlib import Path


def main():
    """unittest's main, behind `--pyc FILE`."""
    if "--pyc" in sys.argv:
        at = sys.argv.index("--pyc")
        os.environ["PYC_BINARY"] = str(Path(sys.argv[at + 1]).resolve())
        del sys.argv[at:at + 2]
    unittest.main()
