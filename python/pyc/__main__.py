"""`python -m pyc ...` becomes the native binary; arguments, streams and exit code are its own."""

import os
import sys

from pyc import binary_path


def main() -> None:
    try:
        binary = binary_path()
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    os.execv(binary, [str(binary), *sys.argv[1:]])


if __name__ == "__main__":
    main()
