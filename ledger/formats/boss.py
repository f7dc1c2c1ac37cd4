"""The XML of the Boss Media network (later IGT and GTECH), as its clients stored it.

`docs/formats/boss.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, Half, HandCompleted, ShowdownBegun
from ledger.hand.opening import AntePosted, Betting, BlindPosted, GameSet, SeatDealtIn, TournamentSet
from ledger.people import People
from ledger.readers import acts, amounts, games, markup
from ledger.readers.hand import nobody
from ledger.readers.marked import Source
from ledger.readers.markup import Line, Sheet, XmlHandBuilder
from ledger.readers.settling import declared
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat, Street, Witness

VENUE: Final = "Boss Media"

WITNESSES: Final = Witness.of("POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP DISCARDS")
"""What the files record whenever it happens.

`BUTTON` is added where a file tells it (older ones do not), `BLIND_AMOUNTS` where the stakes are
blinds, `OWN_CARDS` where the file's owner is dealt cards.
"""

GAMES: Final[dict[str, str]] = {
    "GAME_THM": "holdem",
    "GAME_OMA": "omaha",
    "GAME_OMATU": "omaha",
    "GAME_OMAHL": "omaha8",
    "GAME_FCD": "draw5",
}
"""`GAME` → variant."""

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}

BOARDS: Final[dict[str, tuple[Street, int]]] = {
    "BOARD_FLOP": ("flop", 3),
    "BOARD_TURN": ("turn", 4),
    "BOARD_RIVER": ("river", 5),
}
"""A board's `VALUE` → its street, and how many cards lie there then."""

EMPTY: Final = frozenset(("STATE_EMPTY", "STATE_RESERVED"))

HALVES: Final[dict[str, Half]] = {"WINTYPE_HI": "high", "WINTYPE_LO": "low"}

FOLDED: Final = "$(STR_G_FOLD)"
MUCKED: Final = "$(STR_G_MUCK)"
DEFAULT: Final = "$(STR_BY_DEFAULT)"
"""What stands for a hand that is not shown: it was folded, mucked, or nobody else was left."""

_RANKS: Final = "A23456789TJQK"
_SUITS: Final = "dchs"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(number): _RANKS[number % 13] + _SUITS[number // 13] for number in range(52)}}
"""A card's `LINK`: a number, or `b` for its back."""

_MOST: Final = 200
_SECONDS_MOST: Final = 11

_sort: Final = partial(
    markup.sheet,
    ("player", "action", "result", "showdown"),
    {"card": frozenset(("player", "action", "result", "showdown"))},
    frozenset(("root", "?xml")),
)


def _name(line: Line) -> str:
    """Return whose line it is."""
    return line.get("player") or line.get("name")


def _cards(line: Line) -> list[str | None]:
    """Return the cards of a line; None = no card."""
    return [CARDS.get(one.get("link").strip()) for one in line.inside]


def _known(line: Line) -> str:
    """Return the cards one after the other, "" where all lie face down or one is no card."""
    cards = _cards(line)
    together = "".join(one or "" for one in cards)
    return together if None not in cards and together.strip("?") else ""


class Game(XmlHandBuilder):
    """The hand being told."""

    def __init__(self, source: Source, people: People, sheet: Sheet, game: GameSet) -> None:
        super().__init__(source, people, VENUE, game, sheet.tag)
        self.sheet = sheet
        self.added = "pot" in sheet.found  # calls are written as chips added, not as the street's total
        self.holds: dict[Seat, list[str | None]] = {}  # cards as last told
        self.lying = 0  # how many cards the board has


def _tell(source: Source, sheet: Sheet, people: People, exponent: int | None) -> Game:
    """Tell a hand. What is damaged raises `UnreadableHandError`."""
    found = sheet.found
    number = markup.number(found, "hand")
    cash = found.get("gamekind", "GAMEKIND_CASH") == "GAMEKIND_CASH"
    if exponent is None:
        exponent = 2 if cash else 0
    told = Game(source, people, sheet, _game(found, cash=cash, exponent=exponent))
    table = found.get("table", "").strip()[:_MOST]
    session = found.get("session", "").removeprefix("session").removesuffix(".xml")
    tournament = "" if cash else (found.get("tabletourneyid", "") or session or table)[:_MOST]
    if not cash:
        told.put(TournamentSet(written=table))
    button = _seats(told)
    told.tell_lines(sheet.lines["action"], _ACTS)
    for start, stop in sheet.unknown + sheet.texts:
        told.strange(start, stop)
    _settle(told)
    told.own = bool(told.holds)
    witnesses = WITNESSES | told.blinds_told | (Witness.BUTTON if button else 0)
    written = found.get("date", "").strip()[:_MOST]
    seconds = written.isascii() and written.isdecimal() and len(written) < _SECONDS_MOST
    started = int(written) * 1000 if seconds else None
    seats = len(sheet.lines["player"]) if button else 0
    told.opened(table, number, witnesses, started, written, seats, tournament)
    return told


def _game(found: dict[str, str], *, cash: bool, exponent: int) -> GameSet:
    name, limit = found.get("game", "").strip(), found.get("limit", "").strip()
    variant, betting = GAMES.get(name), LIMITS.get(limit)
    if variant is None or betting is None:
        raise UnreadableHandError(f"the game {limit[:20]} {name[:40]!r} is not known", kind="unknown-game")
    stakes = tuple(amounts.read(one, exponent) for one in found.get("stakes", "").split("/") if one)
    unit = found.get("tablecurrency", "").strip().upper()[:10] or "chips"
    if not cash:
        unit = "chips"
    elif found.get("gametype", "GAMETYPE_REAL") != "GAMETYPE_REAL":
        unit = "play"
    written = f"{name} {limit}"
    return games.game_set(
        variant, betting, stakes[:2], unit=unit, exponent=exponent, tournament=not cash, written=written
    )


def _seats(told: Game) -> bool:
    """Tell who sits where; return whether the file says where the button lies.

    Newer files list every chair, with who is dealt cards among those who sit out.
    """
    players, actions = told.sheet.lines["player"], told.sheet.lines["action"]
    busy = {_name(line) for line in actions} - {""}
    button: tuple[Line, Seat] | None = None
    for line in sorted(players, key=_chair):
        told.place(line.tag, line.stop)
        seat, name, state = _chair(line), _name(line), line.get("state")
        if line.get("dealer") == "Y":
            button = line, seat
        if name not in busy and (state in EMPTY or not name):
            continue  # an empty chair
        stack = told.amount_in(line, "amount")
        if name in busy and name not in told.seats:
            told.sit(seat, name, stack)
        else:
            told.leave_out(seat, name, stack, "sitting-out" if state == "STATE_SITOUT" else "unknown")
        if line.get("blindstate"):  # which blinds a seat missed: the codes are not explained
            told.remark(line.tag)
    taken = {_chair(line) for line in players}
    for line in actions:  # who acts without standing among the players: on a free chair, without a stack
        if _name(line) and _name(line) not in told.seats:
            told.sit_anywhere(line.tag, line.stop, _name(line), taken)
    if not told.stacks:
        raise nobody("the hand breaks off before its players")
    if button:
        told.place_button(button[0].tag, button[1])
    return any(line.get("dealer") for line in players)


def _chair(line: Line) -> Seat:
    return markup.count(line.get("seat").strip()) or 0


Make: TypeAlias = Callable[[Game, Line], bool]
"""Tells an action; False where it says nothing that can be."""


def _seat(told: Game, line: Line) -> Seat:
    return told.seats.get(_name(line), 0)


_POSTS: Final[dict[str, acts.Make]] = {
    "HAND_SB": acts.one_small_blind,
    "HAND_BB": acts.big_or_makeup,
    "HAND_DSB": acts.missed_small,
    "HAND_AB": acts.both_blinds,
}
"""A blind's `KIND` → how it is told."""


def _post(told: Game, line: Line) -> bool:
    step = acts.antes if line.get("type") == "HAND_ANTE" else _POSTS.get(line.get("kind"))
    seat = _seat(told, line)
    if not seat or step is None or not line.get("value"):
        return False
    step(told, seat, told.chips(line.get("value")), None)
    return True


def _deal(told: Game, line: Line) -> bool:
    seat, cards, known = _seat(told, line), _cards(line), _known(line)
    if not seat or None in cards:
        return False
    if known:
        told.holds[seat] = cards
        told.put(HoleCardsDealt(seat, known))
    return True


def _board(told: Game, line: Line) -> bool:
    told.deal_complete()
    cards = _cards(line)
    if told.game.variant == "draw5":
        if told.street != "first-draw":
            told.deal_street("first-draw")
        return not cards
    street, count = BOARDS.get(line.get("value"), ("showdown", 0))
    if not count or len(cards) < count or None in cards:
        return False
    new = "".join(one or "" for one in cards[told.lying : count])
    told.lying = count
    told.board(street, new)
    return True


def _change(told: Game, line: Line) -> bool:
    """Tell a draw: each new card lies where the one did that was thrown away."""
    seat, count = _seat(told, line), line.get("count").strip()
    if not seat or not (count.isascii() and count.isdecimal() and len(count) == 1):
        return False
    before, cards = told.holds.get(seat, []), _cards(line)
    changed = [(old or "", new or "") for old, new in zip(before, cards, strict=False) if old != new and _known(line)]
    if acts.exchanges(told, seat, int(count), changed):
        told.holds[seat] = cards
    return True


def _act(told: Game, line: Line) -> bool:
    kind, value = line.get("type"), line.get("value")
    seat, idle = _seat(told, line), kind in ("ACTION_FOLD", "ACTION_CHECK")
    if not seat or seat in told.folded or not (idle or value):
        return False
    told.deal_complete()
    _STEPS[kind](told, seat, 0 if idle else told.chips(value), None)
    return True


def _call(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Call: older files write the street's total, newer ones the chips added."""
    before = told.bets[seat]
    if amount >= told.level:
        told.call_to(seat, amount)
    elif before + amount == told.level:
        told.call(seat, amount)
    else:
        told.call_to(seat, _total(told, seat, amount, added=told.added))


def _total(told: Game, seat: Seat, amount: Chips, *, added: bool) -> Chips:
    """Return the street's total of a seat that puts its last chips in.

    Its stack tells whether the amount is that total or the chips added; else `added` says it.
    """
    before, stack = told.bets[seat], told.stacks.get(seat)
    if stack is not None:
        left = stack - told.put_in[seat]
        if amount == left:
            return before + amount
        if amount == left + before:
            return amount
    return before + amount if added else amount


def _all_in(told: Game, seat: Seat, amount: Chips, _said: bool | None) -> None:
    told.wager(seat, _total(told, seat, amount, added=False), all_in=True)


_STEPS: Final[dict[str, acts.Make]] = {
    "ACTION_FOLD": acts.folds,
    "ACTION_CHECK": acts.checks,
    "ACTION_CALL": _call,
    "ACTION_BET": acts.wagers_by,
    "ACTION_RAISE": acts.raises_to,
    "ACTION_ALLIN": _all_in,
}
"""What a seat does in its turn → how it is told."""

_ACTS: Final[dict[str, Make]] = {
    "HAND_BLINDS": _post,
    "HAND_ANTE": _post,
    "HAND_DEAL": _deal,
    "HAND_BOARD": _board,
    "CHANGECARD": _change,
    **dict.fromkeys(_STEPS, _act),
}
"""An action's type → how it is told."""


def _settle(told: Game) -> None:
    """Tell what stands in `SHOWDOWN`. A hand without it is not over."""
    told.close_bets()
    results = told.sheet.lines["result"]
    showdown = next(reversed(told.sheet.lines["showdown"]), None)
    if showdown is None:
        return
    told.place(showdown.tag)
    if len(told.stacks) - len(told.folded) > 1:
        told.put(ShowdownBegun())
    for line in results:
        _show(told, line)
    split = len({one.get("wintype") for one in results} & set(HALVES)) > 1
    for line in results:
        seat, amount = _seat(told, line), told.amount_in(line, "win")
        if seat and amount:
            told.place(line.tag, line.stop)
            told.award(seat, amount, half=HALVES.get(line.get("wintype"), "") if split else "")
    pot, rake = told.amount_in(showdown, "pot"), told.amount_in(showdown, "rake")
    total = None if pot is None or rake is None else pot + rake
    told.return_bets(total)
    if total is not None:
        _antes(told, total, rake or 0)
    told.place(showdown.tag)
    declared(told, rake, total)
    told.put(HandCompleted())


def _show(told: Game, line: Line) -> None:
    """Tell what a result says of a hand; cards of the file's owner stand there in any case."""
    told.place(line.tag, line.stop)
    seat, hand, known = _seat(told, line), line.get("hand").strip(), _known(line)
    if not seat:
        _outside(told, line)
    elif hand == MUCKED:
        told.put(CardsMucked(seat, known))
    elif hand in (DEFAULT, ""):
        if known and seat not in told.holds:
            told.put(CardsShown(seat, known))
    elif hand != FOLDED and known:
        told.put(CardsShown(seat, known, claim=told.people.text(hand[:200])))


def _outside(told: Game, line: Line) -> None:
    """Note the result of who was not dealt in: the client names a hand there, of cards that nobody has."""
    listed = any(_name(one) == _name(line) for one in told.sheet.lines["player"])
    backs = line.inside and not _known(line) and None not in _cards(line)
    if listed and backs and not told.chips(line.get("win") or "0"):
        told.remark(line.tag)
    else:
        told.strange(line.tag.start, line.stop)


def _antes(told: Game, total: Chips, rake: Chips) -> None:
    """Infer the antes of old tournaments, which no line tells: what each seat must have put in.

    Only where the declared pot and what was paid agree, and the rest parts evenly. The stacks of such
    hands are told without the ante: who goes all-in puts in what stands there.
    """
    rest = total - sum(told.put_in)
    if (
        rest <= 0
        or rest % len(told.stacks)
        or told.paid + rake != total
        or told.game.format == "cash"
        or any(isinstance(one, AntePosted) for one in told.events)
    ):
        return
    first = next((at for at, one in enumerate(told.events) if isinstance(one, BlindPosted)), len(told.events))
    each = rest // len(told.stacks)
    for at, one in enumerate(told.events):
        if isinstance(one, SeatDealtIn) and one.stack is not None:
            told.stacks[one.seat] = one.stack + each
            told.events[at] = msgspec.structs.replace(one, stack=one.stack + each)
    for seat in sorted(told.stacks, reverse=True):
        told.put_in[seat] += each
        told.insert(first, AntePosted(seat, each))


FORMAT: Final = markup.xml_format(
    "boss",
    "Boss Media XML",
    markup.alone("history", _sort, _tell),
    markup.sniffer(("<HISTORY ",), ("GAMEKIND=", "TABLECURRENCY=", "<PLAYER NAME=", "<ACTION TYPE=")),
    "<HISTORY ",
)
