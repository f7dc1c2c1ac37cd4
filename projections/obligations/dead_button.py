"""Where the dead button puts button and blinds.

The big blind goes to the next player; small blind and button go where the position ahead of them was, even to an
empty seat.
"""

from __future__ import annotations

from ledger.vocabulary import Seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Ground
from projections.obligations.position_inputs import Citations, Draft, PositionInputs
from projections.obligations.position_reasons import (
    BLIND_TITLES,
    Follower,
    explain_dead_position,
    explain_last_blind,
    explain_missing_position,
)
from projections.obligations.ring import find_seat_after, is_between
from projections.sentences import positions as position_sentences
from projections.sentences import readings, unknowns


def draft_dead_button(inputs: PositionInputs, citations: Citations) -> list[Draft] | str:
    """Return the drafts under the dead button; a sentence if there is none."""
    last_positions, roles = inputs.last_positions, inputs.roles
    earlier_seats = last_positions.blinds_to_button if last_positions.roles else []
    if not earlier_seats or earlier_seats[0] is None:
        return explain_missing_position(last_positions.hand, roles[-1])
    old_last_blind = earlier_seats[0]
    last_blind = find_seat_after(old_last_blind, [seat for seat in inputs.all_seats if seat not in inputs.posters])
    if last_blind is None:
        return unknowns.too_few_players()
    dealt = inputs.list_dealt_seats((last_blind,))
    if len(dealt) < 2:
        return _draft_with_newcomer(inputs, citations, last_blind)
    big_blind_reason = explain_last_blind(
        last_positions.hand, last_positions.roles[-1], old_last_blind, last_blind, citations, last_positions.moved_from
    )
    if len(dealt) == 2 and len(roles) > 1:
        return _draft_heads_up(inputs, citations, dealt, last_blind, big_blind_reason)
    draft = _draft_following_positions(inputs, citations, dealt, last_blind, big_blind_reason)
    collision = _describe_collision(draft, last_blind)
    if collision:
        return [_draft_last_blind_alone(draft, collision)]
    if len(last_positions.dealt) == 2 and _has_player_between(draft.button, draft.blinds[0], dealt):
        draft = draft._replace(judged=False)  # two players became more: no book says who has the button then
    new_chair = last_positions.small_went
    if new_chair in dealt and draft.button == last_positions.small:
        return [draft, _move_button_with_player(draft, last_positions.hand, new_chair)]
    return [draft]


def _draft_with_newcomer(inputs: PositionInputs, citations: Citations, last_blind: Seat) -> list[Draft] | str:
    """Return the draft of the only settled player and a newcomer; a sentence if nobody else can come in."""
    entrant = find_seat_after(last_blind, [seat for seat in inputs.entrants if seat not in inputs.posters])
    if entrant is None or last_blind not in inputs.settled_seats or len(inputs.roles) != 2:
        return unknowns.too_few_players()
    return [_draft_big_for_entrant(inputs, citations, tuple(sorted((last_blind, entrant))), entrant)]


def _draft_following_positions(
    inputs: PositionInputs, citations: Citations, dealt: tuple[Seat, ...], last_blind: Seat, big_blind_reason: Ground
) -> Draft:
    """Return the draft whose other positions are where the position ahead of them was on the last hand."""
    roles = inputs.roles
    # Counterclockwise from the last blind to the button. A game may have more blinds now than on the last hand.
    positions = [last_blind, *inputs.last_positions.blinds_to_button[: len(roles)]]
    positions += [None] * (len(roles) + 1 - len(positions))
    grounds: list[tuple[Ground, ...]] = [(big_blind_reason,)]
    for steps_back, seat in enumerate(positions[1:], 1):
        follower: Follower = "button" if steps_back == len(roles) else BLIND_TITLES[roles[-1 - steps_back]]
        grounds.append(_explain_follower(inputs.last_positions, seat, steps_back, dealt, citations, follower=follower))
    button, *blinds = reversed(positions)
    button_grounds, *blind_grounds = reversed(grounds)
    return Draft("dead", button, tuple(blinds), dealt, button_grounds, tuple(blind_grounds))


def _describe_collision(draft: Draft, last_blind: Seat) -> str:
    """Return why positions can't be where the dead button puts them, or "" if they can."""
    if last_blind in (draft.button, *draft.blinds[:-1]):
        return position_sentences.positions_collide(last_blind)
    if draft.button is not None and _is_out_of_order(draft.button, draft.blinds[0], last_blind):
        return position_sentences.button_between_blinds(draft.button)
    return ""


def _draft_last_blind_alone(draft: Draft, collision: str) -> Draft:
    """Return a draft with only the last blind of a draft whose positions collide. `collision` says why they do."""
    reason = Ground(collision, (), "fallback")
    other_blinds = draft.blinds[:-1]
    return Draft(
        "dead",
        None,
        (*([None] * len(other_blinds)), draft.furthest),
        draft.dealt,
        (reason,),
        (*([(reason,)] * len(other_blinds)), draft.blind_grounds[-1]),
        judged=False,
        has_collision=True,
    )


def _move_button_with_player(draft: Draft, last_hand: str, new_chair: Seat) -> Draft:
    """Return a draft with the button in the chair to which the last small blind's player moved."""
    return draft._replace(
        button=new_chair,
        button_grounds=(Ground(position_sentences.small_blind_moved(last_hand, new_chair)),),
        reading=readings.button_with_player(),
    )


def _is_out_of_order(button: Seat, small: Seat | None, last_blind: Seat) -> bool:
    """Whether the button would be between the blinds, as can happen after two players had it on the small blind."""
    if small is None or button in (small, last_blind) or small == last_blind:
        return False
    return is_between(small, button, last_blind)


def _has_player_between(button: Seat | None, small: Seat | None, dealt: tuple[Seat, ...]) -> bool:
    """Whether somebody is dealt in between the button and the small blind."""
    if button is None or small is None or button == small:
        return False
    return any(seat != small and is_between(button, seat, small) for seat in dealt)


def _explain_follower(
    last_positions: HandPositions,
    seat: Seat | None,
    steps_back: int,
    dealt: tuple[Seat, ...],
    citations: Citations,
    *,
    follower: Follower,
) -> tuple[Ground, ...]:
    """Return why a position is where the position ahead of it was on the last hand, under the dead button."""
    last_roles = last_positions.roles
    leader = BLIND_TITLES[last_roles[-steps_back]] if steps_back <= len(last_roles) else "small blind"
    if seat is None:
        sentence = position_sentences.position_unrecorded(last_positions.hand, leader)
        return (Ground(sentence, (), "record", last_positions.hand),)
    if steps_back == 1 and last_positions.moved_from is not None:
        sentence = position_sentences.position_follows_mover(
            last_positions.hand, last_positions.moved_from, seat, follower, leader
        )
        reason = Ground(sentence, citations.method, hand=last_positions.hand)
    else:
        reason = explain_dead_position(last_positions.hand, seat, follower, leader, citations)
    if seat in dealt:
        return (reason,)
    if follower == "button":
        return (reason, Ground(position_sentences.button_is_dead(seat), citations.dead_button))
    return (reason, Ground(position_sentences.blind_is_dead(seat, follower), citations.dead_blind))


def _draft_heads_up(
    inputs: PositionInputs, citations: Citations, dealt: tuple[Seat, ...], big: Seat, big_blind_reason: Ground
) -> list[Draft] | str:
    """Return the draft of two players under the dead button; a sentence if the game has three blinds."""
    if len(inputs.roles) > 2:
        return unknowns.three_blinds("two players")
    (other_seat,) = (seat for seat in dealt if seat != big)
    if (
        other_seat in inputs.entrants
        and other_seat not in inputs.posters
        and inputs.judge_button_right(other_seat)[0] in ("no", "rather-no")
    ):
        return [_draft_big_for_entrant(inputs, citations, dealt, other_seat)]
    button_reason = Ground(
        position_sentences.heads_up_from_big_blind(big, other_seat),
        citations.heads_up or citations.method,
        "book" if citations.heads_up_known else "fallback",
    )
    return [
        Draft(
            "dead",
            other_seat,
            (other_seat, big),
            dealt,
            (button_reason,),
            ((button_reason,), (big_blind_reason,)),
            heads_up=True,
            judged=citations.heads_up_known,
        )
    ]


def _draft_big_for_entrant(
    inputs: PositionInputs, citations: Citations, dealt: tuple[Seat, ...], entrant: Seat
) -> Draft:
    """Return a draft with the newcomer in the big blind heads-up, though it's the other's turn: only that lets one in."""
    (other_seat,) = (seat for seat in dealt if seat != entrant)
    _, bar_reason = inputs.judge_button_right(entrant)
    reason = Ground(
        position_sentences.heads_up_newcomer(entrant, other_seat),
        bar_reason.clauses if bar_reason is not None else citations.method,
        "fallback",
    )
    return Draft(
        "dead", other_seat, (other_seat, entrant), dealt, (reason,), ((reason,), (reason,)), heads_up=True, judged=False
    )
