"""`handledger rules`: the rulebooks, the clauses of one, and one clause explained."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli import options, output
from cli.rulings import BookTold, ClauseTold, RulesDocument
from ledger import safe

KINDS = {
    "detector": "judged",
    "restates": "says it again",
    "defines": "defines",
    "permits": "permits",
    "undetectable": "not seen in records",
    "not-built": "not built yet",
}


def command(
    book: Annotated[
        str | None,
        typer.Argument(
            help="A rulebook, or the path of one of your own.",
            autocompletion=options.complete_books,
        ),
    ] = None,
    clause: Annotated[str | None, typer.Argument(help="A clause of it.")] = None,
    *,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List the rulebooks; list the clauses of one; explain a clause.

    \b
    handledger rules
    handledger rules hilton
    handledger rules hilton B8a.1
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections import explaining, rulebook

    books = [_book(rulebook.load(name)) for name in ([book] if book else rulebook.names())]
    found = None
    clauses: list[ClauseTold] = []
    if book and clause:
        found = explaining.explain(book, clause)
    elif book:
        clauses = [_clause(clause) for clause in rulebook.load(book).clauses.values()]
    if format_ == "json":
        output.document(RulesDocument(books=books, clauses=clauses, clause=found), file)
    elif found:
        output.put(_explained(found), file)
    elif clauses:
        output.put("\n".join([_title(books[0]), "", *map(_line, clauses), "", *_counts(clauses),
                              f"Explain one: handledger rules {books[0].name} {clauses[0].id}"]), file)  # fmt: skip
    else:
        output.put(
            "\n".join([*map(_title, books), "", "The clauses of one: handledger rules hilton"]),
            file,
        )


def _book(book: Any) -> BookTold:  # noqa: ANN401 - a Rulebook, whose module is loaded late
    return BookTold(book.name, book.title, book.edition, book.digest, len(book.clauses))


def _clause(clause: Any) -> ClauseTold:  # noqa: ANN401 - a Clause, whose module is loaded late
    entry = clause.entry
    return ClauseTold(
        clause.id, entry.says, clause.kind, entry.severity, entry.detector, clause.why
    )


def _title(book: BookTold) -> str:
    return safe.terminal(
        f"{book.name:<12} {book.title} ({book.edition}), {book.clauses} clauses", 200
    )


def _line(clause: ClauseTold) -> str:
    room = max(output.width() - 36, 30)
    return f"{safe.fit(clause.id, 11)} {KINDS.get(clause.kind, clause.kind):<20} {safe.terminal(clause.says, room)}"


def _counts(clauses: list[ClauseTold]) -> list[str]:
    counts = {kind: sum(clause.kind == kind for clause in clauses) for kind in KINDS}
    return [", ".join(f"{count} {KINDS[kind]}" for kind, count in counts.items() if count)]


def _explained(told: Any) -> str:  # noqa: ANN401 - Explained, whose module is loaded late
    """Return all that is known of a clause, for people."""
    lines = [
        output.paint(f"{safe.terminal(told.book)} {safe.terminal(told.clause)}", "bold"),
        safe.terminal(
            f"{told.title}, edition {told.edition}" + (f", {told.place}" if told.place else "")
        ),
        "",
    ]
    shown = [
        ("says", told.says), ("severity", told.severity), ("about", _about(told.applies_to)),
        (KINDS.get(told.kind, told.kind), told.detector or told.why), ("wrong", told.wrong),
        ("needs", ", ".join(told.needs)), ("only partly", told.partly), ("remedy", told.remedy),
        ("note", told.note), ("differs from", ", ".join(told.conflicts_with)),
        ("judged with it", ", ".join(told.also)),
    ]  # fmt: skip
    for word, text in shown:
        if text:
            lines += _wrapped(word, text)
    lines += [f"{'with' if not n else '':<15}{safe.terminal(f'{key} = {value}')}"
              for n, (key, value) in enumerate(told.parameters.items())]  # fmt: skip
    if told.worked:
        lines += ["", "A worked case:", "", safe.lines(told.worked.strip(), 200)]
    return "\n".join(lines)


def _about(applies: Any) -> str:  # noqa: ANN401 - AppliesTo, whose module is loaded late
    words = (applies.format, applies.betting, applies.game)
    return ", ".join(word.replace("_", " ") for word in words if word not in ("all", "both"))


def _wrapped(word: str, text: str) -> list[str]:
    import textwrap

    room = max(min(output.width(), 100) - 15, 30)
    pieces = textwrap.wrap(safe.terminal(text, 2000), room)
    return [f"{word if not n else '':<15}{piece}" for n, piece in enumerate(pieces)]
