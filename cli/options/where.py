"""The option `--where QUERY`, for every command that selects hands."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import common_options
from ledger.errors import AddressError


def _print_query_help(query_text: str | None) -> str | None:
    """Print the words of queries for `--where help`, and exit. Return any other query."""
    if query_text is not None and query_text.strip().lower() == "help":
        from projections.queries.fields import write_query_help

        typer.echo(write_query_help())
        raise typer.Exit
    return query_text


QueryOption = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="QUERY",
        callback=_print_query_help,
        autocompletion=common_options.complete_query,
        help="Only matching hands: 'table:T7 pot>=200 -position:BTN'. `--where help` lists the words.",
    ),
]


def join_query(words: list[str] | None, query_text: str | None) -> str | None:
    """Join a command's words and `--where` into a query that asks for both. Return None if there is neither."""
    joined_words = " ".join(words or ())
    parts = [f"({part})" for part in (joined_words, query_text or "") if part.strip()]
    return " ".join(parts) if len(parts) > 1 else joined_words or query_text


def refuse_query_with_hands(text: str | None, hands: list[str] | None) -> None:
    """Raise an error if both a query and hands are given: it isn't clear which hands are meant."""
    if text is not None and hands:
        raise AddressError(
            "give hands or a query, not both", "Put the hand into the query: --where 'hand:42 pot>=200'."
        )
