"""Reader of Entraction's text (24hPoker, NoiQ and others, closed in 2012): columns of names, acts and amounts.

`docs/formats/entraction.md` has the table from line to event, and what the format can't record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.event import Event
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced, SeatDealtIn, TournamentSet
from ledger.readers import acts, games, timestamps
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_format import HandLines
from ledger.vocabulary import Cards, Chips, Millis, Seat, Witness

FIRST: Final = "Game # "
_BEFORE_ACTS: Final = (BlindPosted, AntePosted, ButtonPlaced, SeatDealtIn, HoleCardsDealt)


class EntractionHand(HeadedHand):
    """Reads a hand whose lines have a name, blanks, a word, and an amount in brackets."""

    VENUE = "Entraction"
    HEAD = HeadTemplates(
        'Game # {number} - {what} - Table "{table}"',
        'Game # {number} - {what} - Table "{table}',
        later_lines=("Players(max {chairs}){_}", "Players(max {_}"),
        max_digits=20,
    )
    GAMES = games.FLOP | {"omaha5", "omaha5-8"}
    WITNESSES = Witness.from_names(
        "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP RETURNED_BETS BLIND_AMOUNTS"
    )
    """The text lacks the live part of a post, the showdown's order, pots, and who comes and goes."""
    NAME_ENDINGS = ("",)
    SEAT_ROWS = ("{name}({amount} in seat {seat})",)

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read `Omaha High Pot Limit EUR 0.50/1`, `Texas Hold'em No Limit 200/400 and 20 ante`."""
        words, _, ante = fields["what"].partition(" and ")
        parts, table = words.split(), fields["table"].rsplit(" ", 2)  # `Cup #1 90000014 2`
        stakes = parts[-1].split("/") if parts else []
        currency = parts[-2] if len(parts) > 2 and parts[-2].isupper() and len(parts[-2]) == 3 else ""
        title = " ".join(parts[: -2 if currency else -1])
        variant, betting = games.parse_game_with_limit(title if len(stakes) == 2 else "", cls.GAMES, fields["what"])
        tournament = not currency and all(part.isascii() and part.isdigit() for part in table[-2:])
        if tournament:
            name, fields["tournament"], fields["table"] = ["", *table][-3:]
            yield TournamentSet(written=name)
        yield games.build_game_set(
            variant,
            betting,
            stakes,
            unit=currency or ("chips" if tournament else "play"),
            exponent=page.exponent,
            tournament=tournament,
            ante=ante.removesuffix(" ante"),
        )

    def clean_amount(self, text: str) -> str:
        """Clean `(1,209.76)`, `EUR 98.00`."""
        amount_text = text.strip("() ")
        return amount_text[3:].lstrip() if amount_text[3:4] == " " and amount_text[:3].isupper() else amount_text

    def read_cards(self, text: str) -> Cards | None:
        """Parse `2h - 2s - Ah`; return None if one of them isn't a card."""
        return super().read_cards(text.replace("-", " "))

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Ada       (€ 5.00 in seat 3)`."""
        self.deal_in(seat, row["name"].rstrip(), self.parse_amount(row["amount"].rpartition(" ")[2]))

    def read_blind_out_of_turn(self, name: Seat, amount: Chips) -> None:
        """Post a blind out of turn. A full big blind is live; the excess, or a smaller blind, is dead."""
        if self.big_blind and amount > self.big_blind:
            self.post_both_blinds(name, amount)
        elif amount < self.big_blind:
            self.post_blind(name, "makeup-small", 0, amount)
        else:
            self.post_blind(name, "entry", amount)

    def read_dealt_cards(self, who: str, cards: Cards) -> bool:
        """Read `hero was dealt:` if it names exactly one player, ignoring case."""
        matching_seats = [seat for name, seat in self.seats.items() if name.lower() == who.strip().lower()]
        if len(matching_seats) == 1:
            self.add_own_cards(matching_seats[0], cards)
        return len(matching_seats) == 1

    def read_hand_end(self, end_time: str) -> None:
        """Read `Game ended 2011-08-06 18:53:35 CEST`, the hand's only moment."""
        self.head["written"] = f"Game ended {end_time}"
        moment = self.find_start()
        if moment is not None:
            self.times[len(self.events)] = moment
        self.add_event(HandCompleted())

    def find_start(self) -> Millis | None:
        """Return when the hand ended."""
        return timestamps.parse_any_order(self.head.start_text.removeprefix("Game ended "), summer_named=True)

    def finish(self) -> None:
        """Infer the end of the deal, which has no line, after the posts."""
        last = max((index for index, event in enumerate(self.events) if isinstance(event, _BEFORE_ACTS)), default=0)
        if last:
            self.insert_event(last + 1, DealCompleted())
        if self.total_awarded:
            self.leave_out_silent()

    ACTIONS = (
        *acts.build_four_actions("Fold", "Check", "Call{amount}", "Bet{amount}"),
        ("Raise{amount}", acts.raise_by),
        ("All-In{amount}", acts.go_all_in_by),
        ("Ante{amount}", acts.post_ante),
        ("Payback{amount}", acts.take_back_chips),
    )
    PLAYER_LINES = (
        *build_rows(PhraseHand.decline_to_show, "didn't show hand", "didn't show hand ({cards})"),
        *build_rows(PhraseHand.show_cards, "shows:{cards}({claim})", "shows:{cards}"),
        *build_rows(PhraseHand.award_named_pot, "wins:{amount}({_}", "wins:{amount}"),
    )
    LINES = (
        ("Small Blind:{name}({amount})", lambda hand, name, amount: acts.post_small_blind(hand, name, amount, None)),
        ("Big Blind:{name}({amount})", lambda hand, name, amount: acts.post_big_blind(hand, name, amount, None)),
        ("Small + Big Blind:{name}({amount})", lambda hand, name, amount: hand.post_both_blinds(name, amount)),
        ("Blind out of turn:{name}({amount})", read_blind_out_of_turn),
        ("Dealer:{name}", PhraseHand.place_button),
        ("Rake:{amount}", PhraseHand.take_rake),
        ("{name} was dealt:{cards}", PhraseHand.add_own_cards),
        ("{who} was dealt:{cards}", read_dealt_cards),
        ("Game ended {end_time}", read_hand_end),
        ("{street} {cards}", PhraseHand.deal_last_card),
    )


FORMAT: Final = build_room_format(
    EntractionHand,
    "entraction",
    "Entraction text",
    FIRST,
    line_test=lambda line: line[7:8].isdigit() and ' - Table "' in line,
    has_odd_amounts=has_no_unusual_amounts,
)
