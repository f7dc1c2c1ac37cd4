"""Answers that many ask for at once, made once: as long as the log has not grown, and some seconds at most."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, NamedTuple

_MOST: Final = 64
_SECONDS: Final = 10.0
"""How long an answer holds though nothing came in: a rulebook may be adopted from a moment on."""


class Answered(NamedTuple):
    """What was answered: the status, and the bytes."""

    status: int
    body: bytes
    whole: bool = True  # otherwise something was still being judged


class _Kept(NamedTuple):
    position: int  # of the log
    until: float
    answer: Future[Answered]


class Remembered:
    """The last answers, by who asked what; whoever asks while one is made waits for it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, ...], _Kept] = OrderedDict()

    def answer(self, asked: tuple[str, ...], position: int, make: Callable[[], Answered]) -> Answered:
        """Return an answer as the log stands at a position; what was wrong is not remembered."""
        now = time.monotonic()
        with self._lock:
            kept = self._kept.get(asked)
            mine = kept is None or kept.position != position or kept.until < now
            if kept is None or mine:
                kept = self._kept[asked] = _Kept(position, now + _SECONDS, Future())
            self._kept.move_to_end(asked)
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        if not mine:
            return kept.answer.result()
        try:
            made = make()
        except BaseException as error:
            self._forget(asked, kept)
            kept.answer.set_exception(error)
            raise
        if made.status != 200 or not made.whole:
            self._forget(asked, kept)
        kept.answer.set_result(made)
        return made

    def _forget(self, asked: tuple[str, ...], kept: _Kept) -> None:
        with self._lock:
            if self._kept.get(asked) is kept:
                del self._kept[asked]
