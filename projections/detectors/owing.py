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
from projections.findings.detector import Symptom, detects
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.ring import between
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, posted
from projections.timeline.hand_timeline import NEVER, Timeline

Who = Literal["any", "broke", "drew", "short"]
"""`broke`: had no chips when the blinds went past; `drew`: drew for the button of a new game;
`short`: posted less than half of the big blind."""


def _owing(hand: Timeline, context: TableContext, group: Who = "any") -> list[Seated]:
    """Return the dealt-in seats that owed, and did not take the big blind in turn."""
    drew = context.memory.game.drew
    return [
        debtor
        for debtor in seated(hand, context)
        if debtor.owes
        and not debtor.new
        and not debtor.blind
        and (group != "broke" or debtor.tab.broke)
        and (group != "drew" or debtor.due.player in drew)
        and (group != "short" or debtor.tab.short_big)
    ]


@detects(needs=Witness.POSTS, table=True, about="seats", rare=True, shown=True)
def unpaid(
    hand: Timeline,
    context: TableContext,
    *,
    who: Who = "any",
    amount: Literal["", "exact", "least"] = "",
    behind_button: bool = False,
) -> Iterator[Answer]:
    """Who owed blinds was dealt in without making them up, or made up another sum than is asked."""
    late_seats = {debtor.seat for debtor, _ in _acted_owing(hand, context)} if _very_next(context) else set()
    debtors = [
        debtor
        for debtor in _owing(hand, context, who)
        if not (behind_button and debtor.zone) and debtor.seat not in late_seats
    ]
    if not debtors:
        yield nobody(hand, context) if who == "any" else NO_OCCASION
    for debtor in debtors:
        straddles = debtor.straddled and any(option.kind == "straddle" and option.now for option in debtor.due.ways)
        if debtor.due.deal == "open":
            yield unsaid(debtor)
        elif debtor.tab.short_big and debtor.seat in hand.poster("small"):
            yield CannotTell("whether the small blind in turn makes good a short big one")
        elif debtor.must and not debtor.posts and not straddles:
            mending_note = _mended(hand, debtor)
            is_unknown = debtor.due.standing == "unknown"
            yield Breach(
                debtor.dealt,
                f"seat {debtor.seat} is dealt in {'on a straddle' if debtor.straddled else 'without a post'}; it missed {owed(debtor)}",
                seat=debtor.seat,
                should=ways(hand, debtor.due),
                because=mending_note
                or (
                    f"either way it was not to be dealt in so; it is not known {debtor.due.why[0].says}"
                    if is_unknown
                    else ""
                ),
                certainty="likely" if is_unknown else "certain",
                # For a short big blind the book does not say how much makes it good.
                money=() if debtor.tab.short_big or mending_note else kept(hand, debtor),
                remedy="followed" if mending_note else "none",
                severity="warning" if mending_note else None,
                grounds=debtor.grounds,
            )
        elif debtor.posts and amount and not debtor.zone:
            yield from _paid(hand, debtor, amount)
        elif debtor.posts and amount == "exact" and debtor.due.deal != "no":
            yield from _above_all_blinds(hand, debtor)


def _mended(hand: Timeline, debtor: Seated) -> str:
    """Say how it was put right in time that a seat was dealt in without its post; "" = it was not.

    It posted before it looked and before anybody acted, or had looked and its hand was dead before it acted.
    """
    late_posts = [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.seat == debtor.seat and post.role in ENTERING
    ]
    first_look = hand.nearest(0, CardsViewed, seat=debtor.seat)
    if late_posts and late_posts[-1][0] < min(hand.first_act or NEVER, first_look[0] if first_look else NEVER):
        paid = sum(post.live + post.dead for _, post in late_posts)
        return "it posted before it looked and before anybody acted" if debtor.asked in (None, paid) else ""
    hand_kill = hand.nearest(0, HandKilled, seat=debtor.seat)
    if (
        hand_kill is not None
        and hand_kill[1].reason == "looked-before-post"
        and not hand.acted(debtor.seat, hand_kill[0])
    ):
        return "its hand was dead before it acted"
    return ""


@detects(needs=Witness.POSTS, table=True)
def drew_for_it(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The first button is not with who won the draw; or who drew owes blinds and does not make them up."""
    draw_winner, button = context.state.drawn, button_of(hand)
    if draw_winner is not None and context.state.last is None and button not in (None, draw_winner):
        yield Breach(
            context.version_of("button"),
            f"the first button of the game is in seat {button}",
            seat=button,
            should=f"the button in seat {draw_winner}",
            because=f"seat {draw_winner} won the draw",
        )
    yield from unpaid(hand, context, who="drew", amount="exact")


def _paid(hand: Timeline, debtor: Seated, amount: str) -> Iterator[Answer]:
    """Yield what is wrong with the sum that was made up: by each reading, where the record has several."""
    if not debtor.due.either:
        if _differs(debtor, debtor.asked, amount):
            spare = debtor.asked is not None and _dead_beside(hand, debtor) == debtor.paid - debtor.asked > 0
            yield CannotTell(_PENALTY) if spare else _sum(hand, debtor)
        return
    sums_asked = [
        None if reading.live is None or reading.dead is None else reading.live + reading.dead
        for reading in debtor.due.either
    ]
    wrong = [_differs(debtor, sum_, amount) for sum_ in sums_asked]
    if all(wrong):
        yield _sum(hand, debtor)
    elif any(wrong) or None in sums_asked:
        yield unsaid(debtor)


def _above_all_blinds(hand: Timeline, debtor: Seated) -> Iterator[Answer]:
    """Yield what was made up before the big blind beyond all blinds of the game: no reading asks for more there."""
    live, dead, _ = debtor.price
    if not hand.blinds or debtor.tab.short_big or live is None or dead is None:
        return
    maximum = max(
        sum(hand.blinds), live + dead, *((reading.live or 0) + (reading.dead or 0) for reading in debtor.due.either)
    )
    if debtor.paid > maximum:
        yield CannotTell(_PENALTY) if _dead_beside(hand, debtor) >= debtor.paid - maximum else _sum(hand, debtor)


_PENALTY: Final = "whether the dead money was made up, or a penalty"


def _dead_beside(hand: Timeline, debtor: Seated) -> Chips:
    """Return the dead money that the dealer took from a seat before anybody acted."""
    dead_money = hand.upto(hand.first_act or NEVER, DeadMoneyTaken, seat=debtor.seat)
    return sum(event.amount for _, event in dead_money)


def _differs(debtor: Seated, sum_asked: Chips | None, amount: str) -> bool:
    """Whether what was made up is another sum than the book asks, or (`least`) less."""
    if sum_asked is None or (debtor.all_in and debtor.paid < sum_asked):
        return False
    return debtor.paid < sum_asked or (amount == "exact" and debtor.paid > sum_asked)


def _sum(hand: Timeline, debtor: Seated) -> Breach:
    return Breach(
        debtor.version,
        f"seat {debtor.seat} makes up {hand.say(debtor.paid)}; it missed {owed(debtor)}",
        seat=debtor.seat,
        should=sums(hand, debtor),
        money=kept(hand, debtor),
        grounds=debtor.grounds,
    )


@detects(
    on=(BlindPosted,), needs=Witness.POSTS, signs=Symptom.ENTRY_POSTS, rare=True, table=True, alone=True, shown=True
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
    debtors = [
        debtor
        for debtor in _owing(hand, context)
        if debtor.posts
        and debtor.due.deal != "no"
        and (debtor.due.either or len({missed_blind.role for missed_blind in debtor.due.missed}) >= len(hand.blinds))
    ]
    option_answer = option_differs(hand, all_blinds_option) if debtors else NO_OCCASION
    if option_answer is not None:
        yield option_answer
        return
    for debtor in debtors:
        if of == "capped" and not _bring_in(hand):
            yield CannotTell("house-option bring-in")  # the rule is for games that have one above the big blind
        elif debtor.due.either:
            yield unsaid(debtor)
        elif debtor.asked is None:
            yield CannotTell("blind-amounts")
        else:
            yield from _paid(hand, debtor, "exact")


def _bring_in(hand: Timeline) -> Chips:
    return hand.option("bring-in") or hand.option("minimum-open") or 0


def _total_by_role(hand: Timeline, basis: str, option_wanted: bool | None) -> Iterator[Answer]:
    """Judge by what the posts are called, where nobody knows what was missed."""
    makeups = made_up(hand)
    option_answer = option_differs(hand, option_wanted) if makeups else NO_OCCASION
    if option_answer is not None:
        yield option_answer
        return
    totals = {
        seat: posts
        for seat, posts in makeups.items()
        if {post.role for _, post in posts} >= {"makeup-small", "makeup-big"}
    }
    if not totals:
        unnamed = any(post.role == "makeup" for posts in makeups.values() for _, post in posts)
        yield CannotTell("which blinds were missed") if unnamed else NO_OCCASION
        return
    if hand.big is None:
        yield CannotTell("blind-amounts")
        return
    if basis == "capped" and not _bring_in(hand):
        yield CannotTell("house-option bring-in")
        return
    minimum = _bring_in(hand) or hand.big
    due = {"sum": sum(hand.blinds), "big": hand.big, "capped": min(sum(hand.blinds), minimum)}[basis]
    for seat, posts in totals.items():
        paid = sum(post.live + post.dead for _, post in posts)
        if paid != due:
            yield Breach(
                posts[0][0],
                f"seat {seat} made up {hand.say(paid)} for all blinds missed",
                seat=seat,
                should=f"{hand.say(due)} in all",
                money=differing(hand, seat, paid, due),
            )


@detects(
    on=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    signs=Symptom.ENTRY_POSTS,
    rare=True,
    table=True,
    alone=True,
    shown=True,
)
def zone(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """A blind was made up from a seat after the button and before the big blind."""
    if context is None:
        yield from _zone_by_role(hand)
        return
    debtors = [debtor for debtor in _owing(hand, context) if debtor.posts]
    if not debtors:
        yield _unplaced(hand, context) or nobody(hand, context, posted=True)
    for debtor in debtors:
        if debtor.due.deal == "no":
            yield Breach(
                debtor.version,
                f"seat {debtor.seat} made up a blind between the button and the big blind",
                seat=debtor.seat,
                should=ways(hand, debtor.due),
                grounds=debtor.grounds,
            )
        elif debtor.due.deal == "open" and debtor.zone is not False:
            yield unsaid(debtor)


def _unplaced(hand: Timeline, context: TableContext) -> Answer | None:
    """Say that nobody can tell where a blind was made up: the book does not say where the others lie."""
    makes = any(
        post.role.startswith("makeup")
        for player in seated(hand, context)
        if not player.blind
        for _, post in player.posts
    )
    if not makes or not context.due.placements:
        return None
    comparison = compare(hand, context)
    return CannotTell(comparison.missing) if comparison.nearest is None else None


def _zone_by_role(hand: Timeline) -> Iterator[Answer]:
    makeups = made_up(hand)
    big = [post.seat for _, post in hand.standing_posts() if isinstance(post, BlindPosted) and post.role == "big"]
    if not makeups or not big or hand.button is None:
        yield NO_OCCASION
        return
    if len(hand.start) == 2:
        yield CannotTell("which seats lie between the button and the big blind with two players")
        return
    for seat, posts in makeups.items():
        if hand.steps(seat) < hand.steps(big[-1]) or seat == hand.button:
            yield Breach(
                posts[0][0],
                f"seat {seat} made up a blind between the button and the big blind",
                seat=seat,
                should="no post from there until the button has passed",
            )


@detects(needs=Witness.POSTS, table=True, about="seats", rare=True)
def charged_after_straddle(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who owed straddled next to the big blind, and was asked for a make-up as well."""
    straddlers = [player for player in _owing(hand, context) if player.straddled]
    later = [
        player
        for player in seated(hand, context)
        if player.posts and player.tab.made_up and player.tab.straddled and not player.owes
    ]
    if not (straddlers or later):
        yield NO_OCCASION
    for player in later:
        yield needless(hand, player, f"its straddle on hand {player.tab.made_up} settled what it had missed")
    for player in straddlers:
        if player.posts and any(option.kind == "straddle" and option.now for option in player.due.ways):
            yield Breach(
                player.version,
                f"seat {player.seat} straddles and is charged {hand.say(player.paid)} as well",
                seat=player.seat,
                should="the straddle alone",
                money=_straddle_excess(hand, player),
                because=f"it missed {owed(player)}, which the straddle settles",
            )


def _straddle_excess(hand: Timeline, player: Seated) -> Money:
    straddle = sum(post.amount for _, post in hand.straddles() if post.seat == player.seat)
    return posted(hand, {player.seat: (straddle, 0)})


@detects(needs=Witness.POSTS, table=True)
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
        big_blind_at = hand.version_of("big")
        yield Breach(
            big_blind_at or hand.version_of("dealt", seat),
            f"the big blind is not posted by seat {seat}",
            seat=seat,
            should=f"the big blind from seat {seat}",
            because=f"it made a blind up on hand {tab.made_up}, which does not excuse the next in turn",
        )


@detects(needs=Witness.MARKERS, table=True)
def unmarked(_: Timeline, context: TableContext, *, moved_here: bool = False) -> Iterator[Answer]:
    """A blind went past a player, and no missed-blind marker was given before the next hand."""
    last_hand = context.before
    occasion = False
    for seat, seat_state in context.state.seats.items():
        tab = context.tab(seat_state.player)
        if not tab.missed or tab.broke or (moved_here and tab.origin not in MOVED_BY_HOUSE):
            continue
        if last_hand is None or tab.missed[0].hand != last_hand.number:
            continue
        if len(last_hand.dealt_in) == 2 and {missed_blind.why.basis for missed_blind in tab.missed} == {"assumed"}:
            continue  # the small blind went past by its order alone: two players had it on the button
        occasion = True
        if tab.unsure or tab.perhaps:  # one that was given before, the record need not have
            yield CannotTell("whether a marker was given where nothing is on record")
            continue
        marked_seats = {
            entry.event.seat
            for entry in context.between
            if isinstance(entry.event, MarkerGiven) and entry.event.kind.startswith("missed")
        }
        if seat not in marked_seats and not any(marker.startswith("missed") for marker in seat_state.markers):
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


@detects(on=(), needs=Witness.POSTS, table=True, about="seats", rare=True, alone=True)
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
    late_debtors = [] if context is None or not next_deal else _acted_owing(hand, context)
    for debtor, number in late_debtors:
        if debtor.must and not debtor.posts:
            yield Breach(
                debtor.dealt,
                f"seat {debtor.seat} is dealt in without a post, as on hand {number}",
                seat=debtor.seat,
                should=ways(hand, debtor.due),
                money=kept(hand, debtor),
                grounds=debtor.grounds,
            )
    if not kills and not late_debtors:
        if hand.witnessed(Witness.LOOKS) or not _owing_now(hand, context):
            yield NO_OCCASION
        else:
            yield CannotTell("looks")


def _very_next(context: TableContext) -> bool:
    """Whether a post that was forgotten is due on the very next deal: that is a clause of its own."""
    rule = context.policy.value("missed.acted")
    return rule is not None and rule.due == "next-deal"


def _acted_owing(hand: Timeline, context: TableContext) -> list[tuple[Seated, str]]:
    """Return who acted on the hand before without having posted what was owed."""
    last_number = context.before.number if context.before is not None else ""
    late_debtors = []
    for debtor in _owing(hand, context):
        number, has_acted = debtor.tab.played_owing[-1] if debtor.tab.played_owing else ("", None)
        if number == last_number and has_acted:
            late_debtors.append((debtor, number))
    return late_debtors


def _owing_now(hand: Timeline, context: TableContext | None) -> bool:
    """Whether somebody plays who owed and did not post, so that a look would matter."""
    if context is None:
        return True
    return any(not debtor.posts for debtor in _owing(hand, context))


@detects(needs=Witness.BUTTON, table=True)
def bought_from_elsewhere(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button was bought by a player who owed nothing, or who did not lie between it and the blinds."""
    seat = context.state.bought
    seat_state = None if seat is None else context.state.seats.get(seat)
    if seat is None or seat_state is None:
        yield NO_OCCASION
        return
    version = context.version_of("button")
    if not context.tab(seat_state.player).missed:
        yield Breach(
            version,
            f"seat {seat} bought the button and had missed no blind",
            seat=seat,
            should="the button by the usual order",
        )
        return
    last_button = context.state.button.seat
    ring = [other_seat for other_seat in hand.seats if other_seat != seat]
    if last_button is None or len(ring) < 2:
        yield CannotTell("button")
        return
    coming = hand.after(last_button, ring)[0]
    first_blind = hand.after(coming, ring)[0]
    if not between(coming, seat, first_blind):
        yield Breach(
            version,
            f"seat {seat} bought the button, which was to come to seat {coming}",
            seat=seat,
            should=f"no sale: seat {seat} does not lie between the button and the blinds",
        )
