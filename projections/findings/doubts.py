"""What of a table's record may be missing or was not read, hand by hand: no finding is surer than it.

Facts about the sources come from outside (`Spoiled`); what hand numbers, stacks and witnesses say is
taken from the table as it is walked. `bounded` is the one place where a finding's certainty falls.
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

from ledger.disk_spool import Kept
from ledger.hand.seat_maps import FEW_SEATS
from ledger.replay import PlayedHand
from ledger.table.carry import fitted, loose, next_number
from ledger.table.events import HandPlayed
from ledger.table.numbers import Key, number_key
from ledger.table.state import TableState
from ledger.vocabulary import Witness
from projections.findings.finding import TOO_MANY_PLAYERS, Breach, Certainty
from projections.sentences import paragraph
from projections.sentences.record_doubts import more_open_questions, reading_assumed

CONTRADICTIONS: Final = frozenset({"R1", "R2", "R3", "R4", "R5", "R7", "R10", "R11", "R13", "R18", "R21"})
"""Clauses of `record` whose breach says that a hand's record contradicts itself: which part of it is wrong,
nobody can tell. R6 tells of a deck that may have been fouled, R8 of a line that was not read. The others tell of
acts and awards that may have been made just as the record says."""

UNREAD: Final = "a line that was not understood"
"""What is wanting where a line of the hand, or of what lies before it, was rejected or not understood."""
_MISSING_HANDS: Final = int(Witness.MISSING_HANDS)
_PRESENCE: Final = int(Witness.PRESENCE)
_SAID_MOST: Final = 2
_NEAREST: Final = 4
"""Of older doubts so many are told one by one: two of them may be said of the positions already."""


def players_not_judged(hand: PlayedHand) -> str:
    """Say that a hand has more players than are judged; "" = it has not."""
    crowded = len(hand.recorded_events) > FEW_SEATS and len(hand.final.dealt) > FEW_SEATS
    return TOO_MANY_PLAYERS if crowded else ""


class Spoiled(NamedTuple):
    """Whether lines of a hand, or of its source just before or just behind it, were not understood."""

    within: bool = False
    before: bool = False
    after: bool = False


def bits_of(one: Spoiled) -> int:
    """Return what was not read of a hand as a row of a shard has it."""
    return one.within * 1 | one.before * 2 | one.after * 4


def spoiled_of(bits: int) -> Spoiled:
    """Return what was not read of a hand, out of a row of a shard."""
    return Spoiled(within=bool(bits & 1), before=bool(bits & 2), after=bool(bits & 4))


SOUND: Final = Spoiled()
_SPOILED_BEFORE: Final = Spoiled(before=True)


class Doubted(NamedTuple):
    """What is doubtful, the nearest first, and how many more such doubts there are."""

    nearest: list[str]
    more: int = 0


class _Doubt(msgspec.Struct):
    says: str


class Doubts:
    """Walks with a table and keeps what is doubtful of its record since no hand is known to be missing."""

    __slots__ = (
        "_ascending",
        "_asked",
        "_found",
        "_hands",
        "_last",
        "_number",
        "_numbers",
        "_spoiled",
        "_touched",
        "_unread",
    )

    def __init__(self, spoiled: Mapping[str, Spoiled]) -> None:
        """Take what of the hands was not read, by the id of the hand's stream, hex."""
        self._spoiled = spoiled
        self._hands = self._unread = 0  # lines between hands that were not understood, up to the last
        self._number = ""  # of the last hand, whichever game it was of
        self._last: Key = ()
        self._begin()

    def _begin(self) -> None:
        """Begin anew: what lies before counts no more. A table may have very many hands until then."""
        self._found: Kept[_Doubt] | None = None
        self._touched = array("Q")  # of each doubt: the how manieth hand of the table it touches
        self._numbers = array("q")  # of each hand a digest of its number
        self._asked: dict[str, int] = {}  # where in it the last of a number stands, of those asked for
        self._ascending = True  # no number was told twice, so that no two doubts say the same

    def rest(self) -> tuple[object, ...]:
        """Return all that is kept, as plain values; `wake` takes it."""
        raw_doubts = None if self._found is None else self._found.raw()
        counters = self._hands, self._unread, self._number, self._last, self._ascending
        return *counters, raw_doubts, self._touched, self._numbers

    def wake(self, rest: tuple[Any, ...]) -> None:
        """Go on from where another walk of the same table rested."""
        self._hands, self._unread, self._number, self._last, self._ascending, raw_doubts, *arrays = rest
        self._touched, self._numbers = arrays
        if raw_doubts is not None:
            self._found = Kept.again(_Doubt, *raw_doubts)

    def of(self, state: TableState, hand: HandPlayed | None) -> Spoiled:
        """Say what of a hand (None: the coming one), or before it, was not read."""
        has_unread_lines = state.unread > self._unread
        if not self._spoiled:
            return _SPOILED_BEFORE if has_unread_lines else SOUND
        spoiled = SOUND if hand is None else self._spoiled.get(hand.hand, SOUND)
        last_spoiled = SOUND if state.last is None else self._spoiled.get(state.last.hand, SOUND)
        return spoiled._replace(before=True) if last_spoiled.after or has_unread_lines else spoiled

    def take(self, state: TableState, hand: HandPlayed) -> None:
        """Go on past a hand; `state` is the table before it."""
        if state.last is not None and fitted(state, hand).gap is not None:
            self._begin()  # what is owed begins anew
        doubts = self._link(state, hand)
        if self.of(state, hand).within:
            doubts.append(_unread_doubt(hand.number))
        if hand.contradicts:
            doubts.append(contradicting(hand.number))
        if not (hand.completed or hand.voided):
            doubts.append(_no_end_doubt(hand.number))
        self._ascending = self._ascending and self._is_next(hand)
        self._hands, self._unread = self._hands + 1, state.unread
        self._number = hand.number
        self._last = number_key(hand.number)
        self._numbers.append(_number_digest(hand.number))
        self._asked.pop(hand.number, None)
        for doubt in doubts:
            self._found = Kept(_Doubt) if self._found is None else self._found
            self._found.append(_Doubt(doubt))
            self._touched.append(self._hands)

    def _is_next(self, hand: HandPlayed) -> bool:
        """Whether the number of a hand is higher than that of the last, if there was one since the beginning."""
        return not self._numbers or self._last < number_key(hand.number)

    def since(self, state: TableState, hand: HandPlayed | None, number: str | None = None) -> list[str]:
        """Return what is doubtful of the way to `hand` (None: the coming one), the nearest first.

        Of the last hand and what lies behind it; with `number`, from that hand on. A number that no
        hand has is the beginning of what is known.
        """
        older_doubts = self._old(self._from(number))
        if number is None:  # the way to the last hand is told by its own positions
            hand_doubts = (_unread_doubt(state.number), contradicting(state.number), _no_end_doubt(state.number))
            older_set = set(older_doubts)
            older_doubts = (doubt for doubt in hand_doubts if doubt in older_set)
        return list(dict.fromkeys([*self._link(state, hand), *older_doubts]))

    def nearest(self, state: TableState, hand: HandPlayed | None, number: str | None = None) -> Doubted:
        """Return the same as `since`, of which only what is said of it is made: there may be very many."""
        if number is None or not (self._ascending and (hand is None or self._is_next(hand))):
            return Doubted(self.since(state, hand, number))
        first_index = self._from(number)
        doubts = [*self._link(state, hand), *islice(self._old(first_index), _NEAREST)]
        return Doubted(doubts, max(0, len(self._touched) - first_index - _NEAREST))

    def _from(self, number: str | None) -> int:
        """Return the index of the first doubt that touches a hand or one behind it; None: the last hand."""
        if number is None:
            return bisect_left(self._touched, max(self._hands, 1))
        hand_index = self._asked.get(number)
        if hand_index is None:
            hand_index = self._asked[number] = self._place(number)
        return bisect_left(self._touched, self._hands - len(self._numbers) + hand_index + 1 if hand_index >= 0 else 1)

    def _place(self, number: str) -> int:
        """Return where the last hand of a number stands among those since the beginning; -1: nowhere."""
        digest, hand_index = _number_digest(number), -1
        with suppress(ValueError):
            while True:
                hand_index = self._numbers.index(digest, hand_index + 1)
        return hand_index

    def _old(self, first_index: int) -> Iterator[str]:
        """Yield what the doubts from one on say, the last first."""
        kept_doubts = self._found
        if kept_doubts is not None:
            for index in range(len(kept_doubts) - 1, first_index - 1, -1):
                yield kept_doubts[index].says

    def _link(self, state: TableState, hand: HandPlayed | None) -> list[str]:
        """Return what is doubtful between the last hand and `hand`."""
        doubts = []
        if self.of(state, hand).before:
            doubts.append(f"a line before {_name_hand(hand)} was not understood")
        if hand is None:
            return doubts
        if state.last is None:  # a new game, as far as the record tells
            return doubts + self._unbegun(hand)
        fit = fitted(state, hand).fit
        if fit is None:
            return doubts
        if _is_seated_elsewhere(state, hand):
            doubts.append(f"names and seats go together otherwise on hand {hand.number}, and no move is told")
        missing = loose(fit)
        if missing:
            doubts.append(missing)
        if not hand.witnesses & state.last.witnesses & _PRESENCE and (
            fit.came
            or fit.left
            or any(seat_state.presence == "unknown" for seat_state in state.seats.values())
            or any(left_out.reason == "unknown" for left_out in hand.left_out)
        ):
            doubts.append(f"who sat without cards is not recorded ({_name_hand(hand)})")
        return doubts

    def _unbegun(self, hand: HandPlayed) -> list[str]:
        """Return why a hand may not be the first of its game: of hands between two games nobody knows of which."""
        follows = next_number(self._number, hand.number) and hand.witnesses & _MISSING_HANDS
        if not self._hands or hand.number == "1" or follows:
            return []
        return [
            f"hand {hand.number} may not be the first of its game: its number does not follow on hand {self._number}"
        ]


def _is_seated_elsewhere(state: TableState, hand: HandPlayed) -> bool:
    """Whether somebody who is dealt in sat in another seat as far as the table was told."""
    seats = state.seats
    for dealt_seat in hand.dealt_in:
        seat_state = seats.get(dealt_seat.seat)
        if (seat_state is None or seat_state.player != dealt_seat.player) and any(
            seated.player == dealt_seat.player for seated in seats.values()
        ):
            return True
    return False


def _number_digest(number: str) -> int:
    """Return eight bytes that stand for a number: the same in every run, as a walk may rest between two."""
    return int.from_bytes(blake2b(number.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def _name_hand(hand: HandPlayed | None) -> str:
    return "the coming hand" if hand is None else f"hand {hand.number}"


def _unread_doubt(number: str) -> str:
    return f"a line of hand {number} was not understood"


def _no_end_doubt(number: str) -> str:
    """Say that a hand may have been cut off or called off: then its positions come again, and nothing was paid."""
    return f"hand {number} has no end on record"


def contradicting(number: str) -> str:
    """Say that a hand's record does not agree with itself."""
    return f"the record of hand {number} contradicts itself"


def certainty_of(breach: Breach) -> tuple[Certainty, str]:
    """Return how certain a breach is, and why it is one: what was assumed is named."""
    assumed = list(dict.fromkeys(ground.says for ground in breach.grounds if ground.basis == "assumed"))
    reasons = breach.because or paragraph(*(ground.says for ground in breach.grounds if ground.basis != "assumed"))
    assumption = reading_assumed("; ".join(assumed)) if assumed else ""
    return bounded(breach.certainty, reasons, [assumption] if assumption else [])


def bounded(certainty: Certainty, because: str, doubts: Sequence[str], more: int = 0) -> tuple[Certainty, str]:
    """Return a certainty no higher than the record allows, and with it what is doubtful of the record.

    `more` is how many more doubts there are than those that are told, of which none is nearer.
    """
    if not doubts:
        return certainty, because
    nearest, remainder = _split_doubts(doubts, more)
    reasons = paragraph(because, *nearest, more_open_questions(remainder))
    return "likely" if certainty == "certain" else certainty, reasons


def doubtful(doubts: Sequence[str], more: int = 0) -> str:
    """Return what is doubtful in few words: the nearest, and how many more."""
    nearest, remainder = _split_doubts(doubts, more)
    remainder_text = f"and {remainder} more open question{'s' * (remainder != 1)}" if remainder else ""
    return "; ".join(filter(None, (*nearest, remainder_text)))


def _split_doubts(doubts: Sequence[str], more: int) -> tuple[Sequence[str], int]:
    """Return the doubts to print, and how many more there are."""
    return doubts[:_SAID_MOST], max(0, more + len(doubts) - _SAID_MOST)
