"""From arrays to the arguments of pyc_gemm: what is transposed, padded, or a batch, and on which stream."""

from __future__ import annotations

from typing import Any

from pyc import _libpyc
from pyc._libpyc import DEVICE_HOST
from pyc._matrices import ELEMENT_BYTES, Matrix, as_matrix


class Call:
    """The arguments of one call: a descriptor and pointers, after the checks that the library cannot make."""

    def __init__(self, device: int, a: Any, b: Any, c: Any, stream: Any, precision: str, determinism: str):
        self.stream = stream_handle(stream)
        self._a, self._b, self._c = (as_matrix(x, name, self.stream) for x, name in ((a, "a"), (b, "b"), (c, "c")))
        for matrix, name in ((self._a, "a"), (self._b, "b"), (self._c, "c")):
            _check_place(matrix, name, device)
        if not self._c.writable:
            raise ValueError("c is read-only")
        self.desc = _descriptor(self._a, self._b, self._c)
        self.desc.precision = _choice("precision", precision, _libpyc.PRECISIONS)
        self.desc.determinism = _choice("determinism", determinism, _libpyc.DETERMINISMS)
        self.read, self.written = (self._a.pointer, self._b.pointer), self._c.pointer

    def plan_options(self, max_workspace_bytes: int) -> _libpyc.PlanOptions:
        """A promise that pointers will be as aligned as these: by the largest power of two, at most 256."""
        align_a, align_b, align_c = (min(256, x.pointer & -x.pointer) or 256 for x in (self._a, self._b, self._c))
        return _libpyc.PlanOptions(
            align_a=align_a, align_b=align_b, align_c=align_c, max_workspace_bytes=max_workspace_bytes
        )


def _descriptor(a: Matrix, b: Matrix, c: Matrix) -> _libpyc.GemmDesc:
    (m, k), (k_of_b, n) = a.shape[-2:], b.shape[-2:]
    if k != k_of_b or c.shape[-2:] != (m, n):
        raise ValueError(f"sizes do not fit: a is {a.shape}, b is {b.shape}, c is {c.shape}")
    if not a.dtype == b.dtype == c.dtype:
        raise TypeError(f"dtypes differ: a is {a.dtype}, b is {b.dtype}, c is {c.dtype}")
    a_letter, lda = _stored(a, "a")
    b_letter, ldb = _stored(b, "b")
    c_letter, ldc = _stored(c, "c")
    if c_letter != "n":
        raise ValueError(f"c has strides {c.strides}: its rows must be contiguous")
    batch_count = _batch_count(a, b, c)
    return _libpyc.GemmDesc(
        dtype=_libpyc.DTYPES.index(c.dtype), layout=_libpyc.LAYOUTS.index(a_letter + b_letter), m=m, n=n, k=k,
        lda=lda, ldb=ldb, ldc=ldc, batch_count=batch_count, stride_a=_batch_stride(a, batch_count),
        stride_b=_batch_stride(b, batch_count), stride_c=_batch_stride(c, batch_count),
    )  # fmt: skip


def _stored(x: Matrix, name: str) -> tuple[str, int]:
    """("n", ld) if rows are contiguous, ("t", ld) if columns are. A dimension of one element has no say."""
    (rows, columns), (row_stride, column_stride) = x.shape[-2:], x.strides[-2:]
    if column_stride == 1 or columns <= 1:
        ld = row_stride if rows > 1 else columns
        if ld >= columns:
            return "n", max(1, ld)
    if row_stride == 1 or rows <= 1:
        ld = column_stride if columns > 1 else rows
        if ld >= rows:
            return "t", max(1, ld)
    raise ValueError(
        f"{name} has shape {x.shape} and strides {x.strides}: neither its rows nor its columns are contiguous"
    )


def _batch_count(a: Matrix, b: Matrix, c: Matrix) -> int:
    if len(c.shape) == 2 and len(a.shape) == len(b.shape) == 2:
        return 1
    if len(c.shape) != 3:
        raise ValueError(f"a or b is a batch, and c has shape {c.shape}")
    for x, name in ((a, "a"), (b, "b")):
        if len(x.shape) == 3 and x.shape[0] not in (1, c.shape[0]):
            raise ValueError(f"{name} is a batch of {x.shape[0]}, and c of {c.shape[0]}")
    return c.shape[0]


def _batch_stride(x: Matrix, batch_count: int) -> int:
    """0 where one matrix serves the whole batch."""
    return x.strides[0] if len(x.shape) == 3 and x.shape[0] == batch_count > 1 else 0


def _check_place(x: Matrix, name: str, device: int) -> None:
    if x.pointer % ELEMENT_BYTES[x.dtype]:
        raise ValueError(f"{name} is at {x.pointer:#x}: not a multiple of its element's {ELEMENT_BYTES[x.dtype]} bytes")
    if (x.device == DEVICE_HOST) != (device == DEVICE_HOST):
        there, here = ("host memory", "a device") if x.device == DEVICE_HOST else ("device memory", "host memory")
        raise ValueError(f"{name} is {there}, and the context is for {here}")
    if x.device is not None and x.device != device:
        raise ValueError(f"{name} is memory of device {x.device}, and the context is for device {device}")


def stream_handle(stream: Any) -> int:
    """A cudaStream_t as a number: from an int, PyTorch's `cuda_stream`, CuPy's `ptr` or `__cuda_stream__()`; None is
    the legacy default stream."""
    if stream is None:
        return 0
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for attribute in ("cuda_stream", "ptr"):
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    raise TypeError(
        f"{stream!r} is no stream: expected a handle, an object with cuda_stream, ptr or __cuda_stream__, or None"
    )


def _choice(name: str, value: str, choices: tuple[str, ...]) -> int:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}: expected one of {', '.join(choices)}")
    return choices.index(value)
