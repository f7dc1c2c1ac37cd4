"""Enet's text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.formats.enet import header
from ledger.formats.enet.words import STREETS, VENUE, WITNESSES, Hand, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import (
    CardsShown,
    HandCompleted,
    RemarkNoted,
    ResultDeclared,
    ShowdownBegun,
)
from ledger.hand.opening import BlindPosted, ButtonPlaced, HandOpened
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import Chips, Seat, Witness

_PLACES: Final = ("(small blind)", "(big blind)", "(dealer)", "(button)")


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first])
    at = page.first + 1
    while at < page.after and not text[at].strip():
        at += 1
    table = header.table(text[at]) if at < page.after else None
    game = header.setup(head, table.limit if table else "", page.exponent)
    hand = Hand(page.lines, page.people, VENUE, game, page.first)
    hand.begin()
    hand.put(game)
    k = _seats(hand, at + 1 if table else at, page.after)
    witnesses = WITNESSES
    if table is not None and table.button is not None:
        hand.at = at
        hand.put(ButtonPlaced(table.button))
    else:
        witnesses &= ~Witness.BUTTON  # `Seat #0 is the button`: nobody's
    hand.body(k, page.after, _other)
    _end(hand, page)
    hand.opened(HandOpened(
        VENUE, table.name if table else "", head.number, witnesses, None, head.written,
        table.chairs if table else 0,
    ))  # fmt: skip
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 1: Ada (€41,87 in chips)`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            seat, name, stack = taken(line, "Seat ")
            hand.take(seat, name, hand.amount(stack.removesuffix(")").removesuffix(" in chips")))
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    return k


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("*** "):
        return _heading(hand, line)
    if line.startswith("Rake: "):
        hand.drop("rake", hand.amount(line[6:]))
        return True
    if line.startswith("Uncalled bet ("):
        amount, found, name = line[14:].partition(") returned to ")
        seat = hand.seat_of(name)
        if seat:
            hand.refund(seat, hand.amount(amount))
        return bool(found and seat)
    if line.startswith("Dealt to "):
        name, _, shown = line[9:].rpartition(" [")
        seat, cards = hand.seat_of(name), read_cards(shown)
        if seat and cards is not None:
            hand.own = True
            hand.dealt(HoleCardsDealt(seat, cards))
        return bool(seat) and cards is not None
    if not hand.summary:
        return False
    if line.startswith("Board ["):
        board = read_cards(line[6:])
        if board:
            hand.put(ResultDeclared("board", None, None, board))
        return bool(board)
    if line.startswith("Total pot "):  # the pot is told as nothing, the rake is right
        rake = line.partition(" | Rake ")[2]
        if rake:
            hand.put(ResultDeclared("rake", None, hand.amount(rake)))
        return True
    return line.startswith("Seat ") and _won(hand, line)


def _heading(hand: Hand, line: str) -> bool:
    """Read `*** TURN *** [9c2cQd8s]`: the whole board."""
    title, _, rest = line[4:].partition(" ***")
    if title in ("HOLECARDS", "HOLE CARDS"):
        hand.put(DealCompleted())
        return True
    if title in ("SHOWDOWN", "SHOW DOWN"):
        hand.close_bets()
        if len(hand.stacks) - len(hand.folded) > 1:
            hand.put(ShowdownBegun())
        return True
    if title == "SUMMARY":
        hand.close_bets()
        hand.summary = hand.at
        return True
    cards = read_cards(rest)
    if title not in STREETS or cards is None or not cards.startswith(hand.board_told):
        return False
    new, hand.board_told = cards[len(hand.board_told) :], cards
    hand.board(STREETS[title], new)
    return True


def _won(hand: Hand, line: str) -> bool:
    """Read `Seat 6: Ada (small blind) showed [9dJd2dTd] and won (€10,57) with Straight`."""
    number, _, rest = line[5:].partition(": ")
    seat: Seat = int(number[:3]) if number.isascii() and number.isdigit() else 0
    name = hand.sits.get(seat)
    if name is None or not rest.startswith(name + " "):
        return False
    rest = rest[len(name) + 1 :].strip()
    for place in _PLACES:
        rest = rest.removeprefix(place).strip()
    if rest.startswith("showed [") and seat not in hand.shown:
        cards = read_cards(rest[8:].partition("]")[0])
        if cards is not None:
            hand.shown.add(seat)
            hand.put(CardsShown(seat, cards, after=True))
    for words in ("and won (", "collected ("):
        _, found, amount = rest.partition(words)
        if found:
            _award(hand, seat, hand.amount(amount.partition(")")[0]))
            break
    return True


def _award(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Pay what the summary says; the line before it may tell a bet that came back instead."""
    told = hand.collected.pop(seat, None)
    hand.award(seat, amount)
    if told is not None and told[0] != amount:
        at, hand.at = hand.at, told[1]
        hand.put(RemarkNoted(hand.people.text(hand.lines.text[told[1]].strip())))
        hand.at = at


def _end(hand: Hand, page: Page) -> None:
    """Do what only the whole hand can tell."""
    for seat, (amount, at) in hand.collected.items():  # of which no summary tells
        hand.at = at
        hand.award(seat, amount)
    hand.collected.clear()
    if hand.paid:
        out = hand.paid + hand.taken
        _silent_posts(hand, out)
        hand.return_bets(out if out == sum(hand.put_in) else None)
        hand.silent()
    if hand.summary and hand.summary < page.after:
        hand.at = hand.summary
        hand.put(HandCompleted())


def _silent_posts(hand: Hand, out: Chips) -> None:
    """Conclude the dead small blinds that went in with silent big ones, where the pot has them."""
    small = hand.game.blinds[0] if hand.game.blinds else 0
    uncalled = sum(amount for _, amount, _ in hand.pending)
    missing = out - sum(hand.put_in) + uncalled
    if small and hand.silent_posts and missing == small * len(hand.silent_posts):
        for seat, index in reversed(hand.silent_posts):
            hand.put_in[seat] += small
            hand.place(index, BlindPosted(seat, "makeup-small", 0, small))
