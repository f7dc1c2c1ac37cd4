"""`--where QUERY`: hands that are asked for in words, for every command that takes hands."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import common_options
from ledger.errors import AddressError


def _help(query_text: str | None) -> str | None:
    """Show what a query may say, where that is asked."""
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
        callback=_help,
        autocompletion=common_options.complete_query,
        help="Only matching hands: 'table:T7 pot>=200 -position:BTN'. `--where help` lists the words.",
    ),
]


def refuse_query_with_hands(text: str | None, hands: list[str] | None) -> None:
    """Refuse a query beside hands that are named: for nobody knows which is meant."""
    if text is not None and hands:
        raise AddressError("hands that are named, and a query", "Put the query alone: --where 'hand:42 pot>=200'.")
