"""`python -m pyc ...`."""

from pyc.cli import main

if __name__ == "__main__":
    main()
