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
from projections.findings.detector import SIGNS_ONLY, Basis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations import ring
from projections.obligations.missed_blinds import spot_of
from projections.obligations.tab import Tab
from projections.obligations.tournament_entry import is_newcomer
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import posted
from projections.timeline.hand_timeline import Timeline

Who = Literal["late", "first-deal", "playing-over"]
"""`late`: sat down after the game's first hand; `first-deal`: was there and got no cards in it."""


def _newcomers(hand: Timeline, context: TableContext) -> list[Seated]:
    return [player for player in seated(hand, context) if player.new]


@table_detector(needs=Witness.BUTTON | Witness.POSTS, occasion=SIGNS_ONLY, about="seats", basis=Basis.PLAIN_BREACH)
def between(hand: Timeline, context: TableContext, *, button: bool = False) -> Iterator[Answer]:
    """A new player was dealt in after the button and before the big blind, or had the button."""
    newcomers = [newcomer for newcomer in _newcomers(hand, context) if not newcomer.blind]
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
    elif not newcomers:
        yield nobody(hand, context)
    for newcomer in newcomers:
        if newcomer.due.deal == "no":
            yield _dealt_in_early(newcomer, ways(hand, newcomer.due))
        elif newcomer.zone and _due_big(newcomer):
            yield _dealt_in_early(newcomer, f"the big blind from seat {newcomer.seat}, or no cards")
        elif newcomer.due.deal == "open" and newcomer.zone is not False:
            yield unsaid(newcomer)


@table_detector(needs=Witness.BUTTON | Witness.POSTS, occasion=SIGNS_ONLY, about="seats", basis=Basis.PLAIN_BREACH)
def behind_button(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Somebody who came to a tournament table was dealt in between the button and the small blind."""
    players = [(dealt.seat, dealt.player) for dealt in context.hand.dealt_in if dealt.seat in hand.start]
    newcomers = [seat for seat, player in players if is_newcomer(context.state, player)]
    if not newcomers:
        yield NO_OCCASION
    elif context.due.unknown:
        yield CannotTell("the hands before it")
    for seat in newcomers:
        due = context.seat(seat)
        if due is not None and due.standing == "new" and due.deal == "no":
            yield Breach(
                context.version_of("dealt", seat),
                f"seat {seat} came to the table and is dealt in between the button and the small blind",
                seat=seat,
                should=f"no cards for seat {seat} until the button has passed",
                grounds=due.why,
            )


def _dealt_in_early(newcomer: Seated, should: str) -> Breach:
    return Breach(
        newcomer.dealt,
        f"seat {newcomer.seat} is dealt in as a new player before the button has passed it",
        seat=newcomer.seat,
        should=should,
        grounds=newcomer.due.why,
    )


def _due_big(newcomer: Seated) -> bool:
    """Whether the big blind was due from a new player, who may come in by it; it went to somebody else."""
    return any(option.kind == "big-blind" and option.now for option in newcomer.due.ways)


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats", basis=Basis.PLAIN_BREACH)
def entry_post(hand: Timeline, context: TableContext, *, new_game: bool | None = None) -> Iterator[Answer]:
    """A new player was dealt in without the live post that the book asks, or was asked for more."""
    newcomers = [
        newcomer
        for newcomer in _newcomers(hand, context)
        if not newcomer.blind
        and newcomer.tab.origin != "playing-over"
        and not newcomer.tab.broke
        and newcomer.tab.origin not in MOVED_BY_HOUSE
        and (new_game is None or _arrival_kind(context, newcomer) == ("late" if new_game else "first-deal"))
    ]
    if not newcomers:
        yield nobody(hand, context)
    for newcomer in newcomers:
        if newcomer.due.deal == "open":
            yield unsaid(newcomer)
        elif (live_due := _fee(newcomer)) is not None and _differs(newcomer, live_due):
            yield _unpaid(hand, newcomer) if newcomer.paid < live_due or not newcomer.live else _charged(hand, newcomer)


def _differs(newcomer: Seated, live_due: int) -> bool:
    """Whether a new player posted otherwise than so much, live; all the chips it has will do."""
    return (newcomer.live, newcomer.dead) != (live_due, 0) and not (
        newcomer.all_in and newcomer.live < live_due and not newcomer.dead
    )


def _fee(newcomer: Seated) -> int | None:
    """Return what a new player posts, also where it may not be dealt in at all; None = untold."""
    if newcomer.due.post:
        return newcomer.due.live
    return next((option.live for option in newcomer.due.ways if option.kind == "button-passes"), None) or None


def _arrival_kind(context: TableContext, newcomer: Seated) -> Who | None:
    """Say since when a new player is there, in a game whose first hand is on record."""
    game_start = context.memory.game.begun
    if not context.memory.game.told or not game_start:
        return None
    return "late" if newcomer.tab.came else "first-deal"


def _unpaid(hand: Timeline, newcomer: Seated) -> Breach:
    message = f"seat {newcomer.seat}, a new player, is dealt in "
    message += (
        f"after posting {hand.say(newcomer.live)} live and {hand.say(newcomer.dead)} dead"
        if newcomer.paid
        else "without a post"
    )
    return Breach(
        newcomer.version,
        message,
        seat=newcomer.seat,
        should=ways(hand, newcomer.due),
        money=kept(hand, newcomer),
        grounds=newcomer.grounds,
    )


def _charged(hand: Timeline, newcomer: Seated) -> Breach:
    return Breach(
        newcomer.version,
        f"seat {newcomer.seat}, a new player, posts {hand.say(newcomer.paid)}"
        + (f", {hand.say(newcomer.dead)} of it dead" if newcomer.dead else ""),
        seat=newcomer.seat,
        should=amounts(hand, newcomer.due.live, newcomer.due.dead),
        money=kept(hand, newcomer),
        grounds=newcomer.grounds,
    )


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats", basis=Basis.PLAIN_BREACH)
def no_choice(hand: Timeline, context: TableContext, *, playing_over: bool = False) -> Iterator[Answer]:
    """A new player was dealt in who neither had the big blind nor posted."""
    newcomers = [
        newcomer
        for newcomer in _newcomers(hand, context)
        if not newcomer.blind and (newcomer.tab.origin == "playing-over") == playing_over and not _graced(context)
    ]
    if not newcomers:
        yield nobody(hand, context)
    for newcomer in newcomers:
        if newcomer.due.deal == "open":
            yield unsaid(newcomer)
        elif newcomer.due.deal == "if-posts" and not newcomer.posts:
            yield _unpaid(hand, newcomer)


def _graced(context: TableContext) -> bool:
    """Whether the game has just begun, and the book lets latecomers in free for a revolution."""
    game = context.memory.game
    is_free = context.policy.value("entry.new_game") == "free-first-revolution"
    return is_free and game.told and not game.revolved


@table_detector(events=(SeatLeftOut,), needs=Witness.POSTS)
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
    choices = [candidate for candidate in offered.choices if set(candidate.posting) == posters]
    # The readings of a choice may deal in other players.
    first = [candidate for candidate in choices if candidate.playing == choices[0].playing]
    places = [place for candidate in first for place in candidate.placements] or offered.placements
    fitting = [candidate for candidate in places if candidate.judged and hand.button in (None, candidate.button)]
    return bool(fitting) and all((candidate.extra or candidate.big) == seat for candidate in fitting)


def _perhaps_went_past(hand: Timeline, context: TableContext, seat: Seat) -> bool:
    """Whether the last blind would be this seat's if it were dealt in and nobody else changed."""
    previous, (current, place) = context.memory.spot, spot_of(context.hand, context.due)
    if previous is None or place is None or None in (previous.furthest, current.furthest, current.button):
        return False
    if place.method == "dead":
        return previous.furthest != current.furthest and ring.between(
            previous.furthest or 0, seat, current.furthest or 0
        )
    seats = hand.after(current.button or 0, sorted({*hand.start, seat}))
    return seats.index(seat) + 1 == max(len(hand.blinds), 2)


def _untouched(tab: Tab) -> bool:
    """Whether a player has been dealt no hand here and owes nothing."""
    return not (tab.entered or tab.missed or tab.unsure)


@table_detector(needs=Witness.POSTS | Witness.GAME_STARTS, occasion=SIGNS_ONLY, about="seats")
def first_revolution(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A latecomer of a new game was charged though no blind had passed, or came in free though one had."""
    latecomers = [latecomer for latecomer in _newcomers(hand, context) if not latecomer.blind and _graced(context)]
    if not latecomers:
        yield NO_OCCASION
    for latecomer in latecomers:
        if latecomer.due.deal == "open":
            yield unsaid(latecomer)
        elif latecomer.due.deal == "yes" and latecomer.posts:
            yield needless(hand, latecomer, "no blind has passed its seat since the game began")
        elif latecomer.must and not latecomer.posts:
            yield _unpaid(hand, latecomer)


@table_detector(needs=Witness.POSTS | Witness.ORIGINS, occasion=SIGNS_ONLY, about="seats", basis=Basis.PLAIN_BREACH)
def transfer_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player whom the house moved here was asked for a post before the big blind was due."""
    newcomers = [newcomer for newcomer in _newcomers(hand, context) if not newcomer.blind]
    moved_here = [
        newcomer for newcomer in newcomers if newcomer.tab.origin in MOVED_BY_HOUSE and not newcomer.tab.broke
    ]
    for newcomer in moved_here:
        if newcomer.posts:
            yield needless(hand, newcomer, f"the house moved the player here: {newcomer.tab.origin.replace('-', ' ')}")
    if not moved_here:
        origin_unknown = [
            newcomer for newcomer in newcomers if newcomer.tab.origin == "unknown" and not newcomer.tab.broke
        ]
        yield CannotTell("where the player came from") if origin_unknown else NO_OCCASION


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats")
def charged_for_passing(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A newcomer who had let the blinds go past was charged as if they had been missed."""
    newcomers = [newcomer for newcomer in _newcomers(hand, context) if newcomer.posts and not newcomer.blind]
    if not newcomers:
        yield nobody(hand, context, posted=True)
    for newcomer in newcomers:
        fee = newcomer.due.live if newcomer.due.post else None
        was_charged = {post.role for _, post in newcomer.posts} != {"entry"}
        if fee is None or not was_charged or newcomer.paid <= fee:
            continue
        seat_state = context.state.seats.get(newcomer.seat)
        if seat_state is not None and len(seat_state.absences) >= len(hand.start) - 1:
            yield CannotTell("what is asked of a newcomer whom the button has passed more than once")
        else:
            yield _charged(hand, newcomer)


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, about="seats")
def busted_unpaid(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who went broke, let the big blind go past and came back did not post it, or was asked for more."""
    newcomers = [newcomer for newcomer in _newcomers(hand, context) if newcomer.tab.broke and not newcomer.blind]
    if not newcomers:
        yield nobody(hand, context)
    for newcomer in newcomers:
        if newcomer.due.deal == "open":
            yield unsaid(newcomer)
        elif (live_due := _fee(newcomer)) is not None and _differs(newcomer, live_due):
            yield _unpaid(hand, newcomer) if newcomer.live < live_due else _charged(hand, newcomer)


@table_detector(
    events=(BlindPosted,), needs=Witness.POSTS, signs=Symptom.ENTRY_POSTS, occasion=SIGNS_ONLY, basis=Basis.HAND_ALONE
)
def entry_amount(hand: Timeline, context: TableContext | None, *, multiple: int) -> Iterator[Answer]:
    """A new player posted another amount on entry than the book asks."""
    posts = [(v, p) for v, p in hand.standing_posts() if isinstance(p, BlindPosted) and p.role == "entry"]
    if context is not None:
        newcomer_seats = {newcomer.seat for newcomer in _newcomers(hand, context)}
        posts = [(v, p) for v, p in posts if p.seat in newcomer_seats]
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
