"""KingsClub's text: mixed games, end stacks in every summary, streets of stud named one too low.

`docs/formats/kingsclub.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, DealCompleted, HoleCardsDealt, StoodPat, StreetDealt
from ledger.hand.ending import LineUnread, PotAwarded, RemarkNoted, ResultDeclared
from ledger.hand.opening import AntePosted, BlindPosted
from ledger.readers import acts, games, payouts, stud
from ledger.readers.cards import CARD_WORDS, streets_of, unknown_card_words
from ledger.readers.headed_hand import HeadedHand, room_format
from ledger.readers.heads import HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import rows_read_by
from ledger.readers.signatures import has_number_before
from ledger.readers.text_hand import handler_if
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness, split_cards

LIMITS: Final = ("No Limit ", "Pot Limit ", "Limit ")
DRAWMAHA: Final = "drawmaha-27"
"""Five cards and a board; each seat may change cards behind the flop's betting, with which no street begins."""
GAMES: Final = games.FLOP | stud.STUD_LIKE | stud.DRAWS | {"omaha5", "omaha5-8", DRAWMAHA}
NEXT_DRAW: Final[dict[Street, Street]] = {
    "preflop": "first-draw",
    "first-draw": "second-draw",
    "second-draw": "third-draw",
}
_DRAWING: Final = (StreetDealt, CardsDiscarded, CardsDrawn, StoodPat)
_SIDE_EVENTS: Final = (LineUnread, RemarkNoted, RunsAgreed)


class KingsClubHand(HeadedHand):
    """The hand being read: `Name: posts …`, `Name acts …`."""

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
    """No returned bets, not what of a post is live, no order of the showdown, nobody's coming and going."""
    CARDS: ClassVar = {**CARD_WORDS, **unknown_card_words("X", "-")}
    clean_amount = PhraseHand.strip_brackets
    NAME_ENDINGS = (":", "")
    ALL_IN = (", and is all in", " and is all in")
    # In stud the heading stands behind the betting of the street that it names: what follows is the next one's.
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
        """Know of no board yet."""
        self.boards: dict[int, Cards] = {}  # what each board or run has, by number
        self.runs = False  # several boards are runs of one: those of which no second flop was told
        self.cards_by_seat: dict[Seat, Cards] = {}  # what is known of a seat's cards

    def witnesses(self) -> int:
        """Return what the text of this hand records: of stud neither button nor blinds."""
        return (
            self.WITNESSES & ~int(Witness.BUTTON) & ~int(Witness.BLIND_AMOUNTS)
            if stud.is_stud(self)
            else self.WITNESSES
        )

    def draw_begins(self) -> bool:
        """Infer that a draw began, where no heading says it and the last thing told is no draw."""
        if self.game.variant == DRAWMAHA:
            self.close_bets()
            return True
        if self.game.variant not in stud.DRAWS:
            return False
        last = next((event for event in reversed(self.events) if not isinstance(event, _SIDE_EVENTS)), None)
        if not isinstance(last, _DRAWING) and self.street in NEXT_DRAW:
            self.infer_street(NEXT_DRAW[self.street])
        return True

    def discards(self, seat: Seat, cards: Cards, groups: Sequence[Cards] = ()) -> None:
        """Read `discards [8d Ks] draws [Ac Qc]`; of two runs the second one's cards come last."""
        self.add_event(CardsDiscarded(seat, len(cards) // 2, cards))
        if len(groups) > 1:
            self.agree_runs()
            drawn_text = self.lines.text[self.place].strip().rpartition(" draws ")[2]
            self.add_event(RemarkNoted(self.people.text(f"draws {drawn_text}")))  # no event holds a run's draw
        if groups:
            self.add_event(CardsDrawn(seat, groups[0]))
            thrown_cards = split_cards(cards)
            kept_cards = [card for card in split_cards(self.cards_by_seat.get(seat, "")) if card not in thrown_cards]
            self.cards_by_seat[seat] = "".join(kept_cards) + groups[0]

    def deals_board(self, street: Street, groups: list[Cards], count: int = 0) -> bool:
        """Read `FLOP`, `BOARD 2 - RIVER` with `[- - - Qd] [Jd]`: the whole board, `-` is shared."""
        if count > 2:
            return False
        run = count or 1
        if count:
            self.runs = self.runs or (street != "flop" and 2 not in self.boards)
        cards = split_cards("".join(groups))
        cards_before = self.boards.get(run, self.boards.get(1, "") if self.runs else "")
        cards_dealt = len(cards_before) // 2
        if self.runs and run == 2:
            cards_dealt = next((index for index, card in enumerate(cards) if card != UNKNOWN_CARD), 0)
        for part, new in streets_of("".join(cards), cards_dealt):
            if count and self.runs:
                self.board_of_run(part, new, run)
            else:
                self.deal_board(part, new, board=run)
        self.boards[run] = "".join(cards)
        return True

    def deals(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada: [X X 4d]`, `Dealt to Ada: [Jc]`."""
        first = self.street in stud.FIRST_STREETS
        if stud.is_stud(self):
            self.betting.street = "third" if first else self.street
            stud.deals(self, name, cards)
        else:
            hidden = cards.startswith(UNKNOWN_CARD)
            self.has_own_cards = self.has_own_cards or not hidden
            self.cards_by_seat[name] = cards
            if not hidden:
                self.add_event(HoleCardsDealt(name, cards))
        if first and not "".join(self.lines.text[self.place + 1 : self.place + 2]).startswith("Dealt to "):
            self.add_event(DealCompleted())

    def ends_with(self, seat: Seat, who: str, amount: Chips, net: Chips | None = None) -> bool:
        """Read `Seat 1: Ada (3,533) -0.50`: the stack at the end, and what was won."""
        if self.names_by_seat.get(seat) != who:
            return False
        self.end_stacks[seat] = amount, self.place
        self.add_event(ResultDeclared("end-stack", seat, amount))
        if net is not None:
            self.declares_net(seat, net)
        return True

    def shows_for_run(self, name: Seat, cards: Cards) -> None:
        """Read `Run 1: Ada shows [4c Ac 8c Qc]`."""
        if self.game.variant in stud.DRAWS:
            self.agree_runs()
        self.shows_known(name, cards)

    def shows_for_second(self, name: Seat, cards: Cards) -> None:
        """Read `Run 2: Ada shows [4c Ac 8c Qs]`: no event holds the cards of a seat's second draw, so its words are kept."""
        del name, cards
        self.agree_runs()
        self.add_remark()

    def finish(self) -> None:
        """Infer the bets that nobody called: awards and rake are told without them."""
        self.complete_hand()
        if self.total_awarded:
            self.infer_returns(self.total_awarded + self.total_drop)
            missing = self.total_awarded + self.total_drop - self.total_put_in()
            if missing and len(self.end_stacks) == len(self.stacks):
                self.infer_missing_chips(missing)

    def infer_missing_chips(self, missing: Chips) -> None:
        """Infer a dead small blind, or who won further pots, of which no line tells: where the end stacks show it to the chip."""
        missing_by_seat = {seat: payouts.missing_chips(self, seat, end) for seat, (end, _) in self.end_stacks.items()}
        short_seats = {seat: chips for seat, chips in missing_by_seat.items() if chips}
        blinds = [
            (index, event) for index, event in enumerate(self.events) if isinstance(event, AntePosted | BlindPosted)
        ]
        small = next((event.live for _, event in blinds if isinstance(event, BlindPosted) and event.role == "small"), 0)
        if missing == (self.game.blinds[0] if self.game.blinds else small) and list(short_seats.values()) == [missing]:
            (seat,) = short_seats
            self.betting.move_chips(seat, missing)
            self.insert_and_shift(blinds[-1][0] + 1, BlindPosted(seat, "makeup-small", 0, missing))
        elif sum(short_seats.values()) == missing and max(short_seats.values()) < 0:
            for seat, won in short_seats.items():
                self.insert_and_shift(len(self.events) - bool(self.summary_line), PotAwarded(seat, -won))

    ACTIONS = (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount}", acts.calls_to),
        *rows_read_by(acts.bets_to, "bets {amount}", "completes to {amount}"),
        ("raises to {amount}", acts.raises_to),
        ("brings in for {amount}", acts.brings_in),
        ("posts ante {amount}", acts.antes),
        ("posts the small blind {amount}", acts.small_blind),
        ("posts the big blind {amount}", acts.big_blind),
        ("posts small blind {amount}", acts.small_blind),
        ("posts big blind {amount}", acts.big_blind),
        ("posts blind {amount}", acts.enters_small_or_big),
        *rows_read_by(acts.straddles, "posts the straddle {amount}", "posts straddle {amount}"),
    )
    PLAYER_LINES = (
        *rows_read_by(handler_if(draw_begins, discards), "discards [{cards}] draws {groups}", "discards [{cards}]"),
        *rows_read_by(
            handler_if(draw_begins, acts.discards_count),
            *(f"draws {{count}}{cards}" for cards in ("", " card", " cards")),
        ),
        ("stands pat", handler_if(draw_begins, PhraseHand.stays_pat)),
        ("shows [{cards}]", PhraseHand.shows_known),
        *rows_read_by(PhraseHand.awards_pot, "wins {pot} ({amount})", "wins ({amount}) from {pot}"),
    )
    LINES = (
        ("Dealt to {name}: [{cards}]", deals),
        ("*** HOLE CARDS ***{_}", PhraseHand.ignores),
        ("*** SUMMARY ***{_}", PhraseHand.starts_summary),
        ("*** {_} BETTING ROUND ***{_}", PhraseHand.ignores),
        ("*** {hand_street} ***{_}", stud.begins_street),
        *rows_read_by(deals_board, "*** BOARD {count} - {street} ***{groups}", "*** {street} ***{groups}"),
        *rows_read_by(ends_with, "Seat {seat}: {who} ({amount})", "Seat {seat}: {who} ({amount}) {net}"),
        ("Rake {amount}", PhraseHand.rake),
        ("Run 1: {name} shows [{cards}]", shows_for_run),
        ("Run 2: {name} shows [{cards}]", shows_for_second),
    )


FORMAT: Final = room_format(
    KingsClubHand,
    "kingsclub",
    "KingsClub text",
    "#",
    line_test=has_number_before(": ", *LIMITS),
    own_heads=(),
    words=tuple(f": {limit}" for limit in LIMITS),
)
