"""`handledger export`: write hands of the ledger in other formats."""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from cli.documents.command_documents import ExportDocument, LeftOutHand
from cli.log import choose_rows
from cli.options import common_options, day_options, ledger_options, tape_options
from cli.options.where import QueryOption, refuse_query_with_hands
from cli.output import console
from ledger import safe
from ledger.errors import LostInFormatError, NothingFoundError, UsageError
from projections.addresses import hand_address, source_names

if TYPE_CHECKING:
    from ledger.export.hands import Export
    from ledger.store import HandRow, Ledger


_FORMATS_HELP: Final = (
    "The format. csv: a row per seat; jsonl, parquet: a row per event; original: the imported bytes; "
    "webvtt, edl: an index of a camera's recording."
)
Lossy = Annotated[bool, typer.Option("--lossy", help="Write hands without the parts that the format can't hold.")]
_MAX_NAMED_HANDS: Final = 10
"""Left-out hands that the terminal lists."""


def command(
    hands: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HAND]...",
            help="Hands such as T7/408. Default: all.",
            autocompletion=common_options.complete_hands,
        ),
    ] = None,
    *,
    target_format: Annotated[
        Literal["phh", "ohh", "pokerstars", "handscript", "jsonl", "csv", "parquet", "original", "webvtt", "edl"],
        typer.Option("--to", help=_FORMATS_HELP),
    ],
    lossy: Lossy = False,
    audience: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="SEAT|PLAYER|public|house",
            help="Only what this reader may see: their own cards and shown cards.",
        ),
    ] = "house",
    naming: Annotated[
        Literal["keep", "position", "pseudonym"],
        typer.Option("--names", help="Names as they are, positions (BTN, SB), or fixed pseudonyms."),
    ] = "keep",
    venue: Annotated[str | None, typer.Option("--venue", help="Only hands of this room.")] = None,
    table: common_options.Table = None,
    query_text: QueryOption = None,
    source: Annotated[
        str | None, typer.Option("--source", help="Only hands of this file. With --to original: the file itself.")
    ] = None,
    starts: tape_options.Starts = None,
    ends: tape_options.Ends = None,
    clock: tape_options.ClockOffset = None,
    matches: tape_options.Matches = None,
    frame_rate: tape_options.FrameRate = None,
    books: common_options.Books = None,
    as_of: common_options.AsOf = None,
    people_key: common_options.PeopleKey = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Export hands as PHH, Open Hand History, PokerStars text or rows, or index a recording of them."""
    from ledger.export.audience import require_audience
    from ledger.export.hands import Export

    refuse_query_with_hands(query_text, hands)
    selection = _HandSelection(hands, venue, table, source, query_text)
    tape = tape_options.TapeOptions(starts, ends, clock, matches or [], frame_rate, books)
    tape.require_tape(target_format)
    with (
        ledger_options.open_ledger(url, as_of=as_of, people_key=people_key) as ledger,
        console.PendingOutput(file) as draft,
    ):
        require_audience(ledger, audience)
        export = Export(ledger, target_format, audience, naming, lossy=lossy)
        remarks = _write_hands(ledger, export, draft, selection, tape)
        lost_facts = [*export.losses, *remarks]
        if export.left_out_count and not export.count:
            reasons = [safe.terminal(loss, 120) for loss in export.reasons]
            raise LostInFormatError(target_format, reasons, lossy=lossy)
        inline_data = draft.read_all() if format_ == "json" and not draft.file else b""
        if format_ != "json" or draft.file:
            draft.publish()
        export_facts = export.format_name, export.count, export.audience, draft.digest()
        record_export(url, *export_facts, lossy=bool(lost_facts), role="export")
    if format_ == "json":
        console.write_document(_build_document(export, lost_facts, str(file) if file else "", inline_data))
    else:
        sys.stderr.write("".join(f"{line}\n" for line in _describe_left_out(export)))
    if export.left_out_count or (export.unwritten_facts and not lossy):
        raise typer.Exit(3)


def _describe_left_out(export: Export) -> Iterator[str]:
    """Yield which hands and other facts were left out, and why."""
    if export.left_out_count:
        hands = f"{export.left_out_count:,} hand{'s' * (export.left_out_count != 1)}"
        them = "it" if export.left_out_count == 1 else "them"
        yield f"{hands} left out: {export.format_name} can't hold everything in {them}."
        for number, reason in export.left_out[:_MAX_NAMED_HANDS]:
            yield f"  {safe.terminal(number, 24)}  {safe.terminal(reason, 120)}"
        if export.left_out_count > _MAX_NAMED_HANDS:
            yield f"  and {export.left_out_count - _MAX_NAMED_HANDS:,} more (--format json lists them)"
        if not export.lossy:
            yield "Add --lossy to write them without those facts."
    if export.unwritten_facts:
        fact_count = f"{export.unwritten_facts:,} fact{'s' * (export.unwritten_facts != 1)}"
        yield f"{fact_count} between hands left out: they are written only for the house, and only under real names."


def _build_document(export: Export, losses: list[str], file: str, data: bytes) -> ExportDocument:
    is_binary = export.format_name in ("original", "parquet")
    return ExportDocument(
        format=export.format_name,
        hands=export.count,
        losses=losses,
        file=file,
        data=b64encode(data).decode() if is_binary else data.decode("utf-8", "replace"),
        encoding="base64" if is_binary else "text",
        left_out=export.left_out_count,
        first_left_out=[LeftOutHand(number, reason) for number, reason in export.left_out],
    )


class _HandSelection(NamedTuple):
    """The options that choose hands."""

    hands: list[str] | None
    venue: str | None
    table: str | None
    source: str | None
    query: str | None


_HANDS_PER_REPORT: Final = 500
"""Hands between two updates of the progress."""


def _write_hands(
    ledger: Ledger,
    export: Export,
    draft: console.PendingOutput,
    selection: _HandSelection,
    tape: tape_options.TapeOptions,
) -> list[str]:
    """Write the chosen hands; return remarks about what an index of a recording lacks."""
    if export.format_name in tape_options.TAPE_FORMATS:
        from cli.proofs.tape_index import write_tape_index

        return write_tape_index(export, tape, list(_list_rows(ledger, selection)), draft)
    if export.format_name == "original":
        if not export.is_unchanged:
            raise UsageError(
                "the original bytes show everything to everybody", "Choose another --to, or leave out --as and --names."
            )
        _write_originals(ledger, export, draft, selection)
    elif export.format_name == "parquet":
        _write_parquet(export, draft, _list_rows(ledger, selection))
    elif export.format_name == "csv":
        draft.write_table(export.text_pieces(_list_rows(ledger, selection)))
    else:
        for piece in export.text_pieces(_list_rows(ledger, selection)):
            draft.write(piece.encode("utf-8", "surrogatepass"))
    return []


def record_export(
    url: str | None, kind: str, count: int, audience: str, digest: str, *, lossy: bool, role: str
) -> None:
    """Record in the house's stream that hands leave the ledger; print a warning if it can't be written."""
    from ledger.errors import StoreError
    from ledger.export.export_record import append_export

    try:
        with ledger_options.open_ledger(url, read_only=False) as ledger:
            append_export(ledger, kind, count, audience, digest, lossy=lossy, program=role)
    except StoreError as error:
        sys.stderr.write(f"handledger: this {role} wasn't recorded: {safe.lines(error.message)}\n")


def _list_rows(ledger: Ledger, selection: _HandSelection) -> Iterator[HandRow]:
    """Yield the chosen hands; raise an error if there are none."""
    rows: Iterable[HandRow]
    if selection.hands:
        rows = [hand_match.row for hand_match in hand_address.find_all(ledger, selection.hands)]
    elif selection.query is not None:
        given_options = {"venue": selection.venue, "table": selection.table, "source": selection.source}
        from projections.queries.ledger_query import add_option_terms, list_matching_hands

        rows = list_matching_hands(
            ledger, add_option_terms(selection.query, given_options) or "", day_options.DEFAULT_DAY_START
        )
    else:
        rows = choose_rows(ledger, selection.venue, selection.table, selection.source)
    progress = console.ProgressLine()
    count = 0
    for count, row in enumerate(rows, 1):
        if not count % _HANDS_PER_REPORT:
            progress(f"{count:,} hands written")
        yield row
    progress.clear()
    if not count:
        raise ledger_options.no_hands_error(ledger, table=selection.table)


def _write_originals(ledger: Ledger, export: Export, draft: console.PendingOutput, selection: _HandSelection) -> None:
    """Write the original bytes of the hands, or of a whole file."""
    if selection.source and not selection.hands and selection.query is None:
        for block in ledger.sources.read(source_names.find_single_source(ledger, selection.source)):
            draft.write(block)
        return
    last_data: bytes | None = None
    for row in _list_rows(ledger, selection):
        if not row.source:
            raise NothingFoundError(f"hand {row.number!r} came from no file")
        if last_data is not None:
            draft.write(b"\n" if last_data.endswith(b"\n") else b"\n\n")
        last_data = ledger.sources.slice(row.source, row.start, row.length)
        draft.write(last_data)
        _name_answers(ledger, row)
        export.count += 1
    if export.count > 1 and last_data is not None and not last_data.endswith(b"\n"):
        draft.write(b"\n")


def _name_answers(ledger: Ledger, row: HandRow) -> None:
    """Print the answers that completed the notes of a hand: its own bytes don't contain them."""
    from cli.proofs.evidence_builder import find_hand_answers
    from ledger.entry import SourceSpan

    answers = find_hand_answers(ledger.sources.slice, SourceSpan(row.source, row.start, row.length))
    if answers is None:
        return
    answer_lines = answers.section.decode("utf-8", "replace").splitlines()[1:]
    sys.stderr.write(
        f"handledger: hand {safe.terminal(row.number, 24)} is lines {answers.first_line} to {answers.last_line} "
        f"of its file. Its notes were completed with:\n"
    )
    sys.stderr.writelines(f"  {safe.terminal(line, 200)}\n" for line in answer_lines)


def _write_parquet(export: Export, draft: console.PendingOutput, rows: Iterator[HandRow]) -> None:
    from tempfile import TemporaryDirectory

    from ledger.export.events import write_parquet

    if draft.file is None and sys.stdout.isatty():
        raise UsageError("Parquet isn't text for a terminal", "Write it to a file: add -o hands.parquet")
    with TemporaryDirectory(prefix="handledger-") as folder:
        path = Path(folder) / "events.parquet"
        write_parquet(export.export_events(rows), path)
        with path.open("rb") as parquet_file:
            while block := parquet_file.read(1024 * 1024):
                draft.write(block)
