"""Reader of Poker Mavens' text: Seals with Clubs and private rooms with this software.

`docs/formats/mavens.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from ledger.event import Event
from ledger.hand.ending import HandCompleted, ShowdownBegun
from ledger.hand.opening import NotDealtIn
from ledger.readers import acts, games
from ledger.readers.hand import SEATS
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import Pot
from ledger.vocabulary import Cards, Seat, Witness

FIRST: Final = "Hand #"
ABSENCES: Final[dict[str, NotDealtIn]] = {
    "sitting out": "sitting-out",
    "waiting for big blind": "waiting-for-big-blind",
    "away": "away",
}
_SIDES: Final = ("", *(f" {number}" for number in range(1, SEATS)))


class MavensHand(HeadedHand):
    """Reads a hand with lines such as `Name act 5 (All-in)`, without a colon."""

    VENUE = "Poker Mavens"
    HEAD = HeadTemplates(
        FIRST + "{number} - {written}",
        later_lines=("Game: {game}", "Site: {room}", "Table: {table}"),
        ending="Seat ",
        needed_fields={"game": "its game"},
        max_digits=40,
        marks="-",
    )
    GAMES = games.FLOP | {"omaha5", "omaha5-8", "omaha6", "omaha6-8"}
    WITNESSES = Witness.from_names(
        "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS POTS DROP RETURNED_BETS BLIND_AMOUNTS CHIP_PURCHASES"
    )
    """The text lacks the live part of a post, the showdown's order, and who comes and goes during the hand."""
    clean_amount = PhraseHand.strip_brackets
    NAME_ENDINGS = ("",)
    ALL_IN = (" (All-in)", " (all-in)", " (All-In)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}) - {why}", "Seat {seat}: {name} ({amount})")
    POTS: ClassVar[Mapping[str, Pot]] = {
        "Pot": (None, ""),
        "Pot Hi": (None, "high"),
        "Pot Lo": (None, "low"),
        "Hi Pot": (None, "high"),
        "High Pot": (None, "high"),
        "Lo Pot": (None, "low"),
        "Low Pot": (None, "low"),
        "Main Pot": (0, ""),
        "Main Hi Pot": (0, "high"),
        "Main Pot Hi": (0, "high"),
        "Main Lo Pot": (0, "low"),
        "Main Pot Lo": (0, "low"),
        **{f"Side Pot{number}": (int(number or 1), "") for number in _SIDES},
        **{f"Side Pot{number} Hi": (int(number or 1), "high") for number in _SIDES},
        **{f"Side Pot{number} Lo": (int(number or 1), "low") for number in _SIDES},
    }

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read `NL Hold'em (40 - 200) - Blinds 50/100 - Ante 10`; a `(1000 + 100)` is a tournament's price."""
        text = fields["game"]
        name, bracket, text_after = text.partition(" (")
        price, closed, stakes = text_after.partition(")")
        if not bracket or not closed:
            name, _, stakes = text.partition(" - ")
        tournament = "+" in price and bool(closed)
        variant, betting = games.parse_game_with_limit(name, cls.GAMES, text)
        words = stakes.replace(" - ", " ").strip(" -").split()
        stakes_by_label = {label.rstrip(":"): value for label, value in zip(words[::2], words[1::2], strict=False)}
        if tournament:
            fields["tournament"], _, fields["table"] = fields["table"].rpartition(" - Table ")
            yield games.parse_costs(price, text)
        yield games.build_game_set(
            variant,
            betting,
            filter(None, (stakes_by_label.get("Stakes") or stakes_by_label.get("Blinds", "")).split("/")),
            unit="chips",
            exponent=page.exponent,
            tournament=tournament,
            ante=stakes_by_label.get("Ante", ""),
        )

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Seat 1: Ada (13.50) - waiting for big blind`."""
        super().take_seat_row(seat, row)
        if "why" in row:
            self.absence_reasons[seat] = ABSENCES.get(row["why"], "unknown")

    def read_pot_showdown(self, pot: Pot, cards: Cards = "") -> None:
        """Read `** Side Pot 1 Show Down ** [..]`: the first such line has the board."""
        del pot
        self.close_bets()
        if not any(isinstance(event, ShowdownBegun) for event in self.events):
            self.add_event(ShowdownBegun())
            if cards:
                self.declare_whole_board(cards)

    def read_show(self, seat: Seat, cards: Cards, claim: str) -> None:
        """Show a hand, even if no opponent is left."""
        self.show_cards(seat, cards, claim, after=len(self.stacks) - len(self.folded) < 2)

    def finish(self) -> None:
        """Settle the bets and complete the hand, if it was paid."""
        if self.total_awarded:
            self.leave_out_idle(self.absence_reasons)
            self.settle_bets()
            self.add_inferred(HandCompleted())

    ACTIONS = (
        *acts.COMMON_ACTIONS,
        ("raises to {amount}", acts.raise_to),
        ("posts small blind {amount}", acts.post_small_blind),
        ("posts big blind {amount}", acts.post_big_blind),
        *build_rows(acts.post_both_blinds, "posts small & big blind {amount}", "posts small and big blind {amount}"),
        *build_rows(acts.post_both_blinds, "posts small & big blinds {amount}", "posts both blinds {amount}"),
        *build_rows(acts.post_dead_blind, "posts dead small blind {amount}", "posts dead blind {amount}"),
        ("posts straddle {amount}", acts.post_straddle),
        ("posts ante {amount}", acts.post_ante),
        ("straddles {amount}", acts.post_straddle),
        ("refunded {amount}", acts.take_back_chips),
    )
    PLAYER_LINES = (
        ("shows {_}[{cards}]{claim}", read_show),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand"),
        *build_rows(PhraseHand.award_named_pot, "wins {pot} ({amount}){_}", "splits {pot} ({amount}){_}"),
        *build_rows(PhraseHand.top_up, "adds {amount} chips", "adds {amount} chip"),
        ("has timed out", PhraseHand.expire_clock),
    )
    LINES = (
        ("** Hole Cards **{_}", PhraseHand.finish_deal),
        ("** {street} ** [{cards}]", PhraseHand.deal_new_cards),
        *build_rows(read_pot_showdown, "** {pot} Show Down ** [{cards}]", "** {pot} Show Down **{_}"),
        ("Rake ({amount})", PhraseHand.take_rake),
        ("Dealt to {name} [{cards}]", PhraseHand.add_own_cards),
        ("{name} has the dealer button", PhraseHand.place_button),
    )


def has_number_and_day(line: str) -> bool:
    """Whether a number and a day follow the head: `Hand #9000016-110 - 2013-02-01 20:15:00`."""
    number, _, moment = line[len(FIRST) : 80].partition(" - ")
    return number.replace("-", "").isdigit() and moment[4:5] == "-" == moment[7:8] and moment[:4].isdigit()


FORMAT: Final = build_room_format(
    MavensHand, "mavens", "Poker Mavens text (Seals with Clubs and private rooms)", FIRST, line_test=has_number_and_day
)
