"""Poker Mavens' text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.formats.mavens import header
from ledger.formats.mavens.words import STREETS, WITNESSES, Hand, pot, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, HandOpened, NotDealtIn
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import Witness

_AWAY: Final[dict[str, NotDealtIn]] = {
    "sitting out": "sitting-out",
    "waiting for big blind": "waiting-for-big-blind",
    "away": "away",
}


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    number, written = header.head(text[page.first])
    where = header.labelled(text, page.first, page.after)
    told = {label: text[at].partition(": ")[2].strip() for label, at in where.items()}
    game, costs = header.game(told["Game"], page.exponent)
    venue = told.get("Site") or "Poker Mavens"
    hand = Hand(page.lines, page.people, venue, game, page.first)
    hand.begin()
    hand.at = where["Game"]
    if costs is not None:
        hand.put(costs)
    hand.put(game)
    table = told.get("Table", "")
    tournament = ""
    if costs is not None:
        tournament, _, table = table.rpartition(" - Table ")
    hand.body(_seats(hand, max(where.values()) + 1, page.after), page.after, _other)
    _end(hand)
    known = WITNESSES if game.blinds or game.bets else WITNESSES & ~Witness.BLIND_AMOUNTS
    hand.opened(HandOpened(venue, table, number, known, None, written, 0, tournament))
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 1: Ada (13.50) - waiting for big blind`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            bare, dash, why = line.rpartition(") - ")
            seat, name, stack = taken(bare if dash else line.removesuffix(")"), "Seat ")
            hand.take(seat, name, hand.amount(stack))
            if dash:
                hand.away.add(seat)
                hand.waits[seat] = _AWAY.get(why, "unknown")
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    return k


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("** "):
        return _heading(hand, line)
    if line.startswith("Rake ("):
        hand.drop("rake", hand.amount(line[5:]))
        return True
    if line.startswith("Dealt to "):
        name, _, shown = line[9:].rpartition(" [")
        seat, cards = hand.seat_of(name), read_cards(shown.removesuffix("]"))
        if seat and cards is not None:
            hand.own = True
            hand.dealt(HoleCardsDealt(seat, cards))
        return bool(seat) and cards is not None
    if line.endswith(" has the dealer button"):
        seat = hand.seat_of(line[: -len(" has the dealer button")])
        if seat:
            hand.put(ButtonPlaced(seat))
        return bool(seat)
    return False


def _heading(hand: Hand, line: str) -> bool:
    """Read `** Hole Cards **`, `** Turn ** [3h]`, `** Side Pot 1 Show Down ** [..]`."""
    title, _, rest = line[3:].partition(" **")
    cards = read_cards(rest.strip(" []"))
    if title == "Hole Cards":
        hand.put(DealCompleted())
        return True
    if title in STREETS and cards is not None:
        hand.board(STREETS[title], cards)
        return True
    if title.endswith(" Show Down") and pot(title[: -len(" Show Down")]) is not None:
        hand.close_bets()
        if not any(isinstance(event, ShowdownBegun) for event in hand.events):
            hand.put(ShowdownBegun())
            if cards:
                hand.put(ResultDeclared("board", None, None, cards))
        return True
    return False


def _end(hand: Hand) -> None:
    """Do what only the whole hand can tell; it is over when its pot is paid."""
    if not hand.paid:
        return
    hand.close_bets()
    total = hand.paid + hand.taken
    hand.return_bets(total if total == sum(hand.put_in) else None)
    for seat, why in hand.waits.items():
        if not hand.put_in[seat] and seat not in hand.folded:
            hand.left_out(seat, why, told=True)
    hand.silent()
    hand.conclude(HandCompleted())
