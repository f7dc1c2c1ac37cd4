"""Options that many commands share, and their completions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from ledger.vocabulary import Role

Shape: TypeAlias = Literal["text", "json"]


def _find_ledger_url(ctx: typer.Context) -> str | None:
    """Return the value of --ledger typed so far; the command may call its parameter something else."""
    name = next((parameter.name for parameter in ctx.command.params if "--ledger" in parameter.opts), None)
    return ctx.params.get(name) if name else None


def complete_hands(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return numbers of hands in the ledger that begin with `incomplete`, newest first."""
    from cli.options.completion import suggest_hands

    return suggest_hands(_find_ledger_url(ctx), incomplete)


def complete_cases(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return numbers of cases in the ledger that begin with `incomplete`, newest first."""
    from cli.options.completion import suggest_cases

    return suggest_cases(_find_ledger_url(ctx), incomplete)


def complete_books(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the names of the rulebooks that begin with `incomplete`."""
    from cli.options.completion import suggest_books

    return suggest_books(_find_ledger_url(ctx), incomplete)


def complete_tables(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return names of tables in the ledger that begin with `incomplete`."""
    from cli.options.completion import suggest_tables

    return suggest_tables(_find_ledger_url(ctx), incomplete)


def complete_people(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return names of people in the ledger that begin with `incomplete`."""
    from cli.options.completion import suggest_people

    return suggest_people(_find_ledger_url(ctx), incomplete)


def complete_clauses(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return clauses of the rulebooks, with their books, that begin with `incomplete`."""
    from cli.options.completion import suggest_clauses

    return suggest_clauses(_find_ledger_url(ctx), incomplete)


def complete_query(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return a query with its last word completed."""
    from cli.options.completion import suggest_queries

    return suggest_queries(_find_ledger_url(ctx), incomplete)


Table = Annotated[str | None, typer.Option("--table", help="Only hands of this table.", autocompletion=complete_tables)]
Books = Annotated[
    list[str] | None,
    typer.Option(
        "--rulebook",
        "-r",
        metavar="BOOK",
        autocompletion=complete_books,
        help="The rulebook; a path ending in .toml is your own. Repeatable.",
    ),
]
OpenCards = Annotated[bool, typer.Option("--open-cards", help="Open hidden cards. The ledger records that you looked.")]
OpeningReason = Annotated[str, typer.Option("--why", help="Your reason; required with --open-cards.")]
OpenedBy = Annotated[Role, typer.Option("--by", help="Your role; recorded with --open-cards.")]
OpenedPerson = Annotated[str, typer.Option("--person", metavar="NAME", help="Your name; recorded with --open-cards.")]
Person = Annotated[
    str, typer.Option("--person", metavar="NAME", help="Your name: a name, venue/name, or the beginning of an id.")
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="MOMENT",
        help="Show the ledger as it stood then: a date (its end, UTC), a time, or a log number.",
    ),
]
LedgerUrl = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        envvar="HANDLEDGER_URL",
        metavar="URL",
        help="The ledger: a file or postgresql://host/name. Default: a file in your data folder.",
    ),
]
PeopleKey = Annotated[
    Path | None,
    typer.Option(
        "--people-key",
        metavar="FILE",
        help="The key behind players' ids. Default: the file in HANDLEDGER_PEOPLE_KEY, or one in your settings folder.",
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=64, help="The number of processes. The answer is the same.")
]
Format = Annotated[Shape, typer.Option("--format", help="Text for people, or JSON for programs.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE instead of standard output.")
]
