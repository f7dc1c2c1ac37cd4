"""What a file of notes was understood as: each line beside its events, what was filled in, what is asked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from ledger import safe
from ledger.account import Account, Problem, Reject, TableAccount
from ledger.event import Event
from ledger.formats.handscript import FORMAT, tell
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import GameSet, HandOpened, SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People
from projections.reports.event_text import Teller


class EventRead(msgspec.Struct):
    """An event of a line. `derived`: the line doesn't say it, or not all of it; it follows from the game.

    `text` is the line in handscript. `plain` is the same in words; "" = it is as in the hand before.
    """

    text: str
    derived: bool = False
    plain: str = ""


class QuestionAsked(msgspec.Struct):
    """What is missing at a line, and the line to write; words in capitals are to be filled in."""

    reason: str
    write: str = ""
    hint: str = ""


class LineRead(msgspec.Struct):
    """A line of the file. `hand`: the hand that begins here. `waits`: it is in a hand that waits for an answer."""

    line: int  # 1 = the first
    text: str
    events: list[EventRead] = []
    questions: list[QuestionAsked] = []
    hand: str = ""
    waits: bool = False


def read_lines(data: bytes, people: People, encoding: str = "utf-8") -> list[LineRead]:
    """Return the lines of a file with what each was understood as."""
    texts = data.decode(encoding, "replace").split("\n")
    lines = {number: LineRead(number, text.rstrip("\r"), [], []) for number, text in enumerate(texts, 1)}
    starts, words = _line_starts(data), _PlainWords(people)
    for item in FORMAT.read(Chunk(data, encoding=encoding), people):
        if isinstance(item, Reject):
            _ask(lines, item, starts)
        elif isinstance(item, Account | TableAccount):
            for number, event in _events(item, starts, words):
                lines[number].events.append(event)
            if isinstance(item, Account):
                lines[bisect_right(starts, item.start + item.places[0])].hand = item.opened.number
    for line in lines.values():
        line.waits = line.waits and not line.events
    return [line for line in lines.values() if line.text.strip() or line.events or line.questions]


def _ask(lines: dict[int, LineRead], reject: Reject, starts: list[int]) -> None:
    """Put the questions of a rejected span at their lines."""
    for problem in reject.problems or (Problem(reject.line, 0, reject.reason, hint=reject.hint),):
        lines[problem.line].questions.append(QuestionAsked(problem.reason, problem.write, problem.hint))
    first = bisect_right(starts, reject.start)
    last = bisect_right(starts, reject.start + max(reject.length - 1, 0))
    for number in range(first, last + 1):
        lines[number].waits = True


def _line_starts(data: bytes) -> list[int]:
    starts = [0]
    while (offset := data.find(b"\n", starts[-1])) >= 0:
        starts.append(offset + 1)
    return starts


def _events(item: Account | TableAccount, starts: list[int], words: _PlainWords) -> Iterator[tuple[int, EventRead]]:
    """Yield the events that have a place of their own, with the number of their line."""
    events: list[Event] = list(item.events)
    inferred = frozenset(item.inferred)
    texts = tell(events, words.people)
    words.begin(events)
    for index, (event, text) in enumerate(zip(events, texts, strict=True)):
        plain = words.describe(event)
        start, length = item.places[2 * index : 2 * index + 2]
        if not length and not isinstance(event, HandOpened):
            continue
        line_text = "hand over" if isinstance(event, HandCompleted) else text
        yield bisect_right(starts, item.start + start), EventRead(line_text, index in inferred, plain)


class _PlainWords:
    """Describes the events of a night, without what is as in the hand before."""

    def __init__(self, people: People) -> None:
        """Take the people of the night."""
        self.people = people
        self._teller = Teller(people)
        self._game: GameSet | None = None
        self._table = ("", "", "")

    def begin(self, events: Sequence[Event]) -> None:
        """Learn the players of a hand or of the facts between two hands."""
        for event in events:
            self._teller.learn(event)

    def describe(self, event: Event) -> str:
        """Return an event in words, "" if nothing about it is new."""
        if isinstance(event, HandCompleted):
            return "the hand is over"
        if isinstance(event, SeatDealtIn):
            stack = "?" if event.stack is None else self._teller.money(event.stack)
            return f"{self._teller.seat(event.seat)}: {stack}"
        if isinstance(event, HandOpened):
            return self._describe_opening(event)
        if isinstance(event, GameSet):
            is_known, self._game = event == self._game, event
            return "" if is_known else self._teller.tell(event)
        return self._teller.tell(event)

    def _describe_opening(self, opened: HandOpened) -> str:
        table = opened.venue, opened.tournament, opened.table
        is_known, self._table = table == self._table, table
        place = (
            ""
            if is_known
            else "".join(
                f", {name}{safe.terminal(value, 40)}"
                for name, value in (("", opened.venue), ("tournament ", opened.tournament), ("table ", opened.table))
                if value
            )
        )
        time = f", {safe.terminal(opened.written, 40).replace('T', ' ')}" if opened.written else ""
        return f"hand {safe.terminal(opened.number, 24)}{place}{time}"
