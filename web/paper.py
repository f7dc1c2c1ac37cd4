"""A report on paper: the same page as PDF, with what an auditor asks of a printed report on every sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ledger.errors import UsageError
from web.rendering import for_paper

if TYPE_CHECKING:
    from web.documents import ReportDocument


def pdf(report: ReportDocument) -> bytes:
    """Return a report as PDF; nothing is fetched for it."""
    try:
        from weasyprint import HTML  # noqa: PLC0415 - an extra, and slow to import
    except (ImportError, OSError) as error:
        raise UsageError(
            f"a PDF needs more than is installed here: {error}",
            "pip install 'handledger[pdf]', and Pango from your system; or print the page from a browser.",
        ) from error
    made: bytes = HTML(string=for_paper(report), url_fetcher=_refused).write_pdf(pdf_variant="pdf/ua-1")
    return made


def _refused(url: str) -> NoReturn:
    raise ValueError(url)
