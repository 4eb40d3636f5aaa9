"""What a caller's array is to a GEMM: a pointer, sizes, strides, a dtype and a place.

Read are, in this order: a Matrix, tensors with `data_ptr()` and `stride()` (PyTorch), `__cuda_array_interface__` (CuPy,
Numba), `__array_interface__` (NumPy), and `__dlpack__` (everything else). Nothing is copied and no memory is touched.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from pyc._libpyc import DEVICE_HOST

ELEMENT_BYTES = {"fp32": 4, "fp16": 2, "bf16": 2}
_DTYPE_NAMES = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}
_TYPESTRS = {"<f4": "fp32", "<f2": "fp16"}
_ANY_CUDA_DEVICE = None


@dataclass(frozen=True)
class Matrix:
    """A matrix, or a batch of them: (rows, columns) or (count, rows, columns). Strides in elements. `device` is
    DEVICE_HOST, a CUDA ordinal, or None for CUDA memory whose ordinal is not known."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    device: int | None = DEVICE_HOST
    writable: bool = True
    owner: Any = None  # kept alive as long as the Matrix

    def __post_init__(self):
        if self.dtype not in ELEMENT_BYTES:
            raise TypeError(f"dtype {self.dtype!r} is not served: expected one of {', '.join(ELEMENT_BYTES)}")
        if len(self.shape) not in (2, 3) or len(self.strides) != len(self.shape):
            raise ValueError(f"expected a matrix or a batch of matrices, got shape {self.shape}")
        if any(stride < 0 for stride in self.strides):
            raise ValueError(f"negative strides {self.strides} are not served")


def as_matrix(array: Any, name: str, stream: int) -> Matrix:
    """The array as a Matrix. `name` is for messages, `stream` is where a DLPack producer makes its data ready."""
    try:
        return _convert(array, stream)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def _convert(array: Any, stream: int) -> Matrix:
    if isinstance(array, Matrix):
        return array
    if callable(getattr(array, "data_ptr", None)) and callable(getattr(array, "stride", None)):
        return _from_tensor(array)
    if hasattr(array, "__cuda_array_interface__"):
        return _from_interface(array, array.__cuda_array_interface__, _ANY_CUDA_DEVICE)
    if hasattr(array, "__array_interface__"):
        return _from_interface(array, array.__array_interface__, DEVICE_HOST)
    if hasattr(array, "__dlpack__"):
        return _from_dlpack(array, stream)
    raise TypeError(
        f"{type(array).__name__} is no array: expected a tensor, __cuda_array_interface__, __array_interface__ or "
        "__dlpack__, or a pyc.runtime.Matrix"
    )


def _from_tensor(tensor: Any) -> Matrix:
    device = tensor.device
    if device.type not in ("cpu", "cuda"):
        raise ValueError(f"memory of device {device} is not served")
    ordinal = DEVICE_HOST if device.type == "cpu" else device.index
    dtype = str(tensor.dtype).rpartition(".")[2]
    return Matrix(tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride()), _DTYPE_NAMES.get(dtype, dtype),
                  ordinal, owner=tensor)  # fmt: skip


def _from_interface(array: Any, interface: dict, device: int | None) -> Matrix:
    if interface.get("mask") is not None:
        raise ValueError("an array with a mask is not served")
    dtype = _interface_dtype(array, interface["typestr"])
    pointer, read_only = interface["data"]
    shape = tuple(interface["shape"])
    strides = interface.get("strides")
    if strides is None:
        elements = _packed_strides(shape)
    else:
        elements = tuple(_in_elements(stride, ELEMENT_BYTES[dtype]) for stride in strides)
    return Matrix(pointer, shape, elements, dtype, device, not read_only, owner=array)


def _interface_dtype(array: Any, typestr: str) -> str:
    """bfloat16 has no letter in the array interfaces: its name is asked of the array's own dtype."""
    named = _DTYPE_NAMES.get(getattr(getattr(array, "dtype", None), "name", ""))
    dtype = _TYPESTRS.get(typestr, "bf16" if named == "bf16" else None)
    if dtype is None:
        raise TypeError(f"dtype {typestr!r} is not served: expected little-endian float32, float16 or bfloat16")
    return dtype


def _in_elements(stride_bytes: int, element_bytes: int) -> int:
    if stride_bytes % element_bytes:
        raise ValueError(f"a stride of {stride_bytes} bytes is no whole number of {element_bytes}-byte elements")
    return stride_bytes // element_bytes


def _packed_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


class _DLTensor(ctypes.Structure):
    """DLPack's DLTensor, which begins a DLManagedTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]  # fmt: skip


_DL_CPU, _DL_CUDA = 1, 2
_DL_DTYPES = {(2, 32, 1): "fp32", (2, 16, 1): "fp16", (4, 16, 1): "bf16"}  # (code, bits, lanes)


def _from_dlpack(array: Any, stream: int) -> Matrix:
    """The capsule is looked into and not consumed: it frees itself, and what it holds, with the Matrix."""
    place = array.__dlpack_device__()[0]
    if place not in (_DL_CPU, _DL_CUDA):
        raise ValueError(f"memory of DLPack's device type {int(place)} is not served")
    # DLPack's word for the legacy default stream is 1.
    capsule = array.__dlpack__() if place == _DL_CPU else array.__dlpack__(stream=stream or 1)
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = _DLTensor.from_address(get_pointer(capsule, b"dltensor"))
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else _packed_strides(shape)
    dtype = _DL_DTYPES.get((tensor.code, tensor.bits, tensor.lanes), f"{tensor.code}:{tensor.bits}x{tensor.lanes}")
    device = DEVICE_HOST if place == _DL_CPU else tensor.device_id
    return Matrix((tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, device, owner=capsule)
