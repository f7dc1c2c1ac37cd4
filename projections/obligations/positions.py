"""Where button and blinds belong on the next hand, by the three methods of moving them.

Dead: the blinds go on by seats and the button follows, onto empty seats if need be. Moving: the
button goes to the next player, the blinds to the players after it. Owed: as moving, but whom the
big blind has reached or gone past this round posts what is not paid yet, the largest blind first.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.vocabulary import Seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Basis, Ground, Method
from projections.obligations.game import BlindName
from projections.obligations.position_inputs import Ask, ButtonRight, Cites, Draft
from projections.obligations.ring import is_between, moves_backwards, reaches, seat_after
from projections.sentences import positions as reasons
from projections.sentences import unknowns

BlindTitle: TypeAlias = Literal["small blind", "big blind", "third blind"]
Follower: TypeAlias = Literal["button"] | BlindTitle

_TITLES: Final[dict[str, BlindTitle]] = {"small": "small blind", "big": "big blind", "extra": "third blind"}


def drafts(ask: Ask, method: Method, cites: Cites) -> list[Draft] | str:
    """Return the readings of a method, the likeliest first; a sentence where there is no answer."""
    if method == "dead" and ask.roles:
        return _draft_dead(ask, cites)
    moving_drafts = _draft_moving(ask, method, cites)
    if method != "owed" or isinstance(moving_drafts, str):
        return moving_drafts
    owed_drafts: list[Draft] = []
    for draft in moving_drafts:
        owed_drafts += _draft_owed(ask, draft, spared=cites.small_off_button and len(ask.roles) > 2)
    return owed_drafts


# The reasons, shared with the short way of quiet tables


def explain_last_blind(
    hand: str, role: BlindName, old_seat: Seat, new_seat: Seat, cites: Cites, moved_from: Seat | None = None
) -> Ground:
    """Say why the last blind is where it is under the dead button."""
    sentence = (
        reasons.last_blind_moves(hand, role, old_seat, new_seat)
        if moved_from is None
        else reasons.last_blind_moves_from_mover(hand, role, moved_from, old_seat, new_seat)
    )
    return Ground(sentence, cites.method, hand=hand)


def explain_dead_position(hand: str, seat: Seat, follower: Follower, leader: BlindTitle, cites: Cites) -> Ground:
    """Say why a position is where the one before it was on the last hand."""
    return Ground(reasons.position_follows(hand, seat, follower, leader), cites.method, hand=hand)


def explain_moved_button(last_positions: HandPositions, old_seat: Seat, new_seat: Seat, cites: Cites) -> Ground:
    """Say why the button is where it is under the moving button."""
    basis: Basis = "assumed" if last_positions.assumed else "book"
    return Ground(
        reasons.button_moves(last_positions.hand, old_seat, new_seat, last_positions.assumed),
        cites.method,
        basis,
        last_positions.hand,
    )


def explain_moved_blind(seat: Seat, leader: Follower, leader_seat: Seat, cites: Cites) -> Ground:
    """Say why a blind is where it is behind a moving button."""
    return Ground(reasons.next_after(seat, leader, leader_seat), cites.moved)


# Dead button


def _draft_dead(ask: Ask, cites: Cites) -> list[Draft] | str:
    last_hand, roles = ask.last_positions, ask.roles
    earlier_places = last_hand.blinds_to_button if last_hand.roles else []
    if not earlier_places or earlier_places[0] is None:
        return _explain_untold(last_hand.hand, roles[-1])
    origin = earlier_places[0]
    furthest = seat_after(origin, [seat for seat in ask.all_seats if seat not in ask.posters])
    if furthest is None:
        return unknowns.too_few_players()
    dealt = ask.all_seats if ask.is_recorded else tuple(sorted({*ask.settled_seats, *ask.free_comers, furthest}))
    if len(dealt) < 2:
        comer = seat_after(furthest, [seat for seat in ask.comers if seat not in ask.posters])
        if comer is None or furthest not in ask.settled_seats or len(roles) != 2:
            return unknowns.too_few_players()
        return [_draft_big_for_comer(ask, cites, tuple(sorted((furthest, comer))), comer)]
    big_blind_reason = explain_last_blind(
        last_hand.hand, last_hand.roles[-1], origin, furthest, cites, last_hand.moved_from
    )
    if len(dealt) == 2 and len(roles) > 1:
        return _draft_dead_heads_up(ask, cites, dealt, furthest, big_blind_reason)
    positions = [furthest, *earlier_places[: len(roles)]]
    positions += [None] * (len(roles) + 1 - len(positions))
    grounds: list[tuple[Ground, ...]] = [(big_blind_reason,)]
    grounds += [
        _explain_follower(
            last_hand,
            place,
            steps_back,
            dealt,
            cites,
            follower="button" if steps_back == len(roles) else _TITLES[roles[-1 - steps_back]],
        )
        for steps_back, place in enumerate(positions[1:], 1)
    ]
    button, button_grounds = positions.pop(), grounds.pop()
    if furthest in (button, *positions[1:]) or _is_out_of_order(button, positions[-1], furthest):
        sentence = reasons.positions_collide(furthest)
        if button is not None and furthest not in (button, *positions[1:]):
            sentence = reasons.button_between_blinds(button)
        clash_reason = Ground(sentence, (), "fallback")
        return [
            Draft(
                "dead",
                None,
                (*([None] * (len(roles) - 1)), furthest),
                dealt,
                (clash_reason,),
                (*([(clash_reason,)] * (len(roles) - 1)), (big_blind_reason,)),
                judged=False,
                folded=True,
            )
        ]
    draft = Draft("dead", button, tuple(reversed(positions)), dealt, button_grounds, tuple(reversed(grounds)))
    if len(last_hand.dealt) == 2 and _has_player_between(button, positions[-1], dealt):
        draft = draft._replace(judged=False)  # two players had the small blind on the button: no text says who follows
    if last_hand.small_went not in dealt or button != last_hand.small:
        return [draft]
    small_blind_reason = Ground(reasons.small_blind_moved(last_hand.hand, last_hand.small_went))
    return [
        draft,
        draft._replace(
            button=last_hand.small_went, button_grounds=(small_blind_reason,), reading="the button goes with its player"
        ),
    ]


def _is_out_of_order(button: Seat | None, small: Seat | None, furthest: Seat) -> bool:
    """Whether the button would lie between the blinds: two players had it with the small blind."""
    if button is None or small is None or button in (small, furthest) or small == furthest:
        return False
    return is_between(small, button, furthest)


def _has_player_between(button: Seat | None, small: Seat | None, dealt: tuple[Seat, ...]) -> bool:
    """Whether somebody is dealt in between the button and the small blind."""
    if button is None or small is None or button == small:
        return False
    return any(seat != small and is_between(button, seat, small) for seat in dealt)


def _explain_follower(
    last_hand: HandPositions,
    place: Seat | None,
    steps_back: int,
    dealt: tuple[Seat, ...],
    cites: Cites,
    *,
    follower: Follower,
) -> tuple[Ground, ...]:
    """Say why a position is where the one before it was on the last hand."""
    last_roles = last_hand.roles
    leader = _TITLES[last_roles[-steps_back]] if steps_back <= len(last_roles) else "small blind"
    if place is None:
        sentence = reasons.position_unrecorded(last_hand.hand, leader)
        return (Ground(sentence, (), "record", last_hand.hand),)
    if steps_back == 1 and last_hand.moved_from is not None:
        sentence = reasons.position_follows_mover(last_hand.hand, last_hand.moved_from, place, follower, leader)
        reason = Ground(sentence, cites.method, hand=last_hand.hand)
    else:
        reason = explain_dead_position(last_hand.hand, place, follower, leader, cites)
    if place in dealt:
        return (reason,)
    if follower == "button":
        return (reason, Ground(reasons.button_is_dead(place), cites.dead_button))
    return (reason, Ground(reasons.blind_is_dead(place, follower), cites.dead_blind))


def _draft_dead_heads_up(
    ask: Ask, cites: Cites, dealt: tuple[Seat, ...], big: Seat, big_blind_reason: Ground
) -> list[Draft] | str:
    if len(ask.roles) > 2:
        return unknowns.three_blinds("two players")
    (other_seat,) = (seat for seat in dealt if seat != big)
    if (
        other_seat in ask.comers
        and other_seat not in ask.posters
        and ask.judge_button_right(other_seat)[0] in ("no", "rather-no")
    ):
        return [_draft_big_for_comer(ask, cites, dealt, other_seat)]
    button_reason = Ground(
        reasons.heads_up_from_big_blind(big, other_seat),
        cites.heads_up or cites.method,
        "book" if cites.heads_up_known else "fallback",
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
            judged=cites.heads_up_known,
        )
    ]


def _draft_big_for_comer(ask: Ask, cites: Cites, dealt: tuple[Seat, ...], comer: Seat) -> Draft:
    """Give the newcomer the big blind heads-up, though it's the other's turn: no other position lets one in."""
    (other_seat,) = (seat for seat in dealt if seat != comer)
    _, bar_reason = ask.judge_button_right(comer)
    reason = Ground(
        reasons.heads_up_newcomer(comer, other_seat),
        bar_reason.clauses if bar_reason is not None else cites.method,
        "fallback",
    )
    return Draft(
        "dead", other_seat, (other_seat, comer), dealt, (reason,), ((reason,), (reason,)), heads_up=True, judged=False
    )


# Moving button


class _Button(NamedTuple):
    seat: Seat
    reasons: tuple[Ground, ...]
    reading: str = ""
    is_settled: bool = True  # False: every other player is barred from it, and it would stay


def _draft_moving(ask: Ask, method: Method, cites: Cites) -> list[Draft] | str:
    last_hand = ask.last_positions
    if last_hand.button is None:
        return _explain_untold(last_hand.hand, "button")
    if len(ask.all_seats) < 2:
        return unknowns.too_few_players()
    moving_drafts: list[Draft] = []
    for button in _find_buttons(ask, last_hand.button, cites):
        if ask.is_recorded and len(ask.all_seats) == 2 and len(ask.roles) > 1:
            moving_drafts += _draft_moving_heads_up(ask, method, cites, button, ask.all_seats)
            continue
        settled_seats = [seat for seat in sorted({*ask.settled_seats, *ask.turn_takers}) if seat != button.seat]
        blind_takers = [seat for seat in settled_seats if seat not in ask.excused]
        draft = _place_blinds(ask, method, cites, button, blind_takers)
        if (
            draft is None and blind_takers != settled_seats
        ):  # somebody who takes no blind this round has to: two rules collide
            draft = _place_blinds(ask, method, cites, button, settled_seats)
            draft = None if draft is None else draft._replace(judged=False)
        if draft is None:
            moving_drafts += _draft_without_room(ask, method, cites, button)
        else:
            moving_drafts.append(draft if button.is_settled else draft._replace(judged=False))
        if ask.is_recorded and ask.comers:
            other_seats = [s for s in ask.all_seats if s not in ask.posters and s != button.seat]
            draft = _place_blinds(ask, method, cites, button, other_seats)
            if draft is not None and all(draft.blinds != other_draft.blinds for other_draft in moving_drafts):
                moving_drafts.append(draft._replace(reading="the new player takes a blind in turn"))
    if len(ask.roles) > 2 and not moving_drafts and len({*ask.settled_seats, *ask.turn_takers}) > 2:
        return unknowns.three_blinds("three players and a moving button")
    if len(ask.roles) > 2 and any(len(other_draft.blinds) < len(ask.roles) for other_draft in moving_drafts):
        return unknowns.three_blinds("two players")
    return moving_drafts or unknowns.too_few_players()


def _find_buttons(ask: Ask, last_button: Seat, cites: Cites) -> list[_Button]:
    """Return where the button may go: to the next player who may have it, or to one before who perhaps may."""
    active_seats = {*ask.settled_seats, *ask.turn_takers}
    candidates = ask.all_seats if ask.is_recorded else active_seats
    order = sorted(candidates, key=lambda seat: (seat <= last_button, seat))
    bar_reasons: list[Ground] = []
    doubtful_buttons: list[tuple[_Button, ButtonRight]] = []
    for seat in order:
        if seat == last_button and any(doubtful_button.seat in active_seats for doubtful_button, _ in doubtful_buttons):
            break  # it moves on, even to a player whom the book neither allows nor bars
        may_have, reason = ask.judge_button_right(seat)
        if may_have == "no":
            bar_reasons += [reason] if reason is not None else []
            continue
        button = _Button(seat, (explain_moved_button(ask.last_positions, last_button, seat, cites), *bar_reasons))
        if may_have != "yes":
            doubtful_buttons.append((button, may_have))
            bar_reasons += [reason] if reason is not None else []
            continue
        button_stays = seat == last_button and len(order) > 1
        return _rank_buttons(doubtful_buttons, [button._replace(is_settled=not button_stays)])
    if doubtful_buttons:
        return _rank_buttons(doubtful_buttons, [])
    seat = (order or ask.all_seats)[0]
    reason = Ground(reasons.only_choice_for_button(seat), (), "fallback")
    return [_Button(seat, (reason, *bar_reasons), is_settled=False)]


def _rank_buttons(doubtful_buttons: list[tuple[_Button, ButtonRight]], sure_buttons: list[_Button]) -> list[_Button]:
    """Return the readings of who has the button: players who probably may, who may, who probably may not."""
    likely_buttons = [button for button, may_have in doubtful_buttons if may_have == "rather-yes"]
    buttons = [
        *likely_buttons,
        *sure_buttons,
        *(button for button, may_have in doubtful_buttons if may_have != "rather-yes"),
    ]
    if len(buttons) == 1:
        return buttons
    return [button._replace(reading=f"the button in seat {button.seat}") for button in buttons]


def _place_blinds(ask: Ask, method: Method, cites: Cites, button: _Button, settled_seats: list[Seat]) -> Draft | None:
    """Put the blinds behind the button; None if there is no room for them."""
    previous_seat = button.seat
    blinds: list[Seat] = []
    grounds: list[tuple[Ground, ...]] = []
    last_blind_seats = [seat for seat in ask.all_seats if seat != button.seat and seat not in ask.posters]
    for index in range(len(ask.roles)):
        last = index == len(ask.roles) - 1
        seat = seat_after(previous_seat, last_blind_seats if last else settled_seats)
        if seat is None or seat in blinds or (blinds and is_between(previous_seat, button.seat, seat)):
            return None
        previous_title = _TITLES[ask.roles[index - 1]] if blinds else "button"
        grounds.append((explain_moved_blind(seat, previous_title, previous_seat, cites),))
        blinds.append(seat)
        previous_seat = seat
    dealt = ask.all_seats if ask.is_recorded else tuple(sorted({*ask.settled_seats, *ask.free_comers, *blinds}))
    if len(dealt) == 2 and len(ask.roles) > 1:
        return None
    return Draft(method, button.seat, tuple(blinds), dealt, button.reasons, tuple(grounds), reading=button.reading)


def _draft_without_room(ask: Ask, method: Method, cites: Cites, button: _Button) -> list[Draft]:
    """Draft two settled players heads-up, where the blinds have no room between them."""
    if len(ask.roles) < 2:
        return []
    pair = ask.settled_seats
    if len(pair) == 1 and (comer := seat_after(pair[0], ask.comers)) is not None:
        pair = tuple(sorted((pair[0], comer)))
    if len(pair) != 2 or button.seat not in pair:
        return []
    heads_up_drafts = _draft_moving_heads_up(ask, method, cites, button, pair)
    if not ask.is_recorded:
        return heads_up_drafts
    # Somebody was dealt in between the two: where the blinds belong then, no text says.
    return [draft._replace(dealt=ask.all_seats, heads_up=False, judged=False) for draft in heads_up_drafts]


def _draft_moving_heads_up(
    ask: Ask, method: Method, cites: Cites, button: _Button, pair: tuple[Seat, ...]
) -> list[Draft]:
    button_seat = button.seat
    (big,) = (seat for seat in pair if seat != button_seat)
    basis: Basis = "book" if cites.heads_up_known else "fallback"

    def draft(small: Seat, big: Seat, button_reasons: tuple[Ground, ...], reading: str) -> Draft:
        small_blind_reason = Ground(reasons.heads_up_small_blind(small), cites.heads_up, basis)
        big_blind_reason = Ground(reasons.heads_up_big_blind(big), cites.heads_up, basis)
        return Draft(
            method,
            small,
            (small, big),
            pair,
            button_reasons,
            ((small_blind_reason,), (big_blind_reason,)),
            heads_up=True,
            judged=cites.heads_up_known,
            reading=reading,
        )

    if not ask.had_last_blind(big):
        return [draft(button_seat, big, button.reasons, button.reading)]
    big_moves_reason = Ground(
        reasons.heads_up_big_blind_moves(ask.last_positions.hand, big, button_seat),
        (),
        "fallback",
        ask.last_positions.hand,
    )
    big_moves_draft = draft(big, button_seat, (big_moves_reason,), "the big blind moves on")
    if cites.transition:
        return [big_moves_draft]
    button_moves_draft = draft(button_seat, big, button.reasons, "the button moves on")
    if not cites.heads_up_known:
        return [big_moves_draft, button_moves_draft]
    return [
        button_moves_draft,
        big_moves_draft._replace(doubtful=True),
    ]  # that the button waits for the big blind, no text says


# Owed blinds


_LATE_BLINDS_WAIVED = "a blind left out on the last hand isn't made up"
_NEW_FIRST = "the new round's blinds come before those left from the last round"
_NO_BUTTON = "the button owes nothing"
_BY_PLACE = "each blind from its own position"
_ON_BUTTON = "the button posts the small blind it owes"


def _draft_owed(ask: Ask, draft: Draft, *, spared: bool) -> list[Draft]:
    """Say who posts what: each of those whom the big blind has reached, one blind per hand.

    `spared`: the button does not post the smallest blind, though it may owe it.
    """
    if draft.heads_up or not draft.judged or len(ask.roles) < 2 or ask.last_positions.furthest is None:
        return [draft]
    if moves_backwards(ask.last_positions.furthest, draft.furthest, draft.dealt, most_passed=len(ask.roles)):
        return [draft._replace(reading=_BY_PLACE)]  # by the record the last blind lay ahead of its turn
    owed_drafts: list[Draft] = []
    for reading, counts_late, old_first in (
        (draft.reading, True, True),
        (_LATE_BLINDS_WAIVED, False, True),
        (_NEW_FIRST, True, False),
    ):
        owed_posts = _assign_owed_blinds(ask, draft, counts_late=counts_late, old_first=old_first, spared=spared)
        if all(owed_posts != other_draft.owes for other_draft in owed_drafts):
            owed_drafts.append(draft._replace(owes=owed_posts, reading=reading))
    if len(ask.last_positions.dealt) == 2 and len(draft.dealt) > 2:
        # How the debts of two players carry over, the text does not say: whether the button still
        # pays its small blind, or each blind comes from its position.
        debts_off_button = tuple(debt for debt in owed_drafts[0].owes or () if debt[0] != draft.button)
        owed_drafts.insert(0, owed_drafts[0]._replace(owes=debts_off_button, reading=_NO_BUTTON))
        owed_drafts.append(draft._replace(reading=_BY_PLACE))
    owed_posts = _assign_owed_blinds(ask, draft, counts_late=True, old_first=True, spared=False)
    if spared and all(owed_posts != other_draft.owes for other_draft in owed_drafts):
        owed_drafts.append(draft._replace(owes=owed_posts, reading=_ON_BUTTON, doubtful=True))
    return owed_drafts


def _assign_owed_blinds(
    ask: Ask, draft: Draft, *, counts_late: bool, old_first: bool, spared: bool
) -> tuple[tuple[Seat, BlindName], ...]:
    old_furthest, new_furthest = ask.last_positions.furthest, draft.furthest
    assert old_furthest is not None and new_furthest is not None  # noqa: S101, PT018 - the caller asked
    all_roles = tuple(reversed(ask.roles))
    owed_roles: dict[Seat, BlindName] = {}
    for seat in draft.dealt:
        player = ask.players[seat]
        if seat in ask.posters or (seat in ask.comers and seat not in draft.blinds):
            continue  # comes in by a post of its own
        old_roles = ask.debts.get(player, ()) if counts_late or player not in ask.late_debts else ()
        new_roles = (
            all_roles if reaches(ask.last_positions.button, old_furthest, seat, draft.button, new_furthest) else ()
        )
        unpaid_roles = [
            role for role in ((*old_roles, *new_roles) if old_first else (*new_roles, *old_roles)) if role in ask.roles
        ]
        if unpaid_roles and not (spared and seat == draft.button and unpaid_roles[0] == all_roles[-1]):
            owed_roles[seat] = unpaid_roles[0]
    if all_roles[0] not in owed_roles.values():
        owed_roles[new_furthest] = all_roles[0]  # somebody has to post the largest
    button = draft.button or 0
    order = sorted(owed_roles.items(), key=lambda debt: (-all_roles.index(debt[1]), debt[0] <= button, debt[0]))
    return tuple(order)


def _explain_untold(hand: str, position: BlindName | Literal["button"]) -> str:
    return unknowns.position_of(hand, "button" if position == "button" else _TITLES[position])
