"""include/pyc/gemm.h in ctypes: its structs, its functions, and where the library is."""

from __future__ import annotations

import ctypes
import operator
import os
import sys
from ctypes import (
    POINTER,
    c_char,
    c_char_p,
    c_float,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from functools import cache
from pathlib import Path
from typing import Any

import pyc

DEVICE_HOST = -1
WORKSPACE_BYTES = 32 << 20
RUNG_SLOTS = 8
INVALID_VALUE = 1

# In the order of the enumerations: pyc_dtype, pyc_layout, pyc_precision, pyc_determinism, pyc_verdict.
DTYPES = ("fp32", "fp16", "bf16")
LAYOUTS = ("nn", "nt", "tn", "tt")
PRECISIONS = ("full", "allow_tf32")
DETERMINISMS = ("any", "repeatable")
VERDICTS = ("refused", "accepted", "chosen")


class _Sized(ctypes.Structure):
    """A struct of the C API: struct_size comes first and is set by the caller."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)


class GemmDesc(_Sized):
    _fields_ = [("struct_size", c_uint32), ("dtype", c_int32), ("layout", c_int32), ("precision", c_int32),
                ("determinism", c_int32), ("m", c_int64), ("n", c_int64), ("k", c_int64), ("lda", c_int64),
                ("ldb", c_int64), ("ldc", c_int64), ("batch_count", c_int64), ("stride_a", c_int64),
                ("stride_b", c_int64), ("stride_c", c_int64)]  # fmt: skip


class PlanOptions(_Sized):
    _fields_ = [("struct_size", c_uint32), ("align_a", c_uint32), ("align_b", c_uint32), ("align_c", c_uint32),
                ("max_workspace_bytes", c_size_t)]  # fmt: skip


class RungReport(_Sized):
    _fields_ = [("struct_size", c_uint32), ("rung", c_int32), ("verdict", c_int32), ("reason", c_int32),
                ("symbol", c_char * 96), ("detail", c_char * 256)]  # fmt: skip


class Counters(_Sized):
    _fields_ = [("struct_size", c_uint32), ("quick_answers", c_uint64), ("failed", c_uint64),
                ("plan_hits", c_uint64), ("plan_misses", c_uint64), ("served", c_uint64 * RUNG_SLOTS),
                ("skipped", c_uint64 * RUNG_SLOTS)]  # fmt: skip


class Build(_Sized):
    _fields_ = [("struct_size", c_uint32), ("cuda_built", c_int32), ("cuda_driver", c_int32),
                ("promoted_kernels", c_int32), ("cutlass_kernels", c_int32), ("version", c_char_p),
                ("archs", c_char_p), ("compiler", c_char_p)]  # fmt: skip


_STATUS = c_int32
_FUNCTIONS = {
    "pyc_context_create": (_STATUS, c_int32, POINTER(c_void_p)),
    "pyc_context_destroy": (None, c_void_p),
    "pyc_context_counters": (_STATUS, c_void_p, POINTER(Counters)),
    "pyc_gemm": (_STATUS, c_void_p, POINTER(GemmDesc), c_float, c_void_p, c_void_p, c_float, c_void_p, c_void_p),
    "pyc_gemm_warmup": (_STATUS, c_void_p, POINTER(GemmDesc), POINTER(PlanOptions), c_void_p),
    "pyc_gemm_explain": (_STATUS, c_void_p, POINTER(GemmDesc), c_float, c_void_p, c_void_p, c_float, c_void_p,
                         c_void_p, POINTER(RungReport), c_size_t, POINTER(c_size_t)),
    "pyc_gemm_plan_create": (_STATUS, c_void_p, POINTER(GemmDesc), POINTER(PlanOptions), POINTER(c_void_p)),
    "pyc_gemm_plan_destroy": (None, c_void_p),
    "pyc_gemm_plan_workspace": (_STATUS, c_void_p, POINTER(c_size_t)),
    "pyc_gemm_plan_run": (_STATUS, c_void_p, c_float, c_void_p, c_void_p, c_float, c_void_p, c_void_p, c_size_t,
                          c_void_p),
    "pyc_gemm_plan_warmup": (_STATUS, c_void_p, c_void_p),
    "pyc_gemm_plan_explain": (_STATUS, c_void_p, POINTER(RungReport), c_size_t, POINTER(c_size_t)),
    "pyc_explanation_text": (c_size_t, POINTER(RungReport), c_size_t, c_char_p, c_size_t),
    "pyc_build_query": (_STATUS, POINTER(Build)),
    "pyc_status_string": (c_char_p, c_int32),
    "pyc_reason_string": (c_char_p, c_int32),
    "pyc_rung_name": (c_char_p, c_int32),
    "pyc_last_error_detail": (c_char_p,),
    "pyc_version": (c_char_p,),
}  # fmt: skip


MAX_ORDINAL, MAX_SIZE = 2**31 - 1, 2 ** (8 * ctypes.sizeof(c_size_t)) - 1


def in_range(name: str, number: Any, most: int, least: int = 0) -> int:
    """The number as an int. ctypes would cut off what does not fit, and the library would take what is left for it."""
    value = operator.index(number)
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}: expected {least} to {most}")
    return value


def _places() -> list[str]:
    """Where the library may be, in the order of preference: the variable, the package, the interpreter's prefix, and
    what the dynamic linker knows. An editable installation, as `uv run` makes it, has two folders of the package: the
    sources and what was built."""
    named = os.environ.get("PYC_RUNTIME_LIBRARY")
    if named:
        return [named]
    beside = [Path(folder).resolve() / "libpyc.so" for folder in pyc.__path__]
    installed = Path(sys.prefix) / "lib" / "libpyc.so.0"
    return [str(path) for path in (*beside, installed) if path.exists()] + ["libpyc.so.0"]


@cache
def load() -> ctypes.CDLL:
    """libpyc with the types of its functions. Raises FileNotFoundError, naming every place that was tried."""
    failures = []
    for place in _places():
        try:
            return _typed(ctypes.CDLL(place))
        except (OSError, AttributeError) as error:
            failures.append(f"  {place}: {_reason(place, error)}")
    raise FileNotFoundError(
        "libpyc could not be loaded; tried\n" + "\n".join(failures) +
        "\ninstall the wheel, or set PYC_RUNTIME_LIBRARY to the path of libpyc.so"
    )  # fmt: skip


def _reason(place: str, error: Exception) -> str:
    """What the loader said, where that is the whole story."""
    if isinstance(error, AttributeError):
        return f"{error}: not libpyc, or one of another version"
    is_path = os.sep in place  # a name alone is looked for elsewhere than in the current folder
    if is_path and "No such file" in str(error) and str(error).startswith(f"{place}:") and os.path.exists(place):
        return "the file is for another architecture"  # the loader passes over it, as if there were none
    return str(error)


def _typed(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, *arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
