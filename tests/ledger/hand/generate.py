"""Random hands that keep every rule, for tests and benchmarks: any variant, any betting.

`play(random.Random(7), "omaha8", "limit")` returns the events of one account that tells everything.
What is due and what may be bet comes from `ledger.hand.bounds`; `test_against_pokerkit.py` checks
that against another program. `full_raises`: over an all-in of less than half a bet a limit raise goes a whole
bet, as that program has it; no book does, so other tests get the bet below it completed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import get_args

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.bounds import actor, bet_size, bounds, call_level, to_call
from ledger.hand.evaluate import shares
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin
from ledger.hand.order import next_clockwise
from ledger.hand.pots import find_uncalled_bet
from ledger.hand.variants import VARIANTS, StreetPlan, Variant
from ledger.vocabulary import DECK, Witness

ALL_WITNESSES = sum(Witness)
BETTINGS = ("no-limit", "pot-limit", "limit")
SHORT_DECK = tuple(card for card in DECK if card[0] not in "2345")


class Dealer:
    """Deals one hand and plays it by chance; `events` grows as it goes."""

    def __init__(
        self,
        rng: Random,
        variant: str,
        betting: str,
        *,
        count: int,
        number: str = "1",
        antes: bool = False,
        straddle: bool = False,
        deep: bool = False,
        drop: bool = False,
        full_raises: bool = False,
    ) -> None:
        self.rng = rng
        self.game: Variant = VARIANTS[variant]
        self.betting = betting
        self.state = begin()
        self.events: list[HandEvent] = []
        self.deck = list(SHORT_DECK if self.game.deck == 36 else DECK)
        rng.shuffle(self.deck)
        self.count = count
        self.antes = antes
        self.straddle = straddle
        self.deep = deep
        self.drop = drop
        self.full_raises = full_raises
        self.number = number

    def say(self, event: HandEvent) -> None:
        self.events.append(event)
        apply(self.state, event)

    def play(self) -> list[HandEvent]:
        self._open()
        first, *later = self.game.streets
        self._deal(first)
        self.say(d.DealCompleted())
        self._bet()
        for plan in later:
            if len(self.state.live) < 2:
                break
            self._street(plan)
            self._bet()
        self._end()
        return self.events

    def _open(self) -> None:
        stud = self.game.opening != "blinds"
        seats = range(1, self.count + 1)
        self.say(o.HandOpened("Test Room", "1", self.number, int(ALL_WITNESSES), 1_700_000_000_000))
        ante = self.rng.choice((1, 5)) if self.antes or stud else 0
        limits = (20, 40) if self.betting == "limit" else (20,)
        blinds = () if stud else (10, 20)
        bring_in = 5 if stud else 0
        self.say(o.GameSet(self.game.id, self.betting, "cash", "chips", 0, blinds, ante, limits, bring_in))
        if self.betting == "limit":
            self.say(o.OptionSet("raise-cap", 3))
        for seat in seats:
            stack_limit = 4000 if self.deep else 300
            stack = self.rng.randint(6, stack_limit) if self.rng.random() < 0.8 else 2000
            self.say(o.SeatDealtIn(seat, f"player{seat:010d}", stack))
        if not stud:
            self.say(o.ButtonPlaced(self.count))
        if ante:
            for seat in seats:
                paid = min(ante, self.state.stack_left(seat) or 0)
                self.say(o.AntePosted(seat, paid))
        if not stud:
            self._blinds()

    def _blinds(self) -> None:
        small, big = (2, 1) if self.count == 2 else (1, 2)
        for seat, role, amount in ((small, "small", 10), (big, "big", 20)):
            paid = min(amount, self.state.stack_left(seat) or 0)
            if paid:
                self.say(o.BlindPosted(seat, role, paid))
        if self.straddle and self.count > 3 and (self.state.stack_left(3) or 0) >= 40:
            self.say(o.StraddlePosted(3, 40))

    def _deal(self, plan: StreetPlan) -> None:
        for seat in self.state.live_seats():
            many = plan.down + plan.up
            if many:
                cards = "".join(self.deck.pop() for _ in range(many))
                up = "d" * plan.down + "u" * plan.up if plan.up else ""
                self.say(d.HoleCardsDealt(seat, cards, up))
        if plan.board:
            for board in range(1, self.game.boards + 1):
                cards = "".join(self.deck.pop() for _ in range(plan.board))
                self.say(d.BoardDealt(plan.name, cards, board))
        if self.game.opening != "blinds" and plan.name == "third":
            self._bring_in()

    def _bring_in(self) -> None:
        seat = actor(self.state)
        if seat is not None:
            self.say(o.BringInPosted(seat, min(5, self.state.stack_left(seat) or 0)))

    def _street(self, plan: StreetPlan) -> None:
        if not plan.board:
            self.say(d.StreetDealt(plan.name))
        for seat in self.state.live_seats():
            if plan.discard:
                cards = "".join(self.state.hole_cards(seat)[: plan.discard])
                self.say(d.CardsDiscarded(seat, plan.discard, cards))
        self._deal(plan)
        if plan.draw:
            for seat in self.state.live_seats():
                self._draw(seat)

    def _draw(self, seat: int) -> None:
        many = self.rng.randint(0, min(3, len(self.deck) // self.count))
        if not many:
            self.say(d.StoodPat(seat))
            return
        cards = self.rng.sample(self.state.hole_cards(seat), many)
        self.say(d.CardsDiscarded(seat, many, "".join(cards)))
        self.say(d.CardsDrawn(seat, "".join(self.deck.pop() for _ in range(many))))

    def _bet(self) -> None:
        while (seat := actor(self.state)) is not None:
            self.say(self._act(seat))
        uncalled_bet = find_uncalled_bet(self.state)
        if uncalled_bet is not None:
            self.say(b.BetReturned(uncalled_bet.seat, uncalled_bet.amount))

    def _act(self, seat: int) -> HandEvent:
        state, rng = self.state, self.rng
        owed, own_bet, level = to_call(state, seat), state.street_bet(seat), call_level(state)
        legal = bounds(state, seat)
        dice = rng.random()
        if legal.may_raise and dice < 0.3:
            low, high = legal.min_to, legal.max_to or legal.min_to
            raise_to = rng.choice((low, low, high, rng.randint(low, high)))
            if self.betting == "limit":
                full_raise = min(level + bet_size(state), own_bet + (state.stack_left(seat) or 0))
                raise_to = full_raise if self.full_raises and legal.why == "short-all-in" else low
            if not level:
                return b.Bet(seat, raise_to - own_bet, raise_to)
            if state.street == "third" and state.round.bet_to_call < 20 and not state.round.full_raises:
                return b.Completed(seat, raise_to - own_bet, raise_to)
            return b.Raised(seat, raise_to - own_bet, raise_to)
        if not owed:
            return b.Checked(seat)
        return b.Called(seat, owed, own_bet + owed) if dice < 0.8 else b.Folded(seat)

    def _end(self) -> None:
        state = self.state
        if len(state.live) > 1:
            self.say(e.ShowdownBegun())
            for seat in state.live_seats():
                self.say(e.CardsShown(seat, "".join(state.hole_cards(seat))))
        if self.drop and state.pot_size() > 100:
            self.say(e.DropTaken("rake", state.pot_size() // 50))
        pot_left = state.pot_size() - state.chips.drop
        for seat, amount, share in self._awards():
            paid = min(amount, pot_left)
            pot_left -= paid
            if paid:
                self.say(e.PotAwarded(seat, paid, share.pot, share.run, share.board, share.half))
        self.say(e.HandCompleted())

    def _awards(self) -> Iterator[tuple[int, int, object]]:
        pot_shares = shares(self.state)
        assert not pot_shares.reason, pot_shares
        for share in pot_shares.parts:
            quotient, odd = divmod(share.amount, len(share.winners))
            first = next_clockwise(share.winners, self.state.button or 0)
            for seat in share.winners:
                yield seat, quotient + (odd if seat == first else 0), share


def play(
    rng: Random, variant: str = "holdem", betting: str = "no-limit", *, count: int | None = None, **options: bool
) -> list[HandEvent]:
    """Return the events of one random hand."""
    seat_limit = 4 if VARIANTS[variant].streets[-1].draw else 6
    seats = count or rng.randint(2, seat_limit)
    return Dealer(rng, variant, betting, count=seats, **options).play()


def hands(number: int, seed: int = 1) -> list[list[HandEvent]]:
    """Return many random hands of all variants and bettings."""
    rng = Random(seed)
    names = sorted(VARIANTS)
    return [
        play(
            rng,
            rng.choice(names),
            rng.choice(BETTINGS),
            antes=rng.random() < 0.3,
            straddle=rng.random() < 0.2,
            deep=rng.random() < 0.3,
        )
        for _ in range(number)
    ]


EVERY_KIND = get_args(HandEvent)
