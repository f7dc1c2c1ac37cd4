"""Button and blinds as a hand's record has them, against where they belong on it.

Each reading that the book allows is compared; the one nearest to the record is shown. A record
that agrees with any of them has no breach.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.finding import NO_OCCASION, Answer, CannotTell
from projections.obligations.dues import DuePost, Ground, Placement, methods_of
from projections.obligations.game import option, readings
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import paragraph, unknowns
from projections.sentences.words import alternatives
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money
from projections.timeline.chip_flows import posted as chips_moved
from projections.timeline.hand_timeline import Timeline

REGULAR: Final = ("small", "big", "extra")
TWO_PLAYERS: Final = unknowns.blinds_of_two_in_book()
_ENTERING: Final = ("entry", "makeup", "makeup-small", "makeup-big", "kill")


class RegularPost(NamedTuple):
    """A regular blind that was posted."""

    version: int
    seat: Seat
    role: str
    chips: Chips


class PositionDifference(NamedTuple):
    """How a record differs from one reading of where the positions belong."""

    place: Placement
    is_button_wrong: bool
    unexpected: tuple[RegularPost, ...]  # posted where it is not due
    unposted: tuple[DuePost, ...]  # due and not posted
    contradicted_roles: tuple[str, ...]  # blinds that the record itself puts in another seat
    unsettled: str = ""  # the part of the reading that can't be told, and isn't compared
    other_reading: str = ""  # another reading of the text by which the record is right

    @property
    def is_match(self) -> bool:
        """Whether the record agrees with the reading."""
        return not (self.is_button_wrong or self.unexpected or self.unposted or self.contradicted_roles)

    @property
    def mismatch_count(self) -> int:
        """In how many points it differs."""
        return self.is_button_wrong + len(self.unexpected) + len(self.unposted) + len(self.contradicted_roles)


class PositionComparison(NamedTuple):
    """A record held against every reading that the book allows."""

    nearest: PositionDifference | None  # None: the book has no reading to judge by
    methods: frozenset[str]
    missing: str  # why there is none
    matching_methods: frozenset[str] = frozenset()  # methods with a reading by which the record is right


def compare_positions(hand: Timeline, context: TableContext) -> PositionComparison:
    """Hold the record of a hand against every reading; computed once for all clauses of a book."""
    return hand.once(f"placed {context.book.name}", lambda: _compare(hand, context))


def _compare(hand: Timeline, context: TableContext) -> PositionComparison:
    places = context.due.placements
    judged_places = [place for place in places if place.judged]
    methods = _methods_in_force(context)
    if not judged_places:
        return PositionComparison(None, methods, _explain_unjudged(places))
    differences = [_find_difference(hand, context, place) for place in judged_places]
    if context.state.last is None and follows_button(hand):
        # A game's first button doesn't depend on the method; the blinds follow from it.
        differences = [entry._replace(is_button_wrong=False, unexpected=(), unposted=()) for entry in differences]
    if follows_button(hand) and (find_excused_posters(hand, context) or _has_indebted_small_blind(hand, context)):
        # Who took the blind is wrong, and a clause of its own says so.
        differences = [entry._replace(unexpected=(), unposted=(), contradicted_roles=()) for entry in differences]
    matching = methods_of(entry.place for entry in differences if entry.is_match and not entry.place.doubtful)
    definite = [entry for entry in differences if not entry.place.doubtful]
    nearest = min(definite or differences, key=lambda entry: entry.mismatch_count)
    if not nearest.is_match:
        doubtful = next((entry.place for entry in differences if entry.is_match and not entry.unsettled), None)
        nearest = nearest._replace(
            other_reading="" if doubtful is None else doubtful.reading or _describe_place(doubtful)
        )
    return PositionComparison(nearest, methods, "", frozenset(matching))


def _explain_unjudged(places: tuple[Placement, ...]) -> str:
    """Return why no placement may be judged by."""
    if any(place.heads_up for place in places):
        return TWO_PLAYERS
    reasons = [ground.says for place in places for ground in place.button_why]
    return unknowns.positions_unsettled(reasons[0]) if reasons else unknowns.no_rule_on_positions()


def find_excused_posters(hand: Timeline, context: TableContext) -> list[Seat]:
    """Return who posted the small blind and takes none this round: made up between the blinds.

    Where the book settles no placement, whoever is left may have to take it.
    """
    if context.policy.value("missed.excuses_rotation") != "between-blinds":
        return []
    if not any(placement.judged for placement in context.due.placements):
        return []
    players = {entry.seat: entry.player for entry in context.hand.dealt_in}
    due_seats = {place.small for place in context.due.placements}
    return [
        post.seat
        for post in regular_posts(hand)
        if post.role == "small"
        and post.seat not in due_seats
        and post.seat in players
        and context.tab(players[post.seat]).made_up_between
    ]


def _has_indebted_small_blind(hand: Timeline, context: TableContext) -> bool:
    """Whether a player who had to make up a blind first posted the small blind instead."""
    posters = set(hand.find_posters(*_ENTERING))
    debtors = {entry.seat for entry in context.due.seats if entry.deal == "if-posts" and entry.missed} - posters
    return any(post.role == "small" and post.seat in debtors for post in regular_posts(hand))


def _methods_in_force(context: TableContext) -> frozenset[str]:
    """Return the methods that may be in force: several where the house has a choice that isn't recorded."""
    hand = context.hand
    house_method = option(context.state, hand, "button-method")
    return frozenset(readings(context.policy, hand.format, hand.betting, house_method).methods)


def recorded_button(hand: Timeline) -> Seat | None:
    """Return where the record has the button; None: it has no button."""
    return hand.button if hand.is_witnessed(Witness.BUTTON) else None


def explain_no_button(hand: Timeline) -> Answer:
    """Return that a hand is played without a button; else that the button isn't recorded."""
    return NO_OCCASION if hand.of(ButtonPlaced) else CannotTell("button")


def regular_posts(hand: Timeline) -> list[RegularPost]:
    """Return the regular blinds that were posted, in the record's order."""
    return [
        RegularPost(version, post.seat, post.role, post.live + post.dead)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in REGULAR
    ]


def _find_difference(hand: Timeline, context: TableContext, place: Placement) -> PositionDifference:
    button = recorded_button(hand)
    broke_seats = _seats_broke_by_ante(hand)
    unposted = [post for post in place.posts if post.role in REGULAR and post.seat not in broke_seats]
    unexpected = []
    for post in regular_posts(hand):
        match = next((due for due in unposted if (due.seat, due.role) == (post.seat, post.role)), None)
        if match is not None:
            unposted.remove(match)
        elif not _is_kept_out(context, post.seat):
            unexpected.append(post)
    recorded_seats = {"small": context.hand.small, "big": context.hand.big}
    contradicted_roles = [
        role
        for role, seat in (("small", place.small), ("big", place.big))
        if seat is not None and recorded_seats[role] not in (None, seat)
    ]
    button_reasons = [] if place.button is not None else [ground.says for ground in place.button_why]
    # Earlier posts decide whose turn a blind is: where one may be missing, the button alone is compared.
    has_all_posts = hand.is_witnessed(Witness.POSTS)
    return PositionDifference(
        place,
        button is not None and place.button is not None and button != place.button,
        tuple(unexpected) if has_all_posts else (),
        tuple(unposted) if has_all_posts else (),
        tuple(contradicted_roles) if has_all_posts else (),
        unknowns.positions_unsettled(paragraph(*button_reasons)) if button_reasons else "",
    )


def _seats_broke_by_ante(hand: Timeline) -> set[Seat]:
    """Return whose last chip the ante took: nothing is left for a blind."""
    antes = [post for _, post in hand.standing_posts() if isinstance(post, AntePosted)]
    return {ante.seat for ante in antes if ante.amount == hand.stack_at(ante.seat)}


def _is_kept_out(context: TableContext, seat: Seat) -> bool:
    """Whether a seat should not have been dealt in: its posts don't depend on the method."""
    due = context.seat(seat)
    return due is not None and due.deal == "no"


def follows_button(hand: Timeline) -> bool:
    """Whether the blinds are those of the next players after the button as it was placed."""
    button = recorded_button(hand)
    if button is None or len(hand.start) < 3:
        return False
    posts = regular_posts(hand)
    entering_seats = hand.find_posters(*_ENTERING) - {blind.seat for blind in posts}
    ring = [seat for seat in hand.seats_after(button) if seat not in entering_seats]
    roles = REGULAR[: len(hand.blinds)] if len(hand.blinds) > 1 else ("big",)
    expected_roles = dict(zip(ring, roles, strict=False))
    return {blind.seat: blind.role for blind in posts} == expected_roles


def has_barred_button(hand: Timeline, context: TableContext) -> bool:
    """Whether the button was placed at a seat that is dealt in and may not have it.

    Then the wrong is who got the button, not the way of moving it.
    """
    button = recorded_button(hand)
    due = context.seat(button) if button is not None and button in hand.start else None
    return due is not None and due.button is False


def breach_version(hand: Timeline, context: TableContext, difference: PositionDifference) -> int:
    """Return the event that shows a difference: one for all clauses that speak of it.

    The button, where it is wrong; a blind that nobody posted shows when the betting begins without
    it; else the first blind that is posted from another seat.
    """
    if difference.is_button_wrong:
        return context.version_of("button")
    if not _unposted_roles(hand, difference):
        if difference.unexpected:
            return difference.unexpected[0].version
        if difference.contradicted_roles:
            return context.version_of(difference.contradicted_roles[0])
    return hand.first_act or context.version_of("button")


def _unposted_roles(hand: Timeline, difference: PositionDifference) -> list[DuePost]:
    """Return the due posts of blinds that nobody posted."""
    posted_roles = {blind.role for blind in regular_posts(hand)}
    return [due for due in difference.unposted if due.role not in posted_roles]


# In words and figures


def describe_breach(hand: Timeline, context: TableContext, difference: PositionDifference) -> str:
    """Return the headline of a difference: the button first, then a missing blind, then a wrong one."""
    place, button = difference.place, recorded_button(hand)
    if difference.is_button_wrong and button is not None and place.button is not None:
        return describe_wrong_button(hand, context, button, place.button)
    if unposted := _unposted_roles(hand, difference):
        return blind_sentences.nobody_posted(unposted[0].seat, unposted[0].role)
    for post in difference.unexpected:
        due = next((due for due in difference.unposted if due.role == post.role), None)
        if due is not None:
            return blind_sentences.wrong_poster(post.seat, post.role, due.seat)
    if difference.unexpected:
        post = difference.unexpected[0]
        if post.role == "small" and place.small_empty and place.small is not None:
            return blind_sentences.dead_blind_posted(post.seat, place.small)
        return blind_sentences.needless_post(post.seat, post.role)
    if difference.unposted:
        return blind_sentences.due_post_missing(difference.unposted[0].seat, difference.unposted[0].role)
    if not difference.contradicted_roles:
        return blind_sentences.blinds_off_button()
    role = difference.contradicted_roles[0]
    recorded_seat, due_seat = (context.hand.small, place.small) if role == "small" else (context.hand.big, place.big)
    return blind_sentences.recorded_in_wrong_seat(recorded_seat or 0, role, due_seat or 0)


def describe_wrong_button(hand: Timeline, context: TableContext, button: Seat, due_seat: Seat | None) -> str:
    """Return the headline of a button in the wrong seat; `due_seat` None: where it belongs is open."""
    if due_seat is None:
        return button_sentences.in_wrong_seat(button)
    is_empty, last_button = button not in hand.start, context.state.button.seat
    if button == last_button:
        stayed = button_sentences.stayed_on_empty_seat if is_empty else button_sentences.did_not_move
        return stayed(button, due_seat)
    if is_empty:
        return button_sentences.moved_to_empty_seat(button, due_seat)
    if last_button is None:
        return button_sentences.starts_in_wrong_seat(button, due_seat)
    return button_sentences.moved_to_wrong_seat(button, due_seat)


def describe_recorded_positions(hand: Timeline) -> str:
    """Return a sentence with the recorded button and blinds."""
    button = recorded_button(hand)
    blind_seats = [(blind.role, blind.seat) for blind in regular_posts(hand)]
    positions = blind_sentences.positions(
        button, blind_seats, is_button_empty=button is not None and button not in hand.start, empty_small_seat=None
    )
    return blind_sentences.recorded_positions(positions)


def describe_due_positions(context: TableContext) -> str:
    """Return where button and blinds belong, by each reading that the book allows."""
    places = [placement for placement in context.due.placements if placement.judged]
    definite = dict.fromkeys(_describe_place(placement) for placement in places if not placement.doubtful)
    doubtful = dict.fromkeys(_describe_place(placement) for placement in places if placement.doubtful)
    return alternatives(list(definite), list(doubtful))


def _describe_place(place: Placement) -> str:
    return blind_sentences.positions(
        place.button,
        [(due.role, due.seat) for due in place.posts if due.role in REGULAR],
        is_button_empty=place.button_empty,
        empty_small_seat=place.small if place.small_empty else None,
    )


def describe_reasons(hand: Timeline, difference: PositionDifference) -> str:
    """Return why the positions are due; where blinds differ, the recorded ones first."""
    has_wrong_blinds = difference.unexpected or difference.unposted or difference.contradicted_roles
    place = difference.place
    grounds = [*place.button_why, *(place.small_why if place.small_empty else ())]
    grounds += [ground for post in place.posts if post.role in REGULAR for ground in post.why]
    reasons = [ground.says for ground in grounds if ground.basis != "assumed"]
    is_button_alone = difference.is_button_wrong and not has_wrong_blinds
    return paragraph("" if is_button_alone else describe_recorded_positions(hand), *reasons)


def breach_grounds(difference: PositionDifference) -> list[Ground]:
    """Return the grounds of the button and the blinds; a reading of the text that is turned down, too."""
    place = difference.place
    grounds = [*place.button_why, *place.small_why, *place.big_why]
    if difference.other_reading:
        grounds.append(Ground(blind_sentences.other_reading(difference.other_reading), (), "assumed"))
    return grounds


def money_moved(hand: Timeline, difference: PositionDifference) -> Money:
    """Return what blinds in wrong seats, and blinds that nobody posted, moved between seats."""
    seats = {post.seat for post in difference.unexpected} | {post.seat for post in difference.unposted}
    due_chips = dict.fromkeys(seats, (0, 0))
    for post in difference.place.posts:
        if post.seat in seats and post.role in REGULAR:
            if post.live is None or post.dead is None:
                return ()
            live, dead = due_chips[post.seat]
            due_chips[post.seat] = (live + post.live, dead + post.dead)
    return chips_moved(hand, due_chips)
