"""PKR's text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pkr import acts, header
from ledger.formats.pkr.hand import Hand
from ledger.formats.pkr.words import STREETS, VENUE, WITNESSES, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, RemarkNoted, ResultDeclared
from ledger.hand.opening import ButtonPlaced, HandOpened, PostReturned, TournamentSet
from ledger.presence import SeatTaken, StackCounted, WordsSaid
from ledger.readers.hand import SEATS, nobody
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Chips, Seat, Witness

_QUIET: Final = ("Pot sizes: ", "Shuffling Deck", "No Rake Taken", "Moving Button to seat ")
"""Beginnings of lines that say nothing which others do not."""
_NUMBERS: Final = {str(number): number for number in range(SEATS)}
_REMARKS: Final = ("There is no qualifying low hand",)


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text, page.first, page.after)
    game = header.setup(head, page.exponent)
    hand = Hand(page.lines, page.people, game, page.first)
    hand.at = head.lines["Game Type: "]
    if game.format == "tournament":
        hand.put(TournamentSet())
    hand.put(game)
    k = _seats(hand, head.behind, page.after)
    _button(hand, head, k, page.after)
    _body(hand, k, page.after)
    own = int(Witness.OWN_CARDS) if hand.own else 0
    hand.open(
        HandOpened(
            VENUE,
            head.table,
            head.told["Starting Hand #"],
            WITNESSES | own,
            None,
            head.told.get("Start time of hand: ", ""),
            0,
            head.tournament,
        )
    )
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 1: Ada - $4.06 (away from table)` from line `k`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            seat, name, stack, away = _seat(hand, line)
            hand.take(seat, name, stack)
            if away:
                hand.away.add(seat)
        k += 1
    if not hand.seats:
        raise nobody()
    hand.called = Names(hand.seats)
    return k


def _seat(hand: Hand, line: str) -> tuple[Seat, str, Chips, bool]:
    bare = line if line[-1] != ")" else line.removesuffix("(away from table)").rstrip()
    number, _, rest = bare[5:].partition(": ")
    name, dash, stack = rest.rpartition(" - ")
    if name[-1:] == ")":  # what the player is worth to others in a tournament with bounties
        name = name.partition(" (bounty value ")[0]
    seat = _NUMBERS.get(number)
    if seat is None and number.isascii() and number.isdigit():
        seat = int(number[:3])
    if seat is None or not dash:
        raise UnreadableHandError(
            f"a seat cannot be read: {line[:80]!r}", kind="seat", hint="A number, a name and a stack were expected."
        )
    return seat, name, hand.chips(stack), len(bare) < len(line)


def _button(hand: Hand, head: header.Head, k: int, after: int) -> None:
    """Place the button where it is moved to before the posts, otherwise where it lay."""
    text = hand.lines.text
    at = head.lines.get("Button is at seat ", -1)
    for line in range(k, min(after, k + 4)):
        if text[line].startswith("Moving Button to seat "):
            at = line
    digits = text[at].strip().rpartition(" ")[2] if at >= 0 else ""
    if digits.isascii() and digits.isdigit() and len(digits) < 4:
        hand.at = at
        hand.put(ButtonPlaced(int(digits)))


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, seats, names = hand.lines.text, hand.seats, hand.called.all_of
    known, plain, begun = hand.acts_read, hand.called.plain, hand.called.by_word
    for at, line in enumerate(text[k:after], k):
        hand.at = at
        word, _, rest = line.partition(" ")
        if (told := known.get(rest)) and (seat := plain.get(word)):
            make, amount, all_in = told
            make(hand, seat, amount, all_in)
            continue
        if word in begun:
            for name in names(line):
                if acts.act(hand, seats[name], line[len(name) + 1 :]):
                    break  # if it was no act a shorter name may be meant
            else:
                _others(hand, line)
        elif line:
            _others(hand, line)
    _end(hand)


def _others(hand: Hand, line: str) -> None:
    """Read a line that is no act."""
    bare = line.strip()
    if bare and not (_other(hand, bare) or _talk(hand, line)):
        hand.unread(line)


def _talk(hand: Hand, line: str) -> bool:
    """Read `Ada: nh` and `Ada yawns.`."""
    for name, seat in hand.seats.items():
        if line.startswith(name + ": "):
            words = hand.people.text(line[len(name) + 2 :].strip())
            hand.put(WordsSaid(words, seat, hand.player_in(seat)))
            return True
    found = hand.called.part(line)
    return found is not None and acts.said(hand, hand.seats[found[0]], found[1])


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line[:5] == "Seat ":
        seat, name, stack, _away = _seat(hand, line)
        if seat in hand.stacks:
            hand.ends[seat] = stack, hand.at
        else:  # who came during the hand
            hand.put(SeatTaken(seat, hand.player(name), stack=stack))
        return True
    if line[:8] == "Dealing ":
        return _dealing(hand, line[8:])
    if line.startswith("Taking Rake of "):
        rake = hand.chips(line[15:].partition(" ")[0])
        hand.rake += rake
        hand.drop("rake", rake)
        return True
    if line[:10] == "Returning ":
        amount, _, name = line[10:].partition(" to ")
        returned = hand.seats.get(name.removesuffix(" uncalled"))
        if returned is None:
            return False
        _give_back(hand, returned, hand.chips(amount))
        return True
    if line[:11].lower() == "end of hand":
        hand.ends[0] = 0, hand.at
        return True
    if line in _REMARKS or _newcomer(line):
        hand.put(RemarkNoted(hand.people.text(line)))
        return True
    return line.startswith(_QUIET)


def _newcomer(line: str) -> bool:
    """Tell whether somebody without a seat in this hand comes to the table."""
    if " brings " in line:
        name, _, table = line.rpartition(" to table ")
        if " brings " in name and table.isascii() and table.isdigit():
            return True
    return " has joined from Tournament Table #" in line


def _give_back(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Give back a bet, or before the deal the part of an ante that nobody matched."""
    if hand.bets[seat] < amount:
        hand.put_in[seat] -= amount
        hand.put(PostReturned(seat, amount, "ante", True))
    else:
        hand.give_back(seat, amount)


def _dealing(hand: Hand, text: str) -> bool:
    """Read `Cards`, `[T c][2 s] to Hero`, `Flop [7 h][9 c][2 c]`."""
    if text == "Cards":
        hand.put(DealCompleted())
        return True
    if text.startswith("["):
        shown, found, name = text.rpartition("] to ")
        cards, seat = read_cards(shown + "]"), hand.seats.get(name)
        if not found or cards is None or seat is None:
            return False
        hand.own = True
        hand.put(HoleCardsDealt(seat, cards))
        return True
    title, _, rest = text.partition(" ")
    cards = read_cards(rest)
    if title not in STREETS or cards is None:
        return False
    hand.board(STREETS[title], cards)
    return True


def _end(hand: Hand) -> None:
    """Do what only the whole hand can tell."""
    hand.close_bets()
    ended = hand.ends.pop(0, None)
    if not hand.paid:
        return
    put_in = sum(hand.put_in)
    uncalled = sum(amount for _, amount, _ in hand.pending)
    within = hand.paid + hand.rake
    hand.return_bets(put_in if within == put_in else within if within == put_in - uncalled else put_in)
    for seat, (stack, at) in hand.ends.items():
        hand.at = at
        told = StackCounted(seat, stack) if seat in hand.bought else ResultDeclared("end-stack", seat, stack)
        hand.put(told)
    hand.silent()
    if ended is not None:
        hand.at = ended[1]
        hand.put(HandCompleted())
