"""What lies before the first hand of a record, or in a hole of it: unknown, but for somebody's word."""

from __future__ import annotations

from typing import TypeAlias

from ledger.table.events import AbsenceTold, BlindsOwed, PlayerEstablished
from projections.obligations.dues import Ground, Missed
from projections.obligations.stakes import ROLES
from projections.obligations.tab import Tab
from projections.sentences import debts as reasons
from projections.sentences import unknowns

Word: TypeAlias = PlayerEstablished | BlindsOwed | AbsenceTold
"""What somebody says of a player before the record."""


def doubt_earlier_blinds(tab: Tab, hand: str, *, is_named: bool) -> None:
    """Take it that blinds may have gone past a player who gets no cards on the first hand on record.

    `is_named`: the hand, or somebody's word, says that the player is there without cards.
    """
    if tab.is_vouched_for or (tab.missed and all(not missed_blind.hand for missed_blind in tab.missed)):
        return  # somebody's word, or markers, tell what went past
    if tab.first_absence and _is_not_before(tab.first_absence, hand):
        tab.maybe_missed = frozenset()  # was there until this very hand
        return
    tab.maybe_missed = frozenset(ROLES)
    tab.missing_fact, tab.doubt = "", None
    if not is_named:
        tab.missing_fact = tab.doubt = unknowns.sat_out_or_left_before(tab.seat, hand)


def _is_not_before(number: str, hand: str) -> bool:
    """Whether a hand's number is not before another's; numbers that are no whole ones have no order."""
    if number.isascii() and number.isdigit() and hand.isascii() and hand.isdigit():
        return int(number) >= int(hand)
    return number == hand


def believe(tab: Tab, event: Word, version: int | None) -> None:
    """Take somebody's word for how a player stands since before the record.

    What the record itself shows of the player is not taken back by it.
    """
    if isinstance(event, AbsenceTold):
        tab.first_absence, tab.missed_while_away = event.since, True
        return
    tab.established = tab.entered = tab.is_vouched_for = True
    tab.marked, tab.maybe_missed = None, frozenset()
    if tab.missing_fact != tab.doubt:
        tab.missing_fact = ""
    if isinstance(event, PlayerEstablished):
        tab.missed = [missed_blind for missed_blind in tab.missed if missed_blind.hand]
        tab.settlement = tab.settlement or Ground(
            reasons.known_before_record(event.seat), (), "record", version=version
        )
        return
    for role in event.roles:
        if all(missed_blind.role != role for missed_blind in tab.missed):
            sentence = reasons.owed_before_record(event.seat, role)
            tab.missed.append(Missed(role, "", Ground(sentence, (), "record", version=version)))
    if not event.roles and not tab.missed:
        tab.marked = version or 0  # something went past: what, is not said
