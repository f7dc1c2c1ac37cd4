"""The grammar and the parser of queries: terms, joined by `and` (or a space), `or`, `not` or `-`, and brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cache
from typing import Final, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError

from ledger import safe
from ledger.errors import QueryError
from ledger.text.language import join_list, phrase, translatable

GRAMMAR: Final = r"""
    ?start: disjunction
    ?disjunction: conjunction ("or"i conjunction)*
    ?conjunction: operand ("and"i? operand)*
    ?operand: negation | "(" disjunction ")" | term | word
    negation: ("-" | "not"i) operand
    term: FIELD OP value ("," value)*
    word: WORD
    value: QUOTED | BARE

    FIELD.3: /[A-Za-z][A-Za-z_-]*(?=[ \t]*(?::|=|!=|<|>))/
    WORD.1: /(?!(?:and|or|not)\b)[A-Za-z][A-Za-z_-]*/i
    OP: ":" | "=" | "!=" | ">=" | "<=" | ">" | "<"
    QUOTED: /"(?:[^"]|"")*"/
    BARE: /[^\s(),"<>=!][^\s(),"]*/
    %ignore /\s+/
"""
MAX_CHARACTERS: Final = 4000
"""Characters in a query."""
MAX_DEPTH: Final = 40
"""Brackets within brackets."""


@dataclass(frozen=True)
class Term:
    """`pot>=200`: a field, an operator and values, one of which must match."""

    field: str
    operator: str
    values: tuple[str, ...]
    offset: int = dataclass_field(default=0, compare=False)  # of the field in the text
    value_offsets: tuple[int, ...] = dataclass_field(default=(), compare=False)  # of each value in the text


@dataclass(frozen=True)
class QueryWord:
    """`showdown`: a word that is a condition by itself."""

    word: str
    offset: int = dataclass_field(default=0, compare=False)


@dataclass(frozen=True)
class Not:
    """A condition that must not hold."""

    operand: Query


@dataclass(frozen=True)
class And:
    """Conditions that must all hold."""

    operands: tuple[Query, ...]


@dataclass(frozen=True)
class Or:
    """Conditions, at least one of which must hold."""

    operands: tuple[Query, ...]


Query: TypeAlias = Term | QueryWord | Not | And | Or
_QUOTED: Final = re.compile(r'"(?:[^"]|"")*"')
_DOUBLE_NEGATION: Final = re.compile(r"(?:-|\bnot\b)\s*(?=-|not\b)", re.IGNORECASE)
_UNSTORABLE_CHARACTER: Final = re.compile(r"[\x00\ud800-\udfff]")


class _QueryBuilder(Transformer[Token, Query]):
    """Builds a query from the parse tree."""

    def disjunction(self, operands: list[Query]) -> Query:
        return Or(tuple(operands))

    def conjunction(self, operands: list[Query]) -> Query:
        return And(tuple(operands))

    def negation(self, operands: list[Query]) -> Query:
        return Not(operands[0])

    def word(self, tokens: list[Token]) -> Query:
        return QueryWord(str(tokens[0]).lower(), tokens[0].start_pos or 0)

    def value(self, tokens: list[Token]) -> Token:
        return tokens[0]

    def term(self, tokens: list[Token]) -> Query:
        name, operator, *values = tokens
        texts = tuple(str(value)[1:-1].replace('""', '"') if value.type == "QUOTED" else str(value) for value in values)
        offsets = tuple(value.start_pos or 0 for value in values)
        return Term(str(name).lower(), str(operator), texts, name.start_pos or 0, offsets)


@cache
def _build_parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="contextual", propagate_positions=False)


def parse_syntax(text: str) -> Query:
    """Parse a query; raise `QueryError` with the offset that can't be parsed and what is expected there."""
    if len(text) > MAX_CHARACTERS:
        raise QueryError(
            phrase("the query has {number} characters", number=format(len(text), ",")),
            phrase("Shorten it to {number} characters.", number=format(MAX_CHARACTERS, ",")),
        )
    if not text.strip():
        raise QueryError(
            phrase("the query is empty"),
            phrase("Write what to look for: {example}. `--where help` lists all words.", example="pot>=200"),
        )
    if unstorable := _UNSTORABLE_CHARACTER.search(text):
        code = ord(unstorable[0])
        raise query_error(
            text,
            unstorable.start(),
            phrase("a ledger can't store the character U+{code}", code=format(code, "04X")),
            phrase("Remove it."),
        )
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth > MAX_DEPTH:
            raise QueryError(
                phrase("the query nests more than {number} brackets", number=MAX_DEPTH), phrase("Use fewer brackets.")
            )
    if len(_DOUBLE_NEGATION.findall(_QUOTED.sub('""', text))) > MAX_DEPTH:
        raise QueryError(
            phrase("the query has more than {number} double negations", number=MAX_DEPTH),
            phrase("Remove them in pairs."),
        )
    try:
        query: Query = _QueryBuilder().transform(_build_parser().parse(text))
    except (UnexpectedInput, VisitError) as error:
        raise _syntax_error(text, error) from None
    return query


def _syntax_error(text: str, error: Exception) -> QueryError:
    """Return the error for a query that can't be parsed: where, and what is expected there."""
    offset = getattr(error, "pos_in_stream", None)
    expected: Sequence[str] = ()
    if isinstance(error, UnexpectedToken):
        expected = sorted(error.accepts or error.expected)
        offset = len(text) if error.token.type == "$END" else error.token.start_pos
    elif isinstance(error, UnexpectedCharacters):
        expected = sorted(error.allowed or ())
    offset = len(text) if offset is None else offset
    return query_error(
        text, offset, phrase("this part can't be read"), _suggest_fields(text, offset) or _suggest_terminals(expected)
    )


_WORD_BOUNDARY: Final = re.compile(r"[\s():<>=!]")


def _suggest_fields(text: str, offset: int) -> str:
    """Return the fields that a bare name such as T7 may belong to, or "" if there is no such name at this offset."""
    start = offset
    while start and not _WORD_BOUNDARY.match(text[start - 1]):
        start -= 1
    tail = re.match(r"[^\s():<>=!]*(?![^\s)])", text[offset:])
    word = text[start : offset + tail.end()] if tail else text[start:offset]
    is_single_word = tail is not None and text[:start][-1:] in ("", " ", "(")
    if not is_single_word or not any(char.isdigit() for char in word) or '"' in word:
        return ""
    terms = ", ".join(f"{field}:{word}" for field in ("table", "hand", "player", "venue"))
    return phrase("Which is it? {terms}", terms=terms)


_TERMINAL_DESCRIPTIONS: Final = {
    "FIELD": translatable("a field"),
    "WORD": translatable("a word"),
    "BARE": translatable("a value"),
    "QUOTED": translatable("a value in quotes"),
    "LPAR": "(",
    "RPAR": ")",
    "MINUS": translatable("- (not)"),
    "NOT": "not",
    "AND": "and",
    "OR": "or",
    "COMMA": translatable(", and another value"),
    "OP": translatable("one of : = != > >= < <="),
    "$END": translatable("the end"),
}
_TERMINAL_EXAMPLES: Final = {"FIELD": "pot>=200", "WORD": "showdown", "QUOTED": '"Old Tom"'}


def _suggest_terminals(expected: Sequence[str]) -> str:
    descriptions = [_describe_terminal(terminal) for terminal in expected if terminal in _TERMINAL_DESCRIPTIONS]
    if not descriptions:
        return phrase("`--where help` lists all words.")
    return phrase("Expected here: {terms}.", terms=join_list(descriptions))


def _describe_terminal(terminal: str) -> str:
    description = phrase(_TERMINAL_DESCRIPTIONS[terminal])
    if terminal not in _TERMINAL_EXAMPLES:
        return description
    return phrase("{description} ({example})", description=description, example=_TERMINAL_EXAMPLES[terminal])


def query_error(text: str, offset: int, reason: str, hint: str = "") -> QueryError:
    """Return the error at an offset of a query: the excerpt, a caret, the reason and a fix."""
    start = max(0, offset - 60)
    excerpt = safe.terminal(text[start : offset + 20], 80)
    caret = " " * safe.columns(safe.terminal(text[start:offset], 80)) + "^"
    return QueryError(phrase("in the query: {reason}", reason=reason) + f"\n  {excerpt}\n  {caret}", hint)
