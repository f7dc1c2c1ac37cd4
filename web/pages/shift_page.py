"""Render the report of a shift's money: HTML, and HTML for paper, with lines to sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from ledger.text.language import phrase, translatable
from projections.amount_text import amount
from web.pages.html import build_content_policy, build_template_environment, read_static

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.table.money_events import FundKind
    from ledger.vocabulary import Chips
    from projections.money.difference import DifferenceKind, EventRef, MoneyDifference, MoneyGap
    from projections.money.shift_report import ShiftTableSums
    from web.pages.documents import ShiftReportDocument

_KIND_TITLES: Final[dict[DifferenceKind, str]] = {
    "box": translatable("Box"),
    "rake": translatable("Rake"),
    "chips": translatable("Chips"),
    "tray": translatable("Tray"),
    "fund": translatable("Fund"),
    "prize-pool": translatable("Prize pool"),
    "prize": translatable("Prize"),
    "chips-in-play": translatable("Chips in play"),
    "seating": translatable("Seating"),
}
SIGNERS: Final = (translatable("Auditor"), translatable("Floor manager"))
"""Who signs a report, in order."""


def render_shift_html(document: ShiftReportDocument) -> str:
    """Return a report as one file of HTML without scripts."""
    return _render(document, _join_styles("page.css", "shift.css"), paper=False)


def render_shift_for_paper(document: ShiftReportDocument) -> str:
    """Return a report as HTML to print."""
    return _render(document, _join_styles("page.css", "shift.css", "paper.css"), paper=True)


def _join_styles(*names: str) -> str:
    return "\n".join(map(read_static, names))


def _render(document: ShiftReportDocument, style: str, *, paper: bool) -> str:
    return (
        build_template_environment()
        .get_template("shift.html")
        .render(
            report=document,
            shift=document.shift,
            paper=paper,
            style=Markup(style),  # noqa: S704 - a file of ours
            policy=build_content_policy(style, ""),
            signers=[phrase(signer) for signer in SIGNERS],
            kind_title=name_difference_kind,
            describe_place=describe_place,
            describe_event=describe_event,
            format_gap=format_gap,
            fund_name=name_fund,
            cash_tables=[sums for sums in document.shift.tables if not sums.tournament],
            by_place=group_by_place,
        )
    )


def name_difference_kind(kind: DifferenceKind) -> str:
    """Return the heading of a kind of difference."""
    return phrase(_KIND_TITLES[kind])


def name_fund(fund: FundKind) -> str:
    """Return the name of a fund."""
    return phrase("jackpot") if fund == "jackpot" else phrase("promotion")


def describe_place(item: MoneyDifference | MoneyGap | ShiftTableSums) -> str:
    """Return the table or tournament of a difference, a gap or sums, as a card room names it; else the room."""
    if not item.tournament:
        return item.table or item.venue
    if not item.table:
        return phrase("tournament {tournament}", tournament=item.tournament)
    return phrase("tournament {tournament}, table {table}", tournament=item.tournament, table=item.table)


def group_by_place(items: Iterable[MoneyDifference]) -> list[tuple[str, list[MoneyDifference]]]:
    """Return differences by table or tournament, each with its name, in their order."""
    groups: dict[tuple[str, str, str], list[MoneyDifference]] = {}
    for item in items:
        groups.setdefault((item.venue, item.tournament, item.table), []).append(item)
    return [(describe_place(group[0]), group) for group in groups.values()]


def describe_event(event: EventRef) -> str:
    """Return how people call an event, and what it says."""
    if not event.name:
        return event.note or event.stream[:8]
    return phrase("{name}: {note}", name=event.name, note=event.note) if event.note else event.name


def format_gap(chips: Chips | None, unit: str, exponent: int) -> str:
    """Return by how much sums differ, with its sign; "?" if nobody knows."""
    sign = "+" if chips is not None and chips > 0 else ""
    return f"{sign}{amount(chips, unit, exponent)}"
