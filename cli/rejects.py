"""`handledger rejects`: what could not be read, with its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import opening, options, output, sources
from cli.documents import RejectsDocument, RejectTold
from ledger import safe
from ledger.account import read_detail
from ledger.house.events import RejectWaived, SourceImported, SourceRejected
from ledger.intake.summary import RejectSummary
from ledger.store.accounts import entries_behind
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import Ledger

SHOWN_MOST = 4000
"""Bytes of a span shown with --bytes."""


def command(
    *,
    bytes_: Annotated[bool, typer.Option("--bytes", help="Show the bytes of each span as text.")] = False,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List the spans of sources that no reader understood: where, why, what to do.

    Exit 0 if there is none, 3 if there are any: they are still to be looked at.
    """
    with opening.opened(ledger) as book:
        rejects = _rejects(book)
        first = next(rejects, None)
        found = chain([] if first is None else [first], rejects)
        if format_ == "json":
            output.listing(RejectsDocument(rejects=[]), "rejects", found, file)
        elif first is None:
            output.put("Nothing was rejected.", file)
        else:
            told = (line for reject in found for line in _lines(book, reject, bytes_=bytes_))
            output.lines(told, file)
    raise typer.Exit(0 if first is None else 3)


def _rejects(ledger: Ledger) -> Iterator[RejectTold]:
    """Yield the rejected spans that still stand, as the list tells them."""
    files = sources.files(ledger)
    for event in standing(ledger):
        file = files.get(event.source, sources.UNKNOWN)
        place = sources.place_of(file, event.source, event.line, event.start, event.length)
        yield RejectTold(place, event.code, *read_detail(ledger.people.words(event.detail) or ""))


def standing(ledger: Ledger) -> Iterator[SourceRejected]:
    """Yield the rejected spans that nobody has waived, and that no later reading made right."""
    events = partial(_of_house, ledger)
    righted = mended(ledger, events)
    waived = {(e.source, e.start) for e in events() if isinstance(e, RejectWaived)}
    for index, event in enumerate(events()):
        if (
            isinstance(event, SourceRejected)
            and (event.source, event.start) not in waived
            and righted.get(event.source, -1) < index
        ):
            yield event


def _of_house(ledger: Ledger) -> Iterator[Event]:
    """Yield the events of the house; there may be many, so they are read anew each time."""
    for entry in entries_behind(ledger, HOUSE, 0):
        if ledger.upto is not None and entry.position > ledger.upto:
            return
        yield entry.event


def why(reject: RejectTold | RejectSummary) -> list[str]:
    """Return why a span was rejected: each line that is wrong, and how it should be."""
    if not reject.problems:
        return [f"    {safe.terminal(text, 200)}" for text in (reject.reason, reject.hint) if text]
    lines = []
    for one in reject.problems:
        where = f"line {one.line}: " if one.line else ""
        lines.append(f"    {where}{safe.terminal(one.reason, 200)}")
        told = (("write", one.write), ("form", "" if one.form == one.write else one.form), ("", one.hint))
        lines += [f"        {f'{name:<7}' if name else ''}{safe.terminal(text, 200)}" for name, text in told if text]
    return lines


def _lines(ledger: Ledger, reject: RejectTold, *, bytes_: bool) -> list[str]:
    place = reject.place
    lines = [
        (
            f"{safe.terminal(place.file, 80)}:{place.line}  bytes {place.start}-{place.start + place.length}"
            f"  {output.paint('rejected', 'red')} ({reject.code})"
        ),
        *why(reject),
    ]
    if bytes_:
        data = sources.piece(ledger, place.source, place.start, min(place.length, SHOWN_MOST))
        lines += [f"    | {safe.terminal(line, 160)}" for line in data.decode("utf-8", "replace").splitlines()]
        if place.length > SHOWN_MOST:
            lines.append(f"    | … {place.length - SHOWN_MOST:,} more bytes")
    return lines


def mended(ledger: Ledger, events: Callable[[], Iterator[Event]]) -> dict[str, int]:
    """Return the sources that a later reading made right: digest → index of the event that says so.

    That is the source itself, read again without a reject, or a later edition of it that tells hands which
    the ledger had from it; where it told none, one that shares most of its lines.
    """
    editions: dict[str, dict[str, int]] = {}  # name or place → digests, and the hands that each told
    for row in ledger.sources:
        editions.setdefault(row.name, {})[row.digest] = 0
    found: dict[str, int] = {}
    asked = {event.source for event in events() if isinstance(event, SourceRejected)}
    for index, event in enumerate(events()):
        if not isinstance(event, SourceImported):
            continue
        if not event.rejected:
            found[event.source] = index
        told = event.new + event.same + event.second + event.superseded
        for key in {event.name, event.origin, event.told} - {""}:
            for digest, hands in editions.setdefault(key, {}).items():
                if digest == event.source or digest not in asked:
                    continue
                if event.same + event.superseded if hands else _alike(ledger, digest, event.source):
                    found[digest] = index
            editions[key][event.source] = told
    return found


def _alike(ledger: Ledger, one: str, other: str) -> bool:
    """Tell whether most lines of a source stand in another, too."""
    mine, theirs = (
        {hash(line.strip()) for line in sources.piece(ledger, digest, 0, _COMPARED).split(b"\n")}
        for digest in (one, other)
    )
    return 2 * len(mine & theirs) > len(mine)


_COMPARED: Final = 16 * 1024 * 1024
