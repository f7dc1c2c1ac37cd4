"""The IGT poker network's own record of a hand, in JSON: timed acts with the balance behind each.

The network's older records are Boss Media's XML: this one has its words. `docs/formats/igt.md` has the table from member
to event, what is inferred, and what the record cannot say.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from ledger.errors import UnreadableHandError
from ledger.formats.boss import MUCKED, BossWords
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import Betting, GameFormat, GameSet, NotDealtIn
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
from ledger.readers.payouts import declare_totals
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
CARDS: Final = {"b": UNKNOWN_CARD, **{str(code): RANKS[code % 13] + "dchs"[code // 13] for code in range(52)}}
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
_MAX_TEXT: Final = 200
_EARLIEST: Final = 1_000_000_000_000
"""No record is older than this moment of 2001: an earlier one lacks digits."""


def _is_number(value: object) -> bool:
    """Whether this is a number without a sign, as text or not."""
    text = "" if isinstance(value, bool) else str(value)
    return text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"link": "35"}, {"link": "b"}]`; None where one isn't a card."""
    if not isinstance(value, list):
        return None
    card_codes = [CARDS.get(str(card.get("link"))[:10]) if isinstance(card, dict) else None for card in value]
    return None if None in card_codes else "".join(filter(None, card_codes))


class IgtHand(BossWords, RecordHand):
    """The hand being told."""

    VENUE, BALANCE_MEMBER = "IGT", "bankRoll"
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS TIMES"
    )

    def begin(self) -> None:
        """Know who does something."""
        self.acting = objects(self.value, "action")
        self.busy = {action["player"] for action in self.acting if isinstance(action.get("player"), str)}

    def read_parts(self) -> None:
        """Add the events of all parts, in the hand's order."""
        self.place = self.member_places.get("game", self.member_places.get("gameType", self.member_places[""]))
        self.add_event(self.game)
        self.take_seats(self.member_elements("player"))
        self.add_unread_places(OF_HAND)
        self.read_elements("action", "date", OF_ACTION)
        self.settle()
        self.has_own_cards = bool(self.hole_cards)

    # -- seats ----------------------------------------------------------------------------------

    def read_chair(self, part: Element) -> DocumentChair | None:
        """Read a player. Who posts a dead blind may be told with what is left behind it."""
        _, player = part
        if not isinstance(player, dict) or not isinstance(player.get("name", ""), str | None):
            return None
        seat, state = count_below(player.get("seat"), SEATS, text=True), str(player.get("state"))
        name: str | None = player.get("name") or None
        if not seat:
            raise UnreadableHandError(f"there is no seat {str(player.get('seat'))[:20]}", kind="seat")
        button = str(player.get("dealer")).upper() in ("Y", "TRUE")
        if not name or (name not in self.busy and state == EMPTY):
            return DocumentChair(seat, None, has_button=button)
        stack = self.chips_or_none(player.get("amount"))
        if name not in self.busy or name in self.seats:
            return DocumentChair(seat, name[:_MAX_TEXT], stack, ABSENT.get(state, "unknown"), button)
        posted = self.dead_blind(name, stack)
        bounty = amounts.number(player["bounty"], 2) if _is_number(player.get("bounty")) else 0
        return DocumentChair(
            seat, name, stack if posted is None else (stack or 0) + posted, None, button, bounty, posted is not None
        )

    def dead_blind(self, name: str, stack: Chips | None) -> Chips | None:
        """Return the dead blind behind which somebody has this stack, None if it is told without."""
        for action in self.acting:
            if action.get("kind") == "HAND_DSB" and str(action.get("player")) == name:
                amount, stack_after = action.get("value"), action.get("bankRoll")
                if (
                    stack is not None
                    and _is_number(amount)
                    and _is_number(stack_after)
                    and self.chips_or_none(stack_after) == stack
                ):
                    return self.chips_or_none(amount)
        return None

    def read_chair_extras(self, part: Element) -> None:
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
        returned_chips = self.bet_of(seat) - amount
        if not 0 <= returned_chips <= self.chips_put_in(seat):
            return False
        if returned_chips:
            self.return_uncalled(seat, returned_chips)
        return True

    # -- cards ----------------------------------------------------------------------------------

    def read_cards(self, value: object) -> Cards | None:
        """Return the cards of a member, None where one isn't a card."""
        return cards(value)

    def deals(self, seat: Seat, cards: Cards) -> bool:
        """Deal a seat its cards."""
        are_known = bool(cards.strip("?"))
        if are_known:
            self.hole_cards[seat] = cards
        if cards:
            self.add_event(HoleCardsDealt(seat, cards, how="owner" if are_known else "unknown"))
        return bool(cards)

    # -- the end --------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell what `showDown` holds. A hand without it is not over."""
        showdown, showdown_place = self.value.get("showDown"), self.member_places.get("showDown", -1)
        self.close_bets()
        if not isinstance(showdown, dict):
            if showdown is not None:
                self.add_unread_place("showDown", showdown_place)
            return
        inside = self.member_spans(showdown_place)
        results_place = self.spans.add(*inside["result"]) if "result" in inside else -1
        results = self.list_elements(results_place, showdown.get("result"))
        contested = len(self.stacks) - len(self.folded) > 1
        self.place = showdown_place
        if contested:
            self.add_event(ShowdownBegun())
        for place, result in results:
            self.show(place, result, contested=contested)
        of_seats = [
            (place, result, seat)
            for place, result in results
            if isinstance(result, dict) and (seat := self.seat_of_result(result))
        ]
        halves = self.halves(str(result.get("winType")) for _, result in results if isinstance(result, dict))
        for self.place, result, seat in of_seats:
            event_count = len(self.events)
            if won := self.chips_or_none(result.get("win")):
                self.award(seat, won, half=halves.get(str(result.get("winType")), ""))
            self.stamp_events(event_count, result.get("date"))
        self.totals(showdown, showdown_place)
        for self.place, result, seat in of_seats:
            if (stack_after := self.chips_or_none(result.get("bankRoll"))) is not None:
                self.add_event(ResultDeclared("end-stack", seat, stack_after))
        self.add_unknown_members("showDown", showdown, OF_SHOWDOWN, showdown_place)
        self.place = self.member_places.get("endTime", showdown_place)
        self.complete()

    def complete(self) -> None:
        """End the hand, at the time of its end unless an act is later."""
        event_count = len(self.events)
        self.add_event(HandCompleted())
        if count_below(end_time := self.value.get("endTime"), TIME_END, text=True) >= max(
            self.times.values(), default=0
        ):
            self.stamp_events(event_count, end_time)

    def seat_of_result(self, result: dict[str, Any]) -> Seat | None:
        """Return the seat of a result, None if nobody of that name is dealt in."""
        return self.seat_named(result.get("player"))

    def show(self, place: int, result: object, *, contested: bool) -> None:
        """Tell what a result says of a hand."""
        self.place = place
        shown_cards = cards(result.get("card") or []) if isinstance(result, dict) else None
        if not isinstance(result, dict) or shown_cards is None or self.pays_stranger(result):
            self.add_unread_place("result", place)
            return
        if not (seat := self.seat_of_result(result)):
            return
        event_count, words = len(self.events), str(result.get("hand") or "").strip()
        if words == MUCKED:
            if shown_cards.strip("?") or (contested and seat not in self.folded):
                self.add_event(CardsMucked(seat, shown_cards if shown_cards.strip("?") else ""))
        elif shown_cards.strip("?"):
            claim = " ".join(filter(None, (words, str(result.get("handExt") or "").strip())))
            self.add_event(CardsShown(seat, shown_cards, claim=self.people.text(claim[:_MAX_TEXT])))
        self.stamp_events(event_count, result.get("date"))
        self.add_unread_names(result, OF_RESULT, place)

    def pays_stranger(self, result: dict[str, Any]) -> bool:
        """Whether a result has chips for a player who isn't dealt in."""
        return not self.seat_of_result(result) and bool(result.get("win") and self.chips_or_none(result["win"]))

    def totals(self, showdown: dict[str, object], showdown_place: int) -> None:
        """Tell the rake, and what the whole pot was: the pot of the record is what is left of it."""
        self.place = showdown_place
        pot, rake = self.chips_or_none(showdown.get("pot")), self.chips_or_none(showdown.get("rake"))
        total = None if pot is None else pot + (rake or 0)
        self.infer_returns(total)
        declare_totals(self, rake, total)

    POSTS = (*BossWords.POSTS, ("ACTION_ADJUSTEMENT {amount}", adjust), ("ACTION_ADJUSTMENT {amount}", adjust))
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
        ("HAND_BOARD value={street} card={cards}", BossWords.deals_whole_board),
        ("HAND_BOARD", BossWords.draws),
        ("STREET", BossWords.draws),
        ("CHANGECARD player={name} count={count} card={cards?}", BossWords.changes),
    )


def setup(value: dict[str, object], exponent: int | None, *, tournament: bool) -> GameSet:
    """Return the game; one that no list has raises `UnreadableHandError`."""
    variant, betting, written = _find_game(value)
    if exponent is None:
        exponent = 0 if tournament else 2
    small, big = stakes(value, exponent)
    are_bets = betting == "limit" and bool(big) and _is_big_blind(value, small, exponent)
    ante = value.get("ante")
    return GameSet(
        variant,
        betting,
        format=_game_format(value, tournament=tournament),
        unit="chips" if tournament else _currency(value),
        exponent=exponent,
        blinds=() if are_bets else tuple(stake for stake in (small, big) if stake),
        ante=amounts.number(ante, exponent) if _is_number(ante) else 0,
        bets=(small, big) if are_bets else (),
        written=written,
    )


def _find_game(value: dict[str, object]) -> tuple[str, Betting, str]:
    """Return the variant and the betting, and the record's words for them."""
    name, kind = (str(value.get(field_name) or "")[:_MAX_TEXT].strip() for field_name in ("game", "gameType"))
    limit = value.get("limit")
    variant = GAMES.get(name.upper()) or GAMES.get(kind.upper())
    betting = LIMITS.get(letters_and_digits(limit))
    if variant is None or betting is None:
        raise unknown_game(str(limit), name or kind)
    return variant, betting, f"{name or kind} {str(limit)[:20]}"


def _is_big_blind(value: dict[str, object], stake: Chips, exponent: int) -> bool:
    """Whether the first big blind of a hand is that stake: then the stakes are the bets, not the blinds."""
    posts = [action for action in objects(value, "action") if action.get("kind") == "HAND_BB"]
    big_blinds = [amounts.number(post["value"], exponent) for post in posts if _is_number(post.get("value"))]
    return big_blinds[:1] == [stake]


def _game_format(value: dict[str, object], *, tournament: bool) -> GameFormat:
    if tournament:
        return "tournament"
    return "cash" if "CASH" in str(value.get("gameKind")) else "unknown"


def _currency(value: dict[str, object]) -> str:
    """Return the currency of a table, `chips` if it names none."""
    unit = value.get("tableCurrency")
    return unit[:10] if isinstance(unit, str) and unit else "chips"


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
    words = str(value.get("handId") or value.get("id") or "")[:_MAX_TEXT]
    hand = words.rpartition("hand.")[2].strip()
    table = name[:_MAX_TEXT].strip() if isinstance(name, str) else ""
    if number:
        table = f"{table} ({number})" if table else str(number)
    if not table or not hand:
        raise UnreadableHandError(
            "the record has no table or no number",
            kind="no-header",
            hint="Without them the hand cannot be told from others.",
        )
    return table, hand


def read_record(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> IgtHand:
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
        str(value.get("tableTourneyId") or "")[:_MAX_TEXT] if tournament else "",
        None,
        str(value.get("date") or "")[:_MAX_TEXT],
        began if began > _EARLIEST else None,
        min(len(players), SEATS - 1),
    )
    hand = IgtHand(record, people, IgtHand.VENUE, head.game)
    hand.read_parts()
    hand.open_with(head)
    return hand


FORMAT: Final = json_format(
    "igt",
    "IGT network JSON",
    sniffer((b'"history"',), (b'"HAND_BLINDS"', b'"bankRoll"', b'"HAND_DEAL"', b'"gameKind"'), (0, 60, 90, 95, 98)),
    partial(read_records, DocumentListing("history", read_record)),
    re.compile(rb'\{\s{0,9}+"history"'),
    (".json", ".txt"),
)
