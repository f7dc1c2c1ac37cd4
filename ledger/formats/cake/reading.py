"""Cake's text to events, line by line."""

from __future__ import annotations

from ledger.formats.cake import header
from ledger.formats.cake.words import STREETS, VENUE, WITNESSES, Hand, bracketed
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import (
    HandCompleted,
    RemarkNoted,
    ShowdownBegun,
)
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.telling import settling
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import Seat, Witness


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first])
    seat = next((line for line in text[page.first : page.after] if line.startswith("Seat ")), "")
    game = header.setup(head, seat, page.exponent)
    hand = Hand(page.lines, page.people, VENUE, game, page.first)
    hand.begin()
    if head.costs is not None:
        hand.put(head.costs)
    hand.put(game)
    hand.body(_seats(hand, page.first + 1, page.after), page.after, _other)
    _end(hand)
    known = WITNESSES if game.blinds or game.bets else WITNESSES & ~Witness.BLIND_AMOUNTS
    hand.opened(HandOpened(
        VENUE, head.table, head.number, known, None, head.written, head.chairs, head.tournament
    ))  # fmt: skip
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read the button and the list of seats; return the line behind them."""
    text = hand.lines.text
    button: tuple[Seat, int] | None = None
    while k < after:
        line = text[k].strip()
        hand.at = k
        if line.startswith("Dealer: Seat "):
            digits = line[13:].strip()
            if digits.isascii() and digits.isdigit() and len(digits) < 3:
                button = int(digits), k
        elif line.startswith("Seat "):
            bare, found, behind = line.rpartition(" in chips)")
            seat, name, stack = taken(bare if found else line, "Seat ")
            hand.take(seat, name, hand.amount(stack))
            if behind.strip().endswith("DEALER"):
                button = seat, k
        elif line:
            break
        k += 1
    if not hand.seats:
        raise nobody()
    if button is not None:
        hand.at = button[1]
        hand.put(ButtonPlaced(button[0]))
    hand.listen()
    return k


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("*** "):
        return _board(hand, line)
    if line.startswith("Dealt to "):
        name, _, _ = line[9:].rpartition(" [")
        seat, cards = hand.seat_of(name), bracketed(line[9 + len(name) :])[0]
        if seat and cards is not None:
            hand.own = True
            hand.put(HoleCardsDealt(seat, cards))
            hand.put(DealCompleted())
        return bool(seat) and cards is not None
    if line.startswith("***SHOW DOWN***"):
        hand.close_bets()
        hand.showdowns.append(len(hand.events))
        if len(hand.showdowns) == 1 and len(hand.stacks) - len(hand.folded) > 1:
            hand.put(ShowdownBegun())
        return True
    if line.startswith("Player left the table"):
        hand.put(RemarkNoted(hand.people.text(line)))
        return True
    return line == "There is no low hand"


def _board(hand: Hand, line: str) -> bool:
    """Read `*** TURN *** [Kd]`: the new card."""
    street = STREETS.get(line[4:].partition(" ***")[0])
    cards = bracketed(line)[0]
    if street is None or cards is None:
        return False
    hand.board(street, cards)
    return True


def _end(hand: Hand) -> None:
    """Do what only the whole hand can tell; it is over when its pot is paid."""
    if not hand.paid:
        return
    hand.close_bets()
    hand.side_pots_last_first(hand.showdowns)
    put_in = sum(hand.put_in)
    uncalled = sum(amount for _, amount, _ in hand.pending)
    hand.return_bets(None if hand.paid <= put_in - uncalled else put_in)
    settling.high_alone_is_all(hand)
    settling.conclude_rake(hand)
    if put_in:
        hand.silent()
    hand.conclude(HandCompleted())
