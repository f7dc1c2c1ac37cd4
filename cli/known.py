"""`handledger known`: what the house knew, by what was told to the ledger when it was found."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import days, opening, options, output
from cli.query_documents import FindingKnown, KnownDocument, TablesUnjudged
from ledger import safe
from ledger.errors import HandledgerError, UsageError
from projections.addresses.address_book import AddressBook

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged
    from ledger.store import Ledger
    from ledger.vocabulary import Millis


_NAMED: Final = 5
"""Tables that are named."""


def command(
    *,
    table: options.Table = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Then go on: judge what others import, say what is found as it is, until interrupted."
        ),
    ] = False,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say what the house knew, now or on a day: the findings under its own rulebooks, and since when.

    Under the books that the house adopted, `import` judges what it brings and writes into the ledger
    which findings came, went, or are told otherwise. `audit --as-of` judges the record of that day with
    the program of today; this says what was found on that day.
    Exit 0 if it knew of nothing, 1 if of anything.

    \b
    handledger known
    handledger known --as-of 2026-11-20
    handledger known --watch                 on the desk, while hands come in elsewhere
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.audit.house_audit import any_in
    from projections.tables.finding_events import load_known_findings

    if watch:
        if as_of is not None or format_ != "text" or file is not None:
            raise UsageError("--watch is told in words as it happens", "Leave out --as-of, --format and --output.")
        with opening.opened(url, read_only=False) as ledger:
            _watch(ledger, table)
        return
    with opening.opened(url, as_of=as_of) as ledger, output.working("reading") as far:
        there = load_known_findings(ledger)
        wanted = [
            one for (_, place), of_table in there.items() for one in of_table.values() if table in (None, place.table)
        ]
        found, book = [], AddressBook(ledger)
        for event, at in wanted:
            found.append(_known(ledger, book, event, at))
            far(f"{len(found):,} of {len(wanted):,} findings")
        adopted = any_in(ledger)
        late = _unjudged(ledger, table) if adopted and as_of is None else []
        none = not there and as_of is None and not adopted
    if format_ == "json":
        output.document(KnownDocument(findings=found, unjudged=late), file)
    else:
        lines = [_line(one) for one in found] or ["The house knew of no finding."]
        if none:
            lines.append("It has adopted no rulebook, so nothing is judged for it: handledger rules adopt BOOK.")
        output.put("\n".join([*lines, *map(_behind, late)]), file)
    raise typer.Exit(1 if found else 0)


def _watch(ledger: Ledger, table: str | None) -> None:
    """Judge what comes into the log, by whoever, and say of each finding that came or went that it did."""
    from cli import judging
    from ledger.event import topic
    from ledger.house.events import FindingChanged
    from ledger.store.recorder import LedgerApplicationRecorder
    from projections.audit.house_audit import House
    from projections.tables.live_runner import LiveJudgement, running

    House(ledger).books()  # without one, or with one that is not here, there is nothing to watch
    recorder = LedgerApplicationRecorder(ledger)
    url = ledger.database.address.whole
    subscription = recorder.subscribe(gt=ledger.head()[0], topics=[topic(FindingChanged)])
    with suppress(KeyboardInterrupt), subscription, running(url, LiveJudgement.name):
        for notification in subscription:
            (event,) = ledger.mapper.decode("house", b"[" + notification.state + b"]")
            if isinstance(event, FindingChanged) and table in (None, event.table):
                judging.live(ledger, [event], datetime.now(UTC).strftime("%H:%M:%SZ"))


def _known(ledger: Ledger, book: AddressBook, event: FindingChanged, at: Millis) -> FindingKnown:
    row = ledger.hand(event.hand)
    told = {name: getattr(event, name) for name in FindingKnown.__struct_fields__ if hasattr(event, name)}
    address = book.of_stream(event.hand, event.version)
    return FindingKnown(**told, since=at, number="" if row is None else row.number, address=address)


def _unjudged(ledger: Ledger, table: str | None) -> list[TablesUnjudged]:
    from projections.audit.house_audit import any_in
    from projections.tables.finding_events import list_unjudged

    if not any_in(ledger):
        return []
    try:
        return [
            TablesUnjudged(one.book, [place.table for place in one.tables], one.hands)
            for one in list_unjudged(ledger)
            if table is None or table in {place.table for place in one.tables}
        ]
    except HandledgerError as error:  # what was known is told all the same
        typer.echo(safe.lines(f"Not judged: {error.message}\n{error.hint}".rstrip()), err=True)
        return []


def _behind(one: TablesUnjudged) -> str:
    tables = ", ".join(safe.terminal(name, 30) for name in one.tables[:_NAMED])
    more = f" and {len(one.tables) - _NAMED:,} more" if len(one.tables) > _NAMED else ""
    hands = "1 hand is" if one.hands == 1 else f"{one.hands:,} hands are"
    return (
        f"! {hands} not judged under {one.book} yet ({tables}{more}): nothing here speaks of them.\n"
        f"  The next import judges them; handledger audit -r {one.book} tells them now."
    )


def _line(one: FindingKnown) -> str:
    where = one.address or f"{safe.terminal(one.table, 30)} hand {safe.terminal(one.hand, 40)}"
    seat = "" if one.seat is None else f", seat {one.seat}"
    said = f"{one.book} {one.clause:<8} {one.severity:<7}  {one.certainty:<11}"
    return f"{days.minute(one.since)}  {said}  {where}{seat}"
