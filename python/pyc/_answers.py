"""What the library answers: errors, explanations, words."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

from pyc import _libpyc


class PycError(RuntimeError):
    """A status of the library that is not success. `status` is its number, `detail` the sentence behind it."""

    def __init__(self, status: int, detail: str):
        super().__init__(f"{text_of(_libpyc.load().pyc_status_string(status))}: {detail}")
        self.status, self.detail = status, detail


@dataclass(frozen=True)
class RungReport:
    """What one rung says to a call."""

    rung: str
    verdict: str  # "refused", "accepted" or "chosen"
    reason: str  # empty unless refused
    symbol: str  # the function that serves or would serve the call; empty if refused
    detail: str


@dataclass(frozen=True)
class Explanation:
    """Every rung's report in the order of the chain; str() is the library's own text."""

    reports: tuple[RungReport, ...]
    text: str

    @property
    def chosen(self) -> RungReport | None:
        return next((report for report in self.reports if report.verdict == "chosen"), None)

    def __str__(self) -> str:
        return self.text


def read_explanation(ask: Callable[..., int]) -> Explanation:
    """`ask(reports, capacity, count)` is one of the library's explaining functions."""
    library = _libpyc.load()
    reports, count = (_libpyc.RungReport * _libpyc.RUNG_SLOTS)(), ctypes.c_size_t()
    reports[0].struct_size = ctypes.sizeof(_libpyc.RungReport)
    check(ask(reports, len(reports), count))
    length = library.pyc_explanation_text(reports, count.value, None, 0)
    text = ctypes.create_string_buffer(length + 1)
    library.pyc_explanation_text(reports, count.value, text, length + 1)
    return Explanation(tuple(_report(library, report) for report in reports[: count.value]), text_of(text.value))


def _report(library: ctypes.CDLL, report: _libpyc.RungReport) -> RungReport:
    verdict = _libpyc.VERDICTS[report.verdict]
    reason = text_of(library.pyc_reason_string(report.reason)) if verdict == "refused" else ""
    return RungReport(
        text_of(library.pyc_rung_name(report.rung)), verdict, reason, text_of(report.symbol), text_of(report.detail)
    )


def check(status: int) -> None:
    if status:
        raise PycError(status, text_of(_libpyc.load().pyc_last_error_detail()))


def text_of(value: bytes) -> str:
    return value.decode(errors="replace")
