"""Global Poker's own record of a hand, in JSON: timed acts, balances, transfers, rake.

`docs/formats/globalpoker.md` has the table from member to event, and what the format cannot say. The hands of
a file stand in it as an object each, one after the other or in an array.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.hand.betting import ClockExpired, TimeBankUsed
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, RemarkNoted, ResultDeclared
from ledger.hand.opening import GameSet, OptionSet
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.presence import WaitDeclared
from ledger.readers import acts, amounts
from ledger.readers.cards import by_names
from ledger.readers.cutting import whole
from ledger.readers.documented import LIMITS, TIME_END, Record, Recorded, Steps, count, names, objects, plain
from ledger.readers.documents import BLANK, MARK, document_by_document, hand, reject, starts_of
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS
from ledger.readers.settling import declare_rake
from ledger.readers.spans import each_whole, elements, members, whole_elements
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness

VENUE: Final = "Global Poker"
WITNESSES: Final = Witness.of(
    "POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS TIMES CLOCKS",
    "BLIND_AMOUNTS",
)
"""`OWN_CARDS` is added where somebody's cards are known. Where the button lies is told nowhere."""

GAMES: Final = {
    **dict.fromkeys(("TEXAS_HOLDEM", "HOLDEM"), "holdem"),
    **dict.fromkeys(("OMAHA", "OMAHA_HI"), "omaha"),
    **dict.fromkeys(("OMAHA_HI_LO", "OMAHA_HILO", "OMAHA_EIGHT_OR_BETTER"), "omaha8"),
}
"""`variant` → ours. Seen are the first and `OMAHA`; others are their siblings."""

STREETS: Final[dict[tuple[int, int], Street]] = {(0, 3): "flop", (3, 1): "turn", (4, 1): "river"}
"""How many cards lie there, and how many come → the street."""

OF_HAND: Final = names("id table startTime endTime results events seats settings")
OF_SETTINGS: Final = names(
    "variant currencyCode betStrategyType capacity bigBlind smallBlind ante attributes",
    "broadcast winPercentage rabbitHunting",  # what the table shows to those who look on
)
OF_RESULTS: Final = names("totalRake results transfers")
OF_PLAYER: Final = names("playerId netWin totalWin rake totalBet transactionIds timeBank")
WORDS: Final = (b'"tableIntegrationId"', b'"handIndex"', b'"balanceAfterAction"', b'"transactionIds"')
_BETWEEN: Final = BLANK + b",[]"
_MOST: Final = 200


class Hand(Recorded):
    """The hand being told."""

    def begin(self) -> None:
        """Know nothing yet of what only this record tells."""
        self.seat_of: dict[int, Seat] = {}  # by playerId: those who are dealt in
        self.lying = 0  # how many cards the board has

    def amount(self, value: object) -> Chips | None:
        """Return the amount of `{"type": "BET", "amount": 0.04}`, None where there is none."""
        return self.sum(value["amount"]) if isinstance(value, dict) and "amount" in value else None

    def number(self, value: object) -> Chips:
        """Return an amount that may be less than nothing."""
        return amounts.number(value, self.exponent)

    def seat(self, one: object) -> Seat:
        """Return the seat of an object's `playerId`, 0 if nobody of that number is in the hand."""
        who = one.get("playerId") if isinstance(one, dict) else None
        return self.seat_of.get(who, 0) if isinstance(who, int) else 0

    # -- seats ----------------------------------------------------------------------------------

    def settings(self, settings: dict[str, object]) -> None:
        """Keep settings that nobody knows; attributes are the room's own, told as they stand."""
        if settings.get("attributes"):
            self.put(OptionSet("other", msgspec.json.encode(settings["attributes"]).decode()[:1000]))
        self.unknown("settings", settings, OF_SETTINGS, self.at)

    def sit_down(self) -> None:
        """Tell who sits where. Who gets no cards and does nothing but wait is left out."""
        busy, waits = set(), set()
        begun = False
        for one in objects(self.value, "events"):
            who, act = one.get("playerId"), one.get("action")
            dealt = one.get("type") == "PlayerCardsDealt"
            begun = begun or dealt
            if isinstance(who, int) and act == "WAIT_FOR_BIG_BLIND":
                waits.add(who)
            elif isinstance(who, int) and (dealt or (isinstance(act, str) and act in ACTS)):
                busy.add(who)
        for at, one in sorted(self.parts("seats"), key=_order):
            self.at = at
            if not isinstance(one, dict):
                self.strange("seat", at)
                continue
            seat, who, name = _chair(one.get("seatId")), one.get("playerId"), one.get("name")
            if not isinstance(who, int) or isinstance(who, bool):
                raise UnreadableHandError("a seat has no playerId", kind="seat")
            name = name[:_MOST] if isinstance(name, str) else str(who)
            stack = None if one.get("initialBalance") is None else self.number(one["initialBalance"])
            if who in busy or (not begun and who not in waits):
                self.sit(seat, name, stack)
                self.seat_of[who] = seat
            else:
                self.leave_out(seat, name, stack, "waiting-for-big-blind" if who in waits else "unknown")
        if not self.stacks:
            raise UnreadableHandError("nobody of the record is dealt in", kind="seat")

    # -- events ---------------------------------------------------------------------------------

    def deal(self, one: dict[str, object]) -> bool:
        """Deal a seat its cards."""
        seat, found = self.seat(one), cards(one.get("cards"))
        if not seat or not found:
            return False
        known = bool(found.strip("?"))
        self.own |= known
        up = "u" * (len(found) // 2) if one.get("exposed") is True else ""
        self.put(HoleCardsDealt(seat, found, up, "owner" if known else "unknown"))
        return True

    def lay(self, one: dict[str, object]) -> bool:
        """Deal to the board. Another `stackId` than 0 is another board or run: which, is not known."""
        found = cards(one.get("cards")) or ""
        street = STREETS.get((self.lying, len(found) // 2))
        if street is None or one.get("stackId", 0) != 0:
            return False
        self.complete()
        self.lying += len(found) // 2
        self.board(street, found)
        return True

    def show(self, one: dict[str, object]) -> bool:
        """Show a hand."""
        seat, found = self.seat(one), cards(one.get("cards"))
        if not seat or not found:
            return False
        self.put(CardsShown(seat, found))
        return True

    def move_bets(self, one: dict[str, object]) -> bool:
        """Give back what nobody called; what went from bets into pots follows from the acts."""
        if not isinstance(one.get("potTransitions", []), list):
            return False
        for move in objects(one, "potTransitions"):
            if move.get("fromChipStackToPlayer") is True:
                seat, amount = self.seat(move), self.amount(move)
                if not seat or amount is None:
                    return False
                self.give_back(seat, amount)
        return True

    def follows(self, _one: dict[str, object]) -> bool:
        """Tell nothing: balances follow from the acts, the best hand from the cards."""
        return True

    def act(self, one: dict[str, object]) -> bool:
        """Tell an act. One that timed out, a fold for instance, comes behind the clock."""
        kind, seat = one.get("action"), self.seat(one)
        if kind == "WAIT_FOR_BIG_BLIND":
            return self.wait(one)
        make = ACTS.get(kind) if isinstance(kind, str) else None
        if make is None or not seat:
            return False
        if make not in POSTS.values():
            self.complete()
        if one.get("timeout") is True:
            self.put(ClockExpired(seat))
        amount, left = self.amount(one.get("amount")), None
        if kind in CHIPS:
            if amount is None:
                return False
            if amount and one.get("balanceAfterAction") is not None:
                left = self.number(one["balanceAfterAction"])
        make(self, seat, -1 if amount is None else amount, True if left == 0 else None)
        if left is not None:
            self.put(ResultDeclared("balance", seat, left))
        return True

    def wait(self, one: dict[str, object]) -> bool:
        """Tell that somebody waits for the big blind."""
        found = [seat for seat in objects(self.value, "seats") if seat.get("playerId") == one.get("playerId")]
        if found:
            self.put(WaitDeclared(_chair(found[0].get("seatId"))))
        return bool(found)

    def bank(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Tell that a player draws on extra time; newer records tell how many seconds there are."""
        self.put(TimeBankUsed(seat, None if amount < 0 else amount // 10**self.exponent))

    def muck(self, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
        """Muck a hand."""
        self.put(CardsMucked(seat))

    # -- results --------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell the results: who was paid, the rake, what each seat won. A record without them is not over."""
        results = self.value.get("results")
        self.close_bets()
        if not isinstance(results, dict):
            return
        at, spans = self.where["results"], self.spans
        inside = self.inside(at)
        self.transfers(results.get("transfers"), inside.get("transfers"))
        self.return_bets()
        self.at = spans.add(*inside["totalRake"]) if "totalRake" in inside else at
        if results.get("totalRake") is not None:
            declare_rake(self, self.number(results["totalRake"]))
        self.players(results.get("results"), inside.get("results"))
        self.unknown("results", results, OF_RESULTS, at)
        self.at = self.where.get("endTime", self.where[""])
        before = len(self.events)
        self.put(HandCompleted())
        self.timed(before, self.value.get("endTime"))

    def transfers(self, value: object, span: tuple[int, int] | None) -> None:
        """Pay the pots out."""
        if not isinstance(value, list) or span is None:
            return
        for place, one in zip(elements(self.data, *span), value, strict=True):
            self.at = self.spans.add(*place)
            seat, amount = self.seat(one), self.amount(one)
            if not seat or amount is None:
                self.strange("transfer", self.at)
                continue
            pot = one.get("pot")
            number = pot.get("potId") if isinstance(pot, dict) else None
            told = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 30
            self.award(seat, amount, int(str(number)) if told else None)

    def players(self, value: object, span: tuple[int, int] | None) -> None:
        """Declare what each seat won; what the operator's own books call it is kept as a remark."""
        if not isinstance(value, dict) or span is None:
            return
        where = members(self.data, *span)
        for key, one in value.items():
            self.at = self.spans.add(*where[key])
            seat = self.seat(one)
            if not seat:
                if not isinstance(one, dict) or one.get("totalBet") or one.get("totalWin"):
                    self.strange("result", self.at)
                continue
            for what, name in (("collected", "totalWin"), ("net", "netWin")):
                if one.get(name) is not None:
                    self.put(ResultDeclared(what, seat, self.number(one[name])))  # type: ignore[arg-type]  # both are declared
            books = {name: one[name] for name in ("transactionIds", "timeBank") if name in one}
            if books:
                said = msgspec.json.encode(books).decode("utf-8", "replace")[:500]
                self.put(RemarkNoted(self.people.text(said)))
            self.unknown("result", one, OF_PLAYER, self.at)


Act = Callable[[Hand, Seat, Chips, bool | None], None]

POSTS: Final[dict[str, Act]] = {
    "ANTE": acts.antes,
    "SMALL_BLIND": acts.small_blind,
    "BIG_BLIND": acts.big_blind,
    "DEAD_SMALL_BLIND": acts.missed_small,
    "BIG_BLIND_PLUS_DEAD_SMALL_BLIND": acts.both_blinds,
    "ENTRY_BET": acts.enters,
    "STRADDLE": acts.straddles,
}
CHIPS: Final[dict[str, Act]] = {**POSTS, "CALL": acts.calls, "BET": acts.wagers_by, "RAISE": acts.wagers_to}
ACTS: Final[dict[str, Act]] = {
    **CHIPS,
    "FOLD": acts.folds,
    "CHECK": acts.checks,
    "TIME_BANK": Hand.bank,
    "MUCK_CARDS": Hand.muck,
}
"""An act's `action` → how it is told; behind those of `CHIPS` a seat has fewer chips."""

STEPS: Final[Steps] = {
    "PlayerAction": Hand.act,
    "PlayerCardsDealt": Hand.deal,
    "TableCardsDealt": Hand.lay,
    "PlayerCardsExposed": Hand.show,
    "PotUpdate": Hand.move_bets,
    **dict.fromkeys(("PlayerBalances", "PlayerBestHand", "ShowDownSummary"), Hand.follows),
}
"""An event's `type` → how it is told."""


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"id": 0, "suit": "CLUBS", "rank": "FOUR"}, {"id": 1}]`.

    A card with neither rank nor suit lies face down. None where one is no card.
    """
    if not isinstance(value, list):
        return None
    pairs = [(one.get("rank"), one.get("suit")) if isinstance(one, dict) else ("", "") for one in value]
    found = [UNKNOWN_CARD if pair == (None, None) else by_names(*pair) for pair in pairs]
    return None if None in found else "".join(filter(None, found))


def _order(part: tuple[int, object]) -> int:
    found = part[1].get("seatId") if isinstance(part[1], dict) else None
    return found if isinstance(found, int) else -1


def _chair(value: object) -> Seat:
    """Return a `seatId`, where the first one is 0, as a seat; what is none raises `UnreadableHandError`."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < SEATS - 1:
        return value + 1
    raise UnreadableHandError(f"there is no seat {str(value)[:20]}", kind="seat")


def _table(value: object) -> str:
    """Return a table as `Irving (47978)`: names come back, numbers do not."""
    table = value if isinstance(value, dict) else {}
    name, number = table.get("tableName"), table.get("tableId")
    parts = [name[:_MOST].strip()] if isinstance(name, str) else []
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 10**15:
        parts.append(f"({number})" if parts else str(number))
    if not parts:
        raise UnreadableHandError("the record names no table", kind="no-header")
    return " ".join(parts)


def setup(settings: dict[str, object], exponent: int) -> GameSet:
    """Return the game; one that no list has raises `UnreadableHandError`."""
    name, limit = str(settings.get("variant"))[:_MOST], str(settings.get("betStrategyType"))[:_MOST]
    variant, betting = GAMES.get(name), LIMITS.get(plain(limit))
    if variant is None or betting is None:
        raise unknown_game(limit, name)
    blinds = tuple(amounts.number(settings[one], exponent) for one in ("smallBlind", "bigBlind") if settings.get(one))
    unit = settings.get("currencyCode")
    return GameSet(
        variant,
        betting,
        "cash",
        unit[:10] if isinstance(unit, str) and unit else "chips",
        exponent,
        blinds,
        amounts.number(settings.get("ante") or 0, exponent),
        (),
        0,
        f"{name} {limit}",  # the bets of a limit game are in no setting
    )


def tell(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> Hand:
    """Read the record at `place`; one that cannot be read raises `UnreadableHandError`."""
    record = Record(data, place)
    value, where = record.value, record.where
    if not isinstance(value.get("events"), list) or not isinstance(value.get("seats"), list):
        raise UnreadableHandError("no record of a hand: no events or no seats", kind="not-a-hand")
    number, settings = value.get("id"), value.get("settings")
    if not isinstance(number, str) or not number or not isinstance(settings, dict):
        raise UnreadableHandError("the record has no id or no settings", kind="no-header")
    told = Hand(record, people, VENUE, setup(settings, 2 if exponent is None else exponent))
    told.at = where.get("settings", where[""])
    told.put(told.game)
    told.settings(settings)
    told.sit_down()
    told.play("events", STEPS, "time")
    told.settle()
    for name in value:
        if name not in OF_HAND:
            told.strange(name, where[name])
    table, started = _table(value.get("table")), count(value.get("startTime"), TIME_END) or None
    written = str(value.get("startTime", ""))[:_MOST]
    chairs = count(settings.get("capacity"), 100)
    told.opened(table, number[:_MOST], WITNESSES, started, written, chairs)
    return told


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a record of Global Poker's: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip(b" \t\r\n[")
    if bare[:1] != b"{":
        return 0
    return (0, 0, 90, 95, 98)[sum(word in head for word in WORDS)]


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    first = len(MARK) if data.startswith(MARK) else 0
    end = len(data.rstrip(BLANK))
    if end <= first:
        return
    try:
        places = list(_places(data, first, end))
    except UnreadableHandError as error:
        yield reject(chunk, first, end, error)
        return
    behind = first
    nexts = [start for start, _ in [*places, (end, 0)]][1:]
    for (start, length), after in zip(places, nexts, strict=True):
        if data[behind:start].strip(_BETWEEN):
            yield reject(chunk, behind, start, _no_hand(data[behind:start]))
            behind = start
        stop = start + length
        if not data[stop:after].strip(_BETWEEN):
            stop += len(data[stop:after].rstrip(BLANK))
        yield hand(chunk, (behind, stop), partial(tell, data, (start, length), people))
        behind = stop
    if data[behind:end].strip(_BETWEEN) or not places:
        yield reject(chunk, behind, end, _no_hand(data[behind:end]))


def _places(data: bytes, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and length of the objects of a source, of those in arrays too.

    What nests too deep raises `UnreadableHandError`.
    """
    for start, length in each_whole(data, at, end, b"["):
        if data[start : start + 1] == b"{":
            yield start, length
        else:
            yield from whole_elements(data, start + 1)[0]


def _no_hand(data: bytes) -> UnreadableHandError:
    if data.lstrip(_BETWEEN).startswith(b"{"):
        return UnreadableHandError("the record breaks off", kind="cut-off")
    return UnreadableHandError("no record of a hand begins here", kind="not-a-hand")


_OPENING: Final = re.compile(rb'(?:\[\s{0,9}+)?+\{\s{0,9}+"id"\s{0,9}+:\s{0,9}+"[^"]{0,99}+",\s{0,9}+"table"')
FORMAT: Final = Format(
    name="globalpoker",
    title="Global Poker JSON",
    suffixes=(".json",),
    sniff=sniff,
    read=document_by_document(starts_of(_OPENING), read),
    cut=whole,
    appended=False,
)
