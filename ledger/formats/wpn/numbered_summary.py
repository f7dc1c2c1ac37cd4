"""The second generation's summary; hands without a showdown say only here who was paid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.wpn.hand import Hand
from ledger.formats.wpn.words import read_cards
from ledger.hand.ending import DropTaken, PotAwarded, ResultDeclared
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.readers.summaries import learned, seated
from ledger.vocabulary import Chips, Seat

_LABELS: Final = ("(button)", "(small blind)", "(big blind)", "(straddle)")
_QUIET: Final = ("folded", "mucked", "did not show", "and lost", "lost", "is sitting out")
_DROPS: Final = {"rake": "rake", "jp fee": "jackpot", "jackpot": "jackpot"}


@dataclass(slots=True)
class Results:
    """What the summary, or the two summaries of a hand run twice, declare."""

    number: int = 0  # of the summary that is being read
    won: list[tuple[Seat, Chips, int]] = field(default_factory=list)
    totals: list[tuple[Chips, list[tuple[str, Chips]], int]] = field(default_factory=list)


def line(hand: Hand, text: str, results: Results) -> None:
    """Read one line."""
    if text.startswith("Seat "):
        _seat(hand, text, results)
    elif text.startswith("Total pot "):
        _totals(hand, text, results)
    elif text.startswith("Board"):
        left, right = text.find("["), text.find("]")
        cards = read_cards(text[left + 1 : right]) if 0 <= left < right else None
        if cards is None:
            hand.unread(text)
        else:
            number = results.number if results.number > 1 or hand.run > 1 else 0
            told = text[5:left].strip()
            number = int(told) if told in ("1", "2", "3") else number
            hand.put(ResultDeclared("board", cards=cards, number=number))
    elif is_bomb_pot(text):
        hand.put(BOMB_POT)
    elif text.strip("-"):
        hand.unread(text)


def is_bomb_pot(text: str) -> bool:
    """Tell whether a line says that everybody's ante opened a bomb pot: `BombPot`, `BOMB POT`."""
    return text.strip().lower().replace(" ", "") == "bombpot"


def _totals(hand: Hand, text: str, results: Results) -> None:
    """Read `Total pot $1.19 | Rake $0.04 | JP Fee $0.02`."""
    pot, *rest = text.split(" | ")
    drops: list[tuple[str, Chips]] = []
    for part in rest:
        name, _, amount = part.rpartition(" ")
        kind = _DROPS.get(name.strip().lower())
        if kind is None:
            hand.unread(text)
            return
        drops.append((kind, hand.chips(amount)))
    results.totals.append((hand.chips(pot[10:]), drops, hand.at))


def _seat(hand: Hand, text: str, results: Results) -> None:
    """Read `Seat 3: X (button) showed [..] and won $1.19 with a pair of Queens [..]`."""
    names = {chair: name for name, chair in hand.seats.items()}
    found = seated(text, names.get, _LABELS)
    rest = found and learned(hand, *found, read_cards)
    if found is None or rest is None:
        hand.unread(text)
        return
    seat = found[0]
    _won(hand, seat, rest, text, results)


def _won(hand: Hand, seat: Seat, rest: str, text: str, results: Results) -> None:
    """Read `and won $1.19 with …`, `did not show and won $0.25`, one or several times."""
    at, found = rest.find("won "), False
    while at >= 0:
        amount = rest[at + 4 :].partition(" ")[0].rstrip(",")
        if amount[:1] in "$€£" or amount[:1].isdigit():
            results.won.append((seat, hand.chips(amount), hand.at))
            found = True
        at = rest.find("won ", at + 4)
    if not found and not rest.startswith(_QUIET):
        hand.unread(text)


def end(hand: Hand, results: Results) -> None:
    """Tell what the whole summary says: the awards, if no line did so before, the drop, the results."""
    awarded = any(isinstance(event, PotAwarded) for event in hand.events)
    if BOMB_POT in hand.events:
        settle(hand.events)
    declared: dict[Seat, tuple[Chips, int]] = {}
    for seat, amount, at in results.won:
        hand.at = at
        if awarded:
            declared[seat] = declared.get(seat, (0, at))[0] + amount, at
        else:
            hand.award(seat, amount)
    total: Chips | None = None
    put_in = sum(hand.put_in)
    for pot, drops, at in _of_the_hand(results, put_in):
        hand.at = at
        for kind, amount in drops:
            hand.put(DropTaken(kind, amount))  # type: ignore[arg-type]  # one of two
        total = (total or 0) + pot + sum(amount for _, amount in drops)
    if total is not None:
        hand.count_pot(total, 0)
    for seat, (amount, at) in declared.items():
        hand.at = at
        hand.put(ResultDeclared("collected", seat, amount))
    hand.settle_bets(total)


def _of_the_hand(results: Results, put_in: Chips) -> list[tuple[Chips, list[tuple[str, Chips]], int]]:
    """Return the totals that count: all of them where two runs have parts, the first where each has all."""
    totals = results.totals
    whole = [pot + sum(amount for _, amount in drops) for pot, drops, _ in totals]
    if len(totals) > 1 and sum(whole) != put_in and whole[0] == put_in:
        return totals[:1]
    return totals
