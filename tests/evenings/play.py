"""The events of one hand: posts by a plan, a few acts, the pot. Chips always add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from tests.evenings.plan import Plan
from tests.evenings.ring import clockwise
from tests.evenings.rooms import Room
from tests.evenings.table import Table

BOARD = (("flop", "Kh9s4c"), ("turn", "3s"), ("river", "Jd"))
BEST, WORST = "AsAh", "7c2d"


@dataclass
class Hand:
    """Chips and turns of a hand that is being played."""

    room: Room
    plan: Plan
    stacks: dict[int, int]
    rng: Random
    events: list[HandEvent] = field(default_factory=list)
    bets: dict[int, int] = field(default_factory=dict)  # live, this street
    put: dict[int, int] = field(default_factory=dict)
    live: list[int] = field(default_factory=list)

    @property
    def level(self) -> int:
        return max([self.room.big if not self.street else 0, *self.bets.values()])

    street: str = ""  # "" = before the flop

    def pay(self, seat: int, live: int, dead: int = 0) -> None:
        self.stacks[seat] -= live + dead
        self.put[seat] = self.put.get(seat, 0) + live + dead
        self.bets[seat] = self.bets.get(seat, 0) + live

    def fold(self, seat: int) -> None:
        self.events.append(b.Folded(seat))
        self.live.remove(seat)

    def check_or_call(self, seat: int) -> None:
        added = min(self.level - self.bets.get(seat, 0), self.stacks[seat])
        if not added:
            self.events.append(b.Checked(seat))
            return
        all_in = added == self.stacks[seat]
        self.pay(seat, added)
        self.events.append(b.Called(seat, added, self.bets[seat], all_in or None))

    def raise_to(self, seat: int, amount: int) -> None:
        kind = b.Raised if self.level else b.Bet
        added = amount - self.bets.get(seat, 0)
        all_in = added == self.stacks[seat]
        self.pay(seat, added)
        self.events.append(kind(seat, added, amount, all_in or None))

    def pot_raise(self, seat: int) -> int:
        """The most that a seat may raise to: the bet, the pot, and what it has to call."""
        return 2 * self.level - self.bets.get(seat, 0) + sum(self.put.values())

    def turns(self) -> list[int]:
        """The live seats with chips in the order of this round."""
        plan = self.plan
        start = plan.button if self.street else [plan.furthest, *plan.straddlers][-1]
        return [s for s in clockwise(start, self.live) if self.stacks[s]]

    def next_street(self, street: str, cards: str) -> None:
        self.street, self.bets = street, {}
        self.events += [d.CardBurned(street), d.BoardDealt(street, cards)]

    def end(self, winner: int) -> None:
        """Give back what nobody called, and the pot to the winner."""
        bets = [bet for seat, bet in self.bets.items() if seat != winner]
        back = self.bets.get(winner, 0) - max(bets, default=0)
        if back > 0:
            self.pay(winner, -back)
            self.events.append(b.BetReturned(winner, back))
        pot = sum(self.put.values())
        self.stacks[winner] += pot
        self.events += [e.PotAwarded(winner, pot, 0), e.HandCompleted()]


def opening(
    table: Table,
    plan: Plan,
    number: str,
    started: int,
    head: o.HandOpened,
    players: dict[int, str],
    reasons: dict[int, str],
) -> list[HandEvent]:
    """Everything before the cards."""
    room = table.room
    events: list[HandEvent] = [
        o.HandOpened(
            head.venue, head.table, number, head.witnesses, started, seats=table.chairs, tournament=head.tournament
        ),
        o.GameSet(room.variant, room.betting, room.form, head.written, 0, room.blinds, 0, room.bets),
    ]
    events += [o.OptionSet(name, value) for name, value in room.options]
    for seat, person in sorted(table.people.items()):
        if seat in plan.dealt:
            events.append(o.SeatDealtIn(seat, players[seat], person.stack))
        else:
            events.append(o.SeatLeftOut(seat, players[seat], person.stack, reasons[seat]))
    events.append(o.ButtonPlaced(plan.button))
    for place, role in room.roles.items():
        if place != "big" or not plan.stepped_in:  # of two big blinds the position is neither
            events.append(o.BlindPositionPlaced(role, plan.at(place)))
    for place, role in room.roles.items():
        seat = plan.at(place)
        if seat not in plan.dealt:
            dead = "dead-small-blind" if place == "small" else "empty-seat"
            events.append(o.BlindSkipped(role, seat, "absent" if seat in table.people else dead))
    for subject in plan.permits:
        events.append(o.PermissionGranted("shift-manager", subject))
    for post in plan.posts:
        if post.role == "straddle":
            events.append(o.StraddlePosted(post.seat, post.live, all_in=post.short or None))
        else:
            events.append(o.BlindPosted(post.seat, post.role, post.live, post.dead, post.short or None))
    return events


def misdealt(table: Table, plan: Plan) -> list[HandEvent]:
    """Two cards exposed by the dealer: the deal is void, all chips go back."""
    order = clockwise(plan.button, plan.dealt)
    count = len(order)
    tersely = table.room.free_pass and table.hands % 2  # some records say no more than that it was one
    last = e.HandCompleted() if tersely else e.HandVoided("misdeal")
    return [
        *(d.HoleCardsDealt(s, "????", "", "unknown", (i + 1, i + 1 + count)) for i, s in enumerate(order)),
        d.CardExposed("7h", order[2 % count], "dealer", 3),
        d.CardExposed("8h", order[3 % count], "dealer", 4),
        d.MisdealDeclared("exposed-card", "dealer"),
        last,
    ]


def play(table: Table, plan: Plan, rng: Random) -> list[HandEvent]:
    """Play the hand out; the stacks of the table change."""
    hand = Hand(table.room, plan, {s: table.people[s].stack for s in plan.dealt}, rng)
    hand.live = list(plan.dealt)
    for post in plan.posts:
        hand.pay(post.seat, post.live, post.dead)
    hand.events.append(d.DealCompleted())
    courses = [_walk, _raise, _raise, _limp, _limp] if table.room.variant == "holdem" else [_walk, _raise, _draw]
    if dict(table.room.options).get("bring-in"):
        courses = [_raise]
    if plan.above_pot:
        courses = [_raise]
    victim = _victim(hand)
    if victim and rng.random() < 0.7:
        _showdown(hand, *victim)
    else:
        rng.choice(courses)(hand)
    for seat, stack in hand.stacks.items():
        table.people[seat].stack = stack
    return hand.events


def _walk(hand: Hand) -> None:
    furthest = [hand.plan.furthest, *hand.plan.straddlers][-1]
    for seat in hand.turns():
        if seat != furthest:
            hand.fold(seat)
    _settle(hand, furthest)


def _settle(hand: Hand, winner: int) -> None:
    """Everybody else is out, or is all-in with a post: then there is a showdown."""
    if hand.live == [winner]:
        hand.end(winner)
    else:
        _run_out(hand, winner)


def _raise(hand: Hand) -> None:
    room = hand.room
    amount = hand.level * 2 if room.betting == "limit" else hand.level * 3
    if room.betting == "limit":
        amount = hand.level + room.bets[0]
    if bring_in := dict(room.options).get("bring-in"):
        amount = 2 * int(bring_in)
    able = [s for s in hand.turns() if hand.stacks[s] + hand.bets.get(s, 0) > amount]
    if not able:
        _walk(hand)
        return
    raiser = hand.rng.choice(able)
    if room.betting == "pot-limit":
        pot_limit = hand.pot_raise(raiser)
        deep = hand.stacks[raiser] + hand.bets.get(raiser, 0) > pot_limit
        amount = pot_limit if pot_limit < amount or (deep and hand.rng.random() < 0.5) else amount
        amount = pot_limit + hand.plan.above_pot if hand.plan.above_pot else amount
    turns = hand.turns()
    for seat in turns[: turns.index(raiser)]:
        if hand.bets.get(seat, 0) >= hand.level:
            hand.check_or_call(seat)
        else:
            hand.fold(seat)
    hand.raise_to(raiser, amount)
    for seat in turns[turns.index(raiser) + 1 :] + turns[: turns.index(raiser)]:
        if seat in hand.live:
            hand.fold(seat)
    _settle(hand, raiser)


def _limp(hand: Hand) -> None:
    all_in_seats = [s for s in hand.live if not hand.stacks[s]]
    if all_in_seats:  # somebody is all-in with a post
        _walk(hand)
        return
    for seat in hand.turns():
        owes = hand.level - hand.bets.get(seat, 0)
        if not owes or (owes < hand.stacks[seat] and hand.rng.random() < 0.5):
            hand.check_or_call(seat)
        elif len(hand.live) > 1:
            hand.fold(seat)
    if len(hand.live) == 1:
        hand.end(hand.live[0])
        return
    hand.next_street(*BOARD[0])
    turns = hand.turns()
    unit = hand.room.bets[0]
    able = [s for s in turns if hand.stacks[s] > unit]
    if not able:
        hand.check_or_call(turns[0])
        for seat in turns[1:]:
            hand.fold(seat)
        hand.end(turns[0])
        return
    bettor = hand.rng.choice(able)
    for seat in turns[: turns.index(bettor)]:
        hand.check_or_call(seat)
    hand.raise_to(bettor, unit)
    for seat in turns[turns.index(bettor) + 1 :] + turns[: turns.index(bettor)]:
        hand.fold(seat)
    hand.end(bettor)


def _draw(hand: Hand) -> None:
    """Two players stay, draw, and one gives way to a bet."""
    turns = hand.turns()
    furthest = turns[-1]
    caller = next((s for s in turns if s != furthest and hand.bets.get(s, 0) <= hand.level), None)
    if caller is None or len(turns) != len(hand.live):
        _walk(hand)
        return
    for seat in turns:
        if seat in (caller, furthest):
            hand.check_or_call(seat)
        else:
            hand.fold(seat)
    hand.street, hand.bets = "first-draw", {}
    hand.events.append(d.CardBurned("first-draw"))
    first, second = hand.turns()
    count = hand.rng.randint(1, 3)
    hand.events += [d.CardsDiscarded(first, count), d.CardsDrawn(first, "??" * count, "unknown"), d.StoodPat(second)]
    unit = hand.room.bets[0]
    hand.check_or_call(first)
    hand.raise_to(second, unit)
    hand.fold(first)
    hand.end(second)


def _victim(hand: Hand) -> tuple[int, int] | None:
    """A short stack that can go all-in without raising, and somebody to lose to."""
    aside = hand.plan.straddlers or dict(hand.room.options).get("bring-in")
    if aside or hand.room.variant != "holdem":
        return None
    short_seats = [
        s
        for s in hand.live
        if hand.stacks[s] + hand.bets.get(s, 0) <= hand.level
        and not any(p.dead for p in hand.plan.posts if p.seat == s)
    ]
    deep = [s for s in hand.live if hand.stacks[s] > hand.level * 2]
    if len(short_seats) != 1 or not deep:
        return None
    return short_seats[0], hand.rng.choice(deep)


def _showdown(hand: Hand, victim: int, hero: int) -> None:
    """The short stack calls all-in, the other calls the bet, all others fold."""
    for seat in hand.turns():
        if seat in (victim, hero):
            hand.check_or_call(seat)
        else:
            hand.fold(seat)
    _run_out(hand, hero)


def _run_out(hand: Hand, winner: int) -> None:
    """No more betting: the board comes, the winner shows the best hand and takes every pot."""
    bets = [bet for seat, bet in hand.bets.items() if seat != winner]
    back = hand.bets.get(winner, 0) - max(bets, default=0)
    if back > 0:
        hand.pay(winner, -back)
        hand.events.append(b.BetReturned(winner, back))
    for street, cards in BOARD[1 if hand.street else 0 :]:
        hand.next_street(street, cards)
    hand.events.append(e.ShowdownBegun())
    losers = [s for s in hand.live if s != winner]
    hand.events.append(e.CardsShown(winner, BEST))
    hand.events += [e.CardsShown(s, cards) for s, cards in zip(losers, _HANDS, strict=False)]
    if hand.room.book == "bicycle":  # p10a
        hand.events += [b.HandKilled(seat, "lost", "dealer") for seat in losers]
    pot = sum(hand.put.values())
    hand.stacks[winner] += pot
    hand.events += [e.PotAwarded(winner, pot), e.HandCompleted()]


_HANDS = (WORST, "6h5d", "8h5c", "TcTd", "8d6s", "7s5h", "TsTh")
