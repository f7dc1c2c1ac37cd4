"""The summary: declared totals, board and what each seat got, beside which the hand is checked."""

from __future__ import annotations

from ledger.errors import UnreadableHandError
from ledger.formats.bovada.hand import Hand
from ledger.formats.bovada.words import cards
from ledger.hand.ending import ResultDeclared
from ledger.vocabulary import Chips, Seat

_QUIET = ("Folded", "lost with", "lose with", "lost", "lose", "[Mucked]", "with")


def read(told: Hand, k: int) -> None:
    """Read the lines of the summary from line `k` on."""
    text = told.lines.text
    names = told.names()
    for at in range(k, told.after):
        line = text[at].strip()
        if not line:
            continue
        told.at = at
        if line.startswith("Total Pot("):
            known = _total(told, line)
        elif line.startswith("Board"):
            board = cards(line.partition("[")[2].partition("]")[0])
            known = board is not None
            if board:
                told.put(ResultDeclared("board", cards=board))
        else:
            known = line.startswith("Seat") and _seat(told, line, names)
        if not known:
            told.unread(line)
    told.settle()


def _total(told: Hand, line: str) -> bool:
    """Read `Total Pot($112) | Rake ($1)`."""
    told.run_out()
    known = True
    for part in line.split("|"):
        words, _, amount = part.strip().partition("(")
        chips = told.chips(amount.rstrip(") "))
        if words.strip() == "Total Pot":
            told.total = chips
            told.put(ResultDeclared("total-pot", amount=chips))
        elif words.strip() == "Rake":
            told.rake_told = True
            told.drop("rake", chips)
            told.put(ResultDeclared("rake", amount=chips))
        elif "jackpot" in words.lower():
            told.drop("jackpot", chips)
            told.put(ResultDeclared("jackpot", amount=chips))
        else:
            known = False
    return known


def _seat(told: Hand, line: str, names: list[str]) -> bool:
    """Read `Seat+3: UTG+1 $3.10 with …`: what the seat collected, of both halves together."""
    number, _, rest = line[5:].partition(":")
    rest = rest.strip()
    if "Folded" in rest and rest.rpartition(" Folded ")[0].replace(" [ME]", "") in told.seats:
        return True
    seat, tail = _whose(told, number.strip(), rest, names)
    if seat is None:
        return False
    tail = tail.removeprefix("[ME]").strip()
    bounty = tail.find("BOUNTY awarded")
    tail = tail[:bounty].strip() if bounty >= 0 else tail
    got = _got(told, tail)
    if got is None:
        return False
    if got:
        told.put(ResultDeclared("collected", seat, got))
    return True


def _whose(told: Hand, number: str, rest: str, names: list[str]) -> tuple[Seat | None, str]:
    """Return the seat of a line, by its position or else its number, and what follows."""
    for name in names:
        if rest.startswith(name) and rest[len(name) : len(name) + 1] in ("", " "):
            return told.seats[name], rest[len(name) :].strip()
    digits = number if number.isascii() and number.isdecimal() and len(number) <= 6 else ""
    return told.numbers.get(int(digits)) if digits else None, rest


def _got(told: Hand, tail: str) -> Chips | None:
    """Return what was collected; None if the words are not known."""
    total = 0
    first = tail.split(" ", 1)[0]
    if first[:1] in ("$", "€", "£") or first[:1].isdecimal():
        return _chips(told, first)
    for half in ("HI ", "LO "):
        at = tail.find(half)
        if at >= 0 and (at == 0 or tail[at - 1] == " "):
            chips = _chips(told, tail[at + 3 :].split(" ", 1)[0])
            if chips is None:
                return None
            total += chips
    return total if total or not tail or tail.startswith(_QUIET) else None


def _chips(told: Hand, word: str) -> Chips | None:
    try:
        return told.chips(word)
    except UnreadableHandError:
        return None
