"""BetOnline's text to events, line by line."""

from __future__ import annotations

import msgspec

from ledger.formats.betonline import header, summary
from ledger.formats.betonline.strangers import newcomer
from ledger.formats.betonline.words import STREETS, WITNESSES, Hand, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import RemarkNoted, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, HandOpened, TournamentSet
from ledger.telling.cards import groups
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import Witness

_OMAHA = 8  # characters of four cards


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    first = next(at for at in range(page.first, page.after) if header.begins(text[at]))
    head = header.head(text[first])
    at = first + 1
    while at < page.after and not text[at].strip():
        at += 1
    table = header.table(text[at]) if at < page.after else None
    game = header.game(head, page.exponent, play=table is not None and table.play)
    if game.variant == "holdem" and _four_cards(text[at : page.after]):
        game = msgspec.structs.replace(game, variant="omaha")
    hand = Hand(page.lines, page.people, head.venue, game, page.first)
    hand.begin()
    hand.at = first
    if head.tournament:
        hand.put(TournamentSet())
    hand.put(game)
    k = _seats(hand, at + 1 if table else at, page.after)
    witnesses = WITNESSES if game.blinds or game.bets else WITNESSES & ~Witness.BLIND_AMOUNTS
    hand.at = at
    if table is not None and table.button is not None:
        hand.put(ButtonPlaced(table.button))
    else:
        witnesses &= ~Witness.BUTTON
        if table is not None:  # a button at seat 9000012
            hand.put(RemarkNoted(hand.people.text(text[at].strip())))
    hand.body(k, summary.heading(hand, k, page.after), _other)
    summary.read(hand, page.after)
    hand.opened(HandOpened(
        head.venue, table.name if table else "", head.number, witnesses,
        header.started(head.written), head.written, table.chairs if table else 0, head.tournament,
    ))  # fmt: skip
    return hand


def _four_cards(lines: list[str]) -> bool:
    """Whether somebody is dealt four cards: early records call Omaha hold'em in their first line."""
    shown = (line.rpartition(" [")[2] for line in lines if line[:9].lower() == "dealt to ")
    return any(len(read_cards(cards.strip().removesuffix("]")) or "") == _OMAHA for cards in shown)


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 0: Ada (1.55 in chips) - Sitting out`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            seat, name, stack = taken(line, "Seat ")
            amount, found, tag = stack.partition(" in ")
            hand.take(seat or header.TEN, name, hand.amount(amount))
            if found and tag.rstrip(".").endswith("Sitting out"):
                hand.away.add(seat or header.TEN)
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    return k


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("*** "):
        return _heading(hand, line)
    if line[:9].lower() == "dealt to ":
        return _dealt(hand, line[9:])
    if line.startswith("Uncalled bet ("):
        amount, found, name = line[14:].partition(") returned to ")
        seat = hand.seat_of(name.rstrip("."))
        if seat:
            hand.refund(seat, hand.amount(amount))
        return bool(found and seat)
    if line.startswith("Total pot "):
        if hand.lines.text[hand.at - 1].strip() != line:  # early records tell it twice
            hand.sides.append((hand.amount(line[10:].partition(" | ")[0]), hand.at))
        return True
    if line.startswith("Joined table during game."):
        hand.put(RemarkNoted(hand.people.text(line)))
        return True
    return newcomer(hand, line)


def _dealt(hand: Hand, text: str) -> bool:
    """Read `Hero [7h 10c]`; `Hero []` says that nothing was dealt to who looks on."""
    name, found, shown = text.rpartition(" [")
    seat, cards = hand.seat_of(name), read_cards(shown.removesuffix("]"))
    if not seat or not found or (cards is None and shown != "]"):
        return False
    if cards is not None:
        hand.own = True
        hand.dealt(HoleCardsDealt(seat, cards))
    return True


def _heading(hand: Hand, line: str) -> bool:
    """Read `*** TURN *** [6c 7s Qc][10d]`: the new cards stand last."""
    title, _, rest = line[4:].partition(" ***")
    if title == "HOLE CARDS":
        hand.put(DealCompleted())
        return True
    if title == "SHOW DOWN":
        summary.run_out(hand)
        if len(hand.stacks) - len(hand.folded) > 1:
            hand.put(ShowdownBegun())
        return True
    cards = groups(read_cards, rest)
    if title not in STREETS or not cards:
        return False
    hand.board_told = "".join(cards)
    hand.board(STREETS[title], cards[-1])
    return True
