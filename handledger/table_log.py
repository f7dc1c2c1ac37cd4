"""The history of a table in memory: its events between hands, its hands, and the table after them under each book."""

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
"""What a `Table` records whenever it happens. Acts, cards and pots aren't among it."""
_SECRET: Final = bytes(32)  # ids of players never leave the process


class Step(NamedTuple):
    """What happened between two hands, or a hand. A hand begins with `HandOpened`."""

    events: tuple[TableEvent | HandEvent, ...]
    sheet: HandSheet | None = None  # of a hand that `Table.deal` recorded

    @property
    def is_hand(self) -> bool:
        """Whether it is a hand."""
        return isinstance(self.events[0], o.HandOpened)


class TableIdentity(NamedTuple):
    """What a record calls a table, and what it records."""

    venue: str = VENUE
    table: str = TABLE
    tournament: str = ""
    seats: int = 0
    witnesses: int = WITNESSES


class TableLog:
    """The steps of a table, oldest first."""

    def __init__(self, identity: TableIdentity, people: People | None = None) -> None:
        """Take what the record calls the table, and the people whose ids its events have."""
        self.identity = identity
        self.people = people or make_people()
        self.has_opening = False  # the first step begins the table's history
        self.steps: list[Step] = []
        self._entries: list[TableEntry] = []
        self._walks: dict[tuple[str, str], tuple[TableWalk, int]] = {}  # by digest and language: walk, entries read

    def open(self, game: GameSet, options: Mapping[HouseOption, int | str], *, is_running: bool) -> None:
        """Add what begins a table's history: its name, its game, and that the game is new, unless it was running."""
        place = self.identity
        opened = TableOpened(place.venue, place.table, place.tournament, seats=place.seats, witnesses=place.witnesses)
        option_events = [o.OptionSet(name, value) for name, value in options.items()]
        self.add([opened, game, *option_events, *([] if is_running else [GameStarted()])])
        self.has_opening = True

    def player(self, name: str) -> str:
        """Return the id of the player with a name."""
        return self.people.player(self.identity.venue, name)

    def name(self, player: str) -> str:
        """Return the name of a player."""
        return self.people.names.get(player, ("", player))[1]

    def add(self, events: Sequence[TableEvent]) -> None:
        """Add what happened between two hands."""
        self.steps.append(Step(tuple(events)))
        for event in events:
            self._entries.append(TableEntry(len(self._entries) + 1, event, None))

    def add_hand(self, events: Sequence[HandEvent], sheet: HandSheet | None = None) -> None:
        """Add a hand. `sheet`: what it was built from, if it was."""
        self.steps.append(Step(tuple(events), sheet))
        hand = build_hand_played(fold(events), f"{len(self._entries):032x}")
        self._entries.append(TableEntry(len(self._entries) + 1, hand, None))

    @property
    def state(self) -> TableState:
        """The table after its last event. Don't change it."""
        return self.walk(None).state

    def walk(self, book: Rulebook | None) -> TableWalk:
        """Return the walk of the table to its end under a book, or under none.

        Reasons are sentences, so each language has its own walk.
        """
        walk_key = ("" if book is None else f"{book.name} {book.digest}", language_in_force())
        kept_walk = self._walks.get(walk_key)
        self._walks.pop(walk_key, None)  # after an error half-way it must not be used again
        walk, read_count = kept_walk or (TableWalk([] if book is None else [book]), 0)
        for _ in walk.contexts(self._entries[read_count:]):
            pass
        self._walks[walk_key] = (walk, len(self._entries))
        return walk

    def contexts_of(self, book: Rulebook, events: Sequence[HandEvent]) -> ContextsByBook:
        """Return the contexts of a hand that isn't recorded, as if it were the next."""
        walk = self.walk(book)
        hand = list_absent_players(walk.state, build_hand_played(fold(events), ""))
        return ContextsByBook(walk, TableEntry(len(self._entries) + 1, hand, None), hand)

    def cut(self, step_count: int) -> None:
        """Forget all steps after the first so many."""
        kept_steps = self.steps[:step_count]
        self.steps, self._entries = [], []
        self._walks.clear()
        for step in kept_steps:
            self.add_step(step)

    def add_step(self, step: Step) -> None:
        """Add a step of another history of the same people."""
        if step.is_hand:
            self.add_hand(step.events, step.sheet)  # type: ignore[arg-type]  # as `is_hand` says
        else:
            self.add(step.events)  # type: ignore[arg-type]  # as `is_hand` says


def find_origin(origin: Origin | None, *, has_hands: bool) -> Origin:
    """Return where a player comes from who sits down: from outside, unless the game begins."""
    return origin or ("walk-in" if has_hands else "game-start")


def make_people() -> People:
    """Return people without names. Their ids never leave the process, so they need no secret."""
    return People(_SECRET)
