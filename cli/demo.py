"""`handledger demo`: import, audit and correct sample hands, and show what to try next."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import cli
from cli.documents.import_documents import DemoDocument
from cli.options import common_options, ledger_options
from cli.output import audit_output, console
from cli.output.import_output import build_import_document, format_import
from ledger import safe
from ledger.errors import NothingFoundError, SourceError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.reports.states import build_hands

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from ledger.vocabulary import Seat
    from projections.audit.audit_result import AuditResult
    from projections.findings.finding import Finding

BOOKS = ("hilton", "rrop4")


def command(
    *,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="FOLDER", help="Put the ledger and the samples in this folder.")
    ] = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Import sample hands, check them and show what to try next."""
    if keep is not None:
        _show_demo(_make_folder(keep), is_kept=True, format_=format_, file=file)
        return
    folder = Path(tempfile.mkdtemp(prefix="handledger-demo-"))
    try:
        _show_demo(folder, is_kept=False, format_=format_, file=file)
    except BaseException:  # also after Ctrl-C: the folder's name wasn't printed yet
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _show_demo(folder: Path, *, is_kept: bool, format_: str, file: Path | None) -> None:
    from ledger.intake import import_paths
    from ledger.store import open as open_ledger

    samples = copy_samples(folder / "samples")
    url = str(folder / "demo.ledger")
    key = None if is_kept else folder / "demo.key"  # all temporary files are in this folder
    with open_ledger(url, people_key=key) as ledger:
        if ledger.key_made is not None and is_kept:
            sys.stderr.write(f"{ledger_options.describe_new_key(ledger.key_made)}\n")
        summary = import_paths(ledger, [samples])
        result = _judge_samples(ledger)
        finding = _choose_instructive_finding(result)
        due = {_name_table(row): _describe_due(ledger, row) for row in ledger.tables()}
        hand_document = next(build_hands(ledger, [hand_address.find(ledger, finding.hand.stream).row]))
        commands = _suggest_commands(AddressBook(ledger), url, key, finding, samples)
        counts = {name: sum(finding_of_book.book == name for finding_of_book in result.findings) for name in BOOKS}
        if format_ == "json":
            console.write_document(
                DemoDocument(
                    ledger=url,
                    imported=build_import_document(summary, url),
                    hand=hand_document,
                    findings=counts,
                    due=due,
                    next=commands,
                ),
                file,
            )
            return
        sections = [
            _format_heading("1. Import sample hands, and account for every byte"),
            format_import(summary),
            _format_heading(f"2. Look at one hand, and at the line that breaks {finding.citation}"),
            _draw_event(ledger, finding),
            audit_output.format_finding_frame(ledger, finding, min(console.find_width(), 110)),
            _format_heading(f"3. Check all hands under {' and '.join(BOOKS)}"),
            audit_output.format_ledger_audit(ledger, result, 0),
            _format_heading("4. Ask who posts which blind on the next hand"),
            "\n".join(f"{safe.fit(safe.terminal(table, 24), 25)}{due_text}" for table, due_text in due.items()),
            _format_heading("5. Add a forgotten line to a hand, and see the next blinds change"),
            _correct_hand(ledger),
            _format_heading("6. Try these next"),
            "\n".join(commands),
        ]
        if not is_kept:
            sections.append(
                f"The ledger and the samples are in {folder}. To delete them: rm -r {shlex.quote(str(folder))}"
            )
    console.write_text("\n\n".join(sections), file)


def _format_heading(title: str) -> str:
    return console.paint(f"== {title}", "bold")


def _make_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"{folder}: {(error.strerror or 'cannot be made').lower()}") from None
    return folder


def copy_samples(folder: Path) -> Path:
    """Copy the samples that come with the program into `folder` and return it."""
    folder.mkdir(exist_ok=True)
    packed = [
        sample
        for sample in (resources.files(cli) / "samples").iterdir()
        if sample.is_file() and not sample.name.endswith((".py", ".md"))
    ]
    for sample in packed:
        (folder / sample.name).write_bytes(sample.read_bytes())
    return folder


def _judge_samples(ledger: Ledger) -> AuditResult:
    from ledger.store.requests.stored_hands import group_rows_by_table
    from projections.audit.auditor import Auditor
    from projections.books.rulebook import load
    from projections.table_walk.replay import walk_hands

    books = [load(name) for name in BOOKS]
    return Auditor(books).judge_hands(walk_hands(ledger, group_rows_by_table(ledger.hands(standing=True)), books))


def _choose_instructive_finding(result: AuditResult) -> Finding:
    """Return the finding that shows most: an error, certain, with money, on a line of its source."""
    findings = [finding for finding in result.findings if finding.book in BOOKS]
    if not findings:
        raise NothingFoundError("the samples hold no finding", "This is a fault of handledger.")
    return max(
        findings,
        key=lambda candidate: (
            candidate.severity == "error",
            candidate.certainty == "certain",
            bool(candidate.money),
            any(line.length for line in candidate.lines),
        ),
    )


def _draw_event(ledger: Ledger, finding: Finding) -> str:
    from cli.hand_titles import build_hand_summary, format_headline
    from cli.output.table_drawing import draw_table
    from projections.addresses import source_names
    from projections.reports.states import build_moment_at

    hand_row = hand_address.find(ledger, finding.hand.stream).row
    moment = build_moment_at(
        build_hand_summary(ledger, hand_row),
        source_names.read_recorded_events(ledger, hand_row),
        finding.version,
        ledger.people,
    )
    return f"{format_headline(moment.hand)}\nevent {moment.version}: {moment.told}\n\n{draw_table(moment, console.find_width())}"


def _name_table(row: TableRow) -> str:
    return f"{row.tournament}/{row.table}" if row.tournament else row.table


def _describe_due(ledger: Ledger, row: TableRow) -> str:
    """Return where button and blinds belong on a table's next hand, under the first of the books."""
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.hands.table_streams import table_entries
    from projections.books.rulebook import load
    from projections.table_walk.replay import make_first_checkpoint, replay_to_hand

    entries = table_entries(ledger, TableKey(row.venue, row.tournament, row.table))
    table, _, (due,) = replay_to_hand(make_first_checkpoint(entries), [load(BOOKS[0])])
    placement = due.place
    if placement is None:
        return f"open ({safe.terminal(due.unknown, 90)})"

    def describe_seat(seat: Seat | None, *, empty: bool = False) -> str:
        if seat is None:
            return "open"
        seat_state = table.state.seats.get(seat)
        name = ledger.people.name(seat_state.player) if seat_state and seat_state.player else None
        name_text = f" {safe.name(name, 20)}" if name else ""
        return f"seat {seat}{name_text}{' (empty)' if empty else ''}"

    return (
        f"button {describe_seat(placement.button, empty=placement.button_empty)}, "
        f"small blind {describe_seat(placement.small, empty=placement.small_empty)}, big blind {describe_seat(placement.big)}"
    )


def _correct_hand(ledger: Ledger) -> str:
    """Correct a table's last hand: the next big blind had gone away. Return the command and the dues before and after."""
    from functools import partial

    from ledger.entry import Provenance
    from ledger.formats.handscript import read_behind
    from ledger.hand.ending import CorrectionMade
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.hands.table_streams import table_entries
    from ledger.store.requests import amendments
    from projections.books.rulebook import load
    from projections.table_walk.replay import make_first_checkpoint, replay_to_hand

    for table_row in reversed(list(ledger.tables())):
        place = TableKey(table_row.venue, table_row.tournament, table_row.table)
        table_walk, _, (due,) = replay_to_hand(make_first_checkpoint(table_entries(ledger, place)), [load(BOOKS[0])])
        last_hand = table_walk.state.last_hand
        if due.place is None or due.place.big is None or last_hand is None:
            continue
        hand = hand_address.find(ledger, last_hand.hand).row
        last_version = len(ledger.events(hand.stream)) - 1
        line, explanation = f"{due.place.big} away", "the dealer's own note says so"
        correction = CorrectionMade((), last_version, 1, "floor", why=ledger.people.text(explanation))
        earlier_due = _describe_due(ledger, table_row)
        events, table = amendments.build_correction_events(ledger, hand, [(correction, partial(read_behind, (line,)))])
        amendments.append_correction(ledger, hand, events, table, Provenance(ledger.now(), writer="demo"))
        event = quote_for_shell(AddressBook(ledger).find_hand_address(hand, last_version))
        command = f"handledger correct {event} '{line}' --insert --by floor --why \"{explanation}\""
        return f"{command}\n\nbefore  {earlier_due}\nafter   {_describe_due(ledger, table_row)}"
    raise NothingFoundError("no sample shows what is due", "This is a fault of handledger.")


def _suggest_commands(
    address_book: AddressBook, url: str, key: Path | None, finding: Finding, samples: Path
) -> list[str]:
    from ledger.store.hands.hand_accounts import TableKey

    hand_names = finding.hand
    table = quote_for_shell(
        address_book.find_table_address(TableKey(hand_names.venue, hand_names.tournament, hand_names.table))
    )
    hand = quote_for_shell(address_book.find_finding_address(hand_names))
    event = quote_for_shell(address_book.find_finding_address(hand_names, finding.version))
    key_text = f" HANDLEDGER_PEOPLE_KEY={quote_for_shell(str(key))}" if key else ""
    return [
        f"export HANDLEDGER_URL={quote_for_shell(url)}{key_text}",
        "handledger log",
        f"handledger show {event}",
        f"handledger replay {hand}",
        f"handledger report {hand} -r {finding.book} -o {safe.filename(hand_names.number)}.html",
        f"handledger audit -r {finding.book} --coverage",
        f"handledger due {table} --before {hand} -r {finding.book}",
        f"handledger why {hand} finding -r {finding.book}",
        f"handledger rules {finding.book} {finding.clause}",
        f"handledger export {hand} --to handscript",
        f"handledger import {quote_for_shell(str(samples))}    # again: nothing new",
        "handledger verify",
    ]
