"""Cache answers until the log grows, for some seconds at most, so that many equal requests share one."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

_LIFETIME_SECONDS: Final = 10.0
"""How long an answer holds if the log doesn't grow: a rulebook's adoption may begin in the meantime."""


class RenderedAnswer(NamedTuple):
    """An answer: its status and bytes."""

    status: int
    body: bytes
    is_complete: bool = True  # False: a hand was still being judged


Answer = TypeVar("Answer")


def is_worth_keeping(answer: RenderedAnswer) -> bool:
    """Whether an answer is no error, and everything in it is judged."""
    return answer.status == 200 and answer.is_complete


@dataclass(frozen=True)
class _CachedAnswer(Generic[Answer]):
    position: int  # of the log
    expires_at: float
    answer: Future[Answer]


class AnswerCache(Generic[Answer]):
    """The latest answers by request. A request waits if another thread is already building its answer."""

    def __init__(self, max_answers: int, is_worth_keeping: Callable[[Answer], bool]) -> None:
        """Start with no answers."""
        self._max_answers, self._is_worth_keeping = max_answers, is_worth_keeping
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[str, ...], _CachedAnswer[Answer]] = OrderedDict()
        self._position = 0  # the highest of the log so far

    def answer(self, cache_key: tuple[str, ...], position: int, build_answer: Callable[[], Answer]) -> Answer:
        """Return the answer at a position of the log. Errors are not cached."""
        monotonic_now = time.monotonic()
        with self._lock:
            cached = self._answers.get(cache_key)
            is_ours_to_build = cached is None or cached.position != position or cached.expires_at < monotonic_now
            if cached is None or is_ours_to_build:
                cached = self._answers[cache_key] = _CachedAnswer(position, monotonic_now + _LIFETIME_SECONDS, Future())
            self._answers.move_to_end(cache_key)
            self._drop_outdated(position)
        if not is_ours_to_build:
            return cached.answer.result()
        try:
            answer = build_answer()
        except BaseException as error:
            self._forget(cache_key, cached)
            cached.answer.set_exception(error)
            raise
        if not self._is_worth_keeping(answer):
            self._forget(cache_key, cached)
        cached.answer.set_result(answer)
        return answer

    def _drop_outdated(self, position: int) -> None:
        """Drop the answers that the log's growth made useless, and the oldest of too many: pages may be large."""
        if position > self._position:
            self._position = position
            for cache_key, cached in [*self._answers.items()]:
                if cached.position < position and cached.answer.done():
                    del self._answers[cache_key]
        while len(self._answers) > self._max_answers:
            self._answers.popitem(last=False)

    def __len__(self) -> int:
        """Return how many answers are cached or being built."""
        return len(self._answers)

    def _forget(self, cache_key: tuple[str, ...], cached: _CachedAnswer[Answer]) -> None:
        with self._lock:
            if self._answers.get(cache_key) is cached:
                del self._answers[cache_key]
