"""Hands as a table for a spreadsheet: one row for each seat of each hand."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Final, cast

from ledger import safe
from ledger.clocks import moment
from ledger.event import Event
from ledger.export.naming import positions
from ledger.hand.ending import CardsShown, ResultDeclared
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.hand.state import HandState
from ledger.people import People
from ledger.vocabulary import Cards, Chips, Seat

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
"""Column → what stands in it. Amounts are decimals of the unit; what is not told is empty, which is not 0."""


def header() -> str:
    """Return the first line."""
    return ",".join(COLUMNS) + "\r\n"


def rows(events: Sequence[Event], people: People) -> Iterator[str]:
    """Yield a line for each seat of a hand, dealt in or left out, by seat. RFC 4180; no cell is a formula."""
    hand = _Hand(events, people)
    here: dict[Seat, SeatDealtIn | SeatLeftOut] = {**hand.state.left_out, **hand.state.dealt}
    for _, event in sorted(here.items()):
        yield line([*hand.columns(), *hand.seat(event)])


def line(cells: Iterable[str]) -> str:
    """Return cells as one line of a table."""
    out = StringIO()
    csv.writer(out).writerow([cell if isinstance(cell, Number) else safe.csv_cell(cell) for cell in cells])
    return out.getvalue()


class Number(str):
    """Digits of our own making: a minus before them is no formula."""

    __slots__ = ()


def decimal(amount: Chips | None, exponent: int) -> Number:
    """Return an amount as a decimal number, "" where it is not told.

    >>> decimal(-1250, 2), decimal(5, 0)
    ('-12.50', '5')
    """
    if amount is None:
        return Number()
    if not exponent:
        return Number(amount)
    whole, part = divmod(abs(amount), 10**exponent)
    return Number(f"{'-' * (amount < 0)}{whole}.{part:0{exponent}d}")


class _Hand:
    """What all seats of a hand share."""

    def __init__(self, events: Sequence[Event], people: People) -> None:
        self.people = people
        self.state: HandState = fold(cast("Sequence[HandEvent]", events))
        self.exponent = self.state.game.exponent if self.state.game else 0
        self.positions = positions(events)
        self.shown: dict[Seat, Cards] = {}
        self.ends: dict[Seat, Chips | None] = {}
        for event in events:
            if isinstance(event, CardsShown):
                self.shown[event.seat] = event.cards
            elif isinstance(event, ResultDeclared) and event.what == "end-stack" and event.seat is not None:
                self.ends[event.seat] = event.amount

    def columns(self) -> list[str]:
        """Return the columns of the hand."""
        state, game, opened = self.state, self.state.game, self.state.opened
        blinds = game.blinds if game else ()
        small, big = (blinds[0], blinds[1]) if len(blinds) > 1 else (None, blinds[0] if blinds else None)
        return [
            opened.venue if opened else "",
            opened.tournament if opened else "",
            opened.table if opened else "",
            opened.number if opened else "",
            moment(opened.started if opened else None),
            game.variant if game else "",
            game.betting if game else "",
            game.unit if game else "",
            self._money(small),
            self._money(big),
            self._money(game.ante if game else None),
            str(len(state.dealt)),
            str(state.button) if state.button is not None else "",
            " / ".join(" ".join(board) for board in state.boards),
            self._money(state.total_put()),
            self._money(state.chips.drop),
        ]

    def seat(self, event: SeatDealtIn | SeatLeftOut) -> list[str]:
        """Return the columns of one seat."""
        state, seat = self.state, event.seat
        name = self.people.name(event.player) or f"player-{event.player[:6]}"
        if isinstance(event, SeatLeftOut):
            out = [str(seat), name, "", event.reason, self._money(event.stack)]
            return out + [""] * (len(COLUMNS) - len(self.columns()) - len(out))
        put, back, won = (
            state.chips.put_in.get(seat, 0),
            state.chips.returned.get(seat, 0),
            state.chips.awarded.get(seat, 0),
        )
        posted = sum(
            post.amount if hasattr(post, "amount") else post.live + post.dead
            for post in state.posts
            if post.seat == seat
        )
        return [
            str(seat),
            name,
            self.positions.get(event.player, ""),
            "yes",
            self._money(event.stack),
            self._money(posted),
            self._money(put),
            self._money(back),
            self._money(won),
            self._money(won - put + state.cashed.get(seat, 0)),
            self._money(state.stack(seat)),
            self._money(self.ends.get(seat)),
            _yes(seat not in state.live),
            _yes(state.is_all_in(seat)),
            " ".join(state.hole(seat)),
            _spaced(self.shown.get(seat, "")),
        ]

    def _money(self, amount: Chips | None) -> str:
        return decimal(amount, self.exponent)


def _yes(told: bool) -> str:
    return "yes" if told else "no"


def _spaced(cards: Cards) -> str:
    return " ".join(cards[at : at + 2] for at in range(0, len(cards), 2))
