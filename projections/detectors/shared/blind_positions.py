"""Compares a hand's recorded button and blinds with where they belong.

The record is compared with each reading that the book allows. If it agrees with one, there is no breach; otherwise the
nearest reading is shown.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.finding import NO_OCCASION, Answer, CannotTell
from projections.obligations.dues import DuePost, Ground, Placement, collect_methods
from projections.obligations.game import find_option, read_methods
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import paragraph, unknowns
from projections.sentences.words import alternatives
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, build_post_flow
from projections.timeline.hand_timeline import Timeline

REGULAR: Final = ("small", "big", "extra")
_ENTERING: Final = ("entry", "makeup", "makeup-small", "makeup-big", "kill")


class RegularPost(NamedTuple):
    """A regular blind that was posted."""

    version: int
    seat: Seat
    role: str
    chips: Chips


class PositionDifference(NamedTuple):
    """How a record differs from one reading of where the positions belong."""

    placement: Placement
    is_button_wrong: bool
    unexpected: tuple[RegularPost, ...]  # posted but not due
    unposted: tuple[DuePost, ...]  # due but not posted
    contradicted_roles: tuple[str, ...]  # blinds that the record states to be in another seat
    unsettled: str = ""  # why the button of the reading is unknown and isn't compared; "" = it is known
    other_reading: str = ""  # another reading by which the record is right; "" = none

    @property
    def is_match(self) -> bool:
        """Whether the record agrees with the reading."""
        return not (self.is_button_wrong or self.unexpected or self.unposted or self.contradicted_roles)

    @property
    def mismatch_count(self) -> int:
        """The number of points in which the record differs."""
        return self.is_button_wrong + len(self.unexpected) + len(self.unposted) + len(self.contradicted_roles)


class PositionComparison(NamedTuple):
    """The comparison of a record with every reading that the book allows."""

    nearest: PositionDifference | None  # None: the book has no reading to judge by
    methods: frozenset[str]
    missing: str  # why the book has no reading to judge by; "" = it has one
    matching_methods: frozenset[str] = frozenset()  # methods with a reading by which the record is right


def compare_positions(hand: Timeline, context: TableContext) -> PositionComparison:
    """Compare the record of a hand with every reading; computed once for all clauses of a book."""
    return hand.cached(f"placed {context.book.name}", lambda: _compare(hand, context))


def _compare(hand: Timeline, context: TableContext) -> PositionComparison:
    """Compute what `compare_positions` returns."""
    placements = context.due.placements
    judged_placements = [placement for placement in placements if placement.judged]
    methods = _find_methods_in_force(context)
    if not judged_placements:
        return PositionComparison(None, methods, _explain_unjudged(placements))
    differences = [_find_difference(hand, context, placement) for placement in judged_placements]
    if has_blinds_after_button(hand):
        differences = _drop_other_wrongs(hand, context, differences)
    definite = [difference for difference in differences if not difference.placement.doubtful]
    matching_methods = collect_methods(difference.placement for difference in definite if difference.is_match)
    nearest = min(definite or differences, key=lambda difference: difference.mismatch_count)
    if not nearest.is_match:
        nearest = _note_matching_reading(nearest, differences)
    return PositionComparison(nearest, methods, "", frozenset(matching_methods))


def _note_matching_reading(nearest: PositionDifference, differences: list[PositionDifference]) -> PositionDifference:
    """Return the nearest difference with the reading by which the record is right, if there is such a reading."""
    matching_placements = [
        difference.placement for difference in differences if difference.is_match and not difference.unsettled
    ]
    if not matching_placements:
        return nearest
    placement = matching_placements[0]
    return nearest._replace(other_reading=placement.reading or _describe_placement(placement))


def _drop_other_wrongs(
    hand: Timeline, context: TableContext, differences: list[PositionDifference]
) -> list[PositionDifference]:
    """Drop the differences that don't depend on the method, or that another clause reports.

    Only for a hand whose blinds were posted by the next players after the recorded button.
    """
    if context.state.last_hand is None:
        # A game's first button doesn't depend on the method.
        differences = [
            difference._replace(is_button_wrong=False, unexpected=(), unposted=()) for difference in differences
        ]
    if find_excused_posters(hand, context) or _has_indebted_small_blind(hand, context):
        # The wrong player took the blind; another clause reports that.
        differences = [
            difference._replace(unexpected=(), unposted=(), contradicted_roles=()) for difference in differences
        ]
    return differences


def _explain_unjudged(placements: tuple[Placement, ...]) -> str:
    """Return why none of the book's readings can be judged by."""
    if any(placement.heads_up for placement in placements):
        return unknowns.blinds_of_two_in_book()
    reasons = [ground.sentence for placement in placements for ground in placement.button_grounds]
    return unknowns.positions_unsettled(reasons[0]) if reasons else unknowns.no_rule_on_positions()


def find_excused_posters(hand: Timeline, context: TableContext) -> list[Seat]:
    """Return the seats that posted the small blind though they are excused from it for this round.

    They made up their blinds between the button and the big blind. If the book doesn't settle where the blinds
    belong, one of them may be due the blind after all, so the result is empty.
    """
    if context.policy.value("missed.excuses_rotation") != "between-blinds":
        return []
    if not any(placement.judged for placement in context.due.placements):
        return []
    players = {dealt_player.seat: dealt_player.player for dealt_player in context.hand.dealt_in}
    due_seats = {placement.small for placement in context.due.placements}
    return [
        post.seat
        for post in list_regular_posts(hand)
        if post.role == "small"
        and post.seat not in due_seats
        and post.seat in players
        and context.find_tab(players[post.seat]).made_up_in_zone
    ]


def _has_indebted_small_blind(hand: Timeline, context: TableContext) -> bool:
    """Whether a player who owed make-up blinds posted the small blind instead of them."""
    posters = set(hand.find_posters(*_ENTERING))
    debtors = {seat_due.seat for seat_due in context.due.seats if seat_due.deal == "if-posts" and seat_due.missed}
    return any(post.role == "small" and post.seat in debtors - posters for post in list_regular_posts(hand))


def _find_methods_in_force(context: TableContext) -> frozenset[str]:
    """Return the methods that may be in force: several if the house's choice isn't recorded."""
    hand = context.hand
    house_method = find_option(context.state, hand, "button-method")
    return frozenset(read_methods(context.policy, hand.format, hand.betting, house_method).methods)


def find_recorded_button(hand: Timeline) -> Seat | None:
    """Return the recorded button; None = the source doesn't record it."""
    return hand.button if hand.is_witnessed(Witness.BUTTON) else None


def explain_no_button(hand: Timeline) -> Answer:
    """Return the answer for a hand without a known button: none was in play, or it isn't recorded."""
    return NO_OCCASION if hand.of(ButtonPlaced) else CannotTell("button")


def list_regular_posts(hand: Timeline) -> list[RegularPost]:
    """Return the regular blinds that were posted, in the record's order."""
    return [
        RegularPost(version, post.seat, post.role, post.live + post.dead)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in REGULAR
    ]


def _find_difference(hand: Timeline, context: TableContext, placement: Placement) -> PositionDifference:
    """Return how the record differs from one reading; posts are compared only if the source always records them."""
    button = find_recorded_button(hand)
    unexpected, unposted = _match_posts(hand, context, placement)
    recorded_seats = {"small": context.hand.small, "big": context.hand.big}
    contradicted_roles = [
        role
        for role, seat in (("small", placement.small), ("big", placement.big))
        if seat is not None and recorded_seats[role] not in (None, seat)
    ]
    button_reasons = [] if placement.button is not None else [ground.sentence for ground in placement.button_grounds]
    # Earlier posts decide whose turn a blind is. If posts may be missing, only the button is compared.
    has_all_posts = hand.is_witnessed(Witness.POSTS)
    return PositionDifference(
        placement,
        button is not None and placement.button is not None and button != placement.button,
        tuple(unexpected) if has_all_posts else (),
        tuple(unposted) if has_all_posts else (),
        tuple(contradicted_roles) if has_all_posts else (),
        unknowns.positions_unsettled(paragraph(*button_reasons)) if button_reasons else "",
    )


def _match_posts(
    hand: Timeline, context: TableContext, placement: Placement
) -> tuple[list[RegularPost], list[DuePost]]:
    """Return the posts that a reading doesn't expect, and those that it expects and nobody made."""
    broke_seats = _find_seats_broke_by_ante(hand)
    unposted = [post for post in placement.posts if post.role in REGULAR and post.seat not in broke_seats]
    unexpected: list[RegularPost] = []
    for post in list_regular_posts(hand):
        match = next((due for due in unposted if (due.seat, due.role) == (post.seat, post.role)), None)
        if match is not None:
            unposted.remove(match)
        elif not _is_kept_out(context, post.seat):
            unexpected.append(post)
    return unexpected, unposted


def _find_seats_broke_by_ante(hand: Timeline) -> set[Seat]:
    """Return the seats whose last chips went into the ante, so that they can't post a blind."""
    antes = [post for _, post in hand.standing_posts() if isinstance(post, AntePosted)]
    return {ante.seat for ante in antes if ante.amount == hand.stack_at(ante.seat)}


def _is_kept_out(context: TableContext, seat: Seat) -> bool:
    """Whether a seat shouldn't have been dealt in; its posts are wrong by any method then."""
    due = context.find_seat_due(seat)
    return due is not None and due.deal == "no"


def has_blinds_after_button(hand: Timeline) -> bool:
    """Whether the blinds were posted by the next players after the recorded button."""
    button = find_recorded_button(hand)
    if button is None or len(hand.start) < 3:
        return False
    posts = list_regular_posts(hand)
    entering_seats = hand.find_posters(*_ENTERING) - {blind.seat for blind in posts}
    ring = [seat for seat in hand.seats_after(button) if seat not in entering_seats]
    roles = REGULAR[: len(hand.blinds)] if len(hand.blinds) > 1 else ("big",)
    expected_roles = dict(zip(ring, roles, strict=False))
    return {blind.seat: blind.role for blind in posts} == expected_roles


def has_barred_button(hand: Timeline, context: TableContext) -> bool:
    """Whether a dealt-in seat that may not have the button has it.

    Another clause reports that the wrong player got it; the method of moving it isn't at fault.
    """
    button = find_recorded_button(hand)
    due = context.find_seat_due(button) if button is not None and button in hand.start else None
    return due is not None and due.button is False


class BreachFocus(NamedTuple):
    """What a finding about a difference points at; the event, the seat and the headline are about the same thing."""

    version: int
    seat: Seat | None
    headline: str


def find_focus(hand: Timeline, context: TableContext, difference: PositionDifference) -> BreachFocus:
    """Return what shows a difference: the button first, then a missing blind, then a wrong one."""
    placement, button = difference.placement, find_recorded_button(hand)
    if difference.is_button_wrong and button is not None and placement.button is not None:
        headline = describe_wrong_button(hand, context, button, placement.button)
        return BreachFocus(context.version_of("button"), None, headline)
    if missing_blinds := _list_missing_blinds(hand, difference):
        missing = missing_blinds[0]
        headline = blind_sentences.nobody_posted(missing.seat, missing.role)
        return BreachFocus(find_betting_start(hand, context), missing.seat, headline)
    if difference.unexpected:
        return _focus_on_post(difference)
    if difference.unposted:
        owed = difference.unposted[0]
        headline = blind_sentences.due_post_missing(owed.seat, owed.role)
        return BreachFocus(find_betting_start(hand, context), owed.seat, headline)
    if not difference.contradicted_roles:
        first_post = next(iter(list_regular_posts(hand)), None)
        version = context.version_of("button") if first_post is None else first_post.version
        return BreachFocus(version, None, blind_sentences.blinds_off_button())
    role = difference.contradicted_roles[0]
    recorded_seat, due_seat = (
        (context.hand.small, placement.small) if role == "small" else (context.hand.big, placement.big)
    )
    headline = blind_sentences.recorded_in_wrong_seat(recorded_seat or 0, role, due_seat or 0)
    return BreachFocus(context.version_of(role, recorded_seat), None, headline)


def _focus_on_post(difference: PositionDifference) -> BreachFocus:
    """Return the first wrong post of a blind that another seat owed, else the first wrong post."""
    for post in difference.unexpected:
        due = next((due for due in difference.unposted if due.role == post.role), None)
        if due is not None:
            return BreachFocus(post.version, post.seat, blind_sentences.wrong_poster(post.seat, post.role, due.seat))
    post, placement = difference.unexpected[0], difference.placement
    if post.role == "small" and placement.small_empty and placement.small is not None:
        headline = blind_sentences.dead_blind_posted(post.seat, placement.small)
    else:
        headline = blind_sentences.needless_post(post.seat, post.role)
    return BreachFocus(post.version, post.seat, headline)


def find_betting_start(hand: Timeline, context: TableContext) -> int:
    """Return the version of the event that shows that a post is missing: the first act, or else the button."""
    return hand.first_act or context.version_of("button")


def find_identity(hand: Timeline, context: TableContext, difference: PositionDifference) -> tuple[int, Seat | None]:
    """Return the version and seat that identify a difference, the same for all clauses about it.

    They are in the fingerprints that cases cite, so they may not change; `find_focus` returns what a person looks at.
    """
    seats = [post.seat for post in difference.unexpected] + [due.seat for due in difference.unposted]
    seat = seats[0] if seats and not difference.is_button_wrong else None
    if difference.is_button_wrong:
        return context.version_of("button"), seat
    if not _list_missing_blinds(hand, difference):
        if difference.unexpected:
            return difference.unexpected[0].version, seat
        if difference.contradicted_roles:
            return context.version_of(difference.contradicted_roles[0]), seat
    return find_betting_start(hand, context), seat


def _list_missing_blinds(hand: Timeline, difference: PositionDifference) -> list[DuePost]:
    """Return the due posts of the blinds that nobody posted, from any seat."""
    posted_roles = {blind.role for blind in list_regular_posts(hand)}
    return [due for due in difference.unposted if due.role not in posted_roles]


# Texts and amounts


def describe_wrong_button(hand: Timeline, context: TableContext, button: Seat, due_seat: Seat | None) -> str:
    """Return the headline of a button in the wrong seat; `due_seat` None = the right seat is unknown."""
    if due_seat is None:
        return button_sentences.in_wrong_seat(button)
    is_undealt, last_button = button not in hand.start, context.state.button.seat
    if button == last_button:
        stayed = button_sentences.stayed_in_undealt_seat if is_undealt else button_sentences.did_not_move
        return stayed(button, due_seat)
    if is_undealt:
        return button_sentences.moved_to_undealt_seat(button, due_seat)
    if last_button is None:
        return button_sentences.starts_in_wrong_seat(button, due_seat)
    return button_sentences.moved_to_wrong_seat(button, due_seat)


def describe_recorded_positions(hand: Timeline) -> str:
    """Return a sentence with the recorded button and blinds."""
    button = find_recorded_button(hand)
    blind_seats = [(blind.role, blind.seat) for blind in list_regular_posts(hand)]
    positions = blind_sentences.positions(
        button, blind_seats, is_button_empty=button is not None and button not in hand.start, empty_small_seat=None
    )
    return blind_sentences.recorded_positions(positions)


def describe_due_positions(context: TableContext) -> str:
    """Return where the button and the blinds belong, by each reading that the book allows."""
    placements = [placement for placement in context.due.placements if placement.judged]
    definite = dict.fromkeys(_describe_placement(placement) for placement in placements if not placement.doubtful)
    doubtful = dict.fromkeys(_describe_placement(placement) for placement in placements if placement.doubtful)
    return alternatives(list(definite), list(doubtful))


def _describe_placement(placement: Placement) -> str:
    """Return the button and the blinds of one reading in words."""
    return blind_sentences.positions(
        placement.button,
        [(due.role, due.seat) for due in placement.posts if due.role in REGULAR],
        is_button_empty=placement.button_empty,
        empty_small_seat=placement.small if placement.small_empty else None,
    )


def describe_reasons(hand: Timeline, difference: PositionDifference) -> str:
    """Return why the positions are due; if blinds differ, say first what the record shows."""
    has_wrong_blinds = bool(difference.unexpected or difference.unposted or difference.contradicted_roles)
    placement = difference.placement
    grounds = [*placement.button_grounds, *(placement.small_grounds if placement.small_empty else ())]
    grounds += [ground for post in placement.posts if post.role in REGULAR for ground in post.grounds]
    reasons = [ground.sentence for ground in grounds if ground.basis != "assumed"]
    is_button_alone = difference.is_button_wrong and not has_wrong_blinds
    return paragraph("" if is_button_alone else describe_recorded_positions(hand), *reasons)


def list_breach_grounds(difference: PositionDifference) -> list[Ground]:
    """Return the grounds of the button and the blinds, and the reading of the book that is rejected."""
    placement = difference.placement
    grounds = [*placement.button_grounds, *placement.small_grounds, *placement.big_grounds]
    if difference.other_reading:
        grounds.append(Ground(blind_sentences.other_reading(difference.other_reading), (), "assumed"))
    return grounds


def compute_money_moved(hand: Timeline, difference: PositionDifference) -> Money:
    """Return the chips that misplaced and missing blinds moved between seats."""
    seats = {post.seat for post in difference.unexpected} | {post.seat for post in difference.unposted}
    due_chips = dict.fromkeys(seats, (0, 0))
    for post in difference.placement.posts:
        if post.seat in seats and post.role in REGULAR:
            if post.live is None or post.dead is None:
                return ()
            live, dead = due_chips[post.seat]
            due_chips[post.seat] = (live + post.live, dead + post.dead)
    return build_post_flow(hand, due_chips)
