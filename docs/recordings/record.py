#!/usr/bin/env python3
"""Records real runs of the tool on this machine's GPU, each in a terminal of its own, and writes them into a folder:

    docs/recordings/record.py [--pyc BINARY] [--out FOLDER] [--arch sm90]

NAME.cast is an asciicast (version 2) that `asciinema play` shows at its own speed; README.md holds what each terminal
showed at the end. Needs a GPU of that arch, nvcc, and nothing but Python's standard library. The runs take place in a
scratch workspace with an empty registry; the checkout is only read. Nothing is made up, and nothing is cut: a command
that does not exit with the code that is expected of it ends the recording with an error.
"""

import argparse
import codecs
import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 150, 50
TITLE = {
    "doctor": "What does this machine have?",
    "bench": "How fast is it, beside the vendor's libraries?",
    "compare": "Is one benchmark slower than another?",
    "promote": "Does the gate let it in?",
}
TEXT = {
    "doctor": "Every check with what it found; what is missing comes with a remedy.",
    "bench": "Two candidates of one selector: a tile of 16 x 16 as the quick start makes it, and the maintained template "
             "with its defaults. Progress is drawn on one line while it runs.",
    "compare": "The two benchmarks above, as files. Exit code 1: the right one is slower.",
    "promote": "The first kernel of a selector is a bootstrap; the second has to beat it, measured beside it in one run.",
}

INTRODUCTION = """What `{version}` showed on the machine that the first recording describes. `docs/recordings/record.py`
repeats all of it on yours. The `.cast` files beside this page are the same with time: `asciinema play
docs/recordings/bench.cast`.
"""


class Terminal:
    """What a command writes to a terminal, with the time of each piece."""

    def __init__(self, environment, folder):
        self.environment, self.folder = environment, folder
        self.events, self.start = [], time.monotonic()

    def write(self, text):
        self.events.append([round(time.monotonic() - self.start, 6), "o", text])

    def run(self, line, expected=0):
        """Types `line` and runs it with bash; what it exits with must be `expected`."""
        self.write("$ " + line.replace("\n", "\r\n") + "\r\n")
        child, descriptor = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("bash", ["bash", "--norc", "-c", line], self.environment)
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._copy(descriptor)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code != expected:
            sys.exit(f"error: '{line}' exited with {code} instead of {expected}:\n{self.text()}")

    def _copy(self, descriptor):
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # a character may come in two pieces
        while True:
            select.select([descriptor], [], [])
            try:
                piece = os.read(descriptor, 65536)
            except OSError:  # the terminal closes with its last process
                piece = b""
            text = decoder.decode(piece, final=not piece)
            if text:
                self.write(text)
            if not piece:
                os.close(descriptor)
                return

    def cast(self, title):
        head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": title, "env": {"TERM": "xterm-256color"}}
        return "".join(json.dumps(part, ensure_ascii=False) + "\n" for part in [head, *self.events])

    def text(self):
        """What stands on the terminal at the end: lines drawn anew count once, colours do not count."""
        raw = "".join(event[2] for event in self.events)
        lines = [[]]
        column = 0
        for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.|\n", raw, re.DOTALL):
            line = lines[-1]
            if token == "\n":
                lines.append([])
                column = 0
            elif token == "\r":
                column = 0
            elif token == "\x1b[K":
                del line[column:]
            elif not token.startswith("\x1b"):
                line[column:column + 1] = [token]
                column += 1
        return "\n".join("".join(line).rstrip() for line in lines).strip("\n") + "\n"


def scratch_workspace(folder):
    """The checkout's headers, templates and harness, with an empty registry."""
    for part in ("include", "kernels/templates", "kernels/harness"):
        shutil.copytree(CHECKOUT / part, folder / part)
    (folder / "kernels/registry").mkdir()
    (folder / "kernels/registry/kernels.json").write_text('{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n')
    (folder / "src/compiler/cutlass_kernels/registry").mkdir(parents=True)


def answer_of(environment, folder, line):
    """stdout of a step that is not recorded."""
    words = ["bash", "--norc", "-c", line]
    done = subprocess.run(words, check=False, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"error: '{line}' exited with {done.returncode}")
    return done.stdout.strip()


def record(environment, folder, arch):
    """The recordings by name."""
    def terminal():
        return Terminal(environment, folder)

    def answer(line):
        return answer_of(environment, folder, line)

    answer("pyc hpc sync")
    recordings = {"doctor": terminal()}
    recordings["doctor"].run("pyc hpc doctor")

    answer(f"pyc hpc create gemm --name tiled_fp32_v1 --arch {arch} --shape-family square --tile-m 16 --tile-n 16 --tile-k 16")
    answer(f"pyc hpc create gemm --template tf32x3_fp32 --name tf32x3_v2 --arch {arch} --shape-family square")
    validation = {name: answer(f"pyc hpc validate --name {name}") for name in ("tiled_fp32_v1", "tf32x3_v2")}

    def newest(name):
        paths = (folder / "kernels/results").glob(f"{name}-benchmark-*")
        return max(str(path.relative_to(folder)) for path in paths)

    def promote(name, more=""):
        return (f"pyc hpc promote --name {name} \\\n"
                f"    --validation-result {validation[name]} \\\n    --benchmark-result {newest(name)}{more}")

    bench = recordings["bench"] = terminal()
    bench.run("pyc hpc bench --name tiled_fp32_v1")
    first = newest("tiled_fp32_v1")
    promotion = recordings["promote"] = terminal()
    promotion.run(promote("tiled_fp32_v1", " --bootstrap"))
    bench.run("pyc hpc bench --name tf32x3_v2")
    second = newest("tf32x3_v2")
    compare = recordings["compare"] = terminal()
    compare.run(f"pyc hpc compare {first} {second}")
    compare.run(f"pyc hpc compare {second} {first}", expected=1)
    promotion.run(promote("tf32x3_v2"))
    promotion.run("pyc hpc list")
    return recordings


def page(recordings, version):
    parts = [
        "<!-- Written by docs/recordings/record.py from runs on a GPU. Do not edit. -->\n",
        "# Recordings\n",
        INTRODUCTION.format(version=version),
    ]
    for name, title in TITLE.items():
        parts.append(f"## {title}\n\n{TEXT[name]}\n\n```console\n{recordings[name].text()}```\n")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pyc", type=Path, default=CHECKOUT / "build/ci/src/cli/pyc", help="the binary")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, help="where the recordings go")
    parser.add_argument("--arch", default="sm90", help="of this machine's GPU: sm90 or sm89")
    given = parser.parse_args()
    if not os.access(given.pyc, os.X_OK):
        sys.exit(f"error: there is no program '{given.pyc}'\n\nhint: build it, or name it with --pyc")
    with tempfile.TemporaryDirectory(prefix="pyc-") as scratch:
        folder, programs = Path(scratch) / "workspace", Path(scratch) / "programs"
        folder.mkdir()
        programs.mkdir()
        (programs / "pyc").symlink_to(given.pyc.resolve())
        scratch_workspace(folder)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ.get('PATH', '')}", "TERM": "xterm-256color"}
        environment.pop("PYC_WORKSPACE", None)
        environment.pop("NO_COLOR", None)
        recordings = record(environment, folder, given.arch)
        version = answer_of(environment, folder, "pyc --version")
    given.out.mkdir(parents=True, exist_ok=True)
    for name, terminal in recordings.items():
        (given.out / f"{name}.cast").write_text(terminal.cast(TITLE[name]))
    (given.out / "README.md").write_text(page(recordings, version))
    print(f"written: README.md and {len(recordings)} recordings in {given.out}")


if __name__ == "__main__":
    main()
