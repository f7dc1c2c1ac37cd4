"""`handledger correct`: replace, remove or add an event of a stored hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from cli import table_correction
from cli.accounts import AccountStatement, build_statement
from cli.documents.command_documents import CorrectDocument, CorrectTableDocument
from cli.options import common_options, ledger_options
from cli.output import console
from cli.show import build_show_document
from ledger.entry import NO_ORIGIN, Entry, Provenance
from ledger.errors import UsageError
from ledger.vocabulary import Role
from projections.addresses import hand_address
from projections.addresses.address_grammar import quote_for_shell

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.event import Event
    from ledger.store import HandRow, Ledger
    from projections.reports.hand_documents import EventDocument


def command(
    event: Annotated[
        str,
        typer.Argument(
            metavar="HAND@EVENT",
            help="The event, as show numbers it: T7/502@27. TABLE@EVENT is a fact between hands, as a report names it: T7@31.",
            autocompletion=common_options.complete_hands,
        ),
    ],
    lines: Annotated[
        list[str] | None, typer.Argument(metavar="[LINE]...", help="What happened, as you would note it: '6 bets 120'.")
    ] = None,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="The event never happened.")] = False,
    insert: Annotated[
        bool, typer.Option("--insert", help="Keep the event, and add what was forgotten after it.")
    ] = False,
    role: Annotated[Role, typer.Option("--by", help="Your role.")] = "unknown",
    person: common_options.Person = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what the correction would change, and write nothing.")
    ] = False,
    reason: Annotated[str, typer.Option("--why", help="Why. It's kept with the correction.")] = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Correct one event of a hand or table; the old one stays on record."""
    new_lines = tuple(lines or ())
    if remove and (new_lines or insert):
        raise UsageError("--remove puts nothing in the event's place", "Leave out the lines, or --remove.")
    if not new_lines and not remove:
        raise UsageError("the line with what happened is missing", "Write it, as in '6 bets 120', or use --remove.")
    if role == "unknown" or not reason.strip():
        raise UsageError("a correction needs your role and a reason", 'Add, for example: --by floor --why "on tape"')
    with ledger_options.open_ledger(url, read_only=dry_run) as ledger:
        table_fact = table_correction.find_table_fact(ledger, event)
        if table_fact is not None:
            stated = table_correction.StatedCorrection(new_lines, role, person, reason.strip(), insert, dry_run)
            _write_table_correction(table_correction.correct_table_fact(ledger, table_fact, stated), format_, file)
            return
        hand_match = hand_address.find(ledger, event)
        if hand_match.version is None:
            raise UsageError(
                "the number of the event is missing",
                f"Write {quote_for_shell(f'{event}@27')}. To see the numbers: handledger show {quote_for_shell(event)}",
            )
        statement = build_statement(ledger, hand_match.row, role, person, reason.strip())
        document = _correct_hand(ledger, hand_match, new_lines, statement, insert=insert, dry_run=dry_run)
    if format_ == "json":
        console.write_document(document, file)
        return
    console.write_text(format_correction(document), file)


def _write_table_correction(document: CorrectTableDocument, format_: str, file: Path | None) -> None:
    if format_ == "json":
        console.write_document(document, file)
        return
    console.write_text(table_correction.format_table_correction(document), file)


def _correct_hand(
    ledger: Ledger,
    hand_match: hand_address.HandAddress,
    new_lines: tuple[str, ...],
    statement: AccountStatement,
    *,
    insert: bool,
    dry_run: bool,
) -> CorrectDocument:
    """Correct a hand and its table, or with `dry_run` only plan it; return the correction."""
    from ledger.hand.ending import CorrectionMade
    from ledger.recording.typed_correction import read_typed_lines
    from ledger.store.requests import amendments

    hand_row, version = hand_match.row, hand_match.version or 0
    correction = CorrectionMade(
        () if insert else (version,),
        version if insert else version - 1,
        len(new_lines),
        statement.role,
        statement.person,
        statement.reason,
    )
    reread = partial(read_typed_lines, new_lines)
    hand_events, table_events = amendments.build_correction_events(ledger, hand_row, [(correction, reread)])
    if len(hand_events) - 1 != correction.count:  # a line may contain several events
        correction = replace(correction, count=len(hand_events) - 1)
        hand_events, table_events = amendments.build_correction_events(ledger, hand_row, [(correction, reread)])
    if dry_run:
        return CorrectDocument(
            hand=build_show_document(ledger, hand_row).hand,
            voids=list(correction.voids),
            events=_describe_planned_events(ledger, hand_row, hand_events),
            unbalanced=amendments.is_unbalanced(ledger, hand_row, hand_events),
            dry_run=True,
        )
    amendments.append_correction(
        ledger, hand_row, hand_events, table_events, Provenance(ledger.now(), writer="correct")
    )
    current = build_show_document(ledger, hand_row)
    return CorrectDocument(
        hand=current.hand,
        voids=list(correction.voids),
        events=current.events[-len(hand_events) :],
        unbalanced=amendments.is_unbalanced(ledger, hand_row),
        left_behind=_find_stale_calls(ledger, hand_row),
    )


def _describe_planned_events(ledger: Ledger, row: HandRow, events: Sequence[Event]) -> list[EventDocument]:
    """Return the events that a correction would add, as `show` would number them."""
    from projections.reports.event_text import EventDescriber
    from projections.reports.states import build_event

    describer, stored_entries = EventDescriber(ledger.people), ledger.entries(row.stream)
    for entry in stored_entries:
        describer.remember(entry.event)
    provenance = Provenance(ledger.now(), writer="correct")
    planned_entries = [
        Entry(row.stream, len(stored_entries) + number, 0, event, NO_ORIGIN, provenance)
        for number, event in enumerate(events, 1)
    ]
    return [build_event(entry, describer, None, 0) for entry in planned_entries]


def _find_stale_calls(ledger: Ledger, row: HandRow) -> list[int]:
    """Return the events of a corrected hand that still call the old amount."""
    from ledger.store.requests.stored_hands import read_hands
    from ledger.table.in_force import NOTHING_IN_FORCE
    from projections.audit.record_gaps import iter_stale_calls
    from projections.timeline.hand_timeline import Timeline

    (hand,) = read_hands(ledger, [row.stream])
    return [act.version for act in iter_stale_calls(Timeline(hand, NOTHING_IN_FORCE))]


def format_correction(document: CorrectDocument) -> str:
    """Return a correction for people."""
    lines = [_format_headline(document)]
    lines += [f"  event {new_event.version}: {new_event.told}" for new_event in document.events]
    if document.left_behind:
        calls = ", ".join(map(str, document.left_behind))
        lines.append(f"The calls still say the old amount: correct event {calls}, too.")
    if document.unbalanced:
        lines.append("The pot no longer adds up. Correct the later calls and the payout.")
    return "\n".join(lines)


def _format_headline(document: CorrectDocument) -> str:
    address = document.hand.address
    if document.dry_run:
        return f"Hand {address} would be corrected. Nothing was written."
    return f"Hand {address} is corrected. The old event stays in the record."
