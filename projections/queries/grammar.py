"""How a query is written: terms beside each other all hold; `or`, `not` or `-`, and brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as declared
from functools import cache
from typing import Final, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError

from ledger import safe
from ledger.errors import QueryError

GRAMMAR: Final = r"""
    ?start: either
    ?either: both ("or"i both)*
    ?both: one+
    ?one: not_one | "(" either ")" | term | word
    not_one: ("-" | "not"i) one
    term: FIELD OP value ("," value)*
    word: WORD
    value: QUOTED | BARE

    FIELD.3: /[A-Za-z][A-Za-z_-]*(?=[ \t]*(?::|=|!=|<|>))/
    WORD.1: /(?!(?:or|not)\b)[A-Za-z][A-Za-z_-]*/i
    OP: ":" | "=" | "!=" | ">=" | "<=" | ">" | "<"
    QUOTED: /"(?:[^"]|"")*"/
    BARE: /[^\s(),"<>=!][^\s(),"]*/
    %ignore /\s+/
"""
MOST: Final = 4000
"""Characters of a query: a longer one is no question of a person's."""
DEEPEST: Final = 40


@dataclass(frozen=True)
class Term:
    """`pot>=200`: a field, how it is compared, and with what; several values: one of them."""

    field: str
    op: str
    values: tuple[str, ...]
    at: int = declared(default=0, compare=False)  # where in the text the field stands
    values_at: tuple[int, ...] = declared(default=(), compare=False)


@dataclass(frozen=True)
class Word:
    """`showdown`: a word that says something of a hand or a seat by itself."""

    word: str
    at: int = declared(default=0, compare=False)


@dataclass(frozen=True)
class Not:
    """What must not hold."""

    one: Query


@dataclass(frozen=True)
class And:
    """What must all hold."""

    every: tuple[Query, ...]


@dataclass(frozen=True)
class Or:
    """Of which one must hold."""

    either: tuple[Query, ...]


Query: TypeAlias = Term | Word | Not | And | Or
_QUOTED: Final = re.compile(r'"(?:[^"]|"")*"')
_NOT_NOT: Final = re.compile(r"(?:-|\bnot\b)\s*(?=-|not\b)", re.IGNORECASE)
_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")


class _Builder(Transformer[Token, Query]):
    """Makes a query of what the parser found."""

    def either(self, ones: list[Query]) -> Query:
        return Or(tuple(ones))

    def both(self, ones: list[Query]) -> Query:
        return And(tuple(ones))

    def not_one(self, ones: list[Query]) -> Query:
        return Not(ones[0])

    def word(self, ones: list[Token]) -> Query:
        return Word(str(ones[0]).lower(), ones[0].start_pos or 0)

    def value(self, ones: list[Token]) -> Token:
        return ones[0]

    def term(self, ones: list[Token]) -> Query:
        name, op, *values = ones
        texts = tuple(str(one)[1:-1].replace('""', '"') if one.type == "QUOTED" else str(one) for one in values)
        places = tuple(one.start_pos or 0 for one in values)
        return Term(str(name).lower(), str(op), texts, name.start_pos or 0, places)


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="contextual", propagate_positions=False)


def parse(text: str) -> Query:
    """Read a query; `QueryError` shows with a caret where it cannot be read, and what could stand there."""
    if len(text) > MOST:
        raise QueryError(f"a query of {len(text):,} characters is too long", f"Say it in at most {MOST:,}.")
    if not text.strip():
        raise QueryError("the query is empty", "Say what to look for: pot>=200. `--where help` lists all words.")
    if unstorable := _UNSTORABLE.search(text):
        code = ord(unstorable[0])
        raise wrong(text, unstorable.start(), f"no ledger can hold the character U+{code:04X}", "Leave it out.")
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth > DEEPEST:
            raise QueryError("brackets in brackets in brackets: nobody can read that", "Say it with fewer.")
    if len(_NOT_NOT.findall(_QUOTED.sub('""', text))) > DEEPEST:
        raise QueryError("not of not of not: nobody can read that", "Say it with fewer.")
    try:
        found: Query = _Builder().transform(_parser().parse(text))
    except (UnexpectedInput, VisitError) as error:
        raise _unread(text, error) from None
    return found


def _unread(text: str, error: Exception) -> QueryError:
    """Say where a query could not be read, and what could stand there."""
    at = getattr(error, "pos_in_stream", None)
    expected: Sequence[str] = ()
    if isinstance(error, UnexpectedToken):
        expected = sorted(error.accepts or error.expected)
        at = len(text) if error.token.type == "$END" else error.token.start_pos
    elif isinstance(error, UnexpectedCharacters):
        expected = sorted(error.allowed or ())
    at = len(text) if at is None else at
    return wrong(text, at, "this cannot be read here", _bare(text, at) or _could(expected))


_STOPS: Final = re.compile(r"[\s():<>=!]")


def _bare(text: str, at: int) -> str:
    """Return how a word is asked for that stands by itself, such as T7; "" if none stands there."""
    start = at
    while start and not _STOPS.match(text[start - 1]):
        start -= 1
    behind = re.match(r"[^\s():<>=!]*(?![^\s)])", text[at:])
    word = text[start : at + behind.end()] if behind else text[start:at]
    alone = behind is not None and text[:start][-1:] in ("", " ", "(")
    if not alone or not any(char.isdigit() for char in word) or '"' in word:
        return ""
    return f"Which is it? table:{word}, hand:{word}, player:{word}, venue:{word}"


_WORDS: Final = {
    "FIELD": "a field (pot>=200)",
    "WORD": "a word (showdown)",
    "BARE": "a value",
    "QUOTED": 'a value in quotes ("Old Tom")',
    "LPAR": "(",
    "RPAR": ")",
    "MINUS": "- (not)",
    "NOT": "not",
    "OR": "or",
    "COMMA": ", and another value",
    "OP": "one of : = != > >= < <=",
    "$END": "the end",
}


def _could(expected: Sequence[str]) -> str:
    named = [_WORDS[one] for one in expected if one in _WORDS]
    return f"Here could stand: {', '.join(named)}." if named else "`--where help` lists all words."


def wrong(text: str, at: int, why: str, hint: str = "") -> QueryError:
    """Return the error at one place of a query: the query, a caret under the place, why, and a way out."""
    start = max(0, at - 60)
    shown = safe.terminal(text[start : at + 20], 80)
    caret = " " * safe.columns(safe.terminal(text[start:at], 80)) + "^"
    return QueryError(f"in the query: {why}\n  {shown}\n  {caret}", hint)
