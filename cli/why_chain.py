"""From a figure to events, clauses and bytes: the steps that `why` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from cli import show
from cli.documents.why_document import Cited, Figure, Reason
from ledger.hand.opening import (
    AntePosted,
    BlindPositionPlaced,
    BlindPosted,
    ButtonPlaced,
    SeatDealtIn,
    SeatLeftOut,
    StraddlePosted,
)
from ledger.store.hands.hand_accounts import entries_after
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook
from projections.addresses.source_names import SourcePlace
from projections.sentences.due import open_question

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.event import Event
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due, DuePost, Ground, Placement, SeatDue
    from projections.reports.figures import ChipFigure as Sum
    from projections.reports.hand_documents import EventTold

_POSITIONS: Final = (ButtonPlaced, BlindPositionPlaced)
_SEAT_EVENTS: Final = (BlindPosted, StraddlePosted, AntePosted, SeatDealtIn, SeatLeftOut)
_MAX_LINE_BYTES: Final = 400
"""Bytes of a line of a source that are shown."""


class Chain:
    """Makes steps for the hands of one table. What it says is raw: printing it harmlessly is the writer's duty."""

    def __init__(self, ledger: Ledger, place: TableKey) -> None:
        """Take the ledger and the table."""
        self._ledger = ledger
        self._place = place
        self._files = source_names.source_files_by_digest(ledger)
        self._book = AddressBook(ledger)
        self._events_of = lru_cache(maxsize=64)(self._load_events)
        self._entry = lru_cache(maxsize=64)(self._entry_of)

    def sum(self, hand_row: HandRow, hand_sum: Sum, amount_text: str) -> Figure:
        """Return a sum of chips with the events that make it up."""
        reasons = [self.event(hand_row, part.version, 0, part.chips) for part in hand_sum.parts]
        if hand_sum.void and hand_sum.seat is not None:
            reasons = [self.event(hand_row, hand_sum.void, 0)]
        field = hand_sum.name if hand_sum.seat is None else f"{hand_sum.name}:{hand_sum.seat}"
        return Figure(field, amount_text, hand_sum.seat, hand_sum.chips, reasons=reasons)

    def positions(self, due: Due, book: Rulebook) -> Iterator[Figure]:
        """Yield button and blinds as they were due, once for each reading that the book allows."""
        for placement in due.placements:
            for name, seat, grounds in (("button", placement.button, placement.button_grounds), *_blinds(placement)):
                if seat is not None or grounds:
                    yield self._position(name, seat, grounds, placement, book)

    def _position(
        self, name: str, seat: Seat | None, grounds: Iterable[Ground], placement: Placement, book: Rulebook
    ) -> Figure:
        sentence = "open" if seat is None and name != "small" else "nobody" if seat is None else f"seat {seat}"
        if placement.reading:
            sentence += f" ({placement.reading})"
        if not placement.judged:
            sentence += " (usual practice; the book doesn't settle it)"
        reasons = [step for ground in grounds for step in self.ground(ground, book, seat)]
        return Figure(name, sentence, seat, None, book.name, book.edition, reasons)

    def owed(self, due: Due, seat_due: SeatDue, book: Rulebook, posts_text: str) -> Figure:
        """Return what was due from a seat: by its position, and to be dealt in."""
        position_posts: list[DuePost] = (
            [post for post in due.place.posts if post.seat == seat_due.seat] if due.place else []
        )
        posts = {(post.role, post.live, post.dead): post for post in (*position_posts, *seat_due.post)}
        grounds = [ground for post in posts.values() for ground in post.grounds]
        grounds += [*seat_due.grounds, *(missed.ground for missed in seat_due.missed)]
        reasons = [step for ground in dict.fromkeys(grounds) for step in self.ground(ground, book, seat_due.seat)]
        post_sums = [(post.live or 0) + (post.dead or 0) for post in posts.values()]
        is_open = any(post.live is None or post.dead is None for post in posts.values())
        chips = None if is_open else sum(post_sums)
        return Figure(f"due:{seat_due.seat}", posts_text, seat_due.seat, chips, book.name, book.edition, reasons)

    def finding(self, hand_row: HandRow, finding: Finding, book: Rulebook) -> Figure:
        """Return a finding with the events that show it and the clauses it stands on."""
        citations = [
            citation for clause in (finding.clause, *finding.also) for citation in _cite_clauses(book, [clause])
        ]
        reasons = [Reason(finding.asks, 0, None, "book", citations)]
        for line in finding.lines:
            step = self.event(hand_row, line.version, 0)
            step.says = f"{step.says}: {line.note}" if line.note else step.says
            reasons.append(step)
        if finding.because:
            reasons.append(Reason(finding.because))
        if finding.should:
            reasons.append(Reason(f"Should be: {finding.should}", 0, None, "book"))
        field = f"finding:{finding.fingerprint[:8]}"
        return Figure(field, finding.saw, finding.seat, None, finding.book, finding.edition, reasons)

    def ground(self, ground: Ground, book: Rulebook, seat: Seat | None) -> Iterator[Reason]:
        """Yield a reason of what was due, and below it what of the record it rests on."""
        # A question begins with a small letter: see Ground.
        sentence = open_question(ground.sentence) if ground.is_question else ground.sentence
        yield Reason(sentence, 0, None, ground.basis, _cite_clauses(book, ground.clauses))
        entry = None if ground.version is None else self._entry(ground.version)
        if entry is not None and not isinstance(entry.event, HandPlayed):
            yield self._describe_fact(entry)
            return
        stream = entry.event.hand if entry is not None and isinstance(entry.event, HandPlayed) else ""
        hand_row = self._row(stream, ground.hand)
        if hand_row is None:
            return
        for event, event_told in self._events_of(hand_row):
            if isinstance(event, _POSITIONS) or (
                isinstance(event, _SEAT_EVENTS) and (event.seat == seat or isinstance(event, BlindPosted))
            ):
                yield self._reason(hand_row, event_told, 1, None)

    def event(self, hand_row: HandRow, version: int, depth: int, chips: int | None = None) -> Reason:
        """Return an event of a hand as a step."""
        return self._reason(hand_row, self._events_of(hand_row)[version - 1][1], depth, chips)

    def _reason(self, hand_row: HandRow, event_told: EventTold, depth: int, chips: int | None) -> Reason:
        line = self._line(event_told.place) if event_told.place is not None else ""
        event_address = self._book.hand(hand_row, event_told.version)
        sentence = f"hand {hand_row.number}: {event_told.told}" if depth else event_told.told
        return Reason(sentence, depth, chips, "record", [], event_address, event_told.derived, event_told.place, line)

    def _load_events(self, row: HandRow) -> list[tuple[Event, EventTold]]:
        events = self._ledger.events(row.stream)
        return list(zip(events, show.hand(self._ledger, row).events, strict=True))

    def _entry_of(self, version: int) -> Entry | None:
        """Return an event of the table's stream, of which there may be very many."""
        entries = entries_after(self._ledger, table_stream(*self._place), 0)  # a commit may hold many
        return next((entry for entry in entries if entry.version == version), None)

    def _row(self, stream: str, number: str) -> HandRow | None:
        """Return the hand that a reason rests on; None where its number is that of several."""
        if not stream and not number:
            return None
        if stream:
            return self._ledger.hand(stream)
        hand_rows = list(self._ledger.hands(**self._place._asdict(), number=number, standing=True))
        return hand_rows[0] if len(hand_rows) == 1 else None

    def _describe_fact(self, entry: Entry) -> Reason:
        """Return a fact that was told between hands, with its bytes."""
        from projections.reports.event_text import EventDescriber

        source, mark = entry.recorded.source, entry.mark
        source_place = None
        if source is not None and mark.length:
            start = source.start + mark.start
            line = source_names.line_at(self._ledger, source.source, start)
            file = self._files.get(source.source, source_names.UNKNOWN)
            source_place = source_names.place_in_source(file, source.source, line, start, mark.length)
        sentence = EventDescriber(self._ledger.people).describe(entry.event)
        line_text = self._line(source_place) if source_place is not None else ""
        return Reason(
            f"told between hands: {sentence}",
            1,
            None,
            "record",
            [],
            "",
            mark.basis == "derived",
            source_place,
            line_text,
        )

    def _line(self, place: SourcePlace) -> str:
        data = source_names.read_span(self._ledger, place.source, place.start, min(place.length, _MAX_LINE_BYTES))
        return data.decode("utf-8", "replace").rstrip("\r\n")


def _blinds(placement: Placement) -> Iterator[tuple[str, Seat | None, Iterable[Ground]]]:
    """Yield each blind with who posts it and why: its position, and whoever owes it."""
    for name, position, grounds in (
        ("small", placement.small, placement.small_grounds),
        ("big", placement.big, placement.big_grounds),
    ):
        owed_grounds = {post.seat: post.grounds for post in placement.posts if post.role == name}
        for seat in owed_grounds or (position,):
            yield name, seat, grounds if seat == position else owed_grounds[seat] if seat is not None else ()


def _cite_clauses(book: Rulebook, clauses: Iterable[str]) -> list[Cited]:
    return [
        Cited(book.name, clause, book.clauses[clause].entry.says if clause in book.clauses else "")
        for clause in dict.fromkeys(clauses)
    ]


def without_reasons(figure: Figure) -> Figure:
    """Return a figure without its reasons."""
    return msgspec.structs.replace(figure, reasons=[])
