"""`handledger export`: hands out of the ledger, in any format that we write."""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from cli import days, opening, options, output
from cli.documents import ExportDocument, LeftOutTold
from cli.log import chosen
from cli.where import Where, alone
from ledger import safe
from ledger.errors import LostInFormatError, NothingFoundError, UsageError
from projections.addresses import hand_address, source_names

if TYPE_CHECKING:
    from ledger.export.hands import Export
    from ledger.store import HandRow, Ledger


Lossy = Annotated[
    bool, typer.Option("--lossy", help="Write hands without what the format cannot say, instead of leaving them out.")
]
_SHOWN: Final = 10
"""Hands that are left out and named on a terminal."""


def command(
    hands: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HAND]...", help="Which hands, as for show; none = all.", autocompletion=options.complete_hands
        ),
    ] = None,
    *,
    to: Annotated[
        Literal["phh", "ohh", "pokerstars", "handscript", "jsonl", "csv", "parquet", "original"],
        typer.Option(
            "--to",
            help="What to write. csv: a row for each seat; jsonl, parquet: one for each event; original: the very bytes that were imported.",
        ),
    ],
    lossy: Lossy = False,
    audience: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="SEAT|PLAYER|public|house",
            help="Write what that audience may see: its own cards and those that were shown.",
        ),
    ] = "house",
    naming: Annotated[
        Literal["keep", "position", "pseudonym"],
        typer.Option("--names", help="Under which names: as they are, BTN and SB, or pseudonyms that stay the same."),
    ] = "keep",
    venue: Annotated[str | None, typer.Option("--venue", help="Only hands of this room.")] = None,
    table: options.Table = None,
    where: Where = None,
    source: Annotated[
        str | None, typer.Option("--source", help="Only hands of this file; with --to original, the file itself.")
    ] = None,
    as_of: options.AsOf = None,
    people_key: options.PeopleKey = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write hands as PHH, Open Hand History, PokerStars text, handscript, rows, or as they were imported.

    A hand of which the format cannot say something is left out and listed (exit code 3), unless --lossy
    writes it without that; where no hand is left, nothing is written. What was told between hands goes along in
    handscript, for the house and under its names; else it is left out and listed, too.

    \b
    handledger export T7/408 --to phh
    handledger export --table "Alcor II" --to ohh --as public --names pseudonym -o alcor.ohh
    handledger export --to original --source night.txt -o night.txt
    """  # noqa: D301 - \b keeps the lines of the examples
    from ledger.export.hands import Export

    alone(where, hands)
    wanted = _Wanted(hands, venue, table, source, where)
    with opening.opened(url, as_of=as_of, people_key=people_key) as ledger, output.Draft(file) as draft:
        somebody(ledger, audience)
        export = Export(ledger, to, audience, naming, lossy=lossy)
        _write(ledger, export, draft, wanted)
        losses = export.losses
        if export.out and not export.count:
            reasons = [safe.terminal(loss, 120) for loss in export.reasons]
            raise LostInFormatError(to, reasons, lossy=lossy)
        inline = draft.whole() if format_ == "json" and not draft.file else b""
        if format_ != "json" or draft.file:
            draft.publish()
        made = export.to, export.count, export.audience, draft.digest()
        given_out(url, *made, lossy=bool(losses), by="export")
    if format_ == "json":
        output.document(_document(export, losses, str(file) if file else "", inline))
    else:
        sys.stderr.write("".join(f"{line}\n" for line in _not_written(export)))
    if export.out or (export.apart and not lossy):
        raise typer.Exit(3)


def somebody(ledger: Ledger, audience: str) -> None:
    """Refuse an audience that is nobody here: under a name with a typing error all would be written as for the public."""
    from difflib import get_close_matches

    if audience in ("house", "public") or re.fullmatch(r"[0-9]{1,2}|[A-Za-z0-9_-]{16}", audience):  # a seat, an id
        return
    if ledger.people.called(audience):
        return
    with ledger.database.reading() as link:
        near = get_close_matches(audience, [name for _, _, name in ledger.people.all_names(link)], 1)
    raise UsageError(
        f"{audience[:40]!r} is nobody here",
        (f"Did you mean {near[0][:40]}? " if near else "")
        + "Say house, public, the number of a seat, or the name or the id of a player.",
    )


def _not_written(export: Export) -> Iterator[str]:
    """Say which hands were left out, and why; and what was, besides hands."""
    if export.out:
        yield f"{export.out:,} hand{'s' * (export.out != 1)} left out, of which {export.to} cannot say all:"
        for number, why in export.left_out[:_SHOWN]:
            yield f"  {safe.terminal(number, 24)}  {safe.terminal(why, 120)}"
        if export.out > _SHOWN:
            yield f"  and {export.out - _SHOWN:,} more (--format json lists them)"
        if not export.lossy:
            yield "Say --lossy to write them without what it cannot say."
    if export.apart:
        facts = f"{export.apart:,} fact{'s' * (export.apart != 1)}"
        yield f"{facts} between hands left out: they are written for the house and under their names alone."


def _document(export: Export, losses: list[str], file: str, data: bytes) -> ExportDocument:
    raw = export.to in ("original", "parquet")
    return ExportDocument(
        format=export.to,
        hands=export.count,
        losses=losses,
        file=file,
        data=b64encode(data).decode() if raw else data.decode("utf-8", "replace"),
        encoding="base64" if raw else "text",
        left_out=export.out,
        first_left_out=[LeftOutTold(number, why) for number, why in export.left_out],
    )


class _Wanted(NamedTuple):
    """Which hands."""

    hands: list[str] | None
    venue: str | None
    table: str | None
    source: str | None
    where: str | None


_AT_ONCE: Final = 500
"""Hands between two words of how far it is."""


def _write(ledger: Ledger, export: Export, draft: output.Draft, wanted: _Wanted) -> None:
    if export.to == "original":
        if not export.plain:
            raise UsageError(
                "the very bytes show everything to everybody", "Choose another --to, or leave out --as and --names."
            )
        _originals(ledger, export, draft, wanted)
    elif export.to == "parquet":
        _parquet(export, draft, _rows(ledger, wanted))
    elif export.to == "csv":
        draft.table(export.pieces(_rows(ledger, wanted)))
    else:
        for piece in export.pieces(_rows(ledger, wanted)):
            draft.write(piece.encode("utf-8", "surrogatepass"))


def given_out(url: str | None, kind: str, count: int, audience: str, digest: str, *, lossy: bool, by: str) -> None:
    """Write into the house's record that hands leave the ledger; say so where that cannot be."""
    from ledger.entry import Recorded
    from ledger.errors import StoreError
    from ledger.export.audience import HOUSE as ALL
    from ledger.export.audience import PUBLIC
    from ledger.house.events import ExportMade
    from ledger.streams import HOUSE

    made = ExportMade(kind, count, audience if audience in (ALL, PUBLIC) else "player", digest, lossy=lossy)
    try:
        with opening.opened(url, read_only=False) as ledger:
            ledger.append("house", HOUSE, [made], recorded=Recorded(ledger.now(), by=by))
    except StoreError as error:
        sys.stderr.write(f"handledger: this {by} is not recorded: {safe.lines(error.message)}\n")


def _rows(ledger: Ledger, wanted: _Wanted) -> Iterator[HandRow]:
    """Yield the hands that were asked for; none is an error."""
    rows: Iterable[HandRow]
    if wanted.hands:
        rows = [found.row for found in hand_address.find_all(ledger, wanted.hands)]
    elif wanted.where is not None:
        told = {"venue": wanted.venue, "table": wanted.table, "source": wanted.source}
        from projections.queries.ledger_query import add_options, list_matching_hands

        rows = list_matching_hands(ledger, add_options(wanted.where, told) or "", days.DEFAULT_DAY_START)
    else:
        rows = chosen(ledger, wanted.venue, wanted.table, wanted.source)
    progress = output.Progress()
    count = 0
    for count, row in enumerate(rows, 1):
        if not count % _AT_ONCE:
            progress(f"{count:,} hands written")
        yield row
    progress.clear()
    if not count:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")


def _originals(ledger: Ledger, export: Export, draft: output.Draft, wanted: _Wanted) -> None:
    """Write the bytes of the hands as their files have them, or a file itself."""
    if wanted.source and not wanted.hands and wanted.where is None:
        for block in ledger.sources.read(source_names.find_single_source(ledger, wanted.source)):
            draft.write(block)
        return
    before: bytes | None = None
    for row in _rows(ledger, wanted):
        if not row.source:
            raise NothingFoundError(f"hand {row.number!r} came from no file")
        if before is not None:
            draft.write(b"\n" if before.endswith(b"\n") else b"\n\n")
        before = ledger.sources.slice(row.source, row.start, row.length)
        draft.write(before)
        export.count += 1
    if export.count > 1 and before is not None and not before.endswith(b"\n"):
        draft.write(b"\n")


def _parquet(export: Export, draft: output.Draft, rows: Iterator[HandRow]) -> None:
    from tempfile import TemporaryDirectory

    from ledger.export.events import parquet

    if draft.file is None and sys.stdout.isatty():
        raise UsageError("Parquet is nothing for a terminal", "Name a file with -o.")
    with TemporaryDirectory(prefix="handledger-") as folder:
        path = Path(folder) / "events.parquet"
        parquet(export.events(rows), path)
        with path.open("rb") as made:
            while block := made.read(1024 * 1024):
                draft.write(block)
