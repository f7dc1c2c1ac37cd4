"""Blinds: who posts, how much, in what order, and the option to raise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import AntePosted, BlindPosted
from ledger.hand.opening_posts import RANK
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.detector import SIGNS_ONLY, Basis, Symptom, hand_detector, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import DuePost, Placement
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import from_pot, posted
from projections.timeline.hand_timeline import Timeline

_ACTS: Final = (Folded, Checked, Called, Bet, Raised)


@hand_detector(events=(BlindPosted,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.OPEN_ROUND)
def option(hand: Timeline, *, roles: list[str]) -> Iterator[Answer]:
    """The first round closed in an unraised pot before a blind with chips behind had acted."""
    version, waiting = hand.unasked()
    posters = hand.poster(*roles)
    for seat in waiting:
        if seat in posters:
            yield Breach(
                version,
                f"the betting went on without the option of seat {seat}",
                seat=seat,
                should=f"seat {seat} may check or raise first",
                because="nobody had raised, and the seat had chips behind",
            )


@hand_detector(events=(BlindPosted,), needs=Witness.POSTS, partial=Witness.POSTS, signs=Symptom.ODD_POSTS)
def wrong_amount(hand: Timeline) -> Iterator[Answer]:
    """A regular blind was posted for more than the structure's amount, or for less without all-in."""
    if not hand.blinds:
        yield CannotTell("blind-amounts")
        return
    level_note = _other_level(hand)
    for version, post, due in _regular(hand):
        paid = post.live + post.dead
        stack = hand.stack_at(post.seat)
        is_short = paid < due
        if is_short and (paid == _stack_before_post(hand, post) or (post.all_in and stack is None)):
            continue
        if is_short and post.all_in is None and stack is None:
            yield CannotTell("stacks-before")
        elif paid != due:
            yield Breach(
                version,
                f"seat {post.seat} posted {hand.say(paid)} as the {post.role} blind",
                seat=post.seat,
                should=f"a {post.role} blind of {hand.say(due)}",
                money=posted(hand, {post.seat: (due, 0)}),
                certainty="likely" if level_note else "certain",
                because=level_note,
            )


def _regular(hand: Timeline) -> Iterator[tuple[int, BlindPosted, Chips]]:
    """Yield the regular blinds that were posted, each with its version and what the structure asks."""
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role in ("small", "big", "extra"):
            blind_index = 0 if len(hand.blinds) == 1 else RANK[post.role] - 1
            if blind_index < len(hand.blinds):
                yield version, post, hand.blinds[blind_index]


def _other_level(hand: Timeline) -> str:
    """Say that the blinds are all those of another level, if they are; "" = they are not.

    Where a level changes, some sources head a hand with the next one; nobody can tell which is wrong.
    """
    amounts = [(post.live + post.dead, due) for _, post, due in _regular(hand)]
    if len(amounts) < 2 or any(paid == due for paid, due in amounts):
        return ""
    (first_paid, first_due), *later_amounts = amounts
    in_proportion = all(paid * first_due == first_paid * due for paid, due in later_amounts)
    return "all blinds differ in the same proportion: the structure may be told wrongly" if in_proportion else ""


def _stack_before_post(hand: Timeline, post: BlindPosted) -> Chips | None:
    """Return what a seat had to post with beside its antes and other posts; None = not told."""
    stack = hand.stack_at(post.seat)
    if stack is None:
        return None
    posted = hand.once("posted in all", lambda: _posted(hand))
    return stack - (posted[post.seat] - post.live - post.dead)


def _posted(hand: Timeline) -> Counter[Seat]:
    """Return what each seat posted, antes too."""
    posted: Counter[Seat] = Counter()
    for _, post in hand.standing_posts():
        posted[post.seat] += post.live + post.dead if isinstance(post, BlindPosted) else post.amount
    return posted


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    signs=Symptom.ODD_POSTS | Symptom.HEADS_UP,
    basis=Basis.TABLE_NOW | Basis.HAND_ALONE,
)
def order(hand: Timeline, context: TableContext | None, *, consecutive: bool, half: float = 0) -> Iterator[Answer]:
    """The blinds do not lie clockwise from the button, the smallest first.

    `half`: who cannot put in this part of a blind is passed over, and the next player takes it. Blinds that
    belong where they are by a reading of the hands before are right; if the book leaves it open, nobody can tell.
    """
    for answer in _in_order(hand, consecutive=consecutive, half=half):
        if isinstance(answer, Breach) and context is not None:
            fitting = [
                placement for placement in context.due.placements if _blinds_of(placement) == _blinds_posted(hand)
            ]
            if fitting:
                yield NO_OCCASION if any(placement.judged for placement in fitting) else CannotTell(_UNSETTLED)
                return
        yield answer


_UNSETTLED: Final = "where the book has the blinds of this hand"


def _blinds_of(place: Placement) -> list[tuple[str, Seat]]:
    return sorted((post.role, post.seat) for post in place.posts if post.role in RANK)


def _blinds_posted(hand: Timeline) -> list[tuple[str, Seat]]:
    posts = [post for _, post in hand.standing_posts() if isinstance(post, BlindPosted)]
    return sorted((post.role, post.seat) for post in posts if post.role in ("small", "big", "extra"))


def _in_order(hand: Timeline, *, consecutive: bool, half: float) -> Iterator[Answer]:
    if len(hand.start) == 2:
        yield CannotTell("the book does not say how the blinds lie with two players")
        return
    if hand.button is None:
        yield CannotTell("button")
        return
    posts = [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in ("small", "big", "extra")
    ]
    ranked = sorted(posts, key=lambda p: (hand.steps(p[1].seat), RANK[p[1].role]))
    for (_, nearer), (version, further) in pairwise(ranked):
        if RANK[nearer.role] > RANK[further.role]:
            yield Breach(
                version,
                f"the {further.role} blind is in seat {further.seat}, behind the {nearer.role} blind in seat {nearer.seat}",
                seat=further.seat,
                should=f"the {further.role} blind nearer to the button in seat {hand.button}",
            )
            return
        seats_between = hand.after(nearer.seat)[: hand.steps(further.seat) - hand.steps(nearer.seat) - 1]
        due = hand.blinds[min(RANK[further.role], len(hand.blinds)) - 1] if hand.blinds else 0
        passed = [seat for seat in seats_between if not _too_poor(hand, seat, half * due)]
        if consecutive and passed:
            yield Breach(
                version,
                f"{len(passed)} seat{'s' * (len(passed) > 1)} without a blind between seat {nearer.seat} and seat {further.seat}",
                seat=further.seat,
                should=f"the {further.role} blind from seat {passed[0]}",
            )
            return


def _too_poor(hand: Timeline, seat: Seat, minimum: float) -> bool:
    stack = hand.stack_at(seat)
    return stack is not None and stack < minimum


@table_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.BUTTON, signs=Symptom.ODD_POSTS, basis=Basis.HAND_ALONE
)
def smallest_on_button(hand: Timeline, context: TableContext | None, *, blinds: int) -> Iterator[Answer]:
    """With this many blinds or more, the smallest was posted from the button; likely, where the button owes it."""
    if len(hand.blinds) < blinds:
        yield NO_OCCASION
        return
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == "small" and post.seat == hand.button:
            yield Breach(
                version,
                f"the small blind is posted from the button in seat {post.seat}",
                seat=post.seat,
                should=f"the small blind from seat {hand.after(post.seat)[0]}",
                certainty="likely" if context is not None and _owes_small(context, post.seat) else "certain",
            )


def _owes_small(context: TableContext, seat: Seat) -> bool:
    """Whether by some reading of the book a seat posts the small blind, wherever the button is."""
    return any(post.role == "small" and post.seat == seat for place in context.due.placements for post in place.posts)


@table_detector(events=_ACTS, needs=Witness.POSTS, signs=Symptom.BLIND_SEATS, basis=Basis.HAND_ALONE)
def full_set(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """A blind of the structure was posted by nobody; at a table, from whom it was due is said."""
    if not hand.blinds:
        yield CannotTell("blind-amounts")
        return
    if hand.poster("button") or _bomb_pot(
        hand
    ):  # a game whose one blind lies on the button, or none: no full set is due
        yield NO_OCCASION
        return
    required_roles = ("big",) if len(hand.blinds) == 1 else ("small", "big", "extra")[: len(hand.blinds)]
    for role in required_roles:
        if not hand.poster(role):
            due = _due(context, role)
            from_seat = f" from seat {due.seat}" if due is not None else ""
            yield Breach(
                hand.first_act or 1,
                f"the betting began without a {role} blind",
                seat=due.seat if due is not None else None,
                should=f"a {role} blind of {hand.say(hand.blinds[required_roles.index(role)])}{from_seat}",
                grounds=due.why if due is not None else (),
                because="" if due is not None else "from whom it was due, the hands before it would tell",
                certainty="certain" if due is not None else "likely",
            )


def _bomb_pot(hand: Timeline) -> bool:
    """Whether everybody antes for a flop, instead of blinds."""
    return any(isinstance(post, AntePosted) and post.kind == "bomb-pot" for _, post in hand.standing_posts())


def _small_due(context: TableContext, seat: Seat) -> bool:
    """Whether by every reading of the hands before it the small blind was due from a seat."""
    places = context.placed.placements
    return bool(places) and all(placement.judged and placement.small == seat for placement in places)


def _due(context: TableContext | None, role: str) -> DuePost | None:
    """Return the post of a blind that was due on a hand, where its table tells it."""
    place = context.due.place if context is not None else None
    if place is None or not place.judged:
        return None
    return next((post for post in place.posts if post.role == role), None)


@hand_detector(events=_ACTS, needs=Witness.POSTS, signs=Symptom.BLIND_SEATS)
def none_posted(hand: Timeline) -> Iterator[Answer]:
    """The first round began without any blind in a game that has blinds."""
    if hand.blinds and not hand.poster("small", "big", "extra", "button", "makeup", "makeup-big", "entry", "straddle"):
        if _bomb_pot(hand) or (hand.acts and not hand.acts[0].able):
            yield NO_OCCASION  # or all are in with their antes: nobody has a chip left to post
            return
        yield Breach(hand.first_act or 1, "the betting began without any blind", should="one or more blinds first")


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    partial=Witness.POSTS,
    signs=Symptom.HEADS_UP,
    occasion=SIGNS_ONLY,
    basis=Basis.TABLE_NOW | Basis.HAND_ALONE,
)
def heads_up_small(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """With two players and two blinds, the small blind was posted away from the button.

    Where it was due from who posted it, it is the button that lies wrong, of which another clause speaks.
    """
    if len(hand.start) != 2 or len(hand.blinds) != 2 or hand.button not in hand.start:
        yield NO_OCCASION
        return
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == "small" and post.seat != hand.button:
            if context is not None and _small_due(context, post.seat):
                return
            half = hand.blinds[1] - hand.blinds[0]
            yield Breach(
                version,
                f"seat {post.seat} posted the small blind, the button is in seat {hand.button}",
                seat=post.seat,
                should=f"small blind from the button in seat {hand.button}, big blind from seat {post.seat}",
                money=((hand.button or 0, -half), (post.seat, half)),
            )


@hand_detector(events=(BlindPosted,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.CALL_SIZE)
def big_blind_overcharged(hand: Timeline) -> Iterator[Answer]:
    """The big blind put in more than the difference between its blind and the bet it called."""
    blinds = hand.poster("extra" if len(hand.blinds) > 2 else "big")
    for act in hand.acts:
        if act.street == "preflop" and act.seat in blinds and act.first and act.kind == "call" and act.to > act.level:
            yield Breach(
                act.version,
                f"the big blind in seat {act.seat} called {hand.say(act.added)}",
                seat=act.seat,
                should=f"{hand.say(act.call)} to call",
                money=from_pot(hand, {act.seat: act.call - act.added}),
            )
