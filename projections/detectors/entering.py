"""New players: where they get no cards, what they post, who comes in free of charge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.hand.opening import BlindPosted, SeatLeftOut
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.seat_dues import (
    ENTERING,
    MOVED_BY_HOUSE,
    Seated,
    amounts,
    kept,
    needless,
    nobody,
    seated,
    unsaid,
    ways,
)
from projections.findings.detector import Symptom, detects
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations import ring
from projections.obligations.missed_blinds import spot_of
from projections.obligations.tab import Tab
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import posted
from projections.timeline.hand_timeline import Timeline

Who = Literal["late", "first-deal", "playing-over"]
"""`late`: sat down after the game's first hand; `first-deal`: was there and got no cards in it."""


def _newcomers(hand: Timeline, context: TableContext) -> list[Seated]:
    return [one for one in seated(hand, context) if one.new]


@detects(needs=Witness.BUTTON | Witness.POSTS, table=True, about="seats", rare=True, shown=True)
def between(hand: Timeline, context: TableContext, *, button: bool = False) -> Iterator[Answer]:
    """A new player was dealt in after the button and before the big blind, or had the button."""
    there = [one for one in _newcomers(hand, context) if not one.blind]
    seat = hand.button
    due = None if seat is None or not button else context.seat(seat)
    if due is not None and seat in hand.start and "new" in due.barred and (due.standing, due.deal) != ("new", "no"):
        yield Breach(
            context.version_of("button"),
            f"seat {seat} has the button, and has taken no blind here yet",
            seat=seat,
            should=f"the button past seat {seat}",
            grounds=due.why,
        )
    elif not there:
        yield nobody(hand, context)
    for one in there:
        if one.due.deal == "no":
            yield _ahead(one, ways(hand, one.due))
        elif one.zone and _due_big(one):
            yield _ahead(one, f"the big blind from seat {one.seat}, or no cards")
        elif one.due.deal == "open" and one.zone is not False:
            yield unsaid(one)


def _ahead(one: Seated, should: str) -> Breach:
    return Breach(
        one.dealt,
        f"seat {one.seat} is dealt in as a new player before the button has passed it",
        seat=one.seat,
        should=should,
        grounds=one.due.why,
    )


def _due_big(one: Seated) -> bool:
    """Whether the big blind was due from a new player, who may come in by it; it went to somebody else."""
    return any(way.kind == "big-blind" and way.now for way in one.due.ways)


@detects(needs=Witness.POSTS, table=True, about="seats", rare=True, shown=True)
def entry_post(hand: Timeline, context: TableContext, *, new_game: bool | None = None) -> Iterator[Answer]:
    """A new player was dealt in without the live post that the book asks, or was asked for more."""
    there = [
        one
        for one in _newcomers(hand, context)
        if not one.blind
        and one.tab.origin != "playing-over"
        and not one.tab.broke
        and one.tab.origin not in MOVED_BY_HOUSE
        and (new_game is None or _since(context, one) == ("late" if new_game else "first-deal"))
    ]
    if not there:
        yield nobody(hand, context)
    for one in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif (live := _fee(one)) is not None and _differs(one, live):
            yield _unpaid(hand, one) if one.paid < live or not one.live else _charged(hand, one)


def _differs(one: Seated, live: int) -> bool:
    """Whether a new player posted otherwise than so much, live; all the chips it has will do."""
    return (one.live, one.dead) != (live, 0) and not (one.all_in and one.live < live and not one.dead)


def _fee(one: Seated) -> int | None:
    """Return what a new player posts, also where it may not be dealt in at all; None = untold."""
    if one.due.post:
        return one.due.live
    return next((way.live for way in one.due.ways if way.kind == "button-passes"), None) or None


def _since(context: TableContext, one: Seated) -> Who | None:
    """Say since when a new player is there, in a game whose first hand is on record."""
    begun = context.memory.game.begun
    if not context.memory.game.told or not begun:
        return None
    return "late" if one.tab.came else "first-deal"


def _unpaid(hand: Timeline, one: Seated) -> Breach:
    saw = f"seat {one.seat}, a new player, is dealt in "
    saw += f"after posting {hand.say(one.live)} live and {hand.say(one.dead)} dead" if one.paid else "without a post"
    return Breach(
        one.version, saw, seat=one.seat, should=ways(hand, one.due), money=kept(hand, one), grounds=one.grounds
    )


def _charged(hand: Timeline, one: Seated) -> Breach:
    return Breach(
        one.version,
        f"seat {one.seat}, a new player, posts {hand.say(one.paid)}"
        + (f", {hand.say(one.dead)} of it dead" if one.dead else ""),
        seat=one.seat,
        should=amounts(hand, one.due.live, one.due.dead),
        money=kept(hand, one),
        grounds=one.grounds,
    )


@detects(needs=Witness.POSTS, table=True, about="seats", rare=True, shown=True)
def no_choice(hand: Timeline, context: TableContext, *, playing_over: bool = False) -> Iterator[Answer]:
    """A new player was dealt in who neither had the big blind nor posted."""
    there = [
        one
        for one in _newcomers(hand, context)
        if not one.blind and (one.tab.origin == "playing-over") == playing_over and not _graced(context)
    ]
    if not there:
        yield nobody(hand, context)
    for one in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.due.deal == "if-posts" and not one.posts:
            yield _unpaid(hand, one)


def _graced(context: TableContext) -> bool:
    """Whether the game has just begun, and the book lets latecomers in free for a revolution."""
    game = context.memory.game
    free = context.policy.value("entry.new_game") == "free-first-revolution"
    return free and game.told and not game.revolved


@detects(on=(SeatLeftOut,), needs=Witness.POSTS, table=True)
def passed_over(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A new player is said to wait for the big blind, which went past the seat."""
    waiting = [
        (version, event)
        for version, event in hand.of(SeatLeftOut)
        if event.reason == "waiting-for-big-blind" and _untouched(context.tab(event.player))
    ]
    if not waiting:
        yield NO_OCCASION
        return
    for version, event in waiting:
        if _blind_went_past(hand, context, event.seat):
            yield Breach(
                version,
                f"the big blind goes past seat {event.seat}, whose new player waits for it",
                seat=event.seat,
                should=f"cards and the big blind for seat {event.seat}",
                because="the player is not said to let it go by",
                certainty="likely",
            )


def _blind_went_past(hand: Timeline, context: TableContext, seat: Seat) -> bool:
    """Whether the last blind was this seat's by what was due before the hand, with those who posted in it."""
    if not _perhaps_went_past(hand, context, seat):
        return False
    offered = context.offered
    posters = set(hand.poster(*ENTERING))
    choices = [one for one in offered.choices if set(one.posting) == posters]
    first = [one for one in choices if one.playing == choices[0].playing]  # its readings may deal in other players
    places = [place for one in first for place in one.placements] or offered.placements
    there = [one for one in places if one.judged and hand.button in (None, one.button)]
    return bool(there) and all((one.extra or one.big) == seat for one in there)


def _perhaps_went_past(hand: Timeline, context: TableContext, seat: Seat) -> bool:
    """Whether the last blind would be this seat's if it were dealt in and nobody else changed."""
    was, (now, place) = context.memory.spot, spot_of(context.hand, context.due)
    if was is None or place is None or None in (was.furthest, now.furthest, now.button):
        return False
    if place.method == "dead":
        return was.furthest != now.furthest and ring.between(was.furthest or 0, seat, now.furthest or 0)
    seats = hand.after(now.button or 0, sorted({*hand.start, seat}))
    return seats.index(seat) + 1 == max(len(hand.blinds), 2)


def _untouched(tab: Tab) -> bool:
    """Whether a player has been dealt no hand here and owes nothing."""
    return not (tab.entered or tab.missed or tab.unsure)


@detects(needs=Witness.POSTS | Witness.GAME_STARTS, table=True, about="seats", rare=True)
def first_revolution(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A latecomer of a new game was charged though no blind had passed, or came in free though one had."""
    there = [one for one in _newcomers(hand, context) if not one.blind and _graced(context)]
    if not there:
        yield NO_OCCASION
    for one in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.due.deal == "yes" and one.posts:
            yield needless(hand, one, "no blind has passed its seat since the game began")
        elif one.must and not one.posts:
            yield _unpaid(hand, one)


@detects(needs=Witness.POSTS | Witness.ORIGINS, table=True, about="seats", rare=True, shown=True)
def transfer_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player whom the house moved here was asked for a post before the big blind was due."""
    there = [one for one in _newcomers(hand, context) if not one.blind]
    moved_here = [one for one in there if one.tab.origin in MOVED_BY_HOUSE and not one.tab.broke]
    for one in moved_here:
        if one.posts:
            yield needless(hand, one, f"the house moved the player here: {one.tab.origin.replace('-', ' ')}")
    if not moved_here:
        untold = [one for one in there if one.tab.origin == "unknown" and not one.tab.broke]
        yield CannotTell("where the player came from") if untold else NO_OCCASION


@detects(needs=Witness.POSTS, table=True, about="seats", rare=True)
def charged_for_passing(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A newcomer who had let the blinds go past was charged as if they had been missed."""
    there = [one for one in _newcomers(hand, context) if one.posts and not one.blind]
    if not there:
        yield nobody(hand, context, posted=True)
    for one in there:
        fee = one.due.live if one.due.post else None
        asked = {post.role for _, post in one.posts} != {"entry"}
        if fee is None or not asked or one.paid <= fee:
            continue
        held = context.state.seats.get(one.seat)
        if held is not None and len(held.absences) >= len(hand.start) - 1:
            yield CannotTell("what is asked of a newcomer whom the button has passed more than once")
        else:
            yield _charged(hand, one)


@detects(needs=Witness.POSTS, table=True, about="seats", rare=True)
def busted_unpaid(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who went broke, let the big blind go past and came back did not post it, or was asked for more."""
    there = [one for one in _newcomers(hand, context) if one.tab.broke and not one.blind]
    if not there:
        yield nobody(hand, context)
    for one in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif (live := _fee(one)) is not None and _differs(one, live):
            yield _unpaid(hand, one) if one.live < live else _charged(hand, one)


@detects(on=(BlindPosted,), needs=Witness.POSTS, signs=Symptom.ENTRY_POSTS, rare=True, table=True, alone=True)
def entry_amount(hand: Timeline, context: TableContext | None, *, multiple: int) -> Iterator[Answer]:
    """A new player posted another amount on entry than the book asks."""
    posts = [(v, p) for v, p in hand.standing_posts() if isinstance(p, BlindPosted) and p.role == "entry"]
    if context is not None:
        new = {one.seat for one in _newcomers(hand, context)}
        posts = [(v, p) for v, p in posts if p.seat in new]
    if not posts:
        yield NO_OCCASION
        return
    if hand.big is None:
        yield CannotTell("blind-amounts")
        return
    due = multiple * max(hand.blinds)
    for version, post in posts:
        paid = post.live + post.dead
        if paid != due and not post.all_in and hand.stack_at(post.seat) != paid:
            yield Breach(
                version,
                f"seat {post.seat} posted {hand.say(paid)} on entry",
                seat=post.seat,
                should=f"a post of {hand.say(due)}",
                money=posted(hand, {post.seat: (due, 0)}) if multiple == 1 else (),
            )
