"""Options that the verbs of `handledger case` share, and the writing of a case after a change."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.options import common_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.case.events import Awaited, CaseOutcome, CaseSubject, EvidenceKind, HoldTarget
from ledger.text.language import phrase
from ledger.vocabulary import Role
from projections.sentences.cases import describe_new_person

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.cases.case_commands import CaseAction, CaseChange
    from projections.cases.case_documents import CaseDocument

__all__ = [
    "Awaited",
    "CaseOutcome",
    "CaseSubject",
    "Days",
    "EvidenceKind",
    "Hands",
    "HeldKind",
    "HoldTarget",
    "Lake",
    "Number",
    "PartyRole",
    "Person",
    "Target",
    "add_to_case",
    "describe_change",
    "name_option",
    "write_case",
]

Number = Annotated[
    str,
    typer.Argument(
        metavar="NUMBER", help="The case's number, from `case list`.", autocompletion=common_options.complete_cases
    ),
]
Hands = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[HAND]...",
        help="Hands, or events of one: T7/408, T7/408@17, T7/408@17-20.",
        autocompletion=common_options.complete_hands,
    ),
]
Lake = Annotated[
    Path | None,
    typer.Option(
        "--lake",
        metavar="DIR",
        help="Take the hands or the finding from this lake. It must be signed, or made from a ledger.",
    ),
]
PartyRole = Annotated[Role, typer.Option("--by", help="Their role.")]
Person = Annotated[
    str, typer.Option("--person", metavar="NAME", help="Their name: a name, venue/name, or the beginning of an id.")
]
Days = Annotated[int | None, typer.Option("--days", min=1, help="Days from now.")]
HeldKind = Annotated[HoldTarget, typer.Argument(help="The kind of thing to hold.")]
Target = Annotated[str, typer.Argument(help="The hand, table, person, or file (name or SHA-256).")]


_POSITIONAL_NAMES: Final = {"authority": "AUTHORITY", "time": "TIME"}
"""Fields of a case that the command line takes without an option's name."""


def name_option(field_name: str) -> str:
    """Return the option or argument that sets a field of a case."""
    return _POSITIONAL_NAMES.get(field_name, f"--{field_name}")


def add_to_case(number: str, url: str | None, case_action: CaseAction, activity: str) -> CaseDocument:
    """Append the events of `case_action` to a case. Return the case, with `activity` as the change that was made."""
    from projections.cases import case_commands

    with ledger_options.open_ledger(url, read_only=False) as ledger:
        return describe_change(ledger, case_commands.add_to_case(ledger, number, case_action, name_option), activity)


def describe_change(ledger: Ledger, change: CaseChange, activity: str) -> CaseDocument:
    """Return a case after a change, and print the change's notes to stderr."""
    from projections.cases.case_view import build_case_document

    notes = [describe_new_person(safe.name(name)) for name in change.new_names]
    for note in change.notes:
        sys.stderr.write(phrase("Note: {note}", note=note) + "\n")
    return build_case_document(ledger, change.case, activity, notes, change.last_version)


def write_case(document: CaseDocument, format_: str, file: Path | None) -> None:
    """Write a case as text or JSON, to stdout or a file."""
    from cli.output import case_text

    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(case_text.format_case_document(document), file)
