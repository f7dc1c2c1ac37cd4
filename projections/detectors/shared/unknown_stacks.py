"""Breaches that depend on whether a player was all-in, when neither a stack nor an all-in is recorded.

Such a hand is judged a second time with every such player all-in. A breach that only the first reading shows
isn't certain; if it isn't about such a player's own bet, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.events import HandEvent
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, StraddlePosted
from ledger.replay import HandReplay
from ledger.vocabulary import Seat
from projections.books.rulebook import Clause
from projections.findings.finding import Breach
from projections.sentences import record_doubts
from projections.timeline.hand_timeline import Timeline

ChipEvent: TypeAlias = AntePosted | Bet | BlindPosted | BringInPosted | Called | Completed | Raised | StraddlePosted

UNKNOWN_STACKS: Final = "stacks-before"
"""The missing fact if nobody can tell whether a player was all-in."""


class AllInReading:
    """A second reading of a hand, with every player all-in who may be. It's built only when a clause finds a breach."""

    def __init__(self, hand: HandReplay, timeline: Timeline) -> None:
        self._hand = hand
        self._in_force = timeline.in_force
        self._breaches: dict[tuple[str, str], set[tuple[int, Seat | None]]] = {}

    def judge(self, clause: Clause, breach: Breach) -> Literal["stands", "doubtful", "cannot_tell"]:
        """Return how sure a breach is, given that these players may be all-in.

        It stands if both readings show it. Otherwise such a player's own bet is doubtful, and nobody can tell about
        a street or a payout.
        """
        if not self._last_versions or clause.run is None or clause.spec is None or clause.spec.reads_table:
            return "stands"  # who owes a blind doesn't depend on how a hand was bet
        key = clause.book, clause.id
        breach_keys = self._breaches.get(key)
        if breach_keys is None:
            answers = clause.run(self._timeline)
            breach_keys = {(answer.version, answer.seat) for answer in answers if isinstance(answer, Breach)}
            self._breaches[key] = breach_keys
        if (breach.version, breach.seat) in breach_keys:
            return "stands"
        return "doubtful" if breach.version in self._last_versions.values() else "cannot_tell"

    @property
    def doubt(self) -> str:
        """The reason why a breach is doubtful: the seats that may be all-in."""
        return record_doubts.may_be_all_in(sorted(self._last_versions))

    @cached_property
    def _last_versions(self) -> dict[Seat, int]:
        return find_possible_all_ins(self._hand)

    @cached_property
    def _timeline(self) -> Timeline:
        return Timeline(_build_all_in_reading(self._hand, self._last_versions.values()), self._in_force)


def find_possible_all_ins(hand: HandReplay) -> dict[Seat, int]:
    """Return the seats that may have bet their last chip, each with the version of that event.

    A seat's stack isn't on record, no event says whether it is all-in, and it does nothing afterwards.
    """
    dealt_seats = hand.final_state.dealt
    last_versions: dict[Seat, int] = {}
    for version, event in hand.numbered:
        if isinstance(event, ChipEvent):
            dealt_seat = dealt_seats.get(event.seat)
            if dealt_seat is not None and dealt_seat.stack is None and event.all_in is None:
                last_versions[event.seat] = version
            else:
                last_versions.pop(event.seat, None)
        elif isinstance(event, Checked | Folded):
            last_versions.pop(event.seat, None)
    return last_versions


def _build_all_in_reading(hand: HandReplay, versions: Iterable[int]) -> HandReplay:
    """Return a copy of the hand in which the events of these versions are all-in."""
    in_force: dict[int, Event] = dict(hand.numbered)
    events: list[HandEvent] = list(hand.recorded_events)
    for version in versions:
        if events[version - 1] is in_force[version]:
            events[version - 1] = msgspec.structs.replace(events[version - 1], all_in=True)
    return hand.replace_events(events)
