"""How hands begin is looked for in few lines, and missed in none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.readers.signatures import PATTERNS, begins_other_hand


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in PATTERNS])
@given(st.data())
def test_a_line_that_has_one_of_the_patterns_begins_a_hand(pattern: str, data: st.DataObject) -> None:
    line = data.draw(st.from_regex(rf"\A(?:{pattern})"))
    assert begins_other_hand(line, ())
