"""Players who missed blinds: dealt in unpaid, wrong sums, missing markers, and bought buttons.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ledger.hand.betting import HandKilled
from ledger.hand.dealing import CardsViewed
from ledger.hand.opening import BlindPosted
from ledger.presence import MarkerGiven
from ledger.table.state import SeatState
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.blind_positions import compare_positions, find_recorded_button
from projections.detectors.shared.makeup_posts import explain_all_blinds_option, has_acted, list_makeups
from projections.detectors.shared.makeup_sums import find_bring_in, judge_excess, judge_sum, judge_total_by_role
from projections.detectors.shared.seat_dues import (
    ENTERING_ROLES,
    MOVED_BY_HOUSE,
    JudgedSeat,
    build_needless_post,
    compute_money_moved_by_post,
    describe_missed,
    describe_price,
    describe_ways_in,
    explain_no_seat,
    explain_open,
    list_judged_seats,
    list_missed,
)
from projections.findings.detector import SIGNS_ONLY, Basis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.ring import is_between
from projections.obligations.tab import Tab
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import debts as debt_sentences
from projections.sentences import owing as say
from projections.sentences import paragraph
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import build_post_flow
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

Debtor = Literal["any", "broke", "drew", "short"]
"""`broke`: had no chips when the blinds passed; `drew`: drew for the button of a new game;
`short`: posted less than half of the big blind."""


# Dealt in without a post


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=Basis.PLAIN_BREACH)
def unpaid(
    hand: Timeline,
    context: TableContext,
    *,
    who: Debtor = "any",
    amount: Literal["", "exact", "least"] = "",
    behind_button: bool = False,
) -> Iterator[Answer]:
    """A player who owed blinds was dealt in without making them up, or made up a wrong sum."""
    # `amount` says how to compare the sum, as `comparison` in `judge_sum`; "": another clause judges the sum.
    # `behind_button`: skip seats on the button, and between it and the big blind, since another clause covers them.
    # Where a forgotten post is due on the next deal, the clause of `after_acting` covers overdue posts.
    overdue_seats = {overdue.debtor.seat for overdue in _list_overdue(hand, context)} if _is_due_next(context) else ()
    debtors = [
        debtor
        for debtor in _list_debtors(hand, context, who)
        if not (behind_button and debtor.is_in_zone) and debtor.seat not in overdue_seats
    ]
    if not debtors:
        yield explain_no_seat(hand, context) if who == "any" else NO_OCCASION
    for debtor in debtors:
        yield from _judge_debtor(hand, debtor, amount)


def _list_debtors(hand: Timeline, context: TableContext, who: Debtor = "any") -> list[JudgedSeat]:
    """Return the dealt-in seats that owed blinds and didn't post the big blind in turn; `who` narrows them."""
    drew_players = context.player_tabs.game.drawers
    return [
        debtor
        for debtor in list_judged_seats(hand, context)
        if debtor.owes_blinds
        and not debtor.is_new
        and not debtor.has_big_blind
        and (who != "broke" or debtor.tab.broke)
        and (who != "drew" or debtor.due.player in drew_players)
        and (who != "short" or debtor.tab.short_big)
    ]


def _judge_debtor(hand: Timeline, debtor: JudgedSeat, comparison: str) -> Iterator[Answer]:
    """Judge one player who owed blinds. `comparison` as in `judge_sum`; if "", another clause judges the sum."""
    if debtor.due.deal == "open":
        yield explain_open(debtor)
    elif debtor.tab.short_big and debtor.seat in hand.find_posters("small"):
        yield CannotTell(say.short_blind_made_good())
    elif debtor.needs_post and not debtor.posts and not (debtor.has_straddled and debtor.may_straddle):
        yield _build_unpaid_breach(hand, debtor)
    elif debtor.posts and comparison and not debtor.is_in_zone:
        yield from judge_sum(hand, debtor, comparison)
    elif debtor.posts and comparison == "exact" and debtor.due.deal != "no":
        yield from judge_excess(hand, debtor)


def _build_unpaid_breach(hand: Timeline, debtor: JudgedSeat) -> Breach:
    """Return the breach of a player who was dealt in owing blinds."""
    remedy_note = _explain_remedy(hand, debtor)
    is_standing_unknown = debtor.due.status == "unknown"
    return Breach(
        debtor.dealt_version,
        _describe_unpaid(hand, debtor),
        seat=debtor.seat,
        should=describe_ways_in(hand, debtor.due),
        because=remedy_note or _explain_unpaid(hand, debtor),
        certainty="likely" if is_standing_unknown else "certain",
        # The book doesn't say how much makes a short blind good.
        money=() if debtor.tab.short_big or remedy_note else compute_money_moved_by_post(hand, debtor),
        remedy="followed" if remedy_note else "none",
        severity="warning" if remedy_note else None,
        grounds=debtor.grounds,
    )


def _describe_unpaid(hand: Timeline, debtor: JudgedSeat) -> str:
    """Return the headline for a player who was dealt in owing blinds."""
    if debtor.has_straddled:
        return say.dealt_in_on_straddle(debtor.seat)
    if debtor.due.deal == "no":
        return say.dealt_in_too_early(debtor.seat)
    return say.dealt_in_owing(debtor.seat, describe_price(hand, debtor))


def _explain_unpaid(hand: Timeline, debtor: JudgedSeat) -> str:
    """Return why a player was not to be dealt in: the missed blinds and the position."""
    missed = describe_missed(hand, debtor)
    if debtor.due.status == "unknown":
        return paragraph(missed, say.wrong_either_way(debtor.due.grounds[0].sentence))
    return paragraph(missed, say.barred_there(debtor.seat) if debtor.due.deal == "no" else "")


def _explain_remedy(hand: Timeline, debtor: JudgedSeat) -> str:
    """Return how the missing post of a dealt-in seat was put right in time, or "" if it wasn't.

    Either it posted before it looked and before anybody acted, or its hand was killed for a look before it acted.
    """
    # The seat posted nothing before it had cards, so all of its posts came later.
    later_posts = [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.seat == debtor.seat and post.role in ENTERING_ROLES
    ]
    look_version, _ = hand.first_event_after(0, CardsViewed, seat=debtor.seat) or (AFTER_ALL_EVENTS, None)
    last_post_version = next((version for version, _ in reversed(later_posts)), AFTER_ALL_EVENTS)
    if last_post_version < min(hand.first_act or AFTER_ALL_EVENTS, look_version):
        paid = sum(post.live + post.dead for _, post in later_posts)
        return say.posted_in_time() if debtor.due_total in (None, paid) else ""
    numbered_kill = hand.first_event_after(0, HandKilled, seat=debtor.seat)
    if numbered_kill is None:
        return ""
    kill_version, kill = numbered_kill
    is_killed_in_time = kill.reason == "looked-before-post" and not hand.has_acted(debtor.seat, kill_version)
    return say.dead_in_time() if is_killed_in_time else ""


@table_detector(needs=Witness.POSTS)
def drew_for_it(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The winner of the draw didn't get the first button, or a player who drew for it didn't make up missed blinds."""
    # `it` in the detector's name is the button.
    draw_winner, button = context.state.drawn, find_recorded_button(hand)
    if draw_winner is not None and context.state.last is None and button is not None and button != draw_winner:
        yield Breach(
            context.version_of("button"),
            button_sentences.starts_in_wrong_seat(button, draw_winner),
            seat=button,
            should=button_sentences.button_in([draw_winner]),
            because=button_sentences.won_the_draw(draw_winner),
        )
    yield from unpaid(hand, context, who="drew", amount="exact")


# A wrong sum, or a make-up post from the wrong seat


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
    """A player who had missed all blinds made up a wrong sum."""
    # `of` is the sum due: the "sum" of all blinds, the "big" blind, or that sum "capped" at the bring-in.
    if context is None:
        yield from judge_total_by_role(hand, of, all_blinds_option)
        return
    debtors = [  # those who missed every blind, or of whom the record doesn't show which blinds they missed
        debtor
        for debtor in _list_debtors(hand, context)
        if debtor.posts
        and debtor.due.deal != "no"
        and (debtor.due.possible_posts or len({missed.role for missed in debtor.due.missed}) >= len(hand.blinds))
    ]
    option_answer = explain_all_blinds_option(hand, all_blinds_option) if debtors else NO_OCCASION
    if option_answer is not None:
        yield option_answer
        return
    for debtor in debtors:
        if of == "capped" and not find_bring_in(hand):
            yield CannotTell("house-option bring-in")  # the rule is for games with a bring-in above the big blind
        elif debtor.due.possible_posts:
            yield explain_open(debtor)
        elif debtor.due_total is None:
            yield CannotTell("blind-amounts")
        else:
            yield from judge_sum(hand, debtor, "exact")


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
        yield from _judge_zone_by_role(hand)
        return
    debtors = [debtor for debtor in _list_debtors(hand, context) if debtor.posts]
    if not debtors:
        yield _explain_unknown_zone(hand, context) or explain_no_seat(hand, context, must_have_posted=True)
    for debtor in debtors:
        if debtor.due.deal == "no":
            yield Breach(
                debtor.version,
                say.made_up_too_early(debtor.seat),
                seat=debtor.seat,
                should=describe_ways_in(hand, debtor.due),
                because=paragraph(say.missed(debtor.seat, list_missed(debtor), ""), say.barred_there(debtor.seat)),
                grounds=debtor.grounds,
            )
        elif debtor.due.deal == "open" and debtor.is_in_zone is not False:
            yield explain_open(debtor)


def _explain_unknown_zone(hand: Timeline, context: TableContext) -> Answer | None:
    """Return `CannotTell` if a blind was made up and the positions are open, or None otherwise."""
    has_makeup_post = any(
        post.role.startswith("makeup")
        for judged_seat in list_judged_seats(hand, context)
        if not judged_seat.has_big_blind
        for _, post in judged_seat.posts
    )
    if not has_makeup_post or not context.due.placements:
        return None
    comparison = compare_positions(hand, context)
    return CannotTell(comparison.missing) if comparison.nearest is None else None


def _judge_zone_by_role(hand: Timeline) -> Iterator[Answer]:
    """Judge the seats that made up blinds by this hand alone: the roles of its posts show what was made up."""
    makeups = list_makeups(hand)
    big_blind_seats = [
        post.seat for _, post in hand.standing_posts() if isinstance(post, BlindPosted) and post.role == "big"
    ]
    if not makeups or not big_blind_seats or hand.button is None:
        yield NO_OCCASION
        return
    if len(hand.start) == 2:
        yield CannotTell(say.zone_of_two())
        return
    for seat, posts in makeups.items():
        if hand.steps_from_button(seat) < hand.steps_from_button(big_blind_seats[-1]) or seat == hand.button:
            first_version, _ = posts[0]
            yield Breach(first_version, say.made_up_too_early(seat), seat=seat, should=say.no_post_before_button())


# After a straddle or a make-up


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats")
def charged_after_straddle(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who owed blinds straddled next to the big blind, and had to make up the blinds as well."""
    straddlers = [debtor for debtor in _list_debtors(hand, context) if debtor.has_straddled]
    settled_players = [  # judged seats whose missed blinds an earlier straddle settled
        player
        for player in list_judged_seats(hand, context)
        if player.posts and player.tab.make_up_hand and player.tab.straddled and not player.owes_blinds
    ]
    if not (straddlers or settled_players):
        yield NO_OCCASION
    for player in settled_players:
        yield build_needless_post(hand, player, say.straddle_settled(player.seat, player.tab.make_up_hand))
    for debtor in straddlers:
        if debtor.posts and debtor.may_straddle:
            straddle = sum(post.amount for _, post in hand.straddles() if post.seat == debtor.seat)
            yield Breach(
                debtor.version,
                say.charged_after_straddle(debtor.seat, hand.format_chips(debtor.paid)),
                seat=debtor.seat,
                should=say.straddle_alone(),
                money=build_post_flow(hand, {debtor.seat: (straddle, 0)}),
                because=say.straddle_settles(debtor.seat, list_missed(debtor)),
            )


@table_detector(needs=Witness.POSTS)
def skipped_after_makeup(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The big blind skipped a player who had made a blind up."""
    placement = context.due.place
    seat = placement.big if placement is not None and placement.judged else None
    due = None if seat is None else context.seat_due(seat)
    tab = None if due is None else context.tab_of(due.player)
    if seat is None or seat not in hand.start or tab is None or not tab.make_up_hand:
        yield NO_OCCASION
        return
    if seat not in hand.find_posters("big"):
        yield Breach(
            hand.version_of("big") or hand.version_of("dealt", seat),
            blind_sentences.skipped(seat, "big"),
            seat=seat,
            should=blind_sentences.blind_from("big", seat),
            because=say.make_up_excuses_nothing(seat, tab.make_up_hand),
        )


# Markers


@table_detector(needs=Witness.MARKERS)
def unmarked(_: Timeline, context: TableContext, *, moved_here: bool = False) -> Iterator[Answer]:
    """A blind passed a player, and no missed-blind marker was given before the next hand."""
    # `moved_here`: only players whom the house moved to this table.
    debtors = [  # any seat at the table, not a `JudgedSeat`: the player may have got no cards
        (seat, seat_state, tab)
        for seat, seat_state in context.state.seats.items()
        if _needs_marker(context, tab := context.tab_of(seat_state.player), moved_here=moved_here)
    ]
    if not debtors:
        yield NO_OCCASION
    marked_seats = {
        entry.event.seat
        for entry in context.events_between
        if isinstance(entry.event, MarkerGiven) and entry.event.kind.startswith("missed")
    }
    for seat, seat_state, tab in debtors:
        if tab.missing_fact or tab.maybe_missed:
            yield CannotTell(say.marker_before_record())
        elif seat not in marked_seats and not _has_marker(seat_state):
            has_markers = bool(context.state.marks)
            first_missed = tab.missed[0].ground
            yield Breach(
                context.version_of("dealt", seat),
                say.no_marker(seat),
                seat=seat,
                should=say.marker_first(),
                grounds=(first_missed,),
                certainty="certain" if has_markers else "likely",
                because="" if has_markers else paragraph(first_missed.sentence, say.no_markers_so_far()),
            )


def _needs_marker(context: TableContext, tab: Tab, *, moved_here: bool) -> bool:
    """Whether the last hand's blinds passed a player, so that a marker is due."""
    last_hand = context.last_hand
    if not tab.missed or tab.broke or (moved_here and tab.origin not in MOVED_BY_HOUSE):
        return False
    if last_hand is None or tab.missed[0].hand != last_hand.number:
        return False
    # With two players, a small blind that is only assumed to have passed wasn't missed: they had it on the button.
    is_by_order = {missed.ground.basis for missed in tab.missed} == {"assumed"}
    return not (len(last_hand.dealt_in) == 2 and is_by_order)


def _has_marker(seat_state: SeatState) -> bool:
    return any(marker.startswith("missed") for marker in seat_state.markers)


# Hands played while owing


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=Basis.HAND_ALONE)
def after_acting(
    hand: Timeline, context: TableContext | None, *, acted_with: Literal["anything", "chips"], next_deal: bool = False
) -> Iterator[Answer]:
    """A hand was killed for looking before posting, but its player had acted; or an overdue post never came."""
    # `acted_with` "anything": any act counts; "chips": only acts that put chips in.
    # `next_deal`: the book makes a forgotten post due on the next deal, so overdue posts are judged here, too.
    kills = [(version, kill) for version, kill in hand.of(HandKilled) if kill.reason == "looked-before-post"]
    for version, kill in kills:
        if has_acted(hand, kill.seat, acted_with, version):
            yield Breach(
                version,
                say.killed_after_acting(kill.seat),
                seat=kill.seat,
                should=say.live_hand(is_due_next=next_deal),
                remedy="not-followed",
            )
    overdue_posts = [] if context is None or not next_deal else _list_overdue(hand, context)
    for overdue in overdue_posts:
        if overdue.debtor.needs_post and not overdue.debtor.posts:
            yield _build_overdue_breach(hand, overdue)
    if not kills and not overdue_posts:
        # A player who owed a post, and made none, may have looked. Without the table, any player may have owed one.
        is_look_relevant = context is None or any(not debtor.posts for debtor in _list_debtors(hand, context))
        yield CannotTell("looks") if is_look_relevant and not hand.is_witnessed(Witness.LOOKS) else NO_OCCASION


class _OverduePost(NamedTuple):
    """A post that its player owed on the last hand, and acted on that hand without it."""

    debtor: JudgedSeat
    last_number: str  # of the last hand


def _list_overdue(hand: Timeline, context: TableContext) -> list[_OverduePost]:
    """Return the posts of players who acted on the last hand without a post they owed, and owe it still."""
    last_number = context.last_hand.number if context.last_hand is not None else ""
    overdue_posts = []
    for debtor in _list_debtors(hand, context):
        # None, for a tab without such hands, never passes the test below, even if there is no last hand.
        number, has_acted_owing = debtor.tab.played_owing[-1] if debtor.tab.played_owing else ("", None)
        if number == last_number and has_acted_owing:
            overdue_posts.append(_OverduePost(debtor, number))
    return overdue_posts


def _build_overdue_breach(hand: Timeline, overdue: _OverduePost) -> Breach:
    """Return the breach of a player who was dealt in again without an overdue post."""
    debtor = overdue.debtor
    due_reason = debt_sentences.post_due_next_deal(debtor.seat, overdue.last_number)
    return Breach(
        debtor.dealt_version,
        say.dealt_in_owing_again(debtor.seat, overdue.last_number),
        seat=debtor.seat,
        should=describe_ways_in(hand, debtor.due),
        because=paragraph(describe_missed(hand, debtor), due_reason),
        money=compute_money_moved_by_post(hand, debtor),
        grounds=debtor.grounds,
    )


def _is_due_next(context: TableContext) -> bool:
    """Whether the book makes a forgotten post due on the next deal, which has its own clause."""
    rule = context.policy.value("missed.acted")
    return rule is not None and rule.due == "next-deal"


# A bought button


@table_detector(needs=Witness.BUTTON)
def bought_from_elsewhere(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button was bought by a player who owed nothing, or whose seat wasn't between it and the blinds."""
    seat = context.state.bought
    seat_state = None if seat is None else context.state.seats.get(seat)
    if seat is None or seat_state is None:
        yield NO_OCCASION
        return
    version = context.version_of("button")
    if not context.tab_of(seat_state.player).missed:
        yield Breach(
            version, button_sentences.bought_without_debt(seat), seat=seat, should=button_sentences.usual_order()
        )
        return
    last_button = context.state.button.seat
    other_seats = [other_seat for other_seat in hand.seats if other_seat != seat]
    if last_button is None or len(other_seats) < 2:
        yield CannotTell("button")
        return
    due_seat, first_blind = _find_next_two_seats(hand, last_button, other_seats)
    if not is_between(due_seat, seat, first_blind):
        yield Breach(
            version,
            button_sentences.bought_from_elsewhere(seat),
            seat=seat,
            should=button_sentences.no_sale(due_seat),
            because=button_sentences.sold_out_of_place(seat, due_seat),
        )


def _find_next_two_seats(hand: Timeline, last_button: Seat, seats: list[Seat]) -> tuple[Seat, Seat]:
    """Return which of the seats have the button and the first blind after the last button."""
    button = hand.seats_after(last_button, seats)[0]
    return button, hand.seats_after(button, seats)[0]
