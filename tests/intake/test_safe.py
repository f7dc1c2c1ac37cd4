"""Text of strangers is shown, never obeyed."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import safe

PRINTABLE = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b-\u200f]*")
ANY_TEXT = st.text(st.characters(), max_size=60)  # lone surrogates and all


@pytest.mark.parametrize(
    ("raw", "escaped"),
    [
        ("Anna", "Anna"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b31m", r"\x9b31m"),
        ("a\u202eb", r"a\u202eb"),
        ("pay\u200bpal", r"pay\u200bpal"),
        ("line\r\nline", r"line\x0d\x0aline"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("[red]x[/red]", "[red]x[/red]"),
        ("Zoë 王 ❤\ufe0f", "Zoë 王 ❤\ufe0f"),
        ("pay\ufe0fpal", r"pay\ufe0fpal"),
        (r"\x1b", r"\\x1b"),
        ("e\u0301", "e\u0301"),
        ("e" + "\u0301" * 5, "e" + "\u0301" * 3 + r"\u0301" * 2),
        ("\u3164", r"\u3164"),
    ],
)
def test_what_acts_hides_or_reorders_is_shown_as_an_escape(raw: str, escaped: str) -> None:
    assert safe.terminal(raw) == escaped


@given(ANY_TEXT)
def test_a_terminal_gets_one_line_without_controls(text: str) -> None:
    escaped = safe.terminal(text)
    assert PRINTABLE.fullmatch(escaped)
    assert "\n" not in escaped
    escaped.encode()  # no lone surrogate is left


@given(ANY_TEXT, ANY_TEXT)
def test_different_texts_are_shown_differently(text: str, other_text: str) -> None:
    assert (safe.terminal(text, 10_000) == safe.terminal(other_text, 10_000)) == (text == other_text)


@given(ANY_TEXT, st.integers(0, 30))
def test_long_text_is_cut_to_its_columns(text: str, columns: int) -> None:
    cut_text = safe.terminal(text, columns)
    assert safe.columns(cut_text) <= columns
    assert safe.columns(safe.fit(cut_text, 12)) == 12


def test_ten_thousand_characters_are_cut_with_an_ellipsis() -> None:
    assert safe.name("x" * 10_000) == "x" * 39 + "…"


@given(ANY_TEXT)
def test_no_csv_cell_is_a_formula(text: str) -> None:
    cell = safe.csv_cell(text)
    out = io.StringIO()
    csv.writer(out).writerow([cell, "next"])
    assert next(csv.reader(io.StringIO(out.getvalue()))) == [cell, "next"]
    assert not cell.startswith(tuple("=+-@\t\r"))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\0", "\uff1d"])
def test_a_cell_that_starts_like_a_formula_gets_a_quote(start: str) -> None:
    assert safe.csv_cell(start + "1+1")[0] == "'"


@given(ANY_TEXT)
def test_html_holds_no_markup_of_the_text(text: str) -> None:
    assert not set("<>\"'") & set(safe.html(text))


@given(ANY_TEXT)
def test_a_file_name_stays_in_its_folder(text: str) -> None:
    name = safe.filename(text)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name)
    assert len(name) < 100
    assert name.split(".")[0].lower() not in {"con", "nul", "lpt1"}


def test_file_names_of_different_texts_differ() -> None:
    texts = ["../../x", "..\\x", "/abs", "con", "a\0b", "x" * 300, "x" * 301, "-rf", ".", "", "x"]
    assert len({safe.filename(text) for text in texts}) == len(texts)


@given(ANY_TEXT.filter(lambda t: not re.search("[\ud800-\udfff]", t)))
def test_json_keeps_the_value_and_prints_no_control(text: str) -> None:
    document = safe.json({"name": text, text: [1, None]})
    assert json.loads(document) == {"name": text, text: [1, None]}
    assert PRINTABLE.fullmatch(document)


def test_json_shows_a_lone_surrogate_as_text() -> None:
    assert json.loads(safe.json("\udc80")) == r"\udc80"
