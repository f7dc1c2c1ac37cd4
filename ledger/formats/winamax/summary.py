"""The summary: what the room itself says came of the hand."""

from __future__ import annotations

from typing import Final

from ledger.formats.winamax.hand import Hand
from ledger.formats.winamax.words import read_cards
from ledger.hand.ending import RemarkNoted, ResultDeclared
from ledger.readers.hand import NOWHERE
from ledger.readers.summaries import learned, seated
from ledger.vocabulary import Chips, Seat

_LABELS: Final = ("(button)", "(small blind)", "(big blind)")
_FOLDED: Final = frozenset(f" folded on the {street}"[-13:] for street in ("pre-flop", "flop", "turn", "river"))
_QUIET: Final = ("folded", "mucked", "lost", "and lost", "")


def read(hand: Hand, k: int, after: int) -> Chips | None:
    """Read lines `k` up to `after`; return the pot before the rake, None if it is not told."""
    text = hand.lines.text
    names = {seat: name for name, seat in hand.seats.items()}
    won: dict[Seat, tuple[Chips, int]] = {}
    total: Chips | None = None
    for at in range(k, after):
        line = text[at].strip()
        hand.at = at
        if line[:5] == "Seat ":
            if line[-13:] not in _FOLDED or "[" in line:
                _seat(hand, line, names, won)
        elif line.startswith("Total pot "):
            total = _totals(hand, line)
        elif line.startswith("Board"):
            _board(hand, line)
        elif line:
            hand.unread(line)
    for seat, (amount, at) in won.items():
        hand.at = at
        hand.put(ResultDeclared("collected", seat, amount))
    return total


def _totals(hand: Hand, line: str) -> Chips | None:
    """Read `Total pot 6.26€ | Rake 0.24€`: the pot is what is left after the rake.

    From 1,000 chips on the pot may be rounded, `6.02k`. Then it is no result to check, but it
    tells all the same whether a bet that nobody called stayed in the pot.
    """
    pot, *drops = line.split(" | ")
    rake = 0
    for drop in drops:
        if drop.startswith("Rake "):
            rake += hand.chips(drop[5:])
        elif drop not in ("No rake", "No Rake"):
            hand.unread(line)
            return None
    hand.drop("rake", rake)
    told = pot[10:].replace(" ", "").removesuffix("€")
    if told[-1:] in ("k", "K", "M"):
        hand.put(RemarkNoted(hand.people.text(pot)))
        return _rounded(hand, told, rake)
    total = hand.chips(pot[10:]) + rake
    hand.put(ResultDeclared("total-pot", None, total))
    return total


def _rounded(hand: Hand, told: str, rake: Chips) -> Chips | None:
    """Return all chips put in, if that is what a rounded pot means, otherwise None."""
    factor = 1_000_000 if told.endswith("M") else 1000
    whole, _, digits = told[:-1].replace(",", ".").partition(".")
    if not (whole + digits).isascii() or not (whole + digits).isdigit() or len(told) > 15:
        return None
    step = factor * 10**hand.exponent // 10 ** min(len(digits), 3)
    amount = int(whole + digits[:3]) * step
    put_in = sum(hand.put_in) + hand.seeded
    return put_in if abs(put_in - rake - amount) <= step else None


def _board(hand: Hand, line: str) -> None:
    left, right = line.find("["), line.find("]")
    found = read_cards(line[left + 1 : right]) if 0 <= left < right else None
    if found is None:
        hand.unread(line)
    else:
        hand.put(ResultDeclared("board", cards=found))


def _seat(hand: Hand, line: str, names: dict[Seat, str], won: dict[Seat, tuple[Chips, int]]) -> None:
    """Read `Seat 3: Name (button) showed [Ah Kd] and won 5€ with One pair : Aces`."""
    found = seated(line, names.get, _LABELS)
    rest = found and learned(hand, *found, read_cards)
    if found is None or rest is None:
        hand.unread(line)
        return
    seat = found[0]
    if rest.startswith(("won ", "and won ")):
        amount = rest.partition("won ")[2].partition(" with ")[0]
        before = won.get(seat, (0, NOWHERE))
        won[seat] = before[0] + hand.chips(amount), hand.at
    elif not rest.startswith(_QUIET[:-1]) and rest:
        hand.unread(line)
