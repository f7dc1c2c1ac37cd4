"""`handledger why`: explain a figure of a hand or table by its events, clauses and source bytes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.why_document import Figure, Reason, WhyDocument
from cli.options import common_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.errors import HandledgerError, NothingFoundError, UsageError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import amount
from projections.reports.recorders import format_recorder

if TYPE_CHECKING:
    from cli.why_chain import FigureExplainer
    from ledger.store import HandRow, Ledger, TableRow
    from projections.audit.knock_on import ButtonAndBlinds, KnockOn
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due, SeatDue
    from projections.reports.owed_report import OwedDocument

_SUM_FIGURES: Final = {
    "pot": "put into the pot",
    "rake": "taken by the house",
    "put": "put in",
    "won": "won",
    "net": "net",
}
_DUE_FIGURES: Final = ("button", "small", "big", "due")
_FIELDS: Final = "pot, rake, put:SEAT, won:SEAT, net:SEAT, button, small, big, due:SEAT, finding:FINGERPRINT"
CANNOT_TELL: Final = "can't tell: "
"""The beginning of an answer that the record doesn't have."""
_MAX_HANDS: Final = 20
"""Hands of an aftermath that the text shows."""
_BASIS: Final = {"fallback": " (usual; the book is silent)", "assumed": " (assumed)"}


def command(
    address: Annotated[
        str,
        typer.Argument(
            help="A hand (T7/408), an event of it (T7/408@12), or a table: its next hand.",
            autocompletion=common_options.complete_hands,
        ),
    ],
    field: Annotated[
        str | None, typer.Argument(metavar="[FIELD]", help=f"The figure: {_FIELDS}. Default: list them.")
    ] = None,
    *,
    books: common_options.Books = None,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Explain a figure: its events, its clauses, its source bytes."""
    from projections.books.shelf import load_books

    _parse_field(field)
    with ledger_options.open_ledger(url, as_of=as_of) as ledger:
        document = build_answer(ledger, address, field, load_books(ledger, books))
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text("\n".join(_format_document(document, address, min(console.find_width(), 120))), file)


def build_answer(ledger: Ledger, address: str, field: str | None, books: list[Rulebook]) -> WhyDocument:
    """Return a figure with its reasons; without a `field`, all figures without reasons."""
    figure_name, seat = _parse_field(field)
    hand_row, table, event_version = _find_subject(ledger, address)
    document = _FigureBuilder(ledger, hand_row, table, books).build_document(figure_name)
    if event_version is not None:
        document.figures = [
            figure for figure in document.figures if any(_is_at_event(step, event_version) for step in figure.reasons)
        ]
    document.figures = [
        figure for figure in document.figures if field is None or _matches_field(figure, field, figure_name, seat)
    ]
    if field is not None and not document.figures:
        raise NothingFoundError(
            f"this hand has no figure {field!r}", f"Leave the figure out to list all. Figures: {_FIELDS}."
        )
    if field is None:
        from cli.why_chain import drop_reasons

        document.figures = [drop_reasons(figure) for figure in document.figures]
    return document


def _parse_field(field: str | None) -> tuple[str, str]:
    """Return the name of a figure, and its seat or finding; "" = all."""
    figure_name, _, target = (field or "").partition(":")
    if field is not None and figure_name not in {*_SUM_FIGURES, *_DUE_FIGURES, "finding"}:
        raise UsageError(f"there is no figure {field!r}", f"The figures: {_FIELDS}.")
    if target and figure_name != "finding" and not re.fullmatch(r"[0-9]{1,4}", target):
        raise UsageError(f"{target!r} is no seat", f"Example: {figure_name}:5.")
    return figure_name, target


def _matches_field(figure: Figure, field: str, name: str, target: str) -> bool:
    figure_name, _, figure_target = figure.field.partition(":")
    if figure_name != name:
        return False
    if name == "finding":
        return figure_target.startswith(target[:8])
    return not target or figure.field == field


def _is_at_event(step: Reason, version: int) -> bool:
    return not step.depth and step.show.endswith(f"@{version}")


def _find_subject(ledger: Ledger, address: str) -> tuple[HandRow | None, TableRow, int | None]:
    """Return the hand at an address, its table and its event; for a table's address, only the table."""
    try:
        hand_match = hand_address.find(ledger, address)
    except NothingFoundError:
        table_row = hand_address.find_table_or_none(ledger, address)
        if table_row is None:
            raise
        return None, table_row, None
    hand_row = hand_match.row
    table_key = hand_row.venue, hand_row.tournament, hand_row.table
    table_rows = ledger.tables(hand_row.table)
    table_row = next(row for row in table_rows if (row.venue, row.tournament, row.table) == table_key)
    return hand_row, table_row, hand_match.version


class _FigureBuilder:
    """Builds the figures of a hand, or of a table's coming hand."""

    def __init__(self, ledger: Ledger, row: HandRow | None, table: TableRow, books: list[Rulebook]) -> None:
        from cli.why_chain import FigureExplainer
        from ledger.store.hands.hand_accounts import TableKey

        self._ledger, self._row, self._table = ledger, row, table
        self._place = TableKey(table.venue, table.tournament, table.table)
        self._books = books
        self._explainer: FigureExplainer = FigureExplainer(ledger, self._place)
        self._unit, self._exponent = "", 0

    def build_document(self, name: str) -> WhyDocument:
        """Return the document with the figures of a name; "" = all."""
        figures: list[Figure] = []
        if self._row is not None and name in {"", *_SUM_FIGURES}:
            figures += self._explain_sums(self._row)
        if name in _DUE_FIGURES or (not name and self._find_books()):
            figures += self._explain_dues(is_optional=not name)
        if self._row is not None and name in {"", "finding"}:
            figures += self._explain_findings(self._row, follow=name == "finding")
        hand_number = "" if self._row is None else self._row.number
        return WhyDocument(
            venue=self._place.venue,
            tournament=self._place.tournament,
            table=self._place.table,
            hand=hand_number,
            unit=self._unit,
            exponent=self._exponent,
            figures=figures,
            address=self._find_address(),
        )

    def _find_address(self) -> str:
        """Return the address of the hand, or of the table."""
        book = AddressBook(self._ledger)
        return book.find_table_address(self._place) if self._row is None else book.find_hand_address(self._row)

    def _find_books(self) -> list[Rulebook]:
        """Return the named books, else the book in force at the hand; [] if the house adopted none."""
        from projections.audit import house_audit

        if not self._books and house_audit.has_adopted_books(self._ledger):
            moment = self._ledger.now() if self._row is None else self._row.started
            self._books = [house_audit.House(self._ledger).find_book(self._place.venue, self._place.table, moment)]
        return self._books

    def _explain_sums(self, row: HandRow) -> Iterator[Figure]:
        from ledger.store.requests.stored_hands import read_hands
        from projections.reports.figures import compute_figures

        hand = next(read_hands(self._ledger, [row.stream]))
        if hand.final_state.game is not None:
            self._unit, self._exponent = hand.final_state.game.unit, hand.final_state.game.exponent
        for hand_figure in compute_figures(hand):
            amount_text = amount(hand_figure.chips, self._unit, self._exponent)
            amount_text += ": the hand does not count" if hand_figure.void and hand_figure.seat is not None else ""
            yield self._explainer.explain_sum(row, hand_figure, amount_text)

    def _explain_dues(self, *, is_optional: bool) -> Iterator[Figure]:
        from projections.tables import owed_document

        hand_stream = None if self._row is None else self._row.stream.hex
        books = self._find_books()
        if not books:
            from projections.books.shelf import Shelf, suggest_books

            raise UsageError(
                "no rulebook is chosen, and the house hasn't adopted one",
                suggest_books(Shelf(self._ledger).list_names()),
            )
        try:
            owed_dues = owed_document.build_document(self._ledger, self._table, books, hand_stream)
        except HandledgerError:
            if is_optional:
                return
            raise
        self._unit, self._exponent = owed_dues.unit, owed_dues.exponent
        for book, due in zip(books, owed_dues.due, strict=True):
            yield from self._explain_due(owed_dues, due, book)

    def _explain_due(self, owed_dues: OwedDocument, due: Due, book: Rulebook) -> Iterator[Figure]:
        if due.unknown:
            for name in _DUE_FIGURES:
                yield Figure(name, f"{CANNOT_TELL}{due.unknown}", None, None, book.name, book.edition)
            return
        yield from self._explainer.explain_positions(due, book)
        for seat_due in due.seats:
            yield self._explainer.explain_debt(due, seat_due, book, _describe_posts(due, seat_due, owed_dues))

    def _explain_findings(self, row: HandRow, *, follow: bool) -> Iterator[Figure]:
        from cli.audit import judge_with_progress
        from projections.books import rulebook
        from projections.books.rulebook import BUILT_IN
        from projections.tables.knock_ons import KnockOns

        books = self._find_books()
        by_name = {book.name: book for book in (rulebook.load(BUILT_IN), *books)}
        result = judge_with_progress(self._ledger, iter([(self._place, [row])]), books)
        knock_ons = KnockOns(self._ledger, books)
        for finding in result.findings:
            self._unit, self._exponent = finding.unit, finding.exponent
            figure = self._explain_finding(row, finding, by_name[finding.book])
            figure.knock_on = knock_ons.follow_finding(finding) if follow else None
            yield figure

    def _explain_finding(self, row: HandRow, finding: Finding, book: Rulebook) -> Figure:
        from projections.reports.finding_text import describe_shares

        figure = self._explainer.explain_finding(row, finding, book)
        for share, sentence in describe_shares(finding.money, finding.unit, finding.exponent):
            figure.reasons.append(Reason(sentence, 0, share.amount, "book"))
        return figure


def _describe_posts(due: Due, seat_due: SeatDue, owed_dues: OwedDocument) -> str:
    """Return the posts due from a seat as text."""
    from cli.why_chain import list_due_posts

    post_texts = []
    for post in list_due_posts(due, seat_due):
        live, dead = post.live, post.dead
        if live is None or dead is None:
            post_texts.append(f"{post.role}: the record doesn't show how much")
            continue
        parts = []
        if live:
            parts.append(f"{amount(live, owed_dues.unit, owed_dues.exponent)} live")
        if dead:
            parts.append(f"{amount(dead, owed_dues.unit, owed_dues.exponent)} dead")
        post_texts.append(f"{post.role}: {' and '.join(parts) or 'nothing'}")
    if seat_due.deal in ("no", "open"):
        post_texts.append("gets no cards" if seat_due.deal == "no" else "can't tell whether it gets cards")
    return ", ".join(post_texts) or "nothing to post"


def _format_document(document: WhyDocument, address: str, width: int) -> Iterator[str]:
    """Yield the document as lines."""
    yield console.paint(safe.terminal(_format_heading(document), 160), "bold")
    has_reasons = any(figure.reasons for figure in document.figures)
    for figure_index, figure in enumerate(document.figures):
        book_text = f" under {figure.book} ({figure.edition})" if figure.book else ""
        if has_reasons or not figure_index:
            yield ""
        yield from _wrap_text("", safe.terminal(f"{figure.field} = {figure.says}{book_text}", 1000), width)
        for step in figure.reasons:
            yield from _format_reason(step, document, width)
        if figure.knock_on is not None:
            yield from _format_knock_on(figure.knock_on, document, width)
    command_text = f"handledger why {quote_for_shell(document.address or address)}"
    explained = next((figure for figure in document.figures if not figure.says.startswith(CANNOT_TELL)), None)
    if not document.figures:
        yield f"For the button, the blinds and what each seat owes, name a rulebook: {command_text} -r rrop4"
    elif not has_reasons and explained is not None:
        yield ""
        book_option = (
            f" -r {quote_for_shell(explained.book)}" if explained.field.partition(":")[0] in _DUE_FIGURES else ""
        )
        yield f"The reasons for one of them: {command_text} {explained.field}{book_option}"


def _format_heading(document: WhyDocument) -> str:
    """Return the hand and its room; for a coming hand, the room and the table."""
    if document.hand:
        return f"hand {document.address}  {document.venue}"
    tournament_text = f"tournament {document.tournament} " if document.tournament else ""
    return f"the coming hand  {document.venue}  {tournament_text}table {document.table}"


def _format_knock_on(knock_on: KnockOn, document: WhyDocument, width: int) -> Iterator[str]:
    """Yield the aftermath of a wrong button or blind, hand by hand."""
    from projections.reports.knock_on_text import describe_knock_on

    yield from _wrap_text("  ", f"aftermath: {describe_knock_on(knock_on)}", width)
    for later_hand in knock_on.hands[:_MAX_HANDS]:
        money_text = ", ".join(
            f"seat {share.seat} {_format_signed(share.amount, document)}" for share in later_hand.money
        )
        positions_text = " ".join(
            _format_position(recorded_spot, right_spot)
            for recorded_spot, right_spot in zip(
                _list_positions(later_hand.recorded), _list_positions(later_hand.should), strict=True
            )
        )
        sentence = f"hand {safe.terminal(later_hand.number, 24)}: {positions_text}  {later_hand.untold or money_text or 'nobody paid wrong'}"
        yield from _wrap_text("    ", sentence, width)
    if len(knock_on.hands) > _MAX_HANDS:
        yield f"    ({len(knock_on.hands) - _MAX_HANDS:,} more hands; --format json lists all)"


def _list_positions(places: ButtonAndBlinds) -> list[tuple[str, int | None]]:
    return [("button", places.button), ("small", places.small), ("big", places.big)]


def _format_position(recorded_spot: tuple[str, int | None], right_spot: tuple[str, int | None]) -> str:
    """Return a position by name and seat, and where it belonged if that differs."""
    (name, recorded_seat), (_, right_seat) = recorded_spot, right_spot
    recorded_text = f"{name} {_format_seat(recorded_seat)}"
    return recorded_text if recorded_seat == right_seat else f"{recorded_text} (belonged {_format_seat(right_seat)})"


def _format_seat(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _format_reason(step: Reason, document: WhyDocument, width: int) -> Iterator[str]:
    indent = "  " * (step.depth + 1)
    chips_text = "" if step.chips is None else f"{_format_signed(step.chips, document)}  "
    citation = f" [{', '.join(f'{clause.book} {clause.clause}' for clause in step.clauses)}]" if step.clauses else ""
    inferred_text = " (inferred: not written in the source)" if step.derived else ""
    sentence = f"{chips_text}{step.says}{_BASIS.get(step.basis, '')}{inferred_text}{citation}"
    yield from _wrap_text(indent, safe.terminal(sentence, 1000), width)
    for clause in step.clauses:
        if clause.says and clause.says != step.says:
            yield from _wrap_text(
                indent + "    ", safe.terminal(f"{clause.book} {clause.clause}: {clause.says}", 600), width
            )
    recorder = format_recorder(step.recorder)
    if recorder:
        yield safe.cut(f"{indent}    --> {recorder}", width)
    if step.place is not None:
        place = step.place
        line_suffix = f":{place.line}" if place.line else ""
        location = f"{safe.terminal(place.file, 60)}{line_suffix}  bytes {place.start}-{place.start + place.length}"
        yield safe.cut(f"{indent}    --> {location}", width)
        if step.line:
            yield from (
                safe.cut(f"{indent}        {safe.terminal(clause, 400)}", width)
                for clause in _list_first_lines(step.line)
            )


def _list_first_lines(text: str) -> Iterable[str]:
    return text.splitlines()[:2]


def _format_signed(chips: int, document: WhyDocument) -> str:
    return ("+" if chips > 0 else "") + amount(chips, document.unit, document.exponent)


def _wrap_text(indent: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    ) or [indent]
