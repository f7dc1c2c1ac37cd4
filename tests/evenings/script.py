"""An evening in handscript, so that one that fails can be read, kept and played again."""

from __future__ import annotations

from ledger.formats.handscript import write_lines
from ledger.hand.ending import HandCompleted
from tests.evenings.generate import PEOPLE, Evening


def script(evening: Evening, last: int | None = None) -> str:
    """The evening up to its hand number `last`."""
    lines = ["handscript 1", f"# {evening!r}", "venue Evening  table 1", "witness everything"]
    for hand in evening.hands[:last]:
        lines += ["", *write_lines(hand.before, PEOPLE)] if hand.before else []
        lines += ["", *write_lines(hand.events, PEOPLE)]
        if isinstance(hand.events[-1], HandCompleted):
            lines[-1] = "end"
        else:
            lines.append("stop")
    return "\n".join(lines) + "\n"
