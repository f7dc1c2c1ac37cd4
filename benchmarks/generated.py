"""PokerStars-like text of any length for the benchmarks: six players, no limit, honest chips."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from phevaluator.evaluator import evaluate_cards

FIRST = 2_000_000_000
"""The number of the first hand; a hand of the next number begins a minute later."""

_FIRST = datetime(2026, 1, 1, 8)  # noqa: DTZ001 - the room's own clock
_PLAY_SECONDS = 10 * 60 * 60
"""Seconds of play in a day: no hand falls into the hour by which clocks are put on or back."""

SEATS = 6
BUY_IN = 5000
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def format_cents(amount: int) -> str:
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
        days, seconds = divmod(67 * (number - FIRST), _PLAY_SECONDS)
        began = _FIRST + timedelta(days, seconds)
        lines = [
            f"PokerStars Hand #{number}:  Hold'em No Limit ($0.25/$0.50 USD) - {began:%Y/%m/%d %H:%M:%S} ET",
            f"Table '{self.name}' 6-max Seat #{self.button + 1} is the button",
        ]
        lines += [
            f"Seat {seat + 1}: {name} ({format_cents(self.stacks[seat])} in chips) "
            for seat, name in enumerate(self.names)
        ]
        return "\n".join(lines + _Play(self).lines()) + "\n\n\n\n"


class _Play:
    """One hand from the blinds to the summary."""

    def __init__(self, table: Table) -> None:
        self.table, self.dice = table, table.dice
        self.deck = self.dice.sample(DECK, 2 * SEATS + 5)
        self.order = [(table.button + 1 + n) % SEATS for n in range(SEATS)]
        self.chips_in = [0] * SEATS
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
        self.chips_in[small], self.chips_in[big] = 25, 50
        bets = {small: 25, big: 50}
        board = self.deck[-5:]
        uncalled = self._round("before Flop", self.order[2:] + self.order[:2], bets, 50)
        shown_cards = 0
        for street, count in (("Flop", 3), ("Turn", 4), ("River", 5)):
            if len(self.folded) == SEATS - 1:
                break
            shown_cards = count
            old_cards, new_card = " ".join(board[: count - 1] if count > 3 else ()), board[count - 1]
            cards_text = f"[{' '.join(board[:3])}]" if count == 3 else f"[{old_cards}] [{new_card}]"
            self.out.append(f"*** {street.upper()} *** {cards_text}")
            uncalled = self._round(f"on the {street}", [s for s in self.order if s not in self.folded], {}, 0)
        return self._end(board[:shown_cards], uncalled)

    def _round(
        self, street_text: str, order: list[int], bets: dict[int, int], bet_to_call: int
    ) -> tuple[int, int] | None:
        """Let everybody act until the bets are even; return what goes back uncalled."""
        names, dice = self.table.names, self.dice
        queue = [seat for seat in order if seat not in self.folded]
        raise_count = 0
        while queue and len(self.folded) < SEATS - 1:
            seat = queue.pop(0)
            bet = bets.get(seat, 0)
            choice = dice.random()
            if choice < 0.12 and raise_count < 2:
                new_bet = bet_to_call + max(50, bet_to_call)
                action = (
                    f"raises {format_cents(new_bet - bet_to_call)} to {format_cents(new_bet)}"
                    if bet_to_call
                    else f"bets {format_cents(new_bet)}"
                )
                raise_count += 1
                queue = [s for s in self._seats_after(seat) if s not in self.folded]
            elif bet_to_call > bet:
                if choice < 0.62:
                    self.folded[seat] = street_text
                    self.out.append(f"{names[seat]}: folds ")
                    continue
                new_bet = bet_to_call
                action = f"calls {format_cents(new_bet - bet)}"
            else:
                self.out.append(f"{names[seat]}: checks ")
                continue
            self.chips_in[seat] += new_bet - bet
            bets[seat] = bet_to_call = new_bet
            self.out.append(f"{names[seat]}: {action}")
        if not bets:
            return None
        ranked = sorted(bets.items(), key=lambda each: -each[1])
        uncalled_chips = ranked[0][1] - (ranked[1][1] if len(ranked) > 1 else 0)
        if uncalled_chips:
            seat = ranked[0][0]
            self.chips_in[seat] -= uncalled_chips
            self.out.append(f"Uncalled bet ({format_cents(uncalled_chips)}) returned to {names[seat]}")
            return seat, uncalled_chips
        return None

    def _seats_after(self, seat: int) -> list[int]:
        position = self.order.index(seat)
        return self.order[position + 1 :] + self.order[:position]

    def _won(self, board: list[str], remaining_seats: list[int], pot: int) -> dict[int, int]:
        """Who won how much: the best hands share, and the odd cents go left of the button first."""
        if len(remaining_seats) == 1:
            return {remaining_seats[0]: pot}
        ranks = {seat: evaluate_cards(*board, *self.deck[2 * seat : 2 * seat + 2]) for seat in remaining_seats}
        best = [seat for seat in self.order if ranks.get(seat) == min(ranks.values())]
        share, odd = divmod(pot, len(best))
        return {seat: share + (rank < odd) for rank, seat in enumerate(best)}

    def _end(self, board: list[str], _uncalled: tuple[int, int] | None) -> list[str]:
        names = self.table.names
        pot = sum(self.chips_in)
        rake = pot // 20 if board else 0
        remaining_seats = [seat for seat in self.order if seat not in self.folded]
        winnings = self._won(board, remaining_seats, pot - rake)
        cards = {seat: f"[{self.deck[2 * seat]} {self.deck[2 * seat + 1]}]" for seat in remaining_seats}
        has_showdown = len(remaining_seats) > 1
        if has_showdown:
            self.out.append("*** SHOW DOWN ***")
            self.out += [f"{names[seat]}: shows {cards[seat]} (high card Ace)" for seat in remaining_seats]
        self.out += [f"{names[seat]} collected {format_cents(chips)} from pot" for seat, chips in winnings.items()]
        if not has_showdown:
            self.out.append(f"{names[remaining_seats[0]]}: doesn't show hand ")
        self.out += ["*** SUMMARY ***", f"Total pot {format_cents(pot)} | Rake {format_cents(rake)} "]
        if board:
            self.out.append(f"Board [{' '.join(board)}]")
        roles = {self.table.button: " (button)", self.order[0]: " (small blind)", self.order[1]: " (big blind)"}
        for seat, name in enumerate(names):
            head = f"Seat {seat + 1}: {name}{roles.get(seat, '')} "
            if seat in self.folded:
                bet = "" if self.chips_in[seat] else " (didn't bet)"
                self.out.append(f"{head}folded {self.folded[seat]}{bet}")
            elif not has_showdown:
                self.out.append(f"{head}collected ({format_cents(pot - rake)})")
            elif seat in winnings:
                self.out.append(
                    f"{head}showed {cards[seat]} and won ({format_cents(winnings[seat])}) with high card Ace"
                )
            else:
                self.out.append(f"{head}showed {cards[seat]} and lost with high card Ace")
        for seat in range(SEATS):
            self.table.stacks[seat] -= self.chips_in[seat]
        for seat, chips in winnings.items():
            self.table.stacks[seat] += chips
        return self.out


def hands(count: int, *, seed: int = 1, tables: int = 20) -> Iterator[str]:
    """Yield `count` hands, played in turn at `tables` tables."""
    table_list = [Table(number, seed * 1000 + number) for number in range(1, tables + 1)]
    for number in range(count):
        yield table_list[number % tables].hand(FIRST + seed * 10_000_000 + number)
