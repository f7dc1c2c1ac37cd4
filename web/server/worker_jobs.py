"""Describe the jobs of the process that judges hands and draws pages, as both sides of its pipe see them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.text.language import ENGLISH

if TYPE_CHECKING:
    from ledger.errors import HandledgerError

UNNAMED_HANDS: Final = "hands that came in"

UNFINISHED_HAND: ContextVar[str] = ContextVar("still", default="")
"""The hand that was still being judged when a page was built; "" if none."""


class JobKind(Enum):
    """Which threads of the process do a job."""

    JUDGE = auto()
    UPDATE = auto()  # of tables made from the log: it need not wait for the judge
    DRAW = auto()  # a hand: it only reads
    PAGE = auto()  # it only reads, and may wait for jobs of all other kinds
    COMPARE = auto()  # it only reads, takes long and reports progress; drawings need not wait for it


class JobRequest(NamedTuple):
    """A job as it's sent. `work` is called with the ledger and the arguments; for a page, with its drawer.

    `language`: of the sentences that only one reader gets. What is stored is in English.
    """

    number: int
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    kind: JobKind
    language: str = ENGLISH


class JobProgress(NamedTuple):
    """How far a job has come."""

    number: int
    done: int
    total: int


class UnfinishedComparison(NamedTuple):
    """How far a comparison has come. `total` is 0 before it begins."""

    judged_hands: int
    total: int


class Job:
    """A job for the process, with its result."""

    def __init__(self, number: int, head: int) -> None:
        """`head`: the end of the log when it's sent."""
        self.number, self.head = number, head
        self.finished_event = threading.Event()
        self.result: Any = None
        self.error: HandledgerError | None = None
        self.progress = UnfinishedComparison(0, 0)
        self._finished_at = 0.0

    def finish(self, result: Any, error: HandledgerError | None) -> None:  # noqa: ANN401 - any job's result
        """Set the result, and wake those who wait."""
        self.result, self.error, self._finished_at = result, error, time.monotonic()
        self.finished_event.set()

    def is_fresh(self, seconds: float) -> bool:
        """Whether it succeeded in the last seconds."""
        return self.finished_event.is_set() and self.error is None and time.monotonic() - self._finished_at < seconds
