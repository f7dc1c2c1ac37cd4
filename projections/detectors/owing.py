"""Players who missed blinds: dealt in unpaid, wrong sums, missing markers, and bought buttons.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.hand.betting import HandKilled
from ledger.hand.opening import BlindPosted
from ledger.presence import MarkerGiven
from ledger.table.state import SeatState
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.blind_positions import compare_positions, find_recorded_button
from projections.detectors.shared.debtors import Debtor, is_forgotten_post_due_next, list_debtors, list_overdue_posts
from projections.detectors.shared.makeup_posts import explain_all_blinds_option, has_acted, list_makeups
from projections.detectors.shared.makeup_sums import (
    ComparedSum,
    MakeUpRule,
    find_bring_in,
    judge_excess,
    judge_sum,
    judge_total_by_role,
)
from projections.detectors.shared.seat_due_wording import describe_ways_in, list_missed
from projections.detectors.shared.seat_dues import (
    MOVED_BY_HOUSE,
    JudgedSeat,
    build_needless_post,
    explain_no_seat,
    explain_open_due,
    list_judged_seats,
)
from projections.detectors.shared.unpaid_breaches import build_overdue_breach, build_unpaid_breach
from projections.findings.detector import SIGNS_ONLY, HandBasis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Ground
from projections.obligations.ring import is_between
from projections.obligations.tab import Tab
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import owing as say
from projections.sentences import paragraph
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import build_post_flow
from projections.timeline.hand_timeline import Timeline

ActedWith = Literal["anything", "chips"]
"""Which acts count. `anything`: every act. `chips`: only acts that put chips in."""


# Dealt in without a post


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.PLAIN_BREACH)
def unpaid(
    hand: Timeline, context: TableContext, *, who: Debtor = "any", amount: ComparedSum = "", behind_button: bool = False
) -> Iterator[Answer]:
    """A player who owed blinds was dealt in without making them up, or posted the wrong total."""
    # `behind_button`: skip seats on the button, and between it and the big blind, since another clause covers them.
    yield from _judge_debtors(hand, context, who, amount, skips_zone=behind_button)


def _judge_debtors(
    hand: Timeline, context: TableContext, who: Debtor, comparison: ComparedSum, *, skips_zone: bool = False
) -> Iterator[Answer]:
    """Judge the players who owed blinds. `skips_zone`: leave out the button and the seats between it and the big blind."""
    skipped_seats = set()
    if is_forgotten_post_due_next(context):  # then the clause of `after_acting` covers overdue posts
        skipped_seats = {overdue.debtor.seat for overdue in list_overdue_posts(hand, context)}
    debtors = [
        debtor
        for debtor in list_debtors(hand, context, who)
        if debtor.seat not in skipped_seats and not (skips_zone and debtor.is_in_zone)
    ]
    if not debtors:
        yield explain_no_seat(hand, context) if who == "any" else NO_OCCASION
    for debtor in debtors:
        yield from _judge_debtor(hand, debtor, comparison)


def _judge_debtor(hand: Timeline, debtor: JudgedSeat, comparison: ComparedSum) -> Iterator[Answer]:
    """Judge one player who owed blinds."""
    if debtor.due.deal == "open":
        yield explain_open_due(debtor)
    elif debtor.tab.short_big and debtor.seat in hand.find_posters("small"):
        yield CannotTell(say.short_blind_made_good())
    elif debtor.needs_post and not debtor.posts and not (debtor.has_straddled and debtor.may_straddle):
        yield build_unpaid_breach(hand, debtor)
    elif debtor.posts and comparison and not debtor.is_in_zone:
        yield from judge_sum(hand, debtor, comparison)
    elif debtor.posts and comparison == "exact" and debtor.due.deal != "no":
        yield from judge_excess(hand, debtor)


@table_detector(needs=Witness.POSTS)
def drew_for_it(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The winner of the draw didn't get the first button, or a player who drew for it didn't make up missed blinds."""
    # `it` in the detector's name is the button.
    draw_winner, button = context.state.button_draw_winner, find_recorded_button(hand)
    if draw_winner is not None and context.state.last_hand is None and button is not None and button != draw_winner:
        yield Breach(
            context.version_of("button"),
            button_sentences.starts_in_wrong_seat(button, draw_winner),
            seat=button,
            should=button_sentences.button_in([draw_winner]),
            because=button_sentences.won_the_draw(draw_winner),
        )
    yield from _judge_debtors(hand, context, who="drew", comparison="exact")


# A wrong sum, or a make-up post from the wrong seat


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS,
    signs=Symptom.ENTRY_POSTS,
    occasion=SIGNS_ONLY,
    basis=HandBasis.HAND_ALONE | HandBasis.PLAIN_BREACH,
)
def total(
    hand: Timeline, context: TableContext | None, *, of: MakeUpRule, all_blinds_option: bool | None = None
) -> Iterator[Answer]:
    """A player posted the wrong total after missing all blinds."""
    if context is None:
        yield from judge_total_by_role(hand, of, all_blinds_option)
        return
    debtors = [
        debtor
        for debtor in list_debtors(hand, context)
        if debtor.posts and debtor.due.deal != "no" and _may_have_missed_all(hand, debtor)
    ]
    option_answer = explain_all_blinds_option(hand, all_blinds_option) if debtors else NO_OCCASION
    if option_answer is not None:
        yield option_answer
        return
    for debtor in debtors:
        if of == "capped" and not find_bring_in(hand):
            yield CannotTell("house-option bring-in")  # the rule is for games with a bring-in above the big blind
        elif debtor.due.possible_posts:
            yield explain_open_due(debtor)
        elif debtor.due_total is None:
            yield CannotTell("blind-amounts")
        else:
            yield from judge_sum(hand, debtor, "exact")


def _may_have_missed_all(hand: Timeline, debtor: JudgedSeat) -> bool:
    """Whether a player missed every blind of the game, or the record doesn't show which ones."""
    missed_roles = {missed_blind.role for missed_blind in debtor.due.missed}
    return bool(debtor.due.possible_posts) or len(missed_roles) >= len(hand.blinds)


@table_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BUTTON,
    signs=Symptom.ENTRY_POSTS,
    occasion=SIGNS_ONLY,
    basis=HandBasis.HAND_ALONE | HandBasis.PLAIN_BREACH,
)
def zone(hand: Timeline, context: TableContext | None) -> Iterator[Answer]:
    """A blind was made up from a seat after the button and before the big blind."""
    if context is None:
        yield from _judge_zone_by_role(hand)
        return
    debtors = [debtor for debtor in list_debtors(hand, context) if debtor.posts]
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
            yield explain_open_due(debtor)


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
    straddlers = [debtor for debtor in list_debtors(hand, context) if debtor.has_straddled]
    settled_seats = [
        judged_seat for judged_seat in list_judged_seats(hand, context) if _posts_though_settled(judged_seat)
    ]
    if not (straddlers or settled_seats):
        yield NO_OCCASION
    for judged_seat in settled_seats:
        reason = say.straddle_settled(judged_seat.seat, judged_seat.tab.make_up_hand)
        yield build_needless_post(hand, judged_seat, reason)
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


def _posts_though_settled(judged_seat: JudgedSeat) -> bool:
    """Whether a seat posts though an earlier straddle settled its missed blinds."""
    tab = judged_seat.tab
    return bool(judged_seat.posts and tab.make_up_hand and tab.made_up_by_straddle and not judged_seat.owes_blinds)


@table_detector(needs=Witness.POSTS)
def skipped_after_makeup(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The big blind skipped a player who had made a blind up."""
    placement = context.due.place
    seat = placement.big if placement is not None and placement.judged else None
    due = None if seat is None else context.find_seat_due(seat)
    tab = None if due is None else context.find_tab(due.player)
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
    # Any seat at the table, not a `JudgedSeat`: the player may have got no cards.
    unmarked_states = [
        seat_state
        for seat_state in context.state.seats.values()
        if _needs_marker(context, context.find_tab(seat_state.player), moved_here=moved_here)
    ]
    if not unmarked_states:
        yield NO_OCCASION
    marked_seats = {
        entry.event.seat
        for entry in context.events_between
        if isinstance(entry.event, MarkerGiven) and entry.event.kind.startswith("missed")
    }
    for seat_state in unmarked_states:
        tab = context.find_tab(seat_state.player)
        if tab.missing_fact or tab.maybe_missed:
            yield CannotTell(say.marker_before_record())
        elif seat_state.seat not in marked_seats and not _has_marker(seat_state):
            yield _build_unmarked_breach(context, seat_state.seat, tab.missed[0].ground)


def _build_unmarked_breach(context: TableContext, seat: Seat, first_missed: Ground) -> Breach:
    """Return the breach of a missing marker; only likely if the table has recorded no markers so far."""
    has_markers = bool(context.state.has_markers)
    return Breach(
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
    if not tab.missed or tab.broke_hand or (moved_here and tab.origin not in MOVED_BY_HOUSE):
        return False
    if last_hand is None or tab.missed[0].hand != last_hand.number:
        return False
    # With two players, a small blind that is only assumed to have passed wasn't missed: they had it on the button.
    is_by_order = {missed.ground.basis for missed in tab.missed} == {"assumed"}
    return not (len(last_hand.dealt_in) == 2 and is_by_order)


def _has_marker(seat_state: SeatState) -> bool:
    return any(marker.startswith("missed") for marker in seat_state.markers)


# Hands played while owing


@table_detector(needs=Witness.POSTS, occasion=SIGNS_ONLY, subject="seats", basis=HandBasis.HAND_ALONE)
def after_acting(
    hand: Timeline, context: TableContext | None, *, acted_with: ActedWith, next_deal: bool = False
) -> Iterator[Answer]:
    """A hand was killed for looking before posting, but its player had acted; or an overdue post never came."""
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
    overdue_posts = list_overdue_posts(hand, context) if context is not None and next_deal else []
    for overdue in overdue_posts:
        if overdue.debtor.needs_post and not overdue.debtor.posts:
            yield build_overdue_breach(hand, overdue)
    if not kills and not overdue_posts:
        yield _explain_no_look(hand, context)


def _explain_no_look(hand: Timeline, context: TableContext | None) -> Answer:
    """Return the answer if no hand was killed for a look: `CannotTell` if one may have looked unrecorded."""
    if hand.is_witnessed(Witness.LOOKS):
        return NO_OCCASION
    # Only a player who owed a post, and made none, may have looked too early. Without the table, that's anybody.
    has_suspect = context is None or any(not debtor.posts for debtor in list_debtors(hand, context))
    return CannotTell("looks") if has_suspect else NO_OCCASION


# A bought button


@table_detector(needs=Witness.BUTTON)
def bought_from_elsewhere(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button was bought by a player who owed nothing, or whose seat wasn't between it and the blinds."""
    seat = context.state.button_buyer
    seat_state = None if seat is None else context.state.seats.get(seat)
    if seat is None or seat_state is None:
        yield NO_OCCASION
        return
    version = context.version_of("button")
    if not context.find_tab(seat_state.player).missed:
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
