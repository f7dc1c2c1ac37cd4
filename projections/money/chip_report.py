"""Collect what doesn't add up about the chips at a table, each cause once.

A stack that a fact states between two hands waits for the next hand: if hands are missing in between, it can't be
compared. A later hand that shows where the chips of an earlier difference are is added to that difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.money.chip_notes import ChipNotes
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.money.hand_chips import ChipMismatch
from projections.money.stack_history import StackHistory
from projections.sentences import paragraph
from projections.sentences import table_chips as say


class StackChange(NamedTuple):
    """A stack that differs from the sum of the events before it."""

    seat: Seat
    player: PlayerId
    expected: Chips
    stated: Chips

    @property
    def amount(self) -> Chips:
        """How much more is recorded."""
        return self.stated - self.expected


class _OpenChange(NamedTuple):
    """A change of the last hand. If the next hand reverses it, both have one cause."""

    amount: Chips
    difference_index: int | None  # None = it isn't reported


class _LastHand(NamedTuple):
    """What didn't add up in the last hand."""

    changes_by_player: dict[PlayerId, _OpenChange]
    uneven_pot: _OpenChange


class ChipReport:
    """The differences and gaps of a table, in the order of its events."""

    def __init__(self, notes: ChipNotes, history: StackHistory) -> None:
        """Create an empty report. `notes` names hands and facts, `history` explains each stack."""
        self.differences: list[MoneyDifference] = []
        self.gaps: list[MoneyGap] = []
        self.is_reporting = True
        self._notes = notes
        self._history = history
        self._waiting: list[MoneyDifference | MoneyGap] = []  # stated between hands
        self._changes_by_player: dict[PlayerId, _OpenChange] = {}
        self._uneven_pot = _OpenChange(0, None)

    # --- gaps

    def add_gap(self, missing: str, *references: EventRef) -> None:
        """Add something that can't be checked."""
        if self.is_reporting:
            self.gaps.append(self._notes.build_gap(missing, list(references)))

    def add_waiting_gap(self, missing: str, reference: EventRef) -> None:
        """Add something that a fact between hands leaves open."""
        if self.is_reporting:
            self._waiting.append(self._notes.build_gap(missing, [reference]))

    # --- facts between hands

    def add_waiting_difference(
        self, change: StackChange, statement: str, reference: EventRef, causes: Sequence[EventRef]
    ) -> None:
        """Add a stack that a fact between hands states. It counts unless hands are missing before the next hand.

        If it is the other side of a difference of the last hand, add it to that difference.
        """
        last_change = self._changes_by_player.get(change.player)
        if self._uneven_pot.amount == change.amount:
            self._join_difference(self._uneven_pot.difference_index, reference)
        elif last_change is not None and last_change.amount == -change.amount:
            self._join_difference(last_change.difference_index, reference, say.stack_is_back_later())
        elif self.is_reporting:
            self._waiting.append(self._build_difference([change], statement, reference, causes))

    def release_waiting(self) -> None:
        """Report what facts between hands state, because no hand is missing there or no hand follows."""
        for waiting in self._waiting:
            if isinstance(waiting, MoneyDifference):
                self.differences.append(waiting)
            else:
                self.gaps.append(waiting)
        self._waiting.clear()

    def drop_waiting(self) -> list[EventRef]:
        """Discard what facts between hands state, because hands are missing there. Return references to those facts."""
        references = [waiting.events[0] for waiting in self._waiting]
        self._waiting.clear()
        return references

    # --- hands

    def begin_hand(self) -> _LastHand:
        """Return the changes and the uneven pot of the last hand, and start the next hand without any."""
        last_hand = _LastHand(self._changes_by_player, self._uneven_pot)
        self._changes_by_player, self._uneven_pot = {}, _OpenChange(0, None)
        return last_hand

    def add_changes(
        self,
        hand: HandPlayed,
        changes: Sequence[StackChange],
        last_hand: _LastHand,
        causes: dict[PlayerId, list[EventRef]],
    ) -> None:
        """Add the wrong stacks with which a hand begins. `last_hand`: from `begin_hand`. `causes`: by player."""
        uneven_pot = last_hand.uneven_pot
        if uneven_pot.amount and uneven_pot.amount == sum(change.amount for change in changes):
            self._join_difference(uneven_pot.difference_index, self._notes.refer_to_hand(hand))
            return
        fresh_changes: list[StackChange] = []
        for change in changes:
            last_change = last_hand.changes_by_player.get(change.player)
            if last_change is not None and last_change.amount == -change.amount:
                reason = say.stack_is_back(self._notes.format_hand_number(hand))
                self._join_difference(last_change.difference_index, self._notes.refer_to_hand(hand), reason)
            else:
                fresh_changes.append(change)
        if len(fresh_changes) > 1 and not sum(change.amount for change in fresh_changes):
            self._add_exchange(hand, fresh_changes, causes)
            return
        for change in fresh_changes:
            self._add_change(hand, change, causes.get(change.player, []))

    def _add_exchange(
        self, hand: HandPlayed, changes: Sequence[StackChange], causes: dict[PlayerId, list[EventRef]]
    ) -> None:
        """Add one difference for chips that are in front of other seats."""
        main_change = max(changes, key=lambda stack_change: stack_change.amount)
        statement = say.chips_changed_seats(self._notes.format_hand_number(hand), self.list_stacks(changes))
        all_causes = list(dict.fromkeys(cause for change in changes for cause in causes.get(change.player, [])))
        all_changes = [main_change, *(change for change in changes if change is not main_change)]
        index = self._append_difference(
            self._build_difference(all_changes, statement, self._notes.refer_to_hand(hand), all_causes)
        )
        for change in changes:
            self._changes_by_player[change.player] = _OpenChange(change.amount, index)

    def _add_change(self, hand: HandPlayed, change: StackChange, causes: Sequence[EventRef]) -> None:
        money = self._notes.money
        statement = say.stack_in_hand(
            change.seat, self._notes.format_hand_number(hand), money(change.stated), money(change.expected)
        )
        difference = self._build_difference([change], statement, self._notes.refer_to_hand(hand), causes)
        index = self._append_difference(difference)
        self._changes_by_player[change.player] = _OpenChange(change.amount, index)

    def add_difference(self, change: StackChange, statement: str, reference: EventRef) -> None:
        """Add a stack that a hand's own events state."""
        self._append_difference(self._build_difference([change], statement, reference, []))

    def add_mismatch(self, hand: HandPlayed, mismatch: ChipMismatch) -> None:
        """Add what doesn't add up within a hand."""
        reference = msgspec.structs.replace(self._notes.refer_to_hand(hand), version=mismatch.version)
        player = next((dealt_in.player for dealt_in in hand.dealt_in if dealt_in.seat == mismatch.seat), "")
        index = self._append_difference(
            self._notes.build_difference(
                mismatch.statement,
                expected=mismatch.expected,
                stated=mismatch.stated,
                seat=mismatch.seat,
                player=player,
                reason=mismatch.reason,
                events=[reference],
            )
        )
        if mismatch.seat is None:  # the pot
            self._uneven_pot = _OpenChange(mismatch.expected - mismatch.stated, index)

    def list_stacks(self, changes: Sequence[StackChange]) -> list[str]:
        """Return how much more or less each seat has."""
        return [self._notes.describe_change(change.seat, change.amount) for change in changes]

    def _build_difference(
        self, changes: Sequence[StackChange], statement: str, reference: EventRef, causes: Sequence[EventRef]
    ) -> MoneyDifference:
        """Return the difference of the first change. The other changes have the same cause."""
        main_change = changes[0]
        bases = [
            (change.seat, basis) for change in changes if (basis := self._history.find_basis(change.player)) is not None
        ]
        events = list(
            dict.fromkeys([reference, *(event for _, basis in bases for event in basis.list_references(self._notes))])
        )
        return self._notes.build_difference(
            statement,
            expected=main_change.expected,
            stated=main_change.stated,
            seat=main_change.seat,
            player=main_change.player,
            reason=paragraph(*(basis.describe(self._notes, seat) for seat, basis in bases)),
            events=events,
            could_explain=[cause for cause in causes if cause not in events],
        )

    def _append_difference(self, difference: MoneyDifference) -> int | None:
        """Add a difference, and return its index; None if nothing is reported now."""
        if not self.is_reporting:
            return None
        self.differences.append(difference)
        return len(self.differences) - 1

    def _join_difference(self, index: int | None, reference: EventRef, reason: str = "") -> None:
        """Add a hand or a fact to the difference whose other side it shows."""
        if index is None:
            return
        difference = self.differences[index]
        if reference not in difference.events:
            self.differences[index] = msgspec.structs.replace(
                difference, events=[*difference.events, reference], because=paragraph(difference.because, reason)
            )
