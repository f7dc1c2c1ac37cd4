"""Everleaf's text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.everleaf import acts, header
from ledger.formats.everleaf.hand import Hand
from ledger.formats.everleaf.words import BOARD_STREETS, HAND_STREETS, STUD, WITNESSES, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.hand.opening import ButtonPlaced, HandOpened, TournamentSet
from ledger.presence import WordsSaid
from ledger.readers import settling
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import UNKNOWN_CARD, Cards, Seat, Witness

_NO_STACK: Final = ("new player", "all-in", "sitting out", "nouveau joueur")
_NEWS: Final = ("has joined the table", "has been reseated to this table", "has left the table", "sits out")


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text, page.first, page.after)
    game = header.setup(head.game, text[head.behind : page.after], page.exponent)
    hand = Hand(page.lines, page.people, head.venue, game, page.first)
    hand.at = head.stakes_at
    tournament = game.format == "tournament"
    if tournament:
        hand.put(TournamentSet())
    hand.put(game)
    k = _seats(hand, head.behind, page.after)
    if head.button is not None:
        hand.at = head.button_at
        hand.put(ButtonPlaced(head.button))
    _body(hand, k, page.after)
    own = int(Witness.OWN_CARDS) if hand.own else 0
    hand.open(
        HandOpened(
            head.venue,
            head.table,
            head.number,
            WITNESSES | own,
            None,
            head.written,
            0,
            _tournament(page.source) if tournament else "",
        )
    )
    return hand


def _tournament(source: str) -> str:
    """Return the number in `TID_9000044-1.txt`: only the file's name tells it."""
    digits = source[:200].partition("TID_")[2].partition("-")[0]
    return digits[:20] if digits.isascii() and digits.isdigit() else ""


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 1: zetnik (  $ 0.98 USD )` from line `k`; return the line behind the list."""
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
            inner = stack.removesuffix(")").strip()
            known = inner.lower() not in _NO_STACK
            hand.take(int(number[:3]), name, hand.amount(inner) if known else None)
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    hand.called = Names(hand.seats)
    hand.speaking = Names({f"{name}:": seat for name, seat in hand.seats.items()})
    return k


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, known, plain, speaking = (hand.lines.text, hand.acts_read, hand.called.plain, hand.speaking.plain)
    broken = False  # the line before breaks off within the name of a hand
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        if broken and line.rstrip().endswith("]"):
            broken = False
            hand.put(RemarkNoted(hand.people.text(line.strip())))
            continue
        broken = False
        word, _, rest = line.partition(" ")
        if told := known.get(rest):
            loud = rest[:1] in "pbr" and rest[-1:] == "]"  # behind a colon stand posts and bets, or chat
            if seat := plain.get(word) or (speaking.get(word) if loud else None):
                told[0](hand, seat, told[1])
                continue
        if _acted(hand, line):
            broken = " wins " in line and " with " in line and not line.rstrip().endswith("]")
        elif line.strip() and not (_other(hand, line.strip()) or _said(hand, line)):
            hand.unread(line)
    _end(hand)


def _acted(hand: Hand, line: str) -> bool:
    """Read an act: bets and posts have a colon behind the name, all others have none."""
    for name in hand.called.all_of(line):
        if acts.act(hand, hand.seats[name], line[len(name) + 1 :]):
            return True
    for name in hand.speaking.all_of(line):
        if acts.called_out(hand, hand.seats[name[:-1]], line[len(name) + 1 :]):
            return True
    return False


def _said(hand: Hand, line: str) -> bool:
    """Read `Name: words`, which is chat where it is no bet and no post."""
    found = hand.speaking.part(line)
    if found is None:
        return False
    name = found[0][:-1]
    hand.put(WordsSaid(hand.people.text(found[1]), hand.seats[name], hand.player(name)))
    return True


def _end(hand: Hand) -> None:
    """Do what only the whole hand can tell; a hand is over when its pot is paid."""
    if not hand.paid:
        return
    put_in = sum(hand.put_in)
    hand.close_bets()
    uncalled = sum(amount for _, amount, _ in hand.pending)
    hand.return_bets(None if hand.paid <= put_in - uncalled else put_in)
    settling.high_alone_is_all(hand)
    settling.conclude_rake(hand)
    hand.silent()
    hand.derive(HandCompleted())


def _other(hand: Hand, line: str) -> bool:
    """Read a heading, dealt cards, news of the table; False where nobody knows the line."""
    if line.startswith("** Dealing "):
        return _dealing(hand, line[11:])
    if line.startswith("**** dealing "):
        return _dealing(hand, line[13:].replace(" street", " Street").replace("river", "River"))
    if line.startswith("Dealt to "):
        return _dealt(hand, line[9:].removesuffix("."))
    if line.startswith(("Total number of players", "***** ", "Everleaf Gaming")):
        return True
    if line.endswith(_NEWS):
        hand.put(RemarkNoted(hand.people.text(line)))
        return True
    return False


def _dealing(hand: Hand, text: str) -> bool:
    """Read `Flop ** [ 6d, Jc, Js ]`, `4th Street **`, `down cards **`."""
    title, _, rest = text.partition(" **")
    stud = hand.game.variant in STUD
    if title == "down cards":
        hand.street = "third" if stud else "preflop"
        hand.put(DealCompleted())
        return True
    if stud and title in HAND_STREETS:
        hand.deal_street(HAND_STREETS[title])
        return True
    cards = read_cards(rest.strip().removeprefix("[").removesuffix("]"))
    if title not in BOARD_STREETS or cards is None:
        return False
    hand.board(BOARD_STREETS[title], cards)
    return True


def _dealt(hand: Hand, text: str) -> bool:
    """Read `Hero [ 9h, Qd ]`; stud tells others' cards as they come, of the first three the open one."""
    name, found, rest = text.rpartition(" [")
    cards = read_cards(rest.removesuffix("]"))
    seat = hand.seats.get(name)
    if not found or seat is None or cards is None:
        return False
    if hand.game.variant in STUD:
        _stud(hand, seat, cards)
    else:
        hand.own = True
        hand.put(HoleCardsDealt(seat, cards))
    return True


def _stud(hand: Hand, seat: Seat, cards: Cards) -> None:
    if hand.street == "third":
        hidden = len(cards) == 2
        hand.own = hand.own or not hidden
        cards = 2 * UNKNOWN_CARD + cards if hidden else cards
        up = "d" * (len(cards) // 2 - 1) + "u"
        hand.put(HoleCardsDealt(seat, cards, up, "dealt-up" if hidden else "owner"))
        return
    face = "d" if hand.street == "seventh" else "u"
    hand.put(HoleCardsDealt(seat, cards, face * (len(cards) // 2), "owner" if face == "d" else "dealt-up"))
