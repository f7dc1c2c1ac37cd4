"""The IGT poker network's own record of a hand, in JSON: timed acts with the balance behind each.

`docs/formats/igt.md` has the table from member to event, what is inferred, and what the record
cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, Half, HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, GameFormat, GameSet, NotDealtIn
from ledger.notation import Format
from ledger.people import People
from ledger.readers import acts, amounts
from ledger.readers.cutting import whole
from ledger.readers.documented import LIMITS, TIME_END, Record, Recorded, Steps, count, names, objects, plain
from ledger.readers.documents import MARK, Listing, document_by_document, records, starts_of
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS, nobody
from ledger.readers.settling import declared
from ledger.vocabulary import RANKS, UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness, split_cards

VENUE: Final = "IGT"
WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS TIMES"
)
"""`OWN_CARDS` is added where somebody's cards are known from the deal, `BLIND_AMOUNTS` where the stakes are told."""

GAMES: Final = {
    **dict.fromkeys(("GAME_THM", "TEXASHOLDEM", "HOLDEM"), "holdem"),
    **dict.fromkeys(("GAME_OMA", "GAME_OMATU", "OMAHA"), "omaha"),
    **dict.fromkeys(("GAME_OMAHL", "OMAHAHILO"), "omaha8"),
    **dict.fromkeys(("GAME_FCD", "FIVECARDDRAW"), "draw5"),
}
"""`game`, else `gameType` → variant. Seen are Omaha and its hi/lo; the others are the network's older names."""

BOARDS: Final[dict[str, tuple[Street, int]]] = {
    "BOARD_FLOP": ("flop", 3),
    "BOARD_TURN": ("turn", 4),
    "BOARD_RIVER": ("river", 5),
}
"""A board's `value` → its street, and how many cards lie there then."""

ABSENT: Final[dict[str, NotDealtIn]] = {
    "STATE_SITOUT": "sitting-out",
    "STATE_SITTINGOUT": "sitting-out",
    "STATE_RESERVED": "reserved",
}
"""A player's `state` → why no cards were dealt there, where it tells."""

DRAWN: Final = tuple("012345")
EMPTY: Final = "STATE_EMPTY"
HALVES: Final[dict[str, Half]] = {"WINTYPE_HI": "high", "WINTYPE_LO": "low"}
MUCKED: Final = "$(STR_G_MUCK)"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(n): RANKS[n % 13] + "dchs"[n // 13] for n in range(52)}}
"""A card's `link`: a number, from the two up in each suit, or `b` for its back.

The ranks are those of the hands that the records name. No record tells the suits: they are in the
order of the network's older records.
"""

OF_HAND: Final = names(
    "player action showDown id session table game gameType gameKind tableCurrency limit date tableTourneyId",
    "tableRegTicketId endTime tableId handId rakeId anonymous",
    "tournamentTable stake small large ante skipPreFlop",
    "bet pot win loss",  # sums of the player whose record it is
)
"""Members of a hand; numbers of tickets and of the rake's table belong to the operator."""

OF_PLAYER: Final = names("name seat state dealer id amount bounty score")
OF_ACTION: Final = names("type kind date player value bankRoll card count pot mainpot leftpot rightpot rake")
"""Members of an action. Pots and rake of a street follow from the acts, and stand in the end again."""

OF_SHOWDOWN: Final = names("date name result pot mainpot leftpot rightpot rake")
OF_RESULT: Final = names("player hand handExt winCard winType date card folded bankRoll win score")
WORDS: Final = (b'"HAND_BLINDS"', b'"bankRoll"', b'"HAND_DEAL"', b'"gameKind"')
_MOST: Final = 200
_EARLIEST: Final = 1_000_000_000_000
"""No record is older than this moment of 2001: an earlier one lacks digits."""


class Hand(Recorded):
    """The hand being told."""

    def begin(self) -> None:
        """Know nothing yet of what only this record tells."""
        self.holds: dict[Seat, Cards] = {}  # the cards of whose record it is
        self.lain = ""  # the cards of the board

    def seat(self, one: dict[str, object]) -> Seat:
        """Return the seat of an object's `player`, 0 if nobody of that name is dealt in."""
        name = one.get("player")
        return self.seats.get(name, 0) if isinstance(name, str) else 0

    # -- seats ----------------------------------------------------------------------------------

    def sit_down(self) -> Seat:
        """Tell who sits where; return how many chairs are listed."""
        busy = {one["player"] for one in objects(self.value, "action") if isinstance(one.get("player"), str)}
        button: tuple[int, Seat] | None = None
        found = self.parts("player")
        for at, one in found:
            self.at = at
            if not isinstance(one, dict) or not isinstance(one.get("name", ""), str | None):
                self.strange("player", at)
                continue
            seat, name, state = count(one.get("seat"), SEATS, text=True), one.get("name"), one.get("state")
            if not seat:
                raise UnreadableHandError(f"there is no seat {str(one.get('seat'))[:20]}", kind="seat")
            if str(one.get("dealer")).upper() in ("Y", "TRUE"):
                button = at, seat
            if not name or (state == EMPTY and name not in busy):
                continue  # an empty chair
            stack = self.sum(one.get("amount"))
            if name in busy and name not in self.seats:
                self.take(seat, name, stack, one.get("bounty"))
            else:
                self.leave_out(seat, name[:_MOST], stack, ABSENT.get(str(state), "unknown"))
            self.strangers(one, OF_PLAYER, at)
        if not self.stacks:
            raise nobody("the hand breaks off before its players")
        if button:
            self.at, seat = button
            self.put(ButtonPlaced(seat))
        return min(len(found), SEATS - 1)

    def take(self, seat: Seat, name: str, stack: Chips | None, bounty: object) -> None:
        """Deal a seat in. Who posts a dead blind may be told with what is left behind it."""
        for one in objects(self.value, "action"):
            if one.get("kind") == "HAND_DSB" and str(one.get("player")) == name:
                told = one.get("value"), one.get("bankRoll")
                amount, behind = map(self.sum, told) if all(map(_is_number, told)) else (None, None)
                if stack is not None and amount is not None and stack == behind:
                    stack += amount
                    self.inferred.append(len(self.events))
                    break
        self.sit(seat, name, stack, bounty=amounts.number(bounty, 2) if _is_number(bounty) else 0)

    # -- acts -----------------------------------------------------------------------------------

    def act(self, one: dict[str, object]) -> bool:
        """Tell an act; behind one with chips stands the balance of its seat."""
        kind = str(one["type"])
        make = ACTS[kind] if kind != "HAND_BLINDS" else POSTS.get(str(one.get("kind")))
        seat, chips = self.seat(one), make not in (acts.folds, acts.checks)
        amount = self.sum(one.get("value")) if chips else 0
        if not seat or amount is None or make is None:
            return False
        if kind.startswith("HAND_"):
            if not amount:
                return False
        elif make is not Hand.adjust:
            if seat in self.folded:
                return False
            self.complete()
        behind = self.sum(one.get("bankRoll"))
        if make(self, seat, amount, True if behind == 0 else None) is False:
            return False
        if chips and behind is not None:
            self.put(ResultDeclared("balance", seat, behind))
        return True

    def adds(self, seat: Seat, amount: Chips, all_in: bool | None, *, calls: bool = False) -> bool:
        """Bet, call or raise; the amount is the street's total."""
        if amount <= self.bets[seat]:
            return False
        (self.call_to if calls else self.wager)(seat, amount, all_in=all_in)
        return True

    def goes_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
        """Put all in. The seat's stack tells whether the amount is the street's total or what is added."""
        stack = self.stacks[seat]
        if stack is not None and amount == stack - self.put_in[seat]:
            amount += self.bets[seat]
        return self.adds(seat, amount, True)

    def adjust(self, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
        """Give back what nobody called, to a seat that folded too; the amount is the street's total that stays in."""
        back = self.bets[seat] - amount
        if not 0 <= back <= self.put_in[seat]:
            return False
        if back:
            self.give_back(seat, back)
        return True

    # -- cards ----------------------------------------------------------------------------------

    def deal(self, one: dict[str, object]) -> bool:
        """Deal a seat its cards."""
        seat, found = self.seat(one), cards(one.get("card"))
        if not seat or not found:
            return False
        known = bool(found.strip("?"))
        if known:
            self.holds[seat] = found
        self.put(HoleCardsDealt(seat, found, how="owner" if known else "unknown"))
        return True

    def lay(self, one: dict[str, object]) -> bool:
        """Deal the new cards of a board, which holds those before them too."""
        self.complete()
        if self.game.variant == "draw5":
            return self.begin_draw(one)
        found, before = cards(one.get("card")), len(self.lain) // 2
        street, count = BOARDS.get(str(one.get("value")), ("showdown", 0))
        if not found or not before < count <= len(found) // 2:
            return False
        self.board(street, found[2 * before : 2 * count])
        if not found.startswith(self.lain):
            self.put(ResultDeclared("board", cards=found))  # other cards than were dealt before
        self.lain += found[2 * before : 2 * count]
        return True

    def begin_draw(self, _one: dict[str, object]) -> bool:
        """Begin the draw of five-card draw; streets of other games have their boards."""
        self.complete()
        if self.game.variant != "draw5":
            return False
        if self.street != "first-draw":
            self.deal_street("first-draw")
        return True

    def change(self, one: dict[str, object]) -> bool:
        """Tell a draw: each new card lies where the one did that was thrown away."""
        seat, many, found = self.seat(one), str(one.get("count")), cards(one.get("card")) or ""
        if not seat or many not in DRAWN or not self.begin_draw(one):
            return False
        before = split_cards(self.holds.get(seat, ""))
        pairs = [pair for pair in zip(before, split_cards(found), strict=False) if pair[0] != pair[1]]
        if acts.exchanges(self, seat, int(many), pairs if "?" not in found else []):
            self.holds[seat] = found
        return True

    # -- the end --------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell what `showDown` holds. A hand without it is not over."""
        found, at = self.value.get("showDown"), self.where.get("showDown", -1)
        self.close_bets()
        if not isinstance(found, dict):
            if found is not None:
                self.strange("showDown", at)
            return
        inside = self.inside(at)
        listed = self.spans.add(*inside["result"]) if "result" in inside else -1
        results = self.listed(listed, found.get("result"))
        contested = len(self.stacks) - len(self.folded) > 1
        self.at = at
        if contested:
            self.put(ShowdownBegun())
        for place, one in results:
            self.show(place, one, contested=contested)
        of_seats = [(place, one, seat) for place, one in results if isinstance(one, dict) and (seat := self.seat(one))]
        kinds = {str(one.get("winType")) for _, one in results if isinstance(one, dict)}
        for place, one, seat in of_seats:
            self.at = place
            before = len(self.events)
            if won := self.sum(one.get("win")):
                self.award(seat, won, half=HALVES.get(str(one.get("winType")), "") if {*HALVES} <= kinds else "")
            self.timed(before, one.get("date"))
        self.totals(found, at)
        for place, one, seat in of_seats:
            self.at = place
            if (left := self.sum(one.get("bankRoll"))) is not None:
                self.put(ResultDeclared("end-stack", seat, left))
        self.unknown("showDown", found, OF_SHOWDOWN, at)
        self.at = self.where.get("endTime", at)
        before = len(self.events)
        self.put(HandCompleted())
        if count(ended := self.value.get("endTime"), TIME_END, text=True) >= max(self.times.values(), default=0):
            self.timed(before, ended)

    def show(self, place: int, one: object, *, contested: bool) -> None:
        """Tell what a result says of a hand."""
        self.at = place
        if not isinstance(one, dict):
            self.strange("result", place)
            return
        seat, shown = self.seat(one), cards(one.get("card") or [])
        if shown is None or (not seat and one.get("win") and self.sum(one["win"])):
            self.strange("result", place)
            return
        if not seat:
            return
        before, words = len(self.events), str(one.get("hand") or "").strip()
        if words == MUCKED:
            if shown.strip("?") or (contested and seat not in self.folded):
                self.put(CardsMucked(seat, shown if shown.strip("?") else ""))
        elif shown.strip("?"):
            claim = " ".join(filter(None, (words, str(one.get("handExt") or "").strip())))
            self.put(CardsShown(seat, shown, claim=self.people.text(claim[:_MOST])))
        self.timed(before, one.get("date"))
        self.strangers(one, OF_RESULT, place)

    def totals(self, found: dict[str, object], at: int) -> None:
        """Tell the rake, and what the whole pot was: the pot of the record is what is left of it."""
        self.at = at
        pot, rake = self.sum(found.get("pot")), self.sum(found.get("rake"))
        total = None if pot is None else pot + (rake or 0)
        self.return_bets(total)
        declared(self, rake, total)


POSTS: Final[dict[str, Callable[[Hand, Seat, Chips, bool | None], bool | None]]] = {
    "HAND_SB": acts.one_small_blind,
    "HAND_BB": acts.big_or_makeup,
    "HAND_DSB": acts.missed_small,
    "HAND_AB": acts.both_blinds,
}
"""A blind's `kind` → how it is told. The last one is of the network's older records."""

ACTS: Final[dict[str, Callable[[Hand, Seat, Chips, bool | None], bool | None]]] = {
    "HAND_ANTE": acts.antes,
    "ACTION_FOLD": acts.folds,
    "ACTION_CHECK": acts.checks,
    "ACTION_CALL": partial(Hand.adds, calls=True),
    "ACTION_BET": Hand.adds,
    "ACTION_RAISE": Hand.adds,
    "ACTION_ALLIN": Hand.goes_all_in,
    "ACTION_ADJUSTEMENT": Hand.adjust,
    "ACTION_ADJUSTMENT": Hand.adjust,
}
"""An act's `type` → how it is told of a seat and its chips."""

STEPS: Final[Steps] = {
    **dict.fromkeys(("HAND_BLINDS", *ACTS), Hand.act),
    "HAND_DEAL": Hand.deal,
    "HAND_BOARD": Hand.lay,
    "STREET": Hand.begin_draw,
    "CHANGECARD": Hand.change,
}


def _is_number(value: object) -> bool:
    """Whether this is a number without a sign, as text or not."""
    text = "" if isinstance(value, bool) else str(value)
    return text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"link": "35"}, {"link": "b"}]`; None where one is no card."""
    if not isinstance(value, list):
        return None
    found = [CARDS.get(str(one.get("link"))[:10]) if isinstance(one, dict) else None for one in value]
    return None if None in found else "".join(filter(None, found))


def setup(value: dict[str, object], exponent: int | None, *, tournament: bool) -> GameSet:
    """Return the game; one that no list has raises `UnreadableHandError`."""
    name, kind = (str(value.get(one) or "")[:_MOST].strip() for one in ("game", "gameType"))
    limit = value.get("limit")
    variant = GAMES.get(name.upper()) or GAMES.get(kind.upper())
    betting = LIMITS.get(plain(limit))
    if variant is None or betting is None:
        raise unknown_game(str(limit), name or kind)
    exponent = (0 if tournament else 2) if exponent is None else exponent
    small, big = stakes(value, exponent)
    of_bets = False
    if betting == "limit" and big:
        posted = [one for one in objects(value, "action") if one.get("kind") == "HAND_BB"]
        numbers = [amounts.number(one["value"], exponent) for one in posted if _is_number(one.get("value"))]
        of_bets = bool(numbers) and numbers[0] == small  # the stakes are the bets
    form: GameFormat = "cash" if "CASH" in str(value.get("gameKind")) else "unknown"
    unit, ante = value.get("tableCurrency"), value.get("ante")
    return GameSet(
        variant,
        betting,
        "tournament" if tournament else form,
        unit[:10] if isinstance(unit, str) and unit and not tournament else "chips",
        exponent,
        () if of_bets else tuple(one for one in (small, big) if one),
        amounts.number(ante, exponent) if _is_number(ante) else 0,
        (small, big) if of_bets else (),
        0,
        f"{name or kind} {str(limit)[:20]}",
    )


def stakes(value: dict[str, object], exponent: int) -> tuple[Chips, Chips]:
    """Return the stakes of `"stake": "0.25/0.5"`, or of `small` and `large`; 0 where they are not told."""
    stake = value.get("stake")
    low, _, high = stake.partition("/") if isinstance(stake, str) else ("", "", "")
    pair = (low.strip(), high.strip()) if high else (value.get("small"), value.get("large"))
    if not all(map(_is_number, pair)):
        return 0, 0
    return amounts.number(pair[0], exponent), amounts.number(pair[1], exponent)


def identity(value: dict[str, object]) -> tuple[str, str]:
    """Return table and number of `"handId": "90000001.hand.12"`; the table is its name with its number."""
    name, number = value.get("table"), count(value.get("tableId"), 10**15, text=True)
    words = str(value.get("handId") or value.get("id") or "")[:_MOST]
    hand = words.rpartition("hand.")[2].strip()
    table = name[:_MOST].strip() if isinstance(name, str) else ""
    if number:
        table = f"{table} ({number})" if table else str(number)
    if not table or not hand:
        raise UnreadableHandError(
            "the record has no table or no number",
            kind="no-header",
            hint="Without them the hand cannot be told from others.",
        )
    return table, hand


def tell(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> Hand:
    """Read the hand at `place`; one that cannot be read raises `UnreadableHandError`."""
    record = Record(data, place)
    value, where = record.value, record.where
    if not isinstance(value.get("player"), list) or not isinstance(value.get("action"), list):
        raise UnreadableHandError("no record of a hand: no players or no acts", kind="not-a-hand")
    table, number = identity(value)
    tournament = value.get("tournamentTable") is True or "TOURN" in str(value.get("gameKind"))
    game = setup(value, exponent, tournament=tournament)
    hand = Hand(record, people, VENUE, game)
    hand.at = where.get("game", where.get("gameType", where[""]))
    hand.put(game)
    chairs = hand.sit_down()
    for name in value:
        if name not in OF_HAND and name.lower() != "currentplayerregticketid":
            hand.strange(name, where[name])
    hand.play("action", STEPS, "date", OF_ACTION)
    hand.settle()
    hand.own = bool(hand.holds)
    held = str(value.get("tableTourneyId") or "")[:_MOST] if tournament else ""
    began = count(value.get("date"), TIME_END, text=True)
    started = began if began > _EARLIEST else None
    written = str(value.get("date") or "")[:_MOST]
    hand.opened(table, number, WITNESSES | hand.blinds_told, started, written, chairs, held)
    return hand


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a record of the IGT network's: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip()
    if bare[:1] != b"{" or b'"history"' not in head:
        return 0
    return (0, 60, 90, 95, 98)[sum(word in head for word in WORDS)]


_OPENING: Final = re.compile(rb'\{\s{0,9}+"history"')
FORMAT: Final = Format(
    name="igt",
    title="IGT network JSON",
    suffixes=(".json", ".txt"),
    sniff=sniff,
    read=document_by_document(starts_of(_OPENING), partial(records, Listing("history", tell))),
    cut=whole,
    appended=False,
)
