"""A pyc_gemm_plan: decided once, run without a look-up."""

from __future__ import annotations

import ctypes
from typing import Any

from pyc import _libpyc
from pyc._answers import Explanation, check, read_explanation
from pyc._call import Call, stream_handle
from pyc._owner import Owner


class Plan(Owner):
    """Made by Context.plan. It keeps its context's memory alive, and threads and streams may share it."""

    _noun, _destroy = "plan", "pyc_gemm_plan_destroy"

    def __init__(self, handle: ctypes.c_void_p, device: int, desc: _libpyc.GemmDesc):
        self._handle, self._device, self._desc = handle, device, desc

    def run(self, a: Any, b: Any, c: Any, *, alpha: float = 1.0, beta: float = 0.0, stream: Any = None,
            workspace: tuple[int, int] | None = None) -> Any:  # fmt: skip
        """As Context.gemm, for arrays like those that the plan was made for; returns c. `workspace` is a pointer and a
        size of device memory that nothing else uses meanwhile; None takes the context's own of the stream."""
        precision, determinism = _libpyc.PRECISIONS[self._desc.precision], _libpyc.DETERMINISMS[self._desc.determinism]
        call = Call(self._device, a, b, c, stream, precision, determinism)
        for field, _ in self._desc._fields_:
            here, planned = getattr(call.desc, field), getattr(self._desc, field)
            if here != planned:
                raise ValueError(f"{field} is {here}, and the plan was made for {planned}")
        given_pointer, given_bytes = workspace or (0, 0)
        pointer = _libpyc.in_range("workspace pointer", given_pointer, _libpyc.MAX_SIZE)
        size_bytes = _libpyc.in_range("workspace size", given_bytes, _libpyc.MAX_SIZE)
        check(_libpyc.load().pyc_gemm_plan_run(self._open(), alpha, *call.read, beta, call.written, pointer, size_bytes,
                                               call.stream))  # fmt: skip
        return c

    def warmup(self, *, stream: Any = None) -> None:
        """Makes later runs on `stream` warm, and so fit for capture. Waits for the stream."""
        check(_libpyc.load().pyc_gemm_plan_warmup(self._open(), stream_handle(stream)))

    @property
    def workspace_bytes(self) -> int:
        """What each run needs."""
        size = ctypes.c_size_t()
        check(_libpyc.load().pyc_gemm_plan_workspace(self._open(), size))
        return size.value

    def explain(self) -> Explanation:
        """What the rungs said when the plan was made."""
        return read_explanation(lambda *out: _libpyc.load().pyc_gemm_plan_explain(self._open(), *out))
