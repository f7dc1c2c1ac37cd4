"""A line's words are the same whether they are cut quickly or with their columns."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import example, given
from hypothesis import strategies as st

from ledger.errors import UnreadableHandError
from ledger.formats.handscript.tokens import split_placed_words, split_words

LINES = st.text(st.sampled_from('a1 \t"#()@\\$“”\x00é'), max_size=12)


def cut(tokenize: Callable[[str], tuple[list[str], str]], line: str) -> object:
    try:
        words, comment = tokenize(line)
    except UnreadableHandError as error:
        return error.message.partition(": ")[2] or error.message
    return [str(word) for word in words], comment


@given(LINES)
@example('""""')
@example('a "b" "c" d')
@example('a "b""c" d')
@example('"" ""')
def test_a_line_is_cut_alike_in_both_ways(line: str) -> None:
    assert cut(split_words, line) == cut(split_placed_words, line)
