"""The XML of the Boss Media network (later IGT and GTECH), as its clients stored it.

`docs/formats/boss.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

import msgspec

from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, Half, HandCompleted, ShowdownBegun
from ledger.hand.opening import AntePosted, BlindPosted, NotDealtIn, SeatDealtIn, TournamentSet
from ledger.readers import acts, games, markup, timestamps
from ledger.readers.document_room import Chair, Deeds, DocumentRoom, Head
from ledger.readers.markup import COUNTS, Line, Sheet
from ledger.readers.settling import declared
from ledger.readers.xml_room import XmlRoom, xml_format
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Witness

GAMES: Final[dict[str, str]] = {
    "GAME_THM": "holdem",
    "GAME_OMA": "omaha",
    "GAME_OMATU": "omaha",
    "GAME_OMAHL": "omaha8",
    "GAME_FCD": "draw5",
}
"""`GAME` → variant."""

EMPTY: Final = frozenset(("STATE_EMPTY", "STATE_RESERVED"))

FOLDED: Final = "$(STR_G_FOLD)"
MUCKED: Final = "$(STR_G_MUCK)"
DEFAULT: Final = "$(STR_BY_DEFAULT)"
"""What stands for a hand that is not shown: it was folded, mucked, or nobody else was left."""

_RANKS: Final = "A23456789TJQK"
_SUITS: Final = "dchs"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(number): _RANKS[number % 13] + _SUITS[number // 13] for number in range(52)}}
"""A card's `LINK`: a number, or `b` for its back."""

_MOST: Final = 200


def _name(line: Line) -> str:
    """Return whose line it is."""
    return line.get("player") or line.get("name")


def _number(line: Line) -> Seat:
    return COUNTS.get(line.get("seat").strip()) or 0


class Words(DocumentRoom):
    """The words of the network, which its newer records in JSON have too."""

    __slots__ = ()

    KINDS: ClassVar = {"HAND_BLINDS": "kind"}
    STREETS: ClassVar = {"BOARD_FLOP": "flop", "BOARD_TURN": "turn", "BOARD_RIVER": "river"}
    HALVES: ClassVar[Mapping[str, Half]] = {"WINTYPE_HI": "high", "WINTYPE_LO": "low"}

    def total(self, seat: Seat, amount: Chips, *, added: bool) -> Chips:
        """Return the street's total of a seat that puts its last chips in.

        Its stack tells whether the amount is that total or the chips added; else `added` says it.
        """
        before, stack = self.bet_of(seat), self.stacks.get(seat)
        if stack is not None:
            left = stack - self.put_by(seat)
            if amount == left:
                return before + amount
            if amount == left + before:
                return amount
        return before + amount if added else amount

    def draws(self) -> bool:
        """Begin the draw of five-card draw, of which no card lies on the table."""
        self.complete()
        if self.game.variant == "draw5" and self.street != "first-draw":
            self.deal_street("first-draw")
        return self.game.variant == "draw5"

    def changes(self, seat: Seat, count: int, cards: Cards | None) -> bool:
        """Tell what a seat throws away, and the hand that it then has."""
        if not self.draws():
            return False
        self.exchanges(seat, count, cards)
        return True

    def halves(self, kinds: Iterable[object]) -> Mapping[str, Half]:
        """Return the words for a half of a pot, if among those of all results there are both."""
        return self.HALVES if set(self.HALVES).issubset(kinds) else {}

    POSTS: ClassVar[Deeds] = (
        ("HAND_ANTE {chips}", acts.antes),
        ("HAND_SB {chips}", acts.one_small_blind),
        ("HAND_BB {chips}", acts.big_or_makeup),
        ("HAND_DSB {chips}", acts.missed_small),
        ("HAND_AB {chips}", acts.both_blinds),
    )


class Game(Words, XmlRoom):
    """The hand being told."""

    VENUE = "Boss Media"
    WITNESSES = Witness.of("POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP DISCARDS")
    HAND = "history"
    LINES = ("player", "action", "result", "showdown")
    INSIDE: ClassVar = {"card": frozenset(LINES)}

    def tell(self) -> None:
        """Tell all of a hand."""
        self.players = self.by_chair(self.lines["player"], "seat")
        self.busy = {_name(line) for line in self.lines["action"]} - {""}
        self.added = "pot" in self.sheet.found  # calls are written as chips added, not as the street's total
        self.take_seats(self.players)
        self.play(self.lines["action"])
        self.besides()
        self.settle()
        self.own = bool(self.holds)

    # -- seats ------------------------------------------------------------------------------------

    def chair(self, line: Line) -> Chair:
        """Read a player. Newer files list every chair, with who is dealt cards among those who sit out."""
        name: str | None = _name(line)
        state = line.get("state")
        why: NotDealtIn | None = "sitting-out" if state == "STATE_SITOUT" else "unknown"
        if name in self.busy:
            why = None if name not in self.seats else why
        elif state in EMPTY or not name:
            name = None
        stack = self.amount(line.get("amount")) if name else None
        return Chair(_number(line), name, stack, why, button=line.get("dealer") == "Y")

    def beside(self, line: Line) -> None:
        """Note which blinds a seat missed: the codes are not explained."""
        if line.get("blindstate"):
            self.remark(line)

    def unlisted(self, players: Iterable[Line]) -> None:
        """Seat who acts without standing among the players on a free chair."""
        acting = [line for line in self.lines["action"] if _name(line)]
        self.sit_on_free({_number(line) for line in players}, acting, _name)

    # -- cards and acts ---------------------------------------------------------------------------

    def cards(self, line: Line) -> Cards | None:
        """Return the cards of a line, None where one is no card."""
        found = [CARDS.get(one.get("link").strip()) for one in line.those("card")]
        return None if None in found else "".join(filter(None, found))

    def known(self, line: Line) -> Cards:
        """Return the cards of a line, "" where all lie face down or one is no card."""
        found = self.cards(line) or ""
        return found if found.strip("?") else ""

    def deals(self, seat: Seat, cards: Cards) -> None:
        """Deal the cards of the file's owner; those of others lie face down."""
        if cards.strip("?"):
            self.holds[seat] = cards
            self.put(HoleCardsDealt(seat, cards))

    def calls(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Call: older files write the street's total, newer ones the chips added."""
        before = self.bet_of(seat)
        if amount < self.betting.bet_to_call and before + amount != self.betting.bet_to_call:
            amount = self.total(seat, amount, added=self.added)
        elif amount < self.betting.bet_to_call:
            amount += before
        self.call_to(seat, amount)

    def goes_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Put the last chips in."""
        self.wager(seat, self.total(seat, amount, added=False), all_in=True)

    # -- the end ----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell what stands in `SHOWDOWN`. A hand without it is not over."""
        self.close_bets()
        results = self.lines["result"]
        if not self.lines["showdown"]:
            return
        showdown = self.lines["showdown"][-1]
        self.place(showdown.tag)
        if len(self.stacks) - len(self.folded) > 1:
            self.put(ShowdownBegun())
        for line in results:
            self.shows(line)
        halves = self.halves(line.get("wintype") for line in results)
        for line in results:
            seat, amount = self.seat_by(_name(line)), self.amount(line.get("win"))
            if seat and amount:
                self.point(line)
                self.award(seat, amount, half=halves.get(line.get("wintype"), ""))
        pot, rake = self.amount(showdown.get("pot")), self.amount(showdown.get("rake"))
        total = None if pot is None or rake is None else pot + rake
        self.return_bets(total)
        if total is not None:
            self.infer_antes(total, rake or 0)
        self.place(showdown.tag)
        declared(self, rake, total)
        self.put(HandCompleted())

    def shows(self, line: Line) -> None:
        """Tell what a result says of a hand; cards of the file's owner stand there in any case."""
        self.point(line)
        seat, hand, known = self.seat_by(_name(line)), line.get("hand").strip(), self.known(line)
        if not seat:
            self.outside(line)
        elif hand == MUCKED:
            self.put(CardsMucked(seat, known))
        elif hand in (DEFAULT, ""):
            if known and seat not in self.holds:
                self.put(CardsShown(seat, known))
        elif hand != FOLDED and known:
            self.put(CardsShown(seat, known, claim=self.people.text(hand[:_MOST])))

    def outside(self, line: Line) -> None:
        """Note the result of who was not dealt in: the client names a hand there, of cards that nobody has."""
        listed = any(_name(one) == _name(line) for one in self.players)
        backs = self.cards(line) and not self.known(line)
        if listed and backs and not self.amount(line.get("win")):
            self.remark(line)
        else:
            self.strange(line.tag.start, line.stop)

    def infer_antes(self, total: Chips, rake: Chips) -> None:
        """Infer the antes of old tournaments, which no line tells: what each seat must have put in.

        Only where the declared pot and what was paid agree, and the rest parts evenly. The stacks of such
        hands are told without the ante: who goes all-in puts in what stands there.
        """
        rest = total - self.total_put_in()
        if (
            rest <= 0
            or rest % len(self.stacks)
            or self.paid + rake != total
            or self.game.format == "cash"
            or any(isinstance(one, AntePosted) for one in self.events)
        ):
            return
        first = next((at for at, one in enumerate(self.events) if isinstance(one, BlindPosted)), len(self.events))
        each = rest // len(self.stacks)
        for at, one in enumerate(self.events):
            if isinstance(one, SeatDealtIn) and one.stack is not None:
                self.stacks[one.seat] = one.stack + each
                self.events[at] = msgspec.structs.replace(one, stack=one.stack + each)
        for seat in sorted(self.stacks, reverse=True):
            self.betting.put(seat, each)
            self.insert(first, AntePosted(seat, each))

    DEEDS = (
        ("ACTION_FOLD", acts.folds),
        ("ACTION_CHECK", acts.checks),
        ("ACTION_CALL {amount}", calls),
        ("ACTION_BET {amount}", acts.wagers_by),
        ("ACTION_RAISE {amount}", acts.raises_to),
        ("ACTION_ALLIN {amount}", goes_all_in),
    )
    ROWS = (
        ("HAND_DEAL player={name} {cards}", deals),
        ("HAND_BOARD value={street} {cards}", Words.lays),
        ("HAND_BOARD", Words.draws),
        ("CHANGECARD player={name} count={count} {cards?}", Words.changes),
    )


def head(sheet: Sheet, _shared: None, exponent: int | None) -> Head:
    """Read the attributes of `HISTORY`; a game that no list has raises `UnreadableHandError`."""
    name, limit, table = sheet.get("game"), sheet.get("limit"), sheet.get("table")
    number = markup.number(sheet.found, "hand")
    variant, betting = GAMES.get(name), games.LIMITS.get(limit.lower())
    if variant is None or betting is None:
        raise games.unknown_game(limit, name)
    cash = sheet.get("gamekind") in ("", "GAMEKIND_CASH")
    real = sheet.get("gametype") in ("", "GAMETYPE_REAL")
    unit = (sheet.get("tablecurrency").upper()[:10] or "chips") if real else "play"
    game = games.game_set(
        variant,
        betting,
        [one for one in sheet.get("stakes").split("/") if one][:2],
        unit=unit if cash else "chips",
        exponent=exponent,
        tournament=not cash,
        written=f"{name} {limit}",
    )
    chairs = sheet.lines["player"] if any(line.get("dealer") for line in sheet.lines["player"]) else ()
    session = sheet.get("session").removeprefix("session").removesuffix(".xml")
    return Head(
        number,
        table,
        game,
        "" if cash else sheet.get("tabletourneyid") or session or table,
        None if cash else TournamentSet(written=table),
        sheet.get("date"),
        timestamps.seconds(sheet.get("date")),
        len(chairs),
        int(Witness.BUTTON) if chairs else 0,  # older files do not tell it
    )


FORMAT: Final = xml_format(
    "boss",
    "Boss Media XML",
    Game,
    head,
    markup.sniffer(("<HISTORY ",), ("GAMEKIND=", "TABLECURRENCY=", "<PLAYER NAME=", "<ACTION TYPE=")),
    "<HISTORY ",
)
