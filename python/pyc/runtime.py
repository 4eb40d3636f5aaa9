"""PyC's runtime from Python: C = alpha * A @ B + beta * C by the fastest rung that this machine has.

    from pyc import runtime

    with runtime.Context(0) as context:              # a CUDA ordinal, or "host"
        context.gemm(a, b, c)                        # PyTorch, CuPy, NumPy, ...: strides say what is transposed
        print(context.explain(a, b, c))

Arrays are what `pyc._matrices` reads: nothing is copied. A and B may be transposed views (`b.T`), rows may be padded,
and three dimensions are a batch. Calls on a device enqueue work and return; order among streams is the caller's.
"""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

from pyc import _libpyc
from pyc._answers import (
    Explanation,
    PycError,
    RungReport,
    check,
    read_explanation,
    text_of,
)
from pyc._call import Call
from pyc._libpyc import DEVICE_HOST
from pyc._matrices import Matrix
from pyc._owner import Owner
from pyc._plan import Plan

__all__ = ["DEVICE_HOST", "Context", "Explanation", "Matrix", "Plan", "PycError", "RungReport", "build", "version"]


class Context(Owner):
    """A pyc_context: `device` is "host", "cuda", "cuda:N", a CUDA ordinal or DEVICE_HOST. Threads may share it."""

    _noun, _destroy = "context", "pyc_context_destroy"

    def __init__(self, device: int | str = 0):
        self._handle = ctypes.c_void_p()
        self.device = _ordinal(device)
        check(_libpyc.load().pyc_context_create(self.device, ctypes.byref(self._handle)))

    def gemm(self, a: Any, b: Any, c: Any, *, alpha: float = 1.0, beta: float = 0.0, stream: Any = None,
             precision: str = "full", determinism: str = "any") -> Any:  # fmt: skip
        """c[:] = alpha * a @ b + beta * c, enqueued on `stream`; returns c. `precision` "allow_tf32" lets fp32 inputs
        be rounded to TF32; `determinism` "repeatable" asks for the same bits each time. Raises TypeError or ValueError
        for arrays that are no GEMM, PycError for what the library answers."""
        call = Call(self.device, a, b, c, stream, precision, determinism)
        check(_libpyc.load().pyc_gemm(self._open(), call.desc, alpha, *call.read, beta, call.written, call.stream))
        return c

    def explain(self, a: Any, b: Any, c: Any, *, alpha: float = 1.0, beta: float = 0.0, stream: Any = None,
                precision: str = "full", determinism: str = "any") -> Explanation:  # fmt: skip
        """What every rung says to the same call of `gemm`. Launches nothing."""
        call = Call(self.device, a, b, c, stream, precision, determinism)
        ask = partial(_libpyc.load().pyc_gemm_explain, self._open(), call.desc, alpha, *call.read, beta, call.written)
        return read_explanation(partial(ask, call.stream))

    def warmup(self, a: Any, b: Any, c: Any, *, stream: Any = None, precision: str = "full",
               determinism: str = "any") -> None:  # fmt: skip
        """Makes later calls with such arrays on `stream` warm, and so fit for capture. Waits for the stream; the
        arrays themselves are not touched."""
        call = Call(self.device, a, b, c, stream, precision, determinism)
        options = call.plan_options(_libpyc.WORKSPACE_BYTES)
        check(_libpyc.load().pyc_gemm_warmup(self._open(), call.desc, options, call.stream))

    def plan(self, a: Any, b: Any, c: Any, *, precision: str = "full", determinism: str = "any",
             max_workspace_bytes: int = _libpyc.WORKSPACE_BYTES) -> Plan:  # fmt: skip
        """A decision for arrays like these: of their sizes, strides and dtype, and at least as aligned."""
        call = Call(self.device, a, b, c, None, precision, determinism)
        handle = ctypes.c_void_p()
        options = call.plan_options(_libpyc.in_range("max_workspace_bytes", max_workspace_bytes, _libpyc.MAX_SIZE))
        check(_libpyc.load().pyc_gemm_plan_create(self._open(), call.desc, options, handle))
        return Plan(handle, self.device, call.desc)

    def counters(self) -> dict[str, Any]:
        """What the context did since its creation; `served` and `skipped` by the name of the rung."""
        counters, library = _libpyc.Counters(), _libpyc.load()
        check(library.pyc_context_counters(self._open(), counters))
        rungs = [text_of(library.pyc_rung_name(i)) for i in range(_libpyc.RUNG_SLOTS)]
        by_rung = {
            field: {rung: getattr(counters, field)[i] for i, rung in enumerate(rungs) if not rung.startswith("unknown")}
            for field in ("served", "skipped")
        }
        totals = ("quick_answers", "failed", "plan_hits", "plan_misses")
        return {field: getattr(counters, field) for field in totals} | by_rung


def version() -> str:
    """The version of the library."""
    return text_of(_libpyc.load().pyc_version())


def build() -> dict[str, Any]:
    """What the library was built from and runs on; CUDA versions are 1000 * major + 10 * minor, 0 for none."""
    info = _libpyc.Build()
    check(_libpyc.load().pyc_build_query(info))
    values = {name: getattr(info, name) for name, *_ in info._fields_ if name != "struct_size"}
    return {name: text_of(value) if isinstance(value, bytes) else value for name, value in values.items()}


def _ordinal(device: int | str) -> int:
    if not isinstance(device, (str, bool)) and hasattr(device, "__index__"):  # NumPy's integers too
        return _libpyc.in_range("device", device, _libpyc.MAX_ORDINAL, least=DEVICE_HOST)
    kind, _, number = str(device).partition(":")
    if kind in ("host", "cpu") and not number:
        return DEVICE_HOST
    if kind == "cuda" and (number.isdecimal() or str(device) == "cuda"):
        return _libpyc.in_range("device", int(number or 0), _libpyc.MAX_ORDINAL)
    raise ValueError(f'device is {str(device)!r}: expected "host", "cuda", "cuda:N" or an ordinal')
