"""States, turns and acts of the project's own hands stay as they are, to the byte.

A change that is meant to change them writes the digests anew: `pytest tests/engine --regen`. Findings are compared word
by word elsewhere; `python -m tests.engine.digest` has a digest of them, too, also over real hands.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.digest import digest, own_parts

GOLDEN = Path(__file__).with_suffix(".json")


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=[pytest.mark.slow] if part == "pages" else []) for part in sorted(own_parts())]
)
def test_the_engine_says_what_it_said(part: str, regen: bool) -> None:
    engine_digest = digest(own_parts()[part], judge=False)
    figures = {
        "hands": engine_digest.hands,
        "events": engine_digest.events,
        "states": engine_digest.states,
        "acts": engine_digest.acts,
    }
    golden = json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.is_file() else {}
    if regen:
        golden[part] = figures
        GOLDEN.write_text(json.dumps(golden, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    assert golden[part] == figures
