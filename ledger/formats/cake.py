"""Reader of Cake's text (Cake Poker, Doyle's Room and others; later Lock Poker, closed): no rake, amounts with commas.

`docs/formats/cake.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import ClassVar, Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.dealing import DealCompleted, HoleCardsLearned
from ledger.hand.ending import CardsMucked, PotAwarded, ResultDeclared, ShowdownBegun
from ledger.readers import acts, currencies, games, payouts
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import Pot, build_purchase_handler
from ledger.vocabulary import Cards, Chips, Seat, Witness

FIRST: Final = "Hand#"
_MARKS: Final = "\ufeff\xef\xbb\xbf \t\r"  # a byte order mark, also decoded as cp1252


def _parse_stakes(stakes_text: str) -> list[str]:
    """Return the stakes and the ante, or [] for `-1/-1/0`, as in the first hand at some tables."""
    stakes = [stake for stake in stakes_text.split("/") if not stake.startswith("-")]
    return stakes if any(stake.strip("0") for stake in stakes) else []


class CakeHand(HeadedHand):
    """Reads a hand with lines such as `Name: act $1,50`."""

    VENUE = "Cake"
    HEAD = HeadTemplates(
        FIRST + "{number} - {name} T{tournament} -- {_} -- {price} -- {chairs} -- Table {table} -- {what} -- {written}",
        FIRST + "{number} - {name} T{tournament} -- Table {table} -- {what} -- {written}",
        FIRST + "{number} - {table} -- {what} -- {written}",
        has_letters=True,
        max_digits=40,
    )
    WITNESSES = Witness.from_names("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS RETURNED_BETS BLIND_AMOUNTS")
    """The text lacks the rake, pots, the live part of a post, and who comes and goes."""
    NAME_ENDINGS = (":", "")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount} in chips){mark}",)
    POTS: ClassVar[Mapping[str, Pot]] = {"high": (None, "high"), "low": (None, "low")}

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read `$3/$6 FL Hold'em`, `0/75/150 NL Hold'em`. The first stack shows the currency."""
        words, tournament = fields["what"].split(), bool(fields["tournament"])
        limit_index = next((word_index for word_index, word in enumerate(words) if word in ("NL", "PL", "FL")), 0)
        variant = games.find_variant(" ".join(words[limit_index + 1 :]), cls.GAMES)
        if not limit_index or variant is None:
            raise games.unknown_game(fields["what"])
        betting, stakes_text = games.LIMITS[words[limit_index].lower()], "".join(words[:limit_index])
        seat = next((line for line in page.lines.text[page.first_line : page.end_line] if line.startswith("Seat ")), "")
        unit = currencies.find_currency(seat.partition(" in chips)")[0].rpartition(" (")[2])
        # The stacks may have no sign, or another: a table in euros may have stacks in dollars.
        is_other_currency = currencies.find_currency(stakes_text) not in ("", unit)
        stakes = [] if is_other_currency else _parse_stakes(stakes_text)
        if tournament:
            yield games.parse_costs(fields["price"], fields["name"])
        game = games.build_game_set(
            variant,
            betting,
            stakes[-2:],
            unit="chips" if tournament else unit or "play",
            exponent=page.exponent,
            tournament=tournament,
            ante=stakes[0] if len(stakes) > 2 else "",
            written=fields["what"] if is_other_currency else "",
        )
        yield replace(game, blinds=game.blinds + game.bets, bets=()) if tournament else game
        chairs_text = fields["chairs"] or fields["table"]  # `10 Max`, `Melbourne (Turbo, 6-max) 11667`
        fields["chairs"] = chairs_text.lower().rpartition("max")[0].rstrip(" -")[-2:].strip("( ,")

    def begin(self) -> None:
        """Start without showdowns."""
        self.mucked_seats: set[Seat] = set()
        self.showdowns: list[int] = []  # the index of each pot's first event at the showdown

    def clean_amount(self, text: str) -> str:
        """Clean `$0.25 (EUR €0.20)`, `2 477`."""
        return text.partition(" (")[0].replace(" ", "").replace("\xa0", "")

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read a seat's row; `DEALER` at its end marks the button."""
        super().take_seat_row(seat, row)
        if row["mark"].strip().endswith("DEALER"):
            self.button_and_line = seat, self.place

    def index_names(self) -> None:
        """Index the names, also with underscores for blanks, as lines about mucked hands write them."""
        super().index_names()
        for name in self.sort_names():
            underscored_name = name.replace(" ", "_")
            if " " in name and underscored_name not in self.seats:
                self.names_by_word[underscored_name + ":"] = [(underscored_name + ":", self.seats[name])]

    def read_dealt_cards(self, name: Seat, cards: Cards) -> None:
        """Deal the owner's cards, and end the deal."""
        self.add_own_cards(name, cards)
        self.add_event(DealCompleted())

    def begin_showdown(self) -> None:
        """Begin the showdown of a pot; each pot has its own heading."""
        self.close_bets()
        self.showdowns.append(len(self.events))
        if len(self.showdowns) == 1 and len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun())

    def read_show(self, seat: Seat, cards: Cards, claim: str) -> None:
        """Show a hand, perhaps after the pot was paid."""
        self.show_cards(seat, cards, claim, after=bool(self.total_awarded))

    def read_muck(self, seat: Seat, cards: Cards = "") -> None:
        """Muck a hand; after the award the room repeats it with the cards."""
        self.close_bets()
        if seat in self.mucked_seats:
            self.add_event(HoleCardsLearned(seat, cards))
        else:
            self.mucked_seats.add(seat)
            self.add_event(CardsMucked(seat, cards))

    def read_both_posts(self, name: Seat, dead_part: str, amount: Chips) -> None:
        """Read `posts dead blind $-0,10 and big blind $0,10`: a negative amount isn't a dead blind."""
        if "-" not in dead_part:
            acts.make_up_small_blind(self, name, self.parse_amount(dead_part), None)
        acts.make_up_big_blind(self, name, amount, None)

    def read_repeated_stack(self, name: Seat, seat: Seat, amount: Chips) -> bool:
        """Read a row of the list of seats that some texts repeat after a hand."""
        result = ResultDeclared("end-stack", seat, amount)
        is_repeated = bool(self.total_awarded) and name == seat
        if is_repeated and not any(isinstance(event, ResultDeclared) and event.seat == seat for event in self.events):
            self.add_event(result)
        return is_repeated and result in self.events

    def add_table_line(self) -> bool:
        """Keep the lines about the table after a hand."""
        if self.total_awarded:
            self.add_remark()
        return bool(self.total_awarded)

    def finish(self) -> None:
        """Assign the awards to pots and complete the hand, if it was paid."""
        if self.total_awarded:
            self.close_bets()
            self.number_side_pots()
            payouts.complete_paid_hand(self)

    def number_side_pots(self) -> None:
        """Assign awards to pots. The awards come showdown by showdown, with the main pot last."""
        ends = pairwise((*self.showdowns, len(self.events)))
        groups = [
            [event_index for event_index in range(*bounds) if isinstance(self.events[event_index], PotAwarded)]
            for bounds in ends
        ]
        paid_groups = [group for group in groups if group]
        for pot, indexes in enumerate(reversed(paid_groups if len(paid_groups) > 1 else [])):
            for event_index in indexes:
                self.events[event_index] = replace(self.events[event_index], pot=pot)

    SEAT_LIST_LINES = (("Dealer: Seat {seat}", PhraseHand.note_button),)
    ACTIONS = (
        *acts.COMMON_ACTIONS,
        ("raises to {amount}", acts.raise_to),
        ("is all in {amount}", acts.go_all_in_by),
        ("posts small blind {amount}", acts.post_small_blind),
        ("posts big blind {amount}", acts.post_big_blind),
        *build_rows(acts.post_dead_blind, "posts dead blind {amount}", "posts dead {amount}"),
        *build_rows(acts.post_ante, "posts ante of {amount}", "posts ante {amount}"),
        ("returns uncalled bet {amount}", acts.take_back_chips),
    )
    PLAYER_LINES = (
        ("shows {_}[{cards}]{claim}", read_show),
        *build_rows(read_muck, "mucks", "mucks {_}[{cards}]{_}"),
        *build_rows(
            PhraseHand.award_named_pot,
            "wins {pot} pot {amount} with{_}",
            "wins {pot} pot {amount}",
            "wins {amount} with{_}",
        ),
        ("wins {amount}", PhraseHand.award_named_pot),
        ("finished {rank} out of {_}", PhraseHand.finish_tournament),
        ("rebuys {amount} chips{_}", build_purchase_handler("rebuy")),
        ("chats: {words}", PhraseHand.say_words),
    )
    LINES = (
        ("*** {street} ***{_}[{cards}]{_}", PhraseHand.deal_new_cards),
        ("Dealt to {name} [{cards}]{_}", read_dealt_cards),
        ("***SHOW DOWN***{_}", begin_showdown),
        ("{name}:posts dead blind {dead_part} and big blind {amount}", read_both_posts),
        *build_rows(PhraseHand.add_remark, "Player left the table{_}", "Tournament: {_} bounty. {_}"),
        ("There is no low hand", PhraseHand.ignore_line),
        ("Seat {seat}: {name} ({amount} in chips)", read_repeated_stack),
        *build_rows(add_table_line, "Seat {_}: {_} in chips)", "Dealer: Seat {_}"),
    )


FORMAT: Final = build_room_format(
    CakeHand,
    "cake",
    "Cake text",
    FIRST,
    line_test=lambda line: line[5:6].isdigit() and " -- " in line,
    marks=_MARKS,
    has_odd_amounts=has_no_unusual_amounts,
)
