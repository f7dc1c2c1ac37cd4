"""`handledger verify`: whether the ledger holds what was written into it."""

from __future__ import annotations

from typing import Final

import typer

from cli import options, output
from cli.documents import ProblemTold, VerifyDocument
from ledger import safe

CHECKED: Final = (
    "the guards that keep the log append-only are in place",
    "every commit's hash, derived anew from its raw row, and its link to the one before",
    "positions and versions follow one another without a gap",
    "every stored event is one that its stream may hold, with its mark",
    "the index of hands says what the log says",
    "the bytes of every source have the digest under which they are kept",
)
NOT_PROVED: Final = (
    "that nobody rewrote the whole log: compare the head with one written down elsewhere",
    "that a source told the truth: its bytes are kept as they came",
)


def command(
    *,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Derive every hash, position and link of the ledger again from its raw rows.

    Exit 0 if all agrees, 4 if anything does not. What cannot be proved is said.
    """
    with options.opened(ledger) as book:
        problems = [ProblemTold(p.code, p.reason, p.position) for p in book.verify()]
        positions, head = book.head()
        document = VerifyDocument(
            ledger=options.name_of(book), sound=not problems, checked=list(CHECKED),
            not_proved=list(NOT_PROVED), problems=problems, positions=positions, head=head,
        )  # fmt: skip
    if format_ == "json":
        output.document(document, file)
    else:
        output.put(_text(document), file)
    raise typer.Exit(4 if problems else 0)


def _text(document: VerifyDocument) -> str:
    lines = [
        f"{output.paint('✓', 'green')} {safe.terminal(checked)}" for checked in document.checked
    ]
    for problem in document.problems:
        where = "" if problem.position is None else f"position {problem.position}: "
        lines.append(
            f"{output.paint('✗', 'red')} {where}{safe.terminal(problem.reason)} ({problem.code})"
        )
    lines += [f"! not proved: {safe.terminal(limit)}" for limit in document.not_proved]
    verdict = "SOUND" if document.sound else f"BROKEN in {len(document.problems)} places"
    return "\n".join(
        [*lines, f"{verdict}: {document.positions:,} events, head {document.head[:16]}"]
    )
