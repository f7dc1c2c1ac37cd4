"""The summary: the pot, the rake, and what each seat came to."""

from __future__ import annotations

from typing import Final

from ledger.formats.absolute.hand import Hand
from ledger.formats.absolute.words import read_cards
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import HandCompleted, ResultDeclared
from ledger.readers.hand import DropKind
from ledger.vocabulary import Chips, Seat

_LABELS: Final = ("(dealer)", "(small blind)", "(big blind)", "(dead dealer)")


def read(hand: Hand, k: int, after: int) -> None:
    """Read lines `k` up to `after`."""
    text = hand.lines.text
    total: Chips | None = None
    for at in range(k, after):
        line = text[at].strip()
        hand.at = at
        if line.startswith("Seat "):
            _seat(hand, line)
        elif line.startswith("Total Pot("):
            total = _totals(hand, line)
        elif line.startswith("Board ["):
            cards = read_cards(line[7:].removesuffix("]"))
            if cards is None:
                hand.unread(line)
            else:
                hand.put(ResultDeclared("board", cards=cards))
        elif line:
            hand.unread(line)
    put_in = sum(hand.put_in)
    hand.close_bets()
    uncalled = sum(amount for _, amount, _ in hand.pending)
    hand.return_bets(total if total == put_in - uncalled else put_in)
    hand.silent()
    hand.at = k - 1
    hand.put(HandCompleted())


_DROPS: Final[dict[str, DropKind]] = {"Rake": "rake", "Jackpot Rake": "jackpot"}


def _totals(hand: Hand, line: str) -> Chips | None:
    """Read `Total Pot($4.50) | Rake ($0.20)`, `Total Pot(5,480:3,750,1,730)`: with its parts behind a colon."""
    pot, *drops = line.split(" | ")
    for drop in drops:
        name, _, amount = drop.partition(" (")
        kind = _DROPS.get(name)
        if kind is None:
            hand.unread(line)
            return None
        hand.drop(kind, hand.chips(amount.removesuffix(")")))
    total = hand.chips(pot[10:].removesuffix(")").partition(":")[0])
    hand.put(ResultDeclared("total-pot", None, total))
    return total


def _seat(hand: Hand, line: str) -> None:
    """Read `Seat 3: NAME (small blind) won Total ($122) HI:($122) with Flush [Kc 5s - B:As,…]`."""
    number, _, rest = line[5:].partition(": ")
    seat: Seat = int(number[:3]) if number.isascii() and number.isdigit() else 0
    name = next((one for one, chair in hand.seats.items() if chair == seat), None)
    if name is None or not rest.startswith(name):
        hand.unread(line)
        return
    rest = rest[len(name) :].strip()
    while rest.startswith(_LABELS):
        rest = rest[rest.find(")") + 1 :].lstrip()
    if rest.startswith(("won Total (", "collected Total (")):
        amount = rest.partition("Total (")[2].partition(")")[0]
        hand.put(ResultDeclared("collected", seat, hand.chips(amount)))
    elif not rest.startswith(("Folded", "HI:", "LO:", "lost", "[", "Mucked", "Does not", "sitout")):
        hand.unread(line)
        return
    _cards(hand, seat, rest)


def _cards(hand: Hand, seat: Seat, rest: str) -> None:
    """Learn cards that no line showed: `HI: [Mucked] [Kd 6c]`."""
    for part in rest.split("[")[1:]:
        cards = read_cards(part.partition("]")[0].partition(" - ")[0])
        if cards is not None and seat not in hand.shown:
            hand.shown[seat] = cards
            hand.put(HoleCardsLearned(seat, cards))
