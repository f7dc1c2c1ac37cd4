"""`handledger handscript`: a one-page card for the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from cli.documents.import_documents import HandscriptCardDocument
from cli.options import common_options
from cli.output import console

CARD_FILE: Final = Path(__file__).with_name("handscript_card.txt")
"""The card as text: at most 80 columns, and one page."""


def command(
    *,
    card: Annotated[  # noqa: ARG001 - there's nothing else to print yet
        bool, typer.Option("--card", help="Print the card (the default). A name ending in .pdf with -o makes a PDF.")
    ] = False,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Print a one-page card of handscript to keep at the table."""
    text = CARD_FILE.read_text("utf-8")
    if format_ == "json":
        console.write_document(HandscriptCardDocument(card=text), file)
    elif file is not None and file.suffix.lower() == ".pdf":
        from web.pages.paper import render_text_pdf

        console.write_bytes(render_text_pdf("handscript", text), file)
    else:
        console.write_text(text.rstrip(), file)
