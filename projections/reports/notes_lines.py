"""Read a file of handscript notes line by line: the events of each line, and the questions that it raises."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ledger import safe
from ledger.account import Account, Problem, Reject, TableAccount
from ledger.event import Event
from ledger.formats.handscript import FORMAT, write_lines
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import GameSet, HandOpened, SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People
from projections.reports.event_text import EventDescriber


class NoteEvent(msgspec.Struct):
    """An event that was read from a line."""

    text: str  # in handscript
    derived: bool = False  # inferred from the game, at least partly, because the line leaves it out
    plain: str = ""  # in words; "" = the same as in the hand before


class NoteQuestion(msgspec.Struct):
    """A question about something missing from a line."""

    reason: str
    write: str = ""  # the line to write, with words in CAPITALS to fill in
    hint: str = ""


class NoteLine(msgspec.Struct):
    """A line of the file, with its events and questions."""

    line: int  # 1 = the first
    text: str
    events: list[NoteEvent] = []
    questions: list[NoteQuestion] = []
    hand: str = ""  # number of the hand that begins here; "" = no hand begins here
    waits: bool = False  # its hand can't be read until a question is answered


def read_lines(data: bytes, people: People, encoding: str = "utf-8") -> list[NoteLine]:
    """Return the lines of a file with the events and questions of each. Blank lines without either are left out."""
    texts = data.decode(encoding, "replace").split("\n")
    lines = {number: NoteLine(number, text.rstrip("\r"), [], []) for number, text in enumerate(texts, 1)}
    line_starts, describer = _find_line_starts(data), _NightDescriber(people)
    parsed_items = list(FORMAT.read(Chunk(data, encoding=encoding), people))
    describer.remember_unit(parsed_items)
    for parsed_item in parsed_items:
        if isinstance(parsed_item, Reject):
            _add_questions(lines, parsed_item, line_starts)
        elif isinstance(parsed_item, Account | TableAccount):
            for number, event in _iter_line_events(parsed_item, line_starts, describer):
                lines[number].events.append(event)
            if isinstance(parsed_item, Account):
                first_line = bisect_right(line_starts, parsed_item.start + parsed_item.places[0])
                lines[first_line].hand = parsed_item.opened.number
    for line in lines.values():
        line.waits = line.waits and not line.events
    return [line for line in lines.values() if line.text.strip() or line.events or line.questions]


def _add_questions(lines: dict[int, NoteLine], reject: Reject, line_starts: list[int]) -> None:
    """Add the questions of a rejected span to their lines."""
    for problem in reject.problems or (Problem(reject.line, 0, reject.reason, hint=reject.hint),):
        lines[problem.line].questions.append(NoteQuestion(problem.reason, problem.write, problem.hint))
    first_line = bisect_right(line_starts, reject.start)
    last_line = bisect_right(line_starts, reject.start + max(reject.length - 1, 0))
    for number in range(first_line, last_line + 1):
        lines[number].waits = True


def _find_line_starts(data: bytes) -> list[int]:
    """Return the byte offset at which each line begins."""
    starts = [0]
    while (offset := data.find(b"\n", starts[-1])) >= 0:
        starts.append(offset + 1)
    return starts


def _iter_line_events(
    account: Account | TableAccount, line_starts: list[int], describer: _NightDescriber
) -> Iterator[tuple[int, NoteEvent]]:
    """Yield each event that has bytes of its own in the file, and the opening, with the number of its line."""
    events: list[Event] = list(account.events)
    inferred = frozenset(account.inferred)
    texts = write_lines(events, describer.people)
    describer.remember_players(events)
    for event_index, (event, text) in enumerate(zip(events, texts, strict=True)):
        plain = describer.describe(event)
        start, length = account.places[2 * event_index : 2 * event_index + 2]
        if not length and not isinstance(event, HandOpened):
            continue
        line_text = "hand over" if isinstance(event, HandCompleted) else text
        yield bisect_right(line_starts, account.start + start), NoteEvent(line_text, event_index in inferred, plain)


class _NightDescriber:
    """Describes the events of a night's hands in order, without repeating an unchanged table or game."""

    def __init__(self, people: People) -> None:
        """Create a describer. `people` has the names of player ids and the texts of references."""
        self.people = people
        self._event_describer = EventDescriber(people)
        self._game: GameSet | None = None
        self._table = ("", "", "")

    def remember_players(self, events: Sequence[Event]) -> None:
        """Remember the players of a hand, or of the events between two hands."""
        for event in events:
            self._event_describer.remember(event)

    def remember_unit(self, parsed_items: Iterable[object]) -> None:
        """Remember the unit of the first hand with a game: counts may come before it."""
        games = (
            event
            for parsed_item in parsed_items
            if isinstance(parsed_item, Account)
            for event in parsed_item.events
            if isinstance(event, GameSet)
        )
        if (game := next(games, None)) is not None:
            self._event_describer.remember(game)

    def describe(self, event: Event) -> str:
        """Return an event in words, or "" if it only repeats the hand before."""
        if isinstance(event, HandCompleted):
            return "the hand is over"
        if isinstance(event, SeatDealtIn):
            stack = "?" if event.stack is None else self._event_describer.money(event.stack)
            return f"{self._event_describer.name_seat(event.seat)}: {stack}"
        if isinstance(event, HandOpened):
            return self._describe_opening(event)
        if isinstance(event, GameSet):
            is_same_game, self._game = event == self._game, event
            return "" if is_same_game else self._event_describer.describe(event)
        return self._event_describer.describe(event)

    def _describe_opening(self, opened: HandOpened) -> str:
        table = opened.venue, opened.tournament, opened.table
        is_same_table, self._table = table == self._table, table
        labelled_names = (("", opened.venue), ("tournament ", opened.tournament), ("table ", opened.table))
        table_text = "".join(f", {label}{safe.terminal(name, 40)}" for label, name in labelled_names if name)
        start_text = f", {safe.terminal(opened.written, 40).replace('T', ' ')}" if opened.written else ""
        if is_same_table:
            table_text = ""
        return f"hand {safe.terminal(opened.number, 24)}{table_text}{start_text}"
