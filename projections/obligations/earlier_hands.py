"""What happened before a record begins, or in a gap of it: unknown, except for what somebody says."""

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
    """Note that blinds may have passed a player without cards on the first recorded hand.

    `is_named`: the hand, or somebody's word, says that the player is there without cards.
    """
    if tab.is_vouched_for or (tab.missed and all(not missed_blind.hand for missed_blind in tab.missed)):
        return  # somebody's word, or markers, say what went past
    if tab.first_absence and _is_not_before(tab.first_absence, hand):
        tab.maybe_missed = frozenset()  # was there until this very hand
        return
    tab.maybe_missed = frozenset(ROLES)
    tab.missing_fact, tab.doubt = "", None
    if not is_named:
        tab.missing_fact = tab.doubt = unknowns.sat_out_or_left_before(tab.seat, hand)


def _is_not_before(number: str, hand: str) -> bool:
    """Whether a hand's number isn't before another's. Numbers that aren't whole have no order."""
    if number.isascii() and number.isdigit() and hand.isascii() and hand.isdigit():
        return int(number) >= int(hand)
    return number == hand


def believe(tab: Tab, event: Word, version: int | None) -> None:
    """Accept what somebody says of a player before the record.

    It doesn't undo what the record itself shows.
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
        tab.marked = version or 0  # blinds went past, and nobody says which
