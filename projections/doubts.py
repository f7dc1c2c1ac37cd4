"""What of a table's record may be missing or was not read, hand by hand: no finding is surer than it.

Facts about the sources come from outside (`Spoiled`); what hand numbers, stacks and witnesses say is
taken from the table as it is walked. `bounded` is the one place where a finding's certainty falls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ledger.table.carry import fitted, loose
from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from ledger.vocabulary import Witness
from projections.finding import Breach, Certainty

CONTRADICTIONS: Final = frozenset({"R1", "R2", "R3", "R4", "R5", "R7", "R10", "R11"})
"""Clauses of `record` whose breach says that a hand's record contradicts itself: which part of it is wrong,
nobody can tell. R6 tells of a deck that may have been fouled, R8 of a line that was not read, R9 of an award that
may have been made just as it says."""

UNREAD: Final = "a line that was not understood"
"""What is wanting where a line of the hand, or of what lies before it, was rejected or not understood."""
_PRESENCE: Final = int(Witness.PRESENCE)
_SAID_MOST: Final = 2


class Spoiled(NamedTuple):
    """Whether lines of a hand, or of its source just before or just behind it, were not understood."""

    within: bool = False
    before: bool = False
    after: bool = False


SOUND: Final = Spoiled()
_BEFORE: Final = Spoiled(before=True)


class _Doubt(NamedTuple):
    hand: int  # the how manieth hand of the table it touches
    says: str


class Doubts:
    """Walks with a table and keeps what is doubtful of its record since no hand is known to be missing."""

    __slots__ = ("_found", "_hands", "_number", "_spoiled", "_unread")

    def __init__(self, spoiled: Mapping[str, Spoiled]) -> None:
        """Take what of the hands was not read, by the id of the hand's stream, hex."""
        self._spoiled = spoiled
        self._found: list[_Doubt] = []
        self._hands = self._unread = (
            0  # lines between hands that were not understood, up to the last
        )
        self._number: dict[str, int] = {}  # of a hand that doubts lie before → the how manieth

    def of(self, state: TableState, hand: HandPlayed | None) -> Spoiled:
        """Say what of a hand (None: the coming one), or before it, was not read."""
        told = state.unread > self._unread
        if not self._spoiled:
            return _BEFORE if told else SOUND
        found = SOUND if hand is None else self._spoiled.get(hand.hand, SOUND)
        last = SOUND if state.last is None else self._spoiled.get(state.last.hand, SOUND)
        return found._replace(before=True) if last.after or told else found

    def take(self, state: TableState, hand: HandPlayed) -> None:
        """Go on past a hand; `state` is the table before it."""
        if state.last is not None and fitted(state, hand).gap is not None:
            self._found.clear()  # what is owed begins anew
            self._number.clear()
        said = self._link(state, hand)
        if self.of(state, hand).within:
            said.append(_not_read(hand.number))
        if hand.contradicts:
            said.append(contradicting(hand.number))
        self._hands, self._unread = self._hands + 1, state.unread
        self._number.pop(hand.number, None)
        if self._found:  # behind no doubt, all that are known are meant: as behind no hand
            self._number[hand.number] = self._hands
        self._found += [_Doubt(self._hands, says) for says in said]

    def since(
        self, state: TableState, hand: HandPlayed | None, number: str | None = None
    ) -> list[str]:
        """Return what is doubtful of the way to `hand` (None: the coming one), the nearest first.

        Of the last hand and what lies behind it; with `number`, from that hand on. A number that no
        hand has is the beginning of what is known.
        """
        first = self._hands if number is None else self._number.get(number, 0)
        old = [one.says for one in reversed(self._found) if one.hand >= max(first, 1)]
        if number is None:  # the way to the last hand is told by its own positions
            own = (_not_read(state.number), contradicting(state.number))
            old = [says for says in own if says in old]
        return list(dict.fromkeys([*self._link(state, hand), *old]))

    def _link(self, state: TableState, hand: HandPlayed | None) -> list[str]:
        """Return what is doubtful between the last hand and `hand`."""
        said = []
        if self.of(state, hand).before:
            said.append(f"a line before {_name(hand)} was not understood")
        if hand is None or state.last is None:
            return said
        fit = fitted(state, hand).fit
        if fit is None:
            return said
        here = {held.player: seat for seat, held in state.seats.items()}
        if any(here.get(one.player, one.seat) != one.seat for one in hand.dealt_in):
            said.append(f"somebody sits elsewhere on hand {hand.number}, and no move is told")
        missing = loose(fit)
        if missing:
            said.append(missing)
        if not hand.witnesses & state.last.witnesses & _PRESENCE and (
            fit.came
            or fit.left
            or any(h.presence == "unknown" for h in state.seats.values())
            or any(one.reason == "unknown" for one in hand.left_out)
        ):
            said.append(f"who sat without cards is not recorded ({_name(hand)})")
        return said


def _name(hand: HandPlayed | None) -> str:
    return "the coming hand" if hand is None else f"hand {hand.number}"


def _not_read(number: str) -> str:
    return f"a line of hand {number} was not understood"


def contradicting(number: str) -> str:
    """Say that a hand's record does not agree with itself."""
    return f"the record of hand {number} contradicts itself"


def certainty_of(breach: Breach) -> tuple[Certainty, str]:
    """Return how certain a breach is, and why it is one: what was assumed is named."""
    assumed = list(dict.fromkeys(g.says for g in breach.grounds if g.basis == "assumed"))
    why = breach.because or "; ".join(
        dict.fromkeys(g.says for g in breach.grounds if g.basis != "assumed")
    )
    said = f"assumed: {'; '.join(assumed)}" if assumed else ""
    return bounded(breach.certainty, why, [said] if said else [])


def bounded(certainty: Certainty, because: str, doubts: Sequence[str]) -> tuple[Certainty, str]:
    """Return a certainty no higher than the record allows, and with it what is doubtful of the record."""
    if not doubts:
        return certainty, because
    said = doubtful(doubts)
    return (
        "likely" if certainty == "certain" else certainty,
        "; ".join(filter(None, (because, said))),
    )


def doubtful(doubts: Sequence[str]) -> str:
    """Return what is doubtful in few words: the nearest, and how many more."""
    more = len(doubts) - _SAID_MOST
    said: Iterable[str] = doubts[:_SAID_MOST]
    return "; ".join([*said, f"and {more} more such doubts"] if more > 0 else said)
