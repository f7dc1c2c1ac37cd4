"""Parse the deadlines that the user sets in a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.case import case_errors
from projections.addresses.room_days import parse_moment

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import Millis

_DAY_MILLIS: Final = 24 * 60 * 60 * 1000


def parse_deadline(ledger: Ledger, stated_time: str | None, days: int | None, option: str) -> Millis | None:
    """Return the deadline that a day, a time or a number of days sets, or None if the user gave none of them.

    A day's deadline is its last millisecond. A number of days counts from now.
    """
    if stated_time is not None and days is not None:
        raise case_errors.two_deadlines(option)
    if days is not None:
        return ledger.now() + days * _DAY_MILLIS
    deadline = parse_moment(stated_time, option, is_end=True)
    # With `is_end`, a whole day gives the first millisecond after it.
    is_whole_day = stated_time is not None and len(stated_time) == len("2026-01-02")
    return deadline - 1 if is_whole_day and deadline is not None else deadline
