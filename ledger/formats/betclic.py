"""Reader of Betclic's text (its own client, since the end of 2024): a table of facts, then the hand.

`docs/formats/betclic.md` has the table from line to event, and what the format can't record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from ledger.event import Event
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import BountyWon, RemarkNoted
from ledger.readers import acts, amounts, games, presence, timestamps
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.hand import NO_PLACE
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.incomplete import unreadable_seat_row
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.text_format import HandLines
from ledger.vocabulary import Cards, Chips, Seat, Witness

FIRST: Final = "*** HEADER ***"
BEFORE_ACTS: Final = ("Posts", "Sits", "Disconnected", "Reconnected")
"""The words after a name in lines that may come before the first act."""
_DAY: Final = 86_400_000


class BetclicHand(HeadedHand):
    """Reads a hand with lines such as `14:09:13 - Name: Folds`; lines about cards and pots have no colon."""

    VENUE = "Betclic"
    HEAD = HeadTemplates(
        FIRST,
        later_lines=(
            "Site: {_}",
            "Game Mode: {mode}",
            "Game Type: {game}",
            "Tournament Type: {kind}",
            "Game Name: {name}",
            "Game ID: {tournament}",
            "Buy In: {price}",
            "Hand ID: {number}",
            "Date & Time: {written}",
            "Table ID: {table}",
            "Ante: {ante}",
            "Blinds: {stakes}",
            "Total Pot: {pot}",
            "Rake: {rake}",
            "Prize pool: {pool}",
            "Multiplier: {multiplier}",
        ),
        ending="*** ",
        needed_fields={"number": "its number"},
        has_letters=True,
        max_digits=40,
    )
    GAMES, PLAY_EXPONENT = games.FLOP | {"omaha5"}, 0
    WITNESSES = Witness.from_names(
        "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP TIMES BLIND_AMOUNTS CONNECTIONS PRESENCE"
    )
    """The text lacks returned bets and the live part of a post."""
    NAME_ENDINGS = (":", "")
    ALL_IN = (" and is all-in", " (all-in)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}) [{tags}]", "Seat {seat}: {name} ({amount})")

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read the game and a tournament's price. The text doesn't show which part of `5.00€` is the fee."""
        in_tournament, name = not fields["mode"].startswith("Cash"), fields["name"]
        fields.lines.setdefault("name", page.head_line)
        yield cls.build_game(fields, page.exponent, tournament=in_tournament)
        if in_tournament:
            facts = (name, fields["kind"], fields["multiplier"], fields["pool"])
            yield games.parse_costs(fields["price"], ", ".join(filter(None, facts)))
        elif name:
            yield RemarkNoted(page.people.text(name))
        fields["tournament"] = fields["tournament"] * in_tournament
        words = name.split(" ")
        seats = (previous_word for previous_word, word in pairwise(words) if word == "max")
        fields["chairs"] = "2" if "HU" in words else next(filter(parse_small_number, seats), "")

    def begin(self) -> None:
        """Start without cards and tags."""
        self.preflop = NO_PLACE  # the line that ends the deal
        self.tags: dict[str, Seat] = {}  # BTN, SB, BB, Hero → seat
        self.hidden: list[tuple[HoleCardsDealt, int]] | None = []  # hole cards held back until the end of the posts

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Seat 5: Ada (53994, €5.00 bounty) [BB Hero]`."""
        tags = row["tags"].split(" ") if "tags" in row else []
        stack, _, bounty = row["amount"].partition(", ")
        if not {"BTN", "SB", "BB", "Hero"}.issuperset(tags) or (bounty and not bounty.endswith(" bounty")):
            raise unreadable_seat_row(self.lines.text[self.place])
        worth = amounts.read_or_none(bounty.removesuffix(" bounty"), 2) if bounty else 0
        self.deal_in(seat, row["name"], self.parse_amount(stack), worth or 0)
        for tag in tags:
            self.tags.setdefault(tag, seat)
        if "BTN" in tags:
            self.note_button(seat)

    def iter_numbered_lines(self, first_line: int, end_line: int) -> Iterator[tuple[int, str]]:
        """Yield the lines without their time of day, which becomes the moment of their events, perhaps on the next day."""
        started = self.find_start()
        last_moment, midnight = started or 0, None if started is None else started - started % _DAY
        for line_number, line in super().iter_numbered_lines(first_line, end_line):
            clock_time = timestamps.parse_clock(line[:8]) if line[8:11] == " - " else None
            line_text, event_count = (line if clock_time is None else line[11:]), len(self.events)
            if self.hidden is not None and self.is_past_deal(line_text, timed=clock_time is not None):
                self.deal()
            yield line_number, line_text
            if clock_time is not None and midnight is not None:
                moment = midnight + clock_time
                last_moment = moment + _DAY * (moment < last_moment - _DAY // 2)
                for event_index in range(event_count, len(self.events)):
                    if self.event_places[event_index] == line_number:
                        self.times[event_index] = last_moment

    def is_past_deal(self, line: str, *, timed: bool) -> bool:
        """Whether the deal is over before a line: the line is an act, or a heading after the first betting."""
        if timed:
            return not any(text_after.startswith(BEFORE_ACTS) for _, text_after in self.find_named_seats(line))
        return line.startswith("*** ") and not line.startswith(("*** HOLE CARDS", "*** PRE-FLOP"))

    def read_hidden_cards(self, name: Seat, cards: Cards) -> bool:
        """Read `Ada: [Ah Th]`: the owner's cards, or other cards that the room showed after the hand."""
        if self.hidden is None or self.summary_line:
            return False
        is_owner = self.tags.get("Hero") == name
        self.has_own_cards = self.has_own_cards or is_owner
        self.hidden.append((HoleCardsDealt(name, cards, how="owner" if is_owner else "after"), self.place))
        return True

    def deal(self) -> None:
        """Add the hole cards and end the deal before the first act: the text shows the cards before the posts."""
        current_place, hidden_events, self.hidden = self.place, self.hidden or (), None
        for event, self.place in hidden_events:
            self.add_event(event)
        if self.preflop == NO_PLACE:
            self.inferred.append(len(self.events))
        self.place = self.preflop
        self.add_event(DealCompleted())
        self.place = current_place

    def begin_acts(self) -> None:
        """Read the heading after the deal."""
        self.preflop = self.place

    def read_small_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a small blind. From any seat but the small blind's it is dead."""
        has_small_blind_tag = self.tags.get("SB") == seat
        (acts.post_small_blind if has_small_blind_tag else acts.make_up_small_blind)(self, seat, amount, all_in)

    def read_big_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a big blind. From any seat but the big blind's it is an entry post."""
        has_big_blind_tag = self.tags.get("BB", seat) == seat
        (acts.post_first_big_blind if has_big_blind_tag else acts.post_to_enter)(self, seat, amount, all_in)

    def read_elimination(self, seat: Seat, prize: Chips, eliminated: str) -> None:
        """Read `wins €2.50 for eliminating Bo (x1), Ada own bounty increases …`."""
        name, _, grown = eliminated.partition(" (x")
        grows = "own bounty increases" in grown
        self.add_event(
            BountyWon(seat, prize, self.find_seat_by_name(name) or None, "progressive" if grows else "knockout")
        )
        if grown:
            self.add_event(
                RemarkNoted(self.people.text(self.lines.text[self.place].strip()[len(self.names_by_seat[seat]) + 1 :]))
            )

    def finish(self) -> None:
        """End the deal if no act did, settle the bets and complete the hand."""
        if self.hidden is not None:
            self.deal()
        self.event_places[0] = self.head.lines["number"]  # the line with the hand's number
        total, rake = (
            self.parse_amount(self.head[field_name]) if self.head[field_name] else None
            for field_name in ("pot", "rake")
        )
        if self.summary_line:
            self.leave_out_silent()
        # If all others fold, the pot is paid with the uncalled bet. At a showdown the bet was returned.
        self.infer_returns(self.total_awarded + (rake or 0) if self.total_awarded else total)
        for field, amount, add_amount in (("pot", total, self.declare_total_pot), ("rake", rake, self.take_rake)):
            if amount is not None:
                self.place = self.head.lines[field]
                add_amount(amount)
        self.complete_hand()

    SEAT_LIST_LINES = (("*** PLAYERS ***", PhraseHand.ignore_line),)
    ACTIONS = (
        *acts.build_four_actions("Folds", "Checks", "Calls {amount}", "Bets {amount}"),
        ("Raises to {amount}", acts.raise_to),
        ("Posts Ante {amount}", acts.post_ante),
        ("Posts SB {amount}", read_small_blind),
        ("Posts BB {amount}", read_big_blind),
        ("Posts Straddle {amount}", acts.post_straddle),
    )
    PLAYER_LINES = (
        ("Sits out", presence.sit_out),
        ("Sits in", presence.come_back),
        ("Disconnected", PhraseHand.lose_connection),
        ("Reconnected", PhraseHand.restore_connection),
        *build_rows(PhraseHand.show_cards, "shows [{cards}]{claim}", "Shows [{cards}]{claim}"),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand", "Mucks"),
        ("does not show", PhraseHand.decline_to_show),
        ("wins {rank} side pot of {amount}", lambda hand, seat, rank, amount: hand.award(seat, amount, rank)),
        ("wins {pot} of {amount}", PhraseHand.award_named_pot),
        ("wins {prize} for eliminating {eliminated}", read_elimination),
        *build_rows(PhraseHand.finish_tournament, "finished {rank} and wins {prize} EUR", "finished {rank}"),
    )
    LINES = (
        ("{name}: [{cards}]", read_hidden_cards),
        ("*** {street} *** [{cards}]", PhraseHand.deal_last_card),
        *build_rows(PhraseHand.ignore_line, "*** HOLE CARDS ***{_}", "------------{_}"),
        ("*** PRE-FLOP ***{_}", begin_acts),
        ("*** SHOWDOWN ***{_}", PhraseHand.begin_certain_showdown),
        ("*** SUMMARY ***{_}", PhraseHand.start_summary),
    )


FORMAT: Final = build_room_format(
    BetclicHand,
    "betclic",
    "Betclic text",
    FIRST,
    line_test=lambda line: line.strip("\ufeff \t\r") == FIRST,
    preface=("------------",),
    later_line="Hand ID: ",
    has_odd_amounts=has_no_unusual_amounts,
)
