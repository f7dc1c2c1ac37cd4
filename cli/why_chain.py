"""Explain a figure for `why`: its events, clauses and source bytes."""

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
from ledger.store.hands.hand_accounts import read_entries_after
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
    from ledger.vocabulary import Chips, Seat
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due, DuePost, Ground, Placement, SeatDue
    from projections.reports.figures import ChipFigure
    from projections.reports.hand_documents import EventDocument

_POSITION_EVENTS: Final = (ButtonPlaced, BlindPositionPlaced)
_SEAT_EVENTS: Final = (BlindPosted, StraddlePosted, AntePosted, SeatDealtIn, SeatLeftOut)
_MAX_LINE_BYTES: Final = 400
"""Bytes of a source's line that are shown at most."""


class FigureExplainer:
    """Explains the figures of a table. Its texts are raw: escape them before printing."""

    def __init__(self, ledger: Ledger, table_key: TableKey) -> None:
        """Take the ledger and the table."""
        self._ledger = ledger
        self._table_key = table_key
        self._files = source_names.load_source_files(ledger)
        self._address_book = AddressBook(ledger)
        self._load_events = lru_cache(maxsize=64)(self._read_events)
        self._load_table_entry = lru_cache(maxsize=64)(self._read_table_entry)

    # Figures

    def explain_sum(self, hand_row: HandRow, chip_figure: ChipFigure, amount_text: str) -> Figure:
        """Return a sum of chips with the events that make it up, or with the one that voids the hand."""
        seat = chip_figure.seat
        if chip_figure.void and seat is not None:
            reasons = [self._explain_event(hand_row, chip_figure.void)]
        else:
            reasons = [self._explain_event(hand_row, part.version, part.chips) for part in chip_figure.parts]
        field = chip_figure.name if seat is None else f"{chip_figure.name}:{seat}"
        return Figure(field, amount_text, seat, chip_figure.chips, reasons=reasons)

    def explain_positions(self, due: Due, book: Rulebook) -> Iterator[Figure]:
        """Yield the button and the blinds that were due, for each reading that the book allows."""
        for placement in due.placements:
            button = ("button", placement.button, placement.button_grounds)
            for name, seat, grounds in (button, *_iter_blinds(placement)):
                if seat is not None or grounds:
                    reasons = self._explain_grounds(grounds, book, seat)
                    position_text = _describe_position(name, seat, placement)
                    yield Figure(name, position_text, seat, None, book.name, book.edition, reasons)

    def explain_debt(self, due: Due, seat_due: SeatDue, book: Rulebook, posts_text: str) -> Figure:
        """Return what a seat owed: for its position, and to be dealt in."""
        posts = list_due_posts(due, seat_due)
        grounds = [ground for post in posts for ground in post.grounds]
        grounds += [*seat_due.grounds, *(missed.ground for missed in seat_due.missed)]
        reasons = self._explain_grounds(dict.fromkeys(grounds), book, seat_due.seat)
        chips = sum_posts(posts)
        return Figure(f"due:{seat_due.seat}", posts_text, seat_due.seat, chips, book.name, book.edition, reasons)

    def explain_finding(self, hand_row: HandRow, finding: Finding, book: Rulebook) -> Figure:
        """Return a finding with its clauses, the events that show it, and what should have been."""
        reasons = [Reason(finding.asks, 0, None, "book", _cite_clauses(book, [finding.clause, *finding.also]))]
        for line in finding.lines:
            event_reason = self._explain_event(hand_row, line.version)
            if line.note:
                event_reason.says += f": {line.note}"
            reasons.append(event_reason)
        if finding.because:
            reasons.append(Reason(finding.because))
        if finding.should:
            reasons.append(Reason(f"Should be: {finding.should}", 0, None, "book"))
        field = f"finding:{finding.fingerprint[:8]}"
        return Figure(field, finding.saw, finding.seat, None, finding.book, finding.edition, reasons)

    # Reasons

    def _explain_grounds(self, grounds: Iterable[Ground], book: Rulebook, seat: Seat | None) -> list[Reason]:
        return [reason for ground in grounds for reason in self._explain_ground(ground, book, seat)]

    def _explain_ground(self, ground: Ground, book: Rulebook, seat: Seat | None) -> Iterator[Reason]:
        """Yield a ground and, one level below it, the facts of the record that it rests on."""
        # A question begins with a small letter: see Ground.
        sentence = open_question(ground.sentence) if ground.is_question else ground.sentence
        yield Reason(sentence, 0, None, ground.basis, _cite_clauses(book, ground.clauses))
        entry = None if ground.version is None else self._load_table_entry(ground.version)
        if entry is not None and not isinstance(entry.event, HandPlayed):
            yield self._explain_table_fact(entry)
            return
        stream = entry.event.hand if entry is not None and isinstance(entry.event, HandPlayed) else ""
        hand_row = self._find_hand(stream, ground.hand)
        if hand_row is None:
            return
        for event, event_told in self._load_events(hand_row):
            is_of_seat = isinstance(event, _SEAT_EVENTS) and event.seat == seat
            if is_of_seat or isinstance(event, (*_POSITION_EVENTS, BlindPosted)):
                yield self._describe_event(hand_row, event_told, f"hand {hand_row.number}: {event_told.told}", depth=1)

    def _explain_event(self, hand_row: HandRow, version: int, chips: Chips | None = None) -> Reason:
        """Return an event of a hand. `chips`: what it adds to the figure."""
        event_told = self._load_events(hand_row)[version - 1][1]
        return self._describe_event(hand_row, event_told, event_told.told, chips=chips)

    def _describe_event(
        self, hand_row: HandRow, event_told: EventDocument, sentence: str, *, depth: int = 0, chips: Chips | None = None
    ) -> Reason:
        return Reason(
            sentence,
            depth,
            chips,
            show=self._address_book.find_hand_address(hand_row, event_told.version),
            derived=event_told.derived,
            place=event_told.place,
            line=self._read_line(event_told.place),
            recorder=event_told.recorder,
        )

    def _explain_table_fact(self, entry: Entry) -> Reason:
        """Return a fact that was recorded between hands."""
        from projections.reports.event_text import EventDescriber
        from projections.reports.recorders import describe_recorder

        sentence = EventDescriber(self._ledger.people).describe(entry.event)
        place = self._find_source_place(entry)
        return Reason(
            f"between hands: {sentence}",
            1,
            derived=entry.mark.basis == "derived",
            place=place,
            line=self._read_line(place),
            recorder=describe_recorder(entry.recorded.writer, self._ledger.people),
        )

    # The record

    def _read_events(self, row: HandRow) -> list[tuple[Event, EventDocument]]:
        events = self._ledger.events(row.stream)
        return list(zip(events, show.build_show_document(self._ledger, row).events, strict=True))

    def _read_table_entry(self, version: int) -> Entry | None:
        """Return an event of the table's stream, None if it has no such version."""
        entries = read_entries_after(self._ledger, table_stream(*self._table_key), 0)  # a commit may hold many
        return next((entry for entry in entries if entry.version == version), None)

    def _find_hand(self, stream: str, number: str) -> HandRow | None:
        """Return the hand of a stream or, without one, of a number; None if the number isn't that of one hand."""
        if stream:
            return self._ledger.hand(stream)
        if not number:
            return None
        hand_rows = list(self._ledger.hands(**self._table_key._asdict(), number=number, standing=True))
        return hand_rows[0] if len(hand_rows) == 1 else None

    def _find_source_place(self, entry: Entry) -> SourcePlace | None:
        """Return the place in a source where an event of the table was read; None if it's from no source."""
        source, mark = entry.recorded.source, entry.mark
        if source is None or not mark.length:
            return None
        start = source.start + mark.start
        line_number = source_names.find_line_number(self._ledger, source.source, start)
        file = self._files.get(source.source, source_names.UNKNOWN)
        return source_names.build_source_place(file, source.source, line_number, start, mark.length)

    def _read_line(self, place: SourcePlace | None) -> str:
        """Return the source's text at a place; "" if there is none."""
        if place is None:
            return ""
        data = source_names.read_span(self._ledger, place.source, place.start, min(place.length, _MAX_LINE_BYTES))
        return data.decode("utf-8", "replace").rstrip("\r\n")


def list_due_posts(due: Due, seat_due: SeatDue) -> list[DuePost]:
    """Return the posts due from a seat, without repeats: for its position, then to be dealt in."""
    position_posts = [post for post in due.place.posts if post.seat == seat_due.seat] if due.place else []
    return list({(post.role, post.live, post.dead): post for post in (*position_posts, *seat_due.post)}.values())


def sum_posts(posts: Iterable[DuePost]) -> Chips | None:
    """Return the chips of all posts; None if an amount is unknown."""
    total = 0
    for post in posts:
        if post.live is None or post.dead is None:
            return None
        total += post.live + post.dead
    return total


def drop_reasons(figure: Figure) -> Figure:
    """Return a figure without its reasons."""
    return msgspec.structs.replace(figure, reasons=[])


def _iter_blinds(placement: Placement) -> Iterator[tuple[str, Seat | None, Iterable[Ground]]]:
    """Yield each blind with a seat and the reasons: a line for each seat that owes it, or else for its position."""
    for name, position_seat, position_grounds in (
        ("small", placement.small, placement.small_grounds),
        ("big", placement.big, placement.big_grounds),
    ):
        grounds_by_seat = {post.seat: post.grounds for post in placement.posts if post.role == name}
        if not grounds_by_seat:
            yield name, position_seat, position_grounds
        for seat, post_grounds in grounds_by_seat.items():
            yield name, seat, position_grounds if seat == position_seat else post_grounds


def _describe_position(name: str, seat: Seat | None, placement: Placement) -> str:
    """Return who has the button or a blind, and whether the book decides it."""
    sentence = f"seat {seat}"
    if seat is None:
        sentence = "nobody" if name == "small" else "open"
    if placement.reading:
        sentence += f" ({placement.reading})"
    if not placement.judged:
        sentence += " (usual practice; the book doesn't settle it)"
    return sentence


def _cite_clauses(book: Rulebook, clauses: Iterable[str]) -> list[Cited]:
    """Return clauses with their texts, without repeats."""
    return [
        Cited(book.name, clause, book.clauses[clause].entry.says if clause in book.clauses else "")
        for clause in dict.fromkeys(clauses)
    ]
