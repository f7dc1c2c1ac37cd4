"""Time stamps on the command line: the certificates that are trusted, and the answers of authorities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.documents.command_documents import StampDocument
from cli.options import ledger_options
from cli.output import console
from ledger import safe
from ledger.errors import UsageError
from ledger.files.plain_files import read_contents

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from ledger.store import Ledger

Trusted = Annotated[
    list[Path] | None,
    typer.Option(
        "--tsa", metavar="ROOTS", help="Root certificates (PEM) of time stamping authorities you trust. Repeatable."
    ),
]


def trusted(paths: list[Path]) -> list[Certificate]:
    """Return the certificates of PEM files."""
    from ledger.seal import stamps

    return [certificate for path in paths for certificate in stamps.read_roots(read(path, stamps.MOST_ROOTS_BYTES))]


def read(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file that a stranger made, and not many more than `most` of them."""
    try:
        return read_contents(path, max_bytes)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def take_stamp(ledger: Ledger, answer: Path, paths: list[Path] | None) -> StampDocument:
    """Keep what an authority answered, once it is shown that one of those that are trusted did."""
    from ledger.seal import stamps
    from ledger.store.seals import time_stamps

    if not paths:
        raise UsageError(
            "--timestamped needs --tsa: who it is that is trusted to know the time",
            "Get the authority's root certificate from the authority itself.",
        )
    receipt = time_stamps.add_stamp(ledger, read(answer, stamps.MOST_ANSWER_BYTES), trusted(paths))
    return StampDocument(
        ledger=ledger_options.name_of(ledger),
        new=receipt.is_new,
        size=receipt.size,
        time=stamps.format_time(receipt.checked_stamp.time),
        within_ms=round(receipt.checked_stamp.accuracy.total_seconds() * 1000),
        authority=receipt.checked_stamp.authority,
    )


def text(document: StampDocument) -> str:
    """Return a stamp that was taken in for people."""
    status = "kept" if document.new else "kept already"
    return (
        f"{console.paint(status, 'bold')}: the checkpoint of {document.size:,} commits existed before "
        f"{document.time}, says {safe.terminal(document.authority, 200)}"
    )
