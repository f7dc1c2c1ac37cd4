"""Whether what is twice as long takes about twice the time: this process's own, the least of several turns."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Final, TypeVar

FELT: Final = 0.05
"""Seconds; less is the machine's own noise, and nobody waits for it."""

Input = TypeVar("Input")


def spent(work: Callable[[Input], object], data: Input) -> float:
    """The seconds of this process's own time that something takes."""
    start = process_time()
    work(data)
    return process_time() - start


def least(work: Callable[[Input], object], *several: Input, turns: int = 12) -> list[float]:
    """The least time of each, asked in turns: what else a machine does only ever adds to it."""
    rounds = [[spent(work, data) for data in several] for _ in range(turns)]
    return [min(times) for times in zip(*rounds, strict=True)]


def out_of_proportion(
    work: Callable[[Input], object], half: Input, double: Input, *, felt: float = FELT
) -> tuple[float, float] | None:
    """The times of both where the whole takes felt time, and more than 2.5 times that of its half."""
    if spent(work, double) < felt:
        return None
    half_time = double_time = 0.0
    for turns in (3, 12):  # a quiet machine tells it in three turns, a busy one in twelve
        half_time, double_time = least(work, half, double, turns=turns)
        if double_time <= felt or double_time <= 2.5 * half_time:
            return None
    return half_time, double_time
