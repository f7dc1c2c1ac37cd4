"""`handledger rules`: the rulebooks, what they decide, the clauses of one, one explained, one's own."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import adopting, opening, options, output, rules_diff
from cli.rulings import RulesDocument
from cli.where import Where
from ledger import safe
from ledger.errors import HandledgerError, NoLedgerError, UsageError
from projections.addresses.room_days import parse_moment
from projections.reports.books import ClauseTold, build_book, build_clause

if TYPE_CHECKING:
    from projections.books.book_draft import AppliesTo
    from projections.books.clause_page import Explained, PointTold
    from projections.books.rulebook import Rulebook
    from projections.books.shelf import Shelf

KINDS = {
    "detector": "judged",
    "restates": "restates it",
    "defines": "defines",
    "permits": "permits",
    "undetectable": "not seen in records",
    "not-built": "not built yet",
    "off": "switched off",
}
NEW = "new"


def command(
    book: Annotated[
        str | None,
        typer.Argument(
            help="A rulebook, or the path of one of your own. `new`: make one. `adopt`, `retire`: the house goes by it, or no more; the text of your own is kept in the ledger. `diff`: what two find otherwise in your hands.",
            autocompletion=options.complete_books,
        ),
    ] = None,
    clause: Annotated[
        str | None,
        typer.Argument(
            help="A clause of it. With `new`: the file to make. With `adopt`, `retire`: the rulebook; with `diff`: the old one."
        ),
    ] = None,
    other: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="With `diff`: the rulebook to compare with.")
    ] = None,
    *,
    matrix: Annotated[bool, typer.Option("--matrix", help="What the books decide, point by point.")] = False,
    rulebook: Annotated[
        list[str] | None,
        typer.Option(
            "--rulebook",
            "-r",
            metavar="BOOK",
            help="Which books stand side by side; may be given several times. Without it: all.",
            autocompletion=options.complete_books,
        ),
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="BOOK", help="With `new`: the book that yours changes.")
    ] = None,
    where: Where = None,
    venue: adopting.Venue = "",
    table: adopting.Table = "",
    since: adopting.Since = "",
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List the rulebooks, what they decide, the clauses of one; explain a clause; start one of your own.

    \b
    handledger rules
    handledger rules --matrix -r hilton -r rrop4
    handledger rules hilton
    handledger rules hilton B8a.1
    handledger rules new --from rrop4 my-room.toml
    handledger rules adopt rrop4 --table T3 --since 2026-01-02
    handledger rules adopt my-room.toml
    handledger rules diff hilton my-room.toml --where 'table:T3'
    """  # noqa: D301 - \b keeps the lines of the examples
    if book == NEW or from_:
        with _lent(url) as shelf:
            _new(shelf, book, clause, from_, format_, file)
        return
    if book == rules_diff.DIFF:
        rules_diff.tell(clause, other, where, url, format_, file)
        return
    if other is not None or where is not None:
        raise UsageError("a third word and --where are for `rules diff OLD NEW`")
    if book in (adopting.ADOPT, adopting.RETIRE):
        from projections.books.adoption import AdoptionScope as InForce

        at = parse_moment(since or None, "--since")
        adopting.record(book, clause, InForce(venue, table, at), url, format_, file)
        return
    with _lent(url) as shelf:
        _shown(shelf, book, clause, rulebook, format_, file, matrix=matrix)


@contextmanager
def _lent(url: str | None) -> Iterator[Shelf]:
    """Lend the rulebooks of the ledger; where there is none, those of the program."""
    from projections.books.shelf import Shelf

    with ExitStack() as stack:
        try:
            shelf = Shelf(stack.enter_context(opening.opened(url)))
        except NoLedgerError:
            shelf = Shelf(None)
        except HandledgerError as error:
            typer.echo(safe.lines(f"The house's own rulebooks are not told: {error.message}"), err=True)
            shelf = Shelf(None)
        yield shelf


def _shown(
    shelf: Shelf,
    book: str | None,
    clause: str | None,
    rulebook: list[str] | None,
    format_: str,
    file: Path | None,
    *,
    matrix: bool,
) -> None:
    """Show the matrix, the books, one book's clauses, or one clause."""
    from projections.books import clause_page

    named = [shelf.load(name) for name in dict.fromkeys([*([book] if book else []), *(rulebook or ())])]
    if matrix:
        books = named or shelf.all()
        points = clause_page.policy_matrix(books)
        if format_ == "json":
            told = RulesDocument(books=list(map(build_book, books)), clauses=[], points=points)
            output.document(told, file)
        else:
            from cli.matrix import lines

            output.put("\n".join(lines(books, points, output.width())), file)
        return
    shown = named or shelf.all()
    found = clause_page.explain_clause(named[0], clause, named[1:] or shelf.all()) if book and clause else None
    clauses = [build_clause(one) for one in shown[0].clauses.values()] if book and not clause else []
    if format_ == "json":
        told = RulesDocument(books=list(map(build_book, shown[:1] if book else shown)), clauses=clauses, clause=found)
        output.document(told, file)
    elif found:
        output.put("\n".join(_explained(found)), file)
    elif clauses:
        output.put("\n".join(_listed(shown[0], clauses)), file)
    else:
        output.put("\n".join(_books(shown, shelf)), file)


def _new(shelf: Shelf, book: str | None, made: str | None, base: str | None, format_: str, file: Path | None) -> None:
    """Write the file of a new book, or that of one that the house adopted; never over one that is there."""
    from projections.books.house_template import house_template
    from projections.books.rulebook import load

    if book != NEW or not made or not base:
        raise UsageError(
            "which book is to be made, and from which?",
            f"handledger rules new --from BOOK my-room.toml; BOOK is one of: {', '.join(shelf.names())}.",
        )
    path = Path(made)
    if path.suffix != ".toml":
        raise UsageError(f"{made} does not end in .toml", "A rulebook is a TOML file: my-room.toml.")
    if path.exists():
        raise UsageError(f"{made} is there already", "Nothing was written. Take another name, or move it away.")
    rules = shelf.load(base)
    own = base in shelf.own_names()
    if own:
        output.put_bytes(rules.data, path)
    else:
        output.put(house_template(rules, base, made), path)
    if format_ == "json":
        output.document(RulesDocument(books=[build_book(load(made))], clauses=[], made=made), file)
        return
    name = safe.terminal(made, 200)
    called = f"{safe.terminal(rules.name, 60)} ({safe.terminal(rules.edition, 60)})"
    output.put(
        f"{name} is made: the text of {called} as the house adopted it. Raise its edition when you change it.\n"
        if own
        else f"{name} is made: {safe.terminal(rules.name)} as it stands, everything to change as comments.\n"
        f"Check it:  handledger rules {name}",
        file,
    )


def _books(books: list[Rulebook], shelf: Shelf) -> Iterator[str]:
    names = [safe.terminal(book.name, 60) for book in books]
    room = max(map(safe.columns, names))
    for name, book in zip(names, books, strict=True):
        counts = sum(clause.kind in ("detector", "restates") for clause in book.clauses.values())
        own = ", the house's own" if book.name in shelf.own_names() else ""
        yield safe.cut(f"{safe.fit(name, room)}  {safe.terminal(book.title, 1000)}", output.width())
        yield f"{'':<{room}}  edition {safe.terminal(book.edition, 60)}, {len(book.clauses)} clauses, {counts} judged{own}"
    for one in shelf.missing():
        yield f"{safe.terminal(one.book, 60)}, adopted by the house: its text is not here"
    yield ""
    yield "The clauses of one:       handledger rules hilton"
    yield "What each decides:        handledger rules --matrix"
    yield "One of your own:          handledger rules new --from rrop4 my-room.toml"


def _listed(book: Rulebook, clauses: list[ClauseTold]) -> Iterator[str]:
    over = f", over {safe.terminal(book.extends)}" if book.extends else ""
    yield from textwrap.wrap(
        f"{safe.terminal(book.name)}: {safe.terminal(book.title)}, edition {safe.terminal(book.edition)}{over}",
        output.width(),
    )
    yield ""
    room = max(11, *(safe.columns(safe.terminal(clause.id, 40)) for clause in clauses)) + 1
    for clause in clauses:
        said = safe.terminal(clause.says, 1000)
        line = f"{safe.fit(safe.terminal(clause.id, 40), room)} {KINDS.get(clause.kind, clause.kind):<20} {said}"
        yield safe.cut(line, output.width())
    yield ""
    counts = {kind: sum(clause.kind == kind for clause in clauses) for kind in KINDS}
    yield ", ".join(f"{count} {KINDS[kind]}" for kind, count in counts.items() if count)
    yield f"sha256 {book.digest}"
    yield f"Explain one: handledger rules {safe.terminal(book.name)} {safe.terminal(clauses[0].id, 40)}"


def _explained(told: Explained) -> Iterator[str]:
    """Yield all that is known of a clause, for people."""
    yield output.paint(f"{safe.terminal(told.book)} {safe.terminal(told.clause, 40)}", "bold")
    # A book may name its texts by number, `001/002 rule 1`: of use to who has them, not to a reader.
    where = told.place.lstrip("0123456789/").strip() if told.place[:3].isdigit() else told.place
    place = f", {where}" if where else ""
    yield from _wrapped("", f"{told.title}, edition {told.edition}{place}", 0)
    yield ""
    shown = [
        ("says", told.says),
        ("severity", told.severity),
        ("about", _about(told.applies_to)),
        (KINDS.get(told.kind, told.kind), told.detector if told.kind == "detector" else told.why),
        ("judged as", told.detector if told.kind == "restates" else ""),
        ("wrong", told.wrong),
        ("needs", ", ".join(told.needs)),
        ("only partly", told.partly),
        ("remedy", told.remedy),
        ("note", told.note),
        ("stands for", told.origin),
        ("differs from", ", ".join(told.conflicts_with)),
        ("judged with it", ", ".join(told.also)),
        ("yields to", ", ".join(told.yields_to)),
    ]
    for word, text in shown:
        if text:
            yield from _wrapped(word, text)
    for n, (key, value) in enumerate(told.parameters.items()):
        yield from _wrapped("" if n else "with", f"{key} = {_value(value)}")
    for point in told.decides:
        yield from _decided(told.book, point)
    if told.worked:
        yield from ("", "Worked cases:", "", safe.lines(told.worked.strip(), 20_000))


def _decided(book: str, point: PointTold) -> Iterator[str]:
    """Yield what a clause decides, and what the other books say there."""
    yield ""
    yield from _wrapped("decides", f"{point.title} ({point.key})")
    for answer in sorted(point.answers, key=lambda one: one.book != book):
        said = "silent" if answer.silent else answer.says
        clauses = f" ({', '.join(answer.clauses)})" if answer.clauses else ""
        read = " [read literally]" if answer.literal else ""
        yield from _wrapped(f"  {answer.book}", f"{said}{clauses}{read}")


def _value(value: object) -> str:
    from projections.books.house_template import to_toml

    return to_toml(value)


def _about(applies: AppliesTo) -> str:
    words = (applies.format, applies.betting, applies.game)
    return ", ".join(word.replace("_", " ") for word in words if word not in ("all", "both"))


def _wrapped(word: str, text: str, indent: int = 15) -> Iterator[str]:
    room = max(min(output.width(), 100) - indent, 30)
    word = safe.terminal(word, 40)
    if indent and len(word) >= indent:
        yield word
        word = ""
    for n, piece in enumerate(textwrap.wrap(safe.terminal(text, 2000), room)):
        yield f"{word if not n else '':<{indent}}{piece}"
