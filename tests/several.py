"""One law over much that is alike, in one test: a test of its own for each would cost more than most of them take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def all_keep(law: Callable[[Item], None], several: Iterable[Item], describe: Callable[[Item], str] = str) -> None:
    """Hold a law against each of several: what fails is told of each of them, not of the first alone."""
    failed: list[Exception] = []
    for item in several:
        try:
            law(item)
        except Exception as error:  # noqa: BLE001 - whatever a test may fail with
            error.add_note(f"This was {describe(item)}.")
            failed.append(error)
    if failed:
        raise ExceptionGroup("what this law is broken by", failed)
