"""From a figure to events, clauses and bytes: the steps that `why` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from cli import show
from cli.why_document import Cited, Figure, Reason
from ledger.hand.opening import (
    AntePosted,
    BlindPositionPlaced,
    BlindPosted,
    ButtonPlaced,
    SeatDealtIn,
    SeatLeftOut,
    StraddlePosted,
)
from ledger.store.accounts import entries_behind
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook
from projections.addresses.source_names import SourcePlace
from projections.sentences.owed import open_question

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.event import Event
    from ledger.store import HandRow, Ledger
    from ledger.store.accounts import Place
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due, DuePost, Ground, Placement, SeatDue
    from projections.reports.figures import Figure as Sum
    from projections.reports.hand_documents import EventTold

_POSITIONS: Final = (ButtonPlaced, BlindPositionPlaced)
_OF_A_SEAT: Final = (BlindPosted, StraddlePosted, AntePosted, SeatDealtIn, SeatLeftOut)
_LINE_MOST: Final = 400
"""Bytes of a line of a source that are shown."""


class Chain:
    """Makes steps for the hands of one table. What it says is raw: printing it harmlessly is the writer's duty."""

    def __init__(self, ledger: Ledger, place: Place) -> None:
        """Take the ledger and the table."""
        self._ledger = ledger
        self._place = place
        self._files = source_names.source_files_by_digest(ledger)
        self._book = AddressBook(ledger)
        self._told = lru_cache(maxsize=64)(self._told_of)
        self._entry = lru_cache(maxsize=64)(self._entry_of)

    def sum(self, row: HandRow, one: Sum, words: str) -> Figure:
        """Return a sum of chips with the events that make it up."""
        reasons = [self.event(row, part.version, 0, part.chips) for part in one.parts]
        if one.void and one.seat is not None:
            reasons = [self.event(row, one.void, 0)]
        field = one.name if one.seat is None else f"{one.name}:{one.seat}"
        return Figure(field, words, one.seat, one.chips, reasons=reasons)

    def positions(self, due: Due, book: Rulebook) -> Iterator[Figure]:
        """Yield button and blinds as they were due, once for each reading that the book allows."""
        for place in due.placements:
            for name, seat, why in (("button", place.button, place.button_why), *_blinds(place)):
                if seat is not None or why:
                    yield self._position(name, seat, why, place, book)

    def _position(
        self, name: str, seat: Seat | None, why: Iterable[Ground], place: Placement, book: Rulebook
    ) -> Figure:
        says = "open" if seat is None and name != "small" else "nobody" if seat is None else f"seat {seat}"
        if place.reading:
            says += f" ({place.reading})"
        if not place.judged:
            says += " (usual practice; the book doesn't settle it)"
        reasons = [step for ground in why for step in self.ground(ground, book, seat)]
        return Figure(name, says, seat, None, book.name, book.edition, reasons)

    def owed(self, due: Due, one: SeatDue, book: Rulebook, words: str) -> Figure:
        """Return what was due from a seat: by its position, and to be dealt in."""
        placed: list[DuePost] = [post for post in due.place.posts if post.seat == one.seat] if due.place else []
        posts = {(post.role, post.live, post.dead): post for post in (*placed, *one.post)}
        grounds = [g for post in posts.values() for g in post.why]
        grounds += [*one.why, *(missed.why for missed in one.missed)]
        reasons = [step for g in dict.fromkeys(grounds) for step in self.ground(g, book, one.seat)]
        sums = [(post.live or 0) + (post.dead or 0) for post in posts.values()]
        open_ = any(post.live is None or post.dead is None for post in posts.values())
        chips = None if open_ else sum(sums)
        return Figure(f"due:{one.seat}", words, one.seat, chips, book.name, book.edition, reasons)

    def finding(self, row: HandRow, found: Finding, book: Rulebook) -> Figure:
        """Return a finding with the events that show it and the clauses it stands on."""
        cited = [cite for clause in (found.clause, *found.also) for cite in _cited(book, [clause])]
        reasons = [Reason(found.asks, 0, None, "book", cited)]
        for line in found.lines:
            step = self.event(row, line.version, 0)
            step.says = f"{step.says}: {line.note}" if line.note else step.says
            reasons.append(step)
        if found.because:
            reasons.append(Reason(found.because))
        if found.should:
            reasons.append(Reason(f"Should be: {found.should}", 0, None, "book"))
        field = f"finding:{found.fingerprint[:8]}"
        return Figure(field, found.saw, found.seat, None, found.book, found.edition, reasons)

    def ground(self, one: Ground, book: Rulebook, seat: Seat | None) -> Iterator[Reason]:
        """Yield a reason of what was due, and below it what of the record it rests on."""
        says = open_question(one.says) if one.says[:1].islower() else one.says  # a question: see Ground
        yield Reason(says, 0, None, one.basis, _cited(book, one.clauses))
        entry = None if one.version is None else self._entry(one.version)
        if entry is not None and not isinstance(entry.event, HandPlayed):
            yield self._between(entry)
            return
        stream = entry.event.hand if entry is not None and isinstance(entry.event, HandPlayed) else ""
        row = self._row(stream, one.hand)
        if row is None:
            return
        for event, told in self._told(row):
            if isinstance(event, _POSITIONS) or (
                isinstance(event, _OF_A_SEAT) and (event.seat == seat or isinstance(event, BlindPosted))
            ):
                yield self._reason(row, told, 1, None)

    def event(self, row: HandRow, version: int, depth: int, chips: int | None = None) -> Reason:
        """Return an event of a hand as a step."""
        return self._reason(row, self._told(row)[version - 1][1], depth, chips)

    def _reason(self, row: HandRow, told: EventTold, depth: int, chips: int | None) -> Reason:
        line = self._line(told.place) if told.place is not None else ""
        at = self._book.hand(row, told.version)
        says = f"hand {row.number}: {told.told}" if depth else told.told
        return Reason(says, depth, chips, "record", [], at, told.derived, told.place, line)

    def _told_of(self, row: HandRow) -> list[tuple[Event, EventTold]]:
        events = self._ledger.events(row.stream)
        return list(zip(events, show.hand(self._ledger, row).events, strict=True))

    def _entry_of(self, version: int) -> Entry | None:
        """Return an event of the table's stream, of which there may be very many."""
        every = entries_behind(self._ledger, table_stream(*self._place), 0)  # a commit may hold many
        return next((entry for entry in every if entry.version == version), None)

    def _row(self, stream: str, number: str) -> HandRow | None:
        """Return the hand that a reason rests on; None where its number is that of several."""
        if not stream and not number:
            return None
        if stream:
            return self._ledger.hand(stream)
        found = list(self._ledger.hands(**self._place._asdict(), number=number, standing=True))
        return found[0] if len(found) == 1 else None

    def _between(self, entry: Entry) -> Reason:
        """Return a fact that was told between hands, with its bytes."""
        from projections.reports.event_text import Teller

        source, mark = entry.recorded.source, entry.mark
        place = None
        if source is not None and mark.length:
            start = source.start + mark.start
            line = source_names.line_at(self._ledger, source.source, start)
            file = self._files.get(source.source, source_names.UNKNOWN)
            place = source_names.place_in_source(file, source.source, line, start, mark.length)
        says = Teller(self._ledger.people).tell(entry.event)
        line_ = self._line(place) if place is not None else ""
        return Reason(f"told between hands: {says}", 1, None, "record", [], "", mark.how == "derived", place, line_)

    def _line(self, place: SourcePlace) -> str:
        data = source_names.read_span(self._ledger, place.source, place.start, min(place.length, _LINE_MOST))
        return data.decode("utf-8", "replace").rstrip("\r\n")


def _blinds(place: Placement) -> Iterator[tuple[str, Seat | None, Iterable[Ground]]]:
    """Yield each blind with who posts it and why: its position, and whoever owes it."""
    for name, position, why in (("small", place.small, place.small_why), ("big", place.big, place.big_why)):
        owed_grounds = {post.seat: post.why for post in place.posts if post.role == name}
        for seat in owed_grounds or (position,):
            yield name, seat, why if seat == position else owed_grounds[seat] if seat is not None else ()


def _cited(book: Rulebook, clauses: Iterable[str]) -> list[Cited]:
    return [
        Cited(book.name, clause, book.clauses[clause].entry.says if clause in book.clauses else "")
        for clause in dict.fromkeys(clauses)
    ]


def bare(figure: Figure) -> Figure:
    """Return a figure without its reasons."""
    return msgspec.structs.replace(figure, reasons=[])
