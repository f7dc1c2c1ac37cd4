"""What happened before a record begins, or in a gap: unknown, unless somebody states it."""

from __future__ import annotations

from typing import TypeAlias

from ledger.table.events import AbsenceTold, BlindsOwed, PlayerEstablished
from projections.obligations.dues import Ground, Missed
from projections.obligations.stakes import ROLES
from projections.obligations.tab import Tab
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns

PlayerStatement: TypeAlias = PlayerEstablished | BlindsOwed | AbsenceTold
"""Somebody's statement about a player before the record begins."""


def doubt_earlier_blinds(tab: Tab, hand: str, *, is_named: bool) -> None:
    """Note that blinds may have passed a player who got no cards on the first recorded hand.

    `is_named`: the hand lists the player as present without cards, or somebody stated it.
    """
    if tab.is_vouched_for or (tab.missed and all(not missed_blind.hand for missed_blind in tab.missed)):
        return  # a statement or a marker shows which blinds went past
    if tab.first_absence and _is_same_or_later(tab.first_absence, hand):
        tab.maybe_missed = frozenset()  # the player was dealt in until this hand
        return
    tab.maybe_missed = frozenset(ROLES)
    tab.missing_fact, tab.doubt = "", None
    if not is_named:
        tab.missing_fact = tab.doubt = unknowns.sat_out_or_left_before(tab.seat, hand)


def _is_same_or_later(number: str, hand: str) -> bool:
    """Whether the hand with this number is `hand` itself or came after it. Both are numbers of hands.

    Names such as "12b" have no order: they are only compared for equality.
    """
    if number.isascii() and number.isdigit() and hand.isascii() and hand.isdigit():
        return int(number) >= int(hand)
    return number == hand


def apply_statement(tab: Tab, event: PlayerStatement, version: int | None) -> None:
    """Apply a statement about a player before the record. It doesn't undo what the record itself shows.

    `version`: of the statement in the table's stream.
    """
    if isinstance(event, AbsenceTold):
        tab.first_absence, tab.missed_while_away = event.since, True
        return
    tab.established = tab.entered = tab.is_vouched_for = True
    tab.marker_version, tab.maybe_missed = None, frozenset()
    if tab.missing_fact != tab.doubt:
        tab.missing_fact = ""
    if isinstance(event, PlayerEstablished):
        tab.missed = [missed_blind for missed_blind in tab.missed if missed_blind.hand]
        tab.settlement = tab.settlement or Ground(
            debt_sentences.known_before_record(event.seat), (), "record", version=version
        )
        return
    for role in event.roles:
        if all(missed_blind.role != role for missed_blind in tab.missed):
            sentence = debt_sentences.owed_before_record(event.seat, role)
            tab.missed.append(Missed(role, "", Ground(sentence, (), "record", version=version)))
    if not event.roles and not tab.missed:
        tab.marker_version = version or 0  # blinds went past, and nobody says which
