"""Seats of a hand from which a book asks a post or a wait: what was due from each, and what it posted.

The clauses about debts, entry and seat changes judge these seats; all others were dealt in owing nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeGuard

from ledger.event import Event
from ledger.hand.dealing import CardsViewed, DealCompleted, HoleCardsDealt
from ledger.hand.opening import BlindPosted, StraddlePosted
from ledger.presence import Origin
from ledger.vocabulary import Chips, Seat
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Ground, SeatDue
from projections.obligations.missed_blinds import Spot, in_zone, locate_positions
from projections.obligations.tab import Tab
from projections.sentences import owing as say
from projections.sentences import paragraph
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, build_post_flow
from projections.timeline.hand_timeline import Timeline

ENTERING_ROLES: Final = ("entry", "makeup", "makeup-small", "makeup-big", "kill", "unknown")
"""Roles of posts that let a player be dealt in, as opposed to blinds of a position."""
MOVED_BY_HOUSE: Final[tuple[Origin, ...]] = ("broken-game", "limit-change")


class Price(NamedTuple):
    """What a seat must post to be dealt in. A part is None if it is unknown."""

    live: Chips | None
    dead: Chips | None
    is_given_by_book: bool  # False: the usual amount where the book is silent, or no amount


class JudgedSeat(NamedTuple):
    """A dealt-in seat that the book doesn't simply let play on, or that straddled or posted to be dealt in."""

    seat: Seat
    due: SeatDue
    tab: Tab  # what its player owes from earlier hands
    dealt_version: int  # version of the event that deals it in
    posts: tuple[tuple[int, BlindPosted], ...]  # its posts to be dealt in before it had cards, with versions
    has_big_blind: bool  # it posted the big blind in turn
    has_straddled: bool  # it straddled before it had cards
    is_all_in: bool  # it posted its whole stack
    is_in_zone: bool | None  # on the button, or between it and the big blind; None = unknown

    @property
    def live(self) -> Chips:
        """What it posted live to be dealt in."""
        return sum(post.live for _, post in self.posts)

    @property
    def dead(self) -> Chips:
        """What it posted dead to be dealt in."""
        return sum(post.dead for _, post in self.posts)

    @property
    def paid(self) -> Chips:
        """What it posted to be dealt in."""
        return self.live + self.dead

    @property
    def price(self) -> Price:
        """What the seat must post on this hand. If that is nothing, what it must post when it comes in later."""
        if self.due.post:
            post_grounds = [ground for post in self.due.post for ground in post.grounds]
            return Price(self.due.live, self.due.dead, not _has_fallback(post_grounds))
        for option in self.due.ways_in:
            if option.kind in ("post", "button-passes"):
                return Price(option.live, option.dead, not _has_fallback(option.grounds))
        return Price(None, None, is_given_by_book=False)

    @property
    def due_total(self) -> Chips | None:
        """The sum that the book asks for, or None if it is unknown or the book gives no amount."""
        price = self.price
        if price.live is None or price.dead is None or not price.is_given_by_book:
            return None
        return price.live + price.dead

    @property
    def needs_post(self) -> bool:
        """Whether it should have been dealt in only with a post, or not at all."""
        return self.due.deal in ("if-posts", "no")

    @property
    def owes_blinds(self) -> bool:
        """Whether blinds passed it, or may have passed it."""
        return bool(self.due.missed or self.due.possible_posts) or self.due.status == "owing"

    @property
    def may_straddle(self) -> bool:
        """Whether it may straddle on this hand instead of posting."""
        return any(option.kind == "straddle" and option.is_on_this_hand for option in self.due.ways_in)

    @property
    def is_new(self) -> bool:
        """Whether its player is new by the book."""
        return self.due.status == "new"

    @property
    def version(self) -> int:
        """The version that a finding cites: of the first post, else of the event that deals the seat in."""
        first_post_version = next((version for version, _ in self.posts), None)
        return self.dealt_version if first_post_version is None else first_post_version

    @property
    def grounds(self) -> tuple[Ground, ...]:
        """Why it owed what it owed."""
        return (
            *(missed_blind.ground for missed_blind in self.due.missed),
            *(ground for post in self.due.post for ground in post.grounds),
            *self.due.grounds,
        )


def _has_fallback(grounds: Iterable[Ground]) -> bool:
    """Whether a reason is a usual rule, because the book is silent."""
    return any(ground.basis == "fallback" for ground in grounds)


def list_judged_seats(hand: Timeline, context: TableContext) -> list[JudgedSeat]:
    """Return the seats of a hand that its book asks a post or a wait from; computed once for all clauses."""
    return hand.cached(f"seated {context.book.name}", lambda: _build_judged_seats(hand, context))


def _build_judged_seats(hand: Timeline, context: TableContext) -> list[JudgedSeat]:
    """Compute what `list_judged_seats` returns."""
    voluntary_posters = _find_voluntary_posters(hand)
    judged_dues = [due for due in context.due.seats if due.seat in hand.start and _is_judged(due, voluntary_posters)]
    if not judged_dues:
        return []
    spot, _ = locate_positions(context.hand, context.due)
    all_cards_version = _find_all_cards_version(hand)
    card_versions = _find_card_versions(hand)
    judged_seats = []
    for due in judged_dues:
        cards_version = min(card_versions.get(due.seat, all_cards_version), all_cards_version)
        judged_seats.append(_build_judged_seat(hand, due, context.find_tab(due.player), spot, cards_version))
    return judged_seats


def _find_voluntary_posters(hand: Timeline) -> set[Seat]:
    """Return the seats that straddled or posted to be dealt in: such posts belong to no position."""
    return {
        post.seat for _, post in hand.standing_posts() if isinstance(post, StraddlePosted) or _is_entering_post(post)
    }


def _is_judged(due: SeatDue, voluntary_posters: set[Seat]) -> bool:
    """Whether the book doesn't simply let a seat play on, or the seat straddled or posted to be dealt in."""
    return due.status != "playing" or due.deal != "yes" or due.seat in voluntary_posters


def _is_entering_post(post: Event) -> TypeGuard[BlindPosted]:
    return isinstance(post, BlindPosted) and post.role in ENTERING_ROLES


def _build_judged_seat(hand: Timeline, due: SeatDue, tab: Tab, spot: Spot, cards_version: int) -> JudgedSeat:
    """Return a judged seat. `cards_version`: by then it had cards, so later posts weren't made to be dealt in."""
    own_posts = [
        (version, post) for version, post in hand.standing_posts() if post.seat == due.seat and version < cards_version
    ]
    entering_posts = tuple((version, post) for version, post in own_posts if _is_entering_post(post))
    posted = sum(post.live + post.dead for _, post in entering_posts)
    largest_role = hand.largest_blind_role
    return JudgedSeat(
        seat=due.seat,
        due=due,
        tab=tab,
        dealt_version=hand.version_of("dealt", due.seat),
        posts=entering_posts,
        has_big_blind=any(isinstance(post, BlindPosted) and post.role == largest_role for _, post in own_posts),
        has_straddled=any(isinstance(post, StraddlePosted) for _, post in own_posts),
        is_all_in=bool(entering_posts) and hand.stack_at(due.seat) == posted,
        is_in_zone=in_zone(spot, due.seat),
    )


def _find_all_cards_version(hand: Timeline) -> int:
    """Return the version by which everybody had cards: the earliest of the full deal, first act and hand's end."""
    end_version = len(hand.numbered_events) + 1
    dealt_versions = [version for version, _ in hand.of(DealCompleted)]
    return min([*dealt_versions, hand.first_act or end_version, end_version])


def _find_card_versions(hand: Timeline) -> dict[Seat, int]:
    """Return the version at which each seat first got or saw its cards, if recorded."""
    card_versions: dict[Seat, int] = {}
    for version, event in hand.of(HoleCardsDealt, CardsViewed):
        card_versions.setdefault(event.seat, version)
    return card_versions


# Answers


def explain_open_due(judged_seat: JudgedSeat) -> CannotTell:
    """Return `CannotTell` with the open question that decides what a seat owed."""
    return CannotTell(judged_seat.due.grounds[0].sentence if judged_seat.due.grounds else say.amount_owed())


def explain_no_seat(hand: Timeline, context: TableContext, *, must_have_posted: bool = False) -> Answer:
    """Return the answer if no seat is of the kind that a clause is about.

    It is `CannotTell` if a seat of unknown status may be of that kind, and `NO_OCCASION` otherwise. With
    `must_have_posted`, only a seat that posted to be dealt in may be of that kind.
    """
    for judged_seat in list_judged_seats(hand, context):
        is_unknown = (
            judged_seat.due.status == "unknown" and judged_seat.due.deal != "yes" and not judged_seat.has_big_blind
        )
        if is_unknown and (judged_seat.posts or not must_have_posted):
            return explain_open_due(judged_seat)
    return NO_OCCASION


def compute_money_moved_by_post(hand: Timeline, judged_seat: JudgedSeat) -> Money:
    """Return the chips that a seat moved by posting more or less than its price."""
    price = judged_seat.price
    if price.live is None or price.dead is None:
        return ()
    return build_post_flow(hand, {judged_seat.seat: (price.live, price.dead)})


def build_needless_post(hand: Timeline, judged_seat: JudgedSeat, because: str) -> Breach:
    """Return the breach for a post that was not due; only likely if the player may have posted voluntarily."""
    big_blind = max(hand.blinds, default=0)
    is_perhaps_voluntary = (judged_seat.paid, judged_seat.dead) == (big_blind, 0)
    return Breach(
        judged_seat.version,
        say.needless_post(judged_seat.seat, hand.format_chips(judged_seat.paid)),
        seat=judged_seat.seat,
        should=say.cards_without_post(),
        because=paragraph(because, say.perhaps_voluntary() if is_perhaps_voluntary else ""),
        certainty="likely" if is_perhaps_voluntary else "certain",
        money=build_post_flow(hand, {judged_seat.seat: (0, 0)}),
        grounds=judged_seat.due.grounds,
    )
