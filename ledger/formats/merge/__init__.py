"""The XML that clients of the Merge network stored, in both versions.

`docs/formats/merge.md` has the table from element to event, and what the format doesn't contain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.merge.header import (
    BOARD_STREETS,
    DRAW_VARIANTS,
    FIRST_DAY_OF_TOTALS,
    FIRST_ROUNDS,
    LATER_ROUNDS,
    STREETS,
    STUD_VARIANTS,
    parse_cards,
    parse_event_time,
    read_description,
    read_header,
)
from ledger.hand.dealing import BoardDealt, CardsDiscarded, CardsDrawn, HoleCardsDealt, RabbitShown, StoodPat
from ledger.hand.ending import CardsMucked, CardsShown, Half, HandCompleted, HandVoided, PlayerFinished, ShowdownBegun
from ledger.hand.opening import AntePosted, BlindPosted, SeatDealtIn
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, SeatLeft, WordsSaid
from ledger.readers import acts, markup
from ledger.readers.cards import STREET_CARDS
from ledger.readers.document_hand import DocumentChair, DocumentHeader, parse_pot_number
from ledger.readers.markup import TagNode
from ledger.readers.payouts import infer_rake, split_uncalled_awards
from ledger.readers.xml_hand import XmlHand, build_xml_format
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Millis, Seat, Witness, split_cards

USE_OF_CARDS: Final = {
    "COMMUNITY": "board",
    "HOLE": "own",
    "DRAW_DRAWN_CARDS": "own",
    "SHOWN": "shown",
    "MUCKED": "shown",
}
"""A type of `cards` → what becomes of such cards."""
HALVES: Final[dict[str | None, Half]] = {"h": "high", "l": "low"}
_FACES: Final = "dduuuud"
"""Which cards of a stud hand are dealt face down (d) and up (u)."""
_MAX_CHAT_LENGTH: Final = 2000


class MergeHand(XmlHand):
    """The hand that is built from one game."""

    VENUE = "Merge"
    WITNESSES = Witness.from_names(
        "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DISCARDS CHAT CONNECTIONS"
    )
    """`TIMES` is added if every event has a time of its own. Rake is missing, and some returned bets are too."""
    HAND_TAG, SHARED_TAG, HAND_WORD = "game", "description", "game"
    MISSING_HINT = "The game and its stakes are in the description before a file's games."
    LINE_TAGS = ("players", "player", "round")
    PARENT_TAGS: ClassVar = dict.fromkeys(("event", "cards", "winner"), frozenset(("round",)))
    FRAME_TAGS = frozenset(("?xml",))
    AMOUNT_MEMBER, FIRST_CHAIR = "amount", 0
    FIELDS: ClassVar = {
        "chair": lambda hand, value: hand.find_chair_seat(value or ""),
        "cards": lambda _hand, value: parse_cards(value or ""),
        "count": lambda _hand, value: int(value) if value and value.strip() in set("0123456789") else None,
        "potnumber": lambda _hand, value: (parse_pot_number(value) or 0) - 1,
    }

    def read_parts(self) -> None:
        """Add the events of the whole hand."""
        day = "".join(letter for letter in self.head.written[:10] if letter.isdigit())
        self.raises_by_added_chips = bool(day) and day < FIRST_DAY_OF_TOTALS  # a raise contains the chips added
        self.posted_chips: dict[Seat, Chips] = {}  # what each seat posted
        self.unknown_post = -1  # the index of the post whose amount is missing
        self.discard_indexes: dict[Seat, int] = {}  # the indexes of this draw's CardsDiscarded
        self.event_times: list[Millis | None] = []  # of all events
        self.pending_shows: list[TagNode] = []  # shown or mucked hands of this round, until their event is added
        self.round_lines = self.lines["round"]
        self.winner_lines = [line for round_line in self.round_lines for line in round_line.get_children("winner")]
        if self.game.variant in STUD_VARIANTS:
            self.betting.street = "third"
        self.seat_players()
        for round_line in self.round_lines:
            self.add_round(round_line)
            if round_line.get("id") == "BLINDS":
                self.posted_chips = self.betting.chips.put_in.copy()
        self.add_unknown_tags()
        self.award_pots()
        if self.posted_chips and self.game.format == "tournament" and not self.sheet.attributes.get("version"):
            self.add_posts_to_stacks()

    def open_with(self, head: DocumentHeader) -> None:
        """Add the hand's first event. Times are recorded if every event has one and they differ."""
        has_times = len(set(self.event_times)) > 1 and None not in self.event_times
        super().open_with(head._replace(witnesses=int(Witness.TIMES)) if has_times else head)

    # -- seats ------------------------------------------------------------------------------------

    def seat_players(self) -> None:
        """Seat the players. A player with cards or an act in the first rounds is dealt in, whatever `dealtin` says."""
        first_round_events = [
            line
            for round_line in self.round_lines
            if round_line.get("id") in FIRST_ROUNDS
            for line in round_line.get_children("event")
        ]
        self.acting_lines = [
            (line, self.find_chair_seat(line.attributes["player"]))
            for line in first_round_events
            if line.attributes["type"] in ACTING_TYPES
        ]
        players_with_cards = [
            line.attributes["player"] for round_line in self.round_lines for line in round_line.get_children("cards")
        ]
        self.dealt_in_seats = {seat for _, seat in self.acting_lines} | {
            self.find_chair_seat(player) for player in players_with_cards if player
        }
        self.take_seats(self.sort_by_chair(self.lines["player"], "seat"))
        if self.lines["players"]:
            self.place_button(self.lines["players"][-1], self.find_chair_seat(self.lines["players"][-1].get("dealer")))

    def read_chair(self, line: TagNode) -> DocumentChair | None:
        """Read a player. Only the chat uses names, so two players may have the same."""
        seat, name = self.find_chair_seat(line.get("seat")), line.get("nickname")
        if seat is None:
            return None
        stack = self.parse_amount(line.get("balance"))
        is_marked_dealt_in = line.get("dealtin") == "true"
        if seat in self.dealt_in_seats or (is_marked_dealt_in and not self.winner_lines):
            return DocumentChair(seat, f"{name} " if name in self.seats else name, stack)
        return DocumentChair(seat, name, stack, "no-chips" if stack == 0 else "unknown", inferred=is_marked_dealt_in)

    def seat_unlisted(self, players: Iterable[TagNode]) -> None:
        """Seat a player who acts on a chair that isn't listed."""
        listed_seats = {seat for line in players if (seat := self.find_chair_seat(line.get("seat"))) is not None}
        self.seat_by_chair(self.acting_lines, listed_seats, self.head.number)

    def has_no_players(self) -> bool:
        """Whether nobody is listed. A cancelled game may list players and deal nobody in."""
        return not self.stacks and not any(self.find_chair_seat(line.get("seat")) for line in self.lines["player"])

    def player_in(self, seat: Seat) -> str:
        """Return the id of the player in a seat, or "" if it is empty."""
        return next((self.get_player_id(name) for name, named_seat in self.seats.items() if named_seat == seat), "")

    def add_posts_to_stacks(self) -> None:
        """Add the posts to stacks that are written without them."""
        for event_index, event in enumerate(self.events):
            if (
                isinstance(event, SeatDealtIn)
                and event.stack is not None
                and (posted_amount := self.posted_chips.get(event.seat))
            ):
                self.events[event_index] = SeatDealtIn(event.seat, event.player, event.stack + posted_amount)
                if event_index not in self.inferred:
                    self.inferred.append(event_index)

    # -- rounds -----------------------------------------------------------------------------------

    def add_round(self, round_line: TagNode) -> None:
        """Add a round's cards and acts. The file has the cards after all events."""
        round_name = round_line.attributes["id"]
        cards_by_use: defaultdict[str, list[TagNode]] = defaultdict(list)
        for line in round_line.get_children("cards"):
            cards_by_use[USE_OF_CARDS.get(line.attributes["type"], "")].append(line)
        is_draw = round_name.endswith("_DRAW") and round_name in STREETS
        self.pending_shows = cards_by_use["shown"]
        self.point_at_tag(round_line.tag)
        if round_name not in FIRST_ROUNDS and round_name not in LATER_ROUNDS:
            self.begin_round(round_name, round_line, cards_by_use["board"])
        if not is_draw:
            self.read_lines(cards_by_use["own"])
        if round_name not in ("BLINDS", "BRING_IN", *LATER_ROUNDS):
            self.complete_deal()
        for line in round_line.get_children("event"):
            self.read_round_event(line, is_blinds_round=round_name == "BLINDS")
        if is_draw:
            self.read_lines(cards_by_use["own"])
        for line in self.pending_shows:  # no event says that their players show
            if not self.read_part(line.attributes, line):
                self.keep_unknown(line)
        if round_name == "BRING_IN":
            self.complete_deal()
        for line in cards_by_use[""]:
            self.keep_unknown(line)

    def read_round_event(self, line: TagNode, *, is_blinds_round: bool) -> None:
        """Tell an event of a round with its time; what has no word is kept as unread."""
        event_count = len(self.events)
        self.point_at(line)
        if not self.add_round_event(line, is_blinds_round=is_blinds_round):
            self.keep_unknown(line)
        occurred_at = parse_event_time(line)
        self.event_times.append(occurred_at)
        if occurred_at:
            for event_index in range(event_count, len(self.events)):
                self.times[event_index] = occurred_at

    def begin_round(self, round_name: str, round_line: TagNode, board_lines: list[TagNode]) -> None:
        """Begin a street or the showdown."""
        if round_name in BOARD_STREETS:
            self.complete_deal()
            self.deal_round_board(round_name, round_line, board_lines)
        elif round_name in STREETS:
            self.complete_deal()
            self.deal_street(STREETS[round_name])
            self.discard_indexes.clear()
        elif round_name == "SHOWDOWN":
            self.complete_deal()
            self.add_event(ShowdownBegun())
        else:
            self.add_unread_stretch(round_line.tag.start, round_line.tag.stop)

    def add_round_event(self, line: TagNode, *, is_blinds_round: bool) -> bool:
        """Add an event. In the round of the blinds the same words are posts. Return False if it can't be read."""
        attributes = line.attributes
        event_type = attributes["type"]
        if event_type in ACTING_TYPES:
            seat = self.find_seat(attributes["player"])
            if seat in self.folded:
                return False  # a folded player can't act: the room's own error
            if is_blinds_round and event_type in POST_TYPES and seat and not attributes["amount"]:
                raise UnreadableHandError("a post has no amount", kind="amount")
            if is_blinds_round:
                event_type = f"BLINDS.{event_type}"
            elif (
                event_type == "ALL_IN"
                and seat
                and not attributes["amount"]
                and self.stacks[seat] == self.get_chips_put_in(seat)
            ):
                self.add_remark(line)
                return True  # the seat is all-in already
        return self.read_as(event_type, attributes, line)

    # -- cards ------------------------------------------------------------------------------------

    def deal_round_board(self, round_name: str, round_line: TagNode, board_lines: list[TagNode]) -> None:
        """Deal a round's new community cards.

        If the round doesn't contain them, the longest board of a later round does.
        """
        street = BOARD_STREETS[round_name]
        board_start, board_stop = (2 * count for count in STREET_CARDS[street])
        for line in board_lines:
            self.point_at(line)
            known_board = parse_cards(line.get("cards"))
            if known_board is None or len(known_board) < board_stop:
                self.keep_unknown(line)
            elif street != self.street:
                self.deal_board(street, known_board[board_start:board_stop])
        if street != self.street:
            self.point_at_tag(round_line.tag)
            self.begin_betting(street)
            community_lines = [
                line
                for other_round in self.round_lines
                for line in other_round.get_children("cards")
                if line.get("type") == "COMMUNITY"
            ]
            longest_board = max((parse_cards(line.get("cards")) or "" for line in community_lines), key=len, default="")
            self.add_inferred(
                BoardDealt(
                    street, longest_board[board_start:board_stop] or UNKNOWN_CARD * ((board_stop - board_start) // 2)
                )
            )

    def deal_hole_cards(self, seat: Seat, all_cards: Cards, *, is_owner: bool) -> None:
        """Deal a seat the cards that it had not been dealt. `all_cards` are those it has now."""
        is_owner = is_owner or self.game.variant in DRAW_VARIANTS
        self.has_own_cards = self.has_own_cards or is_owner
        if self.game.variant in STUD_VARIANTS:
            self.deal_stud_cards(seat, all_cards, is_owner=is_owner)
        elif seat not in self.hole_cards:
            self.add_event(HoleCardsDealt(seat, all_cards))
        elif self.game.variant in DRAW_VARIANTS:
            self.add_draw(seat, all_cards)
        self.hole_cards[seat] = all_cards

    def deal_stud_cards(self, seat: Seat, all_cards: Cards, *, is_owner: bool) -> None:
        """Deal the cards of a stud hand after those it had before."""
        previous_length = len(self.hole_cards.get(seat, ""))
        if new_cards := all_cards[previous_length:]:
            faces = _FACES[previous_length // 2 : len(all_cards) // 2].ljust(len(new_cards) // 2, "d")
            card_source = "owner" if is_owner else "dealt-up" if "u" in faces else "unknown"
            self.add_event(HoleCardsDealt(seat, new_cards, faces, card_source))  # type: ignore[arg-type]  # one of three

    def add_draw(self, seat: Seat, all_cards: Cards) -> None:
        """Add a draw. Each new card has the position of the card it replaces."""
        cards_by_position = zip(split_cards(self.hole_cards[seat]), split_cards(all_cards), strict=False)
        replaced_cards = [(old_card, new_card) for old_card, new_card in cards_by_position if old_card != new_card]
        discard_index = self.discard_indexes.get(seat, -1)
        discard = self.events[discard_index] if discard_index >= 0 else None
        if isinstance(discard, CardsDiscarded) and discard.count == len(replaced_cards):
            self.events[discard_index] = CardsDiscarded(
                seat, discard.count, "".join(old_card for old_card, _ in replaced_cards)
            )
        if replaced_cards:
            self.add_event(CardsDrawn(seat, "".join(new_card for _, new_card in replaced_cards)))

    def add_discard(self, seat: Seat, count: int) -> None:
        """Record how many cards a seat discards."""
        if count:
            self.discard_indexes[seat] = len(self.events)
        self.add_event(CardsDiscarded(seat, count) if count else StoodPat(seat))

    def show_or_muck(self, seat: Seat, default_event: Event) -> None:
        """Show or muck a seat's hand, whose cards come after the round's events."""
        line_of_seat = next(
            (line for line in self.pending_shows if self.find_chair_seat(line.get("player")) == seat), None
        )
        if line_of_seat is None:
            self.add_event(default_event)
            return
        self.pending_shows.remove(line_of_seat)
        if not self.read_part(line_of_seat.attributes, line_of_seat):
            self.keep_unknown(line_of_seat)

    def add_chat(self, line: TagNode) -> None:
        """Record a chat message."""
        name, words = line.get("player"), self.people.text(line.get("text")[:_MAX_CHAT_LENGTH])
        self.add_event(WordsSaid(words, self.seats.get(name), self.get_player_id(name) if name else ""))

    # -- posts and acts ---------------------------------------------------------------------------

    def make_up_blinds(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post missed blinds. Less than the big blind is dead, more than it includes a dead small blind."""
        if not self.big_blind or amount == self.big_blind:
            self.post_blind(seat, "makeup-big", amount)
        elif amount < self.big_blind:
            self.post_blind(seat, "makeup-small", 0, amount)
        else:
            self.post_both_blinds(seat, amount)

    def post_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the last chips as the next ante or blind that is due.

        If the amount is missing, `infer_unknown_post` takes it from the winners' sum.
        """
        seats_with_ante = {event.seat for event in self.events if isinstance(event, AntePosted)}
        if seats_with_ante and seat not in seats_with_ante:
            self.post_ante(seat, amount, all_in=True)
        elif (
            not self.small_blind_seat
            and not self.big_blind_seat
            and any(event_line.get("type") == "BIG_BLIND" for event_line in self.round_lines[0].get_children("event"))
        ):
            self.post_blind(seat, "small", amount, all_in=True)
        else:
            self.post_blind(seat, "entry" if self.big_blind_seat else "big", amount, all_in=True)
        if not amount:
            self.unknown_post = len(self.events) - 1

    def raise_by_file_date(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Raise to the street's total. Early files contain the chips added instead."""
        self.raise_to(seat, amount + (self.get_bet(seat) if self.raises_by_added_chips else 0))

    # -- the end ----------------------------------------------------------------------------------

    def award_pots(self) -> None:
        """Award the pots. A game without winners isn't over."""
        self.close_bets()
        self.infer_unknown_post()
        has_returned_bets = self.read_lines(
            [line for line in self.winner_lines if line.get("uncalled") == "true"], "uncalled"
        )
        self.read_lines([line for line in self.winner_lines if line.get("uncalled") != "true"], "winner")
        if not self.total_awarded and not has_returned_bets:
            return
        if not has_returned_bets:
            split_uncalled_awards(self, is_always_paid=True)
        self.infer_returns()
        self.place = self.hand_place
        infer_rake(self)
        self.add_event(HandCompleted())

    def infer_unknown_post(self) -> None:
        """Infer the amount of the one post that the file has as 0 from the chips missing in the pots.

        Only in tournaments, where the house takes nothing out of the pots.
        """
        if self.unknown_post < 0 or self.game.format != "tournament" or not self.winner_lines:
            return
        missing_chips = (
            sum(self.parse_chips(line.get("amount")) for line in self.winner_lines) - self.get_total_put_in()
        )
        blind_post = self.events[self.unknown_post]
        if missing_chips > 0 and isinstance(blind_post, BlindPosted):
            self.betting.move_chips(blind_post.seat, missing_chips)
            self.posted_chips[blind_post.seat] = self.posted_chips.get(blind_post.seat, 0) + missing_chips
            self.events[self.unknown_post] = BlindPosted(
                blind_post.seat, blind_post.role, missing_chips, 0, all_in=True
            )
            self.inferred.append(self.unknown_post)

    POSTS = (
        ("BLINDS.ANTE {amount}", acts.post_ante),
        ("BLINDS.SMALL_BLIND {amount}", acts.post_small_blind_once),
        ("BLINDS.BIG_BLIND {amount}", acts.post_big_blind_once),
        ("BLINDS.INITIAL_BLIND {amount}", acts.post_to_enter),
        ("BLINDS.RETURN_BLIND {amount}", make_up_blinds),
        ("BLINDS.ALL_IN {amount}", post_all_in),
        ("BLINDS.BRING_IN {amount}", acts.bring_in),
    )
    ACTIONS = (
        ("FOLD", acts.fold),
        ("CHECK", acts.check),
        ("CALL {amount}", acts.call),
        ("BET {amount}", acts.wager_by),
        ("RAISE {amount}", raise_by_file_date),
        ("COMPLETE {amount}", acts.raise_to),
        ("ALL_IN {amount}", acts.go_all_in_by),
        ("BRING_IN {amount}", acts.bring_in),
    )
    ROWS = (
        ("DRAW player={name} text={count}", add_discard),
        (
            "HOLE player={name} cards={cards}",
            lambda hand, seat, cards: hand.deal_hole_cards(seat, cards, is_owner=True),
        ),
        (
            "DRAW_DRAWN_CARDS player={name} cards={cards}",
            lambda hand, seat, cards: hand.deal_hole_cards(seat, cards, is_owner=False),
        ),
        ("SHOWN player={name} cards={cards}", lambda hand, seat, cards: hand.add_event(CardsShown(seat, cards))),
        ("MUCKED player={name} cards={cards}", lambda hand, seat, cards: hand.add_event(CardsMucked(seat, cards))),
        ("SHOW player={name}", lambda hand, seat: hand.show_or_muck(seat, CardsShown(seat, ""))),
        ("MUCK player={name}", lambda hand, seat: hand.show_or_muck(seat, CardsMucked(seat))),
        ("RABBIT text={cards}", lambda hand, cards: hand.add_event(RabbitShown(cards))),
        ("CHAT {words}", add_chat),
        ("GAME_CANCELLED", lambda hand: hand.add_event(HandVoided("cancelled"))),
        ("DISCONNECTED player={chair}", lambda hand, seat: hand.add_event(ConnectionLost(seat))),
        ("RECONNECTED player={chair}", lambda hand, seat: hand.add_event(ConnectionRestored(seat))),
        ("PLAYER_OUT player={name}", lambda hand, seat: hand.add_event(PlayerFinished(seat))),
        ("LEAVE player={name}", lambda hand, seat: hand.add_event(SeatLeft(seat, hand.player_in(seat)))),
        (
            "SIT_OUT player={name}",
            lambda hand, seat: hand.add_event(PlayerAway(seat, hand.player_in(seat), why="sits-out")),
        ),
        ("uncalled player={name} amount={amount}", XmlHand.return_uncalled),
        (
            "winner player={name} amount={amount} potnumber={potnumber} pottype={half?}",
            lambda hand, seat, amount, pot, half: hand.award(
                seat, amount, pot if pot >= 0 else None, half=HALVES.get(half, "")
            ),
        ),
    )


POST_TYPES: Final = frozenset(template.partition(" ")[0].removeprefix("BLINDS.") for template, _ in MergeHand.POSTS)
ACTING_TYPES: Final = POST_TYPES | {template.partition(" ")[0] for template, _ in MergeHand.ACTIONS} | {"DRAW"}
"""Types of events that only a player who is dealt in can cause."""


FORMAT: Final = build_xml_format(
    "merge",
    "Merge network XML",
    MergeHand,
    read_header,
    markup.build_sniffer(
        ('<game id="', "<description type="),
        ("<description type=", "numholecards=", "<players dealer=", '<round id="'),
        (0, 40, 70, 95, 98),
    ),
    "<game ",
    "<description",
    read_description,
)
