"""`handledger rejects`: list spans that couldn't be read, with their bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.documents.import_documents import RejectsDocument
from cli.options import common_options, ledger_options
from cli.output import console
from cli.output.reject_text import describe_reasons, find_line
from ledger import safe
from projections.addresses import source_names
from projections.reports.rejects import RejectDocument, list_rejects

EXIT_REJECTS: Final = 3
"""The exit code if something couldn't be read."""
MAX_SHOWN_BYTES: Final = 4000
"""Bytes of a span shown with --bytes."""


def command(
    *,
    bytes_: Annotated[bool, typer.Option("--bytes", help="Show the text of each span.")] = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List what couldn't be read: where, why and how to fix it."""
    with ledger_options.open_ledger(url) as ledger:
        has_rejects = write_rejects(
            list_rejects(ledger), partial(source_names.read_span, ledger) if bytes_ else None, format_, file
        )
    raise typer.Exit(EXIT_REJECTS if has_rejects else 0)


def write_rejects(
    rejects: Iterator[RejectDocument], read: Callable[[str, int, int], bytes] | None, format_: str, file: Path | None
) -> bool:
    """Write rejected spans, with their bytes if `read` gets them; return whether there are any."""
    first_reject = next(rejects, None)
    all_rejects = chain([] if first_reject is None else [first_reject], rejects)
    if format_ == "json":
        console.write_listing(RejectsDocument(rejects=[]), "rejects", all_rejects, file)
    elif first_reject is None:
        console.write_text("Nothing was rejected.", file)
    else:
        console.write_lines((line for reject in all_rejects for line in _format_reject(reject, read)), file)
    return first_reject is not None


def _format_reject(reject: RejectDocument, read: Callable[[str, int, int], bytes] | None) -> list[str]:
    place = reject.place
    lines = [
        (
            f"{safe.terminal(place.file, 80)}:{find_line(reject, place.line)}  bytes {place.start}-{place.start + place.length}"
            f"  {console.paint('rejected', 'red')} ({reject.code})"
        ),
        *describe_reasons(reject),
    ]
    if read is not None:
        data = read(place.source, place.start, min(place.length, MAX_SHOWN_BYTES))
        lines += [f"    | {safe.terminal(line, 160)}" for line in data.decode("utf-8", "replace").splitlines()]
        if place.length > MAX_SHOWN_BYTES:
            lines.append(f"    | … {place.length - MAX_SHOWN_BYTES:,} more bytes")
    return lines
