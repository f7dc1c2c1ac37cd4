"""`handledger why`: from a figure of a hand or table to the events, the clauses and the bytes behind it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import opening, options, output
from cli.why_document import Figure, Reason, WhyDocument
from ledger import safe
from ledger.errors import HandledgerError, NothingFoundError, UsageError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook, quote_for_shell
from projections.amount_text import amount

if TYPE_CHECKING:
    from cli.why_chain import Chain
    from ledger.store import HandRow, Ledger, TableRow
    from projections.audit.knock_on import KnockOn, Spots
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due, SeatDue
    from projections.reports.owed_report import OwedDocument

_SUMS: Final = {"pot": "put into the pot", "rake": "taken by the house", "put": "put in", "won": "won", "net": "net"}
_DUES: Final = ("button", "small", "big", "due")
_FIELDS: Final = "pot, rake, put:SEAT, won:SEAT, net:SEAT, button, small, big, due:SEAT, finding:FINGERPRINT"
_HANDS: Final = 20
"""Hands that are shown to people; there may be a night of them."""
_BASIS: Final = {"fallback": " (usual; the book is silent)", "assumed": " (assumed)"}


def command(
    address: Annotated[
        str,
        typer.Argument(
            help="A hand, as for show; hand@12: what event 12 is a part of; a table: its coming hand.",
            autocompletion=options.complete_hands,
        ),
    ],
    field: Annotated[
        str | None, typer.Argument(metavar="[FIELD]", help=f"Which figure: {_FIELDS}. None: a list of them.")
    ] = None,
    *,
    books: options.Books = None,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say why a figure is what it is: the events that make it up, the clauses, the bytes of the source.

    pot, rake, put, won and net are sums of chips: the parts that are listed add up to them. button, small,
    big and due are what a rulebook asks, finding is what differs from it: for these name the book with -r,
    else it is the one that the house had adopted. Without a seat, net shows every seat's.

    \b
    handledger why T3/712                       what can be asked of this hand
    handledger why T3/712 net:3
    handledger why T3/712 due:3 -r hilton       what seat 3 had to post, and why
    handledger why T3/712 finding -r hilton
    handledger why T3 button -r rrop4           of the coming hand
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.books.shelf import load_books

    name, seat = _asked(field)
    with opening.opened(url, as_of=as_of) as ledger:
        row, table, version = _address(ledger, address)
        told = _Asking(ledger, row, table, load_books(ledger, books)).document(name)
    if version is not None:
        told.figures = [one for one in told.figures if any(_at(step, version) for step in one.reasons)]
    told.figures = [one for one in told.figures if field is None or _fits(one, field, name, seat)]
    if field is not None and not told.figures:
        raise NothingFoundError(f"there is no {field} here", f"Without a field all are listed. Fields: {_FIELDS}.")
    if field is None:
        from cli.why_chain import bare

        told.figures = [bare(one) for one in told.figures]
    if format_ == "json":
        output.document(told, file)
    else:
        output.put("\n".join(_text(told, address, min(output.width(), 120))), file)


def _asked(field: str | None) -> tuple[str, str]:
    """Return the name of the figure that is asked for, and of which seat or finding; "" = of all."""
    name, _, which = (field or "").partition(":")
    if field is not None and name not in {*_SUMS, *_DUES, "finding"}:
        raise UsageError(f"there is no figure {field!r}", f"There are: {_FIELDS}.")
    if which and name != "finding" and not re.fullmatch(r"[0-9]{1,4}", which):
        raise UsageError(f"{which!r} is no seat", f"Example: {name}:5.")
    return name, which


def _fits(one: Figure, field: str, name: str, which: str) -> bool:
    own = one.field.partition(":")
    if own[0] != name:
        return False
    return not which or (own[2].startswith(which[:8]) if name == "finding" else one.field == field)


def _at(step: Reason, version: int) -> bool:
    return not step.depth and step.show.endswith(f"@{version}")


def _address(ledger: Ledger, address: str) -> tuple[HandRow | None, TableRow, int | None]:
    """Return the hand that is asked about and its table; without a hand the table's coming one."""
    try:
        found = hand_address.find(ledger, address)
    except NothingFoundError:
        at = hand_address.find_table_or_none(ledger, address)
        if at is None:
            raise
        return None, at, None
    row = found.row
    place = row.venue, row.tournament, row.table
    return row, next(t for t in ledger.tables(row.table) if (t.venue, t.tournament, t.table) == place), found.version


class _Asking:
    """The figures of one hand, or of a table's coming one."""

    def __init__(self, ledger: Ledger, row: HandRow | None, table: TableRow, books: list[Rulebook]) -> None:
        from cli.why_chain import Chain
        from ledger.store.accounts import Place

        self._ledger, self._row, self._table = ledger, row, table
        self._place = Place(table.venue, table.tournament, table.table)
        self._books = books
        self._chain: Chain = Chain(ledger, self._place)
        self._unit, self._exponent = "", 0

    def document(self, name: str) -> WhyDocument:
        """Return what is asked for: figures called `name`, all if that is ""."""
        found: list[Figure] = []
        if self._row is not None and name in {"", *_SUMS}:
            found += self._sums(self._row)
        if name in _DUES or (not name and self._under()):
            found += self._dues(quiet=not name)
        if self._row is not None and name in {"", "finding"}:
            found += self._findings(self._row, follow=name == "finding")
        number = "" if self._row is None else self._row.number
        return WhyDocument(
            venue=self._place.venue,
            tournament=self._place.tournament,
            table=self._place.table,
            hand=number,
            unit=self._unit,
            exponent=self._exponent,
            figures=found,
            address=self._address(),
        )

    def _address(self) -> str:
        """Return the address of the hand, or of the table whose coming hand is asked about."""
        book = AddressBook(self._ledger)
        return book.table(self._place) if self._row is None else book.hand(self._row)

    def _under(self) -> list[Rulebook]:
        """Return the books that were named, else the one that was the house's then; [] if it adopted none."""
        from projections.audit import house_audit

        if not self._books and house_audit.any_in(self._ledger):
            at = self._ledger.now() if self._row is None else self._row.started
            self._books = [house_audit.House(self._ledger).under(self._place.venue, self._place.table, at)]
        return self._books

    def _sums(self, row: HandRow) -> Iterator[Figure]:
        from projections.reports.figures import compute_figures
        from projections.table_walk.stored_hands import played

        hand = next(played(self._ledger, [row.stream]))
        if hand.final.game is not None:
            self._unit, self._exponent = hand.final.game.unit, hand.final.game.exponent
        for one in compute_figures(hand):
            words = amount(one.chips, self._unit, self._exponent)
            words += ": the hand does not count" if one.void and one.seat is not None else ""
            yield self._chain.sum(row, one, words)

    def _dues(self, *, quiet: bool) -> Iterator[Figure]:
        from projections.tables import owed_document

        before = None if self._row is None else self._row.stream.hex
        books = self._under()
        if not books:
            from projections.books.shelf import Shelf, choice_hint

            raise UsageError(
                "under which rulebook?", f"{choice_hint(Shelf(self._ledger).names())} The house has adopted none."
            )
        try:
            told = owed_document.build_document(self._ledger, self._table, books, before)
        except HandledgerError:
            if quiet:
                return
            raise
        self._unit, self._exponent = told.unit, told.exponent
        for book, due in zip(books, told.due, strict=True):
            yield from self._due(told, due, book)

    def _due(self, told: OwedDocument, due: Due, book: Rulebook) -> Iterator[Figure]:
        if due.unknown:
            for name in _DUES:
                yield Figure(name, f"cannot be told: {due.unknown}", None, None, book.name, book.edition)
            return
        yield from self._chain.positions(due, book)
        for one in due.seats:
            yield self._chain.owed(due, one, book, _posts(due, one, told))

    def _findings(self, row: HandRow, *, follow: bool) -> Iterator[Figure]:
        from cli.audit import judged
        from projections.books import rulebook
        from projections.books.rulebook import BUILT_IN
        from projections.tables.kept_knock_ons import KnockOns

        books = self._under()
        by_name = {book.name: book for book in (rulebook.load(BUILT_IN), *books)}
        result = judged(self._ledger, iter([(self._place, [row])]), books)
        led = KnockOns(self._ledger, books)
        for found in result.findings:
            self._unit, self._exponent = found.unit, found.exponent
            one = self._finding(row, found, by_name[found.book])
            one.knock_on = led.of_finding(found) if follow else None
            yield one

    def _finding(self, row: HandRow, found: Finding, book: Rulebook) -> Figure:
        from projections.reports.finding_text import describe_shares

        one = self._chain.finding(row, found, book)
        for share, sentence in describe_shares(found.money, found.unit, found.exponent):
            one.reasons.append(Reason(sentence, 0, share.amount, "book"))
        return one


def _posts(due: Due, one: SeatDue, told: OwedDocument) -> str:
    """Return in words what a seat has to post."""
    posts = [post for post in due.place.posts if post.seat == one.seat] if due.place else []
    every = {(post.role, post.live, post.dead): post for post in (*posts, *one.post)}.values()
    words = []
    for post in every:
        live, dead = post.live, post.dead
        if live is None or dead is None:
            words.append(f"{post.role}: an amount that the record does not tell")
            continue
        chips = " and ".join(
            f"{amount(part, told.unit, told.exponent)} {how}" for part, how in ((live, "live"), (dead, "dead")) if part
        )
        words.append(f"{post.role}: {chips or 'nothing'}")
    if one.deal in ("no", "open"):
        words.append("gets no cards" if one.deal == "no" else "whether it gets cards cannot be told")
    return ", ".join(words) or "nothing to post"


def _text(told: WhyDocument, address: str, width: int) -> Iterator[str]:
    """Yield the document for people."""
    where = f"tournament {told.tournament} table {told.table}" if told.tournament else f"table {told.table}"
    named = f"hand {told.address}  {told.venue}" if told.hand else f"the coming hand  {told.venue}  {where}"
    yield output.paint(safe.terminal(named, 160), "bold")
    shown = any(figure.reasons for figure in told.figures)
    for at, figure in enumerate(told.figures):
        under = f" under {figure.book} ({figure.edition})" if figure.book else ""
        if shown or not at:
            yield ""
        yield from _wrapped("", safe.terminal(f"{figure.field} = {figure.says}{under}", 1000), width)
        for step in figure.reasons:
            yield from _step(step, told, width)
        if figure.knock_on is not None:
            yield from _led(figure.knock_on, told, width)
    if not told.figures:
        yield "no figure follows from what is recorded here"
    elif not shown:
        yield ""
        yield f"The chain behind one: handledger why {quote_for_shell(told.address or address)} {told.figures[0].field}"


def _led(found: KnockOn, told: WhyDocument, width: int) -> Iterator[str]:
    """Yield what a wrong button or blind led to, hand by hand."""
    from projections.reports.knock_on_text import describe_knock_on

    yield from _wrapped("  ", f"led to: {describe_knock_on(found)}", width)
    for one in found.hands[:_HANDS]:
        over = ", ".join(f"seat {share.seat} {_signed(share.amount, told)}" for share in one.money)
        where = " ".join(
            _placed(was, should) for was, should in zip(_seats(one.recorded), _seats(one.should), strict=True)
        )
        said = f"hand {safe.terminal(one.number, 24)}: {where}  {one.untold or over or 'nobody paid wrong'}"
        yield from _wrapped("    ", said, width)
    if len(found.hands) > _HANDS:
        yield f"    ({len(found.hands) - _HANDS:,} more hands; --format json lists all)"


def _seats(places: Spots) -> list[tuple[str, int | None]]:
    return [("button", places.button), ("small", places.small), ("big", places.big)]


def _placed(was: tuple[str, int | None], should: tuple[str, int | None]) -> str:
    """Return one position, and where it belonged if that is elsewhere."""
    at, belongs = ("-" if one[1] is None else str(one[1]) for one in (was, should))
    return f"{was[0]} {at}" + (f" (belonged {belongs})" if at != belongs else "")


def _step(step: Reason, told: WhyDocument, width: int) -> Iterator[str]:
    lead = "  " * (step.depth + 1)
    chips = "" if step.chips is None else f"{_signed(step.chips, told)}  "
    cited = f" [{', '.join(f'{one.book} {one.clause}' for one in step.clauses)}]" if step.clauses else ""
    inferred = " (inferred: no line says it)" if step.derived else ""
    says = f"{chips}{step.says}{_BASIS.get(step.basis, '')}{inferred}{cited}"
    yield from _wrapped(lead, safe.terminal(says, 1000), width)
    for one in step.clauses:
        if one.says and one.says != step.says:
            yield from _wrapped(lead + "    ", safe.terminal(f"{one.book} {one.clause}: {one.says}", 600), width)
    if step.place is not None:
        place = step.place
        line = f":{place.line}" if place.line else ""
        at = f"{safe.terminal(place.file, 60)}{line}  bytes {place.start}-{place.start + place.length}"
        yield safe.cut(f"{lead}    --> {at}", width)
        if step.line:
            yield from (safe.cut(f"{lead}        {safe.terminal(one, 400)}", width) for one in _first(step.line))


def _first(text: str) -> Iterable[str]:
    return text.splitlines()[:2]


def _signed(chips: int, told: WhyDocument) -> str:
    return ("+" if chips > 0 else "") + amount(chips, told.unit, told.exponent)


def _wrapped(lead: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=lead + "  ", break_on_hyphens=False) or [
        lead
    ]
