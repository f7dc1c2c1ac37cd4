"""The seats of a hand that a book asks something of: what was due from each, and what it posted.

Debts, entry and seat changes are judged on these: everybody else was dealt in owing nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ledger.hand.dealing import CardsViewed, DealCompleted, HoleCardsDealt
from ledger.hand.opening import BlindPosted, StraddlePosted
from ledger.presence import Origin
from ledger.vocabulary import Chips, Seat
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Ground, SeatDue
from projections.obligations.missed_blinds import in_zone, spot_of
from projections.obligations.tab import Tab
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, posted
from projections.timeline.hand_timeline import Timeline

ENTERING: Final = ("entry", "makeup", "makeup-small", "makeup-big", "kill", "unknown")
"""Roles of a post that is made to be dealt in, not from a position."""
_OWN_WILL: Final = "the post is not required, and the record does not tell whether it was asked for"
MOVED_BY_HOUSE: Final[tuple[Origin, ...]] = ("broken-game", "limit-change")


class Price(NamedTuple):
    """A live and a dead part; None = cannot be told. Not judged: the book gives no amount."""

    live: Chips | None
    dead: Chips | None
    judged: bool


class Seated(NamedTuple):
    """A dealt-in seat that was new, owed, moved or posted out of turn."""

    seat: Seat
    due: SeatDue
    tab: Tab  # what was remembered of its player
    dealt: int  # version of the line that deals it in
    posts: tuple[tuple[int, BlindPosted], ...]  # to be dealt in, before it had cards
    blind: bool  # it has the big blind, in turn
    straddled: bool  # before the cards
    all_in: bool  # it posted all it had
    zone: bool | None  # on the button, or after it and before the big blind

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
        """What making good costs: now, or whenever it is made good."""
        if self.due.post:
            fallback = any(ground.basis == "fallback" for post in self.due.post for ground in post.why)
            return Price(self.due.live, self.due.dead, not fallback)
        for option in self.due.ways:
            if option.kind in ("post", "button-passes"):
                fallback = any(ground.basis == "fallback" for ground in option.why)
                return Price(option.live, option.dead, not fallback)
        return Price(None, None, judged=False)

    @property
    def asked(self) -> Chips | None:
        """The sum that the book asks for; None = cannot be told, or the book gives no amount."""
        live_price, dead_price, judged = self.price
        return None if live_price is None or dead_price is None or not judged else live_price + dead_price

    @property
    def must(self) -> bool:
        """Whether it was not to be dealt in as it stood: not at all, or not without a post."""
        return self.due.deal in ("if-posts", "no")

    @property
    def owes(self) -> bool:
        """Whether blinds went past it, or may have."""
        return bool(self.due.missed or self.due.either) or self.due.standing == "owing"

    @property
    def new(self) -> bool:
        """Whether the book takes its player for a new one."""
        return self.due.standing == "new"

    @property
    def version(self) -> int:
        """The event that a finding points at: the first post, or the line that deals the seat in."""
        return self.posts[0][0] if self.posts else self.dealt

    @property
    def grounds(self) -> tuple[Ground, ...]:
        """Why it owed what it owed."""
        return (
            *(missed_blind.why for missed_blind in self.due.missed),
            *(ground for post in self.due.post for ground in post.why),
            *self.due.why,
        )


def seated(hand: Timeline, context: TableContext) -> list[Seated]:
    """Return the seats of a hand that its book asks something of; asked once for all clauses."""
    return hand.once(f"seated {context.book.name}", lambda: _seated(hand, context))


def _seated(hand: Timeline, context: TableContext) -> list[Seated]:
    odd_seats = {
        post.seat
        for _, post in hand.standing_posts()
        if isinstance(post, StraddlePosted) or (isinstance(post, BlindPosted) and post.role in ENTERING)
    }
    dealt_dues = [
        due
        for due in context.due.seats
        if due.seat in hand.start and (due.standing != "playing" or due.deal != "yes" or due.seat in odd_seats)
    ]
    if not dealt_dues:
        return []
    spot, _ = spot_of(context.hand, context.due)
    cards = _cards(hand)
    top = "extra" if len(hand.blinds) > 2 else "big"
    seated_players = []
    for due in dealt_dues:
        seat = due.seat
        cards_at = min(cards.get(seat, cards[0]), cards[0])
        own_posts = [
            (version, post) for version, post in hand.standing_posts() if post.seat == seat and version < cards_at
        ]
        posts = tuple((version, p) for version, p in own_posts if isinstance(p, BlindPosted) and p.role in ENTERING)
        stack = hand.stack_at(seat)
        seated_players.append(
            Seated(
                seat,
                due,
                context.tab(due.player),
                hand.version_of("dealt", seat),
                posts,
                any(isinstance(p, BlindPosted) and p.role == top for _, p in own_posts),
                any(isinstance(p, StraddlePosted) for _, p in own_posts),
                bool(posts) and stack == sum(p.live + p.dead for _, p in posts),
                in_zone(spot, seat),
            )
        )
    return seated_players


def _cards(hand: Timeline) -> dict[Seat, int]:
    """Return by seat where it had seen or got its cards; under 0 where everybody had them."""
    last = len(hand.line) + 1
    dealt = [version for version, _ in hand.of(DealCompleted)]
    every = min([*dealt, hand.first_act or last, last])
    cards_at = {0: every}
    for version, event in hand.of(HoleCardsDealt, CardsViewed):
        cards_at.setdefault(event.seat, version)
    return cards_at


def unsaid(one: Seated) -> CannotTell:
    """Say which fact is missing to tell what a seat owed."""
    return CannotTell(one.due.why[0].says if one.due.why else "what was owed")


def nobody(hand: Timeline, context: TableContext, *, posted: bool = False) -> Answer:
    """Say that no seat is one that a clause asks for; a seat of which nobody knows might be one.

    `posted`: the clause asks for one that posted.
    """
    for player in seated(hand, context):
        is_unknown = player.due.standing == "unknown" and player.due.deal != "yes" and not player.blind
        if is_unknown and (player.posts or not posted):
            return unsaid(player)
    return NO_OCCASION


def ways(hand: Timeline, due: SeatDue) -> str:
    """Say what a seat may do to be dealt in."""
    phrases = []
    live, dead = due.live, due.dead
    if any(post.role == "kill" for post in due.post):
        phrases.append(
            "a post that kills the pot" if live is None else f"a kill of the pot: {amounts(hand, live, dead)}"
        )
    elif due.post and due.either:
        phrases += (amounts(hand, reading.live, reading.dead) for reading in due.either)
    elif due.post:
        phrases.append(amounts(hand, live, dead))
    for option in due.ways:
        if option.kind == "post" and not phrases:
            phrases.append(amounts(hand, option.live, option.dead))
        elif not option.now and option.kind in _WAITS:
            hands = "" if option.hands is None else f" ({option.hands} hand{'s' * (option.hands != 1)})"
            phrases.append(_WAITS[option.kind] + hands)
    return ", or ".join(dict.fromkeys(phrases)) or "no cards on this hand"


_WAITS: Final = {
    "big-blind": "no cards until it has the big blind",
    "button-passes": "no cards until the button has passed",
    "position": "no cards until its place relative to the blinds is the same",
}


def sums(hand: Timeline, one: Seated) -> str:
    """Say what making good costs: each sum that it may be."""
    if one.due.either:
        return ", or ".join(amounts(hand, post.live, post.dead) for post in one.due.either)
    return amounts(hand, one.price.live, one.price.dead)


def amounts(hand: Timeline, live: Chips | None, dead: Chips | None) -> str:
    """Say what is to be posted."""
    if live is None or dead is None:
        return "a post whose amount the book or the record does not give"
    if not dead:
        return f"a post of {hand.say(live)}, live"
    return f"a post of {hand.say(live)} live and {hand.say(dead)} dead"


def kept(hand: Timeline, one: Seated) -> Money:
    """Return what it moved that a seat did not post what it had to."""
    live_price, dead_price, _ = one.price
    return () if live_price is None or dead_price is None else posted(hand, {one.seat: (live_price, dead_price)})


def charged(hand: Timeline, one: Seated) -> Money:
    """Return what it moved that a seat was charged for what is free."""
    return posted(hand, {one.seat: (0, 0)})


def needless(hand: Timeline, one: Seated, because: str) -> Breach:
    """Return the breach of a post that was not due: likely, where it may have been made of one's own will."""
    big = max(hand.blinds, default=0)
    own_will = (one.paid, one.dead) == (big, 0)
    return Breach(
        one.version,
        f"seat {one.seat} posts {hand.say(one.paid)} to be dealt in",
        seat=one.seat,
        should="cards without a post",
        because=f"{because}; {_OWN_WILL}" if own_will else because,
        certainty="likely" if own_will else "certain",
        money=charged(hand, one),
        grounds=one.due.why,
    )


def owed(one: Seated) -> str:
    """Say which blinds a seat had missed, and when."""
    parts = [f"the {miss.role} blind{f' of hand {miss.hand}' * bool(miss.hand)}" for miss in one.due.missed]
    return _list(parts or ["a blind, as a marker tells"])


def _list(parts: Iterable[str]) -> str:
    *all_but_last, last = parts
    return f"{', '.join(all_but_last)} and {last}" if all_but_last else last
