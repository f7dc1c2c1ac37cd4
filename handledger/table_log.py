"""The history of a table in memory: its hands, the events between them, and its state under each book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.people import People
from ledger.table.events import GameStarted, TableOpened
from ledger.table.order import TableEntry
from ledger.table.played import build_hand_played
from ledger.table.unlisted_seats import list_absent_players
from ledger.text.language import language_in_force
from ledger.vocabulary import Witness
from projections.table_walk.table_context import ContextsByBook, TableWalk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from handledger.hand_plan import HandSheet
    from ledger.hand.events import HandEvent
    from ledger.hand.opening import GameSet, HouseOption
    from ledger.presence import Origin
    from ledger.table.events import TableEvent
    from ledger.table.state import TableState
    from projections.books.rulebook import Rulebook

VENUE: Final = "Table"
TABLE: Final = "1"
TOURNAMENT: Final = "1"
WITNESSES: Final = Witness.from_names(
    "BUTTON BLIND_POSITIONS POSTS POST_LIVENESS POST_REASONS PRESENCE SEATING ORIGINS GAME_STARTS BLIND_AMOUNTS MISSING_HANDS"
)
"""The facts that a `Table` always records. It records no acts, cards or pots."""
_SECRET: Final = bytes(32)  # ids of players never leave the process


class Step(NamedTuple):
    """A hand, which begins with `HandOpened`, or the events between two hands."""

    events: tuple[TableEvent | HandEvent, ...]
    sheet: HandSheet | None = None  # of a hand that `Table.deal` recorded

    @property
    def is_hand(self) -> bool:
        """Whether it is a hand."""
        return isinstance(self.events[0], o.HandOpened)


class TableIdentity(NamedTuple):
    """The table's name in a record, its chairs, and the facts that the record contains."""

    venue: str = VENUE
    table: str = TABLE
    tournament: str = ""
    seats: int = 0
    witnesses: int = WITNESSES


class TableLog:
    """The steps of a table, oldest first."""

    def __init__(self, identity: TableIdentity, people: People | None = None) -> None:
        """Take the table's name and facts, and the people whose ids its events have."""
        self.identity = identity
        self.people = people or make_people()
        self.has_opening = False  # whether the first step is `open`'s
        self.steps: list[Step] = []
        self._entries: list[TableEntry] = []
        self._walks: dict[tuple[str, str], tuple[TableWalk, int]] = {}  # by digest and language: walk, entries read

    def open(self, game: GameSet, options: Mapping[HouseOption, int | str], *, is_running: bool) -> None:
        """Begin the table's history: its name, its game and options and, unless it was running, the start of the game."""
        identity = self.identity
        opened = TableOpened(
            identity.venue, identity.table, identity.tournament, seats=identity.seats, witnesses=identity.witnesses
        )
        events: list[TableEvent] = [opened, game, *(o.OptionSet(name, value) for name, value in options.items())]
        if not is_running:
            events.append(GameStarted())
        self.add(events)
        self.has_opening = True

    def find_player(self, name: str) -> str:
        """Return the id of the player with a name."""
        return self.people.player(self.identity.venue, name)

    def find_name(self, player: str) -> str:
        """Return the name of a player."""
        return self.people.names.get(player, ("", player))[1]

    def add(self, events: Sequence[TableEvent]) -> None:
        """Add events between two hands."""
        self.steps.append(Step(tuple(events)))
        for event in events:
            self._entries.append(TableEntry(len(self._entries) + 1, event, None))

    def add_hand(self, events: Sequence[HandEvent], sheet: HandSheet | None = None) -> None:
        """Add a hand. `sheet`: the sheet that it was built from; None if it was read from a text."""
        self.steps.append(Step(tuple(events), sheet))
        hand = build_hand_played(fold(events), f"{len(self._entries):032x}")
        self._entries.append(TableEntry(len(self._entries) + 1, hand, None))

    @property
    def state(self) -> TableState:
        """The table after its last event. Don't change it."""
        return self.walk(None).state

    def walk(self, book: Rulebook | None) -> TableWalk:
        """Return the walk over all events of the table, under a book or, if it's None, without one.

        Reasons are sentences, so each language has its own walk.
        """
        walk_key = ("" if book is None else f"{book.name} {book.digest}", language_in_force())
        # Taken out until it's at the end: an error half-way leaves a walk that must not be used again.
        cached_walk = self._walks.pop(walk_key, None)
        walk, read_count = cached_walk or (TableWalk([] if book is None else [book]), 0)
        for _ in walk.contexts(self._entries[read_count:]):
            pass
        self._walks[walk_key] = (walk, len(self._entries))
        return walk

    def build_contexts(self, book: Rulebook, events: Sequence[HandEvent]) -> ContextsByBook:
        """Return the contexts of a hand that isn't recorded, as if it were the next hand."""
        walk = self.walk(book)
        hand = list_absent_players(walk.state, build_hand_played(fold(events), ""))
        return ContextsByBook(walk, TableEntry(len(self._entries) + 1, hand, None), hand)

    def truncate(self, step_count: int) -> None:
        """Drop all steps after the first `step_count`."""
        remaining_steps = self.steps[:step_count]
        self.steps, self._entries = [], []
        self._walks.clear()
        for step in remaining_steps:
            self.add_step(step)

    def add_step(self, step: Step) -> None:
        """Add a step of another history of the same people."""
        if step.is_hand:
            self.add_hand(step.events, step.sheet)  # type: ignore[arg-type]  # as `is_hand` says
        else:
            self.add(step.events)  # type: ignore[arg-type]  # as `is_hand` says


def find_origin(origin: Origin | None, *, has_hands: bool) -> Origin:
    """Return the origin of a player who sits down; if it isn't stated, from outside, or from the game's start."""
    return origin or ("walk-in" if has_hands else "game-start")


def make_people() -> People:
    """Return people without names. Their ids never leave the process, so they need no secret."""
    return People(_SECRET)
