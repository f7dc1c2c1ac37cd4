"""Positions that don't follow from the last hand: of a new game, a redeal, a bought button, or a silent book."""

from __future__ import annotations

from typing import Final

from ledger.table.events import HandPlayed
from ledger.table.positions import find_big_blind_seat, find_small_blind_seat
from ledger.table.state import TableState
from ledger.vocabulary import Seat
from projections.obligations.blindless_hands import NO_BLINDS
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Ground, Method
from projections.obligations.game import BlindName, find_option
from projections.obligations.policy import Policy
from projections.obligations.position_inputs import Citations, Draft
from projections.obligations.ring import find_seat_after, find_seat_right_of_dealer
from projections.sentences import positions as position_sentences
from projections.sentences import readings, unknowns

NEW_GAME: Final = "no hand of this game is on record"


def is_new_game(state: TableState) -> bool:
    """Whether the coming hand is known to be the first of its game."""
    return state.last_hand is None and bool(state.games or state.button_draw_winner)


def find_first_button(
    policy: Policy, state: TableState, hand: HandPlayed | None, dealt: tuple[Seat, ...]
) -> tuple[Seat, Ground, bool] | str:
    """Return the button of a game's first hand, the reason, and whether the book decides it; a sentence if unknown."""
    game_format = hand.format if hand is not None else state.format
    key = "button.initial.tournament" if game_format == "tournament" else "button.initial"
    ruling = policy.get(key)
    method = None if ruling is None else ruling.value
    citations = () if ruling is None else ruling.clauses
    if method == "right-of-dealer" and is_new_game(state):  # else the game may be older than its record
        seat = find_seat_right_of_dealer(find_option(state, hand, "dealer-box"), dealt)
        assert seat is not None  # noqa: S101 - the caller has somebody to deal to
        return seat, Ground(position_sentences.first_button_by_dealer(seat), citations), True
    if state.button_draw_winner is not None:
        reason = Ground(position_sentences.button_drawn(state.button_draw_winner), citations, "record")
        return state.button_draw_winner, reason, method is not None
    if hand is not None and hand.button is not None:
        return (
            hand.button,
            Ground(position_sentences.first_button_recorded(), (), "record"),
            True,  # the button is as recorded, and the blinds after it are judged
        )
    return unknowns.first_button()


def draft_behind_button(
    method: Method,
    button: Seat,
    reason: Ground,
    dealt: tuple[Seat, ...],
    roles: tuple[BlindName, ...],
    citations: Citations,
    *,
    judged: bool,
    reading: str = "",
) -> Draft | str:
    """Return a draft with the blinds on the next players clockwise after a known button; a sentence if there are too few."""
    other_seats = [seat for seat in dealt if seat != button]
    if len(dealt) < 2:
        return unknowns.too_few_players()
    if len(dealt) == 2 and len(roles) > 1:
        if len(roles) > 2 or button not in dealt:
            return unknowns.blinds_of_two()
        heads_up_reason = Ground(position_sentences.heads_up_small_blind(button), citations.heads_up)
        return Draft(
            method,
            button,
            (button, other_seats[0]),
            dealt,
            (reason,),
            ((heads_up_reason,), (heads_up_reason,)),
            True,
            judged and citations.heads_up_known,
            reading,
        )
    if len(other_seats) < len(roles):
        return unknowns.fewer_players_than_blinds()
    blinds: list[Seat] = []
    grounds: list[tuple[Ground, ...]] = []
    previous_seat = button
    for _ in roles:
        seat = find_seat_after(previous_seat, other_seats)
        assert seat is not None  # noqa: S101 - as many others as roles
        grounds.append((Ground(position_sentences.next_clockwise(seat, previous_seat), citations.order),))
        blinds.append(seat)
        previous_seat = seat
    return Draft(method, button, tuple(blinds), dealt, (reason,), tuple(grounds), judged=judged, reading=reading)


def draft_from_record(
    hand: HandPlayed,
    blind_takers: tuple[Seat, ...],
    roles: tuple[BlindName, ...],
    methods: tuple[Method, ...],
    citations: dict[Method, Citations],
) -> list[Draft]:
    """Return where the blinds belong after a recorded button, on a hand before which nothing is known.

    `blind_takers`: who is dealt in, without those who came in by a post. If the recorded blinds follow the button in
    order, there is no draft: earlier hands may have made them right.
    """
    button, dealt = hand.button, tuple(sorted(dealt_player.seat for dealt_player in hand.dealt_in))
    if button is None or len(blind_takers) < 3 or has_blinds_in_order(hand, roles):
        return []
    reason = Ground(position_sentences.button_recorded(), (), "record", hand.number)
    openings = [
        draft_behind_button(method, button, reason, blind_takers, roles, citations[method], judged=True)
        for method in methods
    ]
    return [draft._replace(dealt=dealt) for draft in openings if isinstance(draft, Draft)]


def has_blinds_in_order(hand: HandPlayed, roles: tuple[BlindName, ...]) -> bool:
    """Whether the blinds of a hand follow its button in order, or can't be compared with it."""
    button = hand.button
    blind_posts = [post for post in hand.posts if post.role in ("small", "big", "extra")]
    if button is None or hand.voided or len(blind_posts) < 2:
        return True
    if sorted(post.role for post in blind_posts) != sorted(roles):
        return True  # a blind is missing or posted twice: other rules judge that
    clockwise_posts = sorted(blind_posts, key=lambda post: (post.seat < button, post.seat))
    return tuple(post.role for post in clockwise_posts) == roles


def repeat_positions(
    last_positions: HandPositions,
    method: Method,
    dealt: tuple[Seat, ...],
    citations: tuple[str, ...],
    *,
    judged: bool,
    reason: str = "voided",
) -> Draft | None:
    """Return a draft that repeats the positions of an unfinished hand, or None if its last blind left.

    `reason`: why the hand may not count: "" if its end isn't recorded, `NO_BLINDS` if nobody had to post a blind.
    """
    if last_positions.furthest not in dealt:
        return None
    if reason == NO_BLINDS:
        sentence = position_sentences.positions_may_stay_without_blinds(last_positions.hand)
    elif reason:
        sentence = position_sentences.positions_stay(last_positions.hand)
    else:
        sentence = position_sentences.positions_may_stay(last_positions.hand)
    ground = Ground(sentence, citations, "book" if citations else "fallback", last_positions.hand)
    blinds = tuple(last_positions.seat(role) for role in last_positions.roles)
    return Draft(
        method,
        last_positions.button,
        blinds,
        dealt,
        (ground,),
        ((ground,),) * len(blinds),
        heads_up=len(dealt) == 2,
        judged=judged,
        reading=readings.positions_as_in(last_positions.hand),
    )


def draft_as_recorded(hand: HandPlayed, dealt: tuple[Seat, ...], roles: tuple[BlindName, ...]) -> Draft:
    """Return the recorded positions as a draft, for a book without a rule about positions."""
    spot = {"small": find_small_blind_seat(hand), "big": find_big_blind_seat(hand)}
    reason = Ground(position_sentences.positions_as_recorded(), (), "fallback", hand.number)
    blinds = tuple(spot.get(role) for role in roles)
    return Draft(
        "record",
        hand.button,
        blinds,
        dealt,
        (reason,),
        ((reason,),) * len(blinds),
        heads_up=len(dealt) == 2,
        judged=False,
    )
