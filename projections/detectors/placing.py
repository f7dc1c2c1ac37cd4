"""Positions of button and blinds over the hands of a table, compared with where the method in force puts them.

Each public function is a detector; its docstring states the breach. `methods` are the methods of moving the button
that a clause is about; several: the clause applies if the house's choice among them isn't recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.blind_positions import (
    TWO_PLAYERS,
    PositionDifference,
    compare_positions,
    compute_money_moved,
    describe_breach,
    describe_due_positions,
    describe_reasons,
    describe_wrong_button,
    explain_no_button,
    find_breach_version,
    find_recorded_button,
    has_barred_button,
    has_blinds_after_button,
    list_breach_grounds,
    list_regular_posts,
)
from projections.detectors.shared.seat_dues import list_judged_seats
from projections.findings.detector import Basis, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, NoOccasion
from projections.obligations.dues import Placement
from projections.obligations.game import find_option
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import paragraph, unknowns
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

METHOD_CHOICE_UNKNOWN: Final = unknowns.house_method()
_BLIND_ROLES: Final = ("small", "big", "extra")


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS, basis=Basis.PLAIN_BREACH)
def method(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The button or the blinds are not where the method in force puts them."""
    if context.due_positions.unknown:  # without earlier hands, only the clause about all methods judges the hand
        methods = sorted(compare_positions(hand, context).methods) if len(methods) > 1 else []
    yield from _judge_positions(hand, context, _find_nearest(hand, context, methods))


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS)
def moved_on(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The button didn't go to the next player, or the blinds don't follow it.

    If the button is right and a blind skipped a player, another clause covers it.
    """
    nearest = _find_nearest(hand, context, methods)
    if (
        not isinstance(nearest, PositionDifference)
        or nearest.is_button_wrong
        or not _find_skipped_seats(hand, context, nearest)
    ):
        yield from _judge_positions(hand, context, nearest)


@table_detector(needs=Witness.POSTS)
def skipped(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """A blind skipped a player who was dealt in."""
    nearest = _find_nearest(hand, context, methods)
    is_repeated = nearest == CannotTell(TWO_PLAYERS) and _has_same_two_players(context)
    if is_repeated and (big := _find_repeated_big(hand, context)) is not None and _must_move(context, "big", big):
        due_seat = hand.seats_after(big)[0]
        yield Breach(
            context.version_of("big", big),
            blind_sentences.same_seat_again(big),
            seat=due_seat,
            should=blind_sentences.blind_from("big", due_seat),
            because=button_sentences.alternates(),
        )
    elif not isinstance(nearest, PositionDifference):
        yield nearest
    elif skipped_seats := _find_skipped_seats(hand, context, nearest):
        seat, role = skipped_seats[0]
        yield _build_breach(hand, context, nearest, blind_sentences.skipped(seat, role), seat)


@table_detector(events=(BlindPosted,), needs=Witness.POSTS)
def dead_blind_posted(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player posted the small blind of an empty seat."""
    nearest = _find_nearest(hand, context)
    if not isinstance(nearest, PositionDifference):
        yield nearest
    elif nearest.placement.method != "dead" or not nearest.placement.small_empty:
        yield NO_OCCASION
    else:
        for seat in [post.seat for post in nearest.unexpected if post.role == "small"][:1]:
            headline = blind_sentences.dead_blind_posted(seat, nearest.placement.small or 0)
            yield _build_breach(hand, context, nearest, headline, seat)


@table_detector(needs=Witness.BUTTON)
def not_forward(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The next player who may have the button didn't get it: it's in an empty seat, stayed, or passed the player."""
    nearest = _find_nearest(hand, context, methods)
    breach = (
        _judge_two_players(hand, context)
        if nearest == CannotTell(TWO_PLAYERS) and _has_same_two_players(context)
        else None
    )
    if breach is not None:
        yield breach
    elif not isinstance(nearest, PositionDifference):
        yield nearest
    elif nearest.unsettled:
        yield CannotTell(nearest.unsettled)
    elif nearest.is_button_wrong and not has_barred_button(hand, context):
        yield _build_button_breach(hand, context, nearest.placement)


@table_detector(needs=Witness.BUTTON, subject="places")
def not_later(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button is in an empty seat, didn't move, or moved back."""
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
            yield _build_button_breach(hand, context, placements[0])


@table_detector(needs=Witness.BUTTON)
def not_clockwise(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button went counter-clockwise, stayed under the moving method, or moved after a misdeal."""
    button, last_button, last_hand = find_recorded_button(hand), context.state.button.seat, context.state.last
    placements = context.due.placements
    if last_hand is None:
        yield NO_OCCASION
    elif button is None or last_button is None:
        yield explain_no_button(hand) if button is None else NO_OCCASION
    elif any(placement.button in (None, button) for placement in placements):
        pass
    elif not last_hand.completed and last_hand.voided != "misdeal":
        yield CannotTell(unknowns.completed_deal(last_hand.number))
    else:
        if last_hand.voided:
            is_wrong = button != last_button
        elif button == last_button:
            is_wrong = all(placement.method != "dead" for placement in placements)
        else:
            is_wrong = _has_moved_back(hand, last_button, button)
        if is_wrong and not placements:
            yield CannotTell(unknowns.no_rule_on_positions())
        elif is_wrong:
            yield _build_button_breach(hand, context, placements[0])


@table_detector(needs=Witness.POSTS, subject="places")
def blinds_not_fitted(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The blinds fit the button by no reading: neither the next players posted them nor those who owe them."""
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
    """Return the difference from the nearest reading, or why there is none to judge by."""
    comparison = compare_positions(hand, context)
    methods_asked = comparison.methods if methods is None else frozenset(methods)
    is_method_unknown = "dead" in comparison.methods and len(comparison.methods) > 1
    is_right_by_some = bool(comparison.matching_methods) and not comparison.methods <= comparison.matching_methods
    if is_method_unknown and methods_asked <= comparison.methods and is_right_by_some:
        return CannotTell(METHOD_CHOICE_UNKNOWN)  # right by one method that the house may have chosen, wrong by another
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
    if has_barred_button(hand, context):
        nearest = nearest._replace(is_button_wrong=False)
        if nearest.placement.method == "positional" and has_blinds_after_button(hand):
            return  # the blinds rightly follow the button, wherever it went
        if has_blinds_after_button(hand) and not nearest.is_match:
            # The blinds followed the wrong button: the breach names its seat, so that both merge into one.
            yield _build_breach(hand, context, nearest, seat=find_recorded_button(hand))
            return
    if not nearest.is_match:
        yield _build_breach(hand, context, nearest, seat=_find_skipped_newcomer(hand, context, nearest))
    elif nearest.unsettled or find_recorded_button(hand) is None:
        yield CannotTell(nearest.unsettled or "button")


def _find_skipped_newcomer(hand: Timeline, context: TableContext, nearest: PositionDifference) -> Seat | None:
    """Return the new player whom the big blind skipped, so that this and the free entry merge into one finding."""
    newcomer_seats = {
        player.seat for player in list_judged_seats(hand, context) if player.is_new and not player.has_big_blind
    }
    return next((due.seat for due in nearest.unposted if due.seat in newcomer_seats), None)


def _build_breach(
    hand: Timeline, context: TableContext, nearest: PositionDifference, headline: str = "", seat: Seat | None = None
) -> Breach:
    """Return the breach of a difference; `headline` and `seat` replace those of the difference itself."""
    sale = _describe_unrecorded_sale(hand)
    return Breach(
        find_breach_version(hand, context, nearest),
        headline or describe_breach(hand, context, nearest),
        seat=seat or _find_misplaced_seat(nearest),
        should=describe_due_positions(context),
        because=paragraph(describe_reasons(hand, nearest), sale),
        certainty="likely" if sale else "certain",
        money=compute_money_moved(hand, nearest),
        grounds=tuple(list_breach_grounds(nearest)),
        rests_on=_list_button_seats(hand, context, nearest.placement),
        severity="warning" if nearest.other_reading else None,  # one reading of the text allows what was done
    )


def _describe_unrecorded_sale(hand: Timeline) -> str:
    """Return a sentence if the button may have been bought; "" = it wasn't.

    It may, if the next seat made up all the blinds and nobody posted a regular one.
    """
    posts = [post for _, post in hand.standing_posts() if isinstance(post, BlindPosted)]
    button = find_recorded_button(hand)
    if not posts or button is None or any(post.role in _BLIND_ROLES for post in posts):
        return ""
    seat = hand.seats_after(button)[0]
    if {post.seat for post in posts} != {seat} or sum(post.live + post.dead for post in posts) != sum(hand.blinds):
        return ""
    return button_sentences.may_have_bought(seat)


def _has_same_two_players(context: TableContext) -> bool:
    """Whether two players are dealt in, and both were in the same seats on the completed hand before."""
    last_hand = context.state.last
    if last_hand is None or not last_hand.completed or last_hand.voided or context.due_positions.unknown:
        return False
    players = {(dealt.seat, dealt.player) for dealt in context.hand.dealt_in}
    return len(players) == 2 and players <= {(dealt.seat, dealt.player) for dealt in last_hand.dealt_in}


def _must_move(context: TableContext, position: Literal["button", "big"], seat: Seat) -> bool:
    """Whether a position that the seat of one of two players kept had to go to the other.

    If other players have left since, the button must move only if every reading has it so.
    """
    last_hand = context.state.last
    if last_hand is not None and len(last_hand.dealt_in) == len(context.hand.dealt_in):
        return True
    if position == "big":
        return False  # no rule covers the blinds of the two who are left
    return all(placement.button not in (None, seat) for placement in context.due.placements)


def _judge_two_players(hand: Timeline, context: TableContext) -> Breach | None:
    """Return the breach if the button didn't go to the other of two players, wherever their blinds are."""
    button, last_button = find_recorded_button(hand), context.state.button.seat
    if button is None:
        return None
    if button not in hand.start:
        return _build_empty_breach(hand, context, button)
    if button == last_button:
        return _build_repeat_breach(hand, context, button) if _must_move(context, "button", button) else None
    return _build_repeated_big_breach(hand, context) if last_button in hand.start else None


def _build_empty_breach(hand: Timeline, context: TableContext, button: Seat) -> Breach | None:
    """Return the breach of a button that neither of two players has.

    None: a room that plays a dead button may leave it in an empty seat once.
    """
    is_repeated = button == context.state.button.seat
    has_dead_button = find_option(context.state, context.hand, "button-method") == "dead"
    if not _must_move(context, "button", button) or (has_dead_button and not is_repeated):
        return None
    return Breach(
        context.version_of("button"),
        button_sentences.stays_empty(button) if is_repeated else button_sentences.goes_empty(button),
        should=button_sentences.button_in(sorted(hand.start)),
        because=button_sentences.alternates_despite_dead_button() if has_dead_button else button_sentences.alternates(),
        certainty="likely" if has_dead_button else "certain",
    )


def _build_repeat_breach(hand: Timeline, context: TableContext, button: Seat) -> Breach:
    """Return the breach of a button that one of two players has twice running."""
    due_seat = hand.seats_after(button)[0]
    return Breach(
        context.version_of("button"),
        button_sentences.did_not_move(button, due_seat),
        seat=button,
        should=button_sentences.button_in([due_seat]),
        because=button_sentences.alternates(),
    )


def _build_repeated_big_breach(hand: Timeline, context: TableContext) -> Breach | None:
    """Return the breach if one of two players has the big blind twice running; None = neither has."""
    big_seat, last_hand, button = _find_repeated_big(hand, context), context.state.last, find_recorded_button(hand)
    if button is None or big_seat is None or last_hand is None:
        return None
    if len(last_hand.dealt_in) != len(context.hand.dealt_in):
        return None
    return Breach(
        context.version_of("big", big_seat),
        blind_sentences.same_seat_again(big_seat),
        seat=big_seat,
        should=blind_sentences.blind_from("big", hand.seats_after(big_seat)[0]),
        because=blind_sentences.button_moved_only(button, big_seat),
        certainty="likely",
    )


def _find_repeated_big(hand: Timeline, context: TableContext) -> Seat | None:
    """Return the seat that posted the big blind, if it also did on the hand before; else None."""
    seats = [blind.seat for blind in list_regular_posts(hand) if blind.role == "big"]
    return seats[0] if seats == [context.state.big.seat] else None


def _build_button_breach(hand: Timeline, context: TableContext, placement: Placement) -> Breach:
    """Return the breach of a button that isn't where a placement has it."""
    return Breach(
        context.version_of("button"),
        describe_wrong_button(hand, context, find_recorded_button(hand) or 0, placement.button),
        should=_describe_due_buttons(context, placement),
        grounds=placement.button_grounds,
        rests_on=_list_button_seats(hand, context, placement),
    )


def _describe_due_buttons(context: TableContext, placement: Placement) -> str:
    """Return where the button belongs: in the seat of `placement`, or where another reading of the book has it."""
    alternatives = [
        candidate for candidate in context.due.placements if candidate.judged and candidate.button is not None
    ]
    seats = dict.fromkeys(
        candidate.button for candidate in (placement, *alternatives) if candidate is placement or not candidate.doubtful
    )
    seats.pop(None, None)
    if not seats:
        return ""
    doubtful = dict.fromkeys(
        candidate.button for candidate in alternatives if candidate.doubtful and candidate.button not in seats
    )
    return button_sentences.button_in(
        [seat for seat in seats if seat is not None], [seat for seat in doubtful if seat is not None]
    )


def _list_button_seats(hand: Timeline, context: TableContext, placement: Placement) -> tuple[Seat, ...]:
    """Return the seats that decide where the button goes: the one that has it, and those up to the one due it."""
    button, last_button = find_recorded_button(hand), context.state.button.seat
    ring = hand.seats_after(last_button) if last_button is not None else []
    seats_to_due = ring[: ring.index(placement.button) + 1] if placement.button in ring else []
    return tuple(dict.fromkeys([*([button] if button in hand.start else []), *seats_to_due]))


def _find_misplaced_seat(difference: PositionDifference) -> Seat | None:
    """Return the seat that a difference is about: one that posted wrongly, else one that failed to post."""
    if difference.is_button_wrong:
        return None
    if difference.unexpected:
        return difference.unexpected[0].seat
    return difference.unposted[0].seat if difference.unposted else None


def _find_skipped_seats(
    hand: Timeline, context: TableContext, difference: PositionDifference
) -> list[tuple[Seat, str]]:
    """Return the seats that a blind passed though it was due from them, each with the role of the blind."""
    roles = [blind.role for blind in difference.placement.posts if blind.role in _BLIND_ROLES]
    largest_role = max(roles, key=_BLIND_ROLES.index, default="")
    poster_seats = [blind.seat for blind in list_regular_posts(hand) if blind.role == largest_role]
    if not poster_seats or context.state.big.seat in poster_seats or difference.placement.heads_up:
        return []  # the big blind didn't move on, or there are only two players
    due_seat = next(blind.seat for blind in difference.placement.posts if blind.role == largest_role)
    if not any(seat == due_seat or _is_past(hand, due_seat, seat) for seat in poster_seats):
        return []  # the largest blind went backwards
    is_dead_button = difference.placement.method == "dead"  # by other methods, smaller blinds that are owed can wait
    return [
        (due.seat, due.role)
        for due in difference.unposted
        if (
            any(_is_past(hand, due.seat, seat) for seat in poster_seats) if due.role == largest_role else is_dead_button
        )
    ]


def _is_past(hand: Timeline, seat: Seat, later_seat: Seat) -> bool:
    """Whether `later_seat` comes after `seat`, within half the table."""
    ring = hand.seats_after(seat)
    return later_seat in ring and ring.index(later_seat) + 1 <= len(ring) // 2


def _has_moved_back(hand: Timeline, last_button: Seat, button: Seat) -> bool:
    """Whether the button moved back: clockwise, `button` is more than half the table after `last_button`."""
    ring = hand.seats_after(last_button)
    return button in ring and 2 * (ring.index(button) + 1) > len(ring)


def _is_last_hand_completed(context: TableContext) -> bool:
    return context.state.last is not None and context.state.last.completed


def _list_blinds(placement: Placement) -> list[tuple[str, Seat]]:
    """Return role and seat of each regular blind that a reading asks for, sorted."""
    return sorted((due.role, due.seat) for due in placement.posts if due.role in _BLIND_ROLES)
