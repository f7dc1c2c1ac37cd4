"""Unibet's text to events, line by line."""

from __future__ import annotations

from ledger.formats.unibet import header
from ledger.formats.unibet.words import (
    STREETS,
    VENUE,
    WITNESSES,
    Hand,
    read_cards,
    without_token,
)
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.telling.cards import groups
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import Seat

_QUIET = ("Seated players", "Blinds and button", "Hole cards")


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    first = next(at for at in range(page.first, page.after) if header.begins(text[at]))
    head = header.head(text[first])
    seat = next((line for line in text[first : page.after] if line.startswith("Seat ")), "")
    stack = seat.replace("(sitting out)", "").rpartition("(")[2]
    game, costs = header.setup(head, stack, page.exponent)
    hand = Hand(page.lines, page.people, VENUE, game, page.first)
    hand.begin()
    hand.at = first
    if costs is not None:
        hand.put(costs)
    hand.put(game)
    k, table, chairs = first + 1, head.table, 0
    while k < page.after and not text[k].startswith("Seat "):
        found = header.table(text[k])
        if found:
            table, chairs = found
        elif text[k].strip() and not text[k].startswith("*** Seated players"):
            break
        k += 1
    hand.body(_seats(hand, k, page.after), page.after, _other)
    _end(hand)
    hand.opened(HandOpened(
        VENUE, table, head.number, WITNESSES, header.started(head.written), head.written, chairs,
        head.tournament,
    ))  # fmt: skip
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 1: Ada (€0) (sitting out)`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            bare = line.removesuffix("(sitting out)").rstrip()
            seat, name, stack = taken(bare.removesuffix(")"), "Seat ")
            plain = without_token(name)
            hand.take(seat, plain, hand.amount(stack))
            if plain != name:
                hand.seats[name] = hand.owner = seat
            if len(bare) < len(line):
                hand.away.add(seat)
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    return k


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("*** "):
        title, found, rest = line[4:].partition(" ***")
        return bool(found) and _heading(hand, title, rest)
    if line.startswith("Dealt "):
        return _dealt(hand, line)
    if line.startswith("Seat "):
        return _net(hand, line)
    if line.endswith(" has the button"):
        seat = hand.seat_of(line.removesuffix(" has the button"))
        if seat:
            hand.put(ButtonPlaced(seat))
        return bool(seat)
    if line.startswith("Uncalled bet returned to "):
        name, found, amount = line[25:].rpartition(": ")
        seat = hand.seat_of(name)
        if seat and found:
            hand.refund(seat, hand.amount(amount))
        return bool(seat and found)
    if line.startswith("Total pot "):
        total, _, rake = line[10:].partition(" Rake ")
        hand.total = hand.amount(total), hand.at
        hand.put(ResultDeclared("total-pot", None, hand.total[0]))
        hand.drop("rake", hand.amount(rake) if rake else 0)
        return True
    return False


def _heading(hand: Hand, title: str, rest: str) -> bool:
    """Read what stands between stars; boards are told whole, the new cards last."""
    if title in STREETS:
        cards = groups(read_cards, rest)
        if cards:
            hand.board(STREETS[title], cards[-1])
        return bool(cards)
    if title == "Preflop":
        hand.put(DealCompleted())
    elif title == "Showdown":
        hand.close_bets()
        hand.put(ShowdownBegun())
    elif title == "Summary":
        hand.close_bets()
        hand.summary = hand.at
    return title in ("Preflop", "Showdown", "Summary", *_QUIET)


def _dealt(hand: Hand, line: str) -> bool:
    """Read `Dealt in Ada`, `Dealt to Ada [8c Jc]`."""
    if line.startswith("Dealt in "):
        seat = hand.seat_of(line[9:])
    else:
        name, _, shown = line.removeprefix("Dealt to ").rpartition(" [")
        cards = read_cards(shown.removesuffix("]"))
        seat = hand.seat_of(name)
        if not seat or cards is None:
            return False
        hand.open_hands[seat] = len(hand.events)
        hand.put(HoleCardsDealt(seat, cards))
    hand.dealt_in.add(seat)
    return bool(seat)


def _net(hand: Hand, line: str) -> bool:
    """Read `Seat 2: Ada: bet €0.05 and won €0, net result: €-0.05`."""
    number, _, rest = line[5:].partition(": ")
    seat: Seat = int(number[:3]) if number.isascii() and number.isdigit() else 0
    name, found, bet = rest.rpartition(": bet ")
    net = bet.rpartition("net result: ")[2]
    if not found or hand.sits.get(seat) != without_token(name):
        return False
    sign = -1 if "-" in net else 1
    hand.put(ResultDeclared("net", seat, sign * hand.amount(net.replace("-", ""))))
    return True


def _end(hand: Hand) -> None:
    """Do what only the whole hand can tell."""
    _whose(hand)
    _settle(hand)
    if hand.summary:
        hand.at = hand.summary
        hand.put(HandCompleted())


def _settle(hand: Hand) -> None:
    if hand.total is None:
        return
    total, hand.at = hand.total
    hand.close_bets()
    hand.return_bets(total)
    left = [seat for seat in hand.dealt_in if seat not in hand.folded]
    if (
        not hand.paid and len(left) == 1 and total > hand.taken
    ):  # who is left alone is paid without a word
        hand.derived.append(len(hand.events))
        hand.award(left[0], total - hand.taken)
    for seat in hand.index:
        if hand.dealt_in and seat not in hand.dealt_in:
            away = seat in hand.away
            hand.left_out(seat, "sitting-out" if away else "unknown", told=away)


def _whose(hand: Hand) -> None:
    """Tell the cards of the record's owner from those that it learned at the showdown."""
    owner = hand.owner or (next(iter(hand.open_hands)) if len(hand.open_hands) == 1 else 0)
    hand.own = owner in hand.open_hands
    for seat, index in hand.open_hands.items():
        event = hand.events[index]
        if seat != owner and isinstance(event, HoleCardsDealt):
            hand.events[index] = HoleCardsDealt(seat, event.cards, how="after")
