"""Print reports as PDF, with the facts that an auditor expects on every sheet."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NoReturn

from web.pages import report_errors
from web.pages.html import render_for_paper

if TYPE_CHECKING:
    from pydyf import PDF
    from weasyprint import Document

    from web.pages.documents import ReportDocument


def render_pdf(report: ReportDocument) -> bytes:
    """Return a report as PDF. It fetches nothing from the network."""
    return write_pdf(render_for_paper(report))


def write_pdf(page: str) -> bytes:
    """Return a page of HTML as PDF."""
    try:
        from weasyprint import HTML  # noqa: PLC0415 - an extra, and slow to import
    except (ImportError, OSError) as error:
        raise report_errors.pdf_not_installed(str(error)) from error
    pdf_bytes: bytes = HTML(string=page, url_fetcher=_refuse_url).write_pdf(
        pdf_variant="pdf/ua-1", finisher=_add_header_scopes
    )
    return pdf_bytes


def _add_header_scopes(_: Document, pdf: PDF) -> None:
    """Add to each header cell whether it heads its row or its column: WeasyPrint leaves that out."""
    from pydyf import Dictionary  # noqa: PLC0415 - an extra, as WeasyPrint, which needs it

    elements = {
        pdf_object.reference.decode(): pdf_object
        for pdf_object in pdf.objects
        if isinstance(pdf_object, Dictionary) and pdf_object.get("Type") == "/StructElem"
    }
    for element in elements.values():
        if element["S"] == "/TH":
            row = elements.get(_decode_reference(element["P"]), {})
            row_group = elements.get(_decode_reference(row.get("P", "")), {})
            scope = "/Column" if row_group.get("S") == "/THead" else "/Row"
            element["A"] = f"<</O /Table /Scope {scope}>>"


def _decode_reference(reference: bytes | str) -> str:
    return reference.decode() if isinstance(reference, bytes) else reference


def render_text_pdf(title: str, text: str) -> bytes:
    """Return a text as one printed page."""
    page = (
        f'<html lang="en"><head><title>{escape(title)}</title><style>@page {{ size: A4; margin: 15mm }}'
        f"pre {{ font: 9.5pt monospace }}</style></head><body><pre>{escape(text)}</pre></body></html>"
    )
    return write_pdf(page)


def _refuse_url(url: str) -> NoReturn:
    raise ValueError(url)
