"""What the blinds that went past change on the tabs: which of them players without cards missed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.table.events import HandPlayed
from ledger.table.pools import ANONYMOUS
from ledger.table.state import TableState
from ledger.table.unlisted_seats import is_still_seated
from ledger.vocabulary import Seat, Witness
from projections.obligations.dues import Ground, Missed
from projections.obligations.earlier_hands import doubt_earlier_blinds
from projections.obligations.missed_blinds import BlindAbsence, BlindPassage, find_absence
from projections.obligations.moves import Move, has_free_pass
from projections.obligations.policy import Policy
from projections.obligations.stakes import ROLES, Blind
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns

_PRESENCE: Final = int(Witness.PRESENCE)
_SEATING: Final = int(Witness.SEATING)
_ABSENCE_REASONS: Final = frozenset({"sitting-out", "away", "reserved", "asked-to-be-dealt-out", "unknown", ""})


def note_passed_blinds(
    player_tabs: TabFacts, hand: HandPlayed, state: TableState, passage: BlindPassage, *, has_met_players: bool
) -> None:
    """Note which blinds passed players without cards. `has_met_players`: an earlier hand has named the players."""
    absence_reasons: dict[Seat, str] = {left_out.seat: left_out.reason for left_out in hand.left_out}
    absence_reasons.update(dict.fromkeys(player_tabs.unnamed_tabs, "away"))
    is_anonymous = ANONYMOUS in hand.options
    for seat, tab in _list_tabs_without_cards(player_tabs, passage):
        absence_reason = absence_reasons.get(seat, "")
        if not has_met_players and tab.entered and absence_reason in _ABSENCE_REASONS:
            doubt_earlier_blinds(tab, hand.number, is_named=seat in absence_reasons)
        if is_anonymous:
            tab.missing_fact = tab.missing_fact or unknowns.same_person(seat)
        if tab.move is not None:
            tab.move.waited += 1
        for role in _iter_charged_blinds(player_tabs.policy, passage, seat, tab):
            is_nominal = passage.is_small_blind_nominal and role == "small"
            _note_missed_blind(tab, role, hand, state, absence_reason, is_nominal=is_nominal)
            if player_tabs.blindless_number:  # the blind may have passed in that hand, where nobody posted one
                open_point = unknowns.missed_in_blindless_hand(seat, player_tabs.blindless_number)
                tab.missing_fact = tab.missing_fact or open_point


def _list_tabs_without_cards(player_tabs: TabFacts, passage: BlindPassage) -> list[tuple[Seat, Tab]]:
    """Return the seats that weren't dealt in when the blinds were posted, with their tabs."""
    dealt = passage.dealt
    seat_tabs = [(seat, player_tabs.tabs[player]) for seat, player in player_tabs.seated.items() if seat not in dealt]
    seat_tabs += [(seat, tab) for seat, tab in player_tabs.unnamed_tabs.items() if seat not in dealt]
    return seat_tabs


def _iter_charged_blinds(policy: Policy, passage: BlindPassage, seat: Seat, tab: Tab) -> Iterator[Blind]:
    """Yield the blinds that passed a seat and that its player owes from now on."""
    if not tab.entered and not (tab.transferred and policy.get("entry.transfer")):
        return  # not in the game yet: a newcomer may let blinds and the button pass
    for role in passage.list_missed_blinds(seat):
        if not tab.entered and role == "small" and not tab.missed:
            continue  # moved here by the house: the player owes nothing before the big blind comes
        if not _passes_free(policy, tab, role):
            yield role


def _passes_free(policy: Policy, tab: Tab, role: Blind) -> bool:
    """Whether the book lets a blind pass free of charge after a seat change. Each blind may pass once."""
    move: Move | None = tab.move
    if move is None or not has_free_pass(policy, move):
        return False
    if not move.granted:
        move.granted, move.passes = True, set(ROLES)
    if role not in move.passes:
        return False
    move.passes.discard(role)
    return True


def _note_missed_blind(
    tab: Tab, role: Blind, hand: HandPlayed, state: TableState, absence_reason: str, *, is_nominal: bool
) -> None:
    """Note on a tab that a blind passed. `is_nominal`: as `BlindPassage.is_small_blind_nominal`, for this blind."""
    if any(missed_blind.role == role and missed_blind.hand for missed_blind in tab.missed):
        return
    # A recorded miss replaces one that only a marker shows: taking the marker away doesn't pay it.
    tab.missed = [missed_blind for missed_blind in tab.missed if missed_blind.role != role]
    lists_all = bool(hand.witnesses & _SEATING) and stays_seated(hand, state, tab.seat)
    absence = find_absence(absence_reason, state.seats.get(tab.seat), has_chips=not tab.broke_hand, lists_all=lists_all)
    _note_absence(tab, absence, hand)
    ground = _explain_missed_blind(tab, role, hand, absence, is_nominal=is_nominal)
    tab.missed.append(Missed(role, hand.number, ground))


def _note_absence(tab: Tab, absence: BlindAbsence, hand: HandPlayed) -> None:
    """Note whether the player of a missed blind was away, or may have left."""
    if absence.may_have_left:
        tab.doubt = unknowns.sat_out_or_left(tab.seat, hand.number)
        tab.missing_fact = tab.missing_fact or tab.doubt
    elif absence.basis == "assumed":
        tab.doubt = tab.doubt or ""
    tab.missed_while_away = absence.was_away if not tab.missed else tab.missed_while_away and absence.was_away


def _explain_missed_blind(
    tab: Tab, role: Blind, hand: HandPlayed, absence: BlindAbsence, *, is_nominal: bool
) -> Ground:
    """Return why a blind counts as missed."""
    if is_nominal:
        sentence = debt_sentences.missed_small_blind_heads_up(tab.seat, hand.number)
        return Ground(sentence, (), "assumed", hand.number)
    circumstance: debt_sentences.Circumstance = "no cards"
    if tab.broke_hand:
        circumstance = "no chips"
    elif absence.basis == "assumed":
        circumstance = "not known to have left"
    sentence = debt_sentences.missed_blind(tab.seat, role, hand.number, circumstance)
    return Ground(sentence, (), absence.basis, hand.number)


def stays_seated(hand: HandPlayed, state: TableState, seat: Seat) -> bool:
    """Whether the player of a seat that `hand` doesn't list is assumed to sit there still."""
    seat_state = state.seats.get(seat)
    return not hand.witnesses & _PRESENCE or (seat_state is not None and is_still_seated(hand, seat_state))
