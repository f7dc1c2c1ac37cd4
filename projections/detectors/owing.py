"""Players who missed blinds: dealt in without paying, paid another sum, no marker, skipped later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ledger.hand.betting import HandKilled
from ledger.hand.dealing import CardsViewed
from ledger.hand.opening import BlindPosted, DeadMoneyTaken
from ledger.presence import MarkerGiven
from ledger.vocabulary import Chips, Witness
from projections.detectors.shared.blind_positions import button_of, compare
from projections.detectors.shared.makeup_posts import acted, differing, made_up, option_differs
from projections.detectors.shared.seat_dues import (
    ENTERING,
    MOVED_BY_HOUSE,
    Seated,
    kept,
    needless,
    nobody,
    owed,
    seated,
    sums,
    unsaid,
    ways,
)
from projections.findings.detector import SIGNS_ONLY, Basis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.ring import between
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, posted
from projections.timeline.hand_timeline import NEVER, Timeline

Who = Literal["any", "broke", "drew", "short"]
"""`broke`: had no chips when the blinds went past; `drew`: drew for the button of a new game;
`short`: posted less than half of the big blind."""


def _owing(hand: Timeline, context: TableContext, who: Who = "any") -> list[Seated]:
    """Return the dealt-in seats that owed, and did not take the big blind in turn."""
    drew = context.memory.game.drew
    return [
        one
        for one in seated(hand, context)
        if one.owes
        and not one.new
        and not one.blind
        and (who != "broke" or one.tab.broke)
        and (who != "drew" or one.due.player in drew)
        and (who != "short" or one.tab.short_big)
    ]


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats", basis=Basis.PLAIN_BREACH)
def unpaid(
    hand: Timeline,
    context: TableContext,
    *,
    who: Who = "any",
    amount: Literal["", "exact", "least"] = "",
    behind_button: bool = False,
) -> Iterator[Answer]:
    """Who owed blinds was dealt in without making them up, or made up another sum than is asked."""
    late = {one.seat for one, _ in _late(hand, context)} if _very_next(context) else set()
    there = [one for one in _owing(hand, context, who) if not (behind_button and one.zone) and one.seat not in late]
    if not there:
        yield nobody(hand, context) if who == "any" else NO_OCCASION
    for one in there:
        straddles = one.straddled and any(w.kind == "straddle" and w.now for w in one.due.ways)
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.tab.short_big and one.seat in hand.poster("small"):
            yield CannotTell("whether the small blind in turn makes good a short big one")
        elif one.must and not one.posts and not straddles:
            mended = _mended(hand, one)
            lost = one.due.standing == "unknown"
            yield Breach(
                one.dealt,
                f"seat {one.seat} is dealt in {'on a straddle' if one.straddled else 'without a post'}; it missed {owed(one)}",
                seat=one.seat,
                should=ways(hand, one.due),
                because=mended
                or (f"either way it was not to be dealt in so; it is not known {one.due.why[0].says}" if lost else ""),
                certainty="likely" if lost else "certain",
                money=() if one.tab.short_big or mended else kept(hand, one),  # how much makes it good is not said
                remedy="followed" if mended else "none",
                severity="warning" if mended else None,
                grounds=one.grounds,
            )
        elif one.posts and amount and not one.zone:
            yield from _paid(hand, one, amount)
        elif one.posts and amount == "exact" and one.due.deal != "no":
            yield from _above_all_blinds(hand, one)


def _mended(hand: Timeline, one: Seated) -> str:
    """Say how it was put right in time that a seat was dealt in without its post; "" = it was not.

    It posted before it looked and before anybody acted, or had looked and its hand was dead before it acted.
    """
    late = [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.seat == one.seat and post.role in ENTERING
    ]
    looked = hand.nearest(0, CardsViewed, seat=one.seat)
    if late and late[-1][0] < min(hand.first_act or NEVER, looked[0] if looked else NEVER):
        paid = sum(post.live + post.dead for _, post in late)
        return "it posted before it looked and before anybody acted" if one.asked in (None, paid) else ""
    dead = hand.nearest(0, HandKilled, seat=one.seat)
    if dead is not None and dead[1].reason == "looked-before-post" and not hand.acted(one.seat, dead[0]):
        return "its hand was dead before it acted"
    return ""


@table_detector(needs=Witness.POSTS)
def drew_for_it(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The first button is not with who won the draw; or who drew owes blinds and does not make them up."""
    drawn, button = context.state.drawn, button_of(hand)
    if drawn is not None and context.state.last is None and button not in (None, drawn):
        yield Breach(
            context.version_of("button"),
            f"the first button of the game is in seat {button}",
            seat=button,
            should=f"the button in seat {drawn}",
            because=f"seat {drawn} won the draw",
        )
    yield from unpaid(hand, context, who="drew", amount="exact")


def _paid(hand: Timeline, one: Seated, amount: str) -> Iterator[Answer]:
    """Yield what is wrong with the sum that was made up: by each reading, where the record has several."""
    if not one.due.either:
        if _differs(one, one.asked, amount):
            spare = one.asked is not None and _dead_beside(hand, one) == one.paid - one.asked > 0
            yield CannotTell(_PENALTY) if spare else _sum(hand, one)
        return
    asked = [None if p.live is None or p.dead is None else p.live + p.dead for p in one.due.either]
    wrong = [_differs(one, sum_, amount) for sum_ in asked]
    if all(wrong):
        yield _sum(hand, one)
    elif any(wrong) or None in asked:
        yield unsaid(one)


def _above_all_blinds(hand: Timeline, one: Seated) -> Iterator[Answer]:
    """Yield what was made up before the big blind beyond all blinds of the game: no reading asks for more there."""
    live, dead, _ = one.price
    if not hand.blinds or one.tab.short_big or live is None or dead is None:
        return
    most = max(sum(hand.blinds), live + dead, *((p.live or 0) + (p.dead or 0) for p in one.due.either))
    if one.paid > most:
        yield CannotTell(_PENALTY) if _dead_beside(hand, one) >= one.paid - most else _sum(hand, one)


_PENALTY: Final = "whether the dead money was made up, or a penalty"


def _dead_beside(hand: Timeline, one: Seated) -> Chips:
    """Return the dead money that the dealer took from a seat before anybody acted."""
    taken = hand.upto(hand.first_act or NEVER, DeadMoneyTaken, seat=one.seat)
    return sum(event.amount for _, event in taken)


def _differs(one: Seated, asked: Chips | None, amount: str) -> bool:
    """Whether what was made up is another sum than the book asks, or (`least`) less."""
    if asked is None or (one.all_in and one.paid < asked):
        return False
    return one.paid < asked or (amount == "exact" and one.paid > asked)


def _sum(hand: Timeline, one: Seated) -> Breach:
    return Breach(
        one.version,
        f"seat {one.seat} makes up {hand.say(one.paid)}; it missed {owed(one)}",
        seat=one.seat,
        should=sums(hand, one),
        money=kept(hand, one),
        grounds=one.grounds,
    )


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS,
    signs=Symptom.ENTRY_POSTS,
    occasion=SIGNS_ONLY,
    basis=Basis.HAND_ALONE | Basis.PLAIN_BREACH,
)
def total(
    hand: Timeline,
    context: TableContext | None,
    *,
    of: Literal["sum", "big", "capped"],
    all_blinds_option: bool | None = None,
) -> Iterator[Answer]:
    """Who had missed all blinds made up another sum than the book asks."""
    if context is None:
        yield from _total_by_role(hand, of, all_blinds_option)
        return
    there = [
        one
        for one in _owing(hand, context)
        if one.posts
        and one.due.deal != "no"
        and (one.due.either or len({m.role for m in one.due.missed}) >= len(hand.blinds))
    ]
    other = option_differs(hand, all_blinds_option) if there else NO_OCCASION
    if other is not None:
        yield other
        return
    for one in there:
        if of == "capped" and not _bring_in(hand):
            yield CannotTell("house-option bring-in")  # the rule is for games that have one above the big blind
        elif one.due.either:
            yield unsaid(one)
        elif one.asked is None:
            yield CannotTell("blind-amounts")
        else:
            yield from _paid(hand, one, "exact")


def _bring_in(hand: Timeline) -> Chips:
    return hand.option("bring-in") or hand.option("minimum-open") or 0


def _total_by_role(hand: Timeline, of: str, wanted: bool | None) -> Iterator[Answer]:
    """Judge by what the posts are called, where nobody knows what was missed."""
    made = made_up(hand)
    other = option_differs(hand, wanted) if made else NO_OCCASION
    if other is not None:
        yield other
        return
    both = {
        seat: posts
        for seat, posts in made.items()
        if {post.role for _, post in posts} >= {"makeup-small", "makeup-big"}
    }
    if not both:
        unnamed = any(post.role == "makeup" for posts in made.values() for _, post in posts)
        yield CannotTell("which blinds were missed") if unnamed else NO_OCCASION
        return
    if hand.big is None:
        yield CannotTell("blind-amounts")
        return
    if of == "capped" and not _bring_in(hand):
        yield CannotTell("house-option bring-in")
        return
    least = _bring_in(hand) or hand.big
    due = {"sum": sum(hand.blinds), "big": hand.big, "capped": min(sum(hand.blinds), least)}[of]
    for seat, posts in both.items():
        paid = sum(post.live + post.dead for _, post in posts)
        if paid != due:
            yield Breach(
                posts[0][0],
                f"seat {seat} made up {hand.say(paid)} for all blinds missed",
                seat=seat,
                should=f"{hand.say(due)} in all",
                money=differing(hand, seat, paid, due),
            )


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    signs=Symptom.ENTRY_POSTS,
    occasion=SIGNS_ONLY,
    basis=Basis.HAND_ALONE | Basis.PLAIN_BREACH,
)
def zone(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """A blind was made up from a seat after the button and before the big blind."""
    if context is None:
        yield from _zone_by_role(hand)
        return
    there = [one for one in _owing(hand, context) if one.posts]
    if not there:
        yield _unplaced(hand, context) or nobody(hand, context, posted=True)
    for one in there:
        if one.due.deal == "no":
            yield Breach(
                one.version,
                f"seat {one.seat} made up a blind between the button and the big blind",
                seat=one.seat,
                should=ways(hand, one.due),
                grounds=one.grounds,
            )
        elif one.due.deal == "open" and one.zone is not False:
            yield unsaid(one)


def _unplaced(hand: Timeline, context: TableContext) -> Answer | None:
    """Say that nobody can tell where a blind was made up: the book does not say where the others lie."""
    makes = any(
        post.role.startswith("makeup") for one in seated(hand, context) if not one.blind for _, post in one.posts
    )
    if not makes or not context.due.placements:
        return None
    found = compare(hand, context)
    return CannotTell(found.missing) if found.nearest is None else None


def _zone_by_role(hand: Timeline) -> Iterator[Answer]:
    made = made_up(hand)
    big = [p.seat for _, p in hand.standing_posts() if isinstance(p, BlindPosted) and p.role == "big"]
    if not made or not big or hand.button is None:
        yield NO_OCCASION
        return
    if len(hand.start) == 2:
        yield CannotTell("which seats lie between the button and the big blind with two players")
        return
    for seat, posts in made.items():
        if hand.steps(seat) < hand.steps(big[-1]) or seat == hand.button:
            yield Breach(
                posts[0][0],
                f"seat {seat} made up a blind between the button and the big blind",
                seat=seat,
                should="no post from there until the button has passed",
            )


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats")
def charged_after_straddle(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who owed straddled next to the big blind, and was asked for a make-up as well."""
    there = [one for one in _owing(hand, context) if one.straddled]
    later = [
        one for one in seated(hand, context) if one.posts and one.tab.made_up and one.tab.straddled and not one.owes
    ]
    if not (there or later):
        yield NO_OCCASION
    for one in later:
        yield needless(hand, one, f"its straddle on hand {one.tab.made_up} settled what it had missed")
    for one in there:
        if one.posts and any(way.kind == "straddle" and way.now for way in one.due.ways):
            yield Breach(
                one.version,
                f"seat {one.seat} straddles and is charged {hand.say(one.paid)} as well",
                seat=one.seat,
                should="the straddle alone",
                money=_beyond(hand, one),
                because=f"it missed {owed(one)}, which the straddle settles",
            )


def _beyond(hand: Timeline, one: Seated) -> Money:
    straddle = sum(post.amount for _, post in hand.straddles() if post.seat == one.seat)
    return posted(hand, {one.seat: (straddle, 0)})


@table_detector(needs=Witness.POSTS)
def skipped_after_makeup(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who had made a blind up was passed over when the big blind came in turn."""
    place = context.due.place
    seat = place.big if place is not None and place.judged else None
    due = None if seat is None else context.seat(seat)
    tab = None if due is None else context.tab(due.player)
    if seat is None or seat not in hand.start or tab is None or not tab.made_up:
        yield NO_OCCASION
        return
    if seat not in hand.poster("big"):
        other = hand.version_of("big")
        yield Breach(
            other or hand.version_of("dealt", seat),
            f"the big blind is not posted by seat {seat}",
            seat=seat,
            should=f"the big blind from seat {seat}",
            because=f"it made a blind up on hand {tab.made_up}, which does not excuse the next in turn",
        )


@table_detector(needs=Witness.MARKERS)
def unmarked(_: Timeline, context: TableContext, *, moved_here: bool = False) -> Iterator[Answer]:
    """A blind went past a player, and no missed-blind marker was given before the next hand."""
    before = context.before
    occasion = False
    for seat, held in context.state.seats.items():
        tab = context.tab(held.player)
        if not tab.missed or tab.broke or (moved_here and tab.origin not in MOVED_BY_HOUSE):
            continue
        if before is None or tab.missed[0].hand != before.number:
            continue
        if len(before.dealt_in) == 2 and {one.why.basis for one in tab.missed} == {"assumed"}:
            continue  # the small blind went past by its order alone: two players had it on the button
        occasion = True
        if tab.unsure or tab.perhaps:  # one that was given before, the record need not have
            yield CannotTell("whether a marker was given where nothing is on record")
            continue
        given = {
            told.event.seat
            for told in context.between
            if isinstance(told.event, MarkerGiven) and told.event.kind.startswith("missed")
        }
        if seat not in given and not any(marker.startswith("missed") for marker in held.markers):
            yield Breach(
                context.version_of("dealt", seat),
                f"seat {seat} has no marker",
                seat=seat,
                should="a missed-blind marker before this hand",
                grounds=(tab.missed[0].why,),
                certainty="certain" if context.state.marks else "likely",
                because="" if context.state.marks else "no marker is told of in this record so far",
            )
    if not occasion:
        yield NO_OCCASION


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats", basis=Basis.HAND_ALONE)
def after_acting(
    hand: Timeline, context: TableContext | None, *, acted_with: Literal["anything", "chips"], next_deal: bool = False
) -> Iterator[Answer]:
    """A hand was killed for a look before the post after its player had acted, or the post never came."""
    kills = [(v, kill) for v, kill in hand.of(HandKilled) if kill.reason == "looked-before-post"]
    for version, kill in kills:
        if acted(hand, kill.seat, acted_with, version):
            yield Breach(
                version,
                f"the hand of seat {kill.seat} was killed after it had acted",
                seat=kill.seat,
                should=f"a live hand; the blind is owed on {'the next' if next_deal else 'a later'} deal",
                remedy="not-followed",
            )
    late = [] if context is None or not next_deal else _late(hand, context)
    for one, number in late:
        if one.must and not one.posts:
            yield Breach(
                one.dealt,
                f"seat {one.seat} is dealt in without a post, as on hand {number}",
                seat=one.seat,
                should=ways(hand, one.due),
                money=kept(hand, one),
                grounds=one.grounds,
            )
    if not kills and not late:
        if hand.witnessed(Witness.LOOKS) or not _owing_now(hand, context):
            yield NO_OCCASION
        else:
            yield CannotTell("looks")


def _very_next(context: TableContext) -> bool:
    """Whether a post that was forgotten is due on the very next deal: that is a clause of its own."""
    rule = context.policy.value("missed.acted")
    return rule is not None and rule.due == "next-deal"


def _late(hand: Timeline, context: TableContext) -> list[tuple[Seated, str]]:
    """Return who acted on the hand before without having posted what was owed."""
    before = context.before.number if context.before is not None else ""
    found = []
    for one in _owing(hand, context):
        number, did = one.tab.played_owing[-1] if one.tab.played_owing else ("", None)
        if number == before and did:
            found.append((one, number))
    return found


def _owing_now(hand: Timeline, context: TableContext | None) -> bool:
    """Whether somebody plays who owed and did not post, so that a look would matter."""
    if context is None:
        return True
    return any(not one.posts for one in _owing(hand, context))


@table_detector(needs=Witness.BUTTON)
def bought_from_elsewhere(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button was bought by a player who owed nothing, or who did not lie between it and the blinds."""
    seat = context.state.bought
    held = None if seat is None else context.state.seats.get(seat)
    if seat is None or held is None:
        yield NO_OCCASION
        return
    version = context.version_of("button")
    if not context.tab(held.player).missed:
        yield Breach(
            version,
            f"seat {seat} bought the button and had missed no blind",
            seat=seat,
            should="the button by the usual order",
        )
        return
    was = context.state.button.seat
    ring = [one for one in hand.seats if one != seat]
    if was is None or len(ring) < 2:
        yield CannotTell("button")
        return
    coming = hand.after(was, ring)[0]
    first_blind = hand.after(coming, ring)[0]
    if not between(coming, seat, first_blind):
        yield Breach(
            version,
            f"seat {seat} bought the button, which was to come to seat {coming}",
            seat=seat,
            should=f"no sale: seat {seat} does not lie between the button and the blinds",
        )
