"""Writing handscript: each hand with its own header, one canonical line for each event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ledger.account import Account, SectionAccount, TableAccount
from ledger.event import Event
from ledger.formats.handscript.context import Context, Settings, iso, parse_clock, parse_iso, write_clock
from ledger.formats.handscript.header import name_in_words
from ledger.formats.handscript.phrasebook import BOOK
from ledger.formats.handscript.tokens import word
from ledger.formats.handscript.witnesses import write_witnesses
from ledger.hand.ending import HandCompleted
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.notation import HandText
from ledger.people import People
from ledger.table.events import TableEvent, TableOpened
from ledger.vocabulary import Millis

FIRST_LINE = "handscript 1"


def write(events: Sequence[Event], people: People) -> HandText:
    """Write a hand, or what a table's stream holds. Nothing is lost, so there are no losses."""
    if isinstance(events[0], HandOpened):
        hand = cast("list[HandEvent]", list(events))
        return HandText(write_told(Account(hand, [], 0, 0), people))
    place = next((event for event in events if isinstance(event, TableOpened)), TableOpened("", ""))
    table = cast("list[TableEvent]", list(events))
    told = TableAccount(place.venue, place.table, table, [], 0, 0, place.tournament)
    return HandText(write_told(told, people))


def write_told(told: Account | TableAccount | SectionAccount, people: People) -> str:
    """Write a section with its header, its times and what was inferred: all but its places."""
    settings = _settings(told)
    header = [FIRST_LINE, *_header(settings)]
    context = Context(people, settings)
    if isinstance(told, Account):
        body, last = _facts(told, context), "stop"
        final = told.events[-1]
        if isinstance(final, HandCompleted):
            last = "end" + body.pop().removeprefix("completed")
        return "\n".join((*header, *body, last)) + "\n"
    if isinstance(told, TableAccount):
        opening = "between-hands"
    elif told.kind == "case":
        opening, context.number = f"case {word(told.name)}", told.name
    else:
        opening = told.kind
    return "\n".join((*header, opening, *_facts(told, context), "end")) + "\n"


def _settings(told: Account | TableAccount | SectionAccount) -> Settings:
    if isinstance(told, Account):
        x = told.opened
        return Settings(x.venue, x.table, x.seats, x.tournament, x.club, x.witnesses)
    if isinstance(told, TableAccount):
        return Settings(told.venue, told.table, tournament=told.tournament)
    return Settings()


def _header(settings: Settings) -> list[str]:
    """Return the header's lines: what is not said is empty."""
    s = settings
    parts = [
        f"{name} {name_in_words(value)}"
        for name, value in (("venue", s.venue), ("club", s.club), ("tournament", s.tournament), ("table", s.table))
        if value
    ]
    if s.seats:
        parts.append(f"seats {s.seats}")
    found = ["  ".join(parts)] if parts else []
    if s.witnesses:
        names = write_witnesses(s.witnesses)
        found.append("witness " + (str(s.witnesses) if names is None else " ".join(names)))
    return found


def _facts(told: Account | TableAccount | SectionAccount, context: Context) -> list[str]:
    """Return a line for each event, with its marks."""
    inferred = frozenset(told.inferred)
    lines = []
    for index, event in enumerate(told.events):
        line = write_line(event, context)
        at = told.times.get(index)
        if at is not None:
            line += f" at {_at(at, context)}"
            context.clock = at
        lines.append(line + " derived" if index in inferred else line)
    return lines


def write_line(event: Event, context: Context) -> str:
    """Return the line of one event."""
    if isinstance(event, HandOpened):
        written = event.written
        own = event.started is not None and parse_iso(written) == event.started
        context.started_text = written if own and written[-6] in "+-" else ""
    return BOOK.write(event, context)


def _at(moment: Millis, context: Context) -> str:
    """Return a time of day where it leads back to the same moment, else date and time."""
    if context.clock is not None:
        text = write_clock(moment, context.zone)
        if parse_clock(text, context.clock, context.zone) == moment:
            return text
    return iso(moment)


def tell(events: Sequence[Event], people: People, version: int | None = None) -> list[str]:
    """Return one line for each event, as `show` and reports have it.

    `version` is the number of the first event, which then stands before its line. Names and texts
    are as their people wrote them, with what cannot be seen escaped: whoever prints a line makes it
    harmless.
    """
    context = Context(people, short=True)
    lines = [write_line(event, context) for event in events]
    if version is None:
        return lines
    return [f"{number} {line}" for number, line in enumerate(lines, version)]
