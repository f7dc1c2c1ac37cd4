"""Plan the next hand of a table, as due or as stated: who gets cards, button, blinds and posts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from handledger import door_errors
from ledger.hand import opening as o
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import HandCompleted
from ledger.vocabulary import Chips, Seat
from projections.live.next_hand import DealPlan, deal_seats, make_next_number, place_button
from projections.obligations.game import has_blinds

if TYPE_CHECKING:
    from handledger.answers import PostKind
    from handledger.table_log import TableIdentity
    from ledger.hand.events import HandEvent
    from ledger.hand.opening import BlindRole
    from ledger.table.state import TableState
    from projections.obligations.dues import Due, DuePost, Placement

KINDS: Final[dict[str, PostKind]] = {
    "small": "small blind",
    "big": "big blind",
    "extra": "third blind",
    "entry": "entry",
    "makeup": "make-up",
    "straddle": "straddle",
    "kill": "kill",
}
"""Role of a due post → its name in the library."""
ROLES: Final[dict[str, str]] = {kind: role for role, kind in KINDS.items()}
DEAD: Final = "dead"
"""The key of dead chips that a seat posts beside its other post."""
MAX_CHIPS: Final = 10**15
MIN_PLAYERS: Final = 2
BLIND_ROLES: Final = ("small", "big", "extra")


class SeatPost(NamedTuple):
    """A post of a seat. `role`: as in `DuePost`, or another role that a record has."""

    seat: Seat
    role: str
    live: Chips
    dead: Chips = 0


class HandSheet(NamedTuple):
    """A hand before its cards: who gets them, where the positions are, and what is posted."""

    dealt: frozenset[Seat]
    button: Seat | None
    small: Seat | None
    big: Seat | None
    posts: tuple[SeatPost, ...]
    left_out: tuple[tuple[Seat, o.NotDealtIn], ...] = ()  # taken seats without cards, and the reasons


class HandPlanner:
    """Builds the next hand of a table from what is due and what is stated."""

    def __init__(self, state: TableState, due: Due, plan: DealPlan, game: o.GameSet) -> None:
        """Take the table, the dues of the hand, its plan as due, and its game."""
        self._state, self._due, self._plan, self._game = state, due, plan, game

    def build_due_sheet(self) -> HandSheet:
        """Return the hand as due; `PostsError` if a position, a post or two players are missing."""
        plan = self._plan
        if not has_blinds(self._game.variant):
            return self._complete_sheet(HandSheet(self._list_able(plan.dealt), None, None, None, ()))
        able_seats = self._list_able(plan.dealt)
        if len(able_seats) < MIN_PLAYERS:
            raise door_errors.players_missing(len(able_seats))
        placement = self._require_placement()
        posts = [_build_due_post(post) for post in (*placement.posts, *plan.entry_posts)]
        return self._complete_sheet(
            HandSheet(
                able_seats,
                placement.button,
                placement.small,
                placement.big,
                tuple(post for post in posts if post.seat in plan.dealt),
            )
        )

    def build_stated_sheet(
        self, button: Seat | None, posts: Mapping[Seat, object] | None, dealt: Collection[Seat] | None
    ) -> HandSheet:
        """Return the hand as stated; what isn't stated is as due. `PostsError` if it can't be dealt like that."""
        if not has_blinds(self._game.variant) and (button is not None or posts):
            raise door_errors.no_positions(self._game.variant)
        if button is None and posts is None and dealt is None:
            return self.build_due_sheet()
        stated_posts = None if posts is None else self._read_posts(posts)
        dealt_seats = self._find_dealt(stated_posts, dealt)
        placement = self._plan.placement
        if button is None and has_blinds(self._game.variant):
            placement = self._require_placement()
        due_button = placement.button if placement is not None else None
        stated_button = due_button if button is None else button
        is_as_due = placement is not None and stated_button == due_button
        if stated_posts is None:
            stated_posts = self._find_posts(placement if is_as_due else None, stated_button, dealt_seats)
        small, big = _find_blind_seats(stated_posts, placement if is_as_due else None)
        hand_sheet = HandSheet(dealt_seats, stated_button, small, big, stated_posts)
        return self._complete_sheet(hand_sheet)

    def _require_placement(self) -> Placement:
        """Return the due button and blinds; `PostsError` if they're unknown, or only a floor can decide them."""
        placement = self._plan.placement
        if self._due.unknown or placement is None:
            raise door_errors.positions_unknown(self._due.unknown)
        if placement.button is None or placement.has_collision:
            raise door_errors.positions_open(next((ground.sentence for ground in placement.button_grounds), ""))
        return placement

    def _find_dealt(self, posts: tuple[SeatPost, ...] | None, dealt: Collection[Seat] | None) -> frozenset[Seat]:
        """Return who gets cards: as stated, or as due with those who post."""
        if dealt is not None:
            return frozenset(dealt)
        able_seats = self._list_able(self._plan.dealt)
        if posts is None:
            return able_seats - self._list_debtors_of_earlier_hands()
        posting_seats = {post.seat for post in posts}
        owing_seats = {
            seat_due.seat
            for seat_due in self._due.seats
            if seat_due.deal == "if-posts" and seat_due.seat not in posting_seats
        }
        return frozenset((able_seats - owing_seats) | posting_seats)

    def _list_debtors_of_earlier_hands(self) -> frozenset[Seat]:
        """Return the seats that owe blinds on the first hand of a record: they got no cards, unless they're stated."""
        if not self._due.unknown or self._due.previous_hand:
            return frozenset()
        if all(seat_due.deal != "yes" for seat_due in self._due.seats):
            return frozenset()  # nobody knows who played before
        return frozenset(
            seat_due.seat for seat_due in self._due.seats if seat_due.missed or seat_due.deal in ("if-posts", "open")
        )

    def _find_posts(
        self, placement: Placement | None, button: Seat | None, dealt: frozenset[Seat]
    ) -> tuple[SeatPost, ...]:
        """Return the posts of a stated button: those due, or the blinds of the next players."""
        if placement is not None:
            for due_post in placement.posts:
                if due_post.seat in self._plan.dealt and due_post.seat not in dealt:
                    raise door_errors.due_post_left_out(due_post.seat)
            posts = [_build_due_post(post) for post in (*placement.posts, *self._plan.entry_posts)]
            return tuple(post for post in posts if post.seat in dealt)
        if button is None:
            return ()
        plan = DealPlan(dealt, None, self._plan.entry_posts)
        proposal = place_button(self._state, plan, button, self._game.blinds, self._due)
        return tuple(
            SeatPost(event.seat, event.role, event.live, event.dead)
            for event in proposal.events
            if isinstance(event, o.BlindPosted)
        )

    def _list_able(self, seats: Collection[Seat]) -> frozenset[Seat]:
        """Return the taken seats among some whose players aren't out of chips."""
        return frozenset(seat for seat in seats if seat in self._state.seats and self._state.seats[seat].stack != 0)

    # Stated posts

    def _read_posts(self, posts: Mapping[Seat, object]) -> tuple[SeatPost, ...]:
        seat_posts: list[SeatPost] = []
        for seat, stated in posts.items():
            if isinstance(stated, Mapping):
                seat_posts += _read_kinds(seat, stated)
            else:
                seat_posts += self._identify_posts(seat, _read_chips(seat, stated))
        return tuple(seat_posts)

    def _identify_posts(self, seat: Seat, chips: Chips) -> list[SeatPost]:
        """Return a seat's chips as posts: as all that is due from it, else the blind of that amount, else part of its due."""
        if chips == 0:
            return []
        due_posts = self._list_due_posts(seat)
        due_chips = sum((post.live or 0) + (post.dead or 0) for post in due_posts)
        if due_posts and chips in (due_chips, self._state.seats[seat].stack):
            return _split_chips(seat, chips, due_posts)
        blinds = self._game.blinds
        roles = [role for role, blind in zip(name_blinds(blinds), blinds, strict=True) if blind == chips]
        if len(roles) == 1:
            return [SeatPost(seat, roles[0], chips)]
        if not due_posts:
            raise door_errors.unclear_post(seat, chips)
        return _split_chips(seat, chips, due_posts)

    def _list_due_posts(self, seat: Seat) -> list[DuePost]:
        """Return what is due from a seat if it plays, by the shown placement."""
        placement = self._plan.placement
        placed_posts = placement.posts if placement is not None else ()
        seat_due = self._due.seat(seat)
        own_posts = seat_due.post if seat_due is not None and seat_due.deal == "if-posts" else ()
        entry_posts = [post for post in self._plan.entry_posts if post.seat == seat]
        return [*(post for post in placed_posts if post.seat == seat), *(entry_posts or own_posts)]

    # Checks and events

    def _complete_sheet(self, hand_sheet: HandSheet) -> HandSheet:
        """Return a hand with its posts cut to the stacks, and with the seats left out; `PostsError` if it can't be dealt."""
        if len(hand_sheet.dealt) < MIN_PLAYERS:
            raise door_errors.players_missing(len(hand_sheet.dealt))
        for post in hand_sheet.posts:
            if post.seat not in hand_sheet.dealt:
                raise door_errors.post_without_cards(post.seat)
        seat_events = deal_seats(self._state, self._due, DealPlan(hand_sheet.dealt, None, (), self._plan.waiting))
        left_out = [(event.seat, event.reason) for event in seat_events if isinstance(event, o.SeatLeftOut)]
        return hand_sheet._replace(posts=self._cut_to_stacks(hand_sheet.posts), left_out=tuple(left_out))

    def _cut_to_stacks(self, posts: Collection[SeatPost]) -> tuple[SeatPost, ...]:
        """Return posts that take no more than each player's stack, without those that have no chips left."""
        stacks = {seat: seat_state.stack for seat, seat_state in self._state.seats.items()}
        possible_posts = []
        for post in posts:
            stack = stacks.get(post.seat)
            if stack is None:
                possible_posts.append(post)
                continue
            live = min(post.live, stack)
            dead = min(post.dead, stack - live)
            stacks[post.seat] = stack - live - dead
            possible_posts.append(post._replace(live=live, dead=dead))
        return tuple(post for post in possible_posts if post.live or post.dead)


def build_events(
    hand_sheet: HandSheet,
    state: TableState,
    game: o.GameSet,
    options: Mapping[o.HouseOption, int | str],
    identity: TableIdentity,
) -> list[HandEvent]:
    """Return the events of a hand. `state`: the table before it."""
    events: list[HandEvent] = [
        o.HandOpened(
            identity.venue,
            identity.table,
            make_next_number(state.number),
            identity.witnesses,
            seats=identity.seats,
            tournament=identity.tournament,
        ),
        game,
        *(o.OptionSet(name, value) for name, value in options.items()),
    ]
    reasons = dict(hand_sheet.left_out)
    for seat, seat_state in sorted(state.seats.items()):
        if seat in hand_sheet.dealt:
            events.append(o.SeatDealtIn(seat, seat_state.player, seat_state.stack))
        else:
            events.append(o.SeatLeftOut(seat, seat_state.player, seat_state.stack, reasons.get(seat, "unknown")))
    if has_blinds(game.variant):
        events += _place_positions(hand_sheet, state)
    stacks = {seat: seat_state.stack for seat, seat_state in state.seats.items()}
    events += [_build_post_event(post, stacks) for post in hand_sheet.posts]
    return [*events, DealCompleted(), HandCompleted()]


def _place_positions(hand_sheet: HandSheet, state: TableState) -> list[HandEvent]:
    """Return the events of button and blind positions, and of a small blind that nobody posts."""
    events: list[HandEvent] = [o.ButtonPlaced(hand_sheet.button)]
    if hand_sheet.small is not None:
        events.append(o.BlindPositionPlaced("small", hand_sheet.small))
    if hand_sheet.big is not None:
        events.append(o.BlindPositionPlaced("big", hand_sheet.big))
    if hand_sheet.small is not None and all(post.role != "small" for post in hand_sheet.posts):
        reason: o.NotPosted = "absent"
        if hand_sheet.small in hand_sheet.dealt:
            reason = "unknown"
        elif hand_sheet.small not in state.seats:
            reason = "dead-small-blind"
        events.append(o.BlindSkipped("small", hand_sheet.small, reason))
    return events


def _build_due_post(post: DuePost) -> SeatPost:
    """Return a due post as it will be made; `PostsError` if its amount isn't known."""
    if post.live is None or post.dead is None:
        raise door_errors.amount_unknown(post.seat)
    return SeatPost(post.seat, post.role, post.live, post.dead)


def _build_post_event(post: SeatPost, stacks: dict[Seat, Chips | None]) -> o.BlindPosted | o.StraddlePosted:
    """Return the event of a post, and subtract it from the stack in `stacks`."""
    stack = stacks.get(post.seat)
    total = post.live + post.dead
    if stack is not None:
        stacks[post.seat] = stack - total
    all_in = True if stack is not None and total == stack else None
    if post.role == "straddle":
        return o.StraddlePosted(post.seat, total, live=post.live > 0, all_in=all_in)
    role: BlindRole = post.role  # type: ignore[assignment]  # one of `ROLES`, without straddles
    return o.BlindPosted(post.seat, role, post.live, post.dead, all_in)


def _find_blind_seats(posts: Collection[SeatPost], placement: Placement | None) -> tuple[Seat | None, Seat | None]:
    """Return the positions of small and big blind: the only seat that posts each, else the seat from which it's due.

    Where skipped players pay, several seats may post the same blind, and posts don't show its position.
    """
    small, big = _find_only_poster(posts, "small"), _find_only_poster(posts, "big")
    if placement is not None:
        small = placement.small if small is None else small
        big = placement.big if big is None else big
    return small, big


def _find_only_poster(posts: Collection[SeatPost], role: str) -> Seat | None:
    """Return the only seat that posts a role; None if nobody does, or several do."""
    seats = {post.seat for post in posts if post.role == role}
    return seats.pop() if len(seats) == 1 else None


def name_blinds(blinds: tuple[Chips, ...]) -> tuple[str, ...]:
    """Return the roles of a game's blinds: a single one is a big blind."""
    return ("big",) if len(blinds) == 1 else BLIND_ROLES[: len(blinds)]


def _split_chips(seat: Seat, chips: Chips, due_posts: list[DuePost]) -> list[SeatPost]:
    """Return the due posts of a seat that stated chips cover: live before dead, in order."""
    posts = []
    remaining = chips
    for index, due_post in enumerate(due_posts):
        is_last = index == len(due_posts) - 1
        due_live = due_post.live if due_post.live is not None else remaining
        dead = min(due_post.dead or 0, max(0, remaining - due_live))
        live = remaining - dead if is_last else min(remaining - dead, due_live)
        if live or dead:
            posts.append(SeatPost(seat, due_post.role, live, dead))
        remaining -= live + dead
    return posts


def _read_kinds(seat: Seat, stated: Mapping[object, object]) -> list[SeatPost]:
    """Return the posts of a seat that are stated by kind; dead chips go with the last of them."""
    posts: list[SeatPost] = []
    dead = 0
    for kind, value in stated.items():
        chips = _read_chips(seat, value)
        if kind == DEAD:
            dead = chips
        elif isinstance(kind, str) and kind in ROLES:
            posts.append(SeatPost(seat, ROLES[kind], chips))
        else:
            raise door_errors.bad_choice("kind", kind, (*ROLES, DEAD))
    if dead:
        last_post = posts.pop() if posts else SeatPost(seat, ROLES["make-up"], 0)
        posts.append(last_post._replace(dead=dead))
    return posts


def _read_chips(seat: Seat, value: object) -> Chips:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_CHIPS:
        raise door_errors.bad_posts({seat: value})
    return value
