"""`handledger report --shift`: report the money of a shift."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cli.options import ledger_options
from cli.output import console
from ledger.text.language import phrase
from projections.addresses.room_days import DEFAULT_DAY_START

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Ledger
    from web.pages.documents import ShiftReportDocument

FILE_FORMATS: Final = {".pdf": "pdf", ".csv": "csv", ".json": "json", ".txt": "text"}
"""Ending of a file's name → format; other names mean HTML."""


def choose_format(format_: str, file: Path | None, *, is_pdf: bool) -> str:
    """Return the format to write: `html`, `pdf`, `csv`, `json`, or `text` for a terminal or a pipe."""
    if format_ != "text":
        return format_
    if is_pdf:
        return "pdf"
    if file is not None:
        return FILE_FORMATS.get(file.suffix.lower(), "html")
    return "text"


class ShiftOptions(NamedTuple):
    """The options of a shift's report."""

    shift: str  # a name, a day, or FROM..TO
    tables: list[str]  # [] = all
    books: list[str] | None
    day_begins: str
    as_of: str | None

    def write_command(self) -> str:
        """Return the command line of this report, quoted for a shell."""
        words = ["handledger", "report", "--shift", self.shift]
        for name in self.tables:
            words += ["--table", name]
        for book in self.books or []:
            words += ["-r", book]
        if self.day_begins != DEFAULT_DAY_START:
            words += ["--day-begins", self.day_begins]
        if self.as_of is not None:
            words += ["--as-of", self.as_of]
        return shlex.join(words)


def write_shift_report(url: str | None, options: ShiftOptions, format_: str, file: Path | None) -> int:
    """Write the report; return the exit code: 1 if there are differences, else 0."""
    from cli.export import record_export

    with (
        ledger_options.open_ledger(url, as_of=options.as_of) as ledger,
        console.show_progress(phrase("adding up the shift")) as progress,
    ):
        document = build_document(ledger, options, on_hands=progress.show_judged)
    with console.PendingOutput(file) as draft:
        _write(draft, document, format_)
        draft.publish(is_safe_text=format_ == "text")
        if format_ != "text" or file is not None:
            record_export(url, "report", document.shift.hands, "house", draft.digest(), lossy=False, role="report")
    return int(bool(document.shift.differences))


def build_document(
    ledger: Ledger, options: ShiftOptions, on_hands: Callable[[int, int], None] = lambda _judged, _total: None
) -> ShiftReportDocument:
    """Return the document of a shift."""
    from ledger import __version__
    from projections.books.shelf import load_books
    from projections.money.shift_builder import build_shift_report
    from web.pages.documents import ShiftReportDocument
    from web.pages.hand_page import read_ledger_head

    report = build_shift_report(
        ledger,
        options.shift,
        tables=options.tables,
        books=load_books(ledger, options.books),
        day_begins=options.day_begins,
        on_hands=on_hands,
    )
    return ShiftReportDocument(
        title=phrase("Shift report: {shift}", shift=report.shift),
        made=ledger.now(),
        version=__version__,
        head=read_ledger_head(ledger, Path(ledger_options.name_ledger(ledger)).name),
        command=options.write_command(),
        shift=report,
    )


def _write(draft: console.PendingOutput, document: ShiftReportDocument, format_: str) -> None:
    """Write a document in a format."""
    if format_ == "csv":
        from projections.money.shift_csv import format_shift_rows

        draft.write_table(format_shift_rows(document.shift))
    else:
        draft.write(_encode(document, format_))


def _encode(document: ShiftReportDocument, format_: str) -> bytes:
    from web.pages import shift_page

    if format_ == "pdf":
        from web.pages.paper import write_pdf

        return write_pdf(shift_page.render_shift_for_paper(document))
    if format_ == "json":
        text = console.encode_document(document)
    elif format_ == "text":
        from cli.output.shift_text import format_shift_report

        text = format_shift_report(document.shift)
    else:
        text = shift_page.render_shift_html(document)
    return f"{text}\n".encode()
