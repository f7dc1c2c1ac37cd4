"""iPoker's XML: the files of the network's clients, of archives and of trackers.

`docs/formats/ipoker.md` has the table from element to event, and what the format doesn't contain.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import ClassVar, Final

from ledger.formats.ipoker.words import (
    BOARD_STREETS,
    FACES,
    OWN_CARD_STREETS,
    OWN_STAKES,
    TYPE_OF_WORD,
    parse_cards,
    parse_chips,
    read_header,
    read_session,
    strip_amount,
)
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import DropTaken, HandCompleted, ResultDeclared
from ledger.hand.opening import AntePosted, NotDealtIn, OptionSet
from ledger.people import format_chair_name as chair_of
from ledger.presence import PlayerAway
from ledger.readers import acts
from ledger.readers.document_hand import DocumentChair
from ledger.readers.marked import Attributes
from ledger.readers.markup import TagNode
from ledger.readers.payouts import declare_rake
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.xml_hand import XmlHand, build_xml_format
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street, Witness

SITTING_OUT_TYPES: Final = frozenset(("8", "9"))
TYPES_BEFORE_DEAL: Final = frozenset(("1", "2", "15", *SITTING_OUT_TYPES))
"""The types of acts before the deal is complete."""
_KNOWN_TYPES: Final = frozenset((*TYPE_OF_WORD.values(), "6", "8"))
"""The types of acts that we read. Two of them have no word."""
_HIDDEN_CARDS: Final = frozenset(("", *(blank.join(x * n) for x in "Xx" for n in (2, 4, 5, 6) for blank in (" ", ""))))
"""Hole cards that are all unknown."""
_AFTER_ALL_ACTS: Final = 1 << 20
"""Sorts an act without a number after all others."""
_MAX_DIGITS: Final = 6
_NO_REBUYS: Final = (["0", "0", ""], ["", "", ""], ["0", "0", "0"])


def _parse_seat(player: TagNode) -> Seat:
    return parse_small_number(player.attributes["seat"], _MAX_DIGITS)


class IpokerHand(XmlHand):
    """The hand that is built from one game."""

    VENUE = "iPoker"
    WITNESSES = Witness.from_names("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS")
    """Posts don't say which money is dead, and shown hands look like other known ones. Returned bets, rake and
    side pots are missing."""
    HAND_TAG, SHARED_TAG, HAND_WORD = "game", "session", "game"
    ROOT_TAGS = ("root",)
    MISSING_HINT = "The game, the stakes and the table are at the beginning of a session."
    SKIPPED_TAGS = frozenset(("general", "players", "/general", "/players", "/round", "/action", "/cards", "/player"))
    FRAME_TAGS = frozenset(("?xml", "root", "general", "players", "servername"))
    LINE_TAGS = ("player", "round", "action", "cards", "startdate", *OWN_STAKES)
    PARENT_TAGS: ClassVar = dict.fromkeys(("action", "cards"), frozenset(("round",)))
    TEXT_TAGS = frozenset(("cards", "startdate", *OWN_STAKES))
    AMOUNT_MEMBER = "sum"

    def read_parts(self) -> None:
        """Add the events of the whole hand."""
        self.begun_streets: set[Street] = set()
        self.round_number = 0
        if not self.shared.variant:  # the cards show which it is
            self.inferred.append(1)
        if self.game.variant in ("stud", "stud8"):
            self.betting.street = "third"
        self.player_lines = sorted(self.lines["player"], key=_parse_seat)
        self.chair_names = self.find_chair_names()
        if self.chair_names:
            self.add_inferred(OptionSet(*ANONYMOUS), place=self.hand_place)
        sorted_lines = self.sort_lines()
        self.seat_players(sorted_lines)
        for self.round_number, _, act_type, line in sorted_lines:
            if line.tag[0] == "cards":
                self.deal_cards(line)
            elif not self.add_act(act_type, line):
                self.keep_unknown(line)
        self.award_pot()
        for start, stop in self.sheet.unknown_tags:
            self.add_unread_stretch(start, stop)

    def sort_lines(self) -> list[tuple[int, int, str, TagNode]]:
        """Return cards and acts in the order of their numbers: round, number, type of the act, line."""
        sortable_lines = [(0, 0, "", line) for line in self.lines["cards"]]
        act_lines = [(0, line) for line in self.lines["action"]]
        round_number = 0
        for round_line in self.lines["round"]:
            round_number = _parse_count(round_line.attributes["no"], round_number)
            sortable_lines += [(round_number, 0, "", line) for line in round_line.get_children("cards")]
            act_lines += [(round_number, line) for line in round_line.get_children("action")]
        sortable_lines += [
            (
                round_number,
                _parse_count(act_line.attributes["no"], _AFTER_ALL_ACTS),
                _act_type(act_line.attributes),
                act_line,
            )
            for round_number, act_line in act_lines
        ]
        return sorted(sortable_lines, key=itemgetter(0, 1))

    # -- seats ------------------------------------------------------------------------------------

    def find_chair_names(self) -> dict[str, str]:
        """Return the chair's name for each player of a game that the file's owner only watched.

        There the player in seat 3 is called `Player 3`. If any other name differs, nobody is masked: a
        player may have chosen the name `Player 3`.
        """
        seat_by_name = {
            player_line.get("name"): _parse_seat(player_line)
            for player_line in self.lines["player"]
            if player_line.get("name")
        }
        seat_by_name.pop(self.shared.nickname, None)
        if len(seat_by_name) < 2 or any(name != f"Player {seat}" for name, seat in seat_by_name.items()):
            return {}
        return {name: chair_of(seat, self.shared.table) for name, seat in seat_by_name.items()}

    def get_player_id(self, name: str) -> PlayerId:
        """Return the id of a player, or of the chair if the client masks the name."""
        return super().get_player_id(self.chair_names.get(name, name))

    def seat_players(self, sorted_lines: list[tuple[int, int, str, TagNode]]) -> None:
        """Seat the players. One without cards and acts isn't dealt in."""
        self.acting_lines, self.present_names, self.away_names = [], set[str](), set[str]()
        has_cards = has_rounds = False
        for round_number, _, act_type, line in sorted_lines:
            name = line.attributes["player"]
            has_rounds = has_rounds or round_number > 0
            if line.tag[0] == "cards":
                has_cards = True
                self.present_names.update((name,) if name else ())
            elif act_type in SITTING_OUT_TYPES:
                self.away_names.add(name)
            else:
                self.acting_lines.append(line)
                self.present_names.add(name)
        if not has_cards and not has_rounds:
            # The game breaks off before the deal: everyone with chips may have been dealt in.
            players_with_chips = {
                player_line.get("name")
                for player_line in self.player_lines
                if strip_amount(player_line.get("chips")).strip("0.,")
            }
            self.present_names |= players_with_chips - self.away_names
        self.take_seats(self.player_lines)

    def read_chair(self, player: TagNode) -> DocumentChair:
        """Read a player."""
        attributes = player.attributes
        name, stack_text, has_button = attributes["name"], attributes["chips"], attributes["dealer"] == "1"
        is_playing = name in self.present_names
        if not name and not is_playing:
            return DocumentChair(_parse_seat(player), None, has_button=has_button)
        stack = self.parse_amount(stack_text) if strip_amount(stack_text) else None
        reason: NotDealtIn | None = None
        if not is_playing:
            reason = "sitting-out" if name in self.away_names else "no-chips" if stack == 0 else "unknown"
        return DocumentChair(_parse_seat(player), name, stack, reason, has_button)

    def read_chair_extras(self, player: TagNode) -> None:
        """Keep a line with rebuys or add-ons as a remark: their amounts are missing."""
        rebuy_counts = [player.attributes[name] for name in ("rebuy", "addon", "merge")]
        if rebuy_counts not in _NO_REBUYS and any(
            strip_amount(rebuy_count).strip("0.,") for rebuy_count in rebuy_counts
        ):
            self.add_remark(player)

    def seat_unlisted(self, players: Iterable[TagNode]) -> None:
        """Seat a player who acts but isn't listed on a free chair."""
        if self.stacks:
            taken_seats = {_parse_seat(player) for player in players if player.get("name")}
            self.seat_on_free_chairs(taken_seats, self.acting_lines, lambda line: line.get("player"))

    # -- acts -------------------------------------------------------------------------------------

    def parse_amount(self, value: str | None) -> Chips:
        """Return an amount without the blanks and the currency around it."""
        return parse_chips(value or "", self.exponent)

    def add_act(self, act_type: str, line: TagNode) -> bool:
        """Add an act. Return False if it can't be read.

        Players who aren't dealt in are away already. In the first round an all-in may be a post.
        """
        self.point_at(line)
        if act_type not in TYPES_BEFORE_DEAL and (self.round_number or act_type != "7"):
            self.complete_deal()
        return self.read_as(act_type, line.attributes, line) or act_type in SITTING_OUT_TYPES

    def add_sitting_out(self, seat: Seat, player_name: str) -> None:
        """Record that a player sits out."""
        self.add_event(PlayerAway(seat, self.get_player_id(player_name), why="sits-out"))

    def post_big_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a big blind. A second seat posts it to enter, and anything above the blind is dead."""
        if self.big_blind_seat not in (0, seat) and self.big_blind and amount > self.big_blind:
            self.post_both_blinds(seat, amount)
        else:
            acts.post_big_blind_once(self, seat, amount, all_in)

    def go_all_in(self, seat: Seat, amount_text: str) -> None:
        """Go all-in: in the first round with a post, later with a bet, call or raise.

        `DP` protects a player who lost the connection: all-in for the chips already in the pot.
        """
        if self.round_number and amount_text == "DP":
            acts.stay_in(self, seat, 0, True)
            return
        amount = self.parse_amount(amount_text)
        seats_with_ante = {event.seat for event in self.events if isinstance(event, AntePosted)}
        if self.round_number:
            self.wager(seat, self.get_bet(seat) + amount, all_in=True)
        elif seats_with_ante and seat not in seats_with_ante:
            self.post_ante(seat, amount, all_in=True)
        elif not self.small_blind_seat:
            self.post_blind(seat, "small", amount, all_in=True)
        else:
            self.post_blind(seat, "entry" if self.big_blind_seat else "big", amount, all_in=True)

    # -- cards ------------------------------------------------------------------------------------

    def deal_cards(self, line: TagNode) -> None:
        """Deal cards to the board or to a player."""
        card_type, player_name = line.attributes["type"].strip().lower(), line.attributes["player"]
        if card_type == "pocket" and line.text in _HIDDEN_CARDS:
            return
        self.point_at(line)
        new_cards = parse_cards(line.text)
        if card_type == "pocket":
            self.deal_hole_cards(player_name, new_cards, "")
        elif player_name and card_type in OWN_CARD_STREETS:
            self.deal_hole_cards(player_name, new_cards, self.begin_street(card_type, len(new_cards) // 2))
        elif (board_street := BOARD_STREETS.get(card_type)) is not None:
            self.deal_street_board(board_street, new_cards)
        else:
            self.keep_unknown(line)

    def begin_street(self, street_name: str, card_count: int) -> str:
        """Begin a street that deals cards to each player. Return which of them lie face up."""
        is_five_card, is_river = self.game.variant == "stud5", street_name == "river"
        next_street: Street = "fifth" if is_river and is_five_card else OWN_CARD_STREETS[street_name]
        if next_street not in self.begun_streets:
            self.begun_streets.add(next_street)
            if next_street != self.street:
                self.deal_street(next_street)
        return "d" if is_river and not is_five_card else FACES.get(card_count, "")

    def deal_hole_cards(self, player_name: str, new_cards: Cards, upcards: str) -> None:
        """Deal a player cards, unless all of them are unknown."""
        seat, is_owner = self.find_seat(player_name), player_name == self.shared.nickname
        if seat and new_cards.strip("?"):
            self.has_own_cards = self.has_own_cards or (is_owner and "?" not in new_cards)
            self.add_event(HoleCardsDealt(seat, new_cards, upcards, "owner" if is_owner else "after"))

    # -- the end ----------------------------------------------------------------------------------

    def award_pot(self) -> None:
        """Award the pot. A game without any winnings isn't over."""
        self.close_bets()
        winnings, line_of_seat, total_rake = self.read_winnings()
        if not sum(winnings.values()):
            return
        returned_bets: dict[Seat, Chips] = {}
        for seat, amount, _ in self.uncalled_bets:
            returned_bets[seat] = returned_bets.get(seat, 0) + amount
        includes_uncalled = _includes_uncalled_bets(
            self.get_total_put_in(), winnings, returned_bets, excludes_uncalled=self.shared.excludes_uncalled
        )
        self.infer_returns()
        for seat, amount_won in winnings.items():
            if not amount_won:
                continue
            self.point_at_tag(line_of_seat[seat].tag)
            returned_bet = returned_bets.get(seat, 0) if includes_uncalled else 0
            if returned_bet < amount_won:
                if returned_bet:
                    self.inferred.append(len(self.events))
                self.award(seat, amount_won - returned_bet)
            self.add_event(ResultDeclared("winnings", seat, amount_won))
        self.place = self.hand_place
        missing_chips = self.get_total_put_in() - self.total_awarded
        if total_rake:
            declare_rake(self, total_rake)
        elif missing_chips > 0 and self.game.format == "cash" and 4 * missing_chips <= self.total_awarded:
            self.add_inferred(DropTaken("rake", missing_chips), place=self.place)
        self.add_event(HandCompleted())

    def read_winnings(self) -> tuple[dict[Seat, Chips], dict[Seat, TagNode], Chips]:
        """Return what each seat wins, the line of each seat, and the rake of all."""
        winnings: dict[Seat, Chips] = {}
        line_of_seat: dict[Seat, TagNode] = {}
        total_rake = 0
        for player in self.lines["player"]:
            attributes = player.attributes
            if seat := self.seats.get(attributes["name"]):
                line_of_seat[seat] = player
                if strip_amount(attributes["win"]):
                    winnings[seat] = self.parse_amount(attributes["win"])
                if strip_amount(attributes["rakeamount"]):
                    total_rake += self.parse_amount(attributes["rakeamount"])
        return winnings, line_of_seat, total_rake

    POSTS = (
        ("1 {amount}", acts.post_small_blind_once),
        ("2 {amount}", post_big_blind),
        ("15 {amount}", acts.post_ante),
    )
    ACTIONS = (
        ("0", acts.fold),
        ("3 {amount}", acts.call),
        ("4", acts.check),
        ("5 {amount}", acts.bet),
        ("6 {amount}", acts.raise_by),
        ("16 {amount}", acts.bring_in),
        ("23 {amount}", acts.raise_to),
    )
    ROWS = (
        ("7 player={name} sum={written}", go_all_in),
        *build_rows(add_sitting_out, "8 player={name} player={who}", "9 player={name} player={who}"),
    )


def _act_type(attributes: Attributes) -> str:
    """Return the type of an act. Archives may have a word for it."""
    type_number = attributes["type"].strip()
    return (
        type_number
        if type_number in _KNOWN_TYPES
        else TYPE_OF_WORD.get(attributes["actiontxt"].strip().lower(), type_number)
    )


def _parse_count(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else default


def _includes_uncalled_bets(
    total_put_in: Chips,
    winnings: dict[Seat, Chips],
    returned_bets: dict[Seat, Chips],
    *,
    excludes_uncalled: bool | None,
) -> bool:
    """Whether the winnings include uncalled bets.

    Old clients include them, newer ones may. They do if somebody won more than the called bets, or if
    a losing seat "won" exactly its uncalled bet.
    """
    total_uncalled, total_won = sum(returned_bets.values()), sum(winnings.values())
    if not total_uncalled or any(amount > winnings.get(seat, 0) for seat, amount in returned_bets.items()):
        return False
    losers_got_bets_back = (
        all(winnings[seat] == amount for seat, amount in returned_bets.items()) and total_won > total_uncalled
    )
    if total_won > total_put_in - total_uncalled or losers_got_bets_back:
        return total_won <= total_put_in
    return excludes_uncalled is False and 10 * (total_put_in - total_won) <= total_put_in


def sniff(head: bytes) -> int:
    """Return how likely this is iPoker's XML, from 0 (no) to 100 (certain)."""
    text = head.decode("utf-8", "replace")
    if "<session" not in text[:4000] and "<game gamecode=" not in text[:4000]:
        return 0
    known_words = sum(word in text for word in ("sessioncode=", "<gametype>", "gamecode=", "<round no="))
    return (0, 40, 90, 95, 98)[known_words]


FORMAT: Final = build_xml_format(
    "ipoker", "iPoker XML", IpokerHand, read_header, sniff, "<game ", "<session", read_session
)
