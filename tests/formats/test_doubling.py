"""One law for all readers: whatever stands in a source twice as often is at most 2.5 times the work.

Work is counted (`tests/formats/work.py`), by programs of their own. A new format is measured as soon as it has a
sample. `python -m tests.formats.work NAME 1 0` measures every construct of
its samples, `python -m tests.torture.doubling` times them up to 8 MB, for what C does within.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest

from ledger import formats
from tests.conftest import ROOT
from tests.formats import work
from tests.formats.doubled import grows
from tests.formats.support import samples
from tests.laws import size

DRAWS = size(5, 60)
"""Constructs of each format; which, is drawn with a fixed seed."""

NAMES = [name for name in formats.NAMES if samples(name)]
GROUPS = [NAMES[start :: size(6, len(NAMES))] for start in range(size(6, len(NAMES)))]
"""Formats that a program measures: it takes longer to begin than to measure a few draws of a format."""

SIGNS = 200
"""How long the least text of a program is whose work is known: enough to tell a line from a square."""


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("names", [",".join(group) for group in GROUPS])
def test_twice_as_much_is_at_most_two_and_a_half_times_the_work(names: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tests.formats.work", names, "1", str(DRAWS)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(result.stdout.splitlines()[-1]) == {}


SLOW = {
    "the lines up to each": "for at, _ in enumerate(text): text.count('x', 0, at)",
    "the rest of each": "for at, _ in enumerate(text): text[at:]",
    "all that was before": "for at, _ in enumerate(text): any(one == 'y' for one in text[:at])",
    "what is not there": "for at, _ in enumerate(text): text.find('y', at)",
    "a pattern that is not there": "for at, _ in enumerate(text): PATTERN.search(text, at)",
    "a list from its front": "many = list(text)\nwhile many: many.pop(0)",
    "a text that grows": "told = ''\nfor one in text: told = told + one",
    "a list that is looked through": "many = []\nfor one in text:\n    if 'y' not in many: many.append(one)",
}
PLAIN_PATTERNS = {
    "each": "for one in text: one.upper()",
    "what is behind": "at = 0\nwhile at < len(text):\n    at = text.find('x', at) + 1",
    "a pattern that is there": "for at, _ in enumerate(text): PATTERN.match(text, at)",
    "a list from its end": "many = list(text)\nwhile many: many.pop()",
    "parts": "[part for part in text.split('x')]",
}


@pytest.mark.parametrize("source", [*SLOW, *PLAIN_PATTERNS])
def test_what_grows_with_the_square_is_seen_and_nothing_else(source: str) -> None:
    works = []
    for times in (1, 2, 4):
        names = {
            "_work_call": work.call,
            "_work_turns": work.turns,
            "_work_piece": work.piece,
            "_work_contains": work.contains,
            "_work_add": work.add,
            "text": "x" * SIGNS * times,
            "PATTERN": __import__("re").compile("xz|x(?=x)"),
        }
        if source == "a pattern that is not there":
            names["PATTERN"] = __import__("re").compile("y")
        tree = work.Counting().visit(ast.parse({**SLOW, **PLAIN_PATTERNS}[source]))
        work.counter[0] = 0.0
        exec(compile(ast.fix_missing_locations(tree), "law", "exec"), names)
        works.append(work.counter[0])
    assert grows(works, SIGNS) == (source in SLOW), works
