"""Small tables for the tests of this folder: hands as a table remembers them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from ledger.account import Account
from ledger.formats.phh import FORMAT
from ledger.hand.fold import fold
from ledger.hand.opening import NotDealtIn
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.events import DealtIn, HandPlayed, LeftOut, Post, TableEvent
from ledger.table.fold import fold_table_entries
from ledger.table.order import number_table_events
from ledger.table.played import build_hand_played
from ledger.table.state import TableState
from ledger.vocabulary import Witness

ROOM = int(Witness.BUTTON | Witness.POSTS | Witness.PRESENCE | Witness.MISSING_HANDS)


def hand(
    number: int | str,
    button: int | None,
    small: int | None,
    big: int | None,
    seats: Iterable[int],
    *,
    before: dict[int, int] | None = None,
    after: dict[int, int] | None = None,
    out: dict[int, NotDealtIn] | None = None,
    posts: tuple[Post, ...] = (),
    started: int | None = None,
    witnesses: int = ROOM,
    **more: object,
) -> HandPlayed:
    """A hand of players p1, p2, ... named after their first seat; stacks are 200 unless told."""
    dealt = tuple(
        DealtIn(seat, f"p{seat}", (before or {}).get(seat, 200), (after or {}).get(seat, 200)) for seat in seats
    )
    left_out = tuple(LeftOut(seat, f"p{seat}", 200, reason) for seat, reason in (out or {}).items())
    fields: dict[str, object] = {
        "number": str(number),
        "hand": f"{number}",
        "started": started,
        "betting": "no-limit",
        "format": "cash",
        "blinds": (5, 10),
        "button": button,
        "small": small,
        "big": big,
        "posts": posts,
        "skipped": (),
        "dealt_in": dealt,
        "left_out": left_out,
        "completed": True,
        "witnesses": witnesses,
    }
    return HandPlayed(**(fields | more))  # type: ignore[arg-type]  # fields by name


def table(*events: TableEvent, times: dict[int, int] | None = None) -> TableState:
    return fold_table_entries(number_table_events(events, times))


def real_tables(folder: Path) -> dict[tuple[str, str], list[HandPlayed]]:
    """The tables of the sample hands in PHH by venue and name: their hands in the files' order."""
    people = People(b"0" * 32)
    hands_by_table: dict[tuple[str, str], list[HandPlayed]] = defaultdict(list)
    for path in sorted((folder / "phh" / "handhq").glob("*.phhs")):
        for item in FORMAT.read(Chunk(path.read_bytes()), people):
            if isinstance(item, Account):
                opened = item.opened
                hands_by_table[opened.venue, opened.table].append(build_hand_played(fold(item.events), "00"))
    assert sum(map(len, hands_by_table.values())) > 400
    return hands_by_table
