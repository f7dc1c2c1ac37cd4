"""Where the moving button puts button and blinds: the button on the next player, the blinds on those after it."""

from __future__ import annotations

from typing import NamedTuple

from ledger.vocabulary import Seat
from projections.obligations.dues import Basis, Ground, Method
from projections.obligations.position_inputs import ButtonRight, Citations, Draft, PositionInputs
from projections.obligations.position_reasons import (
    BLIND_TITLES,
    explain_missing_position,
    explain_moved_blind,
    explain_moved_button,
)
from projections.obligations.ring import find_seat_after, is_between
from projections.sentences import positions as position_sentences
from projections.sentences import readings, unknowns


class _Button(NamedTuple):
    """A seat that may have the button next under the moving button."""

    seat: Seat
    reasons: tuple[Ground, ...]
    reading: str = ""
    is_judged: bool = True  # False: all who could take it are barred, so it stays or goes to a barred player


def draft_moving_button(inputs: PositionInputs, method: Method, citations: Citations) -> list[Draft] | str:
    """Return the drafts under the moving button; a sentence if there is none."""
    last_positions, all_seats = inputs.last_positions, inputs.all_seats
    if last_positions.button is None:
        return explain_missing_position(last_positions.hand, "button")
    if len(all_seats) < 2:
        return unknowns.too_few_players()
    is_heads_up = inputs.is_recorded and len(all_seats) == 2 and len(inputs.roles) > 1
    moving_drafts: list[Draft] = []
    for button in _find_buttons(inputs, last_positions.button, citations):
        if is_heads_up:
            moving_drafts += _draft_heads_up(inputs, method, citations, button, all_seats)
            continue
        moving_drafts += _draft_behind_button(inputs, method, citations, button)
        entrant_draft = _draft_with_entrants_taking_blinds(inputs, method, citations, button)
        if entrant_draft is not None and all(entrant_draft.blinds != draft.blinds for draft in moving_drafts):
            moving_drafts.append(entrant_draft)
    return _explain_three_blinds(inputs, moving_drafts) or moving_drafts or unknowns.too_few_players()


def _draft_behind_button(inputs: PositionInputs, method: Method, citations: Citations, button: _Button) -> list[Draft]:
    """Return the drafts for one button, with the blinds on the next players who are in the game."""
    seats_after_button = [seat for seat in sorted(inputs.blind_turn_seats) if seat != button.seat]
    blind_takers = [seat for seat in seats_after_button if seat not in inputs.excused]
    draft = _place_blinds(inputs, method, citations, button, blind_takers)
    if draft is not None:
        return [draft if button.is_judged else draft._replace(judged=False)]
    if blind_takers != seats_after_button:
        # An excused player must take a blind after all: two rules collide, so nothing is judged.
        draft = _place_blinds(inputs, method, citations, button, seats_after_button)
        if draft is not None:
            return [draft._replace(judged=False)]
    return _draft_without_room(inputs, method, citations, button)


def _draft_with_entrants_taking_blinds(
    inputs: PositionInputs, method: Method, citations: Citations, button: _Button
) -> Draft | None:
    """Return the draft of a recorded hand in which entrants take blinds in turn, or None if it has no entrants."""
    if not inputs.is_recorded or not inputs.entrants:
        return None
    blind_takers = [seat for seat in inputs.all_seats if seat not in inputs.posters and seat != button.seat]
    draft = _place_blinds(inputs, method, citations, button, blind_takers)
    return None if draft is None else draft._replace(reading=readings.newcomer_takes_blind())


def _explain_three_blinds(inputs: PositionInputs, moving_drafts: list[Draft]) -> str:
    """Return why nobody can say where three blinds belong among so few players, or "" if they have room."""
    if len(inputs.roles) < 3:
        return ""
    if not moving_drafts and len(inputs.blind_turn_seats) > 2:
        return unknowns.three_blinds("three players and a moving button")
    if any(len(draft.blinds) < len(inputs.roles) for draft in moving_drafts):
        return unknowns.three_blinds("two players")
    return ""


def _find_buttons(inputs: PositionInputs, last_button: Seat, citations: Citations) -> list[_Button]:
    """Return where the button may go: each doubtful seat up to the first that surely may have it, and that one."""
    blind_turn_seats = inputs.blind_turn_seats
    candidates = inputs.all_seats if inputs.is_recorded else blind_turn_seats
    order = sorted(candidates, key=lambda seat: (seat <= last_button, seat))
    skip_reasons: list[Ground] = []  # why the button passes the seats before
    doubtful_buttons: list[tuple[_Button, ButtonRight]] = []
    for seat in order:
        if seat == last_button and any(
            doubtful_button.seat in blind_turn_seats for doubtful_button, _ in doubtful_buttons
        ):
            break  # the button moves on rather than stay, even to a player whom the book neither allows nor bars
        may_have, reason = inputs.judge_button_right(seat)
        if may_have != "no":
            button_reason = explain_moved_button(inputs.last_positions, last_button, seat, citations)
            button = _Button(seat, (button_reason, *skip_reasons))
            if may_have == "yes":
                button_stays = seat == last_button and len(order) > 1
                return _rank_buttons(doubtful_buttons, [button._replace(is_judged=not button_stays)])
            doubtful_buttons.append((button, may_have))
        if reason is not None:
            skip_reasons.append(reason)
    if doubtful_buttons:
        return _rank_buttons(doubtful_buttons, [])
    seat = (order or inputs.all_seats)[0]
    reason = Ground(position_sentences.only_choice_for_button(seat), (), "fallback")
    return [_Button(seat, (reason, *skip_reasons), is_judged=False)]


def _rank_buttons(doubtful_buttons: list[tuple[_Button, ButtonRight]], sure_buttons: list[_Button]) -> list[_Button]:
    """Return who may have the button, in order: those who probably may, those who may, those who probably may not."""
    likely_buttons = [button for button, may_have in doubtful_buttons if may_have == "rather-yes"]
    buttons = [
        *likely_buttons,
        *sure_buttons,
        *(button for button, may_have in doubtful_buttons if may_have != "rather-yes"),
    ]
    if len(buttons) == 1:
        return buttons
    return [button._replace(reading=readings.button_in_seat(button.seat)) for button in buttons]


def _place_blinds(
    inputs: PositionInputs, method: Method, citations: Citations, button: _Button, blind_takers: list[Seat]
) -> Draft | None:
    """Return a draft with the blinds after the button, or None if there are too few players for them."""
    previous_seat = button.seat
    blinds: list[Seat] = []
    grounds: list[tuple[Ground, ...]] = []
    # The last blind may go to any player who doesn't post: an entrant may come in on it.
    last_blind_takers = [seat for seat in inputs.all_seats if seat != button.seat and seat not in inputs.posters]
    for index in range(len(inputs.roles)):
        is_last = index == len(inputs.roles) - 1
        seat = find_seat_after(previous_seat, last_blind_takers if is_last else blind_takers)
        if seat is None or seat in blinds or (blinds and is_between(previous_seat, button.seat, seat)):
            return None
        previous_title = BLIND_TITLES[inputs.roles[index - 1]] if blinds else "button"
        grounds.append((explain_moved_blind(seat, previous_title, previous_seat, citations),))
        blinds.append(seat)
        previous_seat = seat
    dealt = inputs.list_dealt_seats(blinds)
    if len(dealt) == 2 and len(inputs.roles) > 1:
        return None
    return Draft(method, button.seat, tuple(blinds), dealt, button.reasons, tuple(grounds), reading=button.reading)


def _draft_without_room(inputs: PositionInputs, method: Method, citations: Citations, button: _Button) -> list[Draft]:
    """Return drafts of two players heads-up, if there are too few players for the blinds."""
    if len(inputs.roles) < 2:
        return []
    pair = inputs.settled_seats
    if len(pair) == 1 and (entrant := find_seat_after(pair[0], inputs.entrants)) is not None:
        pair = tuple(sorted((pair[0], entrant)))
    if len(pair) != 2 or button.seat not in pair:
        return []
    heads_up_drafts = _draft_heads_up(inputs, method, citations, button, pair)
    if not inputs.is_recorded:
        return heads_up_drafts
    # Somebody was dealt in between the two, and no book says where the blinds belong then.
    return [draft._replace(dealt=inputs.all_seats, heads_up=False, judged=False) for draft in heads_up_drafts]


def _draft_heads_up(
    inputs: PositionInputs, method: Method, citations: Citations, button: _Button, pair: tuple[Seat, ...]
) -> list[Draft]:
    """Return the drafts of two players under the moving button.

    If the other player just had the last blind, either the big blind or the button moves on.
    """
    button_seat = button.seat
    (other_seat,) = (seat for seat in pair if seat != button_seat)
    basis: Basis = "book" if citations.heads_up_known else "fallback"

    def build_draft(*, small_seat: Seat, big_seat: Seat, button_reasons: tuple[Ground, ...], reading: str) -> Draft:
        small_blind_reason = Ground(position_sentences.heads_up_small_blind(small_seat), citations.heads_up, basis)
        big_blind_reason = Ground(position_sentences.heads_up_big_blind(big_seat), citations.heads_up, basis)
        return Draft(
            method,
            small_seat,
            (small_seat, big_seat),
            pair,
            button_reasons,
            ((small_blind_reason,), (big_blind_reason,)),
            heads_up=True,
            judged=citations.heads_up_known,
            reading=reading,
        )

    if not inputs.had_last_blind(other_seat):
        return [
            build_draft(
                small_seat=button_seat, big_seat=other_seat, button_reasons=button.reasons, reading=button.reading
            )
        ]
    big_moves_reason = Ground(
        position_sentences.heads_up_big_blind_moves(inputs.last_positions.hand, other_seat, button_seat),
        (),
        "fallback",
        inputs.last_positions.hand,
    )
    big_moves_draft = build_draft(
        small_seat=other_seat,
        big_seat=button_seat,
        button_reasons=(big_moves_reason,),
        reading=readings.big_blind_moves_on(),
    )
    if citations.transition:
        return [big_moves_draft]
    button_moves_draft = build_draft(
        small_seat=button_seat, big_seat=other_seat, button_reasons=button.reasons, reading=readings.button_moves_on()
    )
    if not citations.heads_up_known:
        return [big_moves_draft, button_moves_draft]
    # No book says that the button waits for the big blind.
    return [button_moves_draft, big_moves_draft._replace(doubtful=True)]
