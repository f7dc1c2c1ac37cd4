"""The condition that a stored finding contains words in its headline, clause, demand or reason.

A finding is stored as JSON with its members in a fixed order, so LIKE can search it without JSON functions. Quotes
inside a string are escaped, so a finding's words can't look like the name of a member.
"""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import ColumnElement, String, or_
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement

_TEXT_MEMBERS: Final = (("saw", "asks"), ("asks", "should"), ("should", "because"), ("because", "money"))
"""Members whose words are searched, each with the member that follows it in the JSON."""


class _FindingJson(FunctionElement[str]):
    """The bytes of a stored finding as text."""

    type = String()
    inherit_cache = True


@compiles(_FindingJson)
def _compile_default(element: _FindingJson, compiler: SQLCompiler, **options: object) -> str:
    return f"CAST({compiler.process(element.clauses, **options)} AS TEXT)"


@compiles(_FindingJson, "postgresql")
def _compile_postgresql(element: _FindingJson, compiler: SQLCompiler, **options: object) -> str:
    return f"convert_from({compiler.process(element.clauses, **options)}, 'UTF8')"


@compiles(_FindingJson, "duckdb")
def _compile_duckdb(element: _FindingJson, compiler: SQLCompiler, **options: object) -> str:
    return f"decode({compiler.process(element.clauses, **options)})"


def build_finding_text_match(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Return the condition that a finding contains these words, ignoring case; `*` matches any letters."""
    literal = json.dumps(words, ensure_ascii=False)[1:-1]
    for special in "\\%_":
        literal = literal.replace(special, f"\\{special}")
    pattern = literal.replace("*", "%")
    text = _FindingJson(column)
    return or_(
        *(text.ilike(f'%"{member}":"%{pattern}%","{following}":%', escape="\\") for member, following in _TEXT_MEMBERS)
    )
