"""Makes docs/rule-tables.md: rules that depend on several facts, row by row, with what each book says of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_page import matrix_row

from projections.books.clause_page import build_policy_matrix
from projections.books.rulebook import load, list_names
from projections.obligations.rule_table import ANY_FACT, Fact, Rule, RuleTable
from projections.obligations.rule_tables import RULE_TABLES

WORDS: dict[Fact, str] = {ANY_FACT: "", True: "yes", False: "no"}
"""What the page writes for a fact of a row, whatever its column."""

PLACES: dict[Fact, str] = {"in": "yes", "out": "no", "either": "depends on the method"}
COLUMN_WORDS: dict[str, dict[Fact, str]] = {
    "lies between button and big blind": PLACES,
    "was dealt in without the post": {
        "yes": "post may wait", "if-posts": "post due now", "open": "not known if the player acted",
    },
    "blinds are placed": {"position": "by position", "owed": "owed by players", "none": "not known how"},
    "the book's rule": {
        "new-once-big-blind-missed": "a new player, once the big blind was missed",
        "owes-missed": "owes the blinds missed",
        "as-absent": "as if away",
        "small-blind-if-far": "the small blind, after a far move from the big blind",
        "big-blind-if-far": "the big blind, after a far move",
        "wait-as-gained": "wait as many hands as gained",
    },
}
"""The same of a column whose facts are named as books name them."""


def page() -> str:
    """Return the page."""
    return "\n".join(lines()).rstrip() + "\n"


def lines() -> Iterator[str]:
    """Yield the page, table by table."""
    yield "# Rules as tables\n"
    yield "Some rules depend on several facts at once. Read each table from the top: the first row that fits decides."
    yield "An empty cell means that the fact doesn't matter. Below each table: what each rulebook says on its points, with the clauses."
    yield "Generated from the program (`make docs`).\n"
    for heading, table in RULE_TABLES.items():
        yield f"## {heading}\n"
        yield f"{table.question}\n"
        yield f"| | {' | '.join(table.columns)} | answer | points |"
        yield "|---" * (len(table.columns) + 3) + "|"
        yield from (rule_row(number, rule, table) for number, rule in enumerate(table.rules, 1))
        yield ""
        yield from book_rows(table)


def rule_row(number: int, rule: Rule[Any], table: RuleTable[Any]) -> str:
    """Return one row of a table."""
    points = "<br>".join(f"`{point}`" for point in rule.points)
    facts = " | ".join(in_words(column, fact) for column, fact in zip(table.columns, rule.facts, strict=True))
    return f"| {number} | {facts} | {rule.answer} | {points} |"


def in_words(column: str, fact: Fact) -> str:
    """Return a cell for a fact of a row."""
    return WORDS.get(fact) or COLUMN_WORDS.get(column, {}).get(fact) or ("" if fact == ANY_FACT else str(fact))


def book_rows(table: RuleTable[Any]) -> Iterator[str]:
    """Yield what the books say on the points of a table."""
    books = [load(name) for name in list_names()]
    points = {point for rule in table.rules for point in rule.points}
    yield f"| point | {' | '.join(book.name for book in books)} |"
    yield "|---" * (len(books) + 1) + "|"
    yield from (matrix_row(policy_point).replace("](", "](rules/") for policy_point in build_policy_matrix(books) if policy_point.key in points)
    yield ""
