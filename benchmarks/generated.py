"""PokerStars-like text of any length for the benchmarks: six players, no limit, honest chips."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from phevaluator.evaluator import evaluate_cards

FIRST = 2_000_000_000
"""The number of the first hand; a hand of the next number begins a minute later."""

_FIRST = datetime(2026, 1, 1, 8)  # noqa: DTZ001 - the room's own clock
_OPEN = 10 * 60 * 60
"""Seconds of play in a day: no hand falls into the hour by which clocks are put on or back."""

SEATS = 6
BUY_IN = 5000
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def cents(amount: int) -> str:
    return f"${amount // 100}.{amount % 100:02d}" if amount % 100 else f"${amount // 100}"


class Table:
    """Plays random but legal hands and writes them down; stacks are topped up before each."""

    def __init__(self, number: int, seed: int) -> None:
        self.dice = random.Random(seed)
        self.name = f"Table {number}"
        self.names = [f"player {number}.{seat}" for seat in range(1, SEATS + 1)]
        self.stacks = [BUY_IN] * SEATS
        self.button = 0

    def hand(self, number: int) -> str:
        """Play one hand and return its text."""
        self.button = (self.button + 1) % SEATS
        self.stacks = [stack if stack >= 1000 else BUY_IN for stack in self.stacks]
        days, seconds = divmod(67 * (number - FIRST), _OPEN)
        began = _FIRST + timedelta(days, seconds)
        lines = [
            f"PokerStars Hand #{number}:  Hold'em No Limit ($0.25/$0.50 USD) - {began:%Y/%m/%d %H:%M:%S} ET",
            f"Table '{self.name}' 6-max Seat #{self.button + 1} is the button",
        ]
        lines += [
            f"Seat {seat + 1}: {name} ({cents(self.stacks[seat])} in chips) " for seat, name in enumerate(self.names)
        ]
        return "\n".join(lines + _Play(self).lines()) + "\n\n\n\n"


class _Play:
    """One hand from the blinds to the summary."""

    def __init__(self, table: Table) -> None:
        self.table, self.dice = table, table.dice
        self.deck = self.dice.sample(DECK, 2 * SEATS + 5)
        self.order = [(table.button + 1 + n) % SEATS for n in range(SEATS)]
        self.put = [0] * SEATS
        self.folded: dict[int, str] = {}
        self.out: list[str] = []

    def lines(self) -> list[str]:
        small, big = self.order[:2]
        names = self.table.names
        self.out += [
            f"{names[small]}: posts small blind $0.25",
            f"{names[big]}: posts big blind $0.50",
            "*** HOLE CARDS ***",
            f"Dealt to {names[0]} [{self.deck[0]} {self.deck[1]}]",
        ]
        self.put[small], self.put[big] = 25, 50
        bets = {small: 25, big: 50}
        board = self.deck[-5:]
        back = self._round("before Flop", self.order[2:] + self.order[:2], bets, 50)
        shown = 0
        for street, count in (("Flop", 3), ("Turn", 4), ("River", 5)):
            if len(self.folded) == SEATS - 1:
                break
            shown = count
            old, new = " ".join(board[: count - 1] if count > 3 else ()), board[count - 1]
            dealt = f"[{' '.join(board[:3])}]" if count == 3 else f"[{old}] [{new}]"
            self.out.append(f"*** {street.upper()} *** {dealt}")
            back = self._round(f"on the {street}", [s for s in self.order if s not in self.folded], {}, 0)
        return self._end(board[:shown], back)

    def _round(self, where: str, order: list[int], bets: dict[int, int], level: int) -> tuple[int, int] | None:
        """Let everybody act until the bets are even; return what goes back uncalled."""
        names, dice = self.table.names, self.dice
        queue = [seat for seat in order if seat not in self.folded]
        raised = 0
        while queue and len(self.folded) < SEATS - 1:
            seat = queue.pop(0)
            bet = bets.get(seat, 0)
            choice = dice.random()
            if choice < 0.12 and raised < 2:
                to = level + max(50, level)
                said = f"raises {cents(to - level)} to {cents(to)}" if level else f"bets {cents(to)}"
                raised += 1
                queue = [s for s in self._after(seat) if s not in self.folded]
            elif level > bet:
                if choice < 0.62:
                    self.folded[seat] = where
                    self.out.append(f"{names[seat]}: folds ")
                    continue
                to = level
                said = f"calls {cents(to - bet)}"
            else:
                self.out.append(f"{names[seat]}: checks ")
                continue
            self.put[seat] += to - bet
            bets[seat] = level = to
            self.out.append(f"{names[seat]}: {said}")
        if not bets:
            return None
        ranked = sorted(bets.items(), key=lambda each: -each[1])
        over = ranked[0][1] - (ranked[1][1] if len(ranked) > 1 else 0)
        if over:
            seat = ranked[0][0]
            self.put[seat] -= over
            self.out.append(f"Uncalled bet ({cents(over)}) returned to {names[seat]}")
            return seat, over
        return None

    def _after(self, seat: int) -> list[int]:
        at = self.order.index(seat)
        return self.order[at + 1 :] + self.order[:at]

    def _won(self, board: list[str], left: list[int], pot: int) -> dict[int, int]:
        """Who won how much: the best hands share, and the odd cents go left of the button first."""
        if len(left) == 1:
            return {left[0]: pot}
        ranks = {seat: evaluate_cards(*board, *self.deck[2 * seat : 2 * seat + 2]) for seat in left}
        best = [seat for seat in self.order if ranks.get(seat) == min(ranks.values())]
        share, odd = divmod(pot, len(best))
        return {seat: share + (at < odd) for at, seat in enumerate(best)}

    def _end(self, board: list[str], _back: tuple[int, int] | None) -> list[str]:
        names = self.table.names
        pot = sum(self.put)
        rake = pot // 20 if board else 0
        left = [seat for seat in self.order if seat not in self.folded]
        won = self._won(board, left, pot - rake)
        cards = {seat: f"[{self.deck[2 * seat]} {self.deck[2 * seat + 1]}]" for seat in left}
        shown = len(left) > 1
        if shown:
            self.out.append("*** SHOW DOWN ***")
            self.out += [f"{names[seat]}: shows {cards[seat]} (high card Ace)" for seat in left]
        self.out += [f"{names[seat]} collected {cents(chips)} from pot" for seat, chips in won.items()]
        if not shown:
            self.out.append(f"{names[left[0]]}: doesn't show hand ")
        self.out += ["*** SUMMARY ***", f"Total pot {cents(pot)} | Rake {cents(rake)} "]
        if board:
            self.out.append(f"Board [{' '.join(board)}]")
        roles = {self.table.button: " (button)", self.order[0]: " (small blind)", self.order[1]: " (big blind)"}
        for seat, name in enumerate(names):
            head = f"Seat {seat + 1}: {name}{roles.get(seat, '')} "
            if seat in self.folded:
                bet = "" if self.put[seat] else " (didn't bet)"
                self.out.append(f"{head}folded {self.folded[seat]}{bet}")
            elif not shown:
                self.out.append(f"{head}collected ({cents(pot - rake)})")
            elif seat in won:
                self.out.append(f"{head}showed {cards[seat]} and won ({cents(won[seat])}) with high card Ace")
            else:
                self.out.append(f"{head}showed {cards[seat]} and lost with high card Ace")
        for seat in range(SEATS):
            self.table.stacks[seat] -= self.put[seat]
        for seat, chips in won.items():
            self.table.stacks[seat] += chips
        return self.out


def hands(count: int, *, seed: int = 1, tables: int = 20) -> Iterator[str]:
    """Yield `count` hands, played in turn at `tables` tables."""
    made = [Table(number, seed * 1000 + number) for number in range(1, tables + 1)]
    for number in range(count):
        yield made[number % tables].hand(FIRST + seed * 10_000_000 + number)
