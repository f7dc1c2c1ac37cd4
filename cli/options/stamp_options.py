"""Time stamps on the command line: trusted root certificates, and the answers of authorities."""

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


def read_trusted_roots(paths: list[Path]) -> list[Certificate]:
    """Read the trusted root certificates from PEM files."""
    from ledger.seal import stamps

    return [
        certificate for path in paths for certificate in stamps.read_roots(_read_file(path, stamps.MOST_ROOTS_BYTES))
    ]


def _read_file(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file from a stranger, reading little more than `max_bytes`. `UsageError` if it can't be read."""
    try:
        return read_contents(path, max_bytes)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def take_stamp(ledger: Ledger, answer: Path, paths: list[Path] | None) -> StampDocument:
    """Store an authority's answer after checking that a trusted authority signed it."""
    from ledger.seal import stamps
    from ledger.store.seals import time_stamps

    if not paths:
        raise UsageError(
            "--timestamped needs --tsa: the authority whose time you trust",
            "Get the authority's root certificate from the authority itself.",
        )
    receipt = time_stamps.add_stamp(ledger, _read_file(answer, stamps.MOST_ANSWER_BYTES), read_trusted_roots(paths))
    return StampDocument(
        ledger=ledger_options.name_ledger(ledger),
        new=receipt.is_new,
        size=receipt.size,
        time=stamps.format_time(receipt.checked_stamp.time),
        within_ms=round(receipt.checked_stamp.accuracy.total_seconds() * 1000),
        authority=receipt.checked_stamp.authority,
    )


def describe_stamp(document: StampDocument) -> str:
    """Describe a stored stamp in a sentence."""
    status = "kept" if document.new else "kept already"
    return (
        f"{console.paint(status, 'bold')}: the checkpoint of {document.size:,} commits existed before "
        f"{document.time}, says {safe.terminal(document.authority, 200)}"
    )
