"""Hands out of the ledger, one after the other: nothing but one hand is ever in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from ledger import formats
from ledger.account import Account
from ledger.entry import Entry
from ledger.errors import UsageError
from ledger.export import seats
from ledger.export.audience import HOUSE, seats_of, seen
from ledger.export.between import Between
from ledger.export.events import Told, json_lines
from ledger.export.naming import Naming, renamed
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.notation import Format
from ledger.people import People
from ledger.replay import corrected

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger

ROWS: Final = ("jsonl", "csv", "parquet")
"""What is written besides the formats of hands."""


LISTED: Final = 1000
"""Hands that are left out and named; of more, the number is told."""


def writable() -> list[str]:
    """Return the names of all that can be written."""
    return [*(name for name in formats.NAMES if formats.get(name).write is not None), *ROWS]


class _Losses:
    """What a format could not say of hands."""

    def __init__(self) -> None:
        self._lost: Counter[str] = Counter()
        self._timed = self._timed_hands = 0  # events with a time of their own, and hands that have some
        self._timed_first: tuple[UUID, str] | None = None
        self._timed_alone = True  # only the first of these hands has any

    def take(self, row: HandRow, losses: Sequence[str], timed: int) -> None:
        """Take in what was lost of a hand, and how many of its events had a time."""
        for loss in losses:
            what, count = _counted(loss)
            self._lost[what] += count
        if timed:
            here = row.stream, row.number
            self._timed_first = self._timed_first or here
            self._timed_alone = self._timed_alone and here == self._timed_first
            self._timed_hands += 1
            self._timed += timed

    def told(self) -> list[str]:
        """Return it all, each once with how often."""
        told = [f"{what} ({count:,})" if count else what for what, count in self._lost.items()]
        if self._timed_first and self._timed_alone:
            told.append(f"when {self._timed:,} events of hand {self._timed_first[1]} happened")
        elif self._timed:
            told.append(f"when {self._timed:,} events of {self._timed_hands:,} hands happened")
        return told


class Export:
    """One export: what is written for whom. `count` and `losses` are whole when `pieces` is through."""

    def __init__(
        self, ledger: Ledger, to: str, audience: str = HOUSE, naming: Naming = "keep", *, lossy: bool = True
    ) -> None:
        """Take the ledger, a name of `writable()`, for whom, and under which names.

        `lossy`: hands of which the format cannot say something are written without it; else they are left
        out. Hands that it cannot say at all are left out in any case.
        """
        self.lossy = lossy
        self.left_out: list[tuple[str, str]] = []  # number and why, of the first of them
        self.out = 0  # how many there are
        self.ledger = ledger
        self.to = to
        self.audience = audience
        self.naming: Naming = naming
        self.count = 0
        self.apart = 0  # facts between hands that are not written
        self._between = Between(ledger)
        self._lost, self._kept_back = _Losses(), _Losses()

    @property
    def losses(self) -> list[str]:
        """What the format cannot say of all hands that are written, each once with how often: `remark noted (3)`."""
        apart = [f"what was told between hands ({self.apart:,})"] if self.apart else []
        return [*self._lost.told(), *apart]

    @property
    def reasons(self) -> list[str]:
        """The same of the hands that were left out."""
        return self._kept_back.told()

    @property
    def plain(self) -> bool:
        """Whether hands leave as they stand, for the house and under their names."""
        return self.audience == HOUSE and self.naming == "keep"

    def pieces(self, rows: Iterable[HandRow]) -> Iterator[str]:
        """Yield the text of the hands, piece by piece."""
        if self.to == "jsonl":
            for row in rows:
                told, people = self.told(row)
                yield from json_lines(told, people)
        elif self.to == "csv":
            yield seats.header()
            for row in rows:
                self.count += 1
                events, _, people = self.shown(self.ledger.entries(row.stream))
                yield from seats.rows(events, people)
        else:
            form = formats.get(self.to)
            if form.write is None:
                raise UsageError(f"{form.title} is read and not written")
            yield from framed(form, filter(None, (self._written(form, row) for row in rows)))

    def events(self, rows: Iterable[HandRow]) -> Iterator[tuple[Iterator[Told], People]]:
        """Yield each hand's events as rows, with the people who are named in them."""
        for row in rows:
            yield self.told(row)

    def told(self, row: HandRow) -> tuple[Iterator[Told], People]:
        """Return a hand's events with their entries: all that were recorded, or what stands for an audience."""
        self.count += 1
        entries = self.ledger.entries(row.stream)
        opened = cast("HandOpened", entries[0].event)
        if self.plain:
            return (Told(entry, entry.event, opened) for entry in entries), self.ledger.people
        events, kept, people = self.shown(entries)
        return (Told(entry, event, opened) for entry, event in zip(kept, events, strict=True)), people

    def shown(self, entries: Sequence[Entry]) -> tuple[list[HandEvent], list[Entry], People]:
        """Return a hand as it stands after its corrections, what of it is shown, and under which names."""
        valid = corrected([cast("HandEvent", entry.event) for entry in entries])
        people = self.ledger.people
        can_see = seats_of((event for _, event in valid), self.audience, people)
        kept, events = [], []
        for version, event in valid:
            for one in seen([event], can_see):
                kept.append(entries[version - 1])
                events.append(one)
        out, named = renamed(events, people, self.naming)
        return out, kept, named

    def _written(self, form: Format, row: HandRow) -> str:
        self.count += 1
        entries = self.ledger.entries(row.stream)
        if form.write_account is not None:
            before, behind = self._between.around(row)
            if self.plain:
                parts = [one for one in (before, _account(entries), behind) if one is not None]
                return form.between.join(form.write_account(one, self.ledger.people) for one in parts)
            self.apart += sum(len(one.events) for one in (before, behind) if one is not None)
        events, kept, people = self.shown(entries)
        assert form.write is not None  # noqa: S101 - `pieces` looked
        written = form.write(events, people)
        timed = sum(entry.mark.at is not None for entry in kept)
        if not written.text or ((written.losses or timed) and not self.lossy):
            self._kept_back.take(row, written.losses, timed)
            self._leave_out(row, written.losses or [f"when {timed:,} of its events happened"])
            return ""
        self._lost.take(row, written.losses, timed)
        return written.text

    def _leave_out(self, row: HandRow, why: list[str]) -> None:
        self.count -= 1
        self.out += 1
        if len(self.left_out) < LISTED:
            self.left_out.append((row.number, "; ".join(why)))


def _counted(loss: str) -> tuple[str, int]:
    """Return what a writer could not say, and how often; 0 = it does not count."""
    what, bracket, digits = loss.rpartition(" (")
    number = digits.removesuffix(")")
    if bracket and number.isascii() and number.isdigit() and len(number) < 10:
        return what, int(number)
    return loss, 0


def framed(form: Format, texts: Iterator[str]) -> Iterator[str]:
    """Yield written hands as one text of that format: one hand may stand by itself, several are told apart."""
    first = next(texts, None)
    if first is None:
        return
    second = next(texts, None)
    if second is None:
        yield first
        return
    for number, text in enumerate(chain((first, second), texts), 1):
        if number > 1:
            yield form.between
        yield form.numbered(number, text) if form.numbered else text


def _account(entries: Sequence[Entry]) -> Account:
    """Return a hand as it was recorded, to be written in a notation that loses nothing."""
    marks = [entry.mark for entry in entries]
    return Account(
        cast("list[HandEvent]", [entry.event for entry in entries]),
        [],
        0,
        0,
        [index for index, mark in enumerate(marks) if mark.how == "derived"],
        {index: mark.at for index, mark in enumerate(marks) if mark.at is not None},
    )
