"""The options of `audit`: the rulebooks and clauses to judge by, and the parts of the output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli.options import common_options
from ledger.errors import UsageError

if TYPE_CHECKING:
    from projections.audit.audit_result import CoverageDetail

Shape = Annotated[
    Literal["text", "json", "jsonl", "csv"],
    typer.Option("--format", help="Text for people, JSON for programs, a finding per line, or CSV for a spreadsheet."),
]
Lines = Annotated[
    Literal["text", "json", "jsonl"],
    typer.Option("--format", help="Text for people, JSON for programs, or a finding per line."),
]
Frames = Annotated[
    int, typer.Option("--frames", min=0, help="Show this many findings next to the lines of the source.")
]
Coverage = Annotated[
    bool | None,
    typer.Option(
        "--coverage/--no-coverage",
        help="List what each clause judged and what was missing, or only findings.",
        show_default=False,
    ),
]
EveryHand = Annotated[
    bool, typer.Option("--every-hand", help="With --coverage: list all hands that weren't judged, not only ten.")
]
RejudgeAll = Annotated[
    bool, typer.Option("--anew", help="Judge everything again, and compare it with the stored result.")
]
OnlyClauses = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        autocompletion=common_options.complete_clauses,
        metavar="CLAUSE",
        help="Only this clause: B15a.1, hilton.B15a.1 or B15*. Repeatable.",
    ),
]
FailOn = Annotated[
    Literal["info", "warning", "error", "never"],
    typer.Option("--fail-on", help="Exit with 1 only for a finding this severe or worse."),
]
Baseline = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Show only what changed since this earlier audit (--format json)."),
]
Edition = Annotated[
    str | None, typer.Option("--edition", metavar="ED", help="Use this edition of the rulebook, not the newest.")
]

KnockOn = Annotated[
    bool, typer.Option("--aftermath", help="Follow each wrong button or blind until the game is right again.")
]

SEVERITIES: Final = ("info", "warning", "error")
"""From the least severe to the most."""


def choose_edition(books: list[str], edition: str | None) -> list[str]:
    """Return the names of rulebooks with an edition, as NAME@EDITION; without one, the names."""
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


def choose_coverage_detail(*, is_full: bool | None) -> CoverageDetail:
    """Return the detail for `--coverage` (True), `--no-coverage` (False) or neither (None)."""
    if is_full is None:
        return "short"
    return "full" if is_full else "none"


def is_severe(severity: str, min_severity: str) -> bool:
    """Whether a severity is at least `min_severity`; False for "never"."""
    return min_severity != "never" and SEVERITIES.index(severity) >= SEVERITIES.index(min_severity)
