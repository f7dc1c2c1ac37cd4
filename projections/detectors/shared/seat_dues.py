"""Seats of a hand from which a book asks a post or a wait: what was due from each, and what it posted.

The clauses about debts, entry and seat changes judge these seats; all others were dealt in owing nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.dealing import CardsViewed, DealCompleted, HoleCardsDealt
from ledger.hand.opening import BlindPosted, StraddlePosted
from ledger.presence import Origin
from ledger.vocabulary import Chips, Seat
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Ground, SeatDue
from projections.obligations.missed_blinds import in_zone, locate_positions
from projections.obligations.tab import Tab
from projections.sentences import owing as say
from projections.sentences import paragraph
from projections.sentences.debts import short_blind_as_missed
from projections.sentences.due import open_question
from projections.sentences.positions import no_button, no_button_before_blind
from projections.sentences.words import live_and_dead
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
    is_judged: bool  # whether the book itself gives the amount, so that it can be judged


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
        """What the seat must post on this hand. If that is nothing, what it must post when it comes in later.

        A fallback is the usual amount where the book is silent, so it isn't judged.
        """
        if self.due.post:
            is_fallback = any(ground.basis == "fallback" for post in self.due.post for ground in post.grounds)
            return Price(self.due.live, self.due.dead, not is_fallback)
        for option in self.due.ways_in:
            if option.kind in ("post", "button-passes"):
                is_fallback = any(ground.basis == "fallback" for ground in option.grounds)
                return Price(option.live, option.dead, not is_fallback)
        return Price(None, None, is_judged=False)

    @property
    def due_total(self) -> Chips | None:
        """The sum that the book asks for, or None if it is unknown or the book gives no amount."""
        live_price, dead_price, is_judged = self.price
        return None if live_price is None or dead_price is None or not is_judged else live_price + dead_price

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


def list_judged_seats(hand: Timeline, context: TableContext) -> list[JudgedSeat]:
    """Return the seats of a hand that its book asks a post or a wait from; computed once for all clauses."""
    return hand.cached(f"seated {context.book.name}", lambda: _build_judged_seats(hand, context))


def _build_judged_seats(hand: Timeline, context: TableContext) -> list[JudgedSeat]:
    """Compute what `list_judged_seats` returns."""
    odd_seats = {  # seats that straddled or posted to be dealt in: such posts belong to no position
        post.seat
        for _, post in hand.standing_posts()
        if isinstance(post, StraddlePosted) or (isinstance(post, BlindPosted) and post.role in ENTERING_ROLES)
    }
    dealt_dues = [  # all but seats that play on, are dealt in freely and posted only the blinds of their position
        due
        for due in context.due.seats
        if due.seat in hand.start and (due.status != "playing" or due.deal != "yes" or due.seat in odd_seats)
    ]
    if not dealt_dues:
        return []
    spot, _ = locate_positions(context.hand, context.due)
    all_cards_version = _find_all_cards_version(hand)
    card_versions = _find_card_versions(hand)
    largest_role = hand.largest_blind_role
    judged_seats = []
    for due in dealt_dues:
        cards_version = min(card_versions.get(due.seat, all_cards_version), all_cards_version)
        own_posts = [
            (version, post)
            for version, post in hand.standing_posts()
            if post.seat == due.seat and version < cards_version
        ]
        posts = tuple(
            (version, post)
            for version, post in own_posts
            if isinstance(post, BlindPosted) and post.role in ENTERING_ROLES
        )
        judged_seats.append(
            JudgedSeat(
                seat=due.seat,
                due=due,
                tab=context.tab_of(due.player),
                dealt_version=hand.version_of("dealt", due.seat),
                posts=posts,
                has_big_blind=any(isinstance(post, BlindPosted) and post.role == largest_role for _, post in own_posts),
                has_straddled=any(isinstance(post, StraddlePosted) for _, post in own_posts),
                is_all_in=bool(posts) and hand.stack_at(due.seat) == sum(post.live + post.dead for _, post in posts),
                is_in_zone=in_zone(spot, due.seat),
            )
        )
    return judged_seats


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


def explain_open(judged_seat: JudgedSeat) -> CannotTell:
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
            return explain_open(judged_seat)
    return NO_OCCASION


def compute_money_moved_by_post(hand: Timeline, judged_seat: JudgedSeat) -> Money:
    """Return the chips that a seat moved by posting more or less than its price."""
    live_price, dead_price, _ = judged_seat.price
    if live_price is None or dead_price is None:
        return ()
    return build_post_flow(hand, {judged_seat.seat: (live_price, dead_price)})


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


# Wording


def describe_ways_in(hand: Timeline, due: SeatDue) -> str:
    """Return what a seat may do to be dealt in: `a live post of $10, or no cards until the big blind`."""
    phrases = []
    if any(post.role == "kill" for post in due.post):
        phrases.append(say.kill() if due.live is None else say.kill_of(describe_post(hand, due.live, due.dead)))
    elif due.post:
        sums = [(post.live, post.dead) for post in due.possible_posts] or [(due.live, due.dead)]
        phrases += [describe_post(hand, live, dead) for live, dead in sums]
    for option in due.ways_in:
        if option.kind == "post" and not phrases:
            phrases.append(describe_post(hand, option.live, option.dead))
        elif not option.is_on_this_hand and option.kind in _WAITS:
            phrases.append(_WAITS[option.kind](option.hands_to_wait))
    return say.choices(list(dict.fromkeys(phrases))) if phrases else say.no_cards()


_WAITS: Final = {
    "big-blind": say.wait_for_big_blind,
    "button-passes": say.wait_for_button,
    "position": say.wait_for_position,
}


def describe_prices(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return every post that may settle what a seat owes: `a live post of $10, or a post of $10 live and $5 dead`."""
    return say.choices([describe_post(hand, live, dead) for live, dead in _list_possible_sums(judged_seat)])


def _list_possible_sums(judged_seat: JudgedSeat) -> list[tuple[Chips | None, Chips | None]]:
    """Return the sums, live and dead, that may be due from a seat: its price, unless the record leaves several."""
    possible_sums = [(post.live, post.dead) for post in judged_seat.due.possible_posts]
    return possible_sums or [(judged_seat.price.live, judged_seat.price.dead)]


def describe_post(hand: Timeline, live: Chips | None, dead: Chips | None) -> str:
    """Return a post with its sum, if known: `a live post of $10`, or `a post of $10 live and $5 dead`."""
    if live is None or dead is None:
        return say.post_of_unknown_sum()
    return (
        say.post_of(hand.format_chips(live), hand.format_chips(dead))
        if dead
        else say.live_post_of(hand.format_chips(live))
    )


def describe_price(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return the sum that settles what a seat owes, as `describe_sum`; "" if it is unknown or may be several."""
    live_price, dead_price, _ = judged_seat.price
    if judged_seat.due.possible_posts or live_price is None or dead_price is None:
        return ""
    return describe_sum(hand, live_price, dead_price)


def describe_sum(hand: Timeline, live: Chips, dead: Chips) -> str:
    """Return a sum that needs no label if all of it is live: `$10`, or `$10 live and $5 dead`."""
    return live_and_dead(hand.format_chips(live), hand.format_chips(dead)) if dead else hand.format_chips(live)


def describe_parts(hand: Timeline, live: Chips, dead: Chips) -> str:
    """Return a sum with each part labeled: `$10 live`, `$5 dead`, or `$10 live and $5 dead`."""
    return (
        say.dead_only(hand.format_chips(dead))
        if dead and not live
        else live_and_dead(hand.format_chips(live), hand.format_chips(dead) if dead else "")
    )


def describe_price_parts(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return every sum that may settle what a seat owes, as `describe_parts`, joined by "or"."""
    parts = [
        describe_parts(hand, live, dead)
        for live, dead in _list_possible_sums(judged_seat)
        if live is not None and dead is not None
    ]
    return " or ".join(parts) or say.unknown_sum_owed()


def list_missed(judged_seat: JudgedSeat) -> list[tuple[str, str]]:
    """Return the roles of the blinds that a seat missed, each with the number of its hand ("" = unknown)."""
    return [(missed_blind.role, missed_blind.hand) for missed_blind in judged_seat.due.missed]


def describe_missed(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return what a seat missed, and what it posts for that if it may post at all."""
    missed_blinds = list_missed(judged_seat)
    price = "" if judged_seat.due.deal == "no" else describe_price(hand, judged_seat)
    if not judged_seat.tab.short_big and all(number for _, number in missed_blinds):
        return say.missed(judged_seat.seat, missed_blinds, price)
    # A short blind isn't missed, and one from before the record has no hand: their own reasons say more.
    reasons = [
        missed_blind.ground.sentence
        for missed_blind in judged_seat.due.missed
        if missed_blind.ground.basis != "assumed"
    ]
    as_missed = short_blind_as_missed() if judged_seat.tab.short_big else ""
    return paragraph(*reasons, as_missed, say.makes_up(judged_seat.seat, price) if price else "")


def list_reasons(judged_seat: JudgedSeat) -> list[str]:
    """Return why a seat owes what it owes, without what bars it from the button."""
    # A ground has no kind, so its sentence must be compared with those about the button. An open question is a ground
    # whose sentence begins in lower case; the others are whole sentences.
    bars = {
        *(no_button(judged_seat.seat, kind) for kind in judged_seat.due.barred),
        *(no_button_before_blind(judged_seat.seat, kind) for kind in judged_seat.due.barred),
    }
    grounds = (*judged_seat.due.grounds, *judged_seat.grounds)
    says = [ground.sentence for ground in grounds if ground.basis != "assumed" and ground.sentence not in bars]
    return [open_question(text) if text[:1].islower() else text for text in says]
