"""`handledger pocket`: write the folder of a page with which phones find dues without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.documents.command_documents import PocketDocument
from cli.options import common_options
from cli.output import console
from ledger.text.language import phrase


def command(
    *,
    folder: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="DIR", help="The folder to write; one that this command wrote is replaced."
        ),
    ],
    archives: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="DIR",
            help="Take the browser's Python from the archives in this folder. Default: fetch them once, with npm and pip.",
        ),
    ] = None,
    format_: common_options.Format = "text",
) -> None:
    """Write a page for phones that tells who posts what, also without a network."""
    from web.pocket.folder import write_folder

    with console.show_progress(phrase("writing the page")):
        written = write_folder(folder, archives)
    document = PocketDocument(
        folder=str(folder),
        files=len(written.files),
        bytes=sum(written.files.values()),
        digest=written.digest,
        compiled=written.is_compiled,
    )
    if format_ == "json":
        console.write_document(document)
        return
    console.write_text(_format_answer(document))


def _format_answer(document: PocketDocument) -> str:
    megabytes = f"{document.bytes / 1_000_000:.1f}"
    lines = [
        phrase(
            "Wrote {count} files, {megabytes} MB, to {folder}",
            count=document.files,
            megabytes=megabytes,
            folder=document.folder,
        ),
        phrase(
            "Put the folder on a web server with HTTPS, or see it here: handledger serve --pocket {folder}",
            folder=document.folder,
        ),
    ]
    if not document.compiled:
        lines.append(
            phrase("There's no Node.js here that could compile its modules: the page starts slower on a phone.")
        )
    return "\n".join(lines)
