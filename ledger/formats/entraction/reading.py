"""Entraction's text to events, line by line."""

from __future__ import annotations

from ledger.formats.entraction import header
from ledger.formats.entraction.words import (
    BOARD_STREETS,
    POSTS,
    VENUE,
    WITNESSES,
    Hand,
    read_cards,
)
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody
from ledger.vocabulary import Millis

_ENDED = "Game ended "


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first], page.exponent)
    hand = Hand(page.lines, page.people, VENUE, head.game, page.first)
    if head.costs is not None:
        hand.put(head.costs)
    hand.put(head.game)
    k, chairs = _seats(hand, page.first + 1, page.after)
    hand.body(k, page.after, _other)
    written, moment = _end(hand, page)
    hand.opened(HandOpened(
        VENUE, head.table, head.number, WITNESSES, moment, written, chairs, head.tournament,
    ))  # fmt: skip
    return hand


def _seats(hand: Hand, k: int, after: int) -> tuple[int, int]:
    """Read the list of seats; return the line behind it, and the chairs of the table."""
    text, chairs = hand.lines.text, 0
    while k < after:
        line = text[k].strip()
        name, found, seat = line.removesuffix(")").rpartition(" in seat ")
        if line.startswith("Players(max "):
            digits = line[12:].partition(")")[0]
            chairs = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 3 else 0
        elif found and seat.isascii() and seat.isdigit():
            name, _, stack = name.rpartition("(")
            hand.at = k
            hand.take(int(seat[:3]), name.rstrip(), hand.amount(stack.rpartition(" ")[2]))
        elif line:
            break
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    return k, chairs


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    label, colon, rest = line.partition(":")
    if colon and label in POSTS:
        name, found, amount = rest.strip().rpartition("(")
        seat = hand.seat_of(name.rstrip())
        if not seat or not found:
            return False
        POSTS[label](hand, seat, hand.amount(amount), None)
        return True
    if colon and label == "Dealer":
        seat = hand.seat_of(rest.strip())
        if seat:
            hand.put(ButtonPlaced(seat))
        return bool(seat)
    if colon and label == "Rake":
        hand.drop("rake", hand.amount(rest.rpartition(" ")[2]))
        return True
    name, dealt, rest = line.rpartition(" was dealt:")
    if dealt:
        seat, cards = hand.seat_of(name), read_cards(rest)
        if seat and cards is not None:
            hand.own = True
            hand.put(HoleCardsDealt(seat, cards))
        return bool(seat) and cards is not None
    if line.startswith(_ENDED):
        hand.put(HandCompleted())
        return True
    return _board(hand, line)


def _board(hand: Hand, line: str) -> bool:
    """Read `Turn  6s - Js - 3s - 2c`: the whole board."""
    word, _, rest = line.partition(" ")
    street, cards = BOARD_STREETS.get(word), read_cards(rest)
    if street is None or cards is None:
        return False
    hand.board(street, cards[-2:] if street != "flop" else cards)
    return True


def _end(hand: Hand, page: Page) -> tuple[str, Millis | None]:
    """Do what only the whole hand can tell; return the moment as written, and read."""
    _deal(hand)
    if hand.paid:
        hand.silent()
    for index in range(len(hand.events) - 1, 0, -1):
        if isinstance(hand.events[index], HandCompleted):
            written = page.lines.text[hand.marks[index]].strip()
            moment = header.ended(written[len(_ENDED) :])
            if moment is not None:
                hand.times[index] = moment
            return written, moment
    return "", None


def _deal(hand: Hand) -> None:
    """Conclude that the cards were dealt, which no line says: behind the posts."""
    posts = ("BlindPosted", "AntePosted", "ButtonPlaced", "SeatDealtIn", "HoleCardsDealt")
    last = max(
        (at for at, event in enumerate(hand.events) if type(event).__name__ in posts), default=0
    )
    if last:
        hand.insert(last + 1, DealCompleted())
