"""Absolute Poker's text to events, line by line."""

from __future__ import annotations

from ledger.errors import UnreadableHandError
from ledger.formats.absolute import acts, header, summary
from ledger.formats.absolute.hand import Hand
from ledger.formats.absolute.words import BOARD_STREETS, HAND_STREETS, STUD, VENUE, WITNESSES, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import ShowdownBegun
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Witness


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first])
    at = page.first + 1
    while at < page.after and not text[at].strip():
        at += 1
    table = header.table(text[at].strip()) if at < page.after else None
    play = table is not None and table.play
    game = header.setup(head, text[page.first : page.after], page.exponent, play=play)
    hand = Hand(page.lines, page.people, game, page.first)
    costs = header.costs(head)
    if costs is not None:
        hand.put(costs)
    hand.put(game)
    k = _seats(hand, at + 1 if table else at, page.after)
    if table is not None and table.button is not None:
        hand.at = at
        hand.put(ButtonPlaced(table.button))
    _body(hand, k, page.after)
    own = int(Witness.OWN_CARDS) if hand.own else 0
    hand.open(
        HandOpened(
            VENUE,
            table.name if table else "",
            head.number,
            WITNESSES | own,
            header.started(head.written),
            head.written,
            0,
            head.tournament,
        )
    )
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 6 - BCM184 ($500 in chips)` from line `k`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            number, dash, rest = line[5:].partition(" - ")
            name, opening, stack = rest.rpartition(" (")
            if not (dash and opening and number.isascii() and number.isdigit()):
                raise UnreadableHandError(
                    f"a seat cannot be read: {line[:80]!r}",
                    kind="seat",
                    hint="A number, a name and a stack in brackets were expected.",
                )
            hand.take(int(number[:3]), name, hand.chips(stack.removesuffix(")").removesuffix(" in chips")))
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    hand.called = Names(hand.seats)
    return k


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, seats, names = hand.lines.text, hand.seats, hand.called.all_of
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        for name in names(line):
            if acts.act(hand, seats[name], line[len(name) + 1 :]):
                break  # if it was no act a shorter name may be meant
        else:
            if line.startswith("*** SUMMARY"):
                summary.read(hand, k, after)
                return
            if line.strip() and not _other(hand, line):
                hand.unread(line)


def _other(hand: Hand, line: str) -> bool:
    """Read a heading or what is dealt; False where nobody knows the line."""
    if line.startswith("Dealt to "):
        found = hand.called.part(line[9:].rstrip())
        cards = read_cards(found[1][1:].removesuffix("]")) if found else None
        if found is None or cards is None or found[1][:1] != "[":
            return False
        hand.own = True
        hand.put(HoleCardsDealt(hand.seats[found[0]], cards))
        return True
    end = line.find(" ***", 4)
    if not line.startswith("*** ") or end < 0:
        return False
    title, rest = line[4:end], line[end + 4 :].strip()
    stud = hand.game.variant in STUD
    if title.upper() in ("POCKET CARDS", "3RD STREET"):
        hand.street = "third" if stud else "preflop"
        hand.put(DealCompleted())
    elif title == "SHOW DOWN":
        hand.close_bets()
        if len(hand.stacks) - len(hand.folded) > 1:
            hand.put(ShowdownBegun())
    elif stud and title.upper() in HAND_STREETS:
        hand.deal_street(HAND_STREETS[title.upper()])
    elif title in BOARD_STREETS:
        groups = [read_cards(part.strip(" [")) for part in rest.split("]") if part.strip()]
        if not groups or None in groups:
            return False
        hand.board(BOARD_STREETS[title], groups[-1] or "")
    else:
        return False
    return True
