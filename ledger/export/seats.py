"""Write hands as a table for spreadsheets, with a row for each seat of each hand."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Final, cast

from ledger import safe
from ledger.clocks import format_moment
from ledger.event import Event
from ledger.export.player_names import name_positions
from ledger.hand.ending import CardsShown, ResultDeclared
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.hand.state import HandState
from ledger.people import People
from ledger.vocabulary import Cards, Chips, Seat, shown_decimals

COLUMNS: Final[dict[str, str]] = {
    "venue": "the room",
    "tournament": "the tournament's number, empty for cash games",
    "table": "the table",
    "hand": "the hand's number, as the room writes it",
    "started_utc": "when the hand began, ISO 8601",
    "game": "the game: `holdem`, `omaha8`, `stud`",
    "betting": "`no-limit`, `pot-limit`, `limit`, `spread`",
    "unit": "currency of the amounts, or chips",
    "small_blind": "the small blind of the game",
    "big_blind": "the big blind of the game",
    "ante": "the ante of the game",
    "seats_dealt": "how many were dealt in",
    "button": "the seat with the button",
    "board": "the cards in the middle, boards and runs with ` / ` between them",
    "pot": "all chips that were put in, less those that came back",
    "drop": "rake, jackpot and other chips that the house took",
    "seat": "the seat",
    "player": "who sat there",
    "position": "`SB`, `BB`, `UTG` ... `BTN`",
    "dealt_in": "`yes`, or why not",
    "stack": "chips before the hand",
    "posted": "antes, blinds and straddles",
    "put_in": "chips put in, posts among them, less what came back",
    "returned": "what came back because nobody called it",
    "won": "chips from the pot",
    "net": "won less put in, with what a sold hand brought",
    "end_stack": "chips after the hand, as they follow from the acts",
    "declared_end_stack": "the same as the record states it",
    "folded": "`yes` or `no`",
    "all_in": "`yes` or `no`",
    "cards": "the cards in the hand, as far as they are known",
    "shown": "the cards that were shown",
}
"""A column → its content. Amounts are decimals of the unit. An unknown value is empty, not 0."""


def write_header_line() -> str:
    """Return the line with the columns' names."""
    return ",".join(COLUMNS) + "\r\n"


def write_seat_rows(events: Sequence[Event], people: People) -> Iterator[str]:
    """Yield a line for each seat of a hand, dealt in or left out, in RFC 4180. No cell can be a formula."""
    seat_table = _SeatTable(events, people)
    seat_events: dict[Seat, SeatDealtIn | SeatLeftOut] = {
        **seat_table.hand_state.left_out,
        **seat_table.hand_state.dealt,
    }
    for _, event in sorted(seat_events.items()):
        yield write_csv_line([*seat_table.hand_columns(), *seat_table.seat_columns(event)])


def write_csv_line(cells: Iterable[str]) -> str:
    """Return cells as a line of CSV."""
    buffer = StringIO()
    csv.writer(buffer).writerow([cell if isinstance(cell, Number) else safe.csv_cell(cell) for cell in cells])
    return buffer.getvalue()


class Number(str):
    """A number that we format ourselves, so its minus sign can't begin a formula."""

    __slots__ = ()


def format_decimal(amount: Chips | None, exponent: int) -> Number:
    """Return an amount as a decimal number, or "" if it is unknown.

    >>> format_decimal(-1250, 2), format_decimal(5, 0)
    ('-12.50', '5')
    """
    if amount is None:
        return Number()
    decimals = shown_decimals(exponent)
    if not decimals:
        return Number(amount)
    units, fraction = divmod(abs(amount), 10**decimals)
    return Number(f"{'-' * (amount < 0)}{units}.{fraction:0{decimals}d}")


class _SeatTable:
    """The values that all seats of a hand share."""

    def __init__(self, events: Sequence[Event], people: People) -> None:
        self.people = people
        self.hand_state: HandState = fold(cast("Sequence[HandEvent]", events))
        self.exponent = self.hand_state.game.exponent if self.hand_state.game else 0
        self.position_names = name_positions(events)
        self.shown_cards: dict[Seat, Cards] = {}
        self.end_stacks: dict[Seat, Chips | None] = {}
        for event in events:
            if isinstance(event, CardsShown):
                self.shown_cards[event.seat] = event.cards
            elif isinstance(event, ResultDeclared) and event.what == "end-stack" and event.seat is not None:
                self.end_stacks[event.seat] = event.amount

    def hand_columns(self) -> list[str]:
        """Return the columns of the hand."""
        hand_state, hand_game, hand_opened = self.hand_state, self.hand_state.game, self.hand_state.opened
        blinds = hand_game.blinds if hand_game else ()
        small_blind, big_blind = (blinds[0], blinds[1]) if len(blinds) > 1 else (None, blinds[0] if blinds else None)
        return [
            hand_opened.venue if hand_opened else "",
            hand_opened.tournament if hand_opened else "",
            hand_opened.table if hand_opened else "",
            hand_opened.number if hand_opened else "",
            format_moment(hand_opened.started if hand_opened else None),
            hand_game.variant if hand_game else "",
            hand_game.betting if hand_game else "",
            hand_game.unit if hand_game else "",
            self._decimal_of(small_blind),
            self._decimal_of(big_blind),
            self._decimal_of(hand_game.ante if hand_game else None),
            str(len(hand_state.dealt)),
            str(hand_state.button) if hand_state.button is not None else "",
            " / ".join(" ".join(board) for board in hand_state.boards),
            self._decimal_of(hand_state.pot_size()),
            self._decimal_of(hand_state.chips.drop),
        ]

    def seat_columns(self, event: SeatDealtIn | SeatLeftOut) -> list[str]:
        """Return the columns of one seat."""
        hand_state, seat_number = self.hand_state, event.seat
        player_name = self.people.name(event.player) or f"player-{event.player[:6]}"
        if isinstance(event, SeatLeftOut):
            columns = [str(seat_number), player_name, "", event.reason, self._decimal_of(event.stack)]
            return columns + [""] * (len(COLUMNS) - len(self.hand_columns()) - len(columns))
        chips_put_in, chips_returned, chips_won = (
            hand_state.chips.put_in.get(seat_number, 0),
            hand_state.chips.returned.get(seat_number, 0),
            hand_state.chips.awarded.get(seat_number, 0),
        )
        chips_posted = sum(
            post.amount if hasattr(post, "amount") else post.live + post.dead
            for post in hand_state.posts
            if post.seat == seat_number
        )
        return [
            str(seat_number),
            player_name,
            self.position_names.get(event.player, ""),
            "yes",
            self._decimal_of(event.stack),
            self._decimal_of(chips_posted),
            self._decimal_of(chips_put_in),
            self._decimal_of(chips_returned),
            self._decimal_of(chips_won),
            self._decimal_of(chips_won - chips_put_in + hand_state.cash_outs.get(seat_number, 0)),
            self._decimal_of(hand_state.stack(seat_number)),
            self._decimal_of(self.end_stacks.get(seat_number)),
            _format_yes_or_no(seat_number not in hand_state.live),
            _format_yes_or_no(hand_state.is_all_in(seat_number)),
            " ".join(hand_state.hole_cards(seat_number)),
            _space_cards(self.shown_cards.get(seat_number, "")),
        ]

    def _decimal_of(self, amount: Chips | None) -> str:
        return format_decimal(amount, self.exponent)


def _format_yes_or_no(is_true: bool) -> str:
    return "yes" if is_true else "no"


def _space_cards(cards: Cards) -> str:
    return " ".join(cards[offset : offset + 2] for offset in range(0, len(cards), 2))
