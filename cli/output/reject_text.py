"""Why a span of a source was rejected, as lines for a terminal."""

from __future__ import annotations

from ledger import safe
from ledger.intake.summary import RejectSummary
from projections.reports.rejects import RejectDocument


def find_line(reject: RejectDocument | RejectSummary, hand_line: int) -> int:
    """Return the first wrong line of a rejected span, or the line of its hand if no line is known to be wrong."""
    return next((problem.line for problem in reject.problems if problem.line), hand_line)


def describe_reasons(reject: RejectDocument | RejectSummary) -> list[str]:
    """Return why a span was rejected: each line that is wrong, and how it should be."""
    if not reject.problems:
        return [f"    {safe.terminal(text, 200)}" for text in (reject.reason, reject.hint) if text]
    lines = []
    for problem in reject.problems:
        line_text = f"line {problem.line}: " if problem.line else ""
        lines.append(f"    {line_text}{safe.terminal(problem.reason, 200)}")
        labelled_texts = (
            ("write", problem.write),
            ("form", "" if problem.form == problem.write else problem.form),
            ("", problem.hint),
        )
        lines += [
            f"        {f'{label:<7}' if label else ''}{safe.terminal(text, 200)}"
            for label, text in labelled_texts
            if text
        ]
    return lines
