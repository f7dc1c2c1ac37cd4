"""Advice on how to record a missing fact, so that a clause can be judged next time. Lines are in handscript."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_list, phrase


def witness_kinds(kinds: Sequence[str], lines: Sequence[str]) -> str:
    """Say which kinds of facts to add to the witness line, and how to write them."""
    return phrase(
        "Next time: add {quoted_kinds} to the witness line, and write {quoted_lines}.",
        quoted_kinds=_quote(kinds),
        quoted_lines=_quote(lines),
    )


def write_lines(lines: Sequence[str]) -> str:
    """Say what to write."""
    return phrase("Next time: write {quoted_kinds}.", quoted_kinds=_quote(lines))


def import_earlier_hands() -> str:
    """Say that earlier hands of the table are needed."""
    return phrase("Next time: import the earlier hands, too.")


def number_every_hand() -> str:
    """Say that the record needs every hand with its number."""
    return phrase("Next time: record every hand with its number, and add `missing-hands` to the witness line.")


def correct_line() -> str:
    """Say to correct a line that couldn't be read."""
    return phrase("Next time: correct the line that couldn't be read, and import the file again.")


def _quote(words: Sequence[str]) -> str:
    return join_list([f"`{word}`" for word in words])
