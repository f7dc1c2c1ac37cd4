"""Compare what the hands of a shift dropped with what the boxes at their tables held.

A box belongs to the hands of its table since the box of its kind before it, or since the table's record begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.formats.handscript.context import EXPONENT_MOST
from ledger.hand.ending import CorrectionMade
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, HandsMissing, TimeChargeTaken
from ledger.table.money_events import BoxCounted, BoxKind
from ledger.vocabulary import Chips, PlayerId, Role
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount as format_amount
from projections.money import drop_sentences
from projections.money.difference import EventRef, MoneyDifference, MoneyGap, name_fact
from projections.money.drop_explanations import explain_difference
from projections.money.hand_drops import BOXES, HandDrop, read_drops
from projections.reports.recorders import describe_recorder, format_recorder

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.store import Ledger
    from projections.money.shift import ShiftTable


_UNITLESS_MARGIN: Final = 10
"""If a count is this many times nearer to the sum in whole units, its file probably lacks the unit."""


class CountCorrection(msgspec.Struct, frozen=True):
    """The correction of a count: the earlier amount, who changed it, and why."""

    earlier_amount: Chips
    role: Role
    person: str  # raw name; "" = not stated
    reason: str  # raw
    version: int  # of the correction in the table's stream


class CountedBox(msgspec.Struct, frozen=True):
    """A count of a box, and what its hands dropped.

    `expected` is the sum of the hands that show their drop; `hands_without_drop` don't.
    """

    venue: str
    tournament: str
    table: str
    kind: BoxKind
    shift: str  # as the count states it
    amount: Chips
    expected: Chips
    hands: int
    hands_without_drop: int
    unit: str
    exponent: int
    dealers: list[str]  # raw names of those who dealt its hands, in order; "" = nobody is on record
    event: EventRef
    recorder: str = ""  # who recorded the count
    correction: CountCorrection | None = None


class DroppedSums(msgspec.Struct, frozen=True):
    """What the hands of a table in the shift dropped, or those of one of its dealers."""

    venue: str
    tournament: str
    table: str
    hands: int
    amounts: dict[BoxKind, Chips]  # of the hands that show it
    hands_without_drop: dict[BoxKind, int]
    unit: str
    exponent: int
    dealer: str = ""  # raw name; "" = nobody is on record, or the sums are of all dealers


class ShiftDrops(msgspec.Struct, frozen=True):
    """The drops of a shift: sums, counted boxes, what differs, and what can't be checked."""

    tables: list[DroppedSums]
    dealers: list[DroppedSums]  # for each table and dealer, in order of their first hands
    boxes: list[CountedBox]
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def check_drops(ledger: Ledger, shift_tables: Sequence[ShiftTable], shift: str = "") -> ShiftDrops:
    """Check the boxes of a shift. `shift`: how differences name it."""
    shift_drops = ShiftDrops([], [], [], [], [])
    for shift_table in shift_tables:
        _TableDropCheck(ledger, shift_table, shift).add_to(shift_drops)
    return shift_drops


class _TableDropCheck:
    """Checks the boxes of one table."""

    def __init__(self, ledger: Ledger, shift_table: ShiftTable, shift: str) -> None:
        self._ledger, self._shift_table, self._shift = ledger, shift_table, shift
        self._addresses = AddressBook(ledger)
        self._place = shift_table.key._asdict()
        self._name = self._addresses.find_table_address(shift_table.key)
        self.unit, self.exponent = shift_table.money_unit
        self.money = partial(format_amount, unit=self.unit, exponent=self.exponent)
        self._recorded_entries: dict[int, Entry] | None = None
        self._drop_by_index: dict[int, HandDrop] = {}  # of the table's entries

    def add_to(self, shift_drops: ShiftDrops) -> None:
        """Add the sums, differences and gaps of the table's hands and boxes."""
        table = self._shift_table
        drops = self._read_drops(table.start, table.end)
        if drops:
            shift_drops.tables.append(self._sum_drops(drops))
        for dealer in dict.fromkeys(drop.dealer for drop in drops):
            own_drops = [drop for drop in drops if drop.dealer == dealer]
            shift_drops.dealers.append(self._sum_drops(own_drops, self._name_person(dealer)))
        if table.untimed_hands:
            missing = drop_sentences.hands_without_time(table.untimed_hands)
            shift_drops.gaps.append(MoneyGap("box", **self._place, missing=missing))
        for kind in BOXES:
            self._check_kind(kind, shift_drops)

    def _read_drops(self, start: int, end: int) -> list[HandDrop]:
        """Return the drops of the hands between two indexes. Each hand is read only once."""
        table = self._shift_table
        indexes = [index for index in range(start, end) if isinstance(table.entries[index].event, HandPlayed)]
        unread_indexes = [index for index in indexes if index not in self._drop_by_index]
        drops = read_drops(self._ledger, table, unread_indexes)
        self._drop_by_index.update(zip(unread_indexes, drops, strict=True))
        return [self._drop_by_index[index] for index in indexes]

    def _sum_drops(self, drops: Sequence[HandDrop], dealer: str = "") -> DroppedSums:
        return DroppedSums(
            **self._place,
            hands=len(drops),
            amounts={kind: sum(drop.amounts[kind] or 0 for drop in drops) for kind in BOXES},
            hands_without_drop={kind: sum(drop.amounts[kind] is None for drop in drops) for kind in BOXES},
            unit=self.unit,
            exponent=self.exponent,
            dealer=dealer,
        )

    # Boxes

    def _check_kind(self, kind: BoxKind, shift_drops: ShiftDrops) -> None:
        """Check each count of a kind of box in the shift, and the hands after the last one."""
        table = self._shift_table
        last_index = table.start - 1
        for index in range(table.start, table.end):
            event = table.entries[index].event
            if isinstance(event, BoxCounted) and event.kind == kind:
                self._check_count(index, event, shift_drops)
                last_index = index
        uncounted_drops = self._read_drops(last_index + 1, table.end)
        gap = self._find_uncounted(kind, uncounted_drops)
        if gap is not None:
            shift_drops.gaps.append(gap)

    def _find_uncounted(self, kind: BoxKind, drops: Sequence[HandDrop]) -> MoneyGap | None:
        """Return the gap for hands whose box nobody counted in the shift, or None if the box should be empty."""
        amount = sum(drop.amounts[kind] or 0 for drop in drops)
        is_silent = kind == "drop" and any(drop.amounts[kind] is None for drop in drops)
        if not (amount or is_silent):
            return None
        table = self._shift_table
        later_counts = (
            index
            for index in range(table.end, len(table.entries))
            if isinstance(count := table.entries[index].event, BoxCounted) and count.kind == kind
        )
        later_index = next(later_counts, None)
        missing = drop_sentences.uncounted_box(
            kind, len(drops), self.money(amount), is_counted_later=later_index is not None
        )
        events = [] if later_index is None else [self._refer_to_count(later_index)]
        return MoneyGap("box", **self._place, missing=missing, events=events + self._refer_to_ends(drops))

    def _check_count(self, index: int, count: BoxCounted, shift_drops: ShiftDrops) -> None:
        start = self._find_start(index, count.kind)
        drops = self._read_drops(start, index)
        box = self._build_box(index, count, start, drops)
        shift_drops.boxes.append(box)
        differing_units = {drop.unit for drop in drops} - {(self.unit, self.exponent)}
        if differing_units:
            missing = drop_sentences.several_units(count.kind)
            shift_drops.gaps.append(MoneyGap("box", **self._place, missing=missing, events=[box.event]))
        elif box.hands_without_drop and box.amount >= box.expected:
            shift_drops.gaps.append(self._build_unknown_gap(box, drops))
        elif box.amount != box.expected:
            shift_drops.differences.append(self._build_difference(box, index, start, drops))

    def _find_start(self, count_index: int, kind: BoxKind) -> int:
        """Return the index after the previous count of this box, or 0 if there is none."""
        for index in range(count_index - 1, -1, -1):
            event = self._shift_table.entries[index].event
            if isinstance(event, BoxCounted) and event.kind == kind:
                return index + 1
        return 0

    def _build_box(self, index: int, count: BoxCounted, start: int, drops: Sequence[HandDrop]) -> CountedBox:
        dealers = list(dict.fromkeys(self._name_person(drop.dealer) for drop in drops))
        return CountedBox(
            **self._place,
            kind=count.kind,
            shift=count.shift,
            amount=count.amount,
            expected=sum(drop.amounts[count.kind] or 0 for drop in drops) + self._sum_time(count.kind, start, index),
            hands=len(drops),
            hands_without_drop=sum(drop.amounts[count.kind] is None for drop in drops),
            unit=self.unit,
            exponent=self.exponent,
            dealers=dealers,
            event=self._refer_to_count(index),
            recorder=self._name_recorder(index),
            correction=self._find_correction(index),
        )

    def _sum_time(self, kind: BoxKind, start: int, end: int) -> Chips:
        """Return the time charges between two indexes: dealers drop them into the box of the rake."""
        if kind != "drop":
            return 0
        events = (entry.event for entry in self._shift_table.entries[start:end])
        return sum(event.amount for event in events if isinstance(event, TimeChargeTaken))

    def _build_unknown_gap(self, box: CountedBox, drops: Sequence[HandDrop]) -> MoneyGap:
        silent_drops = [drop for drop in drops if drop.amounts[box.kind] is None]
        unaccounted = sum(drop.unaccounted for drop in silent_drops)
        missing = drop_sentences.silent_hands(
            box.kind,
            len(silent_drops),
            self.money(box.amount),
            self.money(box.expected),
            is_in_pots=unaccounted == box.amount - box.expected > 0,
        )
        events = [box.event, *(self._refer_to_hand(drop) for drop in silent_drops)]
        return MoneyGap("box", **self._place, missing=missing, events=events)

    def _build_difference(self, box: CountedBox, index: int, start: int, drops: Sequence[HandDrop]) -> MoneyDifference:
        difference = box.amount - box.expected
        explanations = [
            self._refer_to_hand(explanation.drop, explanation.note)
            for explanation in explain_difference(drops, box.kind, difference, self.money)
        ]
        return MoneyDifference(
            "box",
            **self._place,
            says=drop_sentences.box_differs(
                box.kind,
                self.money(box.amount),
                self.money(box.expected),
                self.money(abs(difference)),
                is_short=difference < 0,
            ),
            expected=box.expected,
            recorded=box.amount,
            unit=self.unit,
            exponent=self.exponent,
            dealer=box.dealers[0] if len(box.dealers) == 1 else "",
            shift=self._shift or box.shift,
            because=" ".join(self._iter_grounds(box, start, index, drops)),
            events=[box.event, *self._refer_to_previous_count(start)],
            could_explain=[
                *self._refer_to_repeat(start, box),
                *explanations,
                *self._refer_to_missing_hands(start, index),
            ],
        )

    def _iter_grounds(self, box: CountedBox, start: int, index: int, drops: Sequence[HandDrop]) -> Iterator[str]:
        """Yield the facts that the expected sum follows from."""
        if drops:
            yield drop_sentences.hands_of_box(
                len(drops), drops[0].hand.number, drops[-1].hand.number, is_first=not start
            )
        else:
            yield drop_sentences.no_hands_of_box()
        if box.hands_without_drop:
            yield drop_sentences.silent_hands_in_box(box.hands_without_drop)
        if time_charges := self._sum_time(box.kind, start, index):
            yield drop_sentences.time_in_box(self.money(time_charges))
        if len(box.dealers) > 1:
            yield drop_sentences.dealers_of_box([dealer for dealer in box.dealers if dealer])
        if (scaled_amount := self._scale_unitless(box)) is not None:
            yield drop_sentences.count_without_unit(self.money(box.amount), self.money(scaled_amount))
        if box.correction is not None:
            correction = box.correction
            yield drop_sentences.corrected_count(
                self.money(correction.earlier_amount),
                self.money(box.amount),
                correction.role,
                correction.person,
                correction.reason,
            )

    def _scale_unitless(self, box: CountedBox) -> Chips | None:
        """Return a count scaled to the table's unit, if that's much nearer to the sum; else None."""
        scaled_amount = box.amount * 10**self.exponent
        is_nearer = _UNITLESS_MARGIN * abs(scaled_amount - box.expected) < abs(box.amount - box.expected)
        return scaled_amount if is_nearer and 0 < self.exponent <= EXPONENT_MOST else None

    # References

    def _refer_to_count(self, index: int) -> EventRef:
        count = self._shift_table.entries[index].event
        assert isinstance(count, BoxCounted)  # noqa: S101 - the callers ask for counts
        note = drop_sentences.count_of_box(
            count.kind, count.shift, self.money(count.amount), self._name_recorder(index)
        )
        return self._refer_to_fact(index, note)

    def _refer_to_fact(self, index: int, note: str) -> EventRef:
        version = self._shift_table.entries[index].version
        return EventRef(self._shift_table.stream, version, name_fact(self._name, version), note)

    def _refer_to_previous_count(self, start: int) -> list[EventRef]:
        return [self._refer_to_count(start - 1)] if start else []

    def _refer_to_hand(self, drop: HandDrop, note: str = "") -> EventRef:
        """Return the reference to a hand: to its first event."""
        return EventRef(
            drop.hand.hand, 1, self._addresses.find_stream_address(drop.hand.hand) or drop.hand.number, note
        )

    def _refer_to_ends(self, drops: Sequence[HandDrop]) -> list[EventRef]:
        """Return the references to the first and the last hand."""
        ends = [drops[0]] if len(drops) == 1 else [drops[0], drops[-1]]
        return [self._refer_to_hand(drop) for drop in ends]

    def _refer_to_repeat(self, start: int, box: CountedBox) -> list[EventRef]:
        """Return the previous count if it may be the same one: the same amount, and no hand was played since."""
        if not start or box.hands:
            return []
        previous_count = self._shift_table.entries[start - 1].event
        if not isinstance(previous_count, BoxCounted) or previous_count.amount != box.amount:
            return []
        return [self._refer_to_fact(start - 1, drop_sentences.repeated_count())]

    def _refer_to_missing_hands(self, start: int, end: int) -> list[EventRef]:
        return [
            self._refer_to_fact(index, drop_sentences.missing_hands(event.after))
            for index in range(start, end)
            if isinstance(event := self._shift_table.entries[index].event, HandsMissing)
        ]

    # People

    def _name_person(self, person: PlayerId) -> str:
        return (self._ledger.people.name(person) or person) if person else ""

    def _load_entries(self) -> dict[int, Entry]:
        """Return the table's entries as recorded, by their versions."""
        if self._recorded_entries is None:
            entries = self._ledger.entries(table_stream(*self._shift_table.key))
            self._recorded_entries = {entry.version: entry for entry in entries}
        return self._recorded_entries

    def _name_recorder(self, index: int) -> str:
        entry = self._load_entries().get(self._shift_table.entries[index].version)
        return "" if entry is None else format_recorder(describe_recorder(entry.recorded.writer, self._ledger.people))

    def _find_correction(self, index: int) -> CountCorrection | None:
        """Return the correction that replaced an earlier count by this one, or None if there is none."""
        entries, version = self._load_entries(), self._shift_table.entries[index].version
        for correction_version in range(version - 1, 0, -1):
            entry = entries.get(correction_version)
            if entry is None or not isinstance(entry.event, CorrectionMade):
                continue
            correction = entry.event
            if correction_version + correction.count < version:
                return None
            return self._build_correction(correction, correction_version, index)
        return None

    def _build_correction(self, correction: CorrectionMade, version: int, index: int) -> CountCorrection | None:
        count, entries = self._shift_table.entries[index].event, self._load_entries()
        voided_counts = [
            entry.event
            for void in correction.voids
            if (entry := entries.get(void)) is not None
            and isinstance(entry.event, BoxCounted)
            and isinstance(count, BoxCounted)
            and entry.event.kind == count.kind
        ]
        if not voided_counts:
            return None
        people = self._ledger.people
        reason = people.words(correction.why) or "" if correction.why else ""
        return CountCorrection(
            voided_counts[0].amount, correction.by, self._name_person(correction.person), reason, version
        )
