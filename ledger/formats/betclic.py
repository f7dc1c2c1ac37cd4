"""Betclic's text (its own client, since the end of 2024): a table of facts, then the hand.

`docs/formats/betclic.md` has the table from line to event, and what the format cannot say.
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
"""What follows a name in lines that stand before the first act."""
_DAY: Final = 86_400_000


class BetclicHand(HeadedHand):
    """The hand being read: `14:09:13 - Name: Folds`, and without colon where cards and pots are told."""

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
    """Not which bets went back, and not what of a post is live."""
    NAME_ENDINGS = (":", "")
    ALL_IN = (" and is all-in", " (all-in)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}) [{tags}]", "Seat {seat}: {name} ({amount})")

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read the game, and what a tournament costs: of `5.00€` nobody knows which part is the fee."""
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
        """Know of no cards and tags yet."""
        self.preflop = NO_PLACE  # the line that ends the deal
        self.tags: dict[str, Seat] = {}  # BTN, SB, BB, Hero → seat
        self.hidden: list[tuple[HoleCardsDealt, int]] | None = []  # cards, until the posts are made

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 5: Ada (53994, €5.00 bounty) [BB Hero]`."""
        tags = row["tags"].split(" ") if "tags" in row else []
        stack, _, bounty = row["amount"].partition(", ")
        if not {"BTN", "SB", "BB", "Hero"}.issuperset(tags) or (bounty and not bounty.endswith(" bounty")):
            raise unreadable_seat_row(self.lines.text[self.place])
        worth = amounts.read_or_none(bounty.removesuffix(" bounty"), 2) if bounty else 0
        self.deal_in(seat, row["name"], self.amount(stack), worth or 0)
        for tag in tags:
            self.tags.setdefault(tag, seat)
        if "BTN" in tags:
            self.note_button(seat)

    def numbered_lines(self, first_line: int, end_line: int) -> Iterator[tuple[int, str]]:
        """Yield the lines, acts without the time of day, which is that of what they tell: perhaps of the next day."""
        started = self.moment()
        last_moment, midnight = started or 0, None if started is None else started - started % _DAY
        for line_number, line in super().numbered_lines(first_line, end_line):
            clock_time = timestamps.parse_clock(line[:8]) if line[8:11] == " - " else None
            line_text, event_count = (line if clock_time is None else line[11:]), len(self.events)
            if self.hidden is not None and self.ends_deal(line_text, timed=clock_time is not None):
                self.deal()
            yield line_number, line_text
            if clock_time is not None and midnight is not None:
                moment = midnight + clock_time
                last_moment = moment + _DAY * (moment < last_moment - _DAY // 2)
                for event_index in range(event_count, len(self.events)):
                    if self.event_places[event_index] == line_number:
                        self.times[event_index] = last_moment

    def ends_deal(self, line: str, *, timed: bool) -> bool:
        """Tell whether the deal is over before a line: it is an act, or a heading behind the first betting."""
        if timed:
            return not any(text_after.startswith(BEFORE_ACTS) for _, text_after in self.named_seats(line))
        return line.startswith("*** ") and not line.startswith(("*** HOLE CARDS", "*** PRE-FLOP"))

    def hides(self, name: Seat, cards: Cards) -> bool:
        """Read `Ada: [Ah Th]`: the owner's cards, and others that the room showed when all was over."""
        if self.hidden is None or self.summary_line:
            return False
        is_owner = self.tags.get("Hero") == name
        self.has_own_cards = self.has_own_cards or is_owner
        self.hidden.append((HoleCardsDealt(name, cards, how="owner" if is_owner else "after"), self.place))
        return True

    def deal(self) -> None:
        """End the deal before the first act: the text tells the cards before the posts."""
        current_place, hidden_events, self.hidden = self.place, self.hidden or (), None
        for event, self.place in hidden_events:
            self.add_event(event)
        if self.preflop == NO_PLACE:
            self.inferred.append(len(self.events))
        self.place = self.preflop
        self.add_event(DealCompleted())
        self.place = current_place

    def acts_begin(self) -> None:
        """Read the heading after the deal."""
        self.preflop = self.place

    def small(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell a small blind; of somebody in another seat than the small blind's it is dead."""
        has_small_blind_tag = self.tags.get("SB") == seat
        (acts.post_small_blind if has_small_blind_tag else acts.make_up_small_blind)(self, seat, amount, all_in)

    def posts_big(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell a big blind; in another seat than the big blind's it is the post of somebody who comes in."""
        has_big_blind_tag = self.tags.get("BB", seat) == seat
        (acts.post_first_big_blind if has_big_blind_tag else acts.post_to_enter)(self, seat, amount, all_in)

    def eliminates(self, seat: Seat, prize: Chips, eliminated: str) -> None:
        """Read `wins €2.50 for eliminating Bo (x1), Ada own bounty increases …`."""
        name, _, grown = eliminated.partition(" (x")
        grows = "own bounty increases" in grown
        self.add_event(BountyWon(seat, prize, self.seat_of(name) or None, "progressive" if grows else "knockout"))
        if grown:
            self.add_event(
                RemarkNoted(self.people.text(self.lines.text[self.place].strip()[len(self.names_by_seat[seat]) + 1 :]))
            )

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        if self.hidden is not None:
            self.deal()
        self.event_places[0] = self.head.lines["number"]  # it tells which hand it is
        total, rake = (
            self.amount(self.head[field_name]) if self.head[field_name] else None for field_name in ("pot", "rake")
        )
        if self.summary_line:
            self.leave_out_silent()
        # A pot that everybody else folds to is paid with the bet that nobody called; at a showdown it went back.
        self.infer_returns(self.total_awarded + (rake or 0) if self.total_awarded else total)
        for field, amount, tell in (("pot", total, self.total_pot), ("rake", rake, self.rake)):
            if amount is not None:
                self.place = self.head.lines[field]
                tell(amount)
        self.complete_hand()

    SEAT_LIST_LINES = (("*** PLAYERS ***", PhraseHand.ignores),)
    ACTIONS = (
        *acts.build_four_actions("Folds", "Checks", "Calls {amount}", "Bets {amount}"),
        ("Raises to {amount}", acts.raise_to),
        ("Posts Ante {amount}", acts.post_ante),
        ("Posts SB {amount}", small),
        ("Posts BB {amount}", posts_big),
        ("Posts Straddle {amount}", acts.post_straddle),
    )
    PLAYER_LINES = (
        ("Sits out", presence.sit_out),
        ("Sits in", presence.come_back),
        ("Disconnected", PhraseHand.disconnects),
        ("Reconnected", PhraseHand.reconnects),
        *build_rows(PhraseHand.shows, "shows [{cards}]{claim}", "Shows [{cards}]{claim}"),
        *build_rows(PhraseHand.mucks, "mucks", "mucks hand", "Mucks"),
        ("does not show", PhraseHand.declines),
        ("wins {rank} side pot of {amount}", lambda hand, seat, rank, amount: hand.award(seat, amount, rank)),
        ("wins {pot} of {amount}", PhraseHand.awards_pot),
        ("wins {prize} for eliminating {eliminated}", eliminates),
        *build_rows(PhraseHand.finishes, "finished {rank} and wins {prize} EUR", "finished {rank}"),
    )
    LINES = (
        ("{name}: [{cards}]", hides),
        ("*** {street} *** [{cards}]", PhraseHand.last_card),
        *build_rows(PhraseHand.ignores, "*** HOLE CARDS ***{_}", "------------{_}"),
        ("*** PRE-FLOP ***{_}", acts_begin),
        ("*** SHOWDOWN ***{_}", PhraseHand.all_show),
        ("*** SUMMARY ***{_}", PhraseHand.starts_summary),
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
