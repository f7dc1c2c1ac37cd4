"""An evening as people write it: no line for who gets no cards, and fewer facts about who waits."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ledger import presence as pr
from ledger.hand.opening import SeatLeftOut
from ledger.table import events as t
from tests.evenings.generate import Dealt, Evening


def as_told(evening: Evening) -> Evening:
    """The evening with a line for everybody who gets no cards."""
    return evening


def natural(evening: Evening) -> Evening:
    """The evening without lines for those who get no cards, and without what they wait for."""
    return Evening(
        evening.room, evening.seed, [_remove_kinds(hand, {pr.WaitDeclared}) for hand in evening.hands], evening.after
    )


def forgetful(evening: Evening, rng: Random) -> Evening:
    """As `natural`; and of some players nobody wrote that they went away, or lost their last chip."""
    hands = []
    for hand in evening.hands:
        forgotten: set[type] = {pr.WaitDeclared}
        forgotten |= {kind for kind in (pr.PlayerAway, pr.PlayerBusted) if rng.random() < 0.5}
        hands.append(_remove_kinds(hand, forgotten))
    return Evening(evening.room, evening.seed, hands, evening.after)


def _remove_kinds(hand: Dealt, kinds: set[type]) -> Dealt:
    facts: list[t.TableEvent] = [event for event in hand.before if type(event) not in kinds]
    events = [event for event in hand.events if not isinstance(event, SeatLeftOut)]
    return replace(hand, events=events, before=facts)
