"""Reader of the XML of the Boss Media network (later IGT and GTECH), as stored by its clients.

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
from ledger.readers.document_hand import ActionRows, DocumentChair, DocumentHand, DocumentHeader
from ledger.readers.markup import COUNTS, HandTags, TagNode
from ledger.readers.payouts import declare_totals
from ledger.readers.xml_hand import XmlHand, build_xml_format
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
"""The text in place of a hand that wasn't shown: folded, mucked, or won without a showdown."""

_RANKS: Final = "A23456789TJQK"
_SUITS: Final = "dchs"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(number): _RANKS[number % 13] + _SUITS[number // 13] for number in range(52)}}
"""A card's `LINK`: a number, or `b` for its back."""

_MAX_CLAIM: Final = 200


def _name(line: TagNode) -> str:
    """Return the name of the line's player."""
    return line.get("player") or line.get("name")


def _parse_seat(line: TagNode) -> Seat:
    return COUNTS.get(line.get("seat").strip()) or 0


class BossWords(DocumentHand):
    """The network's words, which its newer JSON records share."""

    __slots__ = ()

    KINDS_MEMBERS: ClassVar = {"HAND_BLINDS": "kind"}
    STREETS: ClassVar = {"BOARD_FLOP": "flop", "BOARD_TURN": "turn", "BOARD_RIVER": "river"}
    HALVES: ClassVar[Mapping[str, Half]] = {"WINTYPE_HI": "high", "WINTYPE_LO": "low"}

    def compute_street_total(self, seat: Seat, amount: Chips, *, added: bool) -> Chips:
        """Return the street's total of a seat that goes all-in.

        The seat's stack shows whether the amount is the total or the chips added. If it doesn't, `added` decides.
        """
        bet_before, stack = self.get_bet(seat), self.stacks.get(seat)
        if stack is not None:
            stack_left = stack - self.get_chips_put_in(seat)
            if amount == stack_left:
                return bet_before + amount
            if amount == stack_left + bet_before:
                return amount
        return bet_before + amount if added else amount

    def read_draw(self) -> bool:
        """Begin the draw of five-card draw, which has no board."""
        self.complete_deal()
        if self.game.variant == "draw5" and self.street != "first-draw":
            self.deal_street("first-draw")
        return self.game.variant == "draw5"

    def read_change(self, seat: Seat, count: int, cards: Cards | None) -> bool:
        """Read a seat's draw: the number of discarded cards, and the new hand."""
        if not self.read_draw():
            return False
        self.exchange_cards(seat, count, cards)
        return True

    def find_halves(self, kinds: Iterable[object]) -> Mapping[str, Half]:
        """Return the words for halves of a pot if the results contain both, otherwise no words."""
        return self.HALVES if set(self.HALVES).issubset(kinds) else {}

    POSTS: ClassVar[ActionRows] = (
        ("HAND_ANTE {chips}", acts.post_ante),
        ("HAND_SB {chips}", acts.post_small_blind_once),
        ("HAND_BB {chips}", acts.post_big_or_makeup_blind),
        ("HAND_DSB {chips}", acts.make_up_small_blind),
        ("HAND_AB {chips}", acts.post_both_blinds),
    )


class BossHand(BossWords, XmlHand):
    """Reads a hand."""

    VENUE = "Boss Media"
    WITNESSES = Witness.from_names("POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP DISCARDS")
    HAND_TAG = "history"
    LINE_TAGS = ("player", "action", "result", "showdown")
    PARENT_TAGS: ClassVar = {"card": frozenset(LINE_TAGS)}

    def read_parts(self) -> None:
        """Add the events of all parts, in the hand's order."""
        self.players = self.sort_by_chair(self.lines["player"], "seat")
        self.busy = {_name(line) for line in self.lines["action"]} - {""}
        self.added = "pot" in self.sheet.attributes  # calls are chips added, not the street's total
        self.take_seats(self.players)
        self.read_lines(self.lines["action"])
        self.add_unknown_tags()
        self.settle()
        self.has_own_cards = bool(self.hole_cards)

    # -- seats ------------------------------------------------------------------------------------

    def read_chair(self, line: TagNode) -> DocumentChair:
        """Read a player. Newer files list every chair, and a player marked as sitting out may be dealt in."""
        name: str | None = _name(line)
        state = line.get("state")
        absence: NotDealtIn | None = "sitting-out" if state == "STATE_SITOUT" else "unknown"
        if name in self.busy:
            absence = None if name not in self.seats else absence
        elif state in EMPTY or not name:
            name = None
        stack = self.parse_amount(line.get("amount")) if name else None
        return DocumentChair(_parse_seat(line), name, stack, absence, has_button=line.get("dealer") == "Y")

    def read_chair_extras(self, line: TagNode) -> None:
        """Keep a seat's missed blinds as a remark: the meaning of the codes is unknown."""
        if line.get("blindstate"):
            self.add_remark(line)

    def seat_unlisted(self, players: Iterable[TagNode]) -> None:
        """Seat unlisted players who act on free chairs."""
        acting = [line for line in self.lines["action"] if _name(line)]
        self.seat_on_free_chairs({_parse_seat(line) for line in players}, acting, _name)

    # -- cards and acts ---------------------------------------------------------------------------

    def read_cards(self, line: TagNode) -> Cards | None:
        """Return the cards of a line, or None if one isn't a card."""
        card_values = [CARDS.get(card_tag.get("link").strip()) for card_tag in line.get_children("card")]
        return None if None in card_values else "".join(filter(None, card_values))

    def read_known_cards(self, line: TagNode) -> Cards:
        """Return the cards of a line, or "" if all are face down or one isn't a card."""
        cards = self.read_cards(line) or ""
        return cards if cards.strip("?") else ""

    def read_dealt_cards(self, seat: Seat, cards: Cards) -> None:
        """Deal the cards of the file's owner; other players' cards are face down."""
        if cards.strip("?"):
            self.hole_cards[seat] = cards
            self.add_event(HoleCardsDealt(seat, cards))

    def read_call(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Call. Older files have the street's total, newer files the chips added."""
        bet_before = self.get_bet(seat)
        if amount < self.betting.bet_to_call and bet_before + amount != self.betting.bet_to_call:
            amount = self.compute_street_total(seat, amount, added=self.added)
        elif amount < self.betting.bet_to_call:
            amount += bet_before
        self.call_to(seat, amount)

    def read_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Go all-in."""
        self.wager(seat, self.compute_street_total(seat, amount, added=False), all_in=True)

    # -- the end ----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Add the events of `SHOWDOWN`. A hand without it isn't over."""
        self.close_bets()
        results = self.lines["result"]
        if not self.lines["showdown"]:
            return
        showdown = self.lines["showdown"][-1]
        self.point_at_tag(showdown.tag)
        if len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun())
        for line in results:
            self.show_cards(line)
        halves = self.find_halves(line.get("wintype") for line in results)
        for line in results:
            seat, amount = self.find_seat(_name(line)), self.parse_amount(line.get("win"))
            if seat and amount:
                self.point_at(line)
                self.award(seat, amount, half=halves.get(line.get("wintype"), ""))
        pot, rake = self.parse_amount(showdown.get("pot")), self.parse_amount(showdown.get("rake"))
        total = None if pot is None or rake is None else pot + rake
        self.infer_returns(total)
        if total is not None:
            self.infer_antes(total, rake or 0)
        self.point_at_tag(showdown.tag)
        declare_totals(self, rake, total)
        self.add_event(HandCompleted())

    def show_cards(self, line: TagNode) -> None:
        """Add the shown or mucked cards of a result. The owner's cards are there even if they weren't shown."""
        self.point_at(line)
        seat, hand, face_up_cards = self.find_seat(_name(line)), line.get("hand").strip(), self.read_known_cards(line)
        if not seat:
            self.read_unseated_result(line)
        elif hand == MUCKED:
            self.add_event(CardsMucked(seat, face_up_cards))
        elif hand in (DEFAULT, ""):
            if face_up_cards and seat not in self.hole_cards:
                self.add_event(CardsShown(seat, face_up_cards))
        elif hand != FOLDED and face_up_cards:
            self.add_event(CardsShown(seat, face_up_cards, claim=self.people.text(hand[:_MAX_CLAIM])))

    def read_unseated_result(self, line: TagNode) -> None:
        """Keep the result of a player who wasn't dealt in: the client names a hand without cards."""
        is_listed = any(_name(player_line) == _name(line) for player_line in self.players)
        has_backs = self.read_cards(line) and not self.read_known_cards(line)
        if is_listed and has_backs and not self.parse_amount(line.get("win")):
            self.add_remark(line)
        else:
            self.add_unread_stretch(line.tag.start, line.stop)

    def infer_antes(self, total: Chips, rake: Chips) -> None:
        """Infer the antes of old tournaments, which have no line, from the declared pot.

        The pot must agree with the awards, and the missing chips must divide evenly among the seats. The stacks in such
        hands exclude the ante: an all-in player puts in the written stack.
        """
        missing = total - self.get_total_put_in()
        if (
            missing <= 0
            or missing % len(self.stacks)
            or self.total_awarded + rake != total
            or self.game.format == "cash"
            or any(isinstance(event, AntePosted) for event in self.events)
        ):
            return
        first = next(
            (index for index, event in enumerate(self.events) if isinstance(event, BlindPosted)), len(self.events)
        )
        ante = missing // len(self.stacks)
        for index, event in enumerate(self.events):
            if isinstance(event, SeatDealtIn) and event.stack is not None:
                self.stacks[event.seat] = event.stack + ante
                self.events[index] = msgspec.structs.replace(event, stack=event.stack + ante)
        for seat in sorted(self.stacks, reverse=True):
            self.betting.move_chips(seat, ante)
            self.insert_event(first, AntePosted(seat, ante))

    ACTIONS = (
        ("ACTION_FOLD", acts.fold),
        ("ACTION_CHECK", acts.check),
        ("ACTION_CALL {amount}", read_call),
        ("ACTION_BET {amount}", acts.wager_by),
        ("ACTION_RAISE {amount}", acts.raise_to),
        ("ACTION_ALLIN {amount}", read_all_in),
    )
    ROWS = (
        ("HAND_DEAL player={name} {cards}", read_dealt_cards),
        ("HAND_BOARD value={street} {cards}", BossWords.deal_from_whole_board),
        ("HAND_BOARD", BossWords.read_draw),
        ("CHANGECARD player={name} count={count} {cards?}", BossWords.read_change),
    )


def read_header(sheet: HandTags, _shared: None, exponent: int | None) -> DocumentHeader:
    """Read the attributes of `HISTORY`. Raise `UnreadableHandError` if the game is unknown."""
    name, limit, table = sheet.get("game"), sheet.get("limit"), sheet.get("table")
    number = markup.parse_hand_number(sheet.attributes, "hand")
    variant, betting = GAMES.get(name), games.LIMITS.get(limit.lower())
    if variant is None or betting is None:
        raise games.unknown_game(limit, name)
    cash = sheet.get("gamekind") in ("", "GAMEKIND_CASH")
    real = sheet.get("gametype") in ("", "GAMETYPE_REAL")
    unit = (sheet.get("tablecurrency").upper()[:10] or "chips") if real else "play"
    game = games.build_game_set(
        variant,
        betting,
        [stake for stake in sheet.get("stakes").split("/") if stake][:2],
        unit=unit if cash else "chips",
        exponent=exponent,
        tournament=not cash,
        written=f"{name} {limit}",
    )
    chairs = sheet.lines["player"] if any(line.get("dealer") for line in sheet.lines["player"]) else ()
    session = sheet.get("session").removeprefix("session").removesuffix(".xml")
    return DocumentHeader(
        number,
        table,
        game,
        "" if cash else sheet.get("tabletourneyid") or session or table,
        None if cash else TournamentSet(written=table),
        sheet.get("date"),
        timestamps.parse_seconds(sheet.get("date")),
        len(chairs),
        int(Witness.BUTTON) if chairs else 0,  # older files don't record it
    )


FORMAT: Final = build_xml_format(
    "boss",
    "Boss Media XML",
    BossHand,
    read_header,
    markup.build_sniffer(("<HISTORY ",), ("GAMEKIND=", "TABLECURRENCY=", "<PLAYER NAME=", "<ACTION TYPE=")),
    "<HISTORY ",
)
