"""The options of `audit`: what is judged, and what of it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from cli import options
from ledger.errors import UsageError

Shape = Annotated[
    Literal["text", "json", "jsonl", "csv"],
    typer.Option(
        "--format",
        help="What the output is for: people, programs, programs that read findings line by line, "
        "or a spreadsheet (a row for each finding).",
    ),
]
Lines = Annotated[
    Literal["text", "json", "jsonl"],
    typer.Option(
        "--format", help="What the output is for: people, programs, or programs that read findings line by line."
    ),
]
Frames = Annotated[int, typer.Option("--frames", min=0, help="Show so many findings on the source's own lines.")]
Coverage = Annotated[
    bool | None,
    typer.Option(
        "--coverage/--no-coverage",
        help="Of every clause how many hands it judged, and which not, and what those lacked; or findings alone.",
        show_default=False,
    ),
]
EveryHand = Annotated[bool, typer.Option("--every-hand", help="Coverage names all such hands, not the first ten.")]
Anew = Annotated[
    bool, typer.Option("--anew", help="Judge all of it again, and compare that with the judgement that is kept.")
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        autocompletion=options.complete_clauses,
        metavar="CLAUSE",
        help="Show only this clause; may be said several times. B15*, hilton.B15a.1: * stands for any letters.",
    ),
]
FailOn = Annotated[
    Literal["info", "warning", "error", "never"],
    typer.Option("--fail-on", help="Exit with 1 only if a finding that is shown is so severe."),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="An earlier audit (--format json): show only what came, went or changed since.",
    ),
]
Edition = Annotated[
    str | None, typer.Option("--edition", metavar="ED", help="Judge by this edition of the rulebook, not the newest.")
]

KnockOn = Annotated[
    bool,
    typer.Option(
        "--aftermath",
        help="Of a wrong button or blind also the hands until the game was back in step, and who posted too much.",
    ),
]

SEVERITIES: Final = ("info", "warning", "error")
"""The later, the worse."""


def of_edition(books: list[str], edition: str | None) -> list[str]:
    """Return the names of rulebooks in the edition that was asked for."""
    if edition is None:
        return books
    if not books:
        raise UsageError(f"edition {edition!r} of which rulebook?", "Name it with -r: -r hilton --edition undated-r1.")
    for name in books:
        if "@" in name or name.endswith(".toml"):
            raise UsageError(
                f"{name} is one edition already", "--edition is for the rulebooks that come with handledger."
            )
    return [f"{name}@{edition}" for name in books]


def severe(severity: str, min_severity: str) -> bool:
    """Whether a finding is so severe."""
    return min_severity != "never" and SEVERITIES.index(severity) >= SEVERITIES.index(min_severity)
