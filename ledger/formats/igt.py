"""The IGT poker network's own record of a hand, in JSON: timed acts with the balance behind each.

The network's older records are Boss Media's XML: this one has its words. `docs/formats/igt.md` has the table from member
to event, what is inferred, and what the record cannot say.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from ledger.errors import UnreadableHandError
from ledger.formats.boss import MUCKED, Words
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import GameFormat, GameSet, NotDealtIn
from ledger.people import People
from ledger.readers import acts, amounts
from ledger.readers.document_hand import DocumentChair, DocumentHeader
from ledger.readers.documents import DocumentListing, json_format, read_records, sniffer
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import (
    LIMITS,
    TIME_END,
    Element,
    JsonRecord,
    RecordHand,
    count_below,
    letters_and_digits,
    member_names,
    objects,
)
from ledger.readers.settlement import declare_totals
from ledger.vocabulary import RANKS, UNKNOWN_CARD, Cards, Chips, Seat, Witness

GAMES: Final = {
    **dict.fromkeys(("GAME_THM", "TEXASHOLDEM", "HOLDEM"), "holdem"),
    **dict.fromkeys(("GAME_OMA", "GAME_OMATU", "OMAHA"), "omaha"),
    **dict.fromkeys(("GAME_OMAHL", "OMAHAHILO"), "omaha8"),
    **dict.fromkeys(("GAME_FCD", "FIVECARDDRAW"), "draw5"),
}
"""`game`, else `gameType` → variant. Seen are Omaha and its hi/lo; the others are the network's older names."""

ABSENT: Final[dict[str, NotDealtIn]] = {
    "STATE_SITOUT": "sitting-out",
    "STATE_SITTINGOUT": "sitting-out",
    "STATE_RESERVED": "reserved",
}
"""A player's `state` → why no cards were dealt there, where it tells."""

EMPTY: Final = "STATE_EMPTY"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(n): RANKS[n % 13] + "dchs"[n // 13] for n in range(52)}}
"""A card's `link`: a number, from the two up in each suit, or `b` for its back.

The ranks are those of the hands that the records name. No record tells the suits: they are in the
order of the network's older records.
"""

OF_HAND: Final = member_names(
    "player action showDown id session table game gameType gameKind tableCurrency limit date tableTourneyId",
    "tableRegTicketId currentPlayerRegTicketId currentPLAYERRegTicketId endTime tableId handId rakeId anonymous",
    "tournamentTable stake small large ante skipPreFlop",
    "bet pot win loss",  # sums of the player whose record it is
)
"""Members of a hand; numbers of tickets and of the rake's table belong to the operator."""

OF_PLAYER: Final = member_names("name seat state dealer id amount bounty score")
OF_ACTION: Final = member_names("type kind date player value bankRoll card count pot mainpot leftpot rightpot rake")
"""Members of an action. Pots and rake of a street follow from the acts, and stand in the end again."""

OF_SHOWDOWN: Final = member_names("date name result pot mainpot leftpot rightpot rake")
OF_RESULT: Final = member_names("player hand handExt winCard winType date card folded bankRoll win score")
_MOST: Final = 200
_EARLIEST: Final = 1_000_000_000_000
"""No record is older than this moment of 2001: an earlier one lacks digits."""


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


class Hand(Words, RecordHand):
    """The hand being told."""

    VENUE, BALANCE_MEMBER = "IGT", "bankRoll"
    WITNESSES = Witness.of(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS TIMES"
    )

    def begin(self) -> None:
        """Know who does something."""
        self.acting = objects(self.value, "action")
        self.busy = {one["player"] for one in self.acting if isinstance(one.get("player"), str)}

    def tell(self) -> None:
        """Tell all of a hand."""
        self.place = self.member_places.get("game", self.member_places.get("gameType", self.member_places[""]))
        self.add_event(self.game)
        self.take_seats(self.member_elements("player"))
        self.add_unread_places(OF_HAND)
        self.tell_elements("action", "date", OF_ACTION)
        self.settle()
        self.has_own_cards = bool(self.hole_cards)

    # -- seats ----------------------------------------------------------------------------------

    def read_chair(self, part: Element) -> DocumentChair | None:
        """Read a player. Who posts a dead blind may be told with what is left behind it."""
        _, one = part
        if not isinstance(one, dict) or not isinstance(one.get("name", ""), str | None):
            return None
        seat, state = count_below(one.get("seat"), SEATS, text=True), str(one.get("state"))
        name: str | None = one.get("name") or None
        if not seat:
            raise UnreadableHandError(f"there is no seat {str(one.get('seat'))[:20]}", kind="seat")
        button = str(one.get("dealer")).upper() in ("Y", "TRUE")
        if not name or (name not in self.busy and state == EMPTY):
            return DocumentChair(seat, None, has_button=button)
        stack = self.chips_or_none(one.get("amount"))
        if name not in self.busy or name in self.seats:
            return DocumentChair(seat, name[:_MOST], stack, ABSENT.get(state, "unknown"), button)
        posted = self.dead_blind(name, stack)
        bounty = amounts.number(one["bounty"], 2) if _is_number(one.get("bounty")) else 0
        return DocumentChair(
            seat, name, stack if posted is None else (stack or 0) + posted, None, button, bounty, posted is not None
        )

    def dead_blind(self, name: str, stack: Chips | None) -> Chips | None:
        """Return the dead blind behind which somebody has this stack, None if it is told without."""
        for one in self.acting:
            if one.get("kind") == "HAND_DSB" and str(one.get("player")) == name:
                amount, behind = one.get("value"), one.get("bankRoll")
                if (
                    stack is not None
                    and _is_number(amount)
                    and _is_number(behind)
                    and self.chips_or_none(behind) == stack
                ):
                    return self.chips_or_none(amount)
        return None

    def tell_chair_extras(self, part: Element) -> None:
        """Keep what nobody knows of a player."""
        self.add_unread_names(part[1], OF_PLAYER, part[0])

    # -- acts -----------------------------------------------------------------------------------

    def adds(self, seat: Seat, amount: Chips, all_in: bool | None, *, calls: bool = False) -> bool:
        """Bet, call or raise; the amount is the street's total."""
        if amount <= self.bet_of(seat):
            return False
        (self.call_to if calls else self.wager)(seat, amount, all_in=all_in)
        return True

    def goes_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
        """Put all in."""
        return self.adds(seat, self.total(seat, amount, added=False), True)

    def adjust(self, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
        """Give back what nobody called, to a seat that folded too; the amount is the street's total that stays in."""
        back = self.bet_of(seat) - amount
        if not 0 <= back <= self.chips_put_in(seat):
            return False
        if back:
            self.return_uncalled(seat, back)
        return True

    # -- cards ----------------------------------------------------------------------------------

    def read_cards(self, value: object) -> Cards | None:
        """Return the cards of a member, None where one is no card."""
        return cards(value)

    def deals(self, seat: Seat, cards: Cards) -> bool:
        """Deal a seat its cards."""
        known = bool(cards.strip("?"))
        if known:
            self.hole_cards[seat] = cards
        if cards:
            self.add_event(HoleCardsDealt(seat, cards, how="owner" if known else "unknown"))
        return bool(cards)

    # -- the end --------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell what `showDown` holds. A hand without it is not over."""
        found, at = self.value.get("showDown"), self.member_places.get("showDown", -1)
        self.close_bets()
        if not isinstance(found, dict):
            if found is not None:
                self.add_unread_place("showDown", at)
            return
        inside = self.member_spans(at)
        listed = self.spans.add(*inside["result"]) if "result" in inside else -1
        results = self.list_elements(listed, found.get("result"))
        contested = len(self.stacks) - len(self.folded) > 1
        self.place = at
        if contested:
            self.add_event(ShowdownBegun())
        for place, one in results:
            self.show(place, one, contested=contested)
        of_seats = [(place, one, seat) for place, one in results if isinstance(one, dict) and (seat := self.whose(one))]
        halves = self.halves(str(one.get("winType")) for _, one in results if isinstance(one, dict))
        for self.place, one, seat in of_seats:
            before = len(self.events)
            if won := self.chips_or_none(one.get("win")):
                self.award(seat, won, half=halves.get(str(one.get("winType")), ""))
            self.stamp_events(before, one.get("date"))
        self.totals(found, at)
        for self.place, one, seat in of_seats:
            if (left := self.chips_or_none(one.get("bankRoll"))) is not None:
                self.add_event(ResultDeclared("end-stack", seat, left))
        self.add_unknown_members("showDown", found, OF_SHOWDOWN, at)
        self.place = self.member_places.get("endTime", at)
        before = len(self.events)
        self.add_event(HandCompleted())
        if count_below(ended := self.value.get("endTime"), TIME_END, text=True) >= max(self.times.values(), default=0):
            self.stamp_events(before, ended)

    def whose(self, one: dict[str, Any]) -> Seat | None:
        """Return the seat of a result, None if nobody of that name is dealt in."""
        return self.seat_named(one.get("player"))

    def show(self, place: int, one: object, *, contested: bool) -> None:
        """Tell what a result says of a hand."""
        self.place = place
        shown = cards(one.get("card") or []) if isinstance(one, dict) else None
        if (
            not isinstance(one, dict)
            or shown is None
            or (not self.whose(one) and one.get("win") and self.chips_or_none(one["win"]))
        ):
            self.add_unread_place("result", place)
            return
        if not (seat := self.whose(one)):
            return
        before, words = len(self.events), str(one.get("hand") or "").strip()
        if words == MUCKED:
            if shown.strip("?") or (contested and seat not in self.folded):
                self.add_event(CardsMucked(seat, shown if shown.strip("?") else ""))
        elif shown.strip("?"):
            claim = " ".join(filter(None, (words, str(one.get("handExt") or "").strip())))
            self.add_event(CardsShown(seat, shown, claim=self.people.text(claim[:_MOST])))
        self.stamp_events(before, one.get("date"))
        self.add_unread_names(one, OF_RESULT, place)

    def totals(self, found: dict[str, object], at: int) -> None:
        """Tell the rake, and what the whole pot was: the pot of the record is what is left of it."""
        self.place = at
        pot, rake = self.chips_or_none(found.get("pot")), self.chips_or_none(found.get("rake"))
        total = None if pot is None else pot + (rake or 0)
        self.infer_returns(total)
        declare_totals(self, rake, total)

    POSTS = (*Words.POSTS, ("ACTION_ADJUSTEMENT {amount}", adjust), ("ACTION_ADJUSTMENT {amount}", adjust))
    ACTIONS = (
        ("ACTION_FOLD", acts.folds),
        ("ACTION_CHECK", acts.checks),
        ("ACTION_CALL {amount}", partial(adds, calls=True)),
        ("ACTION_BET {amount}", adds),
        ("ACTION_RAISE {amount}", adds),
        ("ACTION_ALLIN {amount}", goes_all_in),
    )
    ROWS = (
        ("HAND_DEAL player={name} card={cards}", deals),
        ("HAND_BOARD value={street} card={cards}", Words.deals_whole_board),
        ("HAND_BOARD", Words.draws),
        ("STREET", Words.draws),
        ("CHANGECARD player={name} count={count} card={cards?}", Words.changes),
    )


def setup(value: dict[str, object], exponent: int | None, *, tournament: bool) -> GameSet:
    """Return the game; one that no list has raises `UnreadableHandError`."""
    name, kind = (str(value.get(one) or "")[:_MOST].strip() for one in ("game", "gameType"))
    limit = value.get("limit")
    variant = GAMES.get(name.upper()) or GAMES.get(kind.upper())
    betting = LIMITS.get(letters_and_digits(limit))
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
    name, number = value.get("table"), count_below(value.get("tableId"), 10**15, text=True)
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
    record = JsonRecord(data, place)
    value = record.value
    players = value.get("player")
    if not isinstance(players, list) or not isinstance(value.get("action"), list):
        raise UnreadableHandError("no record of a hand: no players or no acts", kind="not-a-hand")
    table, number = identity(value)
    tournament = value.get("tournamentTable") is True or "TOURN" in str(value.get("gameKind"))
    began = count_below(value.get("date"), TIME_END, text=True)
    head = DocumentHeader(
        number,
        table,
        setup(value, exponent, tournament=tournament),
        str(value.get("tableTourneyId") or "")[:_MOST] if tournament else "",
        None,
        str(value.get("date") or "")[:_MOST],
        began if began > _EARLIEST else None,
        min(len(players), SEATS - 1),
    )
    hand = Hand(record, people, Hand.VENUE, head.game)
    hand.tell()
    hand.open_with(head)
    return hand


FORMAT: Final = json_format(
    "igt",
    "IGT network JSON",
    sniffer((b'"history"',), (b'"HAND_BLINDS"', b'"bankRoll"', b'"HAND_DEAL"', b'"gameKind"'), (0, 60, 90, 95, 98)),
    partial(read_records, DocumentListing("history", tell)),
    re.compile(rb'\{\s{0,9}+"history"'),
    (".json", ".txt"),
)
