"""`handledger handscript`: a one-page card for the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from cli import options, output
from cli.import_documents import HandscriptCardDocument

CARD_FILE: Final = Path(__file__).with_name("handscript_card.txt")
"""The card as text: at most 80 columns, and one page."""


def command(
    *,
    card: Annotated[  # noqa: ARG001 - there's nothing else to print yet
        bool, typer.Option("--card", help="Print the card (the default). A name ending in .pdf with -o makes a PDF.")
    ] = False,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Print a one-page card of handscript to keep at the table."""
    text = CARD_FILE.read_text("utf-8")
    if format_ == "json":
        output.document(HandscriptCardDocument(card=text), file)
    elif file is not None and file.suffix.lower() == ".pdf":
        from web.paper import render_text_pdf

        output.put_bytes(render_text_pdf("handscript", text), file)
    else:
        output.write_text(text.rstrip(), file)
