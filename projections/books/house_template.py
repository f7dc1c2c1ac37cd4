"""Write the template of a house's own book, which lists everything that it may change as comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from projections.books.house_clauses import build_examples
from projections.books.rulebook import Clause, Rulebook
from projections.obligations.house_points import HOUSE_POINTS
from projections.obligations.policy import POINTS, SECTIONS, describe_allowed

_WHOLE_NUMBER_LIMIT: Final = 10**12
"""Whole numbers below it are written without a fraction."""
_TEMPLATE: Final = """\
# {title}
#
# A book of your own that extends {base}, edition {edition}. Write only what your room does differently. Everything
# else stays as in that edition, even when {base} gets a newer one.
# A line that begins with # is a comment. To change a line, remove the # and keep the format.
# Check it:  handledger rules {file}        use it:  handledger audit -r {file}
# Errors are shown with their line.

[rulebook]
title = {title_text}
edition = "1"                  # raise it when you change this file; keep the old file, so that you can repeat old audits
source = "House rules"
extends = {extends}
notes = ""

# Your own numbers for clauses of {base}; those below are only examples. Every output cites a clause by your number.
[cite]
{cite}

# What the room decides, point by point. `is` is the answer, `says` the words shown for it. If you leave out
# `clauses`, those of {base} are cited. To leave a point open: {{ off = "why" }}.
[policy]
{policy}

# Clauses. Change how a clause is judged (`using`), how serious a violation is (severity: "error", "warning", "info"),
# its words (`says`), or switch it off with a reason:
#   [{example}]
#   off = "not enforced in this room: ..."
#   note = "since 2026-01-01"
# A clause of your own has `says`, `topic`, `severity` and one of `detector`, `defines`, `permits`, `undetectable`.
{clauses}"""


def build_house_template(book: Rulebook, base: str, file: str) -> str:
    """Return the text of a new house book, to be saved as `file`, that extends `book`. `base`: its name or path."""
    title = f"Our room, after {book.title}"
    return _TEMPLATE.format(
        title=title,
        title_text=to_toml(title),
        base=base,
        edition=book.edition,
        file=file,
        extends=to_toml(base if base.endswith(".toml") else f"{book.name.partition('@')[0]}@{book.edition}"),
        cite="\n".join(_iter_citation_lines(book)),
        policy="\n".join(_iter_policy_lines(book)),
        example=next(iter(book.clauses), "1"),
        clauses="\n".join((*_iter_clause_lines(book), *_iter_house_clause_lines(book), "")),
    )


def _iter_citation_lines(book: Rulebook) -> Iterator[str]:
    column_width = max(map(len, book.clauses), default=0) + 2
    for example_number, clause in enumerate(book.clauses.values(), 1):
        yield f'# {to_toml(clause.id):<{column_width}} = "{example_number}"    # {shorten(clause.entry.says)}'


def _iter_policy_lines(book: Rulebook) -> Iterator[str]:
    section = ""
    for key, point in POINTS.items():
        if point.section != section:
            section = point.section
            yield f"\n# {SECTIONS[section]}"
        ruling = book.policy.get(key)
        yield f"# {point.title}. Allowed: {describe_allowed(point.shape)}"
        if ruling is None and key in HOUSE_POINTS:
            yield from _iter_example_lines(book, key)
        elif ruling is None:
            yield f"#   ({book.name} is silent)  {to_toml(key)} = {{ is = ... }}"
        else:
            yield f"# {to_toml(key)} = {{ is = {to_toml(ruling.value)}, says = {to_toml(ruling.says)} }}"


def _iter_example_lines(book: Rulebook, key: str) -> Iterator[str]:
    """Yield a point that only a house decides, as an example."""
    entries, clauses = build_examples(key)
    numbers = [number for number, _ in clauses]
    yield f"#   ({book.name} is silent)  An example. The clauses that judge it are at the end of this file."
    yield f"#   {to_toml(key)} = {{ is = ["
    yield from (f"#     {to_toml(entry)}," for entry in entries)
    yield f"#   ], clauses = {to_toml(numbers)} }}"


def _iter_clause_lines(book: Rulebook) -> Iterator[str]:
    for clause in book.clauses.values():
        if clause.kind != "detector":
            continue
        yield f"\n# {shorten(clause.entry.says, 110)}"
        yield f"# [{clause.id}]"
        yield f'# severity = "{clause.entry.severity}"'
        if clause.using:
            yield f"# using = {_parameters_to_toml(clause)}"


def _iter_house_clause_lines(book: Rulebook) -> Iterator[str]:
    """Yield the clauses that judge the points which only a house decides, as examples."""
    silent_points = [key for key in HOUSE_POINTS if book.policy.get(key) is None]
    if silent_points:
        yield "\n# Clauses that judge what your room spreads, takes and pays. Each needs its point in [policy] above."
        yield "# Use your own numbers and words."
    for key in silent_points:
        for number, table in build_examples(key)[1]:
            yield f"#\n#   [{number}]"
            yield from (f"#   {name} = {to_toml(value)}" for name, value in table.items())


def _parameters_to_toml(clause: Clause) -> str:
    return to_toml({key: clause.entry.using[key] for key, _ in clause.using})


def shorten(text: str, max_length: int = 80) -> str:
    """Return a text in one line of at most this length, cut at a blank."""
    text = " ".join(text.split())
    return text if len(text) <= max_length else f"{text[: max_length - 1].rsplit(' ', 1)[0]}…"


def to_toml(value: object) -> str:
    r"""Return a value as TOML on one line. Empty texts in a table are left out.

    >>> to_toml({"total": "sum", "more": [1, 2.5], "yes": True, "a b": 'x"'})
    '{ total = "sum", more = [1, 2.5], yes = true, "a b" = "x\\"" }'
    """
    value = msgspec.to_builtins(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE_NUMBER_LIMIT:
        return str(int(value))
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()
    if isinstance(value, list):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, dict):
        set_values = ((key_to_toml(key), child) for key, child in value.items() if child not in ("", None))
        return f"{{ {', '.join(f'{key} = {to_toml(child)}' for key, child in set_values)} }}"
    return str(value)


def key_to_toml(key: str) -> str:
    """Return a key as TOML, in quotes if it needs them."""
    plain_letters = key.replace("_", "").replace("-", "")
    return key if plain_letters.isascii() and plain_letters.isalnum() else to_toml(key)
