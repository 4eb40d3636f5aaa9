#!/usr/bin/env python3
"""Times every rung of the runtime on the same operands: is the chain in the right order on this GPU?

    python3 benchmark/rungs.py [--library LIBPYC] [--dtype DTYPE]... [--layout nn|nt] [--shape MxNxK]... [--samples N]

Needs PyTorch and a CUDA GPU. One line for each shape; times in microseconds, medians over samples whose L2 was
overwritten before; `-` is a rung that refused, `*` the one that the chain takes. Exit codes: 0 done, 2 usage, 3 cannot
run here.
"""

import argparse
import os
import statistics
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

RUNGS = ("promoted", "cutlass", "cublaslt", "cublas")
# The default shapes of the families.
SHAPES = ("64x64x64 128x128x128 256x256x256 512x512x512 128x256x512 1024x1024x1024 512x4096x4096 1024x1536x7168 "
          "700x1024x512 2048x2048x2048 4096x4096x4096 8192x8192x8192 4096x4096x14336 1x4096x4096 16x4096x4096 "
          "64x4096x4096 128x4096x4096 16x28672x4096 128x8192x4096 8192x128x4096 16384x64x4096 4096x16x4096 "
          "8457x35x2048").split()  # fmt: skip


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", help="the libpyc.so to load; default: as pyc.runtime finds it")
    parser.add_argument("--dtype", action="append", choices=("float32", "float16", "bfloat16"))
    parser.add_argument("--layout", default="nn", choices=("nn", "nt"))
    parser.add_argument("--shape", action="append", help="MxNxK, repeatable; default: the families' own")
    parser.add_argument("--samples", type=int, default=20)
    return parser.parse_args()


def open_contexts(runtime):
    """The whole chain, then each rung by itself."""
    contexts = {"chain": runtime.Context(0)}
    for rung in RUNGS:
        os.environ["PYC_DISABLE_RUNGS"] = ",".join(other for other in (*RUNGS, "cpu") if other != rung)
        contexts[rung] = runtime.Context(0)
    del os.environ["PYC_DISABLE_RUNGS"]
    return contexts


class Stopwatch:
    def __init__(self, torch, samples):
        self.torch, self.samples = torch, samples
        self.flush = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.int8, device="cuda")

    def median_us(self, call):
        """Each sample is queued behind a spin and a write of twice the L2, so that the host's latency is not in it."""
        torch = self.torch
        for _ in range(3):
            call()
        pairs = []
        for _ in range(self.samples):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(200_000)
            self.flush.zero_()
            begin.record()
            call()
            end.record()
            pairs.append((begin, end))
            torch.cuda.synchronize()
        return statistics.median(1000 * begin.elapsed_time(end) for begin, end in pairs)


def operands(torch, dtype, layout, m, n, k):
    def random(rows, columns):
        return (torch.rand(rows, columns, device="cuda") * 2 - 1).to(dtype)

    return (
        random(m, k),
        random(k, n) if layout == "nn" else random(n, k).T,
        torch.empty(m, n, device="cuda", dtype=dtype),
    )


def time_rungs(contexts, stopwatch, arrays):
    """A cell for each rung."""
    taken = contexts["chain"].explain(*arrays).chosen
    cells = []
    for rung in RUNGS:
        context = contexts[rung]
        if context.explain(*arrays).chosen is None:
            cells.append("-")
            continue
        time_us = stopwatch.median_us(partial(context.gemm, *arrays))
        cells.append(f"{time_us:.1f}" + ("*" if taken and taken.rung == rung else " "))
    return cells


def main():
    options = parse()
    if options.library:
        os.environ["PYC_RUNTIME_LIBRARY"] = options.library
    try:
        import torch
    except ImportError:
        print("error: PyTorch is not installed\n\nhint: run this where PyTorch and a GPU are", file=sys.stderr)
        return 3
    if not torch.cuda.is_available():
        print("error: no CUDA GPU on this machine", file=sys.stderr)
        return 3
    from pyc import runtime

    contexts, stopwatch = open_contexts(runtime), Stopwatch(torch, options.samples)
    print(f"{torch.cuda.get_device_name(0)}, layout {options.layout}, {runtime.build()}")
    print(f"{'dtype':<9} {'shape':<18}" + "".join(f"{rung:>13}" for rung in RUNGS))
    for name in options.dtype or ("float32", "float16", "bfloat16"):
        for shape in options.shape or SHAPES:
            arrays = operands(torch, getattr(torch, name), options.layout, *map(int, shape.split("x")))
            cells = time_rungs(contexts, stopwatch, arrays)
            print(f"{name:<9} {shape:<18}" + "".join(f"{cell:>13}" for cell in cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
