"""How a query is read, and what is said where it cannot be."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import QueryError
from projections.addresses.query_values import quote_query_value
from projections.queries.finding_phrases import PHRASES
from projections.queries.ledger_query import parse_query
from projections.queries.query_checks import check_query
from projections.queries.query_grammar import And, Not, Or, QueryWord, Term, parse_syntax
from projections.queries.sql import QueryCompiler
from tests.conftest import ROOT


def test_terms_beside_each_other_all_hold_and_or_binds_weaker() -> None:
    assert parse_syntax('table:T7 pot>=200 or player:"Old Tom" -position:BTN,SB') == Or(
        (
            And((Term("table", ":", ("T7",)), Term("pot", ">=", ("200",)))),
            And((Term("player", ":", ("Old Tom",)), Not(Term("position", ":", ("BTN", "SB"))))),
        )
    )
    assert parse_syntax("not (showdown or all-in)") == Not(Or((QueryWord("showdown"), QueryWord("all-in"))))
    assert parse_syntax("net<-100 board:Ah") == And((Term("net", "<", ("-100",)), Term("board", ":", ("Ah",))))
    assert parse_syntax("showdown and (all-in or pot>2)") == parse_syntax("showdown (all-in or pot>2)")
    assert parse_syntax("android:x and pot>2") == And((Term("android", ":", ("x",)), Term("pot", ">", ("2",))))
    assert parse_syntax("order:x") == Term("order", ":", ("x",))  # begins like `or`


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20))
def test_any_value_can_be_quoted(value: str) -> None:
    assert parse_syntax(f"table:{quote_query_value(value)} pot>2") == And(
        (Term("table", ":", (value,)), Term("pot", ">", ("2",)))
    )


@pytest.mark.parametrize("code", [0, 0xD800, 0xDFFF])
def test_a_character_that_no_ledger_holds_is_refused_at_its_place(code: int) -> None:
    with pytest.raises(QueryError, match=f"a ledger can't store the character U.{code:04X}"):
        parse_syntax(f'pot>2 table:"T{chr(code)}"')


@pytest.mark.parametrize(
    ("text", "caret", "hint"),
    [
        ("pot>=", "     ^", "a value"),
        ("pot>=200 (", "          ^", "a field"),
        (") x", "^", "a field"),
        ("pott>3", "^", "Did you mean pot?"),
        ("pot>2 saved>big", "      ^", "Write saved:NAME."),
        ("saved!=big", "^", "Write saved:NAME."),
        ("saved:big,small", "^", "Write saved:NAME."),
        ("pot>=200 shodown", "         ^", "Did you mean showdown?"),
        ("pot>=abc", "     ^", "Example: pot>=200"),
        ("pot>=NaN1", "     ^", "Example: pot>=200"),
        ("seat:sNaN12", "     ^", "Example: seat:5"),
        ("pot>=$1,000", "        ^", "Write 1000"),
        ("board:Xh", "      ^", "Example"),
        ("position:button", "         ^", "BTN"),
        ("since:yesterday", "      ^", ""),
        ("day:2026-11-20T20:00", "    ^", "Example"),
        ("table>T7", "^", "table:VALUE"),
        ("flag:late", "     ^", "run-it-twice"),
        ("players:6.5", "        ^", "Example"),
        ("game:poker", "     ^", "nlhe"),
    ],
)
def test_what_cannot_be_read_is_shown_with_a_caret_and_a_way_out(text: str, caret: str, hint: str) -> None:
    with pytest.raises(QueryError) as error:
        conditions(text)
    _, query_shown, mark = error.value.message.split("\n")
    assert (query_shown, mark) == (f"  {text}", f"  {caret}")
    assert hint in error.value.hint


def test_a_phrase_is_a_term_about_the_words_of_a_finding() -> None:
    assert parse_query("out of turn") == Term("text", ":", PHRASES["out of turn"])
    assert parse_query("button wrong") == parse_query("Wrong Button") == Term("text", ":", PHRASES["wrong button"])
    assert parse_query("showdown misdeal and pot>2 -(no burn)") == And(
        (
            QueryWord("showdown"),
            Term("text", ":", PHRASES["misdeal"]),
            Term("pot", ">", ("2",)),
            Not(Term("text", ":", PHRASES["no burn"])),
        )
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("pot>2 button wrogn", "Did you mean wrong button?"),
        ("blind skipped", 'text:"blind skipped"'),
        ("misdael", "Did you mean misdeal?"),
        ("big slick", 'text:"big slick"'),
        ("pot>2 and", "a field"),
    ],
)
def test_an_unknown_phrase_is_answered_by_what_is_meant(text: str, hint: str) -> None:
    with pytest.raises(QueryError) as error:
        parse_query(text)
    assert hint in error.value.hint


def test_each_pattern_of_a_phrase_is_in_the_words_of_some_finding() -> None:
    wording = "\n".join(path.read_text() for path in (ROOT / "tests" / "wording").glob("*.txt")).casefold()
    lacking = [
        pattern
        for patterns in PHRASES.values()
        for pattern in patterns
        if not re.search(".*".join(map(re.escape, pattern.split("*"))), wording)
    ]
    assert not lacking


class Anybody:
    """A ledger in which everything that is named is there."""

    def find_people(self, name: str) -> list[str]:
        return [name]

    def find_hands(self, address: str) -> list[int]:
        return []

    def find_sources(self, name: str) -> list[str]:
        return [name]


def conditions(text: str) -> object:
    return QueryCompiler(text, Anybody(), day_start=0).build_condition(check_query(parse_syntax(text), text))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_our_own_words(text: str) -> None:
    with suppress(QueryError):
        assert conditions(text) is not None


@pytest.mark.parametrize(
    "text", ["(" * 3000, "-" * 3990, "a " * 1990, "x:y," * 990, '"' * 3000, "(" * 41 + "showdown" + ")" * 41]
)
def test_no_text_is_too_much(text: str) -> None:
    with pytest.raises(QueryError):
        conditions(text)
