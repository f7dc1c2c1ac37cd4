"""The first generation's summary: who shows what, who is paid what, and what each one lost or won."""

from __future__ import annotations

from typing import Final

from ledger.formats.wpn.hand import Hand
from ledger.formats.wpn.words import read_cards
from ledger.hand.dealing import HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import CardsShown, DropTaken, RemarkNoted, ResultDeclared
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import Chips, Seat

_DROPS: Final = {"Rake": "rake", "JP fee": "jackpot", "JP Fee": "jackpot"}


def read(hand: Hand, k: int, after: int, table: str) -> tuple[Chips | None, int]:
    """Read lines `k` up to `after`; return the pot before the drop, and the line of the hand's end."""
    text = hand.lines.text
    total: Chips | None = None
    paid: list[tuple[Seat, Chips, int]] = []
    pot_at, ended = -1, -1
    for at in range(k, after):
        line = text[at].strip()
        hand.at = at
        if line.startswith(("Player ", "*Player ")):
            _player(hand, line.lstrip("*"), paid)
        elif line.startswith("Pot: "):
            pot_at = at
        elif line.startswith("Board: ["):
            cards = read_cards(line[8:].removesuffix("]"))
            if cards is None:
                hand.unread(line)
            else:
                hand.put(ResultDeclared("board", cards=cards))
        elif line.startswith("Game ended at:"):
            ended = at
        elif line:
            hand.unread(line)
    for seat, amount, at in paid:
        hand.at = at
        hand.award(seat, amount)
    if pot_at >= 0:
        hand.at = pot_at
        total = _pot(hand, text[pot_at].strip(), table)
    return total, ended


def _pot(hand: Hand, line: str, table: str) -> Chips | None:
    """Read `Pot: 7.05. Rake 0.14. JP fee 0.06`: the pot is what is left after the two."""
    pot, *drops = line[5:].split(". ")
    taken = 0
    for drop in drops:
        name, _, amount = drop.rpartition(" ")
        kind = _DROPS.get(name)
        if kind is None:
            hand.unread(line)
            return None
        chips = hand.chips(amount.rstrip("."))
        taken += chips
        hand.put(DropTaken(kind, chips))  # type: ignore[arg-type]  # one of two
    left = hand.chips(pot.rstrip("."))
    if not _hidden_drop(hand, left, taken, table):
        hand.put(ResultDeclared("total-pot", None, left + taken))
    return left + taken


def _hidden_drop(hand: Hand, left: Chips, taken: Chips, table: str) -> bool:
    """Conclude the jackpot's fee, which files of 2014 leave out: what went in and was not paid.

    Only at tables named after the jackpot, and where all that is left of the pot was paid. True if so.
    """
    words = table.replace("(", " ").replace(")", " ").replace(",", " ").split()
    rest = sum(hand.put_in) - left - taken
    if not ("JP" in words or "Beast" in words) or left != hand.paid or not 0 < rest < left:
        return False
    hand.derive(DropTaken("jackpot", rest))
    return True


def _player(hand: Hand, line: str, paid: list[tuple[Seat, Chips, int]]) -> None:
    """Read `Player X shows: One pair of 9s [Kd Qh]. Bets: 24. Collects: 47. Wins: 23.`."""
    at = line.rfind("Bets: ")
    found = _results(hand, line[at:]) if at >= 0 else None
    if found is None:
        hand.unread(line)
        return
    bets, collects, net = found
    for name in hand.called.all_of(line[7:]):
        rest = line[7 + len(name) + 1 : at].rstrip()
        if rest.startswith(("shows", "mucks", "does")):
            seat = hand.seats[name]
            if not _cards(hand, seat, rest):
                hand.unread(line)
            if collects:
                paid.append((seat, collects, hand.at))
            if bets or net:
                hand.put(ResultDeclared("net", seat, net))
            return
    if bets or collects:
        hand.unread(line)
    else:  # somebody at the table who has no part in the hand
        hand.put(RemarkNoted(hand.people.text(line)))


def _results(hand: Hand, text: str) -> tuple[Chips, Chips, Chips] | None:
    """Read `Bets: 24. Collects: 0. Loses: 24.`: bets, award, profit."""
    parts = dict.fromkeys(("Bets", "Collects", "Wins", "Loses"), 0)
    for part in text.split(". "):
        name, colon, amount = part.partition(": ")
        if not colon or name not in parts:
            return None
        parts[name] = hand.chips(amount.rstrip(". "))
    return parts["Bets"], parts["Collects"], parts["Wins"] - parts["Loses"]


def _cards(hand: Hand, seat: Seat, rest: str) -> bool:
    """Tell cards of `shows: One pair of 9s [Kd Qh]`, `mucks (does not show: [7h 3c])`."""
    opening = rest.find("[")
    end = rest.find("]", opening)
    if opening < 0:
        return True
    cards = read_cards(rest[opening + 1 : end]) if end > opening else None
    if cards is None:
        return False
    if not rest.startswith("shows"):
        held = hand.hole.get(seat, -1)
        event = hand.events[held] if held >= 0 else None
        if not (isinstance(event, HoleCardsDealt) and event.cards == cards):
            hand.put(HoleCardsLearned(seat, cards))
        return True
    claim = " ".join((rest[6:opening] + rest[end + 1 :]).split()).strip(" .:")
    missing = VARIANTS[hand.game.variant].start_cards - len(cards) // 2
    hand.close_bets()
    hand.shown[seat] = cards
    hand.put(CardsShown(seat, cards + "??" * missing, False, hand.people.text(claim)))
    return True
