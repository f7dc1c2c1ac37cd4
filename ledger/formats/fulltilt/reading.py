"""Full Tilt's text to events, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from ledger.formats.fulltilt import header, summary
from ledger.formats.fulltilt.hand import LONG_ACTS, PLAIN, SIMPLE_ACTS, WORDS, Act, Hand, dealt, given_back, groups
from ledger.formats.fulltilt.header import Head, begins
from ledger.formats.fulltilt.words import (
    BOARD_STREETS,
    DEALS,
    DRAW,
    HAND_STREETS,
    HEADS,
    PREFACE,
    STUD,
    VENUE,
    WITNESSES,
)
from ledger.hand.betting import RaisesCapped, RunsAgreed
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import HandCompleted, HandVoided, ShowdownBegun
from ledger.hand.opening import GameSet, HandOpened, OptionSet, TournamentSet
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.presence import ChipsAdded, PlayerAway, PlayerBack, SeatLeft, WordsSaid
from ledger.readers import amounts, games, reading
from ledger.readers.hand import SEATS, HandBuilder, nobody
from ledger.readers.reading import Grammar, Page
from ledger.readers.signatures import ROOMS
from ledger.vocabulary import Cards, Witness

_ENDS: Final = tuple(head for head, _ in ROOMS if not head.startswith(("Full", "*****")))
_ALL_IN: Final = ", and is all in"
_CAPPED: Final = ", and is capped"
_LONGEST_NAME: Final = 30


def sniff(head: bytes) -> int:
    """Tell how sure it is that these first bytes are Full Tilt's."""
    text = head.decode("utf-8", "replace")
    for name in HEADS:
        at = text.find(name)
        while at >= 0:
            line = text[at : at + 300].partition("\n")[0]
            start = text.rfind("\n", 0, at) + 1
            if not text[start:at].strip("\ufeff \t") and begins(line):
                return 97 if " - " in line or "Summary" in line else 60
            at = text.find(name, at + 1)
    return 0


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


def tell(page: Page) -> HandBuilder:
    """Read one hand."""
    text = page.lines.text
    k = next(at for at in range(page.first, page.after) if begins(text[at]))
    head = header.head(text[k])
    game = _game(page, head)
    hand = Hand(page.lines, page.people, game, page.first)
    hand.at = k
    place = head.place
    if place.tournament:
        hand.put(_tournament(head))
    hand.put(game)
    _options(hand, head)
    k = _seats(hand, k + 1, page.after)
    _body(hand, k, page.after)
    _finish(hand)
    hand.open(
        HandOpened(
            VENUE,
            place.table,
            head.number,
            WITNESSES | (int(Witness.OWN_CARDS) if hand.own else 0),
            head.started,
            head.written,
            place.chairs,
            place.tournament,
        )
    )
    return hand


def _game(page: Page, head: Head) -> GameSet:
    found, tournament = head.game, bool(head.place.tournament)
    unit = "chips" if tournament else found.unit or "play"
    exponent = page.exponent
    if exponent is None:
        exponent = 0 if unit in ("chips", "play") else 2
    return _game_set(found, unit, exponent, tournament=tournament)


@lru_cache(maxsize=10_000)
def _game_set(found: header.Game, unit: str, exponent: int, *, tournament: bool) -> GameSet:
    stakes = tuple(amounts.read(one, exponent) for one in found.stakes)
    return games.game_set(
        found.variant,
        found.betting,
        stakes,
        unit=unit,
        exponent=exponent,
        tournament=tournament,
        ante=amounts.read(found.ante, exponent) if found.ante else 0,
        written=found.written,
    )


def _tournament(head: Head) -> TournamentSet:
    place = head.place
    buy_in = amounts.maybe(place.buy_in, 2) if place.buy_in else None
    fee = amounts.maybe(place.fee, 2) if place.fee else None
    currency = amounts.SYMBOLS.get(place.buy_in[:1], "")
    return TournamentSet("", buy_in, fee, None, currency, place.name)


def _options(hand: Hand, head: Head) -> None:
    cap = head.game.cap
    amount = amounts.maybe(cap, hand.exponent) if cap not in ("", "cap") else None
    if amount is not None:
        hand.put(OptionSet("bet-cap", amount))
    elif cap:
        hand.put(OptionSet("other", "cap"))
    for trait in head.place.traits:
        hand.put(OptionSet("other", trait))


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read the seat list; return the line behind it."""
    text = hand.text
    for at in range(k, after):
        line = text[at].rstrip()
        if not line or line.startswith("Seats: "):
            continue
        found = header.chair(line)
        if found is None:
            k = at
            break
        hand.at = at
        hand.take(found.seat, found.name, hand.amount(found.stack))
        if found.away:
            hand.away.add(found.seat)
            if hand.game.format == "tournament":
                hand.put(PlayerAway(found.seat, hand.player_in(found.seat), why="sits-out"))
    else:
        k = after
    if not hand.index:
        raise nobody()
    hand.seated = len(hand.events)
    return k


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the seat list to the hand's end; the commonest lines are read here."""
    text, seats, known = hand.text, hand.seats, hand.known
    for k in range(k, after):  # noqa: B020, PLR1704 - the same lines, from here on
        line = text[k].rstrip()
        if not line:
            continue
        hand.at = k
        if hand.summary >= 0:
            summary.line(hand, line)
            continue
        name, _, rest = line.partition(" ")
        told = known.get(rest)
        if told is not None and (seat := seats.get(name)):
            told[0](hand, seat, *told[1])
        elif not (line[:4] == "*** " and _heading(hand, line)) and not _amount(hand, line):
            _other(hand, line)


def _amount(hand: Hand, line: str) -> bool:
    """Read an act with an amount at its end; False where it is none."""
    all_in = line.endswith(_ALL_IN)
    before, _, last = (line[: -len(_ALL_IN)] if all_in else line).rpartition(" ")
    if last[:1] not in _FIGURES:
        return False
    name, _, word = before.rpartition(" ")
    if word in SIMPLE_ACTS and name in hand.seats:
        return _act(hand, line, name, SIMPLE_ACTS[word], last, all_in)
    return _long(hand, line, name, word, last, all_in)


def _act(hand: Hand, line: str, name: str, act: Act, amount: str, all_in: bool) -> bool:
    """Tell an act with an amount, and remember how."""
    value = hand.chips(amount)
    act(hand, hand.seats[name], value, all_in)
    hand.remember(name, line, act, value, all_in)
    return True


_FIGURES: Final = frozenset("0123456789$€£")


def _long(hand: Hand, line: str, head: str, word: str, amount: str, all_in: bool) -> bool:
    """Read an act whose amount stands behind several words; False where it is none."""
    for words, act in LONG_ACTS.get(word, ()):
        if head.endswith(words) and head[: -len(words)] in hand.seats:
            return _act(hand, line, head[: -len(words)], act, amount, all_in)
    return False


# -- headings ---------------------------------------------------------------------------------------


def _heading(hand: Hand, line: str) -> bool:
    """Read a heading between three stars; False where it is none that is known."""
    title, stars, rest = line[4:].partition(" ***")
    if not stars:
        return False
    name, _, number = title.rpartition(" ")
    run = 1
    if number in ("1", "2", "3", "4"):
        title, run = name, int(number)
    if title in BOARD_STREETS and "[" in rest:
        return _board(hand, title, rest.partition(" (Total Pot")[0], run)
    if title in DEALS:
        if hand.game.variant in STUD:
            hand.street = "third"
        hand.put(DealCompleted())
    elif title in HAND_STREETS and hand.game.variant in (STUD | DRAW):
        hand.deal_street(HAND_STREETS[title])
    elif title == "SHOW DOWN":
        hand.close_bets()
        hand.put(ShowdownBegun(run))
    elif title == "SUMMARY":
        hand.close_bets()
        hand.summary = hand.at
    else:
        return False
    return True


def _board(hand: Hand, title: str, rest: str, run: int) -> bool:
    """Read `[2c 7d Kc] [9s]`: what is new stands in the last bracket."""
    found: list[Cards] | None = groups(rest)
    if found is None:
        return False
    hand.runs = max(hand.runs, run)
    hand.board(BOARD_STREETS[title], found[-1], run=run)
    return True


# -- all other lines --------------------------------------------------------------------------------


def _other(hand: Hand, line: str) -> None:
    """Read a line of any other kind."""
    reader = _LINES.get(line.partition(" ")[0])
    if reader is not None and reader(hand, line):
        return
    for name in hand.named(line):
        if _named(hand, name, line[len(name) :]):
            return
    if not (_known(hand, line) or _stranger(hand, line)):
        hand.unread(line)


def _named(hand: Hand, name: str, rest: str) -> bool:
    """Read what follows a seated player's name."""
    seat = hand.seats[name]
    if rest[:2] == ": ":
        hand.put(WordsSaid(hand.people.text(rest[2:].strip()), seat, hand.player(name)))
        return True
    words = rest[1:]
    plain = PLAIN.get(words)
    if plain is not None:
        plain(hand, seat)
        hand.remember(name, f"{name} {words}", plain)
        return True
    if words.endswith(_CAPPED):
        return _amount(hand, f"{name} {words[: -len(_CAPPED)]}")
    word, _, more = words.partition(" ")
    reader = WORDS.get(word)
    return reader is not None and reader(hand, seat, more)


def _dealt(hand: Hand, line: str) -> bool:
    """Read `Dealt to Name [..]`, `Dealt to Name [held] [new]`."""
    name, opening, rest = line[9:].partition(" [")
    if not line.startswith("Dealt to ") or not opening:
        return False
    if name not in hand.seats or not hand.plain():
        for one in hand.by_length():
            if line.startswith(one + " [", 9):
                name, rest = one, line[11 + len(one) :]
                break
    seat = hand.seats.get(name, 0)
    return bool(seat) and dealt(hand, seat, "[" + rest)


def _uncalled(hand: Hand, line: str) -> bool:
    """Read `Uncalled bet of $5 returned to Name`."""
    amount, words, name = line[16:].partition(" returned to ")
    seat = hand.seats.get(name, 0)
    if not line.startswith("Uncalled bet of ") or not words or not seat:
        return False
    given_back(hand, seat, hand.chips(amount))
    return True


def _button(hand: Hand, line: str) -> bool:
    """Read `The button is in seat #3`."""
    digits = line[23:].rstrip(".")
    seat = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else 0
    if not line.startswith("The button is in seat #") or not 0 < seat < SEATS:
        return False
    hand.button(seat)
    return True


def _agreed(hand: Hand, line: str) -> bool:
    """Read `Players agree to Run It Twice`."""
    if not line.startswith("Players agree to Run It "):
        return False
    hand.runs = 2 if line.endswith("Twice") else 3
    hand.put(RunsAgreed(hand.runs))
    return True


_LINES: Final[dict[str, Callable[[Hand, str], bool]]] = {
    "Dealt": _dealt,
    "Uncalled": _uncalled,
    "The": _button,
    "Players": _agreed,
}
"""The first word of a line that begins with no name → how it is read."""


_NOTICES: Final = (
    " (",
    "*****",
    "END",
    "BEGIN",
    "Time has expired",
    "The blinds are now ",
    "The antes are now ",
    "The limits are now ",
    "Pair on board",
    "No low hand qualified",
    "Rebuys ",
    "Add-ons ",
)
"""How lines begin that say nothing of the hand's course."""


def _known(hand: Hand, line: str) -> bool:
    """Read a rarer line that begins with no player's name."""
    if line.startswith("Hand ") and line.rstrip(".").endswith(("canceled", "cancelled")):
        hand.put(HandVoided("cancelled"))
    elif line == "Betting is capped":
        hand.put(RaisesCapped())
    elif line.startswith(_NOTICES) or line.endswith((" seconds left to act", " is in the lead")):
        hand.remark()
    else:
        return False
    return True


def _stranger(hand: Hand, line: str) -> bool:
    """Read a line about somebody who has no seat in this hand."""
    name, colon, words = line.partition(": ")
    if colon and 0 < len(name) <= _LONGEST_NAME:
        player = hand.player(name.removesuffix(" (Observer)"))
        hand.put(WordsSaid(hand.people.text(words), None, player))
        return True
    before, _, last = line.rpartition(" ")
    if before.endswith(" adds") and last[:1] in _FIGURES:
        player = hand.player(before[: -len(" adds")])
        hand.put(ChipsAdded(None, hand.chips(last), "buy-in", "player", player))
        return True
    for ending in _OF_OTHERS:
        if line.endswith(ending):
            player = hand.player(line[: -len(ending)])
            if ending in (" stands up", " leaves the table", " has left the table"):
                hand.put(SeatLeft(None, player, "left"))
            elif ending == " is sitting out":
                hand.put(PlayerAway(None, player, why="sits-out"))
            elif ending == " has returned":
                hand.put(PlayerBack(None, player))
            else:
                hand.remark()
            return True
    return False


_OF_OTHERS: Final = (
    " sits down",
    " stands up",
    " is sitting out",
    " has returned",
    " leaves the table",
    " has left the table",
)


def _finish(hand: Hand) -> None:
    """Do what only the whole hand can tell."""
    if hand.summary < 0:
        return
    summary.collected(hand)
    hand.silent()
    hand.return_bets(hand.total)
    hand.at = hand.summary
    hand.put(HandCompleted())


_GRAMMAR: Final = Grammar(begins, _ENDS, tell, PREFACE, "F\ufeff \t")
