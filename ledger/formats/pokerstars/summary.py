"""The summary of a hand: what the source itself says came of it."""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.formats.pokerstars import hand as h
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.header import begins
from ledger.formats.pokerstars.words import HEADS, NUMBERS, QUIET, QUIET_TAILS
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import DropTaken, HandVoided, RemarkNoted, ResultDeclared, ResultKind
from ledger.vocabulary import Chips, Seat


def read(hand: Hand, k: int) -> tuple[int, Chips | None]:
    """Read the summary from line `k` to the hand's end; return the next line and the total pot."""
    text = hand.lines.text
    total: Chips | None = None
    for k in range(k, len(text)):  # noqa: B020, PLR1704 - the same lines, from here on
        line = text[k]
        if not line:
            continue
        if line[:5] == "Seat ":
            if line[-10:] not in QUIET_TAILS or "[" in line:
                _seat(hand, line, k)
        elif line.startswith("Total pot "):
            total = _totals(hand, line, k)
        elif line.startswith("Board ["):
            _board(hand, line[7:], 0, k)
        elif line.isspace():
            pass
        elif k in hand.lines.strange:
            hand.unread(line, k)
        elif line.startswith(HEADS) or line[0] in "\ufeff *#" or begins(line) or not _rest(hand, line.strip(), k):
            return k, total
    return len(text), total


def _rest(hand: Hand, line: str, k: int) -> bool:
    """Read a rarer line; False where the hand is over and something else begins."""
    first, _, after = line.partition(" ")
    if first in NUMBERS and after.startswith("Board ["):
        _board(hand, after[7:], NUMBERS[first], k)
    elif line.startswith("Hand was run "):
        if hand.runs_at < 0 and not line.endswith("once"):
            hand.put(RunsAgreed(3 if line.endswith(("three times", "thrice")) else 2), k)
    elif line == "Hand cancelled":
        hand.put(HandVoided("cancelled"), k)
    elif line.startswith(("Hand ended at ", "Game ended: ")):
        hand.put(RemarkNoted(hand.people.text(line)), k)
    elif line.startswith("Seat"):
        _seat(hand, line, k)
    elif line.strip("-"):
        return False
    return True


def _board(hand: Hand, rest: str, number: int, k: int) -> None:
    cards = h.cards(rest.rstrip().removesuffix("]"))
    if cards is None:
        hand.unread(hand.lines.text[k], k)
    elif cards:  # a hand without a board may say so with `Board []`
        if not number and (1, 2) in hand.board:
            number = 1 + any(isinstance(e, ResultDeclared) and e.what == "board" for e in hand.events)
        hand.put(ResultDeclared("board", cards=cards, number=number), k)


def _totals(hand: Hand, line: str, k: int) -> Chips | None:
    """Read `Total pot $20 Main pot $12. Side pot-1 $8. | Rake $1 | Jackpot $0.10`."""
    known = _known.setdefault(hand.exponent, {})
    found = known.get(line)
    if found is None:
        found = _read_totals(hand, line)
        if len(known) > _KEPT:
            known.clear()
        if len(line) < _LONGEST:
            known[line] = found
    events, total, whole = found
    for event in events:
        hand.put(event, k)
    if not whole:
        hand.unread(line, k)
    return total


_known: Final[dict[int, dict[str, tuple[list[Event], Chips | None, bool]]]] = {}
_KEPT: Final = 20_000
_LONGEST: Final = 120


def _read_totals(hand: Hand, line: str) -> tuple[list[Event], Chips | None, bool]:
    """Return what a line of totals says, the total, and whether all of it was understood."""
    pots, *drops = line.rstrip().split(" | ")
    words = pots.split()
    if len(words) < 3:
        return [], None, False
    total = hand.chips(words[2])
    events: list[Event] = []
    for drop in drops:
        name, _, amount = drop.strip().rpartition(" ")
        if name in _POTS:
            events.append(ResultDeclared(_POTS[name], None, hand.chips(amount)))
            continue
        kind = _DROPS.get(name.lower())
        if kind == "splash":  # what the room added: a line said so before
            continue
        events.append(DropTaken(kind or "other", hand.chips(amount)))  # type: ignore[arg-type]  # the values are its kinds
    events.append(ResultDeclared("total-pot", None, total))
    at = 3
    while at + 2 < len(words):
        kind_word, name = words[at], words[at + 1]
        digits = name[4:]
        what: ResultKind = "main-pot" if kind_word == "Main" else "side-pot"
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 3 else 0
        if not name.startswith("pot"):
            return events, total, False
        events.append(ResultDeclared(what, None, hand.chips(words[at + 2]), "", number))
        at += 3
    return events, total, True


_DROPS = {"rake": "rake", "jackpot": "jackpot", "bingo": "bingo", "fortune": "fortune", "tax": "tax", "stp": "splash"}
_POTS: Final[dict[str, ResultKind]] = {"Main pot": "main-pot", "Side pot": "side-pot"}
"""Run It Once's main pot is without the splash, so it does not add up with it to a total."""


def _seat(hand: Hand, line: str, k: int) -> None:
    """Read `Seat 3: Name (button) showed [Ah Kd] and won ($5) with a pair of Aces`."""
    colon = line.find(": ")
    digits = line[5:colon]
    seat = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else 0
    chair = hand.chairs.get(seat)
    if chair is None or not line.startswith(chair.head):
        hand.unread(line, k)
        return
    rest = line[len(chair.head) :].strip()
    while rest.startswith(_LABELS):
        rest = rest[rest.find(")") + 1 :].lstrip()
    if rest[:11] == "collected (" and (won := hand.money.get(rest[11:-1])) and rest[-1] == ")":
        hand.put(ResultDeclared("collected", seat, won), k)
        return
    if rest.endswith(QUIET) and "[" not in rest:
        return
    if rest.startswith(("showed [", "mucked [")):
        end = rest.find("]")
        cards = h.cards(rest[8:end])
        if cards is None:
            hand.unread(line, k)
            return
        if hand.kept.get(seat) != cards:
            how = "shown" if rest[0] == "s" else "after"
            hand.put(HoleCardsLearned(seat, cards, how), k)  # type: ignore[arg-type]  # one of two
        rest = rest[end + 1 :].lstrip()
    _won(hand, seat, rest, line, k)


_LABELS = ("(button)", "(small blind)", "(big blind)", "(button blind)")


def _won(hand: Hand, seat: Seat, rest: str, line: str, k: int) -> None:
    """Read `and won ($5) with …, and won ($3) with …`, `collected ($5)`."""
    won: Chips | None = None
    for words in ("collected ", "won "):
        at = rest.find(words)
        while at >= 0:
            amount = rest[at + len(words) :].split(" ", 1)[0]
            won = (won or 0) + hand.chips(amount.strip("(),"))
            at = rest.find(words, at + 1)
        if won is not None:
            hand.put(ResultDeclared("collected", seat, won), k)
            return
    if not rest.startswith(_KNOWN) and rest:
        hand.unread(line, k)


_KNOWN = (
    "mucked",
    "folded",
    "and lost",
    "lost",
    "and folded",
    "and mucked",
    "(cashed out)",
    "and cashed out for ",
    "showed",
)
