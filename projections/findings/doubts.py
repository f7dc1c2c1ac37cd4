"""Doubts about a table's record, such as missing hands or unread lines, which limit how certain findings can be.

The caller passes what it knows about the sources (`UnreadLines`). Hand numbers, stacks and witnesses come from the
table as it is replayed. Only `limit_certainty` lowers a finding's certainty.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from ledger.files.disk_spool import DiskSpool
from ledger.table.carry import explain_loose_link, fit_hand, is_next_number
from ledger.table.events import HandPlayed
from ledger.table.numbers import NumberKey, number_key
from ledger.table.state import TableState
from ledger.vocabulary import Witness
from projections.findings.finding import Breach, Certainty
from projections.sentences import paragraph
from projections.sentences import record_doubts as say

CONTRADICTIONS: Final = frozenset({"R1", "R2", "R3", "R4", "R5", "R7", "R10", "R11", "R13", "R18", "R21"})
"""Clauses of the rulebook `record` whose breach means that a hand's record contradicts itself, so that nobody can tell
which part is wrong. Of its other clauses, R6 is about a deck that may have been fouled, R8 about a line that wasn't
read, and the rest about acts and awards that may have happened just as recorded."""

UNREAD_LINE: Final = "a line that was not understood"
"""The missing fact if a line of the hand, or a line before it, was rejected or not understood."""
_MISSING_HANDS: Final = int(Witness.MISSING_HANDS)
_PRESENCE: Final = int(Witness.PRESENCE)
_SHOWN_DOUBTS: Final = 2
_LISTED_DOUBTS: Final = 4
"""How many older doubts are listed one by one: `_SHOWN_DOUBTS`, and two that may repeat doubts about the positions."""


class UnreadLines(NamedTuple):
    """Whether lines weren't understood: within a hand, or in its source just before or after it."""

    in_hand: bool = False
    before_hand: bool = False
    after_hand: bool = False


def pack_unread(unread_lines: UnreadLines) -> int:
    """Pack the unread lines of a hand into an integer, for a row of a shard."""
    return unread_lines.in_hand * 1 | unread_lines.before_hand * 2 | unread_lines.after_hand * 4


def unpack_unread(bits: int) -> UnreadLines:
    """Unpack what `pack_unread` packed."""
    return UnreadLines(in_hand=bool(bits & 1), before_hand=bool(bits & 2), after_hand=bool(bits & 4))


ALL_READ: Final = UnreadLines()
_LINES_UNREAD_BEFORE: Final = UnreadLines(before_hand=True)


class NearestDoubts(NamedTuple):
    """The nearest doubts first, and how many more there are."""

    nearest: list[str]
    omitted: int = 0


class _Doubt(msgspec.Struct):
    says: str


class RecordDoubts:
    """Follows a table hand by hand and collects doubts about its record since the last missing hand."""

    __slots__ = (
        "_ascending",
        "_doubts",
        "_hand_indexes",
        "_hand_of_doubt",
        "_hands",
        "_last",
        "_number",
        "_numbers",
        "_unread_by_hand",
        "_unread_count",
    )

    def __init__(self, unread_by_hand: Mapping[str, UnreadLines]) -> None:
        """Store the unread lines of each hand that has any, by the id of the hand's stream, hex."""
        self._unread_by_hand = unread_by_hand
        self._hands = 0  # how many hands were added
        self._unread_count = 0  # unread lines between hands, up to the last hand
        self._number = ""  # of the last hand of any game
        self._last: NumberKey = ()  # the same number, as a key to sort by
        self._reset()

    def _reset(self) -> None:
        """Drop all doubts, which don't concern later hands."""
        self._doubts: DiskSpool[_Doubt] | None = (
            None  # on disk, as a table may have very many hands; None without doubts
        )
        self._hand_of_doubt = array("Q")  # for each doubt: its hand, counted from the table's first hand, 1
        self._numbers = array("q")  # for each hand: a digest of its number
        # By hand number: the index in `_numbers` of its last hand; a cache of the numbers that were looked up.
        self._hand_indexes: dict[str, int] = {}
        self._ascending = True  # no number occurs twice, so no two doubts have the same text

    def snapshot(self) -> tuple[object, ...]:
        """Return a snapshot of all doubts, as plain values for `restore`."""
        raw_doubts = None if self._doubts is None else self._doubts.raw_items()
        counters = self._hands, self._unread_count, self._number, self._last, self._ascending
        return *counters, raw_doubts, self._hand_of_doubt, self._numbers

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Continue from a snapshot that an earlier replay of the same table took."""
        self._hands, self._unread_count, self._number, self._last, self._ascending, raw_doubts, *arrays = snapshot
        self._hand_of_doubt, self._numbers = arrays
        if raw_doubts is not None:
            self._doubts = DiskSpool.from_raw(_Doubt, *raw_doubts)

    def find_unread_lines(self, state: TableState, hand: HandPlayed | None) -> UnreadLines:
        """Return the unread lines in and before a hand (None: the next hand)."""
        has_unread_between = state.unread_lines > self._unread_count
        if not self._unread_by_hand:
            return _LINES_UNREAD_BEFORE if has_unread_between else ALL_READ
        unread = ALL_READ if hand is None else self._unread_by_hand.get(hand.hand, ALL_READ)
        last_unread = ALL_READ if state.last_hand is None else self._unread_by_hand.get(state.last_hand.hand, ALL_READ)
        return unread._replace(before_hand=True) if last_unread.after_hand or has_unread_between else unread

    def add_hand(self, state: TableState, hand: HandPlayed) -> None:
        """Collect the doubts about a hand; `state` is the table before it."""
        gap = None if state.last_hand is None else fit_hand(state, hand).gap
        if gap is not None:
            self._reset()  # what is owed starts over
        starts_over = gap is not None and gap.how == "numbers" and gap.count is None
        # A new game doesn't depend on the hands before it; after a gap, debts may depend on the missing hands.
        doubts = self._list_unread_doubts(state, hand) if starts_over else self._list_link_doubts(state, hand)
        if self.find_unread_lines(state, hand).in_hand:
            doubts.append(say.line_not_read(hand.number))
        if hand.contradicts:
            doubts.append(say.contradictory(hand.number))
        if not (hand.completed or hand.voided):
            doubts.append(say.no_recorded_end(hand.number))
        self._ascending = self._ascending and self._is_ascending_after_last(hand)
        self._hands, self._unread_count = self._hands + 1, state.unread_lines
        self._number = hand.number
        self._last = number_key(hand.number)
        self._numbers.append(_compute_number_digest(hand.number))
        self._hand_indexes.pop(hand.number, None)
        for doubt in doubts:
            self._doubts = DiskSpool(_Doubt) if self._doubts is None else self._doubts
            self._doubts.append(_Doubt(doubt))
            self._hand_of_doubt.append(self._hands)

    def _is_ascending_after_last(self, hand: HandPlayed) -> bool:
        """Whether a hand has a higher number than the last hand since the reset, if there was one."""
        return not self._numbers or self._last < number_key(hand.number)

    def list_since(
        self, state: TableState, until_hand: HandPlayed | None, since_number: str | None = None
    ) -> list[str]:
        """Return the doubts about the record up to `until_hand` (None: the coming hand), the nearest first.

        `since_number` is the number of the hand where they start. If it's "" or no hand has it, they start at the
        first known hand; if it's None, at the last hand.
        """
        older_doubts = self._iter_older(self._find_first_doubt(since_number))
        if since_number is None:
            # Drop doubts from before the last hand: its recorded positions settle what came before.
            hand_doubts = (
                say.line_not_read(state.number),
                say.contradictory(state.number),
                say.no_recorded_end(state.number),
            )
            older_set = set(older_doubts)
            older_doubts = (doubt for doubt in hand_doubts if doubt in older_set)
        return list(dict.fromkeys([*self._list_link_doubts(state, until_hand), *older_doubts]))

    def list_nearest(
        self, state: TableState, until_hand: HandPlayed | None, since_number: str | None = None
    ) -> NearestDoubts:
        """Return the same doubts as `list_since`, but build the texts of only the nearest, as there may be very many."""
        if since_number is None or not (
            self._ascending and (until_hand is None or self._is_ascending_after_last(until_hand))
        ):
            return NearestDoubts(self.list_since(state, until_hand, since_number))
        first_index = self._find_first_doubt(since_number)
        doubts = [*self._list_link_doubts(state, until_hand), *islice(self._iter_older(first_index), _LISTED_DOUBTS)]
        return NearestDoubts(doubts, max(0, len(self._hand_of_doubt) - first_index - _LISTED_DOUBTS))

    def _find_first_doubt(self, number: str | None) -> int:
        """Return the index of the first doubt about a hand or a later one; without a number, about the last hand."""
        if number is None:
            return bisect_left(self._hand_of_doubt, max(self._hands, 1))
        hand_index = self._hand_indexes.get(number)
        if hand_index is None:
            hand_index = self._hand_indexes[number] = self._find_hand_index(number)
        if hand_index < 0:
            return bisect_left(self._hand_of_doubt, 1)
        hands_before_reset = self._hands - len(self._numbers)
        return bisect_left(self._hand_of_doubt, hands_before_reset + hand_index + 1)

    def _find_hand_index(self, number: str) -> int:
        """Return the index in `_numbers` of the last hand with a number; -1: no hand has it."""
        digest, hand_index = _compute_number_digest(number), -1
        with suppress(ValueError):
            while True:
                hand_index = self._numbers.index(digest, hand_index + 1)
        return hand_index

    def _iter_older(self, first_index: int) -> Iterator[str]:
        """Yield the texts of all doubts from an index on, the last first."""
        kept_doubts = self._doubts
        if kept_doubts is not None:
            for index in range(len(kept_doubts) - 1, first_index - 1, -1):
                yield kept_doubts[index].says

    def _list_link_doubts(self, state: TableState, hand: HandPlayed | None) -> list[str]:
        """Return the doubts about what happened between the last hand and `hand`."""
        doubts = self._list_unread_doubts(state, hand)
        if hand is None:
            return doubts
        if state.last_hand is None:  # a new game, by the record
            return doubts + self._list_game_start_doubts(hand)
        fit = fit_hand(state, hand).fit
        if fit is None:
            return doubts
        if _is_seated_elsewhere(state, hand):
            doubts.append(say.seats_changed(hand.number))
        missing = explain_loose_link(fit)
        if missing:
            doubts.append(missing)
        if not hand.witnesses & state.last_hand.witnesses & _PRESENCE and (
            fit.came
            or fit.left
            or any(seat_state.presence == "unknown" for seat_state in state.seats.values())
            or any(left_out.reason == "unknown" for left_out in hand.left_out)
        ):
            doubts.append(say.absences_unrecorded(hand.number))
        return doubts

    def _list_unread_doubts(self, state: TableState, hand: HandPlayed | None) -> list[str]:
        if not self.find_unread_lines(state, hand).before_hand:
            return []
        return [say.line_before_not_read("" if hand is None else hand.number)]

    def _list_game_start_doubts(self, hand: HandPlayed) -> list[str]:
        """Return why a hand may not be the first of its game: earlier hands may belong to the same game."""
        follows = is_next_number(self._number, hand.number) and hand.witnesses & _MISSING_HANDS
        if not self._hands or hand.number == "1" or follows:
            return []
        return [say.may_not_be_first(hand.number, self._number)]


def _is_seated_elsewhere(state: TableState, hand: HandPlayed) -> bool:
    """Whether a player is dealt in at another seat than the table's record shows."""
    seats = state.seats
    for dealt_player in hand.dealt_in:
        seat_state = seats.get(dealt_player.seat)
        if (seat_state is None or seat_state.player != dealt_player.player) and any(
            seated.player == dealt_player.player for seated in seats.values()
        ):
            return True
    return False


def _compute_number_digest(number: str) -> int:
    """Return an 8-byte digest of a hand number, the same in every run, because snapshots store it."""
    return int.from_bytes(blake2b(number.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def grade_breach(breach: Breach) -> tuple[Certainty, str]:
    """Return how certain a breach is, and its reasons with all assumptions."""
    assumed = list(dict.fromkeys(ground.sentence for ground in breach.grounds if ground.basis == "assumed"))
    reasons = breach.because or paragraph(*(ground.sentence for ground in breach.grounds if ground.basis != "assumed"))
    assumption = say.reading_assumed(paragraph(*assumed)) if assumed else ""
    return limit_certainty(breach.certainty, reasons, [assumption] if assumption else [])


def limit_certainty(
    certainty: Certainty, reason: str, doubts: Sequence[str], omitted: int = 0
) -> tuple[Certainty, str]:
    """Return a certainty no higher than the record allows, and the reason with the doubts added.

    `omitted` counts the doubts that `doubts` leaves out, all of them further back.
    """
    if not doubts:
        return certainty, reason
    return "likely" if certainty == "certain" else certainty, paragraph(reason, summarize_doubts(doubts, omitted))


def summarize_doubts(doubts: Sequence[str], omitted: int = 0) -> str:
    """Return a text of the nearest doubts, and how many more there are."""
    remainder = max(0, omitted + len(doubts) - _SHOWN_DOUBTS)
    return paragraph(*doubts[:_SHOWN_DOUBTS], say.more_open_questions(remainder))
