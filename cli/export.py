"""`handledger export`: hands out of the ledger, in any format that we write."""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from cli import addresses, options, output, sources
from cli.documents import ExportDocument
from cli.log import chosen
from ledger import safe
from ledger.errors import LostInFormatError, NothingFoundError

if TYPE_CHECKING:
    from ledger.account import Account
    from ledger.entry import Entry
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger


def command(
    hands: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HAND]...",
            help="Which hands, as for show; none = all.",
            autocompletion=options.complete_hands,
        ),
    ] = None,
    *,
    to: Annotated[
        Literal["phh", "pokerstars", "handscript", "jsonl", "original"],
        typer.Option("--to", help="What to write. original = the very bytes that were imported."),
    ],
    lossy: Annotated[
        bool,
        typer.Option("--lossy", help="Leave out what the format cannot say, instead of refusing."),
    ] = False,
    venue: Annotated[str | None, typer.Option("--venue", help="Only hands of this room.")] = None,
    table: Annotated[str | None, typer.Option("--table", help="Only hands of this table.")] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source", help="Only hands of this file; with --to original, the file itself."
        ),
    ] = None,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write hands as PHH, PokerStars text, handscript, JSON lines, or as they were imported.

    A format that cannot say something of these hands refuses and lists what would be lost.

    \b
    handledger export 208958141851 --to phh
    handledger export --table "Alcor II" --to pokerstars -o alcor.txt
    handledger export --to original --source night.txt -o night.txt
    """  # noqa: D301 - \b keeps the lines of the examples
    no_losses: list[str] = []
    with options.opened(ledger) as book:
        if to == "original" and source and not hands:
            data, count, losses = _source(book, source), 0, no_losses
        else:
            rows = _rows(book, hands, venue, table, source)
            count = len(rows)
            data, losses = _originals(book, rows) if to == "original" else _written(book, rows, to)
        if losses and not lossy:
            raise LostInFormatError(to, [safe.terminal(loss, 120) for loss in losses])
    name = str(file) if file else ""
    _recorded(ledger, to, count, data, lossy=bool(losses))
    if format_ == "json":
        inline = data if not name else b""
        original = to == "original"
        told = b64encode(inline).decode() if original else inline.decode("utf-8", "replace")
        if name:
            output.put_bytes(data, file)
        output.document(ExportDocument(
            format=to, hands=count, losses=losses, file=name, data=told,
            encoding="base64" if original else "text",
        ))  # fmt: skip
        return
    output.put_bytes(data, file)


def _recorded(url: str | None, to: str, count: int, data: bytes, *, lossy: bool) -> None:
    """Write into the house's record that hands leave the ledger; say so where that cannot be."""
    from hashlib import sha256

    from ledger.entry import Recorded
    from ledger.errors import StoreError
    from ledger.house.events import ExportMade
    from ledger.streams import HOUSE

    made = ExportMade(to, count, "house", sha256(data).hexdigest(), lossy=lossy)
    try:
        with options.opened(url, read_only=False) as book:
            book.append("house", HOUSE, [made], recorded=Recorded(book.now(), by="export"))
    except StoreError as error:
        sys.stderr.write(f"handledger: this export is not recorded: {safe.lines(error.message)}\n")


def _rows(
    ledger: Ledger,
    hands: list[str] | None,
    venue: str | None,
    table: str | None,
    source: str | None,
) -> list[HandRow]:
    rows = ([found.row for found in addresses.find_all(ledger, hands)] if hands
            else list(chosen(ledger, venue, table, source)))  # fmt: skip
    if not rows:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")
    return rows


def _source(ledger: Ledger, name: str) -> bytes:
    return ledger.sources.get(sources.named(ledger, name)[0])


def _originals(ledger: Ledger, rows: list[HandRow]) -> tuple[bytes, list[str]]:
    """Return the bytes of the hands as their files have them."""
    parts = []
    for row in rows:
        if not row.source:
            raise NothingFoundError(f"hand {row.number!r} came from no file")
        data = ledger.sources.slice(row.source, row.start, row.length)
        parts.append(data if data.endswith(b"\n") or len(rows) == 1 else data + b"\n")
    return b"\n".join(parts), []


def _written(ledger: Ledger, rows: list[HandRow], to: str) -> tuple[bytes, list[str]]:
    """Return hands in a format, and what it cannot say of them, each loss once."""
    if to == "jsonl":
        return "".join(_json_lines(ledger, rows)).encode("utf-8"), []
    from ledger import formats
    from ledger.errors import UsageError
    from ledger.replay import corrected

    form = formats.get(to)
    if form.write is None:
        raise UsageError(f"{form.title} is read and not written")
    parts, losses = [], dict[str, None]()
    for row in rows:
        entries = ledger.entries(row.stream)
        if form.write_account is not None:
            parts.append(form.write_account(_account(entries), ledger.people))
            continue
        events = [event for _, event in corrected(_events(entries))]
        written = form.write(events, ledger.people)
        parts.append(written.text)
        losses.update(dict.fromkeys(written.losses))
        timed = sum(entry.mark.at is not None for entry in entries)
        if timed:
            losses[f"when {timed} events of hand {row.number} happened"] = None
    text = form.join(parts) if form.join else form.between.join(parts)
    return text.encode("utf-8", "surrogatepass"), list(losses)


def _events(entries: list[Entry]) -> list[HandEvent]:
    return cast("list[HandEvent]", [entry.event for entry in entries])


def _account(entries: list[Entry]) -> Account:
    """Return a hand as it was recorded, to be written in a notation that loses nothing."""
    from ledger.account import Account

    marks = [entry.mark for entry in entries]
    return Account(
        _events(entries), [], 0, 0,
        [index for index, mark in enumerate(marks) if mark.how == "derived"],
        {index: mark.at for index, mark in enumerate(marks) if mark.at is not None},
    )  # fmt: skip


def _json_lines(ledger: Ledger, rows: list[HandRow]) -> Iterator[str]:
    """Yield one JSON object a line for each event, with names and texts beside the opaque ids."""
    import msgspec

    from ledger.event import topic

    for row in rows:
        for entry in ledger.entries(row.stream):
            event = entry.event
            fields = dict(
                zip(event.__struct_fields__, msgspec.to_builtins(event)[1:], strict=False)
            )
            line = {
                "stream": entry.stream.hex, "number": row.number, "version": entry.version,
                "position": entry.position, "topic": topic(type(event)), "event": fields,
            }  # fmt: skip
            player = fields.get("player")
            if player and (name := ledger.people.name(player)) is not None:
                line["name"] = name
            yield safe.json(line) + "\n"
