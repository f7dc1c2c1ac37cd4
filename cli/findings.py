"""`handledger findings`: the findings on file under the house's rulebooks."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.query_documents import FindingKnown, KnownDocument, TablesUnjudged
from cli.options import common_options, day_options, ledger_options
from cli.options.where import QueryOption
from cli.output import console
from ledger import safe
from ledger.errors import HandledgerError, UsageError
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import join_list, phrase, phrase_count
from ledger.text.screen_lines import wrap_text
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.reports.finding_text import format_headline
from projections.sentences.words import certainty_name, severity_name
from projections.tables.hand_findings import load_stored_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.house.events import FindingChanged
    from ledger.store import Ledger
    from ledger.vocabulary import Millis


_MAX_TABLES: Final = 5
"""Tables that a line names."""


def command(
    *,
    table: common_options.Table = None,
    query_text: QueryOption = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Print new findings while hands come in, until you press Ctrl-C.")
    ] = False,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List findings under the house's rulebooks, now or as of a date."""
    from projections.audit.house_audit import has_adopted_books

    if watch:
        if as_of is not None or format_ != "text" or file is not None or query_text is not None:
            raise UsageError(
                phrase("--watch prints text as it happens"),
                phrase("Leave out --where, --as-of, --format and --output."),
            )
        with ledger_options.open_ledger(url, read_only=False) as ledger:
            _watch_findings(ledger, table)
        return
    with ledger_options.open_ledger(url, as_of=as_of) as ledger, console.show_progress(phrase("reading")) as progress:
        wanted_findings = _find_wanted(ledger, table, query_text)
        if not wanted_findings:
            _require_hands(ledger, table, query_text)
        known_findings, address_book = [], AddressBook(ledger)
        for event, known_since in wanted_findings:
            known_findings.append(_describe_finding(ledger, address_book, event, known_since))
            progress(
                phrase(
                    "{number} of {total} findings",
                    number=format(len(known_findings), ","),
                    total=format(len(wanted_findings), ","),
                )
            )
        unjudged = _list_unjudged(ledger, table) if as_of is None else []
        if format_ == "json":
            lines = []
        elif known_findings:
            lines = list(_format_known(ledger, known_findings))
        else:
            has_no_book = as_of is None and not has_adopted_books(ledger)
            lines = _describe_nothing(table, query_text, has_no_book=has_no_book)
    if format_ == "json":
        console.write_document(KnownDocument(findings=known_findings, unjudged=unjudged), file)
    else:
        console.write_text("\n".join([*lines, *map(_format_unjudged, unjudged)]), file)
    raise typer.Exit(1 if known_findings else 0)


def _find_wanted(ledger: Ledger, table: str | None, query: str | None) -> list[tuple[FindingChanged, Millis]]:
    """Return the findings on file at a table that match a query, each with the time it was filed."""
    from projections.tables.finding_events import load_known_findings

    is_wanted, is_wanted_table = _build_filter(ledger, query), _build_table_filter(ledger, table)
    return [
        finding
        for (_, place), table_findings in load_known_findings(ledger).items()
        for finding in table_findings.values()
        if is_wanted_table(place) and is_wanted(finding[0])
    ]


def _build_filter(ledger: Ledger, query: str | None) -> Callable[[FindingChanged], bool]:
    """Return a predicate: whether a finding and its hand match a query."""
    if query is None:
        return lambda _: True
    from projections.queries.ledger_query import find_matching_findings

    matches = find_matching_findings(ledger, query, day_options.DEFAULT_DAY_START)
    return lambda event: event.fingerprint in matches


def _build_table_filter(ledger: Ledger, table: str | None) -> Callable[[TableKey], bool]:
    """Return a predicate: whether a table is the named one, as NAME, tournament/NAME or venue/NAME."""
    if table is None:
        return lambda _: True
    named_tables = {TableKey(row.venue, row.tournament, row.table) for row in ledger.tables(table)}
    return lambda place: place in named_tables or place.table == table


def _require_hands(ledger: Ledger, table: str | None, query: str | None) -> None:
    """Raise `NothingFoundError` if no hand matches a table or a query, so that a typo doesn't look like a clean record."""
    from projections.queries.ledger_query import has_matching_hands

    if next(iter(ledger.hands(limit=1)), None) is None:
        return
    is_known_table = table is None or next(ledger.tables(table), None) is not None
    if not is_known_table or (
        query is not None and not has_matching_hands(ledger, query, day_options.DEFAULT_DAY_START)
    ):
        raise ledger_options.no_hands_error(ledger, table=table)


def _describe_nothing(table: str | None, query: str | None, *, has_no_book: bool) -> list[str]:
    """Return the lines for an empty list: of the whole ledger, of one table, or of a query."""
    name = "" if table is None else safe.terminal(table, 60)
    if table is None:
        sentence = phrase("No findings on file.") if query is None else phrase("No findings on file match this query.")
    elif query is None:
        sentence = phrase("No findings on file for table {table}.", table=name)
    else:
        sentence = phrase("No findings on file for table {table} match this query.", table=name)
    if not has_no_book:
        return [sentence]
    return [
        sentence,
        phrase("The house hasn't adopted a rulebook, so no hand was checked."),
        phrase("Adopt one: handledger rules adopt hilton"),
    ]


def _watch_findings(ledger: Ledger, table: str | None) -> None:
    """Judge new hands of any program, and print each change of a finding, until Ctrl-C."""
    from cli.output import judgement_output
    from ledger.event import topic
    from ledger.house.events import FindingChanged
    from ledger.store.eventsourced.recorders import LedgerApplicationRecorder
    from projections.audit.house_audit import House
    from projections.tables.live_runner import LiveJudgement, run_projection

    _require_hands(ledger, table, None)
    is_wanted_table = _build_table_filter(ledger, table)
    House(ledger).list_books()  # raises an error if there is no book, or its text is missing
    recorder = LedgerApplicationRecorder(ledger)
    url = ledger.database.address.full_url
    subscription = recorder.subscribe(gt=ledger.head()[0], topics=[topic(FindingChanged)])
    with suppress(KeyboardInterrupt), subscription, run_projection(url, LiveJudgement.name):
        for notification in subscription:
            (event,) = ledger.mapper.decode("house", b"[" + notification.state + b"]")
            if isinstance(event, FindingChanged) and is_wanted_table(
                TableKey(event.venue, event.tournament, event.table)
            ):
                judgement_output.write_changes(ledger, [event], datetime.now(UTC).strftime("%H:%M:%SZ"))


def _describe_finding(
    ledger: Ledger, address_book: AddressBook, event: FindingChanged, known_since: Millis
) -> FindingKnown:
    hand_row = ledger.hand(event.hand)
    event_fields = {field: getattr(event, field) for field in FindingKnown.__struct_fields__ if hasattr(event, field)}
    address = address_book.find_stream_address(event.hand, event.version)
    return FindingKnown(
        **event_fields, since=known_since, number="" if hand_row is None else hand_row.number, address=address
    )


def _list_unjudged(ledger: Ledger, table: str | None) -> list[TablesUnjudged]:
    """Return, for each adopted book, the tables with hands that it hasn't judged yet."""
    from projections.audit.house_audit import has_adopted_books
    from projections.tables.finding_events import list_unjudged_tables

    if not has_adopted_books(ledger):
        return []
    is_wanted_table = _build_table_filter(ledger, table)
    try:
        return [
            TablesUnjudged(tables_of_book.book, [place.table for place in tables_of_book.tables], tables_of_book.hands)
            for tables_of_book in list_unjudged_tables(ledger)
            if any(map(is_wanted_table, tables_of_book.tables))
        ]
    except HandledgerError as error:  # the findings on file are listed anyway
        reason = phrase("Not judged: {reason}", reason=error.message)
        typer.echo(safe.lines(f"{reason}\n{error.hint}".rstrip()), err=True)
        return []


def _format_unjudged(unjudged: TablesUnjudged) -> str:
    tables = join_list([safe.terminal(name, 30) for name in unjudged.tables[:_MAX_TABLES]])
    more_count = len(unjudged.tables) - _MAX_TABLES
    if more_count > 0:
        tables = phrase("{names} and {number} more", names=tables, number=format(more_count, ","))
    missing = phrase_count(
        "! {number} hand is not judged under {book} yet ({tables}). This list doesn't cover it.",
        "! {number} hands are not judged under {book} yet ({tables}). This list doesn't cover them.",
        unjudged.hands,
        number=format(unjudged.hands, ","),
        book=unjudged.book,
        tables=tables,
    )
    advice = phrase(
        "The next import judges them. To see their findings now: handledger audit -r {book}",
        book=quote_for_shell(unjudged.book),
    )
    return f"{missing}\n  {advice}"


def _align_columns(cells: list[list[str]]) -> Iterator[str]:
    """Yield rows as lines with aligned columns."""
    widths = [max(safe.columns(row[column]) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        yield "  ".join(
            cell + " " * (width - safe.columns(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()


def _format_known(ledger: Ledger, findings: Sequence[FindingKnown]) -> Iterator[str]:
    """Yield the findings as a table, each with its sentence, and the command that explains the first."""
    if not findings:
        return
    hand_rows = {finding.hand: hand_row for finding in findings if (hand_row := ledger.hand(finding.hand)) is not None}
    stored_findings = load_stored_findings(ledger, list(hand_rows.values()))
    cells = [
        [phrase("PLAYED"), phrase("FILED"), phrase("RULE"), phrase("SEVERITY"), phrase("CERTAINTY"), phrase("WHERE")]
    ]
    for finding in findings:
        hand_row = hand_rows.get(finding.hand)
        played = "" if hand_row is None else day_options.format_local_start(ledger, hand_row)[0][:10]
        rule = safe.terminal(f"{finding.book} {finding.clause}", 60)
        filed = day_options.format_minute(finding.since)
        severity, certainty = severity_name(finding.severity), certainty_name(finding.certainty)
        cells.append([played or "?", filed, rule, severity, certainty, _describe_place(finding)])
    heading, *lines = _align_columns(cells)
    yield heading
    for finding, line in zip(findings, lines, strict=True):
        yield line
        stored_finding = stored_findings.get((finding.book, finding.edition, finding.fingerprint))
        if stored_finding is not None:
            sentence = safe.terminal(format_headline(stored_finding), 800)
            yield from wrap_text(sentence, console.find_width(), first_indent="    ", later_indent="    ")
    hand_address = findings[0].address.partition("@")[0]
    if hand_address:
        yield phrase("Details: handledger why {hand} finding", hand=quote_for_shell(hand_address))


def _describe_place(finding: FindingKnown) -> str:
    """Return the address of a finding, or its table and hand, with the seat if it's about one."""
    location = finding.address or phrase(
        "{table} hand {hand}", table=safe.terminal(finding.table, 30), hand=safe.terminal(finding.hand, 40)
    )
    if finding.seat is None:
        return location
    return phrase("{location}, seat {seat}", location=location, seat=finding.seat)
