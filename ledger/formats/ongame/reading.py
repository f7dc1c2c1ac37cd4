"""OnGame's text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.ongame import acts, header, summary
from ledger.formats.ongame.hand import Hand
from ledger.formats.ongame.words import BOARD_STREETS, DRAW, HAND_STREETS, STUD, WITNESSES, read_cards
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, DealCompleted, HoleCardsDealt
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Cards, Seat, Witness, split_cards

_QUIET: Final = ("---", "User: ", "Players in round: ")
"""Beginnings of lines that say nothing which others do not."""


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first])
    found = _before_seats(text, page.first + 1, page.after)
    where = found.get("Table: ")
    if where is None:
        raise UnreadableHandError(
            "the hand breaks off before its table", kind="cut-off", hint="The line `Table:` is missing or damaged."
        )
    table = header.table(text[where].strip(), page.exponent)
    hand = Hand(page.lines, page.people, table.game, page.first)
    if head.costs is not None:
        hand.put(head.costs)
    hand.at = where
    hand.put(table.game)
    k = _seats(hand, max(found.values()) + 1, page.after)
    if "Button: " in found:
        hand.at = found["Button: "]
        digits = text[hand.at].strip().rpartition(" ")[2]
        if digits.isascii() and digits.isdigit() and len(digits) < 4:
            hand.put(ButtonPlaced(int(digits)))
    _body(hand, k, page.after)
    written = text[found["Start hand: "]].partition(": ")[2].strip() if "Start hand: " in found else ""
    own = int(Witness.OWN_CARDS) if hand.own else 0
    hand.open(
        HandOpened(
            hand.venue, table.name, head.number, WITNESSES | own, header.started(written), written, 0, head.tournament
        )
    )
    return hand


_LABELS: Final = ("Start hand: ", "Table: ", "Button: ", "User: ", "Players in round: ")


def _before_seats(text: list[str], k: int, after: int) -> dict[str, int]:
    """Return where the lines before the list of seats stand, by what they begin with."""
    found: dict[str, int] = {}
    while k < after:
        line = text[k].lstrip()
        label = next((one for one in _LABELS if line.startswith(one)), "")
        if line and not label:
            break
        if label:
            found.setdefault(label, k)
        k += 1
    return found


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read the list of seats from line `k`; return the line behind it."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            number, colon, rest = line[5:].partition(": ")
            name, opening, stack = rest.rpartition(" (")
            if not (colon and opening and number.isascii() and number.isdigit()):
                raise UnreadableHandError(
                    f"a seat cannot be read: {line[:80]!r}",
                    kind="seat",
                    hint="A number, a name and a stack in brackets were expected.",
                )
            hand.sit(int(number[:3]), name, hand.chips(stack.removesuffix(")")))
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    hand.called = Names(hand.seats)
    hand.chairs = {seat: name for name, seat in hand.seats.items()}
    return k


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, seats, names = hand.lines.text, hand.seats, hand.called.all_of
    known, plain = hand.acts_read, hand.called.plain
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        word, _, rest = line.partition(" ")
        if (told := known.get(rest)) and (seat := plain.get(word)):
            make, amount, all_in = told
            make(hand, seat, amount, all_in)
            continue
        for name in names(line):
            if acts.act(hand, seats[name], line[len(name) + 1 :]):
                break  # if it was no act a shorter name may be meant
        else:
            bare = line.strip()
            if bare == "Summary:":
                summary.read(hand, k, after)
                return
            if bare and not _other(hand, bare):
                hand.unread(line)


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no seated player's name begins; False where nobody knows it."""
    if line.startswith("--- Dealing "):
        return _board(hand, line[12:])
    if line.startswith("Dealing to "):
        return _dealt(hand, line[11:])
    if line.startswith("New hand for "):
        return _new_hand(hand, line[13:])
    if line == "Dealing pocket cards":
        hand.street = "third" if hand.game.variant in STUD else "preflop"
        hand.put(DealCompleted())
        return True
    if line.startswith("Dealing "):
        street = HAND_STREETS.get(line[8:])
        if street is None or hand.game.variant not in STUD:
            return False
        hand.deal_street(street)
        return True
    return line.startswith(_QUIET)


def _board(hand: Hand, text: str) -> bool:
    """Read `flop [2d, Ad, Th]`; a board that is run out is told again from the flop on."""
    title, _, rest = text.partition(" [")
    cards = read_cards(rest.removesuffix("]"))
    street = BOARD_STREETS.get(title)
    if street is None or cards is None:
        return False
    if hand.dealt.get(street) != cards:
        hand.dealt[street] = cards
        hand.board(street, cards)
    return True


def _whose(hand: Hand, text: str) -> tuple[Seat, Cards] | None:
    """Read `Name: [Tc, 9h]`."""
    name, colon, rest = text.rpartition(": [")
    cards = read_cards(rest.removesuffix("]"))
    seat = hand.seats.get(name)
    return None if seat is None or cards is None or not colon else (seat, cards)


def _dealt(hand: Hand, text: str) -> bool:
    found = _whose(hand, text)
    if found is None:
        return False
    seat, cards = found
    if hand.street == "third":
        hidden = cards.startswith("??")
        hand.own = hand.own or not hidden
        up = "d" * (len(cards) // 2 - 1) + "u"
        hand.put(HoleCardsDealt(seat, cards, up, "dealt-up" if hidden else "owner"))
    elif hand.game.variant in STUD:
        face = "d" if hand.street == "seventh" else "u"
        how = "dealt-up" if face == "u" else ("unknown" if "?" in cards else "owner")
        hand.put(HoleCardsDealt(seat, cards, face * (len(cards) // 2), how))  # type: ignore[arg-type]  # one of three
    else:
        hand.own = True
        hand.put(HoleCardsDealt(seat, cards))
    hand.holds[seat] = hand.holds.get(seat, "") + cards
    return True


def _new_hand(hand: Hand, text: str) -> bool:
    """Read `New hand for Hero: [8h, 9h, 6s, Ah, Jh]`: the cards that were not there before are drawn."""
    found = _whose(hand, text)
    if found is None or hand.game.variant not in DRAW:
        return False
    seat, cards = found
    before, now = split_cards(hand.holds.get(seat, "")), split_cards(cards)
    index = hand.thrown.get(seat, -1)
    event = hand.events[index] if index >= 0 else None
    gone = [card for card in before if card not in now]
    if isinstance(event, CardsDiscarded) and event.count == len(gone):
        hand.events[index] = CardsDiscarded(seat, event.count, "".join(gone))
    hand.put(CardsDrawn(seat, "".join(card for card in now if card not in before)))
    hand.holds[seat] = cards
    return True
