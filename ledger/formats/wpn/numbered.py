"""The second generation (since 2019): `Hand #1 - Holdem(No Limit) - …`, `X raises $2.00 to $2.50`."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.wpn import filename, numbered_acts, numbered_summary
from ledger.formats.wpn.hand import Hand
from ledger.formats.wpn.words import (
    BOARD_STREETS,
    LIMITS,
    NAMED_STREETS,
    NUMBERED_WITNESSES,
    VENUE,
    read_cards,
    variant,
    without_note,
)
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, RemarkNoted, ShowdownBegun
from ledger.hand.opening import Betting, ButtonPlaced, GameSet, HandOpened, NotDealtIn, OptionSet, TournamentSet
from ledger.readers import amounts, timestamps
from ledger.readers.bomb_pots import BOMB_POT
from ledger.readers.cards import groups
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Chips, Seat, Witness

_HEADS: Final = ("Hand #", "Game Hand #")
_KEPT: Final = 20_000
_LONGEST: Final = 80
_AWAY: Final[dict[str, NotDealtIn]] = {
    "is sitting out": "sitting-out",
    "will be allowed to play after the button": "waiting-for-button",
    "waits for big blind": "waiting-for-big-blind",
}
"""What may stand behind a seat → why it is not dealt in."""


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    tournament: str
    title: str
    game: str  # `Holdem(No Limit)`
    stakes: str  # `$0.05/$0.10` or `Level 15 (250.00/500.00)`
    written: str


class Table(NamedTuple):
    """The second line."""

    name: str
    seats: int
    button: Seat | None


def begins(line: str) -> bool:
    """Tell whether a hand of this generation begins with this line."""
    if not line.startswith(_HEADS):
        line = line.lstrip("\ufeff \t")
        if not line.startswith(_HEADS):
            return False
    digits, dash, _ = line[line.find("#") + 1 : 60].partition(" - ")
    return bool(dash) and digits.isascii() and digits.isdigit()


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    at, title = page.first, ""
    while not begins(text[at]):  # what stands before the first hand of a tournament
        title = _entitled(text[at]) or title
        at += 1
    head, first = _head(text[at]), at
    at += 1
    while at < page.after and (not text[at].strip() or _entitled(text[at])):
        title = _entitled(text[at]) or title
        at += 1
    table = _table(text[at].strip()) if at < page.after else None
    if table is None:
        raise UnreadableHandError(
            "the hand breaks off behind its first line",
            kind="cut-off",
            hint="The line that names the table is missing or damaged.",
        )
    facts = filename.facts(page.source)
    setup = _setup(head, page.exponent, play=facts.play)
    game, level = setup
    hand = Hand(page.lines, page.people, game, first, "numbered")
    if head.tournament:
        hand.put(TournamentSet(level=level, written=head.title or title or facts.title))
    hand.put(game)
    _options(hand, table.name)
    k = _seats(hand, at + 1, page.after)
    if table.button is not None:
        hand.at = at
        hand.put(ButtonPlaced(table.button))
    _body(hand, k, page.after)
    own = int(Witness.OWN_CARDS) if hand.own else 0
    hand.open(
        HandOpened(
            VENUE,
            table.name,
            head.number,
            NUMBERED_WITNESSES | own,
            timestamps.started(head.written),
            head.written,
            table.seats,
            head.tournament,
        )
    )
    return hand


def _options(hand: Hand, table: str) -> None:
    """Tell what the table's name says of how it is played."""
    words = table.lower().replace("(", " ").replace(")", " ").split()
    for word in ("cap", "blitz"):
        if word in words:
            hand.put(OptionSet("other", word))


def _head(line: str) -> Head:
    """Take a line apart that `begins` a hand; some have no blank before the last dash."""
    number, _, rest = line.strip("\ufeff \t\r").partition("#")[2].partition(" - ")
    if len(number) > 24:
        raise UnreadableHandError(f"the hand's number is {number[:40]!r}", kind="header")
    rest, _ = without_note(rest)
    at = rest.rfind("- ")
    written = rest[at + 2 :]
    if at < 0 or not written[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    middle = rest[:at].rstrip(" -")
    tournament = title = ""
    before, found, after = middle.partition("Tournament #")
    if found:
        title = before.strip(" -")
        tournament, _, middle = after.partition(" - ")
        tournament = tournament.strip()
        if not tournament:
            raise UnreadableHandError("the tournament has no number", kind="header")
    game, dash, stakes = middle.partition(" - ")
    if not dash:
        raise UnreadableHandError(f"no stakes in {middle[:80]!r}", kind="header")
    return Head(number, tournament, title, game.strip(), stakes.strip(), written)


def _entitled(line: str) -> str:
    """Return the tournament's name of `Title 'SNG 2.0 $5.5'` or `Title: SNG 2.0 $5.50`; "" of other lines."""
    word, _, name = line.strip().partition(" ")
    return name.strip(" '") if word in ("Title", "Title:") else ""


_setups: Final[dict[tuple[str, str, bool, int | None, bool], tuple[GameSet, str]]] = {}


def _setup(head: Head, exponent: int | None, *, play: bool) -> tuple[GameSet, str]:
    """Return the game of a header and the level of its tournament."""
    key = (head.game, head.stakes, bool(head.tournament), exponent, play)
    made = _setups.get(key)
    if made is None:
        if len(_setups) > _KEPT:
            _setups.clear()
        made = _setups[key] = _game(head, exponent, play=play)
    return made


def _game(head: Head, exponent: int | None, *, play: bool) -> tuple[GameSet, str]:
    name, _, limit = head.game.rpartition("(")
    found = variant(name)
    betting: Betting | None = LIMITS.get(limit.rstrip(" )").lower())
    if found is None or betting is None:
        raise UnreadableHandError(
            f"the game {head.game[:80]!r} is not known",
            kind="unknown-game",
            hint="handledger rules lists no such game; tell us where it is played.",
        )
    level, stakes = "", head.stakes
    if head.tournament:
        level, _, stakes = stakes.partition("(")
        level, stakes = level.removeprefix("Level").strip(), stakes.rstrip(" )")
    unit = _unit(stakes, tournament=bool(head.tournament), play=play)
    if exponent is None:
        exponent = 2 if unit not in ("chips", "play") else 0
    blinds, _, ante = stakes.partition(",")
    bets = tuple(amounts.read(one, exponent) for one in blinds.split("/"))
    fee = ante.lower().replace("ante", "").strip()
    fixed = betting == "limit"
    game = GameSet(
        variant=found,
        betting=betting,
        format="tournament" if head.tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if fixed else bets,
        ante=amounts.read(fee, exponent) if fee else 0,
        bets=bets if fixed else (),
    )
    return game, level


def _unit(stakes: str, *, tournament: bool, play: bool) -> str:
    if tournament:
        return "chips"
    if play:
        return "play"
    return next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "play")


_tables: Final[dict[str, Table | None]] = {}


def _table(line: str) -> Table | None:
    """Read `Blitz Poker 6-max Seat #1 is the button`, `Table '25' 9-max …`; None if it is no such line."""
    try:
        return _tables[line]
    except KeyError:
        found = _read_table(line)
        if len(_tables) > _KEPT:
            _tables.clear()
        if len(line) < 200:
            _tables[line] = found
        return found


def _read_table(line: str) -> Table | None:
    before, _, behind = line.rpartition(" Seat #")
    button: Seat | None = None
    if before and behind.endswith(" is the button"):
        digits = behind.partition(" ")[0]
        if digits.isascii() and digits.isdigit() and len(digits) < 4:
            button = int(digits)
        line = before
    name, _, chairs = line.rpartition(" ")
    seats = chairs.removesuffix("-max")
    if seats == chairs or not seats.isascii() or not seats.isdigit():
        return None
    name = name.strip()
    if name.startswith("Table '") and name.endswith("'"):
        name = name[7:-1]
    return Table(name, int(seats[:3]), button)


_lines: Final[dict[int, dict[str, tuple[Seat, str, Chips | None, NotDealtIn | None]]]] = {}


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
        seat, name, stack, reason = found
        hand.take(seat, name, stack)
        if reason is not None:
            hand.absent[seat] = reason
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    hand.called = Names(hand.seats)
    return k


def _seat(hand: Hand, line: str) -> tuple[Seat, str, Chips | None, NotDealtIn | None]:
    """Read `Seat 4: X ($0.00) is sitting out`; who waits may have no stack."""
    number, colon, rest = line[5:].rstrip().partition(": ")
    reason: NotDealtIn | None = None
    for words, why in _AWAY.items():
        if rest.endswith(" " + words):
            rest, reason = rest[: -len(words) - 1], why
            break
    name, opening, stack = rest.rpartition(" (")
    if not colon or not (number.isascii() and number.isdigit()):
        opening = ""
    elif not (opening and stack.endswith(")")):
        if reason is None and stack:
            return int(number[:3]), rest, None, "unknown"
        opening = ""
        if reason is not None:
            return int(number[:3]), rest, None, reason
    if not opening:
        raise UnreadableHandError(
            f"a seat cannot be read: {line[:80]!r}",
            kind="seat",
            hint="A number, a name and a stack in brackets were expected.",
        )
    return int(number[:3]), name, hand.chips(stack[:-1]), reason


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, seats, known = hand.lines.text, hand.seats, hand.acts_read
    plain, names = hand.called.plain, hand.called.all_of
    results = numbered_summary.Results()
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        word, _, rest = line.partition(" ")
        if (told := known.get(rest)) and (seat := plain.get(word)):
            make, amount, all_in = told
            make(hand, seat, amount, all_in)
            continue
        if hand.summary >= 0 and line[:4] != "*** ":
            numbered_summary.line(hand, line.strip(), results)
            continue
        for name in names(line):
            if numbered_acts.act(hand, seats[name], line[len(name) + 1 :]):
                break  # if it was no act a shorter name may be meant
        else:
            _other(hand, line, results)
    if hand.summary >= 0:
        numbered_summary.end(hand, results)
        hand.leave_out_silent()
        hand.at = hand.summary
        hand.put(HandCompleted())
    else:
        hand.leave_out_absent()


def _other(hand: Hand, line: str, results: numbered_summary.Results) -> None:
    """Read a line that no seated player's name begins."""
    if line.startswith("*** "):
        if not _heading(hand, line, results):
            hand.unread(line)
    elif line.startswith(("Main pot ", "Side pot")):
        if not _pot_so_far(hand, line):
            hand.unread(line)
    elif line.startswith("Dealt to "):
        if not _dealt(hand, line[9:].rstrip()):
            hand.unread(line)
    elif line.startswith("Uncalled bet ("):
        amount, _, name = line[14:].partition(") returned to")
        name = name.removeprefix(" ")
        seat = hand.seats.get(name, hand.seats.get(name.rstrip()))
        if seat is None:
            hand.unread(line)
        else:
            hand.give_back(seat, hand.chips(amount))
    elif numbered_summary.is_bomb_pot(line):
        hand.put(BOMB_POT)
    elif line.strip():
        hand.unread(line)


def _pot_so_far(hand: Hand, line: str) -> bool:
    """Tell whether a line says how much is in the pots now, which the acts say as well."""
    pot, *drops = line.rstrip().split(" | ")
    parts = [pot, *drops]
    names = ("Main pot", "Side pot", "Rake", "JP Fee")
    for part in parts:
        name, _, amount = part.rpartition(" ")
        if not name.startswith(names) or amounts.maybe(amount, hand.exponent) is None:
            return False
    return True


def _heading(hand: Hand, line: str, results: numbered_summary.Results) -> bool:
    """Read `*** FLOP *** [2c 7d Kc]`, `*** TURN 2 *** [2c 7d Kc] [9s]`."""
    end = line.find(" ***", 4)
    title, rest = line[4 : max(end, 4)], line[end + 4 :].strip(" :")
    word, _, digit = title.rpartition(" ")
    run = 0
    if word and digit in ("1", "2", "3"):
        title, run = word, int(digit)
    if title in BOARD_STREETS:
        return _board(hand, title, run, rest)
    if title in ("HOLE CARDS", "3rd STREET"):
        hand.street = "third" if title == "3rd STREET" else "preflop"
        hand.put(DealCompleted())
    elif title in _AGREED:
        hand.close_bets()
        hand.put(RunsAgreed(_AGREED[title]))
    elif title in ("SHOW DOWN", "SHOWDOWN"):
        hand.close_bets()
        hand.run = run or 1
        hand.put(ShowdownBegun(hand.run))
    elif title == "SUMMARY":
        hand.summary = hand.at
        results.number = run or results.number + 1
    elif title in NAMED_STREETS:
        hand.deal_street(NAMED_STREETS[title])
    else:
        return False
    return True


_AGREED: Final = {"RUN IT TWICE": 2, "RUN IT THREE TIMES": 3}


def _board(hand: Hand, title: str, run: int, rest: str) -> bool:
    """Read `[2c 7d Kc][9s]`: what is new stands in the last bracket."""
    found = groups(read_cards, rest)
    if found is None:
        return False
    hand.board_of_run(BOARD_STREETS[title], found[-1], run)
    return True


def _dealt(hand: Hand, text: str) -> bool:
    """Read `Name [As 2s Qs] [3c]`: hole cards, a street of stud; before the deal, a draw for the button."""
    found = hand.called.part(text)
    if found is None or found[1][:1] != "[":
        return False
    seat = hand.seats[found[0]]
    told = groups(read_cards, found[1])
    if told is None:
        return False
    new = told[-1]
    if not any(isinstance(event, DealCompleted) for event in hand.events):
        hand.put(RemarkNoted(hand.people.text("Dealt to " + text)))
    elif hand.street == "third":
        cards = "".join(told)
        hidden = len(cards) == 2
        hand.own = hand.own or not hidden
        cards = "????" + cards if hidden else cards
        how = "dealt-up" if hidden else "owner"
        hand.hole[seat] = len(hand.events)
        hand.put(HoleCardsDealt(seat, cards, "d" * (len(cards) // 2 - 1) + "u", how))  # type: ignore[arg-type]  # one of two
    elif hand.stud:
        face = "d" if hand.street == "seventh" else "u"
        how = "owner" if face == "d" else "dealt-up"
        hand.put(HoleCardsDealt(seat, new, face * (len(new) // 2), how))  # type: ignore[arg-type]  # one of two
    else:
        hand.own = True
        hand.hole[seat] = len(hand.events)
        hand.put(HoleCardsDealt(seat, "".join(told)))
    return True
