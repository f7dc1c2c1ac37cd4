"""Where button and blinds belong on the next hand, by the three methods of moving them.

Dead: the big blind goes to the next player; small blind and button go where the position ahead of them was, even to
an empty seat. Moving: the button goes to the next player, and the blinds to the players after it. Owed: as moving,
but players whom the big blind has reached this round post what they haven't paid yet, the largest blind first.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.vocabulary import Seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Basis, Ground, Method
from projections.obligations.game import BlindName
from projections.obligations.position_inputs import ButtonRight, Citations, Draft, PositionInputs
from projections.obligations.ring import is_between, moves_backwards, reaches, seat_after
from projections.sentences import positions as reasons
from projections.sentences import unknowns

BlindTitle: TypeAlias = Literal["small blind", "big blind", "third blind"]
Follower: TypeAlias = Literal["button"] | BlindTitle

_TITLES: Final[dict[str, BlindTitle]] = {"small": "small blind", "big": "big blind", "extra": "third blind"}


def draft_positions(inputs: PositionInputs, method: Method, citations: Citations) -> list[Draft] | str:
    """Return the drafts by a method, the likeliest first; a sentence if there is none."""
    if method == "dead" and inputs.roles:
        return _draft_dead(inputs, citations)
    moving_drafts = _draft_moving(inputs, method, citations)
    if method != "owed" or isinstance(moving_drafts, str):
        return moving_drafts
    owed_drafts: list[Draft] = []
    for draft in moving_drafts:
        owed_drafts += _draft_owed(inputs, draft, spares_button=citations.small_off_button and len(inputs.roles) > 2)
    return owed_drafts


# The reasons, shared with the short way of quiet tables


def explain_last_blind(
    hand: str, role: BlindName, old_seat: Seat, new_seat: Seat, citations: Citations, moved_from: Seat | None = None
) -> Ground:
    """Return why the last blind is where it is under the dead button."""
    sentence = (
        reasons.largest_blind_moves(hand, role, old_seat, new_seat)
        if moved_from is None
        else reasons.largest_blind_moves_from_mover(hand, role, moved_from, old_seat, new_seat)
    )
    return Ground(sentence, citations.method, hand=hand)


def explain_dead_position(
    hand: str, seat: Seat, follower: Follower, leader: BlindTitle, citations: Citations
) -> Ground:
    """Return why a position is where the position ahead of it was on the last hand, under the dead button."""
    return Ground(reasons.position_follows(hand, seat, follower, leader), citations.method, hand=hand)


def explain_moved_button(last_positions: HandPositions, old_seat: Seat, new_seat: Seat, citations: Citations) -> Ground:
    """Return why the button is where it is under the moving button."""
    basis: Basis = "assumed" if last_positions.assumed else "book"
    return Ground(
        reasons.button_moves(last_positions.hand, old_seat, new_seat, last_positions.assumed),
        citations.method,
        basis,
        last_positions.hand,
    )


def explain_moved_blind(seat: Seat, leader: Follower, leader_seat: Seat, citations: Citations) -> Ground:
    """Return why a blind is where it is after a moving button."""
    return Ground(reasons.next_after(seat, leader, leader_seat), citations.moved)


# Dead button


def _draft_dead(inputs: PositionInputs, citations: Citations) -> list[Draft] | str:
    """Return the drafts under the dead button; a sentence if there is none."""
    last_positions, roles = inputs.last_positions, inputs.roles
    earlier_seats = last_positions.blinds_to_button if last_positions.roles else []
    if not earlier_seats or earlier_seats[0] is None:
        return _explain_missing_position(last_positions.hand, roles[-1])
    last_furthest = earlier_seats[0]
    furthest = seat_after(last_furthest, [seat for seat in inputs.all_seats if seat not in inputs.posters])
    if furthest is None:
        return unknowns.too_few_players()
    dealt = (
        inputs.all_seats
        if inputs.is_recorded
        else tuple(sorted({*inputs.settled_seats, *inputs.free_comers, furthest}))
    )
    if len(dealt) < 2:
        comer = seat_after(furthest, [seat for seat in inputs.comers if seat not in inputs.posters])
        if comer is None or furthest not in inputs.settled_seats or len(roles) != 2:
            return unknowns.too_few_players()
        return [_draft_big_for_comer(inputs, citations, tuple(sorted((furthest, comer))), comer)]
    big_blind_reason = explain_last_blind(
        last_positions.hand, last_positions.roles[-1], last_furthest, furthest, citations, last_positions.moved_from
    )
    if len(dealt) == 2 and len(roles) > 1:
        return _draft_dead_heads_up(inputs, citations, dealt, furthest, big_blind_reason)
    positions = [furthest, *earlier_seats[: len(roles)]]
    positions += [None] * (len(roles) + 1 - len(positions))
    grounds: list[tuple[Ground, ...]] = [(big_blind_reason,)]
    for steps_back, seat in enumerate(positions[1:], 1):
        follower: Follower = "button" if steps_back == len(roles) else _TITLES[roles[-1 - steps_back]]
        grounds.append(_explain_follower(last_positions, seat, steps_back, dealt, citations, follower=follower))
    button, button_grounds = positions.pop(), grounds.pop()
    has_two_positions = furthest in (button, *positions[1:])
    if has_two_positions or _is_out_of_order(button, positions[-1], furthest):
        sentence = reasons.positions_collide(furthest)
        if button is not None and not has_two_positions:
            sentence = reasons.button_between_blinds(button)
        return [_draft_collision(len(roles), dealt, furthest, big_blind_reason, sentence)]
    draft = Draft("dead", button, tuple(reversed(positions)), dealt, button_grounds, tuple(reversed(grounds)))
    if len(last_positions.dealt) == 2 and _has_player_between(button, positions[-1], dealt):
        draft = draft._replace(judged=False)  # two players became more: no book says who has the button then
    if last_positions.small_went not in dealt or button != last_positions.small:
        return [draft]
    small_blind_reason = Ground(reasons.small_blind_moved(last_positions.hand, last_positions.small_went))
    return [
        draft,
        draft._replace(
            button=last_positions.small_went,
            button_grounds=(small_blind_reason,),
            reading="the button goes with its player",
        ),
    ]


def _draft_collision(
    role_count: int, dealt: tuple[Seat, ...], furthest: Seat, big_blind_reason: Ground, sentence: str
) -> Draft:
    """Return a draft with only the last blind, if the dead button would put two positions on one seat, or out of order."""
    reason = Ground(sentence, (), "fallback")
    other_count = role_count - 1
    return Draft(
        "dead",
        None,
        (*([None] * other_count), furthest),
        dealt,
        (reason,),
        (*([(reason,)] * other_count), (big_blind_reason,)),
        judged=False,
        has_collision=True,
    )


def _is_out_of_order(button: Seat | None, small: Seat | None, furthest: Seat) -> bool:
    """Whether the button would be between the blinds, as can happen after two players had it on the small blind."""
    if button is None or small is None or button in (small, furthest) or small == furthest:
        return False
    return is_between(small, button, furthest)


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
    leader = _TITLES[last_roles[-steps_back]] if steps_back <= len(last_roles) else "small blind"
    if seat is None:
        sentence = reasons.position_unrecorded(last_positions.hand, leader)
        return (Ground(sentence, (), "record", last_positions.hand),)
    if steps_back == 1 and last_positions.moved_from is not None:
        sentence = reasons.position_follows_mover(
            last_positions.hand, last_positions.moved_from, seat, follower, leader
        )
        reason = Ground(sentence, citations.method, hand=last_positions.hand)
    else:
        reason = explain_dead_position(last_positions.hand, seat, follower, leader, citations)
    if seat in dealt:
        return (reason,)
    if follower == "button":
        return (reason, Ground(reasons.button_is_dead(seat), citations.dead_button))
    return (reason, Ground(reasons.blind_is_dead(seat, follower), citations.dead_blind))


def _draft_dead_heads_up(
    inputs: PositionInputs, citations: Citations, dealt: tuple[Seat, ...], big: Seat, big_blind_reason: Ground
) -> list[Draft] | str:
    """Return the draft of two players under the dead button; a sentence if the game has three blinds."""
    if len(inputs.roles) > 2:
        return unknowns.three_blinds("two players")
    (other_seat,) = (seat for seat in dealt if seat != big)
    if (
        other_seat in inputs.comers
        and other_seat not in inputs.posters
        and inputs.judge_button_right(other_seat)[0] in ("no", "rather-no")
    ):
        return [_draft_big_for_comer(inputs, citations, dealt, other_seat)]
    button_reason = Ground(
        reasons.heads_up_from_big_blind(big, other_seat),
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


def _draft_big_for_comer(inputs: PositionInputs, citations: Citations, dealt: tuple[Seat, ...], comer: Seat) -> Draft:
    """Return a draft with the newcomer in the big blind heads-up, though it's the other's turn: only that lets one in."""
    (other_seat,) = (seat for seat in dealt if seat != comer)
    _, bar_reason = inputs.judge_button_right(comer)
    reason = Ground(
        reasons.heads_up_newcomer(comer, other_seat),
        bar_reason.clauses if bar_reason is not None else citations.method,
        "fallback",
    )
    return Draft(
        "dead", other_seat, (other_seat, comer), dealt, (reason,), ((reason,), (reason,)), heads_up=True, judged=False
    )


# Moving button


class _Button(NamedTuple):
    """A seat that may have the button next under the moving button."""

    seat: Seat
    reasons: tuple[Ground, ...]
    reading: str = ""
    is_settled: bool = True  # False: everybody else is barred from the button, so it would stay


def _draft_moving(inputs: PositionInputs, method: Method, citations: Citations) -> list[Draft] | str:
    """Return the drafts under the moving button; a sentence if there is none."""
    last_positions = inputs.last_positions
    if last_positions.button is None:
        return _explain_missing_position(last_positions.hand, "button")
    if len(inputs.all_seats) < 2:
        return unknowns.too_few_players()
    moving_drafts: list[Draft] = []
    for button in _find_buttons(inputs, last_positions.button, citations):
        if inputs.is_recorded and len(inputs.all_seats) == 2 and len(inputs.roles) > 1:
            moving_drafts += _draft_moving_heads_up(inputs, method, citations, button, inputs.all_seats)
            continue
        settled_seats = [seat for seat in sorted({*inputs.settled_seats, *inputs.turn_takers}) if seat != button.seat]
        blind_takers = [seat for seat in settled_seats if seat not in inputs.excused]
        draft = _place_blinds(inputs, method, citations, button, blind_takers)
        if draft is None and blind_takers != settled_seats:
            # An excused player must take a blind after all: two rules collide, so nothing is judged.
            draft = _place_blinds(inputs, method, citations, button, settled_seats)
            draft = None if draft is None else draft._replace(judged=False)
        if draft is None:
            moving_drafts += _draft_without_room(inputs, method, citations, button)
        else:
            moving_drafts.append(draft if button.is_settled else draft._replace(judged=False))
        if inputs.is_recorded and inputs.comers:
            other_seats = [seat for seat in inputs.all_seats if seat not in inputs.posters and seat != button.seat]
            draft = _place_blinds(inputs, method, citations, button, other_seats)
            if draft is not None and all(draft.blinds != other_draft.blinds for other_draft in moving_drafts):
                moving_drafts.append(draft._replace(reading="the new player takes a blind in turn"))
    if len(inputs.roles) > 2 and not moving_drafts and len({*inputs.settled_seats, *inputs.turn_takers}) > 2:
        return unknowns.three_blinds("three players and a moving button")
    if len(inputs.roles) > 2 and any(len(other_draft.blinds) < len(inputs.roles) for other_draft in moving_drafts):
        return unknowns.three_blinds("two players")
    return moving_drafts or unknowns.too_few_players()


def _find_buttons(inputs: PositionInputs, last_button: Seat, citations: Citations) -> list[_Button]:
    """Return where the button may go: to the next player who may have it, and to those before who perhaps may."""
    active_seats = {*inputs.settled_seats, *inputs.turn_takers}
    candidates = inputs.all_seats if inputs.is_recorded else active_seats
    order = sorted(candidates, key=lambda seat: (seat <= last_button, seat))
    bar_reasons: list[Ground] = []
    doubtful_buttons: list[tuple[_Button, ButtonRight]] = []
    for seat in order:
        if seat == last_button and any(doubtful_button.seat in active_seats for doubtful_button, _ in doubtful_buttons):
            break  # the button moves on rather than stay, even to a player whom the book neither allows nor bars
        may_have, reason = inputs.judge_button_right(seat)
        if may_have == "no":
            bar_reasons += [reason] if reason is not None else []
            continue
        button = _Button(
            seat, (explain_moved_button(inputs.last_positions, last_button, seat, citations), *bar_reasons)
        )
        if may_have != "yes":
            doubtful_buttons.append((button, may_have))
            bar_reasons += [reason] if reason is not None else []
            continue
        button_stays = seat == last_button and len(order) > 1
        return _rank_buttons(doubtful_buttons, [button._replace(is_settled=not button_stays)])
    if doubtful_buttons:
        return _rank_buttons(doubtful_buttons, [])
    seat = (order or inputs.all_seats)[0]
    reason = Ground(reasons.only_choice_for_button(seat), (), "fallback")
    return [_Button(seat, (reason, *bar_reasons), is_settled=False)]


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
    return [button._replace(reading=f"the button in seat {button.seat}") for button in buttons]


def _place_blinds(
    inputs: PositionInputs, method: Method, citations: Citations, button: _Button, settled_seats: list[Seat]
) -> Draft | None:
    """Return a draft with the blinds after the button, or None if there are too few players for them."""
    previous_seat = button.seat
    blinds: list[Seat] = []
    grounds: list[tuple[Ground, ...]] = []
    last_blind_seats = [seat for seat in inputs.all_seats if seat != button.seat and seat not in inputs.posters]
    for index in range(len(inputs.roles)):
        is_last = index == len(inputs.roles) - 1
        seat = seat_after(previous_seat, last_blind_seats if is_last else settled_seats)
        if seat is None or seat in blinds or (blinds and is_between(previous_seat, button.seat, seat)):
            return None
        previous_title = _TITLES[inputs.roles[index - 1]] if blinds else "button"
        grounds.append((explain_moved_blind(seat, previous_title, previous_seat, citations),))
        blinds.append(seat)
        previous_seat = seat
    dealt = (
        inputs.all_seats if inputs.is_recorded else tuple(sorted({*inputs.settled_seats, *inputs.free_comers, *blinds}))
    )
    if len(dealt) == 2 and len(inputs.roles) > 1:
        return None
    return Draft(method, button.seat, tuple(blinds), dealt, button.reasons, tuple(grounds), reading=button.reading)


def _draft_without_room(inputs: PositionInputs, method: Method, citations: Citations, button: _Button) -> list[Draft]:
    """Return drafts of two players heads-up, if there are too few players for the blinds."""
    if len(inputs.roles) < 2:
        return []
    pair = inputs.settled_seats
    if len(pair) == 1 and (comer := seat_after(pair[0], inputs.comers)) is not None:
        pair = tuple(sorted((pair[0], comer)))
    if len(pair) != 2 or button.seat not in pair:
        return []
    heads_up_drafts = _draft_moving_heads_up(inputs, method, citations, button, pair)
    if not inputs.is_recorded:
        return heads_up_drafts
    # Somebody was dealt in between the two, and no book says where the blinds belong then.
    return [draft._replace(dealt=inputs.all_seats, heads_up=False, judged=False) for draft in heads_up_drafts]


def _draft_moving_heads_up(
    inputs: PositionInputs, method: Method, citations: Citations, button: _Button, pair: tuple[Seat, ...]
) -> list[Draft]:
    """Return the drafts of two players under the moving button.

    If the other player just had the last blind, either the big blind or the button moves on.
    """
    button_seat = button.seat
    (big,) = (seat for seat in pair if seat != button_seat)
    basis: Basis = "book" if citations.heads_up_known else "fallback"

    def draft(small: Seat, big: Seat, button_reasons: tuple[Ground, ...], reading: str) -> Draft:
        small_blind_reason = Ground(reasons.heads_up_small_blind(small), citations.heads_up, basis)
        big_blind_reason = Ground(reasons.heads_up_big_blind(big), citations.heads_up, basis)
        return Draft(
            method,
            small,
            (small, big),
            pair,
            button_reasons,
            ((small_blind_reason,), (big_blind_reason,)),
            heads_up=True,
            judged=citations.heads_up_known,
            reading=reading,
        )

    if not inputs.had_last_blind(big):
        return [draft(button_seat, big, button.reasons, button.reading)]
    big_moves_reason = Ground(
        reasons.heads_up_big_blind_moves(inputs.last_positions.hand, big, button_seat),
        (),
        "fallback",
        inputs.last_positions.hand,
    )
    big_moves_draft = draft(big, button_seat, (big_moves_reason,), "the big blind moves on")
    if citations.transition:
        return [big_moves_draft]
    button_moves_draft = draft(button_seat, big, button.reasons, "the button moves on")
    if not citations.heads_up_known:
        return [big_moves_draft, button_moves_draft]
    # No book says that the button waits for the big blind.
    return [button_moves_draft, big_moves_draft._replace(doubtful=True)]


# Owed blinds


_LATE_BLINDS_WAIVED = "a blind left out on the last hand isn't made up"
_NEW_FIRST = "the new round's blinds come before those left from the last round"
_NO_BUTTON = "the button owes nothing"
_BY_PLACE = "each blind from its own position"
_ON_BUTTON = "the button posts the small blind it owes"


def _draft_owed(inputs: PositionInputs, draft: Draft, *, spares_button: bool) -> list[Draft]:
    """Return the readings of a draft with who posts which blind: each player who owes posts one blind per hand.

    `spares_button`: the button doesn't post the smallest blind, even if it owes it.
    """
    if draft.heads_up or not draft.judged or len(inputs.roles) < 2 or inputs.last_positions.furthest is None:
        return [draft]
    if moves_backwards(inputs.last_positions.furthest, draft.furthest, draft.dealt, most_passed=len(inputs.roles)):
        return [draft._replace(reading=_BY_PLACE)]  # the last blind was ahead of its turn on the last hand
    owed_drafts: list[Draft] = []
    for reading, counts_late, old_first in (
        (draft.reading, True, True),
        (_LATE_BLINDS_WAIVED, False, True),
        (_NEW_FIRST, True, False),
    ):
        owed_posts = _assign_owed_blinds(
            inputs, draft, counts_late=counts_late, old_first=old_first, spares_button=spares_button
        )
        if all(owed_posts != other_draft.owed_posts for other_draft in owed_drafts):
            owed_drafts.append(draft._replace(owed_posts=owed_posts, reading=reading))
    if len(inputs.last_positions.dealt) == 2 and len(draft.dealt) > 2:
        # The book doesn't say how the debts of two players carry over to more: the button may still owe its small
        # blind, or each blind may come from its position.
        debts_off_button = tuple(debt for debt in owed_drafts[0].owed_posts or () if debt[0] != draft.button)
        owed_drafts.insert(0, owed_drafts[0]._replace(owed_posts=debts_off_button, reading=_NO_BUTTON))
        owed_drafts.append(draft._replace(reading=_BY_PLACE))
    owed_posts = _assign_owed_blinds(inputs, draft, counts_late=True, old_first=True, spares_button=False)
    if spares_button and all(owed_posts != other_draft.owed_posts for other_draft in owed_drafts):
        owed_drafts.append(draft._replace(owed_posts=owed_posts, reading=_ON_BUTTON, doubtful=True))
    return owed_drafts


def _assign_owed_blinds(
    inputs: PositionInputs, draft: Draft, *, counts_late: bool, old_first: bool, spares_button: bool
) -> tuple[tuple[Seat, BlindName], ...]:
    old_furthest, new_furthest = inputs.last_positions.furthest, draft.furthest
    assert old_furthest is not None and new_furthest is not None  # noqa: S101, PT018 - the caller asked
    all_roles = tuple(reversed(inputs.roles))
    owed_roles: dict[Seat, BlindName] = {}
    for seat in draft.dealt:
        player = inputs.players[seat]
        if seat in inputs.posters or (seat in inputs.comers and seat not in draft.blinds):
            continue  # comes in by a post of its own
        old_roles = inputs.debts.get(player, ()) if counts_late or player not in inputs.late_debts else ()
        new_roles = (
            all_roles if reaches(inputs.last_positions.button, old_furthest, seat, draft.button, new_furthest) else ()
        )
        unpaid_roles = [
            role
            for role in ((*old_roles, *new_roles) if old_first else (*new_roles, *old_roles))
            if role in inputs.roles
        ]
        if unpaid_roles and not (spares_button and seat == draft.button and unpaid_roles[0] == all_roles[-1]):
            owed_roles[seat] = unpaid_roles[0]
    if all_roles[0] not in owed_roles.values():
        owed_roles[new_furthest] = all_roles[0]  # somebody must post the largest blind
    button = draft.button or 0
    order = sorted(owed_roles.items(), key=lambda debt: (-all_roles.index(debt[1]), debt[0] <= button, debt[0]))
    return tuple(order)


def _explain_missing_position(hand: str, position: BlindName | Literal["button"]) -> str:
    return unknowns.position_of(hand, "button" if position == "button" else _TITLES[position])
