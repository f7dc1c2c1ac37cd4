"""Sentences for people, one module per subject. Every sentence about a finding is written here as a whole.

A function is named after what it says, so that a detector reads `say.did_not_move(3, 4)`. Its parameters are the named
fields of the sentence. The docstring begins with the place of the text in a finding:

- Headline: what happened (`saw`), without a full stop: "Seat 6 acted out of turn on the flop; seat 2 was next"
- Correct: what should have happened (`should`), as it follows "Should be:": "button in seat 4"
- Because: the reason (`because`), in whole sentences with full stops; "Why it's only likely" lowers the certainty
- Note: a remark on another event that shows the finding
- Unknown: what can't be told, as it follows "Can't tell:"

Other functions return whole sentences ("Say …") or phrases ("Return …"). `tests/wording` renders every function with
sample values, so that all sentences can be read in one place.
"""

from __future__ import annotations

from collections.abc import Sequence


def as_sentence(text: str) -> str:
    """Return text that begins with a capital letter and ends with a full stop.

    >>> as_sentence("a line of hand 3 can't be read")
    "A line of hand 3 can't be read."
    """
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + "." * (text[-1] not in ".!?…")


def paragraph(*sentences: str) -> str:
    """Join whole sentences. Leave out empty ones and repetitions."""
    return " ".join(dict.fromkeys(filter(None, map(as_sentence, sentences))))


def on_street(street: str) -> str:
    """Return a street as people place it.

    >>> on_street("preflop"), on_street("turn"), on_street("fifth"), on_street("second-draw")
    ('before the flop', 'on the turn', 'on fifth street', 'after the second draw')
    """
    if street == "preflop":
        return "before the flop"
    if street.endswith("-draw"):
        return f"after the {street.replace('-', ' ')}"
    return f"on the {street}" if street in ("flop", "turn", "river") else f"on {street} street"


def join_and(parts: Sequence[str]) -> str:
    """Join words as people do.

    >>> join_and(["7c"]), join_and(["7c", "8d"]), join_and(["7c", "8d", "9s"])
    ('7c', '7c and 8d', '7c, 8d and 9s')
    """
    *leading_parts, last_part = parts or [""]
    return f"{', '.join(leading_parts)} and {last_part}" if leading_parts else last_part
