"""An address reads as it prints, whatever the names in it are."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from ledger import safe
from projections.addresses.address_grammar import (
    format_hand_address,
    is_day,
    parse_path,
    quote,
    split_account,
    split_event,
)

MARKS = "/~@:#\"'\\%- .\n\t\x1b\u202e\u200b\ud800é中"
NAMES = st.text(st.one_of(st.sampled_from(MARKS), st.characters()), max_size=12) | st.sampled_from(
    ["2026-11-20", "2nd", "11th", "12nd", "", '""', '"', "a/b", "T7#3", "T7~2", "T7@flop", "night.txt:12", "%41", "-r"]
)


@given(st.lists(NAMES, min_size=1, max_size=4), st.sampled_from(["", "2026-11-20", "2nd"]), st.integers(0, 9))
def test_an_address_is_read_as_it_was_written(names: list[str], day: str, number: int) -> None:
    text = format_hand_address(names[:-1], names[-1], day=day, account=number, event=number)
    hand, event = split_event(text)
    hand_part, account = split_account(hand)
    assert (event, account) == (("", None) if not number else (str(number), number))
    words = [word.text for word in parse_path(hand_part)]
    assert words == [*names, *([day] if day else [])]


@given(NAMES)
def test_an_address_does_nothing_to_a_terminal_a_page_or_a_shell(name: str) -> None:
    text = format_hand_address([name], name, event=3)
    assert safe.terminal(text, 10_000) == text
    assert safe.lines(text, 10_000) == text
    assert shlex.split(shlex.quote(text)) == [text]
    assert not text.startswith("-")


@given(NAMES)
def test_a_name_that_is_no_day_is_never_read_as_one(name: str) -> None:
    (word,) = parse_path(quote(name))
    assert word.is_quoted or not is_day(word.text)
