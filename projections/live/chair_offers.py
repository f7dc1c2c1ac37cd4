"""Offer what can be recorded of each chair: who sits down, leaves, comes back, adds chips or changes seats."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.text.language import phrase
from ledger.vocabulary import in_units
from projections.amount_text import amount
from projections.live.entry_picks import EntryPicks
from projections.live.game_facts import find_blinds
from projections.live.seat_events import list_seat_events
from projections.live.table_offers import DEFAULT_CHAIR_COUNT, ChairSheet, Offer, OfferReason, Preset, quote_grounds

if TYPE_CHECKING:
    from ledger.recording.recorder import Recorder
    from ledger.table.state import SeatState, TableState
    from ledger.vocabulary import Chips, Seat
    from projections.live.live_table import LiveTable
    from projections.obligations.dues import Due, SeatDue

_BUY_INS: Final = (40, 60, 100, 200)
"""Usual buy-ins, in big blinds."""
_MAX_KNOWN_PLAYERS: Final = 30


def list_chairs(recorder: Recorder, live_table: LiveTable) -> list[ChairSheet]:
    """Return every chair of a table with its offers."""
    return _ChairSheets(recorder, live_table).build()


class _ChairSheets:
    """The chairs of one table, as they are now."""

    def __init__(self, recorder: Recorder, live_table: LiveTable) -> None:
        self._recorder, self._live_table, self._settings = recorder, live_table, recorder.settings
        self._state: TableState = live_table.state
        self._book = live_table.books[0] if live_table.books else None
        self._due: Due | None = None
        if self._book is not None and not recorder.running:
            self._due = live_table.find_due(self._book)
        self._big_blind = find_usual_big_blind(recorder)
        self._seats = _find_present_seats(self._state, recorder)
        last_chair = max((*self._seats, *recorder.state.dealt, self._settings.seats or DEFAULT_CHAIR_COUNT))
        self._chairs = range(1, last_chair + 1)

    @cached_property
    def _known_names(self) -> set[str]:
        """The names in this room that begin like the names we make for newcomers."""
        beginning = phrase("Player {number}", number="")
        return self._recorder.ledger.people.find_names(self._settings.venue, beginning)

    def build(self) -> list[ChairSheet]:
        return [self._build_sheet(chair) for chair in self._chairs]

    def _build_sheet(self, chair: Seat) -> ChairSheet:
        player = self._seats.get(chair)
        if player is None and chair not in self._recorder.state.dealt:
            return ChairSheet(
                seat=chair, offers=[self._offer_seat(chair)], new_player=make_player_name(chair, self._known_names)
            )
        if player is None:  # left in this hand
            return ChairSheet(seat=chair, offers=list_seat_events(self._recorder, self._live_table, chair))
        seat_due = None if self._due is None else self._due.seat(chair)
        sheet = ChairSheet(
            seat=chair,
            player=self._recorder.ledger.people.name(player) or "",
            owes=self._describe_debt(seat_due),
            reasons=self._list_reasons(seat_due),
        )
        events = list_seat_events(self._recorder, self._live_table, chair) if self._recorder.running else []
        sheet.offers = [*events, *self._iter_presence_offers(chair)]
        return sheet

    def _offer_seat(self, chair: Seat) -> Offer:
        return Offer(
            name="sit",
            label=phrase("Sits down"),
            line=f"{chair} sits {{who}} walk-in stack {{chips}}",
            needs=["who", "chips"],
            presets=self._list_buy_ins(),
        )

    def _iter_presence_offers(self, chair: Seat) -> Iterator[Offer]:
        """Yield what a seated player can do, now or once the hand is over."""
        seat_state = self._state.seats.get(chair)
        is_away = is_seat_away(self._recorder, seat_state, chair)
        if is_away:
            yield Offer(name="back", label=phrase("Is back"), line=f"{chair} back")
        has_cards = chair in self._recorder.state.live and self._recorder.running
        if not has_cards:
            yield from self._iter_chip_offers(chair, seat_state)
        if not is_away:
            yield Offer(name="away", label=phrase("Away"), line=f"{chair} away", note=self._note_next_hand())
        if not self._recorder.running and chair in self._seats:
            free_chairs = [number for number in self._chairs if number not in self._seats]
            if free_chairs:
                yield Offer(
                    name="move",
                    label=phrase("Changes seats"),
                    line=f"moved {self._recorder.lines.player(self._seats[chair])} from {chair} to {{chair}}",
                    needs=["chair"],
                    chairs=free_chairs,
                )
        if not has_cards:
            yield self._offer_leaving(chair, seat_state)

    def _offer_leaving(self, chair: Seat, seat_state: SeatState | None) -> Offer:
        is_broke = seat_state is not None and seat_state.stack == 0 and not self._recorder.running
        player, reason = self._recorder.lines.player(self._seats[chair]), "busted" if is_broke else "left"
        return Offer(name="leave", label=phrase("Leaves"), line=f"{chair} leaves {player} {reason}")

    def _iter_chip_offers(self, chair: Seat, seat_state: SeatState | None) -> Iterator[Offer]:
        is_broke = seat_state is not None and seat_state.stack == 0
        kind = "rebuy" if is_broke else "top-up"
        yield Offer(
            name="add",
            label=phrase("Rebuys") if is_broke else phrase("Adds chips"),
            line=f"{chair} adds {{chips}} {kind}",
            needs=["chips"],
            presets=self._list_buy_ins(),
            note=self._note_next_hand(),
        )
        if self._recorder.running:
            return
        if seat_state is not None and seat_state.stack != 0:
            yield Offer(
                name="remove",
                label=phrase("Takes chips off"),
                line=f"{chair} removes {{chips}} cash-out",
                needs=["chips"],
            )
        stack = None if seat_state is None else seat_state.stack
        yield Offer(
            name="count",
            label=phrase("Stack counted"),
            line=f"{chair} counted {{chips}}",
            needs=["chips"],
            presets=[] if stack is None else [self._make_preset(stack)],
        )
        yield from self._iter_button_offers(chair)

    def _iter_button_offers(self, chair: Seat) -> Iterator[Offer]:
        """Yield that a player buys the button, if the book lets it on the next hand."""
        seat_due = None if self._due is None else self._due.seat(chair)
        if seat_due is None:
            return
        for way_in in seat_due.ways_in:
            if way_in.kind == "buy-button" and way_in.is_on_this_hand and way_in.live:
                yield Offer(
                    name="buy-button",
                    label=phrase("Buys the button: {amount}", amount=self._format(way_in.live)),
                    line=f"{chair} buys-button {in_units(way_in.live, self._settings.exponent)}",
                    reasons=quote_grounds(way_in.grounds, self._book),
                )

    def _note_next_hand(self) -> str:
        return phrase("From the next hand on.") if self._recorder.running else ""

    def _describe_debt(self, seat_due: SeatDue | None) -> str:
        """Return what a player posts to be dealt in now; "" if nothing is owed, or it's unknown."""
        if seat_due is None or self._due is None or self._book is None or seat_due.deal != "if-posts":
            return ""
        return EntryPicks(self._state, self._due, self._book, self._settings).describe_post(seat_due)

    def _list_reasons(self, seat_due: SeatDue | None) -> list[OfferReason]:
        return [] if seat_due is None or seat_due.status == "playing" else quote_grounds(seat_due.grounds, self._book)

    def _list_buy_ins(self) -> list[Preset]:
        return [self._make_preset(count * self._big_blind) for count in _BUY_INS] if self._big_blind else []

    def _make_preset(self, chips: Chips) -> Preset:
        return Preset(self._format(chips), in_units(chips, self._settings.exponent))

    def _format(self, chips: Chips) -> str:
        return amount(chips, self._settings.unit, self._settings.exponent)


def find_usual_big_blind(recorder: Recorder) -> Chips:
    """Return the big blind of the table's game, or its only blind; 0 = it has none, or it isn't recorded."""
    blinds = find_blinds(recorder)
    return blinds[1] if len(blinds) > 1 else max(blinds, default=0)


def is_seat_away(recorder: Recorder, seat_state: SeatState | None, chair: Seat) -> bool:
    """Whether a seat's player is away, as far as the record goes."""
    is_away = seat_state is not None and seat_state.presence == "away"
    hand_events = recorder.state.table_events if recorder.running else ()
    for event in hand_events:
        if isinstance(event, PlayerAway | PlayerBack) and event.seat == chair:
            is_away = isinstance(event, PlayerAway)
    return is_away


def _find_present_seats(state: TableState, recorder: Recorder) -> dict[Seat, str]:
    """Return who sits where, with those who came or left during the running hand."""
    players = {seat: seat_state.player for seat, seat_state in state.seats.items()}
    if not recorder.running:
        return players
    hand = recorder.state
    players |= {seat: event.player for seat, event in hand.left_out.items()} | hand.players
    for event in hand.table_events:
        if isinstance(event, SeatTaken):
            players[event.seat] = event.player
        elif isinstance(event, SeatLeft) and event.seat is not None:
            players.pop(event.seat, None)
    return players


def list_known_players(recorder: Recorder, live_table: LiveTable) -> list[str]:
    """Return the names of players who left this table and don't sit here now, the last first."""
    state, people = live_table.state, recorder.ledger.people
    seated_players = set(_find_present_seats(state, recorder).values())
    names = [people.name(player) for player in reversed(state.departures) if player not in seated_players]
    return [name for name in dict.fromkeys(names) if name][:_MAX_KNOWN_PLAYERS]


def make_player_name(chair: Seat, known_names: Container[str]) -> str:
    """Return a name that nobody has yet, for a newcomer who doesn't give one: "Player 7", else "Player 7-2" and so on."""
    numbers = itertools.chain([str(chair)], (f"{chair}-{suffix}" for suffix in itertools.count(2)))
    names = (phrase("Player {number}", number=number) for number in numbers)
    return next(name for name in names if name not in known_names)
