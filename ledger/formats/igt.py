"""Reader of the IGT poker network's JSON: timed acts, each with the player's balance after it.

The network's older records are Boss Media's XML, and this format uses the same words. `docs/formats/igt.md` lists the
event of each member, what is inferred, and the facts that the format lacks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.boss import MUCKED, BossWords
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import Betting, GameFormat, GameSet, NotDealtIn
from ledger.people import People
from ledger.readers import acts, amounts
from ledger.readers.document_hand import DocumentChair, DocumentHeader
from ledger.readers.documents import DocumentListing, build_json_format, build_sniffer, read_records
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import (
    LIMITS,
    TIME_END,
    Element,
    JsonRecord,
    RecordHand,
    keep_letters_and_digits,
    list_objects,
    parse_count_below,
    split_names,
)
from ledger.readers.payouts import declare_totals
from ledger.vocabulary import RANKS, UNKNOWN_CARD, Cards, Chips, Seat, Witness

GAMES: Final = {
    **dict.fromkeys(("GAME_THM", "TEXASHOLDEM", "HOLDEM"), "holdem"),
    **dict.fromkeys(("GAME_OMA", "GAME_OMATU", "OMAHA"), "omaha"),
    **dict.fromkeys(("GAME_OMAHL", "OMAHAHILO"), "omaha8"),
    **dict.fromkeys(("GAME_FCD", "FIVECARDDRAW"), "draw5"),
}
"""`game` or else `gameType` → variant. Known records are of Omaha and Omaha hi/lo; the rest are older names."""

ABSENT: Final[dict[str, NotDealtIn]] = {
    "STATE_SITOUT": "sitting-out",
    "STATE_SITTINGOUT": "sitting-out",
    "STATE_RESERVED": "reserved",
}
"""A player's `state` → the reason why no cards were dealt there."""

EMPTY: Final = "STATE_EMPTY"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(code): RANKS[code % 13] + "dchs"[code // 13] for code in range(52)}}
"""A card's `link`: a number, from the two up in each suit, or `b` for its back.

The names of hands in the records confirm the ranks. Nothing confirms the suits: their order is that of the network's
older records.
"""

OF_HAND: Final = split_names(
    "player action showDown id session table game gameType gameKind tableCurrency limit date tableTourneyId",
    "tableRegTicketId currentPlayerRegTicketId currentPLAYERRegTicketId endTime tableId handId rakeId anonymous",
    "tournamentTable stake small large ante skipPreFlop",
    "bet pot win loss",  # sums of the player whose record it is
)
"""Members of a hand. The operator uses the numbers of tickets and of the rake's table."""

OF_PLAYER: Final = split_names("name seat state dealer id amount bounty score")
OF_ACTION: Final = split_names("type kind date player value bankRoll card count pot mainpot leftpot rightpot rake")
"""Members of an action. Pots and rake of a street follow from the acts, and the showdown repeats them."""

OF_SHOWDOWN: Final = split_names("date name result pot mainpot leftpot rightpot rake")
OF_RESULT: Final = split_names("player hand handExt winCard winType date card folded bankRoll win score")
_MAX_TEXT: Final = 200
_EARLIEST: Final = 1_000_000_000_000
"""The earliest time of a record, in 2001. A smaller number lacks digits."""


SeatResult: TypeAlias = tuple[int, dict[str, Any], Seat]
"""The place of a result, the result and its seat."""


def _is_number(value: object) -> bool:
    """Whether a value is a number or its text, without a sign."""
    text = "" if isinstance(value, bool) else str(value)
    return text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20


def parse_cards(value: object) -> Cards | None:
    """Return the cards of `[{"link": "35"}, {"link": "b"}]`; None where one isn't a card."""
    if not isinstance(value, list):
        return None
    card_codes = [CARDS.get(str(card.get("link"))[:10]) if isinstance(card, dict) else None for card in value]
    return None if None in card_codes else "".join(filter(None, card_codes))


class IgtHand(BossWords, RecordHand):
    """Reads a hand."""

    VENUE, BALANCE_MEMBER = "IGT", "bankRoll"
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS TIMES"
    )

    def begin(self) -> None:
        """Collect the actions, and the players who act."""
        self.actions = list_objects(self.value, "action")
        self.acting_names = {action["player"] for action in self.actions if isinstance(action.get("player"), str)}

    def read_parts(self) -> None:
        """Add the events of all parts, in the hand's order."""
        self.place = self.member_places.get("game", self.member_places.get("gameType", self.member_places[""]))
        self.add_event(self.game)
        self.take_seats(self.list_member_elements("player"))
        self.add_unread_places(OF_HAND)
        self.read_elements("action", "date", OF_ACTION)
        self.settle()
        self.has_own_cards = bool(self.hole_cards)

    # -- seats ----------------------------------------------------------------------------------

    def read_chair(self, part: Element) -> DocumentChair | None:
        """Read a player. The stack of a player who posts a dead blind may be the one after the post."""
        _, player = part
        if not isinstance(player, dict) or not isinstance(player.get("name", ""), str | None):
            return None
        seat = parse_count_below(player.get("seat"), SEATS, text=True)
        state = str(player.get("state"))
        name: str | None = player.get("name") or None
        if not seat:
            raise UnreadableHandError(f"there is no seat {str(player.get('seat'))[:20]}", kind="seat")
        has_button = str(player.get("dealer")).upper() in ("Y", "TRUE")
        if not name or (name not in self.acting_names and state == EMPTY):
            return DocumentChair(seat, None, has_button=has_button)
        stack = self.parse_chips_or_none(player.get("amount"))
        if name not in self.acting_names or name in self.seats:
            return DocumentChair(seat, name[:_MAX_TEXT], stack, ABSENT.get(state, "unknown"), has_button)
        dead_blind = self.find_deducted_dead_blind(name, stack)
        bounty = amounts.read_number(player["bounty"], 2) if _is_number(player.get("bounty")) else 0
        return DocumentChair(
            seat,
            name,
            (stack or 0) + dead_blind if dead_blind is not None else stack,
            None,
            has_button,
            bounty,
            dead_blind is not None,
        )

    def find_deducted_dead_blind(self, name: str, stack: Chips | None) -> Chips | None:
        """Return the dead blind that is already deducted from a player's stack, or None if there is none."""
        for action in self.actions:
            if action.get("kind") == "HAND_DSB" and str(action.get("player")) == name:
                amount, stack_after = action.get("value"), action.get("bankRoll")
                if (
                    stack is not None
                    and _is_number(amount)
                    and _is_number(stack_after)
                    and self.parse_chips_or_none(stack_after) == stack
                ):
                    return self.parse_chips_or_none(amount)
        return None

    def read_chair_extras(self, part: Element) -> None:
        """Keep a player's unknown members."""
        self.add_unread_names(part[1], OF_PLAYER, part[0])

    # -- acts -----------------------------------------------------------------------------------

    def read_wager(self, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
        """Add a bet or raise. The amount is the seat's total on the street."""
        if amount <= self.get_bet(seat):
            return False
        self.wager(seat, amount, all_in=all_in)
        return True

    def read_call(self, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
        """Add a call. The amount is the seat's total on the street."""
        if amount <= self.get_bet(seat):
            return False
        self.call_to(seat, amount, all_in=all_in)
        return True

    def read_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
        """Add an all-in wager. If the stack doesn't say otherwise, the amount is the street's total."""
        return self.read_wager(seat, self.compute_street_total(seat, amount, added=False), True)

    def read_returned_bet(self, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
        """Return an uncalled bet, also to a seat that folded. The amount is the street's total that stays in the pot."""
        returned_chips = self.get_bet(seat) - amount
        if not 0 <= returned_chips <= self.get_chips_put_in(seat):
            return False
        if returned_chips:
            self.return_uncalled(seat, returned_chips)
        return True

    # -- cards ----------------------------------------------------------------------------------

    def read_cards(self, value: object) -> Cards | None:
        """Return the cards of a member, or None if an element isn't a card."""
        return parse_cards(value)

    def read_hole_cards(self, seat: Seat, cards: Cards) -> bool:
        """Add the hole cards of a seat."""
        are_known = bool(cards.strip("?"))
        if are_known:
            self.hole_cards[seat] = cards
        if cards:
            self.add_event(HoleCardsDealt(seat, cards, how="owner" if are_known else "unknown"))
        return bool(cards)

    # -- the end --------------------------------------------------------------------------------

    def settle(self) -> None:
        """Add the events of `showDown`. A hand without it isn't over."""
        showdown = self.value.get("showDown")
        showdown_place = self.member_places.get("showDown", -1)
        self.close_bets()
        if not isinstance(showdown, dict):
            if showdown is not None:
                self.add_unread_place("showDown", showdown_place)
            return
        member_spans = self.find_member_spans(showdown_place)
        results_place = self.spans.add(*member_spans["result"]) if "result" in member_spans else -1
        results = self.list_elements(results_place, showdown.get("result"))
        self.add_showdown(results, showdown_place)
        seat_results = [
            (place, result, seat)
            for place, result in results
            if isinstance(result, dict) and (seat := self.find_result_seat(result))
        ]
        self.add_awards(results, seat_results)
        self.add_totals(showdown, showdown_place)
        self.add_end_stacks(seat_results)
        self.add_unknown_members("showDown", showdown, OF_SHOWDOWN, showdown_place)
        self.place = self.member_places.get("endTime", showdown_place)
        self.complete()

    def add_showdown(self, results: Sequence[Element], showdown_place: int) -> None:
        """Add the beginning of the showdown, if the hand has one, and the shown and mucked cards."""
        is_contested = len(self.stacks) - len(self.folded) > 1
        self.place = showdown_place
        if is_contested:
            self.add_event(ShowdownBegun())
        for place, result in results:
            self.add_shown_cards(place, result, is_contested=is_contested)

    def add_awards(self, results: Sequence[Element], seat_results: Sequence[SeatResult]) -> None:
        """Add what each seat won. The winning hands of all `results` show which pots are halves."""
        halves = self.find_halves(str(result.get("winType")) for _, result in results if isinstance(result, dict))
        for place, result, seat in seat_results:
            self.place = place
            event_count = len(self.events)
            if won_chips := self.parse_chips_or_none(result.get("win")):
                self.award(seat, won_chips, half=halves.get(str(result.get("winType")), ""))
            self.stamp_events(event_count, result.get("date"))

    def add_end_stacks(self, seat_results: Sequence[SeatResult]) -> None:
        """Add the stacks after the hand."""
        for place, result, seat in seat_results:
            self.place = place
            if (stack_after := self.parse_chips_or_none(result.get("bankRoll"))) is not None:
                self.add_event(ResultDeclared("end-stack", seat, stack_after))

    def complete(self) -> None:
        """End the hand, at its end time unless an act is later."""
        event_count = len(self.events)
        self.add_event(HandCompleted())
        if parse_count_below(end_time := self.value.get("endTime"), TIME_END, text=True) >= max(
            self.times.values(), default=0
        ):
            self.stamp_events(event_count, end_time)

    def find_result_seat(self, result: dict[str, Any]) -> Seat | None:
        """Return the seat of a result, or None if no player of that name is dealt in."""
        return self.find_seat(result.get("player"))

    def add_shown_cards(self, place: int, result: object, *, is_contested: bool) -> None:
        """Add the shown or mucked cards of a result."""
        self.place = place
        shown_cards = parse_cards(result.get("card") or []) if isinstance(result, dict) else None
        if not isinstance(result, dict) or shown_cards is None or self.pays_stranger(result):
            self.add_unread_place("result", place)
            return
        if not (seat := self.find_result_seat(result)):
            return
        event_count = len(self.events)
        words = str(result.get("hand") or "").strip()
        if words == MUCKED:
            if shown_cards.strip("?") or (is_contested and seat not in self.folded):
                self.add_event(CardsMucked(seat, shown_cards if shown_cards.strip("?") else ""))
        elif shown_cards.strip("?"):
            claim = " ".join(filter(None, (words, str(result.get("handExt") or "").strip())))
            self.add_event(CardsShown(seat, shown_cards, claim=self.people.text(claim[:_MAX_TEXT])))
        self.stamp_events(event_count, result.get("date"))
        self.add_unread_names(result, OF_RESULT, place)

    def pays_stranger(self, result: dict[str, Any]) -> bool:
        """Whether a result has chips for a player who isn't dealt in."""
        return not self.find_result_seat(result) and bool(result.get("win") and self.parse_chips_or_none(result["win"]))

    def add_totals(self, showdown: dict[str, object], showdown_place: int) -> None:
        """Add the rake and the total pot. The pot of the record is the total without the rake."""
        self.place = showdown_place
        pot = self.parse_chips_or_none(showdown.get("pot"))
        rake = self.parse_chips_or_none(showdown.get("rake"))
        total = None if pot is None else pot + (rake or 0)
        self.infer_returns(total)
        declare_totals(self, rake, total)

    POSTS = (
        *BossWords.POSTS,
        ("ACTION_ADJUSTEMENT {amount}", read_returned_bet),
        ("ACTION_ADJUSTMENT {amount}", read_returned_bet),
    )
    ACTIONS = (
        ("ACTION_FOLD", acts.fold),
        ("ACTION_CHECK", acts.check),
        ("ACTION_CALL {amount}", read_call),
        ("ACTION_BET {amount}", read_wager),
        ("ACTION_RAISE {amount}", read_wager),
        ("ACTION_ALLIN {amount}", read_all_in),
    )
    ROWS = (
        ("HAND_DEAL player={name} card={cards}", read_hole_cards),
        ("HAND_BOARD value={street} card={cards}", BossWords.deal_from_whole_board),
        ("HAND_BOARD", BossWords.read_draw),
        ("STREET", BossWords.read_draw),
        ("CHANGECARD player={name} count={count} card={cards?}", BossWords.read_change),
    )


def parse_game(value: dict[str, object], exponent: int | None, *, is_tournament: bool) -> GameSet:
    """Return the game. An unknown game raises `UnreadableHandError`."""
    variant, betting, written = _find_game(value)
    if exponent is None:
        exponent = 0 if is_tournament else 2
    small, big = parse_stakes(value, exponent)
    are_bets = betting == "limit" and bool(big) and _is_big_blind(value, small, exponent)
    ante = value.get("ante")
    return GameSet(
        variant,
        betting,
        format=_find_game_format(value, is_tournament=is_tournament),
        unit="chips" if is_tournament else _find_currency(value),
        exponent=exponent,
        blinds=() if are_bets else tuple(stake for stake in (small, big) if stake),
        ante=amounts.read_number(ante, exponent) if _is_number(ante) else 0,
        bets=(small, big) if are_bets else (),
        written=written,
    )


def _find_game(value: dict[str, object]) -> tuple[str, Betting, str]:
    """Return the variant and the betting, and the record's words for them."""
    name, kind = (str(value.get(field_name) or "")[:_MAX_TEXT].strip() for field_name in ("game", "gameType"))
    limit = value.get("limit")
    variant = GAMES.get(name.upper()) or GAMES.get(kind.upper())
    betting = LIMITS.get(keep_letters_and_digits(limit))
    if variant is None or betting is None:
        raise unknown_game(str(limit), name or kind)
    return variant, betting, f"{name or kind} {str(limit)[:20]}"


def _is_big_blind(value: dict[str, object], stake: Chips, exponent: int) -> bool:
    """Whether the first big blind of a hand is that stake: then the stakes are the bets, not the blinds."""
    posts = [action for action in list_objects(value, "action") if action.get("kind") == "HAND_BB"]
    big_blinds = [amounts.read_number(post["value"], exponent) for post in posts if _is_number(post.get("value"))]
    return big_blinds[:1] == [stake]


def _find_game_format(value: dict[str, object], *, is_tournament: bool) -> GameFormat:
    if is_tournament:
        return "tournament"
    return "cash" if "CASH" in str(value.get("gameKind")) else "unknown"


def _find_currency(value: dict[str, object]) -> str:
    """Return the currency of a table, `chips` if it names none."""
    unit = value.get("tableCurrency")
    return unit[:10] if isinstance(unit, str) and unit else "chips"


def parse_stakes(value: dict[str, object], exponent: int) -> tuple[Chips, Chips]:
    """Return the stakes of `"stake": "0.25/0.5"`, or of `small` and `large`; 0 if they aren't recorded."""
    stake = value.get("stake")
    small_text, _, big_text = stake.partition("/") if isinstance(stake, str) else ("", "", "")
    amount_pair = (small_text.strip(), big_text.strip()) if big_text else (value.get("small"), value.get("large"))
    if not all(map(_is_number, amount_pair)):
        return 0, 0
    return amounts.read_number(amount_pair[0], exponent), amounts.read_number(amount_pair[1], exponent)


def parse_identity(value: dict[str, object]) -> tuple[str, str]:
    """Return the table, as its name with its number, and the hand's number: `12` of `"90000001.hand.12"`."""
    name, number = value.get("table"), parse_count_below(value.get("tableId"), 10**15, text=True)
    words = str(value.get("handId") or value.get("id") or "")[:_MAX_TEXT]
    hand_number = words.rpartition("hand.")[2].strip()
    table = name[:_MAX_TEXT].strip() if isinstance(name, str) else ""
    if number:
        table = f"{table} ({number})" if table else str(number)
    if not table or not hand_number:
        raise UnreadableHandError(
            "the record has no table or no number",
            kind="no-header",
            hint="Without them the hand cannot be told from others.",
        )
    return table, hand_number


def read_record(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> IgtHand:
    """Read the hand at `place`. A hand that can't be read raises `UnreadableHandError`."""
    record = JsonRecord(data, place)
    value = record.value
    players = value.get("player")
    if not isinstance(players, list) or not isinstance(value.get("action"), list):
        raise UnreadableHandError("no record of a hand: no players or no acts", kind="not-a-hand")
    table, number = parse_identity(value)
    is_tournament = value.get("tournamentTable") is True or "TOURN" in str(value.get("gameKind"))
    start_time = parse_count_below(value.get("date"), TIME_END, text=True)
    header = DocumentHeader(
        number,
        table,
        parse_game(value, exponent, is_tournament=is_tournament),
        str(value.get("tableTourneyId") or "")[:_MAX_TEXT] if is_tournament else "",
        None,
        str(value.get("date") or "")[:_MAX_TEXT],
        start_time if start_time > _EARLIEST else None,
        min(len(players), SEATS - 1),
    )
    hand = IgtHand(record, people, IgtHand.VENUE, header.game)
    hand.read_parts()
    hand.open_with(header)
    return hand


FORMAT: Final = build_json_format(
    "igt",
    "IGT network JSON",
    build_sniffer(
        (b'"history"',), (b'"HAND_BLINDS"', b'"bankRoll"', b'"HAND_DEAL"', b'"gameKind"'), (0, 60, 90, 95, 98)
    ),
    partial(read_records, DocumentListing("history", read_record)),
    re.compile(rb'\{\s{0,9}+"history"'),
    (".json", ".txt"),
)
