"""Winamax's text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.winamax import acts, forum, header, summary
from ledger.formats.winamax.hand import Hand
from ledger.formats.winamax.words import (
    BETTING_BEGINS,
    BOARD_STREETS,
    DRAW_STREETS,
    NUMBERS,
    STUD_STREETS,
    VENUE,
    WITNESSES,
    read_cards,
)
from ledger.hand.dealing import CardsDrawn, DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import HandCompleted, RemarkNoted, ShowdownBegun
from ledger.hand.opening import BlindSkipped, ButtonPlaced, HandOpened, NotDealtIn, PotSeeded, SeatDealtIn, SeatLeftOut
from ledger.readers import amounts
from ledger.readers.cards import groups
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Cards, Chips, Seat, Witness

_SILENT: Final = (SeatDealtIn, SeatLeftOut, ButtonPlaced, BlindSkipped)
"""Events that name a seat and do not show that it was dealt in."""


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first])
    at = page.first + 1
    while at < page.after and not text[at].strip():
        at += 1
    table = header.table(text[at].strip()) if at < page.after else None
    if table is None:
        raise UnreadableHandError(
            "the hand breaks off behind its first line",
            kind="cut-off",
            hint="The line that names the table is missing or damaged.",
        )
    setup = header.setup(head, exponent=page.exponent, play=table.play)
    hand = Hand(page.lines, page.people, setup.game, page.first)
    if setup.tournament:
        hand.put(setup.tournament)
    hand.put(setup.game)
    for option in setup.options:
        hand.put(option)
    k = _seats(hand, at + 1, page.after)
    if table.button is not None:
        hand.at = at
        hand.put(ButtonPlaced(table.button))
    written = text[k : page.after] if forum.written_so(text, k, page.after) else []
    try:
        if written:
            forum.unfold(text, k, page.after)
        _body(hand, k, page.after)
    finally:
        if written:
            text[k : page.after] = written
    tournament = table.tournament
    if setup.tournament and not tournament:
        tournament = head.number.partition("-")[0]
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if hand.own else 0)
    hand.open(
        HandOpened(
            VENUE,
            table.name,
            head.number,
            witnesses,
            header.started(head.written),
            head.written,
            table.seats,
            tournament,
        )
    )
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read the list of seats from line `k`; return the line behind it."""
    text = hand.lines.text
    known = _lines.setdefault(hand.exponent, {})
    if len(known) > _KEPT:
        known.clear()
    while k < after:
        line = text[k]
        if line[:5] != "Seat ":
            if line.strip():
                break
            k += 1
            continue
        hand.at = k
        found = known.get(line) or _seat(hand, line)
        if len(line) < _LONGEST:
            known[line] = found
        seat, name, stack, bounty = found
        hand.sit(seat, name, stack, bounty=bounty)
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    hand.called = Names(hand.seats)
    return k


_lines: Final[dict[int, dict[str, tuple[Seat, str, Chips | None, Chips]]]] = {}
_KEPT: Final = 20_000
_LONGEST: Final = 80


def _seat(hand: Hand, line: str) -> tuple[Seat, str, Chips | None, Chips]:
    """Read `Seat 3: Name (5€)`, `Seat 3: Name ()` or, with a bounty, `Seat 3: Name (5000, 2€ bounty)`."""
    number, _, rest = line[5:].rstrip().partition(": ")
    name, opening, inner = rest.rpartition(" (")
    if not opening or not inner.endswith(")") or not (number.isascii() and number.isdigit()):
        raise UnreadableHandError(
            f"a seat cannot be read: {line[:80]!r}",
            kind="seat",
            hint="A number, a name and a stack in brackets were expected.",
        )
    stack, comma, bounty = inner[:-1].partition(", ")
    worth = (amounts.maybe(bounty.removesuffix("bounty"), 2) or 0) if comma else 0
    return int(number[:3]), name, hand.chips(stack) if stack else None, worth


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, seats, known = hand.lines.text, hand.seats, hand.known
    plain, names = hand.called.plain, hand.called.all_of
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
            if line[:11] == "*** SUMMARY":
                _end(hand, k - 1, after)
                return
            _other(hand, line)


def _end(hand: Hand, at: int, after: int) -> None:
    total = summary.read(hand, at + 1, after)
    _return_bets(hand, total)
    _leave_out(hand)
    hand.at = at
    hand.put(HandCompleted())


def _return_bets(hand: Hand, total: Chips | None) -> None:
    """Conclude returned bets where the declared pot shows that they are no part of it.

    This room pays a bet that nobody called out with the pot, or as a side pot of its own.
    """
    hand.close_bets()
    put_in = sum(hand.put_in)
    uncalled = sum(amount for _, amount, _ in hand.pending)
    left = total is not None and total - hand.seeded == put_in - uncalled
    hand.return_bets(put_in - uncalled if left else put_in)


def _leave_out(hand: Hand) -> None:
    """Take out of the hand who does nothing in it: the list of seats names absent players too."""
    if all(hand.put_in[seat] or seat in hand.folded for seat in hand.stacks):
        return
    busy = {getattr(event, "seat", None) for event in hand.events if not isinstance(event, _SILENT)}
    if busy.issuperset(hand.stacks):
        return
    denied = {event.seat for event in hand.events if isinstance(event, BlindSkipped)}
    for index, event in enumerate(hand.events):
        if isinstance(event, SeatDealtIn) and event.seat not in busy:
            why: NotDealtIn = "sitting-out" if event.seat in denied else "unknown"
            hand.events[index] = SeatLeftOut(event.seat, event.player, event.stack, why)
            hand.derived.append(index)


def _other(hand: Hand, line: str) -> None:
    """Read a line that no seated player's name begins."""
    if line.startswith("*** "):
        if not _heading(hand, line):
            hand.unread(line)
    elif line.startswith("Dealt to "):
        if not _dealt(hand, line[9:]):
            hand.unread(line)
    elif line.startswith(("Hold-up to Pot", "Hold-Up to Pot")) and " total " in line:
        amount = hand.chips(line.rpartition(" total ")[2])
        hand.seeded += amount
        hand.put(PotSeeded("promotion", amount))
    elif line.startswith("Player Info: "):  # marks of players whose names are masked
        hand.put(RemarkNoted(hand.people.text(line.strip())))
    elif line.strip():
        hand.unread(line)


def _heading(hand: Hand, line: str) -> bool:
    """Read `*** FLOP *** [2c 7d Kc]`; False where it is no heading of this room."""
    end = line.find(" ***", 4)
    title, rest = line[4 : max(end, 4)], line[end + 4 :].strip(" :")
    number, first = 0, title.partition(" ")
    if first[0] in NUMBERS and first[2]:
        number, title = NUMBERS[first[0]], first[2]
    if title in BOARD_STREETS:
        return _board(hand, title, number, rest)
    if title in BETTING_BEGINS:
        return True
    if title in ("PRE-FLOP", "FIRST-BET", "3rd STREET", "THIRD"):
        hand.posting = False
        hand.street = "third" if title in ("3rd STREET", "THIRD") else "preflop"
        hand.put(DealCompleted())
        return True
    if title in ("SHOW DOWN", "SHOWDOWN"):
        hand.close_bets()
        hand.run = number or 1
        hand.put(ShowdownBegun(hand.run))
        return True
    street = STUD_STREETS.get(title) or DRAW_STREETS.get(title)
    if street is None:
        return False
    hand.thrown.clear()
    hand.deal_street(street)
    return True


def _board(hand: Hand, title: str, number: int, rest: str) -> bool:
    """Read `[2c 7d Kc][9s]`: what is new stands in the last bracket."""
    found = groups(read_cards, rest)
    if found is None:
        return False
    hand.board_of_run(BOARD_STREETS[title], found[-1], number)
    return True


def _dealt(hand: Hand, text: str) -> bool:
    """Read `Name [X X 8h] [5c]`: hole cards, a street of stud, a draw."""
    found = hand.called.part(text)
    if found is None or found[1][:1] != "[":
        return False
    seat = hand.seats[found[0]]
    known = groups(read_cards, found[1])
    if known is None:
        return False
    if hand.street in ("third", "fourth", "fifth", "sixth", "seventh"):
        _stud(hand, seat, known)
    elif hand.street.endswith("draw"):
        _drawn(hand, seat, known)
    else:
        acts.dealt(hand, seat, known)
    return True


def _stud(hand: Hand, seat: Seat, groups: list[Cards]) -> None:
    if hand.street == "third":
        all_cards = "".join(groups)
        up = "d" * (len(all_cards) // 2 - 1) + "u"
        hidden = all_cards.startswith("??")
        hand.own = hand.own or not hidden
        hand.put(HoleCardsDealt(seat, all_cards, up, "dealt-up" if hidden else "owner"))
        return
    new = groups[-1]
    face = "d" if hand.street == "seventh" else "u"
    how = "dealt-up" if face == "u" else ("unknown" if new.startswith("??") else "owner")
    hand.put(HoleCardsDealt(seat, new, face * (len(new) // 2), how))  # type: ignore[arg-type]  # one of three


def _drawn(hand: Hand, seat: Seat, groups: list[Cards]) -> None:
    """Tell new cards: the second bracket, or as many as were thrown away."""
    if len(groups) > 1 or len(groups[0]) // 2 == hand.thrown.get(seat, 0):
        hand.put(CardsDrawn(seat, groups[-1]))
    else:
        hand.put(HoleCardsLearned(seat, groups[0], "owner"))
