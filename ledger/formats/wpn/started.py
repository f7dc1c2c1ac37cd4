"""The first generation (to 2019): `Game started at:`, `Player X raises (6)`, results in the summary alone."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.wpn import dealing, filename, started_acts, started_summary, strangers
from ledger.formats.wpn.hand import Hand
from ledger.formats.wpn.words import (
    BOARD_STREETS,
    LATER_STREETS,
    STARTED_WITNESSES,
    STUD,
    VENUE,
    read_cards,
    variant,
    without_note,
)
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import Betting, ButtonPlaced, GameSet, HandOpened, OptionSet, TournamentSet
from ledger.readers import amounts
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Chips, Seat, Witness

HEAD: Final = "Game started at:"
_RECEIVED: Final = " received a card."


class Head(NamedTuple):
    """The line `Game ID:` taken apart."""

    number: str
    stakes: tuple[str, str]
    name: str  # of the table or tournament
    variant: str
    seats: int


def begins(line: str) -> bool:
    """Tell whether a hand of this generation begins with this line."""
    return line.startswith(HEAD) or line.lstrip("\ufeff \t").startswith(HEAD)


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    written, noted = without_note(text[page.first].partition(":")[2])
    at = _next(text, page.first + 1, page.after)
    if at >= page.after or not text[at].startswith("Game ID: "):
        raise UnreadableHandError(
            "the hand breaks off behind its first line",
            kind="cut-off",
            hint="The line `Game ID:` is missing or damaged.",
        )
    head = _head(text[at])
    facts = filename.facts(page.source)
    title, comma, table = head.name.rpartition(", Table ")
    tournament = bool(comma or noted) or facts.is_tournament
    game = _game(head, text[at : page.after], page.exponent, tournament=tournament)
    hand = Hand(page.lines, page.people, game, page.first, "started")
    hand.at = at
    if tournament:
        hand.put(TournamentSet(written=title or facts.title or head.name))
    hand.put(game)
    if "CAP" in head.name.split():
        hand.put(OptionSet("other", "cap"))
    k, button = _seats(hand, at + 1, page.after)
    if button is not None:
        hand.at = button[1]
        hand.put(ButtonPlaced(button[0]))
    _body(hand, k, page.after, head.name)
    own = int(Witness.OWN_CARDS) if hand.own else 0
    number = (facts.tournament or noted or title or head.name or "?") if tournament else ""
    hand.open(
        HandOpened(
            VENUE,
            table if comma else head.name,
            head.number,
            STARTED_WITNESSES | own,
            None,
            written,
            head.seats,
            number,
        )
    )
    return hand


def _next(text: list[str], k: int, after: int) -> int:
    while k < after and not text[k].strip():
        k += 1
    return k


_heads: Final[dict[str, tuple[tuple[str, str], str, str, int]]] = {}
_KEPT: Final = 20_000


def _head(line: str) -> Head:
    """Read `Game ID: 900000037 2/4 Braunite ( Beast ) (Omaha)`, perhaps with ` 8-max` behind it."""
    number, _, rest = line[9:].strip().partition(" ")
    if not number.isascii() or not number.isdigit() or len(number) > 24:
        raise UnreadableHandError(f"the hand's number is {number[:40]!r}", kind="header")
    found = _heads.get(rest)
    if found is None:
        if len(_heads) > _KEPT:
            _heads.clear()
        found = _heads[rest] = _table(rest)
    return Head(number, *found)


def _table(rest: str) -> tuple[tuple[str, str], str, str, int]:
    stakes, _, rest = rest.partition(" ")
    low, slash, high = stakes.partition("/")
    left, right = rest.rfind("("), rest.rfind(")")
    if not slash or left < 0 or right < left:
        raise UnreadableHandError(f"no stakes and game in {rest[:80]!r}", kind="header")
    name = rest[left + 1 : right]
    game = variant(name)
    if game is None:
        raise UnreadableHandError(
            f"the game {name[:80]!r} is not known",
            kind="unknown-game",
            hint="handledger rules lists no such game; tell us where it is played.",
        )
    chairs = rest[right + 1 :].strip()
    seats = chairs.removesuffix("-max")
    known = seats != chairs and seats.isascii() and seats.isdigit()
    return (low, high), rest[:left].strip(), game, int(seats[:3]) if known else 0


def _game(head: Head, text: list[str], exponent: int | None, *, tournament: bool) -> GameSet:
    unit = "chips" if tournament else ("play" if head.name.startswith("PM ") else "USD")
    if exponent is None:
        exponent = 0 if tournament else 2
    stakes = tuple(amounts.read(one, exponent) for one in head.stakes)
    betting = _betting(head.variant, stakes, text, exponent)
    limit = betting == "limit"
    return GameSet(
        variant=head.variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if limit else stakes,
        bets=stakes if limit else (),
    )


def _betting(game: str, stakes: tuple[Chips, ...], text: list[str], exponent: int) -> Betting:
    """Return the limit, which no line tells: where it is fixed the blinds are half the stakes."""
    if game in STUD:
        return "limit"
    for line in text:
        if line.startswith(("*** ", "Player ")):
            for words, stake in ((" has big blind (", stakes[1]), (" has small blind (", stakes[0])):
                _, found, amount = line.rpartition(words)
                posted = amounts.maybe(amount.rstrip().rstrip(")"), exponent) if found else None
                if posted is not None and 0 < posted == stake:
                    return "no-limit" if game in ("holdem", "short-deck") else "pot-limit"
                if posted is not None and 2 * posted == stake:
                    return "limit"
            if line.startswith("*** "):
                break
    return "no-limit" if game in ("holdem", "short-deck") else "pot-limit"


def _seats(hand: Hand, k: int, after: int) -> tuple[int, tuple[Seat, int] | None]:
    """Read the button and the list of seats from line `k`; return the line behind them."""
    text = hand.lines.text
    button: tuple[Seat, int] | None = None
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        hand.at = k
        if line.endswith("is the button"):
            digits = line[5:].partition(" ")[0].lstrip("#")
            if digits.isascii() and digits.isdigit() and len(digits) < 4:
                button = int(digits), k
        elif line:
            number, colon, rest = line[5:].partition(": ")
            name, opening, stack = rest.rpartition(" (")
            if not (colon and opening and number.isascii() and number.isdigit()):
                raise UnreadableHandError(
                    f"a seat cannot be read: {line[:80]!r}",
                    kind="seat",
                    hint="A number, a name and a stack in brackets were expected.",
                )
            hand.take(int(number[:3]), name, hand.chips(stack.rstrip(".").removesuffix(")")))
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    hand.called = Names(hand.seats)
    return k, button


def _body(hand: Hand, k: int, after: int, table: str) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, seats, known, plain = hand.lines.text, hand.seats, hand.acts_read, hand.called.plain
    dealing_now = True
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        if line[-17:] == _RECEIVED:
            seat = seats.get(line[7:-17])
            if seat is not None and line.startswith("Player "):
                dealing.received(hand, seat, "??")
                continue
        if line[:7] == "Player ":
            name, _, rest = line[7:].partition(" ")
            if (told := known.get(rest)) and (seat := plain.get(name)):
                make, amount, all_in = told
                if dealing_now and hand.hole and make not in started_acts.BEFORE:
                    dealing.complete(hand)
                    dealing_now = False
                make(hand, seat, amount, all_in)
                continue
        if dealing_now and hand.hole and started_acts.ends_deal(line):
            dealing.complete(hand)
            dealing_now = False
        if line[:11] == "------ Summ":
            _end(hand, k - 1, after, table)
            return
        _line(hand, line)


def _line(hand: Hand, line: str) -> None:
    """Read a line that was not read before in the same words."""
    if line.startswith("Player "):
        rest = line[7:]
        for name in hand.called.all_of(rest):
            if started_acts.act(hand, hand.seats[name], rest[len(name) + 1 :]):
                return
        if not strangers.act(hand, rest):
            hand.unread(line)
    elif line.startswith("*** "):
        if not _heading(hand, line):
            hand.unread(line)
    elif line.startswith("Uncalled bet ("):
        amount, _, name = line[14:].partition(") returned to")
        name = name.removeprefix(" ")
        seat = hand.seats.get(name, hand.seats.get(name.rstrip()))
        if seat is None:
            hand.unread(line)
        else:
            hand.give_back(seat, hand.chips(amount))
    elif line.strip():
        hand.unread(line)


def _heading(hand: Hand, line: str) -> bool:
    """Read `*** FLOP ***: [2c 7d Kc]` and `*** Third street ***`."""
    end = line.find(" ***", 4)
    title, rest = line[4 : max(end, 4)], line[end + 4 :].strip(" :")
    if title in BOARD_STREETS:
        groups = [read_cards(part.strip(" [")) for part in rest.split("]") if part.strip()]
        if not groups or None in groups:
            return False
        hand.board(BOARD_STREETS[title], groups[-1] or "")
        return True
    street = LATER_STREETS.get(title)
    if street is None:
        return False
    hand.deal_street(street)
    return True


def _end(hand: Hand, at: int, after: int, table: str) -> None:
    hand.summary = at
    total, ended = started_summary.read(hand, at + 1, after, table)
    hand.settle_bets(total)
    hand.leave_out_absent()
    if ended >= 0:
        hand.at = ended
        hand.put(HandCompleted())
