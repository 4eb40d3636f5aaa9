"""What Context and Plan have in common: a handle of the library, destroyed once."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, ClassVar

from pyc import _libpyc

if TYPE_CHECKING:  # what runs needs no package; typing has Self from Python 3.11 on
    from typing_extensions import Self


class Owner:
    """Owns `_handle` until it is closed: by hand, at the end of a `with`, or when nobody refers to it any more."""

    _noun: ClassVar[str]  # in messages
    _destroy: ClassVar[str]  # the library's function
    _handle: ctypes.c_void_p

    def close(self) -> None:
        """Frees what the library holds for it. No call may be under way. Closing twice is harmless."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        if handle:
            getattr(_libpyc.load(), self._destroy)(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self):
        # The constructor may have failed, and when the interpreter ends modules go first.
        if getattr(self, "_handle", None) and ctypes is not None:
            self.close()

    def _open(self) -> ctypes.c_void_p:
        if not self._handle:
            raise ValueError(f"the {self._noun} is closed")
        return self._handle
