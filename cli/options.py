"""Options that many commands share, and what completes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from ledger.store import Ledger

Shape: TypeAlias = Literal["text", "json"]


def complete_hands(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return numbers of hands in the ledger that begin with `incomplete`, newest first."""
    from cli.completing import hands

    return hands(ctx.params.get("ledger"), incomplete)


def complete_cases(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return numbers of cases in the ledger that begin with `incomplete`, newest first."""
    from cli.completing import cases

    return cases(ctx.params.get("ledger"), incomplete)


def complete_books(incomplete: str) -> list[str]:
    """Return the names of the rulebooks that begin with `incomplete`."""
    from cli.completing import books

    return books(incomplete)


Books = Annotated[
    list[str] | None,
    typer.Option(
        "--rulebook", "-r", metavar="BOOK", autocompletion=complete_books,
        help="The rulebook; may be said several times. A path ending in .toml is your own.",
    ),
]  # fmt: skip
OpenCards = Annotated[
    bool,
    typer.Option(
        "--open-cards", help="Open cards that are kept apart; that you looked is recorded."
    ),
]
Why = Annotated[
    str, typer.Option("--why", help="What you open cards for; needed with --open-cards.")
]
LedgerUrl = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        envvar="HANDLEDGER_URL",
        metavar="URL",
        help="The ledger: a file, or a URL such as postgresql://host/name. "
        "Without it: a file in your data folder.",
    ),
]
Format = Annotated[
    Shape, typer.Option("--format", help="What the output is for: people or programs.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write to FILE instead of standard output."
    ),
]


def opened(url: str | None, *, create: bool = False, read_only: bool = True) -> Ledger:
    """Open the ledger that was asked for; reading never makes one."""
    from ledger.store import open as open_ledger

    return open_ledger(url, create=create, read_only=read_only)


def name_of(ledger: Ledger) -> str:
    """Return what to call a ledger: its path, or its URL without the password."""
    url = ledger.database.url
    return url.database or "" if url.get_backend_name() == "sqlite" else url.render_as_string()
