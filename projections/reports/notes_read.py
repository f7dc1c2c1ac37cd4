"""What a file of notes was understood as: each line beside its events, what was filled in, what is asked."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from ledger.account import Account, Problem, Reject, TableAccount
from ledger.event import Event
from ledger.formats.handscript import FORMAT, tell
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import HandOpened
from ledger.notation import Chunk
from ledger.people import People


class EventRead(msgspec.Struct):
    """An event of a line. `derived`: the line doesn't say it, or not all of it; it follows from the game."""

    text: str
    derived: bool = False


class QuestionAsked(msgspec.Struct):
    """What is missing at a line, and the line to write; words in capitals are to be filled in."""

    reason: str
    write: str = ""
    hint: str = ""


class LineRead(msgspec.Struct):
    """A line of the file."""

    line: int  # 1 = the first
    text: str
    events: list[EventRead] = []
    questions: list[QuestionAsked] = []


def read_lines(data: bytes, people: People) -> list[LineRead]:
    """Return the lines of a file with what each was understood as."""
    events: defaultdict[int, list[EventRead]] = defaultdict(list)
    questions: defaultdict[int, list[QuestionAsked]] = defaultdict(list)
    starts = _line_starts(data)
    for item in FORMAT.read(Chunk(data), people):
        if isinstance(item, Reject):
            for problem in item.problems or (Problem(item.line, 0, item.reason, hint=item.hint),):
                questions[problem.line].append(QuestionAsked(problem.reason, problem.write, problem.hint))
        elif isinstance(item, Account | TableAccount):
            for number, event in _events(item, starts, people):
                events[number].append(event)
    texts = data.decode("utf-8", "replace").split("\n")
    return [
        LineRead(number, text.rstrip("\r"), events[number], questions[number])
        for number, text in enumerate(texts, 1)
        if text.strip() or number in events or number in questions
    ]


def _line_starts(data: bytes) -> list[int]:
    starts = [0]
    while (at := data.find(b"\n", starts[-1])) >= 0:
        starts.append(at + 1)
    return starts


def _events(item: Account | TableAccount, starts: list[int], people: People) -> Iterator[tuple[int, EventRead]]:
    """Yield the events that have a place of their own, with the number of their line."""
    told: list[Event] = list(item.events)
    inferred = frozenset(item.inferred)
    for index, text in enumerate(tell(told, people)):
        start, length = item.places[2 * index : 2 * index + 2]
        if not length and not isinstance(told[index], HandOpened):
            continue
        words = "hand over" if isinstance(told[index], HandCompleted) else text
        yield bisect_right(starts, item.start + start), EventRead(words, index in inferred)
