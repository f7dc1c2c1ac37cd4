"""Word by word what is said of a page's hands: each finding, and the verdict of clauses beside it.

Kept in `said/`, one file for each module of detectors and for each worked example about one hand.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from ledger.event import Event
from projections.books.rulebook import Clause, Rulebook, load
from projections.findings.finding import Finding
from tests.projections.pages import WORKED, Case, load_book
from tests.projections.running import Ran, run

GOLDEN_FOLDER: Final = Path(__file__).resolve().parent / "said"
BOOKS: Final = ("hilton", "rrop4", "bicycle", "house-burn")
WHOLE_PAGES: Final = frozenset({"tda2024", "house-list"})
"""Books whose pages stand in one file of their own."""
MODULES: Final = (
    "allin",
    "board",
    "burns",
    "cap",
    "deal",
    "exposed",
    "extra",
    "motions",
    "scrap",
    "shortblind",
    "showdown",
    "sizes",
    "straddle",
    "streets",
    "tda",
    "tda_betting",
    "turn",
)

ALONE: Final = ("blinds", "posts", "record")
"""Modules whose verdicts are kept of their own pages only."""

WORKED_HANDS: Final = frozenset(["S2", "S3", "S5", *(f"W{n}" for n in (22, 23, 24, 26, *range(28, 49), 50, 51, 52))])
"""Worked examples that are about one hand."""

AT_TABLES: Final = (frozenset({"entering", "owing", "moving"}), frozenset({"button", "placing"}))
"""Detectors of what players owe, and of where the positions are: what they say is kept of evenings."""

WORKED_EVENINGS: Final = frozenset(["S4", *(f"W{n}" for n in (12, 13, 15, 16, 17, 18, 20, 25, 27, 49))])
"""Worked examples about what players owe."""


def module(clause: Clause) -> str:
    """The module of a clause's detector; "" = it has none."""
    return clause.entry.detector.partition(".")[0]


def place(case: Case) -> str:
    """The golden file that a case belongs to, without its ending; "" = none."""
    if case.page in WHOLE_PAGES:
        return case.page
    if case.book == "record":
        return "record"
    if case.book not in BOOKS:
        return ""
    if case.evening:
        return _place_of_evening(case)
    if case.page == WORKED:
        return case.clause if case.clause in WORKED_HANDS else ""
    name = module(load(case.book).clauses[case.clause])
    return name if name in MODULES + ALONE else ""


def _place_of_evening(case: Case) -> str:
    if case.page == WORKED:
        return case.clause if case.clause in WORKED_EVENINGS else ""
    name = module(load(case.book).clauses[case.clause])
    return name if any(name in at_table for at_table in AT_TABLES) else ""


def _modules_together(name: str) -> frozenset[str]:
    """Return the modules of detectors whose verdicts are kept with those of one, which is among them."""
    return next((at_table for at_table in AT_TABLES if name in at_table), frozenset({name}))


def render_case(case: Case) -> str:
    """Return what is said of the hand of a case, or of its hands, as lines."""
    ran = run(case)
    book = load_book(case.book)
    if case.evening:
        return _said_of_evening(case, ran, book)
    events: tuple[Event, ...] = case.events
    kinds = {type(event) for event in events}
    lines = [_line(finding) for _, finding in ran.findings if finding.book == case.book]
    near = [
        clause
        for clause in book.clauses.values()
        if module(clause) in (*MODULES, place(case)) and clause.spec is not None and clause.spec.events & kinds
    ]
    rows = {row.clause: row for row in ran.result.coverage if row.book == case.book}
    silent_rows: dict[str, list[str]] = {}
    for clause in near:
        row = rows[clause.id]
        if row.cannot_tell:
            answer = "cannot tell for want of " + ", ".join(missing_fact.fact for missing_fact in row.missing)
        elif row.not_applicable:
            answer = "no occasion"
        else:
            continue
        silent_rows.setdefault(answer, []).append(clause.id)
    lines += [f"{answer}: {' '.join(clauses)}" for answer, clauses in sorted(silent_rows.items())]
    return "\n".join((f"[{case.name}]", *lines))


def _said_of_evening(case: Case, ran: Ran, book: Rulebook) -> str:
    lines = [f"{hand}: {_line(finding)}" for hand, finding in ran.findings if finding.book == case.book]
    verdicts: dict[str, list[str]] = {}
    own_module = "owing" if case.page == WORKED else module(book.clauses[case.clause])
    for row in ran.result.coverage:
        if row.book == case.book and module(book.clauses[row.clause]) in _modules_together(own_module):
            counts = {"clean": row.clean, "no occasion": row.not_applicable}
            counts |= {f"cannot tell {missing_fact.fact}": missing_fact.hands for missing_fact in row.missing}
            answer = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
            verdicts.setdefault(answer, []).append(row.clause)
    lines += [f"{answer}: {' '.join(clauses)}" for answer, clauses in sorted(verdicts.items())]
    return "\n".join((f"[{case.name}]", *lines))


def _line(finding: Finding) -> str:
    money = " ".join(f"{share.seat}:{share.amount:+d}" for share in finding.money)
    text = " ".join(f"({line.version} {line.note})" for line in finding.lines[1:])
    parts = (
        f"{finding.version} {finding.clause}",
        f"seat {finding.seat}",
        finding.saw,
        finding.should,
        finding.because,
        f"{finding.severity} {finding.certainty} {finding.remedy}",
        money,
        " ".join(finding.also),
        text,
    )
    return " | ".join(parts)


@cache
def read_golden_blocks(name: str) -> dict[str, str]:
    """Return the blocks of a golden file by the name of their case."""
    path = GOLDEN_FOLDER / f"{name}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {block.partition("\n")[0][1:-1]: block for block in text.rstrip("\n").split("\n\n") if block}
