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

MAX_SHOWN_BYTES: Final = 4000
"""Bytes of a span shown with --bytes."""


def command(
    *,
    bytes_: Annotated[bool, typer.Option("--bytes", help="Show the text of each span.")] = False,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List what couldn't be read: where, why and how to fix it."""
    with opening.opened(url) as ledger:
        has_rejects = tell(
            list_rejects(ledger), partial(source_names.read_span, ledger) if bytes_ else None, format_, file
        )
    raise typer.Exit(3 if has_rejects else 0)


def tell(
    rejects: Iterator[RejectTold], read: Callable[[str, int, int], bytes] | None, format_: str, file: Path | None
) -> bool:
    """Put out spans that were rejected, with their bytes if these can be `read`; say whether there are any."""
    first_reject = next(rejects, None)
    all_rejects = chain([] if first_reject is None else [first_reject], rejects)
    if format_ == "json":
        output.listing(RejectsDocument(rejects=[]), "rejects", all_rejects, file)
    elif first_reject is None:
        output.write_text("Nothing was rejected.", file)
    else:
        output.lines((line for reject in all_rejects for line in _format_reject(reject, read)), file)
    return first_reject is not None


def describe_reasons(reject: RejectTold | RejectSummary) -> list[str]:
    """Return why a span was rejected: each line that is wrong, and how it should be."""
    if not reject.problems:
        return [f"    {safe.terminal(text, 200)}" for text in (reject.reason, reject.hint) if text]
    lines = []
    for problem in reject.problems:
        line_text = f"line {problem.line}: " if problem.line else ""
        lines.append(f"    {line_text}{safe.terminal(problem.reason, 200)}")
        labelled_texts = (
            ("write", problem.write),
            ("form", "" if problem.form == problem.write else problem.form),
            ("", problem.hint),
        )
        lines += [
            f"        {f'{label:<7}' if label else ''}{safe.terminal(text, 200)}"
            for label, text in labelled_texts
            if text
        ]
    return lines


def _format_reject(reject: RejectTold, read: Callable[[str, int, int], bytes] | None) -> list[str]:
    place = reject.place
    lines = [
        (
            f"{safe.terminal(place.file, 80)}:{place.line}  bytes {place.start}-{place.start + place.length}"
            f"  {output.paint('rejected', 'red')} ({reject.code})"
        ),
        *describe_reasons(reject),
    ]
    if read is not None:
        data = read(place.source, place.start, min(place.length, MAX_SHOWN_BYTES))
        lines += [f"    | {safe.terminal(line, 160)}" for line in data.decode("utf-8", "replace").splitlines()]
        if place.length > MAX_SHOWN_BYTES:
            lines.append(f"    | … {place.length - MAX_SHOWN_BYTES:,} more bytes")
    return lines
