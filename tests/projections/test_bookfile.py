"""Where in a rulebook's text something stands: looked up in the text, as TOML's reader tells no lines."""

from __future__ import annotations

import tomllib
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import RulebookError
from projections.books import rulebook
from projections.books.book_file import MAX_PRINTED_PROBLEMS, BookFile, explain_error
from projections.books.rulebook import BUILT_IN, list_names
from tests.conftest import ROOT

TEXT = """# a comment [not.a.table]
[rulebook]   # another
title = "a [b] = \\" # c"
"""


def line_of(text: str, *path: str) -> int:
    return BookFile("b.toml", text.encode()).find_line(*path)


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("[a]\n\nx = 1\n", ("a", "x"), 3),
        ("[a]\n\nx = 1\n", ("a",), 1),
        ("[a]\nx = 1\n", ("a", "y"), 1),  # the table around it
        ("[a]\nx = 1\n", ("b",), 1),  # nothing of the kind: the beginning
        ("\n[a.b]\nx = 1\n", ("a", "b", "x"), 3),
        ('["a.b"]\nx = 1\n', ("a.b", "x"), 2),
        ('[a]\n"x.y" = 1\nx.z = 2\n', ("a", "x.y"), 2),
        ('[a]\n"x.y" = 1\nx.z = 2\n', ("a", "x", "z"), 3),
        ('[a] # ["x"]\ny = 1\n', ("a", "y"), 2),
        ('[a]\n"x=y" = 1\nz = 1\n', ("a", "x=y"), 2),
        ("[a]\n'x = y' = 1\nz = 1\n", ("a", "z"), 3),
        ('a = """\nb = 1\n[c]\n"""\nb = 2\n', ("b",), 5),
        ("a = '''\nb = 1 \\'''\nb = 2\n", ("b",), 3),
        ('a = """x""" # """\nb = 2\n', ("b",), 2),
        ('a = "\\"[" # [\nb = 2\n', ("b",), 2),
        ("a = [\n  1, # ]\n  '[',\n]\nb = 2\n", ("b",), 5),
        ("a = [\n  [1], [\n 2]\n]\nb = 2\n", ("b",), 5),
        ('a = ["""\n[x]\n""", 1\n]\n[x]\n', ("x",), 5),
        ("  [a]\n\t x = 1\n", ("a", "x"), 2),
        ("[[a]]\nx = 1\n", ("a", "x"), 2),
        ("a = { b = 1 }\nc = 1\n", ("a", "b"), 1),
        ('a = """\\\n  \\"""" \nb = 1\n', ("b",), 3),
        ("\r\n[a]\r\nx = 1\r\n", ("a", "x"), 3),
    ],
)
def test_the_line_of_a_table_or_key(text: str, path: tuple[str, ...], line: int) -> None:
    tomllib.loads(text)
    assert line_of(text, *path) == line


def test_every_clause_of_every_book_is_found_at_its_header() -> None:
    for name in [*list_names(), BUILT_IN]:
        data = (ROOT / "projections" / "rulebooks" / f"{name}.toml").read_bytes()
        book, lines = BookFile(name, data), data.decode().split("\n")
        headers = [line for line in lines if line.startswith("[")]
        for header in headers:
            assert lines[book.find_line(*header[1:-1].split(".")) - 1] == header
        for key in book.tables.get("policy", {}):
            assert lines[book.find_line("policy", key) - 1].startswith(f'"{key}" = ')


_KEYS = st.text(st.sampled_from("ab-_.\"'=#[] {}é"), min_size=1, max_size=5)
_VALUES = st.one_of(
    st.integers(0, 9).map(str),
    st.text(st.sampled_from("a\"\\[]{}#=\n'"), max_size=6).map(lambda s: msgspec.json.encode(s).decode()),
    st.sampled_from(['"""\n[x]\n"""', "'''\na = 1\n'''", '[\n1, # [\n"]",\n]', '{ a = "}" }', '"""\\""""']),
)


@given(st.lists(st.tuples(_KEYS, _VALUES), max_size=6, unique_by=lambda pair: pair[0]), _KEYS)
def test_keys_are_found_whatever_stands_around_them(pairs: list[tuple[str, str]], name: str) -> None:
    def quoted(key: str) -> str:
        return msgspec.json.encode(key).decode()

    text, line, lines_expected = f"[{quoted(name)}] # [\n", 2, {}
    for key, value in pairs:
        lines_expected[key] = line
        text += f"{quoted(key)} = {value} # = [\n"
        line += value.count("\n") + 1
    assert list(tomllib.loads(text)[name]) == list(lines_expected)
    book = BookFile("b.toml", text.encode())
    assert {key: book.find_line(name, key) for key in lines_expected} == lines_expected


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = 1\nb = \xff\n", "b.toml:2: not UTF-8 text"),
        (b"a = 1\nb = \n", "b.toml:2: Invalid value"),
        (b"a = 1\na = 2\n", "b.toml:2: Cannot overwrite a value"),
        (b"a = 1\nb = [", "b.toml:2: "),
        (b'a = """\n\n', "b.toml:3: "),
        (b"a = " + b"[\n" * 5000 + b"]\n" * 5000, "nested too deeply"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "a line of more than 2000 bytes"),
    ],
)
def test_a_file_that_is_no_toml_says_the_line(data: bytes, message: str) -> None:
    with pytest.raises(RulebookError) as error:
        BookFile("b.toml", data)
    assert message in error.value.message


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    colour: Literal["red", "blue"] = "red"
    sizes: list[int] = []
    named: int = msgspec.field(name="as", default=0)


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    inner: Inner
    many: dict[str, Inner] = {}
    maybe: bool | None = None


@pytest.mark.parametrize(
    ("table", "path", "fault", "may"),
    [
        (
            {"inner": {"colour": "green"}},
            ("inner", "colour"),
            "inner.colour: invalid enum value 'green'",
            'allowed: "red", "blue"',
        ),
        ({"inner": {"sizes": ["x"]}}, ("inner", "sizes", "0"), "inner.sizes", "allowed: whole numbers"),
        ({"inner": {"as": "x"}}, ("inner", "as"), "inner.as: expected `int`, got `str`", "allowed: whole numbers"),
        ({"inner": {"named": 1}}, ("inner", "named"), "inner.named is unknown", "known here: colour, sizes, as"),
        ({"inner": {}, "other": 1}, ("other",), "other is unknown", "known here: inner, many, maybe"),
        ({"inner": {}, "maybe": 1}, ("maybe",), "maybe: expected `bool | null`, got `int`", "allowed: true, false"),
        ({}, (), "object missing required field `inner`", ""),
    ],
)
def test_what_is_wrong_with_a_table_and_what_is_allowed(table, path, fault: str, may: str) -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(table, Outer)
    place, message, allowed = explain_error(error.value, Outer)
    assert place == path
    assert message.startswith(fault)
    assert allowed == may


def test_one_problem_stands_alone_and_many_are_counted() -> None:
    book = BookFile("b.toml", TEXT.encode())
    book.finish()
    book.report_problem(("rulebook", "title"), "it is odd", "allowed: even")
    book.report_problem(("rulebook", "title"), "it is odd", "allowed: even")
    with pytest.raises(RulebookError) as error:
        book.finish()
    assert error.value.message == "b.toml:3: it is odd; allowed: even"
    for number in range(MAX_PRINTED_PROBLEMS):
        book.report_problem((), f"problem {number}")
    with pytest.raises(RulebookError) as error:
        book.finish()
    lines = error.value.message.splitlines()
    assert lines[0] == f"b.toml: {MAX_PRINTED_PROBLEMS + 1} things are wrong"
    assert lines[-1] == "and 1 more"
    assert len(lines) == MAX_PRINTED_PROBLEMS + 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('title = "\\u001b]0;owned\\u0007"', "room.toml:3: a text holds the hidden character U+001B"),
        ('title = "\\u202eabc"', "room.toml:3: a text holds the hidden character U+202E"),
        ('title = "a"\n"b\\nc" = "x"', "room.toml:4: 'b\\nc' is no name"),
        ('title = "a"\ngames = { "a" = ["\\u0000"] }', "room.toml:4: a text holds the hidden character U+0000"),
        ('title = "a"\n[cite]\n"B8a.1" = "7\\n1"', "is no number of a clause"),
    ],
)
def test_what_a_terminal_would_obey_stands_in_no_book(text: str, message: str) -> None:
    head = f'[rulebook]\nedition = "1"\n{text}\n'
    source = "" if "[cite]" in text else 'source = "x"\n'
    data = head.replace("[cite]", 'source = "x"\nextends = "hilton@undated-r2"\n[cite]') + source
    with pytest.raises(RulebookError) as error:
        rulebook.read("room", data.encode())
    assert message in error.value.message
