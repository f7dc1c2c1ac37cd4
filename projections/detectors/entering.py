"""New players: when they may be dealt in, what they post, and who comes in for free.

Each public function is a detector. Its docstring states the breach and is printed in docs/rules, so comments explain
the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from ledger.hand.opening import BlindPosted, SeatLeftOut
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.seat_due_wording import (
    describe_post,
    describe_ways_in,
    format_due_sum,
    format_labeled_due_sums,
    format_labeled_sum,
    list_reasons,
)
from projections.detectors.shared.seat_dues import (
    ENTERING_ROLES,
    MOVED_BY_HOUSE,
    JudgedSeat,
    build_needless_post,
    compute_money_moved_by_post,
    explain_no_seat,
    explain_open_due,
    list_judged_seats,
)
from projections.findings.detector import SIGNS_ONLY, HandBasis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations import ring
from projections.obligations.dues import Due, Placement
from projections.obligations.missed_blinds import locate_positions
from projections.obligations.tab import Tab
from projections.obligations.tournament_entry import is_newcomer
from projections.sentences import button as button_sentences
from projections.sentences import newcomers as say
from projections.sentences import owing as owing_sentences
from projections.sentences import paragraph
from projections.sentences.positions import no_button
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import build_post_flow
from projections.timeline.hand_timeline import Timeline

Arrival = Literal["late", "first-deal"]
"""When a new player arrived. `late`: after the game's first hand. `first-deal`: before it, but without cards in it."""


@table_detector(
    needs=Witness.BUTTON | Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.PLAIN_BREACH
)
def between(hand: Timeline, context: TableContext, *, button: bool = False) -> Iterator[Answer]:
    """A new player was dealt in after the button and before the big blind, or had the button."""
    # `button`: the clause also says that a new player can't have the button.
    newcomers = [newcomer for newcomer in _list_newcomers(hand, context) if not newcomer.has_big_blind]
    button_breach = _judge_newcomer_on_button(hand, context) if button else None
    if button_breach is not None:
        yield button_breach
    elif not newcomers:
        yield explain_no_seat(hand, context)
    for newcomer in newcomers:
        if newcomer.due.deal == "no":
            yield _build_early_breach(newcomer, describe_ways_in(hand, newcomer.due))
        elif newcomer.is_in_zone and _is_due_big_blind(newcomer):
            yield _build_early_breach(newcomer, owing_sentences.big_blind_or_no_cards(newcomer.seat))
        elif newcomer.due.deal == "open" and newcomer.is_in_zone is not False:
            yield explain_open_due(newcomer)


def _judge_newcomer_on_button(hand: Timeline, context: TableContext) -> Breach | None:
    """Return the breach of a new player who had the button, or None if nobody did.

    A new player who may not be dealt in at all has another breach.
    """
    seat = hand.button
    due = None if seat is None else context.find_seat_due(seat)
    if seat is None or due is None or seat not in hand.start:
        return None
    if "new" not in due.barred or (due.status, due.deal) == ("new", "no"):
        return None
    return Breach(
        context.version_of("button"),
        button_sentences.newcomer_has_button(seat),
        seat=seat,
        should=button_sentences.button_past(seat),
        because=no_button(seat, "new"),
        grounds=due.grounds,
    )


def _list_newcomers(hand: Timeline, context: TableContext) -> list[JudgedSeat]:
    """Return the dealt-in seats of new players."""
    return [player for player in list_judged_seats(hand, context) if player.is_new]


@table_detector(
    needs=Witness.BUTTON | Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.PLAIN_BREACH
)
def behind_button(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who came to a tournament table was dealt in between the button and the small blind."""
    players = [(dealt.seat, dealt.player) for dealt in context.hand.dealt_in if dealt.seat in hand.start]
    newcomers = [seat for seat, player in players if is_newcomer(context.state, player)]
    if not newcomers:
        yield NO_OCCASION
    elif context.due.unknown:
        yield CannotTell("the hands before it")
    for seat in newcomers:
        due = context.find_seat_due(seat)
        if due is not None and due.status == "new" and due.deal == "no":
            yield Breach(
                context.version_of("dealt", seat),
                say.dealt_in_behind_button(seat),
                seat=seat,
                should=say.no_cards_behind_button(seat),
                grounds=due.grounds,
            )


def _build_early_breach(newcomer: JudgedSeat, should: str) -> Breach:
    """Return the breach of a new player who was dealt in too early."""
    return Breach(
        newcomer.dealt_version,
        say.dealt_in_too_early(newcomer.seat),
        seat=newcomer.seat,
        should=should,
        because=paragraph(*list_reasons(newcomer)),
        grounds=newcomer.due.grounds,
    )


def _is_due_big_blind(newcomer: JudgedSeat) -> bool:
    """Whether a new player could come in on the big blind of this hand."""
    return any(option.kind == "big-blind" and option.is_on_this_hand for option in newcomer.due.ways_in)


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.PLAIN_BREACH)
def entry_post(hand: Timeline, context: TableContext, *, new_game: bool | None = None) -> Iterator[Answer]:
    """A new player was dealt in without the live post that the book asks for, or had to post more."""
    # `new_game`: True judges only players who came after the game's first hand (`late`), False only those who were
    # there and got no cards in it (`first-deal`), None both. Other clauses cover players who play over, went broke or
    # were moved by the house.
    newcomers = [
        newcomer
        for newcomer in _list_newcomers(hand, context)
        if not newcomer.has_big_blind
        and newcomer.tab.origin != "playing-over"
        and not newcomer.tab.broke_hand
        and newcomer.tab.origin not in MOVED_BY_HOUSE
        and (new_game is None or _find_arrival(context, newcomer) == ("late" if new_game else "first-deal"))
    ]

    def judge(newcomer: JudgedSeat) -> Breach | None:
        return _judge_live_post(hand, newcomer, counts_dead_part=True)

    yield from _judge_each(hand, context, newcomers, judge)


def _judge_live_post(hand: Timeline, newcomer: JudgedSeat, *, counts_dead_part: bool) -> Breach | None:
    """Return the breach of a new player who posted too little or too much, or None if the post was right.

    `counts_dead_part`: dead money counts toward the post that is due, unless nothing was posted live.
    """
    live_due = _find_live_due(newcomer)
    if live_due is None or not _is_wrong_post(newcomer, live_due):
        return None
    counted_chips = newcomer.paid if counts_dead_part and newcomer.live else newcomer.live
    is_too_little = counted_chips < live_due
    return _build_unpaid_breach(hand, newcomer) if is_too_little else _build_charge_breach(hand, newcomer)


def _judge_each(
    hand: Timeline, context: TableContext, newcomers: list[JudgedSeat], judge: Callable[[JudgedSeat], Breach | None]
) -> Iterator[Answer]:
    """Yield a breach for each new player whom `judge` finds wrong, or `CannotTell` if it's open what was due.

    Without new players, yield the answer of `explain_no_seat`.
    """
    if not newcomers:
        yield explain_no_seat(hand, context)
    for newcomer in newcomers:
        if newcomer.due.deal == "open":
            yield explain_open_due(newcomer)
        elif (breach := judge(newcomer)) is not None:
            yield breach


def _is_wrong_post(newcomer: JudgedSeat, live_due: Chips) -> bool:
    """Whether a new player's post isn't just `live_due`, all live. An all-in for less is right."""
    is_short_all_in = newcomer.is_all_in and newcomer.live < live_due and not newcomer.dead
    return (newcomer.live, newcomer.dead) != (live_due, 0) and not is_short_all_in


def _find_live_due(newcomer: JudgedSeat) -> Chips | None:
    """Return the live post for coming in on this hand, or else once the button has passed.

    Return None if that's unknown or free.
    """
    if newcomer.due.post:
        return newcomer.due.live
    # A way in that costs 0 is free, so the last `or` turns 0 into None.
    return next((option.live for option in newcomer.due.ways_in if option.kind == "button-passes"), None) or None


def _find_arrival(context: TableContext, newcomer: JudgedSeat) -> Arrival | None:
    """Return when a new player arrived, or None if the game's first hand isn't recorded."""
    game_start = context.player_tabs.game.first_hand
    if not context.player_tabs.game.is_recorded or not game_start:
        return None
    return "late" if newcomer.tab.arrived_after else "first-deal"


def _build_unpaid_breach(hand: Timeline, newcomer: JudgedSeat) -> Breach:
    """Return the breach of a new player who was dealt in with too small a post, or with none."""
    headline = say.dealt_in_without_post(newcomer.seat, format_due_sum(hand, newcomer))
    if newcomer.paid:
        posted_parts = format_labeled_sum(hand, newcomer.live, newcomer.dead)
        headline = say.posted_too_little(newcomer.seat, posted_parts, format_labeled_due_sums(hand, newcomer))
    return Breach(
        newcomer.version,
        headline,
        seat=newcomer.seat,
        should=describe_ways_in(hand, newcomer.due),
        because=paragraph(*list_reasons(newcomer)),
        money=compute_money_moved_by_post(hand, newcomer),
        grounds=newcomer.grounds,
    )


def _build_charge_breach(hand: Timeline, newcomer: JudgedSeat) -> Breach:
    """Return the breach of a new player who had to post more than was due."""
    posted_parts = format_labeled_sum(hand, newcomer.live, newcomer.dead)
    return Breach(
        newcomer.version,
        say.charged_too_much(newcomer.seat, posted_parts, format_labeled_due_sums(hand, newcomer)),
        seat=newcomer.seat,
        should=describe_post(hand, newcomer.due.live, newcomer.due.dead),
        because=paragraph(*list_reasons(newcomer)),
        money=compute_money_moved_by_post(hand, newcomer),
        grounds=newcomer.grounds,
    )


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.PLAIN_BREACH)
def no_choice(hand: Timeline, context: TableContext, *, playing_over: bool = False) -> Iterator[Answer]:
    """A new player was dealt in without the big blind and without a post."""
    # `playing_over`: True judges only players who play over an absent player's chair, False only the others.
    newcomers = [
        newcomer
        for newcomer in _list_newcomers(hand, context)
        if not newcomer.has_big_blind
        and (newcomer.tab.origin == "playing-over") == playing_over
        and not _is_first_round_free(context)
    ]

    def judge(newcomer: JudgedSeat) -> Breach | None:
        is_unpaid = newcomer.due.deal == "if-posts" and not newcomer.posts
        return _build_unpaid_breach(hand, newcomer) if is_unpaid else None

    yield from _judge_each(hand, context, newcomers, judge)


def _is_first_round_free(context: TableContext) -> bool:
    """Whether a new game is in its first revolution, and the book lets latecomers in free for that time."""
    game = context.player_tabs.game
    is_free = context.policy.value("entry.new_game") == "free-first-revolution"
    return is_free and game.is_recorded and not game.has_revolved


@table_detector(events=(SeatLeftOut,), needs=Witness.POSTS)
def passed_over(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The big blind skipped a new player who was waiting for it."""
    waiting_players = [
        (version, event)
        for version, event in hand.of(SeatLeftOut)
        if event.reason == "waiting-for-big-blind" and _is_unseen(context.find_tab(event.player))
    ]
    if not waiting_players:
        yield NO_OCCASION
        return
    for version, event in waiting_players:
        if _is_due_last_blind(hand, context, event.seat):
            yield Breach(
                version,
                say.big_blind_skipped(event.seat),
                seat=event.seat,
                should=say.cards_and_big_blind(event.seat),
                because=say.not_known_to_decline(event.seat),
                certainty="likely",
            )


def _is_due_last_blind(hand: Timeline, context: TableContext, seat: Seat) -> bool:
    """Whether this seat should have had the last blind, by what was due before the deal and who posted.

    It should if every due placement that fits the hand's button puts the last blind there.
    """
    if not _may_be_due_last_blind(hand, context, seat):
        return False
    posters = set(hand.find_posters(*ENTERING_ROLES))
    fitting_placements = [
        placement
        for placement in _list_placements_for_posters(context.dues_before_deal, posters)
        if placement.judged and hand.button in (None, placement.button)
    ]
    return bool(fitting_placements) and all(
        (placement.extra or placement.big) == seat for placement in fitting_placements
    )


def _list_placements_for_posters(dues: Due, posters: set[Seat]) -> Sequence[Placement]:
    """Return the placements due if just these seats post to enter, or those without any choice if no choice fits.

    The readings of a choice can deal in different players. Only those with the players of the first one count.
    """
    choices = [choice for choice in dues.choices if set(choice.posting) == posters]
    placements = [
        placement for choice in choices if choice.playing == choices[0].playing for placement in choice.placements
    ]
    return placements or dues.placements


def _may_be_due_last_blind(hand: Timeline, context: TableContext, seat: Seat) -> bool:
    """Whether the last blind would be this seat's if it were dealt in and nothing else changed."""
    previous_spot = context.player_tabs.spot
    current_spot, placement = locate_positions(context.hand, context.due)
    if previous_spot is None or placement is None:
        return False
    previous_seat, current_seat, button = previous_spot.furthest, current_spot.furthest, current_spot.button
    if previous_seat is None or current_seat is None or button is None:
        return False
    if placement.method == "dead":  # the seat is right if the blind passed it
        return previous_seat != current_seat and ring.is_between(previous_seat, seat, current_seat)
    seats = hand.seats_after(button, sorted({*hand.start, seat}))
    # The last blind is the Nth seat after the button. N is the number of blinds, or two if there are fewer.
    return seats.index(seat) + 1 == max(len(hand.blinds), 2)


def _is_unseen(tab: Tab) -> bool:
    """Whether a player has been dealt no hand here and owes nothing."""
    return not (tab.entered or tab.missed or tab.missing_fact)


@table_detector(needs=Witness.POSTS | Witness.GAME_STARTS, occasion=SIGNS_ONLY, subject="seats")
def first_revolution(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A latecomer to a new game was charged though no blind had passed, or came in free though one had."""
    latecomers = [
        latecomer
        for latecomer in _list_newcomers(hand, context)
        if not latecomer.has_big_blind and _is_first_round_free(context)
    ]
    if not latecomers:
        yield NO_OCCASION
    for latecomer in latecomers:
        if latecomer.due.deal == "open":
            yield explain_open_due(latecomer)
        elif latecomer.due.deal == "yes" and latecomer.posts:
            yield build_needless_post(hand, latecomer, say.no_blind_passed(latecomer.seat))
        elif latecomer.needs_post and not latecomer.posts:
            yield _build_unpaid_breach(hand, latecomer)


@table_detector(
    needs=Witness.POSTS | Witness.ORIGINS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.PLAIN_BREACH
)
def transfer_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player whom the house moved here was asked for a post before the big blind was due."""
    newcomers = [newcomer for newcomer in _list_newcomers(hand, context) if not newcomer.has_big_blind]
    moved_players = [
        newcomer for newcomer in newcomers if newcomer.tab.origin in MOVED_BY_HOUSE and not newcomer.tab.broke_hand
    ]
    for newcomer in moved_players:
        if newcomer.posts:
            yield build_needless_post(hand, newcomer, say.moved_by_house(newcomer.seat, newcomer.tab.origin))
    if not moved_players:
        has_unknown_origin = any(
            newcomer.tab.origin == "unknown" and not newcomer.tab.broke_hand for newcomer in newcomers
        )
        yield CannotTell(say.origin_of_player()) if has_unknown_origin else NO_OCCASION


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats")
def charged_for_passing(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A new player who had let the blinds pass was charged as if they had been missed."""
    newcomers = [
        newcomer for newcomer in _list_newcomers(hand, context) if newcomer.posts and not newcomer.has_big_blind
    ]
    if not newcomers:
        yield explain_no_seat(hand, context, must_have_posted=True)
    for newcomer in newcomers:
        live_due = newcomer.due.live if newcomer.due.post else None
        has_posted_more_than_entry = any(post.role != "entry" for _, post in newcomer.posts)
        if live_due is None or not has_posted_more_than_entry or newcomer.paid <= live_due:
            continue
        seat_state = context.state.seats.get(newcomer.seat)
        # Away for about a round: the button may have passed twice, and then blinds may have been missed.
        if seat_state is not None and len(seat_state.absences) >= len(hand.start) - 1:
            yield CannotTell(say.button_passed_twice())
        else:
            yield _build_charge_breach(hand, newcomer)


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats")
def busted_unpaid(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who went broke, missed the big blind and came back didn't post it, or was asked for more."""
    newcomers = [
        newcomer
        for newcomer in _list_newcomers(hand, context)
        if newcomer.tab.broke_hand and not newcomer.has_big_blind
    ]

    def judge(newcomer: JudgedSeat) -> Breach | None:
        return _judge_live_post(hand, newcomer, counts_dead_part=False)

    yield from _judge_each(hand, context, newcomers, judge)


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS,
    signs=Symptom.ENTRY_POSTS,
    occasion=SIGNS_ONLY,
    basis=HandBasis.HAND_ALONE,
)
def entry_amount(hand: Timeline, context: TableContext | None, *, multiple: int) -> Iterator[Answer]:
    """A new player posted a wrong amount on entry."""
    posts = [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role == "entry"
    ]
    if context is not None:
        newcomer_seats = {newcomer.seat for newcomer in _list_newcomers(hand, context)}
        posts = [(version, post) for version, post in posts if post.seat in newcomer_seats]
    if not posts:
        yield NO_OCCASION
        return
    if hand.big_blind is None:
        yield CannotTell("blind-amounts")
        return
    entry_due = multiple * max(hand.blinds)
    for version, post in posts:
        paid = post.live + post.dead
        if paid != entry_due and not post.all_in and hand.stack_at(post.seat) != paid:
            yield Breach(
                version,
                say.wrong_entry_post(post.seat, hand.format_chips(paid), hand.format_chips(entry_due)),
                seat=post.seat,
                should=say.post_of(hand.format_chips(entry_due)),
                money=build_post_flow(hand, {post.seat: (entry_due, 0)}) if multiple == 1 else (),
            )
