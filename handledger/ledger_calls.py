"""The library's functions on a ledger: import, audit, dues, a hand, queries, export. `handledger.open` opens one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from handledger import door_errors
from ledger.errors import StoreError
from ledger.export.audience import HOUSE, require_audience
from ledger.export.export_record import append_export
from ledger.export.hands import Export
from ledger.intake.import_loop import import_paths
from ledger.intake.import_options import DEFAULT_OPTIONS, ImportOptions
from ledger.intake.summary import ImportSummary
from projections.addresses import hand_address
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.audit.house_audit import has_adopted_books, judge_under_house_books
from projections.books.rulebook import Rulebook
from projections.books.shelf import Shelf, name_editions_apart
from projections.queries.chosen_hands import iterate_chosen_hands
from projections.reports.hand_documents import HandTold
from projections.reports.owed_report import OwedDocument, format_call
from projections.reports.shown_hand import ShownHand, build_shown_hand
from projections.reports.states import build_hands
from projections.table_walk.replay import walk_hands
from projections.tables.owed_document import build_due_document

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey

Books: TypeAlias = "str | Rulebook | Iterable[str | Rulebook]"
"""A rulebook, or several: names as of `-r`, or loaded books. () = the books that the house adopted."""
PathLike: TypeAlias = "str | os.PathLike[str]"
ExportFormat: TypeAlias = Literal["phh", "ohh", "pokerstars", "handscript", "jsonl", "csv"]


class ExportedText(msgspec.Struct, frozen=True):
    """Hands as text of another format.

    `losses`: the facts that the format can't hold, which were left out with `lossy`. `left_out`: number and reason of the
    first hands that aren't in the text. `is_recorded`: whether the house's record says that hands left the ledger.
    """

    text: str
    hands: int
    losses: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    is_recorded: bool


def import_files(
    ledger: Ledger, paths: PathLike | Iterable[PathLike], options: ImportOptions = DEFAULT_OPTIONS
) -> ImportSummary:
    """Import files and folders; return a summary of each source in `files`: new, same, rejected hands, and its error.

    A path that leads nowhere raises `SourceError` before anything is written. The same file again changes nothing.

    >>> import handledger
    >>> with handledger.open("sqlite://") as ledger:
    ...     [file] = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand").files
    ...     file.new, file.rejected
    (20, 0)
    """
    values: list[object] = [paths] if isinstance(paths, str | os.PathLike) else _list_values("paths", paths)
    path_list = [Path(value) for value in values if isinstance(value, str | os.PathLike)]
    if len(path_list) < len(values):
        raise door_errors.not_text("paths", paths)
    return import_paths(ledger, path_list, options)


def audit(
    ledger: Ledger,
    rulebooks: Books = (),
    *,
    hands: str | Sequence[str] | None = None,
    table: str | None = None,
    where: str | None = None,
) -> AuditResult:
    """Judge hands under rulebooks; return findings and coverage.

    `hands`: addresses such as "T3/712"; `where`: a query as for `log --where`; without them, all hands. Without a rulebook
    each hand is judged by the book that the house had adopted, or only for contradictions in the record.

    >>> import handledger
    >>> with handledger.open("sqlite://") as ledger:
    ...     summary = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand")
    ...     [finding] = handledger.audit(ledger, "rrop4", hands="T3/712").findings
    >>> finding.citation, finding.saw
    ('rrop4 blinds.9.1', 'Seat 3 posted $10 live instead of $10 live and $5 dead for missed blinds')
    """
    books = name_editions_apart(_load_books(ledger, rulebooks))
    addresses = _read_addresses(hands)

    def list_hands() -> Iterator[tuple[TableKey, Iterable[HandRow]]]:
        return iterate_chosen_hands(ledger, addresses, table=table, query_text=where, books=books)

    def judge(rows: Iterable[tuple[TableKey, Iterable[HandRow]]], judged_books: list[Rulebook]) -> AuditResult:
        return Auditor(judged_books).judge_hands(walk_hands(ledger, rows, judged_books))

    if not books and has_adopted_books(ledger):
        return judge_under_house_books(ledger, list_hands, judge)
    return judge(list_hands(), books)


def due(ledger: Ledger, table: str, rulebooks: Books = (), *, before: str | None = None) -> OwedDocument:
    """Return the dues at a table on its next hand, or on the past hand `before`, one for each book in `due`.

    `table`: T7, tournament/table or venue/table. Without a rulebook, the house's. `describe_due` puts them in a sentence.

    >>> import handledger
    >>> with handledger.open("sqlite://") as ledger:
    ...     summary = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand")
    ...     document = handledger.due(ledger, "T3", "rrop4", before="T3/712")
    >>> document.due[0].place.button, document.due[0].place.small, document.due[0].place.big
    (5, 7, 8)
    """
    table_row = hand_address.find_table(ledger, table)
    return build_due_document(ledger, table_row, _load_books(ledger, rulebooks), before)


def describe_due(document: OwedDocument) -> str:
    """Return what a floor can call out of a document of `due` under its first book, in the language in force."""
    return format_call(document)


def show(ledger: Ledger, hand: str) -> ShownHand:
    """Return a hand event by event; `hand`: an address such as "T3/712". `NothingFoundError` if the ledger has no such hand.

    >>> import handledger
    >>> with handledger.open("sqlite://") as ledger:
    ...     summary = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand")
    ...     shown = handledger.show(ledger, "T3/712")
    >>> shown.hand.pot, shown.events[-1].told
    (3500, 'the hand is over')
    """
    return build_shown_hand(ledger, hand_address.find(ledger, hand).row)


def query(ledger: Ledger, where: str = "", *, limit: int | None = None) -> list[HandTold]:
    """Return the hands that match a query as for `log --where`; all without one. Amounts: units of 10^-exponent.

    `QueryError` shows where the query can't be read.

    >>> import handledger
    >>> with handledger.open("sqlite://") as ledger:
    ...     summary = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand")
    ...     [hand.address for hand in handledger.query(ledger, "pot>=60", limit=2)]
    ['T3/703', 'T3/705']
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
        raise door_errors.number_out_of_range("limit", limit, 0, 10**9)
    groups = iterate_chosen_hands(ledger, query_text=where or None)
    rows = chain.from_iterable(group_rows for _, group_rows in groups)
    return list(build_hands(ledger, islice(rows, limit)))


def export(
    ledger: Ledger,
    to: ExportFormat,
    *,
    hands: str | Sequence[str] | None = None,
    table: str | None = None,
    where: str | None = None,
    audience: str = HOUSE,
    names: Literal["keep", "position", "pseudonym"] = "keep",
    lossy: bool = False,
) -> ExportedText:
    """Write hands in another format; hands as for `audit`.

    A hand with facts that the format can't hold is left out, or with `lossy` written without them. `audience`: "house",
    "public", a seat's number or a player's name: only what they may see. That hands leave the ledger is recorded in it,
    if it may be written.

    >>> import handledger
    >>> with handledger.open("sqlite://") as ledger:
    ...     summary = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand")
    ...     print(handledger.export(ledger, "phh", hands="T3/712").text[:14])
    variant = 'FT'
    """
    if to not in ("phh", "ohh", "pokerstars", "handscript", "jsonl", "csv"):
        raise door_errors.bad_choice("to", to, ("phh", "ohh", "pokerstars", "handscript", "jsonl", "csv"))
    if names not in ("keep", "position", "pseudonym"):
        raise door_errors.bad_choice("names", names, ("keep", "position", "pseudonym"))
    if not isinstance(audience, str):
        raise door_errors.not_text("audience", audience)
    require_audience(ledger, audience)
    addresses = _read_addresses(hands)
    exporter = Export(ledger, to, audience, names, lossy=bool(lossy))
    groups = iterate_chosen_hands(ledger, addresses, table=table, query_text=where)
    text = "".join(exporter.text_pieces(chain.from_iterable(rows for _, rows in groups)))
    is_recorded = _record_export(ledger, exporter, text)
    return ExportedText(text, exporter.count, tuple(exporter.losses), tuple(exporter.left_out), is_recorded)


def _record_export(ledger: Ledger, exporter: Export, text: str) -> bool:
    """Record in the house's stream that hands leave the ledger; return False if the ledger is read-only."""
    from hashlib import sha256  # noqa: PLC0415 - only an export needs it

    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    try:
        append_export(
            ledger,
            exporter.format_name,
            exporter.count,
            exporter.audience,
            digest,
            lossy=bool(exporter.losses),
            program="export",
        )
    except StoreError:
        return False
    return True


def _load_books(ledger: Ledger, rulebooks: Books) -> list[Rulebook]:
    names = [rulebooks] if isinstance(rulebooks, str | Rulebook) else _list_values("rulebooks", rulebooks)
    shelf = Shelf(ledger)
    books = []
    for name in dict.fromkeys(names):
        if not isinstance(name, str | Rulebook):
            raise door_errors.not_text("rulebooks", name)
        books.append(name if isinstance(name, Rulebook) else shelf.load(name))
    return books


def _read_addresses(hands: object) -> list[str] | None:
    if hands is None:
        return None
    values: list[object] = [hands] if isinstance(hands, str) else _list_values("hands", hands)
    addresses = [value for value in values if isinstance(value, str)]
    if len(addresses) < len(values):
        raise door_errors.not_text("hands", hands)
    return addresses


def _list_values(field: str, values: object) -> list[object]:
    if not isinstance(values, Iterable) or isinstance(values, bytes):
        raise door_errors.not_text(field, values)
    return list(values)
