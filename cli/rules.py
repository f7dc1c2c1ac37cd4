"""`handledger rules`: list, explain, compare and adopt rulebooks, and write the file of a new one."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import rules_adopt, rules_diff
from cli.documents.rulebook_documents import RulesDocument
from cli.options import common_options, ledger_options
from cli.options.where import QueryOption
from cli.output import console
from ledger import safe
from ledger.errors import HandledgerError, NoLedgerError, UsageError
from projections.addresses.room_days import parse_moment
from projections.reports.book_documents import ClauseDocument, build_book, build_clause

if TYPE_CHECKING:
    from projections.books.book_draft import AppliesTo
    from projections.books.clause_page import ClauseExplanation, PolicyPoint
    from projections.books.rulebook import Rulebook
    from projections.books.shelf import Shelf

KINDS = {
    "detector": "judged",
    "restates": "restates it",
    "defines": "defines",
    "permits": "permits",
    "undetectable": "not seen in records",
    "not-built": "no check yet",
    "off": "switched off",
}
NEW = "new"


def command(
    book: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOOK]",
            help="A rulebook: its name, or the path of your own file.",
            autocompletion=common_options.complete_books,
        ),
    ] = None,
    clause: Annotated[str | None, typer.Argument(metavar="[CLAUSE]", help="The clause to explain.")] = None,
    second_book: Annotated[str | None, typer.Argument(metavar="[NEW]", help="For `diff`: the new rulebook.")] = None,
    *,
    matrix: Annotated[bool, typer.Option("--matrix", help="Show what the rulebooks decide, point by point.")] = False,
    rulebook: Annotated[
        list[str] | None,
        typer.Option(
            "--rulebook",
            "-r",
            metavar="BOOK",
            help="The rulebooks to put side by side. Repeatable. Default: all.",
            autocompletion=common_options.complete_books,
        ),
    ] = None,
    starts: Annotated[
        str | None, typer.Option("--from", metavar="BOOK", help="For `new`: the rulebook to start from.")
    ] = None,
    query_text: QueryOption = None,
    venue: rules_adopt.Venue = "",
    table: rules_adopt.Table = "",
    adopted_since: rules_adopt.AdoptedSince = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List, explain, compare and adopt rulebooks."""
    if book == NEW or starts:
        with _open_shelf(url) as shelf:
            _make_book(shelf, book, clause, starts, format_, file)
        return
    if book == rules_diff.DIFF:
        rules_diff.write_diff(clause, second_book, query_text, url, format_, file)
        return
    if second_book is not None or query_text is not None:
        raise UsageError("a third word and --where are for `diff`", "For example: handledger rules diff hilton my.toml")
    if book in (rules_adopt.ADOPT, rules_adopt.RETIRE):
        from projections.books.adoption import AdoptionScope

        effective_at = parse_moment(adopted_since or None, "--since")
        rules_adopt.record(book, clause, AdoptionScope(venue, table, effective_at), url, format_, file)
        return
    with _open_shelf(url) as shelf:
        _show_books(shelf, book, clause, rulebook, format_, file, matrix=matrix)


@contextmanager
def _open_shelf(url: str | None) -> Iterator[Shelf]:
    """Yield the rulebooks of the ledger or, if it can't be opened, those of the program."""
    from projections.books.shelf import Shelf

    with ExitStack() as stack:
        try:
            shelf = Shelf(stack.enter_context(ledger_options.open_ledger(url)))
        except NoLedgerError:
            shelf = Shelf(None)
        except HandledgerError as error:
            typer.echo(safe.lines(f"Without the house's own rulebooks: {error.message}"), err=True)
            shelf = Shelf(None)
        yield shelf


def _show_books(
    shelf: Shelf,
    book: str | None,
    clause: str | None,
    rulebook: list[str] | None,
    format_: str,
    file: Path | None,
    *,
    matrix: bool,
) -> None:
    """Write the matrix, the books, the clauses of a book, or a clause."""
    from projections.books import clause_page

    names = ([book] if book else []) + (rulebook or [])
    named_books = [shelf.load(name) for name in dict.fromkeys(names)]
    shown_books = named_books or shelf.load_all()
    if matrix:
        _show_matrix(shown_books, format_, file)
        return
    explanation, clauses = None, []
    if book and clause:
        explanation = clause_page.explain_clause(named_books[0], clause, named_books[1:] or shelf.load_all())
    elif book:
        clauses = [build_clause(clause_entry) for clause_entry in shown_books[0].clauses.values()]
    if format_ == "json":
        document = RulesDocument(
            books=list(map(build_book, shown_books[:1] if book else shown_books)), clauses=clauses, clause=explanation
        )
        console.write_document(document, file)
    elif explanation:
        console.write_text("\n".join(_format_clause(explanation)), file)
    elif clauses:
        console.write_text("\n".join(_list_clauses(shown_books[0], clauses)), file)
    else:
        console.write_text("\n".join(_list_books(shown_books, shelf)), file)


def _show_matrix(books: list[Rulebook], format_: str, file: Path | None) -> None:
    """Write how each book decides each point of policy."""
    from cli.output.matrix_text import format_matrix
    from projections.books import clause_page

    points = clause_page.build_policy_matrix(books)
    if format_ == "json":
        console.write_document(RulesDocument(books=list(map(build_book, books)), clauses=[], points=points), file)
    else:
        console.write_text("\n".join(format_matrix(books, points, console.find_width())), file)


def _make_book(
    shelf: Shelf, book: str | None, file_name: str | None, base: str | None, format_: str, file: Path | None
) -> None:
    """Write the file of a new book based on another, or the text of a book that the house adopted."""
    from projections.books.house_template import build_house_template
    from projections.books.rulebook import load

    if book != NEW or not file_name or not base:
        raise UsageError(
            "`rules new` needs the file to write and the rulebook to start from",
            f"The rulebooks: {', '.join(shelf.list_names())}. For example: handledger rules new my-room.toml --from rrop4",
        )
    path = Path(file_name)
    if path.suffix != ".toml":
        raise UsageError(f"{file_name} doesn't end in .toml", "A rulebook is a TOML file: my-room.toml")
    if path.exists():
        raise UsageError(f"{file_name} exists already", "Nothing was written. Choose another name, or move that file.")
    rules = shelf.load(base)
    is_own_book = base in shelf.list_own_names()
    if is_own_book:
        console.write_bytes(rules.data, path)
    else:
        console.write_text(build_house_template(rules, base, file_name), path)
    if format_ == "json":
        console.write_document(RulesDocument(books=[build_book(load(file_name))], clauses=[], made=file_name), file)
        return
    safe_name = safe.terminal(file_name, 200)
    book_text = f"{safe.terminal(rules.name, 60)} ({safe.terminal(rules.edition, 60)})"
    if is_own_book:
        text = f"Wrote {safe_name}: the text of {book_text} as the house adopted it. Raise its edition when you change it.\n"
    else:
        text = (
            f"Wrote {safe_name}: {safe.terminal(rules.name)}, with everything that you can change as comments.\n"
            f"Check it:  handledger rules {safe_name}"
        )
    console.write_text(text, file)


def _list_books(books: list[Rulebook], shelf: Shelf) -> Iterator[str]:
    names = [safe.terminal(book.name, 60) for book in books]
    name_width = max(map(safe.columns, names))
    for name, book in zip(names, books, strict=True):
        judged_count = sum(clause.kind in ("detector", "restates") for clause in book.clauses.values())
        own_text = ", the house's own" if book.name in shelf.list_own_names() else ""
        yield safe.cut(f"{safe.fit(name, name_width)}  {safe.terminal(book.title, 1000)}", console.find_width())
        yield f"{'':<{name_width}}  edition {safe.terminal(book.edition, 60)}, {len(book.clauses)} clauses, {judged_count} judged{own_text}"
    for missing_book in shelf.list_missing():
        yield f"{safe.terminal(missing_book.book, 60)}, adopted by the house: its text is missing"
    yield ""
    yield "List a book's clauses:     handledger rules hilton"
    yield "Compare what they decide:  handledger rules --matrix"
    yield "Start your own:            handledger rules new --from rrop4 my-room.toml"


def _list_clauses(book: Rulebook, clauses: list[ClauseDocument]) -> Iterator[str]:
    base_text = f", over {safe.terminal(book.extends)}" if book.extends else ""
    yield from textwrap.wrap(
        f"{safe.terminal(book.name)}: {safe.terminal(book.title)}, edition {safe.terminal(book.edition)}{base_text}",
        console.find_width(),
    )
    yield ""
    id_width = max(11, *(safe.columns(safe.terminal(clause.id, 40)) for clause in clauses)) + 1
    for clause in clauses:
        clause_text = safe.terminal(clause.says, 1000)
        line = f"{safe.fit(safe.terminal(clause.id, 40), id_width)} {KINDS.get(clause.kind, clause.kind):<20} {clause_text}"
        yield safe.cut(line, console.find_width())
    yield ""
    counts = {kind: sum(clause.kind == kind for clause in clauses) for kind in KINDS}
    yield ", ".join(f"{count} {KINDS[kind]}" for kind, count in counts.items() if count)
    yield f"sha256 {book.digest}"
    book_argument = safe.terminal(shlex.quote(book.command_argument), 400)
    yield f"Explain one: handledger rules {book_argument} {safe.terminal(clauses[0].id, 40)}"


def _format_clause(explanation: ClauseExplanation) -> Iterator[str]:
    """Yield the explanation of a clause as lines."""
    yield console.paint(f"{safe.terminal(explanation.book)} {safe.terminal(explanation.clause, 40)}", "bold")
    place_name = explanation.place
    if place_name[:3].isdigit():  # a file of our collection, `001/002 rule 1`: its number is no use to readers
        place_name = place_name.lstrip("0123456789/").strip()
    place_text = f", {place_name}" if place_name else ""
    yield from _wrap_text("", f"{explanation.title}, edition {explanation.edition}{place_text}", 0)
    yield ""
    labelled_texts = [
        ("says", explanation.says),
        ("severity", explanation.severity),
        ("about", _format_scope(explanation.applies_to)),
        (
            KINDS.get(explanation.kind, explanation.kind),
            explanation.detector if explanation.kind == "detector" else explanation.no_detector_reason,
        ),
        ("judged as", explanation.detector if explanation.kind == "restates" else ""),
        ("reports", explanation.breach_summary),
        ("needs", ", ".join(explanation.needs)),
        ("only partly", explanation.partial_note),
        ("remedy", explanation.remedy),
        ("note", explanation.note),
        ("stands for", explanation.origin),
        ("differs from", ", ".join(explanation.conflicts_with)),
        ("judged with it", ", ".join(explanation.restated_by)),
        ("yields to", ", ".join(explanation.yields_to)),
    ]
    for label, text in labelled_texts:
        for index, paragraph in enumerate(filter(None, text.split("\n\n"))):
            yield from _wrap_text("" if index else label, paragraph)
    for parameter_index, (key, value) in enumerate(explanation.parameters.items()):
        yield from _wrap_text("" if parameter_index else "with", f"{key} = {_format_value(value)}")
    for point in explanation.points:
        yield from _format_decision(explanation.book, point)
    if explanation.worked_case:
        yield from ("", "Worked cases:", "", safe.lines(explanation.worked_case.strip(), 20_000))


def _format_decision(book: str, point: PolicyPoint) -> Iterator[str]:
    """Yield a point that a clause decides, and the answers of the other books."""
    yield ""
    yield from _wrap_text("decides", f"{point.title} ({point.key})")
    for answer in sorted(point.answers, key=lambda book_answer: book_answer.book != book):
        answer_text = "silent" if answer.silent else answer.says
        clauses = f" ({', '.join(answer.clauses)})" if answer.clauses else ""
        literal_text = " [read literally]" if answer.literal else ""
        yield from _wrap_text(f"  {answer.book}", f"{answer_text}{clauses}{literal_text}")


def _format_value(value: object) -> str:
    from projections.books.house_template import to_toml

    return to_toml(value)


def _format_scope(applies: AppliesTo) -> str:
    restrictions = (applies.format, applies.betting, applies.game)
    return ", ".join(word.replace("_", " ") for word in restrictions if word not in ("all", "both"))


def _wrap_text(label: str, text: str, indent: int = 15) -> Iterator[str]:
    text_width = max(min(console.find_width(), 100) - indent, 30)
    label = safe.terminal(label, 40)
    if indent and len(label) >= indent:
        yield label
        label = ""
    for line_index, text_line in enumerate(textwrap.wrap(safe.terminal(text, 2000), text_width)):
        yield f"{label if not line_index else '':<{indent}}{text_line}"
