"""`handledger rejects`: what could not be read, with its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Final

import typer

from cli import opening, options, output
from cli.import_documents import RejectsDocument
from ledger import safe
from ledger.intake.summary import RejectSummary
from projections.addresses import source_names
from projections.reports.rejects import RejectTold, list_rejects

SHOWN_MOST: Final = 4000
"""Bytes of a span shown with --bytes."""


def command(
    *,
    bytes_: Annotated[bool, typer.Option("--bytes", help="Show the bytes of each span as text.")] = False,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List the spans of sources that no reader understood: where, why, what to do.

    Exit 0 if there is none, 3 if there are any: they are still to be looked at.
    """
    with opening.opened(url) as ledger:
        there = tell(list_rejects(ledger), partial(source_names.read_span, ledger) if bytes_ else None, format_, file)
    raise typer.Exit(3 if there else 0)


def tell(
    rejects: Iterator[RejectTold], read: Callable[[str, int, int], bytes] | None, format_: str, file: Path | None
) -> bool:
    """Put out spans that were rejected, with their bytes if these can be `read`; say whether there are any."""
    first = next(rejects, None)
    found = chain([] if first is None else [first], rejects)
    if format_ == "json":
        output.listing(RejectsDocument(rejects=[]), "rejects", found, file)
    elif first is None:
        output.put("Nothing was rejected.", file)
    else:
        output.lines((line for reject in found for line in _lines(reject, read)), file)
    return first is not None


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


def _lines(reject: RejectTold, read: Callable[[str, int, int], bytes] | None) -> list[str]:
    place = reject.place
    lines = [
        (
            f"{safe.terminal(place.file, 80)}:{place.line}  bytes {place.start}-{place.start + place.length}"
            f"  {output.paint('rejected', 'red')} ({reject.code})"
        ),
        *why(reject),
    ]
    if read is not None:
        data = read(place.source, place.start, min(place.length, SHOWN_MOST))
        lines += [f"    | {safe.terminal(line, 160)}" for line in data.decode("utf-8", "replace").splitlines()]
        if place.length > SHOWN_MOST:
            lines.append(f"    | … {place.length - SHOWN_MOST:,} more bytes")
    return lines
