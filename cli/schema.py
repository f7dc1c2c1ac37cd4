"""`handledger schema`: print the JSON Schemas of documents and events."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import common_options
from cli.output import console
from ledger.errors import UsageError


def complete_names(incomplete: str) -> list[str]:
    """Return the names of schemas that begin with `incomplete`."""
    from cli.documents import published

    return [name for name in published.list_names() if name.startswith(incomplete)]


def command(
    name: Annotated[
        str | None, typer.Argument(help="A document or an event. Default: list them.", autocompletion=complete_names)
    ] = None,
    *,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Print the JSON Schema of a document or an event."""
    from cli.documents import published
    from cli.documents.command_documents import SchemasDocument
    from ledger import safe

    schema_names = published.list_names()
    if name is None:
        document = SchemasDocument(names=schema_names)
        console.write_text(console.encode_document(document) if format_ == "json" else "\n".join(schema_names), file)
        return
    try:
        schema = published.find_schema(name)
    except KeyError:
        from difflib import get_close_matches

        close_names = get_close_matches(name, schema_names, 3)
        raise UsageError(
            f"there is no schema {name!r}",
            f"Did you mean {' or '.join(close_names)}?" if close_names else "To list them: handledger schema",
        ) from None
    console.write_text(safe.json(schema, indent=2), file)
