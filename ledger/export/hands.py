"""Export hands of a ledger one by one, with only a single hand in memory."""

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
from ledger.export.audience import HOUSE, find_visible_seats, list_visible_events
from ledger.export.between import TableFacts
from ledger.export.events import ExportedEvent, write_json_lines
from ledger.export.player_names import Naming, rename_players
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.notation import Format
from ledger.people import People
from ledger.replay import list_corrected

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger

ROW_FORMATS: Final = ("jsonl", "csv", "parquet")
"""Formats of rows, in addition to the formats of hands."""


LISTED_HANDS: Final = 1000
"""The maximum number of left-out hands that are listed. More are only counted."""


def list_writable_formats() -> list[str]:
    """Return the names of all formats that can be written."""
    return [*(format_name for format_name in formats.NAMES if formats.get(format_name).write is not None), *ROW_FORMATS]


class _LossCounter:
    """Counts the facts that a format can't hold."""

    def __init__(self) -> None:
        self._loss_counts: Counter[str] = Counter()
        self._timed_events = self._timed_hands = 0  # events with their own time, and hands with such events
        self._first_timed_hand: tuple[UUID, str] | None = None
        self._is_only_timed_hand = True  # only the first of these hands has timed events

    def add_hand(self, hand_row: HandRow, losses: Sequence[str], timed_events: int) -> None:
        """Add a hand's losses, and the number of its events with a time."""
        for loss in losses:
            loss_text, count = _split_count(loss)
            self._loss_counts[loss_text] += count
        if timed_events:
            hand_key = hand_row.stream, hand_row.number
            self._first_timed_hand = self._first_timed_hand or hand_key
            self._is_only_timed_hand = self._is_only_timed_hand and hand_key == self._first_timed_hand
            self._timed_hands += 1
            self._timed_events += timed_events

    def list_losses(self) -> list[str]:
        """Return each loss once, with its count."""
        sentences = [
            f"{loss_text} ({count:,})" if count else loss_text for loss_text, count in self._loss_counts.items()
        ]
        if self._first_timed_hand and self._is_only_timed_hand:
            sentences.append(f"when {self._timed_events:,} events of hand {self._first_timed_hand[1]} happened")
        elif self._timed_events:
            sentences.append(f"when {self._timed_events:,} events of {self._timed_hands:,} hands happened")
        return sentences


class Export:
    """An export of hands. `count` and `losses` are complete when `text_pieces` is exhausted."""

    def __init__(
        self, ledger: Ledger, format_name: str, audience: str = HOUSE, naming: Naming = "keep", *, lossy: bool = True
    ) -> None:
        """Export from `ledger` in one of `list_writable_formats()`.

        `lossy`: write hands without the facts that the format can't hold; otherwise leave such hands out. Hands that the
        format can't hold at all are always left out.
        """
        self.lossy = lossy
        self.left_out: list[tuple[str, str]] = []  # numbers and reasons of the first of these hands
        self.left_out_count = 0  # the number of all these hands
        self.ledger = ledger
        self.format_name = format_name
        self.audience = audience
        self.naming: Naming = naming
        self.count = 0
        self.unwritten_facts = 0  # facts between hands that are not written
        self._table_facts = TableFacts(ledger)
        self._written_losses, self._left_out_losses = _LossCounter(), _LossCounter()

    @property
    def losses(self) -> list[str]:
        """The facts of all written hands that the format can't hold, each with its count: `remark noted (3)`."""
        table_facts = [f"what was told between hands ({self.unwritten_facts:,})"] if self.unwritten_facts else []
        return [*self._written_losses.list_losses(), *table_facts]

    @property
    def reasons(self) -> list[str]:
        """The same for the hands that were left out."""
        return self._left_out_losses.list_losses()

    @property
    def is_unchanged(self) -> bool:
        """Whether hands are exported unchanged: for the house and with their names."""
        return self.audience == HOUSE and self.naming == "keep"

    def text_pieces(self, hand_rows: Iterable[HandRow]) -> Iterator[str]:
        """Yield the text of the hands in pieces."""
        if self.format_name == "jsonl":
            for hand_row in hand_rows:
                exported_events, people = self.export_hand(hand_row)
                yield from write_json_lines(exported_events, people)
        elif self.format_name == "csv":
            yield seats.write_header_line()
            for hand_row in hand_rows:
                self.count += 1
                events, _, people = self.visible_hand(self.ledger.entries(hand_row.stream))
                yield from seats.write_seat_rows(events, people)
        else:
            hand_format = formats.get(self.format_name)
            if hand_format.write is None:
                raise UsageError(f"{hand_format.title} is read and not written")
            yield from frame_texts(
                hand_format, filter(None, (self._write_hand(hand_format, hand_row) for hand_row in hand_rows))
            )

    def export_events(self, hand_rows: Iterable[HandRow]) -> Iterator[tuple[Iterator[ExportedEvent], People]]:
        """Yield each hand's events as rows, with their people."""
        for hand_row in hand_rows:
            yield self.export_hand(hand_row)

    def export_hand(self, hand_row: HandRow) -> tuple[Iterator[ExportedEvent], People]:
        """Return a hand's events with their entries: all recorded events, or those visible to an audience."""
        self.count += 1
        entries = self.ledger.entries(hand_row.stream)
        opened = cast("HandOpened", entries[0].event)
        if self.is_unchanged:
            return (ExportedEvent(entry, entry.event, opened) for entry in entries), self.ledger.people
        events, visible_entries, people = self.visible_hand(entries)
        return (
            ExportedEvent(entry, event, opened) for entry, event in zip(visible_entries, events, strict=True)
        ), people

    def visible_hand(self, entries: Sequence[Entry]) -> tuple[list[HandEvent], list[Entry], People]:
        """Return a hand's corrected events that the audience may see, their entries, and the people."""
        valid_events = list_corrected([cast("HandEvent", entry.event) for entry in entries])
        people = self.ledger.people
        visible_seats = find_visible_seats((event for _, event in valid_events), self.audience, people)
        visible_entries, visible_events = [], []
        for version, event in valid_events:
            for visible_event in list_visible_events([event], visible_seats):
                visible_entries.append(entries[version - 1])
                visible_events.append(visible_event)
        renamed_events, renamed_people = rename_players(visible_events, people, self.naming)
        return renamed_events, visible_entries, renamed_people

    def _write_hand(self, hand_format: Format, hand_row: HandRow) -> str:
        self.count += 1
        entries = self.ledger.entries(hand_row.stream)
        if hand_format.write_account is not None:
            facts_before, facts_after = self._table_facts.facts_around(hand_row)
            if self.is_unchanged:
                accounts = [
                    account
                    for account in (facts_before, _build_recorded_account(entries), facts_after)
                    if account is not None
                ]
                return hand_format.separator.join(
                    hand_format.write_account(account, self.ledger.people) for account in accounts
                )
            self.unwritten_facts += sum(
                len(account.events) for account in (facts_before, facts_after) if account is not None
            )
        events, visible_entries, people = self.visible_hand(entries)
        assert hand_format.write is not None  # noqa: S101 - `pieces` looked
        written_hand = hand_format.write(events, people)
        timed_events = sum(entry.mark.time is not None for entry in visible_entries)
        if not written_hand.text or ((written_hand.losses or timed_events) and not self.lossy):
            self._left_out_losses.add_hand(hand_row, written_hand.losses, timed_events)
            self._leave_out(hand_row, written_hand.losses or [f"when {timed_events:,} of its events happened"])
            return ""
        self._written_losses.add_hand(hand_row, written_hand.losses, timed_events)
        return written_hand.text

    def _leave_out(self, hand_row: HandRow, reasons: list[str]) -> None:
        self.count -= 1
        self.left_out_count += 1
        if len(self.left_out) < LISTED_HANDS:
            self.left_out.append((hand_row.number, "; ".join(reasons)))


def _split_count(loss: str) -> tuple[str, int]:
    """Split a writer's loss into its text and its count; 0 = without a count."""
    loss_text, bracket, digits = loss.rpartition(" (")
    digits_only = digits.removesuffix(")")
    if bracket and digits_only.isascii() and digits_only.isdigit() and len(digits_only) < 10:
        return loss_text, int(digits_only)
    return loss, 0


def frame_texts(hand_format: Format, texts: Iterator[str]) -> Iterator[str]:
    """Yield written hands as a single text of the format, with separators and frames between several hands."""
    first_text = next(texts, None)
    if first_text is None:
        return
    second_text = next(texts, None)
    if second_text is None:
        yield first_text
        return
    for text_number, hand_text in enumerate(chain((first_text, second_text), texts), 1):
        if text_number > 1:
            yield hand_format.separator
        yield hand_format.frame_hand(text_number, hand_text) if hand_format.frame_hand else hand_text


def _build_recorded_account(entries: Sequence[Entry]) -> Account:
    """Return a hand as recorded, for a notation without losses."""
    origins = [entry.mark for entry in entries]
    return Account(
        cast("list[HandEvent]", [entry.event for entry in entries]),
        [],
        0,
        0,
        [index for index, origin in enumerate(origins) if origin.basis == "derived"],
        {index: origin.time for index, origin in enumerate(origins) if origin.time is not None},
    )
