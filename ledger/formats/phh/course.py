"""The chips and cards of a hand while its actions are read: what `cc` and `cbr` mean here.

Lean on purpose: players count from 0 in dealing order, a street ends where the next cards are dealt.
The whole state of a hand, with turns and limits, is `ledger.hand.fold`'s business.
"""

from __future__ import annotations

from ledger.formats.phh.words import Game
from ledger.hand.betting import Bet, BetReturned, Called, Checked, Completed, Raised
from ledger.hand.opening import BringInPosted
from ledger.vocabulary import Cards, Chips, Seat


class Course:
    """A hand as its actions have brought it so far."""

    __slots__ = (
        "acted",
        "bets",
        "board",
        "bring_in",
        "dead",
        "game",
        "hole",
        "layered",
        "level",
        "live",
        "mucked",
        "owed",
        "put",
        "returned",
        "seats",
        "shown",
        "stacks",
        "street",
    )

    def __init__(self, game: Game, seats: list[Seat], stacks: list[Chips | None]) -> None:
        """Begin with `stacks` before any post; None is a stack that nobody told."""
        count = len(seats)
        self.game = game
        self.seats = seats
        self.stacks = stacks.copy()  # what each has left
        self.bets = [0] * count  # live, on this street
        self.put = [0] * count  # in all, less what came back
        self.layered = [0] * count  # the part that others must match to win it
        self.live = [True] * count
        self.hole = [""] * count
        self.shown = [""] * count
        self.mucked: set[int] = set()
        self.acted: set[int] = set()
        self.owed: dict[int, int] = {}  # cards that a draw still owes
        self.board: Cards = ""
        self.street = 0
        self.level = 0
        self.bring_in = 0  # the level is still no more than the bring-in
        self.dead = 0
        self.returned = 0

    def pay(self, who: int, chips: Chips) -> bool | None:
        """Move chips out of a stack; return whether it is empty now, None if it was never told."""
        self.put[who] += chips
        left = self.stacks[who]
        if left is None:
            return None
        self.stacks[who] = left - chips if left > chips else 0
        return left <= chips

    def post_dead(self, who: int, chips: Chips, *, layered: bool) -> bool | None:
        """Put in dead money; `layered` antes are matched by the others like bets."""
        if layered:
            self.layered[who] += chips
        else:
            self.dead += chips
        return self.pay(who, chips)

    def post_live(self, who: int, chips: Chips) -> bool | None:
        """Put in a live post."""
        self.layered[who] += chips
        self.bets[who] += chips
        self.level = max(self.level, self.bets[who])
        return self.pay(who, chips)

    def call(self, who: int) -> Checked | Called:
        """Check, or match the level as far as the stack goes."""
        self.acted.add(who)
        due = self.level - self.bets[who]
        left = self.stacks[who]
        if left is not None and left < due:
            due = left
        if due <= 0:
            return Checked(self.seats[who])
        self.layered[who] += due
        to = self.bets[who] = self.bets[who] + due
        return Called(self.seats[who], due, to, self.pay(who, due))

    def wager(self, who: int, to: Chips) -> Bet | Raised | Completed | None:
        """Bet, complete or raise to a street total; None where that puts no chip in."""
        added = to - self.bets[who]
        if added <= 0:
            return None
        kind: type[Bet | Raised | Completed] = Raised if self.level else Bet
        if self.bring_in:
            kind, self.bring_in = Completed, 0
        self.acted = {who}
        self.layered[who] += added
        self.bets[who] = to
        self.level = max(self.level, to)
        return kind(self.seats[who], added, to, self.pay(who, added))

    def bring(self, who: int, chips: Chips) -> BringInPosted | None:
        """Post the bring-in, or what the stack holds of it; None where that is nothing."""
        left = self.stacks[who]
        if left is not None and left < chips:
            chips = left
        if not chips:
            return None
        self.acted.add(who)
        self.bring_in = chips
        return BringInPosted(self.seats[who], chips, self.post_live(who, chips))

    def close(self) -> BetReturned | None:
        """End the street; return what nobody called of its highest bet."""
        bets = self.bets
        top = max(bets)
        event = None
        if top:
            who = bets.index(top)
            bets[who] = 0
            over = top - max(bets)
            if over and self.live[who]:
                self.put[who] -= over
                self.layered[who] -= over
                self.returned += over
                left = self.stacks[who]
                if left is not None:
                    self.stacks[who] = left + over
                event = BetReturned(self.seats[who], over)
            self.bets = [0] * len(bets)
        self.level = self.bring_in = 0
        self.acted = set()
        return event

    def discard(self, who: int, cards: Cards) -> None:
        """Take cards out of a hand as far as they are known to be in it."""
        hole = self.hole[who]
        for at in range(0, len(cards), 2):
            card = cards[at : at + 2]
            place = next((i for i in range(0, len(hole), 2) if hole[i : i + 2] == card), -1)
            if place < 0:  # one of the cards that nobody knows
                place = next((i for i in range(0, len(hole), 2) if hole[i : i + 2] == "??"), -1)
            hole = hole[:place] + hole[place + 2 :] if place >= 0 else "??" * (len(hole) // 2 - 1)
        self.hole[who] = hole

    def alone(self) -> bool:
        """Whether all but one have folded."""
        return sum(self.live) == 1

    def last_street(self) -> bool:
        """Whether nothing is left to deal."""
        game = self.game
        if game.kind == "board":
            return len(self.board) >= 10
        return self.street == (4 if game.kind == "stud" else game.draws)

    def over(self) -> bool:
        """Whether the actions have brought the hand to its end."""
        live = self.live
        if sum(live) == 1:
            return True
        if not self.last_street() or (self.owed and any(live[who] for who in self.owed)):
            return False
        able = [who for who, stack in enumerate(self.stacks) if live[who] and stack != 0]
        if any(self.bets[who] < self.level for who in able):
            return False
        return len(able) <= 1 or self.acted.issuperset(able)


def known(cards: Cards) -> bool:
    """Whether every card of a hand is known."""
    return bool(cards) and "?" not in cards
