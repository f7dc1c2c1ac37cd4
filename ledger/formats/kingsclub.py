"""Reader of KingsClub's text: mixed games, end stacks in every summary, headings of stud one street too low.

`docs/formats/kingsclub.md` lists the event of each line, and the facts that the format lacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, DealCompleted, HoleCardsDealt, StoodPat, StreetDealt
from ledger.hand.ending import LineUnread, PotAwarded, RemarkNoted, ResultDeclared
from ledger.hand.opening import AntePosted, BlindPosted
from ledger.readers import acts, games, payouts, stud
from ledger.readers.cards import CARD_WORDS, map_unknown_cards, split_board
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.signatures import build_number_test
from ledger.readers.text_hand import build_conditional_handler
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness, split_cards

LIMITS: Final = ("No Limit ", "Pot Limit ", "Limit ")
DRAWMAHA: Final = "drawmaha-27"
"""Five cards and a board. Each seat may draw after the flop's betting; that draw is no street of its own."""
GAMES: Final = games.FLOP | stud.STUD_LIKE | stud.DRAWS | {"omaha5", "omaha5-8", DRAWMAHA}
NEXT_DRAW: Final[dict[Street, Street]] = {
    "preflop": "first-draw",
    "first-draw": "second-draw",
    "second-draw": "third-draw",
}
_DRAWING: Final = (StreetDealt, CardsDiscarded, CardsDrawn, StoodPat)
_SIDE_EVENTS: Final = (LineUnread, RemarkNoted, RunsAgreed)


class KingsClubHand(HeadedHand):
    """Reads a hand, with lines such as `Name: posts …` and `Name acts …`."""

    VENUE = "KingsClub"
    HEAD = HeadTemplates(
        "#{number}: {game} - {stakes}",
        "#{number}: {game}",
        later_lines=("{date}", "Table '{table}' Seat {button} is the button", "Table '{table}'"),
        max_digits=20,
    )
    GAMES, MONEY = GAMES, "chips"
    WITNESSES = Witness.from_names(
        "BUTTON POSTS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD AWARDS DROP BLIND_AMOUNTS DISCARDS"
    )
    """The text lacks returned bets, the live part of a post, the showdown's order, and who comes and goes."""
    CARDS: ClassVar = {**CARD_WORDS, **map_unknown_cards("X", "-")}
    clean_amount = PhraseHand.strip_brackets
    NAME_ENDINGS = (":", "")
    ALL_IN = (", and is all in", " and is all in")
    # In stud, the heading of a street comes after its betting: the lines that follow belong to the next street.
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {
        "1ST DRAW": "first-draw",
        "2ND DRAW": "second-draw",
        "3RD DRAW": "third-draw",
        "3RD STREET": "fourth",
        "4TH STREET": "fifth",
        "5TH STREET": "sixth",
        "6TH STREET": "seventh",
    }

    def begin(self) -> None:
        """Initialize the boards and the seats' cards."""
        self.boards: dict[int, Cards] = {}  # the cards of each board or run, by number
        self.has_runs = False  # whether the boards are runs: the second has no flop of its own
        self.cards_by_seat: dict[Seat, Cards] = {}  # the known cards of each seat

    def list_witnesses(self) -> int:
        """Return the facts that the text records. In stud it has no button and no blinds."""
        return (
            self.WITNESSES & ~int(Witness.BUTTON) & ~int(Witness.BLIND_AMOUNTS)
            if stud.is_stud(self)
            else self.WITNESSES
        )

    def ensure_draw_street(self) -> bool:
        """Infer the street of a draw that has no heading. Return False if the game has no draws."""
        if self.game.variant == DRAWMAHA:
            self.close_bets()
            return True
        if self.game.variant not in stud.DRAWS:
            return False
        last_event = next((event for event in reversed(self.events) if not isinstance(event, _SIDE_EVENTS)), None)
        if not isinstance(last_event, _DRAWING) and self.street in NEXT_DRAW:
            self.infer_street(NEXT_DRAW[self.street])
        return True

    def read_discards(self, seat: Seat, cards: Cards, groups: Sequence[Cards] = ()) -> None:
        """Read `discards [8d Ks] draws [Ac Qc]`; with two runs, the cards of the second come last."""
        self.add_event(CardsDiscarded(seat, len(cards) // 2, cards))
        if len(groups) > 1:
            self.agree_runs()
            drawn_text = self.lines.text[self.place].strip().rpartition(" draws ")[2]
            self.add_event(RemarkNoted(self.people.text(f"draws {drawn_text}")))  # no event holds a run's draw
        if groups:
            self.add_event(CardsDrawn(seat, groups[0]))
            discarded_cards = split_cards(cards)
            kept_cards = [card for card in split_cards(self.cards_by_seat.get(seat, "")) if card not in discarded_cards]
            self.cards_by_seat[seat] = "".join(kept_cards) + groups[0]

    def read_board(self, street: Street, groups: list[Cards], count: int = 0) -> bool:
        """Read `FLOP`, or `BOARD 2 - RIVER` with `[- - - Qd] [Jd]`: the complete board, where `-` is a shared card.

        `count` is the number of the board; 0 = the heading has none.
        """
        if count > 2:
            return False
        board_number = count or 1
        if count:
            self.has_runs = self.has_runs or (street != "flop" and 2 not in self.boards)
        cards = split_cards("".join(groups))
        cards_before = self.boards.get(board_number, self.boards.get(1, "") if self.has_runs else "")
        dealt_count = len(cards_before) // 2
        if self.has_runs and board_number == 2:
            dealt_count = next((index for index, card in enumerate(cards) if card != UNKNOWN_CARD), 0)
        for dealt_street, dealt_cards in split_board("".join(cards), dealt_count):
            if count and self.has_runs:
                self.deal_run_board(dealt_street, dealt_cards, board_number)
            else:
                self.deal_board(dealt_street, dealt_cards, board=board_number)
        self.boards[board_number] = "".join(cards)
        return True

    def read_dealt_cards(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada: [X X 4d]`, `Dealt to Ada: [Jc]`."""
        is_first_street = self.street in stud.FIRST_STREETS
        if stud.is_stud(self):
            self.betting.street = "third" if is_first_street else self.street
            stud.deal_street_cards(self, name, cards)
        else:
            are_hidden = cards.startswith(UNKNOWN_CARD)
            self.has_own_cards = self.has_own_cards or not are_hidden
            self.cards_by_seat[name] = cards
            if not are_hidden:
                self.add_event(HoleCardsDealt(name, cards))
        if is_first_street and not "".join(self.lines.text[self.place + 1 : self.place + 2]).startswith("Dealt to "):
            self.add_event(DealCompleted())

    def read_end_stack(self, seat: Seat, who: str, amount: Chips, net: Chips | None = None) -> bool:
        """Read `Seat 1: Ada (3,533) -0.50`: the end stack and the net result."""
        if self.names_by_seat.get(seat) != who:
            return False
        self.end_stacks[seat] = amount, self.place
        self.add_event(ResultDeclared("end-stack", seat, amount))
        if net is not None:
            self.declare_net(seat, net)
        return True

    def read_first_run_show(self, name: Seat, cards: Cards) -> None:
        """Read `Run 1: Ada shows [4c Ac 8c Qc]`."""
        if self.game.variant in stud.DRAWS:
            self.agree_runs()
        self.show_known_cards(name, cards)

    def read_second_run_show(self, name: Seat, cards: Cards) -> None:
        """Read `Run 2: Ada shows [4c Ac 8c Qs]`. Keep it as a remark: no event holds the cards of a second draw."""
        del name, cards
        self.agree_runs()
        self.add_remark()

    def finish(self) -> None:
        """Complete the hand, and infer uncalled bets: the text's awards and rake don't include them."""
        self.complete_hand()
        if self.total_awarded:
            self.infer_returns(self.total_awarded + self.total_drop)
            missing = self.total_awarded + self.total_drop - self.get_total_put_in()
            if missing and len(self.end_stacks) == len(self.stacks):
                self.infer_missing_chips(missing)

    def infer_missing_chips(self, missing: Chips) -> None:
        """Infer a dead small blind or further awards without a line, if the end stacks show them to the chip."""
        missing_by_seat = {
            seat: payouts.count_missing_chips(self, seat, end) for seat, (end, _) in self.end_stacks.items()
        }
        short_seats = {seat: chips for seat, chips in missing_by_seat.items() if chips}
        if list(short_seats.values()) == [missing] and missing == self.find_small_blind():
            (seat,) = short_seats
            self.infer_dead_small_blind(seat, missing)
        elif sum(short_seats.values()) == missing and max(short_seats.values()) < 0:
            self.infer_awards({seat: -chips for seat, chips in short_seats.items()})

    def find_small_blind(self) -> Chips:
        """Return the small blind of the game, or else the posted small blind; 0 if there is neither."""
        if self.game.blinds:
            return self.game.blinds[0]
        small_posts = (event for event in self.events if isinstance(event, BlindPosted) and event.role == "small")
        return next((post.live for post in small_posts), 0)

    def infer_dead_small_blind(self, seat: Seat, amount: Chips) -> None:
        """Infer a seat's dead small blind, after the last post of the hand."""
        post_indexes = [index for index, event in enumerate(self.events) if isinstance(event, AntePosted | BlindPosted)]
        if post_indexes:
            self.betting.move_chips(seat, amount)
            self.insert_and_shift(post_indexes[-1] + 1, BlindPosted(seat, "makeup-small", 0, amount))

    def infer_awards(self, amounts_by_seat: Mapping[Seat, Chips]) -> None:
        """Infer awards that have no line, before the end of the hand."""
        for seat, amount in amounts_by_seat.items():
            self.insert_and_shift(len(self.events) - bool(self.summary_line), PotAwarded(seat, amount))

    ACTIONS = (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls {amount}", acts.call_to),
        *build_rows(acts.bet_to, "bets {amount}", "completes to {amount}"),
        ("raises to {amount}", acts.raise_to),
        ("brings in for {amount}", acts.bring_in),
        ("posts ante {amount}", acts.post_ante),
        ("posts the small blind {amount}", acts.post_small_blind),
        ("posts the big blind {amount}", acts.post_big_blind),
        ("posts small blind {amount}", acts.post_small_blind),
        ("posts big blind {amount}", acts.post_big_blind),
        ("posts blind {amount}", acts.post_small_or_big_to_enter),
        *build_rows(acts.post_straddle, "posts the straddle {amount}", "posts straddle {amount}"),
    )
    PLAYER_LINES = (
        *build_rows(
            build_conditional_handler(ensure_draw_street, read_discards),
            "discards [{cards}] draws {groups}",
            "discards [{cards}]",
        ),
        *build_rows(
            build_conditional_handler(ensure_draw_street, acts.discard_cards),
            *(f"draws {{count}}{cards}" for cards in ("", " card", " cards")),
        ),
        ("stands pat", build_conditional_handler(ensure_draw_street, PhraseHand.stay_pat)),
        ("shows [{cards}]", PhraseHand.show_known_cards),
        *build_rows(PhraseHand.award_named_pot, "wins {pot} ({amount})", "wins ({amount}) from {pot}"),
    )
    LINES = (
        ("Dealt to {name}: [{cards}]", read_dealt_cards),
        ("*** HOLE CARDS ***{_}", PhraseHand.ignore_line),
        ("*** SUMMARY ***{_}", PhraseHand.start_summary),
        ("*** {_} BETTING ROUND ***{_}", PhraseHand.ignore_line),
        ("*** {hand_street} ***{_}", stud.begin_street),
        *build_rows(read_board, "*** BOARD {count} - {street} ***{groups}", "*** {street} ***{groups}"),
        *build_rows(read_end_stack, "Seat {seat}: {who} ({amount})", "Seat {seat}: {who} ({amount}) {net}"),
        ("Rake {amount}", PhraseHand.take_rake),
        ("Run 1: {name} shows [{cards}]", read_first_run_show),
        ("Run 2: {name} shows [{cards}]", read_second_run_show),
    )


FORMAT: Final = build_room_format(
    KingsClubHand,
    "kingsclub",
    "KingsClub text",
    "#",
    line_test=build_number_test(": ", *LIMITS),
    own_heads=(),
    words=tuple(f": {limit}" for limit in LIMITS),
)
