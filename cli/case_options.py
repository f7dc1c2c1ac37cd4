"""What the verbs of `handledger case` share: their options, and how one adds to a case and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from cli import opening, options, output
from ledger import safe
from ledger.case.events import CaseSubject
from ledger.event import Event
from ledger.vocabulary import Role

if TYPE_CHECKING:
    from pathlib import Path

    from cli.case_documents import CaseDocument
    from ledger.case.state import CaseState
    from ledger.store import HandRow, Ledger
    from ledger.store.cases import Case
    from ledger.vocabulary import PlayerId

Subject: TypeAlias = CaseSubject
Kind: TypeAlias = Literal["video", "photo", "hand-history", "document", "cards", "chips", "other"]

Number = Annotated[
    str,
    typer.Argument(metavar="NUMBER", help="Of the case, as case list shows it.", autocompletion=options.complete_cases),
]
Hands = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[HAND]...",
        help="Hands, as everywhere; 408@17 means event 17 of it, 408@17-20 these events.",
        autocompletion=options.complete_hands,
    ),
]
By = Annotated[Role, typer.Option("--by", help="In what role they do it.")]
Person = Annotated[
    str, typer.Option("--person", metavar="NAME", help="Who it is: a name, venue/name, or the beginning of an id.")
]
Days = Annotated[int | None, typer.Option("--days", min=1, help="So many days from now.")]
What = Annotated[Literal["hand", "table", "person", "source"], typer.Argument(help="What is held.")]
Target = Annotated[str, typer.Argument(help="Which: a hand, a table, a person's name, a file or its SHA-256.")]


class At:
    """A case at the moment at which something is added to it."""

    def __init__(self, ledger: Ledger, case: Case) -> None:
        """Take the case as it stands."""
        self.ledger = ledger
        self.case = case
        self.new: list[str] = []  # names that this ledger did not know

    @property
    def state(self) -> CaseState:
        """How it stands."""
        return self.case.state

    @property
    def venue(self) -> str:
        """In which room it is; "" = not told."""
        return self.state.opening.venue if self.state.opening else ""

    @cached_property
    def rows(self) -> list[HandRow]:
        """The hands that it concerns, as far as this ledger holds them."""
        from cli.case_finding import rows_of

        return rows_of(self.ledger, self.state)

    def nameless(self, told: str, option: str) -> str:
        """Return words that can never be erased; `UsageError` if they name a person."""
        from cli.case_finding import nameless

        return nameless(self.ledger, told, option, self.rows) if told else ""

    def person(self, name: str) -> PlayerId:
        """Return whom a name means; somebody unknown is known from now on."""
        from cli.case_finding import person

        who, new = person(self.ledger, name, self.venue, self.rows)
        self.new += [name] if new and name not in self.new else []
        return who


def add(number: str, url: str | None, decide: Callable[[At], Sequence[Event]], done: str) -> CaseDocument:
    """Add to the case of that number what `decide` says in view of it; return it with what was done."""
    from ledger.store.cases import add as add_to

    seen: list[At] = []

    def decided(case: Case) -> Sequence[Event]:
        seen.append(At(book, case))
        return decide(seen[-1])

    with opening.opened(url, read_only=False) as book:
        case = add_to(book, number, decided)
        return told(book, case, done, seen[-1].new, after=len(seen[-1].case.entries))


def told(ledger: Ledger, case: Case, done: str, new: Iterable[str], *, after: int = 0) -> CaseDocument:
    """Return a case after events behind `after` were added; `new`: names that nobody had before."""
    from cli.case_telling import document

    notes = [f"{safe.name(name)} is somebody new to this ledger" for name in new]
    return document(ledger, case, done, notes, after)


def put(document: CaseDocument, format_: str, file: Path | None) -> None:
    """Write a case for people or for programs."""
    from cli.case_telling import text

    if format_ == "json":
        output.document(document, file)
    else:
        output.put(text(document), file)
