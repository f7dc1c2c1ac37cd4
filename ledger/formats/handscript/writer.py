"""Write handscript: each hand with its own header, and a canonical line for each event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ledger.account import Account, SectionAccount, TableAccount
from ledger.event import Event
from ledger.formats.handscript.context import Context, Settings, parse_clock, parse_iso, write_clock, write_moment
from ledger.formats.handscript.header import name_in_words
from ledger.formats.handscript.phrasebook import BOOK
from ledger.formats.handscript.tokens import write_word
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
    """Write a hand or a table's events. The notation can hold everything, so there are no losses."""
    if isinstance(events[0], HandOpened):
        hand = cast("list[HandEvent]", list(events))
        return HandText(write_told(Account(hand, [], 0, 0), people))
    table_opened = next((event for event in events if isinstance(event, TableOpened)), TableOpened("", ""))
    table = cast("list[TableEvent]", list(events))
    account = TableAccount(table_opened.venue, table_opened.table, table, [], 0, 0, table_opened.tournament)
    return HandText(write_told(account, people))


def write_told(account: Account | TableAccount | SectionAccount, people: People) -> str:
    """Write a section with its header, its times and its inferred events, but without places."""
    settings = _build_settings(account)
    header = [FIRST_LINE, *write_header(settings)]
    context = Context(people, settings)
    if isinstance(account, Account):
        body_lines, last = _write_fact_lines(account, context), "stop"
        final = account.events[-1]
        if isinstance(final, HandCompleted):
            last = "end" + body_lines.pop().removeprefix("completed")
        return "\n".join((*header, *body_lines, last)) + "\n"
    if isinstance(account, TableAccount):
        opening = "between-hands"
    elif account.kind == "case":
        opening, context.number = f"case {write_word(account.name)}", account.name
    else:
        opening = account.kind
    return "\n".join((*header, opening, *_write_fact_lines(account, context), "end")) + "\n"


def _build_settings(account: Account | TableAccount | SectionAccount) -> Settings:
    if isinstance(account, Account):
        opened = account.opened
        return Settings(opened.venue, opened.table, opened.seats, opened.tournament, opened.club, opened.witnesses)
    if isinstance(account, TableAccount):
        return Settings(account.venue, account.table, tournament=account.tournament)
    return Settings()


def write_header(settings: Settings) -> list[str]:
    """Return the lines of a header; empty values have no line."""
    header = settings
    parts = [
        f"{name} {name_in_words(value)}"
        for name, value in (
            ("venue", header.venue),
            ("club", header.club),
            ("tournament", header.tournament),
            ("table", header.table),
        )
        if value
    ]
    if header.seats:
        parts.append(f"seats {header.seats}")
    header_lines = ["  ".join(parts)] if parts else []
    if header.witnesses:
        names = write_witnesses(header.witnesses)
        header_lines.append("witness " + (str(header.witnesses) if names is None else " ".join(names)))
    return header_lines


def _write_fact_lines(account: Account | TableAccount | SectionAccount, context: Context) -> list[str]:
    """Return a line for each event, with its marks."""
    inferred = frozenset(account.inferred)
    lines = []
    for index, event in enumerate(account.events):
        line = write_line(event, context)
        moment = account.times.get(index)
        if moment is not None:
            line += f" at {_write_moment(moment, context)}"
            context.clock = moment
        lines.append(line + " derived" if index in inferred else line)
    return lines


def write_line(event: Event, context: Context) -> str:
    """Return the line of one event."""
    if isinstance(event, HandOpened):
        time_text = event.written
        is_own_time = event.started is not None and parse_iso(time_text) == event.started
        context.started_text = time_text if is_own_time and time_text[-6] in "+-" else ""
    return BOOK.write(event, context)


def _write_moment(moment: Millis, context: Context) -> str:
    """Return a time of day if it can be read back as the same moment, otherwise date and time."""
    if context.clock is not None:
        text = write_clock(moment, context.zone)
        if parse_clock(text, context.clock, context.zone) == moment:
            return text
    return write_moment(moment)


def write_lines(events: Sequence[Event], people: People, version: int | None = None) -> list[str]:
    """Return a line for each event, as in `show` and reports.

    `version` is the number of the first event. If given, each line begins with its number. Names and texts are as
    written, with invisible characters escaped. The caller must make the lines safe for its output.
    """
    context = Context(people, short=True)
    lines = [write_line(event, context) for event in events]
    if version is None:
        return lines
    return [f"{number} {line}" for number, line in enumerate(lines, version)]
