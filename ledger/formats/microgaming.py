"""The XML of the Microgaming network (Prima), as trackers and its clients stored it.

`docs/formats/microgaming.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, HandCompleted, RemarkNoted, ResultDeclared
from ledger.hand.opening import BlindPosted, GameSet, NotDealtIn, TournamentSet
from ledger.people import People
from ledger.presence import ConnectionLost
from ledger.readers import acts, amounts, games, markup
from ledger.readers.cards import KNOWN
from ledger.readers.hand import nobody
from ledger.readers.marked import Source
from ledger.readers.markup import Line, Sheet, XmlHandBuilder
from ledger.readers.settling import declare_rake, infer_rake, short_of, within_awards
from ledger.vocabulary import Chips, Seat, Street, Witness

VENUE: Final = "Microgaming"

WITNESSES: Final = Witness.of("BUTTON POSTS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS POTS")
"""What the files record whenever it happens.

`BLIND_AMOUNTS` is added where the stakes are blinds, `OWN_CARDS` where the file's owner plays,
`DROP` where a hand tells its rake. Returned bets are told only by newer files.
"""

GAMES: Final = games.FLOP | {"omaha5"}
KINDS: Final = ("multi table ", "single table ", "sit & go ", "sit and go ", "mtt ", "stt ")
"""What stands before a game's name in tournaments."""

BOARDS: Final[dict[str, Street]] = {"DealFlop": "flop", "DealTurn": "turn", "DealRiver": "river"}

_LOST: Final = frozenset("?\ufffd")
_TEXT_MOST: Final = 400


def card(value: str, suit: str) -> str | None:
    """Return a card from its value and suit, None if it is none."""
    return KNOWN.get(value.strip().upper() + suit.strip().lower())


def unpacked(packed: str) -> str:
    """Return a text that is UTF-16 in base64, "" if it is none."""
    if not packed or len(packed) > _TEXT_MOST:
        return ""
    try:
        return b64decode(packed, validate=True).decode("utf-16-le").strip()
    except (binascii.Error, ValueError):
        return ""


def named(plain: str, packed: str) -> str:
    """Return a name: as it is written, unless letters of it are lost and base64 has them."""
    if plain and not _LOST & set(plain):
        return plain
    return unpacked(packed) or plain


_NOISE: Final = ("----PRIMA.DAT----",)
_EXTENDED: Final = "ExtendedTableName:"
_MOST: Final = 200


_sort: Final = partial(
    markup.sheet,
    ("seat", "action"),
    {"card": frozenset(("action",)), "seat": frozenset(("action",))},
    frozenset(("seats", "gameplay", "?xml", "games", "root")),
)


def _seat(line: Line) -> Seat | None:
    """Return the chair in `seat` or `num`, None if that is no number."""
    return markup.count(line.get("seat") or line.get("num"))


def _known(told: Game, line: Line) -> Seat:
    """Return that chair, 0 where nobody is dealt in on it."""
    seat = _seat(line) or 0
    return seat if seat in told.stacks else 0


def _cards(line: Line) -> str | None:
    """Return the cards of an action, None where one is no card."""
    found = [card(one.get("value"), one.get("suit")) for one in line.inside if one.tag.name == "card"]
    return None if None in found else "".join(one or "" for one in found)


def _paid(line: Line) -> list[Line]:
    """Return who was paid by an action."""
    return [one for one in line.inside if one.tag.name == "seat"]


class Game(XmlHandBuilder):
    """The hand being told."""

    def __init__(self, source: Source, people: People, sheet: Sheet, game: GameSet) -> None:
        super().__init__(source, people, VENUE, game, sheet.tag)
        self.sheet = sheet
        self.owner = markup.count(sheet.found.get("playerseat", "")) or 0  # whose file it is, 0 = an observer's
        # Before files had a version their acts told the street's total, all-ins what is added.
        self.totals = () if "hhversion" in sheet.found else ("Call", "Bet", "Raise")
        self.rake: Chips | None = None
        rake = sheet.found.get("rake")
        if rake and game.format == "cash":
            cents = amounts.maybe(rake, 0)
            self.rake = None if cents is None else cents * 10**game.exponent // 100


def _tell(source: Source, sheet: Sheet, people: People, exponent: int | None) -> Game:
    """Tell a game. What is damaged raises `UnreadableHandError`."""
    found = sheet.found
    number = markup.number(found, "game")
    kind = found.get("tabletype", "").lower()
    in_tournament = found.get("istournament", "0").strip() not in ("0", "", "false") or kind in ("mtt", "stt")
    name = named(found.get("tablename", ""), found.get("unicodetablename", ""))[:_MOST]
    table, tournament = _tournament(name) if in_tournament else (name, "")
    if exponent is None:
        exponent = 0 if in_tournament else 2
    told = Game(source, people, sheet, _game(found, tournament=in_tournament, exponent=exponent))
    if in_tournament:
        told.put(TournamentSet(written=name))
    _seats(told, number)
    told.tell_lines(sheet.lines["action"], _ACTS)
    _between(told)
    _settle(told)
    witnesses = WITNESSES | told.blinds_told | (Witness.DROP if told.rake is not None else 0)
    written, size = found.get("date", "").strip()[:_MOST], markup.count(found.get("tablesize", "")) or 0
    told.opened(table, number, witnesses, None, written, size, tournament)
    return told


def _between(told: Game) -> None:
    """Tell what stands between the tags: the table's longer name; a frame of the client's says nothing."""
    strange = list(told.sheet.unknown)
    for start, stop in told.sheet.texts:
        at = start
        for line in told.source.text[start:stop].splitlines(keepends=True):
            words = line.strip(" \t\r\n\ufeff")
            first = at + line.find(words)
            at += len(line)
            if words.startswith(_EXTENDED):
                told.stretch(first, first + len(words))
                told.put(RemarkNoted(told.people.text(told.source.words(first, first + len(words)))))
            elif words and words not in _NOISE:
                strange.append((first, first + len(words)))
    for start, stop in strange:
        told.strange(start, stop)


def _tournament(name: str) -> tuple[str, str]:
    """Return table and tournament of `Christmas Day[90000025]:Table 10`."""
    _, bracket, rest = name.rpartition("[")
    number, _, table = rest.partition("]")
    if not bracket or not number.isascii() or not number.isdecimal():
        return name, name
    return table.lstrip(": ").removeprefix("Table ").strip() or name, number


def _game(found: dict[str, str], *, tournament: bool, exponent: int) -> GameSet:
    written = found.get("gametype", "").strip()[:_MOST]
    name = written.lower().replace("&apos;", "'")
    for kind in KINDS:
        name = name.removeprefix(kind)
    variant, betting = games.variant(name, GAMES), games.LIMITS.get(found.get("betlimit", "").lower())
    if variant is None or betting is None:
        limit = found.get("betlimit", "")[:20]
        raise UnreadableHandError(f"the game {limit} {written[:60]!r} is not known", kind="unknown-game")
    stakes = tuple(amounts.read(one, exponent) for one in found.get("stakes", "").split("|") if one)
    unit = "chips"
    if not tournament:
        sign = unpacked(found.get("currencysymbol", ""))
        unit = amounts.SYMBOLS.get(sign[-1:], "chips")
        if found.get("realmoney") == "false":
            unit = "play"
    written = f"{written} {found.get('betlimit', '')}"
    return games.game_set(
        variant, betting, stakes[:2], unit=unit, exponent=exponent, tournament=tournament, written=written
    )


def _seats(told: Game, number: str) -> None:
    """Tell who sits where. Who is said to sit out may still be dealt in: acts show it."""
    seats, actions = told.sheet.lines["seat"], told.sheet.lines["action"]
    busy = [(line, _seat(line)) for line in actions if line.get("type") in BUSY]
    playing = {seat for _, seat in busy}
    over = any(_paid(line) for line in actions)
    button: tuple[Line, Seat] | None = None
    listed: set[Seat] = set()
    for line in sorted(seats, key=lambda one: _seat(one) or 0):
        told.place(line.tag)
        seat = _seat(line)
        if seat is None:
            told.strange(line.tag.start, line.stop)
            continue
        listed.add(seat)
        if line.get("dealer") == "true":
            button = line, seat
        name = named(line.get("alias"), line.get("unicodealias"))
        stack = told.amount_in(line, "balance")
        away = line.get("sittingout") == "true"
        if seat in playing or not (away or over):
            told.sit(seat, name, stack)
        else:
            if not away:
                told.inferred.append(len(told.events))
            reason: NotDealtIn = "sitting-out" if away else "no-chips" if stack == 0 else "unknown"
            told.leave_out(seat, name, stack, reason)
    told.sit_unlisted(((line.tag, seat) for line, seat in busy), listed, number)
    if not told.stacks:
        raise nobody("the game breaks off before its players")
    if button:
        told.place_button(button[0].tag, button[1])


Make: TypeAlias = Callable[[Game, Line], bool]
"""Tells an action; False where it says nothing that can be."""


def _to_play(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Post to get a hand: a small blind makes up a missed one and counts for a bet, more comes in."""
    small = told.game.blinds[0] if len(told.game.blinds) == 2 else 0
    told.post(seat, "makeup-small" if amount == small else "entry", amount)


def _bad_beat(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Take a contribution to the jackpot: from the seat's stack, not from the pot."""
    told.dead(seat, amount)
    told.taken += amount
    told.put(DropTaken("jackpot", amount))


_POSTS: Final[dict[str, acts.Make]] = {
    "SmallBlind": acts.one_small_blind,
    "BigBlind": acts.one_big_blind,
    "PostedToPlay": _to_play,
    "Ante": acts.antes,
    "BadBeatContribution": _bad_beat,
    "MoneyReturned": lambda told, seat, amount, _: told.give_back(seat, amount),
}
"""What moves chips beside the betting → how it is told."""


def _post(told: Game, line: Line) -> bool:
    seat = _known(told, line)
    if not seat or not line.get("value"):
        return False
    _POSTS[line.get("type")](told, seat, told.chips(line.get("value")), None)
    return True


_STEPS: Final[dict[str, acts.Make]] = {
    "Fold": acts.folds,
    "Check": acts.checks,
    "Call": acts.calls,
    "Bet": acts.wagers_by,  # also where blinds are raised
    "Raise": acts.wagers_by,
}
"""What a seat does in its turn → how it is told."""


def _act(told: Game, line: Line) -> bool:
    seat = _known(told, line)
    if not seat or seat in told.folded:
        return False
    told.deal_complete()
    kind, amount = line.get("type"), told.chips(line.get("value") or "0")
    _STEPS[kind](told, seat, amount - told.bets[seat] if kind in told.totals else amount, None)
    return True


def _all_in(told: Game, line: Line) -> bool:
    """Put the last chips in: before the big blind as the post that is due, later as a wager."""
    seat = _known(told, line)
    if not seat or seat in told.folded or not line.get("value"):
        return False
    amount = told.chips(line.get("value"))
    if told.big or told.dealt:
        told.deal_complete()
        told.wager(seat, told.bets[seat] + amount, all_in=True)
    elif not told.first_small and any(one.get("type") == "BigBlind" for one in told.sheet.lines["action"]):
        told.post(seat, "small", amount, all_in=True)
    else:
        told.post(seat, "big", amount, all_in=True)
    return True


def _board(told: Game, line: Line) -> bool:
    cards = _cards(line)
    if not cards:
        return False
    told.deal_complete()
    told.board(BOARDS[line.get("type")], cards)
    return True


def _hold(told: Game, line: Line) -> bool:
    """Deal, show or muck the cards of a seat."""
    seat, cards, kind = _known(told, line), _cards(line), line.get("type")
    if not seat or cards is None or not (cards or kind != "DealCards"):
        return False
    told.own = told.own or (kind == "DealCards" and seat == told.owner)
    told.put(_HANDS[kind](seat, cards))
    return True


_HANDS: Final[dict[str, type[HoleCardsDealt | CardsShown | CardsMucked]]] = {
    "DealCards": HoleCardsDealt,
    "ShowCards": CardsShown,
    "MuckCards": CardsMucked,
}
"""What happens to a seat's cards → its event."""


def _disconnect(told: Game, line: Line) -> bool:
    """Note a lost connection; the value is the time that the seat has to come back, which nothing keeps."""
    seat = _known(told, line)
    if not seat:
        return False
    name = next((name for name, chair in told.seats.items() if chair == seat), "")  # none: its name sits twice
    told.put(ConnectionLost(seat, told.player(name) if name else ""))
    return True


_ACTS: Final[dict[str, Make]] = {
    **dict.fromkeys(_POSTS, _post),
    **dict.fromkeys(BOARDS, _board),
    **dict.fromkeys(_STEPS, _act),
    **dict.fromkeys(_HANDS, _hold),
    "AllIn": _all_in,
    "Disconnect": _disconnect,
    "Win": lambda _told, line: bool(_paid(line)),  # told when all are known
}
"""An action's type → how it is told."""

BUSY: Final = frozenset(("SmallBlind", "BigBlind", "PostedToPlay", "Ante", "DealCards", "AllIn", *_STEPS))
"""Actions of who is dealt in."""


def _settle(told: Game) -> None:
    """Tell the payments and what the seats have in the end. A game without them is not over."""
    told.close_bets()
    for action in told.sheet.lines["action"]:
        for line in _paid(action):
            told.place(line.tag)
            seat = _known(told, line)
            if not seat:
                told.strange(line.tag.start, line.stop)
                continue
            told.award(seat, told.chips(line.get("amount")), line.count("pot"))
    if not told.paid:
        return
    rake = told.rake
    if told.pending:
        _within(told, rake)
    told.return_bets()
    told.at = told.whole
    if rake is None:
        infer_rake(told)
    elif rake:
        declare_rake(told, rake)
    _silent(told)
    for line in told.sheet.lines["seat"]:
        seat, end = _known(told, line), told.amount_in(line, "endbalance")
        if seat and end is not None:
            told.place(line.tag)
            told.put(ResultDeclared("end-stack", seat, end))
    told.at = told.whole
    told.put(HandCompleted())


def _within(told: Game, rake: int | None) -> None:
    """Part a bet that nobody called from the award that counts it: where the rake tells that it does."""
    left = sum(told.put_in) - told.taken - told.paid
    if rake is None:
        within_awards(told, always=False)
    elif left == rake or left < sum(amount for _, amount, _ in told.pending):
        within_awards(told, always=True)


def _silent(told: Game) -> None:
    """Infer the dead small blind that some files leave out of a new player's post.

    Both must show it: what the seat has in the end, and what is missing in the pot.
    """
    missing = told.paid + told.taken - sum(told.put_in)
    if missing <= 0:
        return
    for line in told.sheet.lines["seat"]:
        seat, end = _known(told, line), told.amount_in(line, "endbalance")
        if told.stacks.get(seat) is None or end is None or short_of(told, seat, end) != missing:
            continue
        for index, event in enumerate(told.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.role == "entry":
                told.put_in[seat] += missing
                told.insert(index, BlindPosted(seat, "makeup-small", 0, missing))
                return


FORMAT: Final = markup.xml_format(
    "microgaming",
    "Microgaming (Prima) XML",
    markup.alone("game", _sort, _tell),
    markup.sniffer(("<Game ",), ("betlimit=", "gametypeid=", "<Seat num=", "unicodetablename=")),
    "<Game ",
)
