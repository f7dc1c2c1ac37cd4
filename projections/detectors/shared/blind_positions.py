"""Button and blinds as a hand's record has them, against where they belong on it.

Each reading that the book allows is compared; the one nearest to the record is what is shown. A
record that agrees with any of them differs in nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.finding import NO_OCCASION, Answer, CannotTell
from projections.obligations.dues import DuePost, Ground, Placement, methods_of
from projections.obligations.game import option, readings
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money
from projections.timeline.chip_flows import posted as chips_moved
from projections.timeline.hand_timeline import Timeline

REGULAR: Final = ("small", "big", "extra")
TWO: Final = "the book does not say how the blinds lie with two players"
SILENT: Final = "what the book says of these positions"


class Posted(NamedTuple):
    """A regular blind that was posted."""

    version: int
    seat: Seat
    role: str
    chips: Chips


class Difference(NamedTuple):
    """In what a record differs from one reading of where the positions belong."""

    place: Placement
    button: bool  # the button is in another seat
    over: tuple[Posted, ...]  # posted where it is not due
    under: tuple[DuePost, ...]  # due and not posted
    told: tuple[str, ...]  # blinds whose position the record itself tells, in another seat
    open: str = ""  # what of the reading cannot be said, and is not compared
    doubt: str = ""  # by which other reading of the text the record would be right

    @property
    def none(self) -> bool:
        """Whether the record agrees with the reading."""
        return not (self.button or self.over or self.under or self.told)

    @property
    def size(self) -> int:
        """In how many points it differs."""
        return self.button + len(self.over) + len(self.under) + len(self.told)


class Compared(NamedTuple):
    """A record held against every reading that the book allows."""

    nearest: Difference | None  # None: there is no reading that may be judged by
    methods: frozenset[str]
    missing: str  # why there is none
    fits: frozenset[str] = frozenset()  # the methods by a reading of which the record is right


def compare(hand: Timeline, context: TableContext) -> Compared:
    """Hold the record of a hand against every reading; asked once for all clauses of a book."""
    return hand.once(f"placed {context.book.name}", lambda: _compare(hand, context))


def _compare(hand: Timeline, context: TableContext) -> Compared:
    places = context.due.placements
    judged = [place for place in places if place.judged]
    methods = _methods(context)
    if not judged:
        if any(place.heads_up for place in places):
            return Compared(None, methods, TWO)
        reasons = [entry.says for place in places for entry in place.button_why]
        return Compared(None, methods, reasons[0] if reasons else SILENT)
    differences = [_difference(hand, context, place) for place in judged]
    if context.state.last is None and positional(hand):
        # Where a game's first button is, is no matter of the method; the blinds follow from it.
        differences = [entry._replace(button=False, over=(), under=()) for entry in differences]
    if (took_excused(hand, context) or _took_owing(hand, context)) and positional(hand):
        # Who took the blind is the wrong, and a clause of its own says so.
        differences = [entry._replace(over=(), under=(), told=()) for entry in differences]
    fits = methods_of(entry.place for entry in differences if entry.none and not entry.place.doubtful)
    definite = [entry for entry in differences if not entry.place.doubtful]
    nearest = min(definite or differences, key=lambda entry: entry.size)
    if not nearest.none:
        doubt = next((entry.place for entry in differences if entry.none and not entry.open), None)
        nearest = nearest._replace(doubt="" if doubt is None else doubt.reading or _place(doubt))
    return Compared(nearest, methods, "", frozenset(fits))


def took_excused(hand: Timeline, context: TableContext) -> list[Seat]:
    """Return who posted the small blind and takes none this round: made up between the blinds.

    Where the book settles no placement, whoever is left may have to take it.
    """
    if context.policy.value("missed.excuses_rotation") != "between-blinds":
        return []
    if not any(placement.judged for placement in context.due.placements):
        return []
    players = {entry.seat: entry.player for entry in context.hand.dealt_in}
    due = {place.small for place in context.due.placements}
    return [
        entry.seat
        for entry in posted(hand)
        if entry.role == "small"
        and entry.seat not in due
        and entry.seat in players
        and context.tab(players[entry.seat]).made_up_between
    ]


def _took_owing(hand: Timeline, context: TableContext) -> bool:
    """Whether a player who was not to be dealt in without making a blind up posted the small blind instead."""
    entering = hand.poster("entry", "makeup", "makeup-small", "makeup-big", "kill")
    owing = {entry.seat for entry in context.due.seats if entry.deal == "if-posts" and entry.missed} - set(entering)
    return any(entry.role == "small" and entry.seat in owing for entry in posted(hand))


def _methods(context: TableContext) -> frozenset[str]:
    """Return the methods that may be in force; several where the house chooses and nothing is told."""
    hand = context.hand
    house = option(context.state, hand, "button-method")
    return frozenset(readings(context.policy, hand.format, hand.betting, house).methods)


def button_of(hand: Timeline) -> Seat | None:
    """Return where the record has the button; None: it does not tell."""
    return hand.button if hand.witnessed(Witness.BUTTON) else None


def no_button(hand: Timeline) -> Answer:
    """Say that the hand has no button, as far as the record tells; else that it does not tell."""
    return NO_OCCASION if hand.of(ButtonPlaced) else CannotTell("button")


def posted(hand: Timeline) -> list[Posted]:
    """Return the regular blinds that were posted, in the record's order."""
    return [
        Posted(version, post.seat, post.role, post.live + post.dead)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in REGULAR
    ]


def _difference(hand: Timeline, context: TableContext, place: Placement) -> Difference:
    button = button_of(hand)
    spent = _spent(hand)
    dues = [entry for entry in place.posts if entry.role in REGULAR and entry.seat not in spent]
    unposted = list(dues)
    unexpected = []
    for entry in posted(hand):
        match = next((due for due in unposted if (due.seat, due.role) == (entry.seat, entry.role)), None)
        if match is None and not _kept_out(context, entry.seat):
            unexpected.append(entry)
        elif match is not None:
            unposted.remove(match)
    # Whose turn a blind is, earlier posts decide: where one may be missing, the button alone is compared.
    blinds_noted = hand.witnessed(Witness.POSTS)
    stated_seats = {"small": context.hand.small, "big": context.hand.big}
    contradictions = [
        role
        for role, seat in (("small", place.small), ("big", place.big))
        if seat is not None and stated_seats[role] not in (None, seat)
    ]
    button_reasons = [] if place.button is not None else [entry.says for entry in place.button_why]
    return Difference(
        place,
        button is not None and place.button is not None and button != place.button,
        tuple(unexpected) if blinds_noted else (),
        tuple(unposted) if blinds_noted else (),
        tuple(contradictions) if blinds_noted else (),
        "; ".join(button_reasons) if place.button is None else "",
    )


def _spent(hand: Timeline) -> set[Seat]:
    """Return whose last chip the ante took: nothing is left for a blind."""
    antes = [post for _, post in hand.standing_posts() if isinstance(post, AntePosted)]
    return {ante.seat for ante in antes if ante.amount == hand.stack_at(ante.seat)}


def _kept_out(context: TableContext, seat: Seat) -> bool:
    """Whether a seat should not have been dealt in: what it posts is no matter of the method."""
    due = context.seat(seat)
    return due is not None and due.deal == "no"


def positional(hand: Timeline) -> bool:
    """Whether the blinds are those of the next players after the button as it was placed."""
    button = button_of(hand)
    if button is None or len(hand.start) < 3:
        return False
    entering = hand.poster("entry", "makeup", "makeup-small", "makeup-big", "kill")
    regular = {blind.seat for blind in posted(hand)}
    ring = [seat for seat in hand.after(button) if seat not in entering - regular]
    roles = REGULAR[: len(hand.blinds)] if len(hand.blinds) > 1 else ("big",)
    seats = dict(zip(ring, roles, strict=False))
    return {blind.seat: blind.role for blind in posted(hand)} == seats


def barred(hand: Timeline, context: TableContext) -> bool:
    """Whether the button was placed at a seat that is dealt in and may not have it.

    Then it is not the way of moving the button that is wrong, but who got it.
    """
    button = button_of(hand)
    due = context.seat(button) if button is not None and button in hand.start else None
    return due is not None and due.button is False


def version(hand: Timeline, context: TableContext, found: Difference) -> int:
    """Return the event that shows a difference: one for all clauses that speak of it.

    The button, where it is wrong; a blind that nobody posted shows when the betting begins without
    it; else the first blind that is posted from another seat.
    """
    if found.button:
        return context.version_of("button")
    have = {blind.role for blind in posted(hand)}
    if any(due.role not in have for due in found.under):
        return hand.first_act or context.version_of("button")
    if found.over:
        return found.over[0].version
    if found.told:
        return context.version_of(found.told[0])
    return hand.first_act or context.version_of("button")


# In words and figures


def saw(hand: Timeline) -> str:
    """Say where the record has button and blinds."""
    button = button_of(hand)
    parts = []
    if button is not None:
        parts.append(f"button in seat {button}{'' if button in hand.start else ', which is empty'}")
    blinds_text = [f"{_title(blind.role)} from seat {blind.seat}" for blind in posted(hand)]
    return ", ".join([*parts, *blinds_text]) if blinds_text else ", ".join([*parts, "no blind"])


def should(context: TableContext) -> str:
    """Say where button and blinds belong, by each reading that the book allows."""
    places = [placement for placement in context.due.placements if placement.judged]
    readings = "; or ".join(dict.fromkeys(_place(placement) for placement in places if not placement.doubtful))
    doubtful_readings = dict.fromkeys(_place(placement) for placement in places if placement.doubtful)
    return "; or, by another reading of the text, ".join([readings, *doubtful_readings])


def _place(place: Placement) -> str:
    parts = []
    if place.button is not None:
        empty = ", which is empty" if place.button_empty else ""
        parts.append(f"button in seat {place.button}{empty}")
    if place.small_empty:
        parts.append(f"no small blind, as seat {place.small} is empty")
    parts += [f"{_title(due.role)} from seat {due.seat}" for due in place.posts if due.role in REGULAR]
    return ", ".join(parts)


def grounds(found: Difference) -> list[Ground]:
    """Return what the button and the blinds rest on; how a text is read where it may be read so too."""
    place = found.place
    reasons = [*place.button_why, *place.small_why, *place.big_why]
    if found.doubt:
        reasons.append(Ground(f"the text does not mean: {found.doubt}", (), "assumed"))
    return reasons


def money(hand: Timeline, found: Difference) -> Money:
    """Return what blinds in wrong seats, and blinds that nobody posted, moved between seats."""
    seats = {post.seat for post in found.over} | {post.seat for post in found.under}
    due = dict.fromkeys(seats, (0, 0))
    for post in found.place.posts:
        if post.seat in seats and post.role in REGULAR:
            if post.live is None or post.dead is None:
                return ()
            live, dead = due[post.seat]
            due[post.seat] = (live + post.live, dead + post.dead)
    return chips_moved(hand, due)


def _title(role: str) -> str:
    return "third blind" if role == "extra" else f"{role} blind"
