"""Positions of button and blinds over the hands of a table, compared with where the method in force puts them.

Each public function is a detector; its docstring states the breach. `methods` are the methods of moving the button
that a clause is about. A clause with one method applies if that method is in force. A clause with several applies if
all of them may be in force, because the house's choice among them isn't recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.blind_positions import (
    REGULAR,
    BreachFocus,
    PositionDifference,
    compare_positions,
    compute_money_moved,
    describe_due_positions,
    describe_reasons,
    describe_wrong_button,
    explain_no_button,
    find_betting_start,
    find_focus,
    find_identity,
    find_recorded_button,
    has_barred_button,
    has_blinds_after_button,
    list_breach_grounds,
    list_regular_posts,
)
from projections.detectors.shared.seat_dues import list_judged_seats
from projections.detectors.shared.two_player_positions import (
    find_repeated_big,
    have_two_players_stayed,
    judge_two_players,
)
from projections.findings.detector import HandBasis, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, NoOccasion
from projections.obligations.dues import Placement
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import paragraph, unknowns
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS, basis=HandBasis.PLAIN_BREACH)
def method(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The button or the blinds are not where the method in force puts them."""
    if not context.due_positions.unknown:
        nearest = _find_nearest(hand, context, methods)
    elif len(methods) > 1:  # without earlier hands, only the clause about several methods judges the hand
        nearest = _find_nearest(hand, context)
    else:
        nearest = _find_nearest(hand, context, [])
    yield from _judge_positions(hand, context, nearest)


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS)
def moved_on(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The button didn't go to the next player, or the blinds don't follow it.

    If the button is right and a blind skipped a player, another clause covers it.
    """
    nearest = _find_nearest(hand, context, methods)
    difference = nearest if isinstance(nearest, PositionDifference) else None
    if difference is not None and not difference.is_button_wrong and _find_skipped_seats(hand, context, difference):
        return
    yield from _judge_positions(hand, context, nearest)


@table_detector(needs=Witness.POSTS)
def skipped(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """A blind skipped a player who was dealt in, or one of two players had the big blind twice running."""
    nearest = _find_nearest(hand, context, methods)
    is_two_player_case = nearest == CannotTell(unknowns.blinds_of_two_in_book()) and have_two_players_stayed(context)
    repeated_seat = find_repeated_big(hand, context) if is_two_player_case else None
    if repeated_seat is not None:
        due_seat = hand.seats_after(repeated_seat)[0]
        yield Breach(
            context.version_of("big", repeated_seat),
            blind_sentences.same_seat_again(repeated_seat),
            seat=repeated_seat,
            should=blind_sentences.blind_from("big", due_seat),
            because=button_sentences.alternates(),
            identity=(context.version_of("big", repeated_seat), due_seat),
        )
    elif not isinstance(nearest, PositionDifference):
        yield nearest
    elif skipped_seats := _find_skipped_seats(hand, context, nearest):
        seat, role = skipped_seats[0]
        focus = _focus_on_skipped_seat(hand, context, nearest, seat, role)
        yield _build_breach(hand, context, nearest, seat, focus)


@table_detector(events=(BlindPosted,), needs=Witness.POSTS)
def dead_blind_posted(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player posted the small blind of an empty seat."""
    nearest = _find_nearest(hand, context)
    if not isinstance(nearest, PositionDifference):
        yield nearest
    elif nearest.placement.method != "dead" or not nearest.placement.small_empty:
        yield NO_OCCASION
    else:
        empty_seat = nearest.placement.small
        small_post = next((post for post in nearest.unexpected if post.role == "small"), None)
        if small_post is not None and empty_seat is not None:
            headline = blind_sentences.dead_blind_posted(small_post.seat, empty_seat)
            focus = BreachFocus(small_post.version, small_post.seat, headline)
            yield _build_breach(hand, context, nearest, small_post.seat, focus)


@table_detector(needs=Witness.BUTTON)
def not_forward(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The next player who may have the button didn't get it, or one of two players had last action twice running."""
    # Unlike `not_later` and `not_clockwise`, this doesn't accept a button that went forward past a player.
    button, nearest = find_recorded_button(hand), _find_nearest(hand, context, methods)
    is_two_player_case = nearest == CannotTell(unknowns.blinds_of_two_in_book()) and have_two_players_stayed(context)
    breach = judge_two_players(hand, context) if is_two_player_case else None
    if breach is not None:
        yield breach
    elif not isinstance(nearest, PositionDifference):
        yield nearest
    elif nearest.unsettled:
        yield CannotTell(nearest.unsettled)
    elif button is not None and nearest.is_button_wrong and not has_barred_button(hand, context):
        yield _build_button_breach(hand, context, button, nearest.placement)


@table_detector(needs=Witness.BUTTON, subject="places")
def not_later(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button is in an empty seat, didn't move, or moved back, and no reading puts it there."""
    # Unlike `not_clockwise`, this reports an empty seat, and a button that stayed whatever the method.
    button, last_button = find_recorded_button(hand), context.state.button.seat
    placements = context.due.placements
    if button is None:
        yield explain_no_button(hand)
    elif all(placement.button != button for placement in placements) and not has_barred_button(hand, context):
        is_wrong = button not in hand.start
        if last_button is not None and _is_last_hand_completed(context):
            is_wrong = is_wrong or button == last_button or _has_moved_back(hand, last_button, button)
        if is_wrong and not placements:
            yield CannotTell(unknowns.no_rule_on_positions())
        elif is_wrong:
            yield _build_button_breach(hand, context, button, placements[0])


@table_detector(needs=Witness.BUTTON)
def not_clockwise(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button went counterclockwise, stayed under the moving method, or moved after a misdeal."""
    # Unlike `not_later`, this accepts an empty seat, and a button that stayed if a dead button may be in force.
    button, last_button, last_hand = find_recorded_button(hand), context.state.button.seat, context.state.last_hand
    placements = context.due.placements
    if last_hand is not None and button is None:
        yield explain_no_button(hand)
        return
    if last_hand is None or button is None or last_button is None:
        yield NO_OCCASION
        return
    if any(placement.button in (None, button) for placement in placements):
        return
    if not last_hand.completed and last_hand.voided != "misdeal":
        yield CannotTell(unknowns.completed_deal(last_hand.number))
        return
    if last_hand.voided:
        is_wrong = button != last_button
    elif button == last_button:
        is_wrong = all(placement.method != "dead" for placement in placements)
    else:
        is_wrong = _has_moved_back(hand, last_button, button)
    if is_wrong and not placements:
        yield CannotTell(unknowns.no_rule_on_positions())
    elif is_wrong:
        yield _build_button_breach(hand, context, button, placements[0])


@table_detector(needs=Witness.POSTS, subject="places")
def blinds_not_fitted(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """No reading fits the blinds to the button: neither the next players posted them nor those who owe them."""
    nearest = _find_nearest(hand, context)
    if not isinstance(nearest, PositionDifference):
        yield nearest
        return
    button = None if has_barred_button(hand, context) else find_recorded_button(hand)
    due_blinds_by_reading = [
        _list_blinds(placement)
        for placement in context.due.placements
        if placement.judged and (button is None or placement.button in (None, button))
    ]
    posted_blinds = sorted((post.role, post.seat) for post in list_regular_posts(hand))
    if posted_blinds not in due_blinds_by_reading and not has_blinds_after_button(hand):
        yield _build_breach(hand, context, nearest._replace(is_button_wrong=False))


def _find_nearest(
    hand: Timeline, context: TableContext, methods: list[str] | None = None
) -> PositionDifference | CannotTell | NoOccasion:
    """Return the difference from the nearest reading, or why there is none to judge by.

    `methods`: the methods that a clause is about; None takes all that may be in force.
    """
    comparison = compare_positions(hand, context)
    methods_asked = comparison.methods if methods is None else frozenset(methods)
    # The house chooses between a dead and a moving button. Other methods together are readings of one rule.
    is_method_unknown = "dead" in comparison.methods and len(comparison.methods) > 1
    is_right_by_some = bool(comparison.matching_methods) and not comparison.methods <= comparison.matching_methods
    if is_method_unknown and methods_asked <= comparison.methods and is_right_by_some:
        # The hand is right by one method that the house may have chosen, and wrong by another.
        return CannotTell(unknowns.house_method())
    if methods_asked != comparison.methods:
        return NO_OCCASION  # another method is in force, which has its own clause
    return CannotTell(comparison.missing) if comparison.nearest is None else comparison.nearest


def _judge_positions(
    hand: Timeline, context: TableContext, nearest: PositionDifference | CannotTell | NoOccasion
) -> Iterator[Answer]:
    """Yield a breach if the positions differ from the nearest reading.

    If the button went to a seat that may not have it, another clause reports the button itself.
    """
    if not isinstance(nearest, PositionDifference):
        yield nearest
        return
    is_button_barred = has_barred_button(hand, context)
    if is_button_barred:
        nearest = nearest._replace(is_button_wrong=False)
    have_blinds_followed = is_button_barred and has_blinds_after_button(hand)
    if have_blinds_followed and nearest.placement.method == "positional":
        return  # the blinds rightly follow the button, wherever it went
    if have_blinds_followed and not nearest.is_match:
        # The button's seat identifies the breach, so that it merges with the finding about the barred button.
        yield _build_breach(hand, context, nearest, find_recorded_button(hand))
    elif not nearest.is_match:
        yield _build_breach(hand, context, nearest, _find_skipped_newcomer(hand, context, nearest))
    elif nearest.unsettled or find_recorded_button(hand) is None:
        yield CannotTell(nearest.unsettled or "button")


def _find_skipped_newcomer(hand: Timeline, context: TableContext, nearest: PositionDifference) -> Seat | None:
    """Return the new player whom the big blind skipped, or None.

    That seat identifies the breach, so that it merges with the finding that the player came in without a post.
    """
    newcomer_seats = {
        player.seat for player in list_judged_seats(hand, context) if player.is_new and not player.has_big_blind
    }
    return next((due.seat for due in nearest.unposted if due.seat in newcomer_seats), None)


def _build_breach(
    hand: Timeline,
    context: TableContext,
    nearest: PositionDifference,
    identifying_seat: Seat | None = None,
    focus: BreachFocus | None = None,
) -> Breach:
    """Return the breach of a difference; `identifying_seat` and `focus` replace those of the difference itself."""
    version, seat, headline = focus or find_focus(hand, context, nearest)
    identifying_version, difference_seat = find_identity(hand, context, nearest)
    sale = _describe_unrecorded_sale(hand)
    return Breach(
        version,
        headline,
        seat=seat,
        identity=(identifying_version, identifying_seat or difference_seat),
        should=describe_due_positions(context),
        because=paragraph(describe_reasons(hand, nearest), sale),
        certainty="likely" if sale else "certain",
        money=compute_money_moved(hand, nearest),
        grounds=tuple(list_breach_grounds(nearest)),
        rests_on=_list_button_seats(hand, context, nearest.placement),
        severity="warning" if nearest.other_reading else None,  # one reading of the text allows what was done
    )


def _describe_unrecorded_sale(hand: Timeline) -> str:
    """Return a sentence if the button may have been bought, else "".

    It may have been if the seat after the button posted all the blinds and nobody posted a regular blind.
    """
    posts = [post for _, post in hand.standing_posts() if isinstance(post, BlindPosted)]
    button = find_recorded_button(hand)
    if not posts or button is None or any(post.role in REGULAR for post in posts):
        return ""
    buyer_seat = hand.seats_after(button)[0]
    is_only_poster = all(post.seat == buyer_seat for post in posts)
    has_posted_all = sum(post.live + post.dead for post in posts) == sum(hand.blinds)
    return button_sentences.may_have_bought(buyer_seat) if is_only_poster and has_posted_all else ""


def _build_button_breach(hand: Timeline, context: TableContext, button: Seat, placement: Placement) -> Breach:
    """Return the breach of a button that isn't where a placement has it."""
    return Breach(
        context.version_of("button"),
        describe_wrong_button(hand, context, button, placement.button),
        should=_describe_due_buttons(context, placement),
        grounds=placement.button_grounds,
        rests_on=_list_button_seats(hand, context, placement),
    )


def _describe_due_buttons(context: TableContext, placement: Placement) -> str:
    """Return where the button belongs: in the seat of `placement`, or where another reading of the book has it."""
    readings = [reading for reading in context.due.placements if reading.judged]
    seats = _list_buttons([placement, *(reading for reading in readings if not reading.doubtful)])
    if not seats:
        return ""
    doubtful_seats = _list_buttons([reading for reading in readings if reading.doubtful])
    return button_sentences.button_in(seats, [seat for seat in doubtful_seats if seat not in seats])


def _list_buttons(placements: list[Placement]) -> list[Seat]:
    """Return the seats in which some placements have the button, each once."""
    return list(dict.fromkeys(placement.button for placement in placements if placement.button is not None))


def _list_button_seats(hand: Timeline, context: TableContext, placement: Placement) -> tuple[Seat, ...]:
    """Return the seats that decide where the button goes: its own, and those after its last seat up to the due one."""
    button, last_button = find_recorded_button(hand), context.state.button.seat
    ring = hand.seats_after(last_button) if last_button is not None else []
    seats_to_due = ring[: ring.index(placement.button) + 1] if placement.button in ring else []
    return tuple(dict.fromkeys([*([button] if button in hand.start else []), *seats_to_due]))


def _focus_on_skipped_seat(
    hand: Timeline, context: TableContext, difference: PositionDifference, seat: Seat, role: str
) -> BreachFocus:
    """Return the focus on a seat that a blind skipped: the blind's post farther on, or the first act if nobody posted."""
    posts = [post for post in (*difference.unexpected, *list_regular_posts(hand)) if post.role == role]
    post = next((post for post in posts if _is_past(hand, seat, post.seat)), posts[0] if posts else None)
    version = find_betting_start(hand, context) if post is None else post.version
    return BreachFocus(version, seat, blind_sentences.skipped(seat, role))


def _find_skipped_seats(
    hand: Timeline, context: TableContext, difference: PositionDifference
) -> list[tuple[Seat, str]]:
    """Return the seats that a blind passed though it was due from them, each with the role of the blind."""
    roles = [blind.role for blind in difference.placement.posts if blind.role in REGULAR]
    largest_role = max(roles, key=REGULAR.index, default="")
    poster_seats = [blind.seat for blind in list_regular_posts(hand) if blind.role == largest_role]
    if not poster_seats or context.state.big.seat in poster_seats or difference.placement.heads_up:
        return []  # the big blind didn't move on, or there are only two players
    due_seat = next(blind.seat for blind in difference.placement.posts if blind.role == largest_role)
    if due_seat not in poster_seats and not _has_passed(hand, due_seat, poster_seats):
        return []  # the largest blind went backwards
    skipped_seats: list[tuple[Seat, str]] = []
    for due in difference.unposted:
        # Under a dead button every blind is due now. By other methods, smaller blinds that are owed can wait.
        is_skipped = difference.placement.method == "dead"
        if due.role == largest_role:
            is_skipped = _has_passed(hand, due.seat, poster_seats)
        if is_skipped:
            skipped_seats.append((due.seat, due.role))
    return skipped_seats


def _has_passed(hand: Timeline, seat: Seat, poster_seats: list[Seat]) -> bool:
    """Whether a blind went past a seat: somebody after it posted the blind."""
    return any(_is_past(hand, seat, poster_seat) for poster_seat in poster_seats)


def _is_past(hand: Timeline, seat: Seat, later_seat: Seat) -> bool:
    """Whether `later_seat` comes after `seat`, within half the table."""
    ring = hand.seats_after(seat)
    return later_seat in ring and ring.index(later_seat) + 1 <= len(ring) // 2


def _has_moved_back(hand: Timeline, last_button: Seat, button: Seat) -> bool:
    """Whether the button moved back: clockwise, `button` is more than half the table after `last_button`."""
    ring = hand.seats_after(last_button)
    return button in ring and 2 * (ring.index(button) + 1) > len(ring)


def _is_last_hand_completed(context: TableContext) -> bool:
    return context.state.last_hand is not None and context.state.last_hand.completed


def _list_blinds(placement: Placement) -> list[tuple[str, Seat]]:
    """Return role and seat of each regular blind that a reading asks for, sorted."""
    return sorted((due.role, due.seat) for due in placement.posts if due.role in REGULAR)
