"""Format cases for a terminal."""

from __future__ import annotations

from cli.output import console
from ledger import safe
from projections.cases.case_documents import CaseDocument, CaseLine
from projections.cases.case_event_text import OUTCOME_LABELS, format_time, name_awaited
from projections.cases.case_text import MAX_WIDTH, format_case, format_events, format_standing


def format_case_document(document: CaseDocument) -> str:
    """Return a case as text: what changed, or the whole case if nothing did."""
    lines = (
        [console.paint(f"case {safe.terminal(document.number, 60)}: {document.done}", "bold")] if document.done else []
    )
    lines += [f"! {note}" for note in document.notes]
    if not document.done:
        first_line, *other_lines = format_case(document, _find_text_width())
        lines += [console.paint(first_line, "bold"), *other_lines]
    else:
        added_events = [entry for entry in document.events if entry.version in document.added]
        lines += format_events(added_events, document.voided, _find_text_width())
        lines += format_standing(document)
    lines += ["", "to go on", *(f"  {safe.terminal(entry, 400)}" for entry in document.next)]
    return "\n".join(lines)


def _find_text_width() -> int:
    return min(console.find_width(), MAX_WIDTH)


def format_case_list(cases: list[CaseLine]) -> str:
    """Return cases as text, a line each."""
    if not cases:
        return "no cases"
    rows = []
    for case in cases:
        hand_names = ", ".join(
            hand.address or safe.terminal((hand.elsewhere and hand.elsewhere.number) or hand.id, 14)
            for hand in case.hands[:3]
        )
        more_text = f" and {len(case.hands) - 3} more" if len(case.hands) > 3 else ""
        due_text = "" if case.due is None else f"{name_awaited(case.due.what)} by {format_time(case.due.due)}"
        overdue_text = ""
        if case.overdue:
            overdue_text = "OVERDUE " if case.overdue == 1 else f"{case.overdue} OVERDUE, first "
        subject_text = ""
        if hand_names:
            subject_text = f"hand {hand_names}{more_text}"
        elif case.table:
            subject_text = f"table {safe.terminal(case.table, 20)}"
        outcome_text = f" ({OUTCOME_LABELS.get(case.outcome, case.outcome)})" if case.outcome else ""
        rows.append(
            [
                safe.terminal(case.number, 40),
                format_time(case.opened)[:10],
                case.subject,
                case.status + outcome_text,
                subject_text,
                overdue_text + due_text,
            ]
        )
    widths = [max(map(safe.columns, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        safe.cut(
            "  ".join(
                safe.fit(cell, column_width) for cell, column_width in zip(row, widths, strict=True) if column_width
            ).rstrip(),
            max(console.find_width(), 60),
        )
        for row in rows
    )
