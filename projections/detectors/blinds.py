"""Blinds: who posts, how much, in what order, and the option to raise.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import BlindPosted
from ledger.hand.opening_posts import RANK
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.detector import SIGNS_ONLY, HandBasis, Symptom, hand_detector, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import DuePost, Placement
from projections.sentences import blinds as say
from projections.sentences import unknowns
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import build_post_flow, build_pot_flow
from projections.timeline.hand_timeline import Timeline

_ACTS: Final = (Folded, Checked, Called, Bet, Raised)


@hand_detector(events=(BlindPosted,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.OPEN_ROUND)
def option(hand: Timeline, *, roles: list[str]) -> Iterator[Answer]:
    """The first round of an unraised pot closed before a blind with chips left had acted."""
    version, waiting = hand.find_skipped_option()
    posters = hand.find_posters(*roles)
    for seat in waiting:
        if seat in posters:
            yield Breach(
                version,
                say.option_skipped(seat),
                seat=seat,
                should=say.check_or_raise(seat),
                because=say.nobody_raised(seat),
            )


@hand_detector(events=(BlindPosted,), needs=Witness.POSTS, partial=Witness.POSTS, signs=Symptom.ODD_POSTS)
def wrong_amount(hand: Timeline) -> Iterator[Answer]:
    """A regular blind was posted for more than the structure's amount, or for less without all-in."""
    if not hand.blinds:
        yield CannotTell("blind-amounts")
        return
    level_note = _explain_by_other_level(hand)
    for version, post, blind_amount in _iter_regular_posts(hand):
        paid = post.live + post.dead
        stack = hand.stack_at(post.seat)
        is_short = paid < blind_amount
        if is_short and (paid == _find_stack_before_post(hand, post) or (post.all_in and stack is None)):
            continue
        if is_short and post.all_in is None and stack is None:
            yield CannotTell("stacks-before")
        elif paid != blind_amount:
            yield Breach(
                version,
                say.wrong_amount(post.seat, post.role, hand.format_chips(paid), hand.format_chips(blind_amount)),
                seat=post.seat,
                should=say.blind_of(post.role, hand.format_chips(blind_amount)),
                money=build_post_flow(hand, {post.seat: (blind_amount, 0)}),
                certainty="likely" if level_note else "certain",
                because=level_note,
            )


def _iter_regular_posts(hand: Timeline) -> Iterator[tuple[int, BlindPosted, Chips]]:
    """Yield the posted regular blinds, each with its version and the game's amount for it."""
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role in ("small", "big", "extra"):
            blind_index = 0 if len(hand.blinds) == 1 else RANK[post.role] - 1
            if blind_index < len(hand.blinds):
                yield version, post, hand.blinds[blind_index]


def _explain_by_other_level(hand: Timeline) -> str:
    """Return a sentence if all blinds are those of another level, else "".

    When the level changes, some sources put the next one in a hand's header; the record can't show which is wrong.
    """
    amounts = [(post.live + post.dead, due) for _, post, due in _iter_regular_posts(hand)]
    if len(amounts) < 2 or any(paid == due for paid, due in amounts):
        return ""
    (first_paid, first_due), *later_amounts = amounts
    is_in_proportion = all(paid * first_due == first_paid * due for paid, due in later_amounts)
    return say.other_level() if is_in_proportion else ""


def _find_stack_before_post(hand: Timeline, post: BlindPosted) -> Chips | None:
    """Return the chips a seat had left for this post, after its other posts; None = not recorded."""
    stack = hand.stack_at(post.seat)
    if stack is None:
        return None
    chips_by_seat = hand.cached("posted in all", lambda: _sum_posts(hand))
    return stack - (chips_by_seat[post.seat] - post.live - post.dead)


def _sum_posts(hand: Timeline) -> Counter[Seat]:
    """Return the chips that each seat posted, with antes."""
    chips_by_seat: Counter[Seat] = Counter()
    for _, post in hand.standing_posts():
        chips_by_seat[post.seat] += post.live + post.dead if isinstance(post, BlindPosted) else post.amount
    return chips_by_seat


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    signs=Symptom.ODD_POSTS | Symptom.HEADS_UP,
    basis=HandBasis.TABLE_NOW | HandBasis.HAND_ALONE,
)
def order(hand: Timeline, context: TableContext | None, *, consecutive: bool, half: float = 0) -> Iterator[Answer]:
    """The blinds are not clockwise from the button, the smallest first.

    `half`: the next player posts the blind of a player who can't post this share of it. If the blinds match a
    placement that follows from earlier hands, there is no breach; if the book leaves that open, nobody can tell.
    """
    for answer in _judge_order(hand, consecutive=consecutive, half=half):
        if isinstance(answer, Breach) and context is not None:
            posted_blinds = _list_posted_blinds(hand)
            fitting_placements = [
                placement for placement in context.due.placements if _list_due_blinds(placement) == posted_blinds
            ]
            if fitting_placements:
                is_judged = any(placement.judged for placement in fitting_placements)
                yield NO_OCCASION if is_judged else CannotTell(unknowns.blinds_in_hand())
                return
        yield answer


def _list_due_blinds(placement: Placement) -> list[tuple[str, Seat]]:
    """Return role and seat of each regular blind that a placement asks for, sorted."""
    return sorted((post.role, post.seat) for post in placement.posts if post.role in RANK)


def _list_posted_blinds(hand: Timeline) -> list[tuple[str, Seat]]:
    """Return role and seat of each regular blind that was posted, sorted."""
    posts = [post for _, post in hand.standing_posts() if isinstance(post, BlindPosted)]
    return sorted((post.role, post.seat) for post in posts if post.role in ("small", "big", "extra"))


def _judge_order(hand: Timeline, *, consecutive: bool, half: float) -> Iterator[Answer]:
    """Judge the order of the blinds by the hand alone; `consecutive` and `half` as in `order`."""
    if len(hand.start) == 2:
        yield CannotTell(unknowns.blinds_of_two_in_book())
        return
    if hand.button is None:
        yield CannotTell("button")
        return
    posts = [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in ("small", "big", "extra")
    ]
    clockwise_posts = sorted(
        posts, key=lambda numbered_post: (hand.steps_from_button(numbered_post[1].seat), RANK[numbered_post[1].role])
    )
    for (_, nearer), (version, further) in pairwise(clockwise_posts):
        if RANK[nearer.role] > RANK[further.role]:
            yield Breach(
                version,
                say.out_of_order(further.seat, further.role, nearer.seat, nearer.role),
                seat=further.seat,
                should=say.smaller_blind_nearer(further.role, nearer.seat),
            )
            return
        steps_between = hand.steps_from_button(further.seat) - hand.steps_from_button(nearer.seat)
        seats_between = hand.seats_after(nearer.seat)[: steps_between - 1]
        blind_amount = hand.blinds[min(RANK[further.role], len(hand.blinds)) - 1] if hand.blinds else 0
        passed_seats = [seat for seat in seats_between if not _has_less_than(hand, seat, half * blind_amount)]
        if consecutive and passed_seats:
            yield Breach(
                version,
                say.seats_between_blinds(passed_seats, nearer.seat, nearer.role, further.seat, further.role),
                seat=further.seat,
                should=say.blind_from(further.role, passed_seats[0]),
            )
            return


def _has_less_than(hand: Timeline, seat: Seat, minimum: float) -> bool:
    """Whether a seat's recorded stack is below a minimum; False if it isn't recorded."""
    stack = hand.stack_at(seat)
    return stack is not None and stack < minimum


@table_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.BUTTON, signs=Symptom.ODD_POSTS, basis=HandBasis.HAND_ALONE
)
def smallest_on_button(hand: Timeline, context: TableContext | None, *, blinds: int) -> Iterator[Answer]:
    """With this many blinds or more, the smallest was posted from the button; only likely if the button owes it."""
    if len(hand.blinds) < blinds:
        yield NO_OCCASION
        return
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == "small" and post.seat == hand.button:
            yield Breach(
                version,
                say.posted_from_button(post.seat),
                seat=post.seat,
                should=say.blind_from("small", hand.seats_after(post.seat)[0]),
                certainty="likely" if context is not None and _may_owe_small(context, post.seat) else "certain",
            )


def _may_owe_small(context: TableContext, seat: Seat) -> bool:
    """Whether a seat owes the small blind by some reading of the book, wherever the button is."""
    return any(post.role == "small" and post.seat == seat for place in context.due.placements for post in place.posts)


@table_detector(events=_ACTS, needs=Witness.POSTS, signs=Symptom.BLIND_SEATS, basis=HandBasis.HAND_ALONE)
def full_set(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """Nobody posted a blind of the structure; at a table, the finding names the seat that was due."""
    if not hand.blinds:
        yield CannotTell("blind-amounts")
        return
    if hand.find_posters("button") or hand.is_bomb_pot:  # no full set is due
        yield NO_OCCASION
        return
    required_roles = ("big",) if len(hand.blinds) == 1 else ("small", "big", "extra")[: len(hand.blinds)]
    for role in required_roles:
        if not hand.find_posters(role):
            due_post = _find_due_post(context, role)
            amount = hand.format_chips(hand.blinds[required_roles.index(role)])
            if due_post is None:
                yield Breach(
                    hand.first_act or 1,
                    say.blind_missing(role),
                    should=say.blind_of(role, amount),
                    because=say.earlier_hands_needed(),
                    certainty="likely",
                )
            else:
                yield Breach(
                    hand.first_act or 1,
                    say.nobody_posted(due_post.seat, role),
                    seat=due_post.seat,
                    should=say.blind_of_from(role, amount, due_post.seat),
                    grounds=due_post.grounds,
                )


def _find_due_post(context: TableContext | None, role: str) -> DuePost | None:
    """Return the post of a blind that was due on a hand; None if its table doesn't show it."""
    place = context.due.place if context is not None else None
    if place is None or not place.judged:
        return None
    return next((post for post in place.posts if post.role == role), None)


@hand_detector(events=_ACTS, needs=Witness.POSTS, signs=Symptom.BLIND_SEATS)
def none_posted(hand: Timeline) -> Iterator[Answer]:
    """The first round began without any blind in a game that has blinds."""
    if hand.blinds and not hand.find_posters(
        "small", "big", "extra", "button", "makeup", "makeup-big", "entry", "straddle"
    ):
        if hand.is_bomb_pot or (hand.acts and not hand.acts[0].able_seats):
            yield NO_OCCASION  # a bomb pot, or the antes took everybody's last chip
            return
        yield Breach(hand.first_act or 1, say.no_blinds(), should=say.one_blind_at_least())


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    partial=Witness.POSTS,
    signs=Symptom.HEADS_UP,
    occasion=SIGNS_ONLY,
    basis=HandBasis.TABLE_NOW | HandBasis.HAND_ALONE,
)
def heads_up_small(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """With two players and two blinds, the small blind was posted away from the button.

    If its poster owed it, the button is wrong, and another clause finds that.
    """
    if len(hand.start) != 2 or len(hand.blinds) != 2 or hand.button is None or hand.button not in hand.start:
        yield NO_OCCASION
        return
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == "small" and post.seat != hand.button:
            if context is not None and _is_small_due(context, post.seat):
                return
            yield _build_off_button_breach(hand, version, post.seat, hand.button)


def _build_off_button_breach(hand: Timeline, version: int, small_seat: Seat, button: Seat) -> Breach:
    """Return the breach of a small blind that was posted away from the button by one of two players."""
    small_blind, big_blind = hand.blinds
    blind_difference = big_blind - small_blind
    own_act = next((act for act in hand.acts if act.seat == small_seat), None)
    has_folded = own_act is not None and own_act.kind == "fold"  # otherwise its blind is part of its bet
    return Breach(
        version,
        say.heads_up_off_button(small_seat, button),
        seat=small_seat,
        should=say.heads_up_blinds(button, small_seat),
        money=((button, -blind_difference), (small_seat, blind_difference)) if has_folded else (),
    )


def _is_small_due(context: TableContext, seat: Seat) -> bool:
    """Whether the small blind belongs in a seat by every reading of the earlier hands."""
    places = context.due_positions.placements
    return bool(places) and all(placement.judged and placement.small == seat for placement in places)


@hand_detector(events=(BlindPosted,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.CALL_SIZE)
def big_blind_overcharged(hand: Timeline) -> Iterator[Answer]:
    """The big blind put in more than the difference between its blind and the bet it called."""
    big_blind_seats = hand.find_posters(hand.largest_blind_role)
    for act in hand.acts:
        is_first_call = act.street == "preflop" and act.is_first_on_street and act.kind == "call"
        if is_first_call and act.seat in big_blind_seats and act.bet_after > act.bet_to_call:
            yield Breach(
                act.version,
                say.big_blind_overcharged(
                    act.seat, hand.format_chips(act.amount_added), hand.format_chips(act.call_amount)
                ),
                seat=act.seat,
                should=say.call_of(hand.format_chips(act.call_amount)),
                money=build_pot_flow(hand, {act.seat: act.call_amount - act.amount_added}),
            )
