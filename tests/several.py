"""Check many similar items in one test: a test for each would cost more time than most checks take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def all_keep(law: Callable[[Item], None], several: Iterable[Item], describe: Callable[[Item], str] = str) -> None:
    """Check each item, and report all that fail, not only the first."""
    failed: list[Exception] = []
    for item in several:
        try:
            law(item)
        except Exception as error:  # noqa: BLE001 - whatever a test may fail with
            error.add_note(f"Item: {describe(item)}")
            failed.append(error)
    if failed:
        raise ExceptionGroup("These items fail", failed)
