"""A condition on the words of a kept finding: headline, clause, what should be, and why.

A finding is kept as JSON with its members in a fixed order, so that LIKE on it needs no JSON functions. A quote
inside a string is escaped, so a member's name can't be in a finding's words.
"""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import ColumnElement, String, or_
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement

_SPANS: Final = (("saw", "asks"), ("asks", "should"), ("should", "because"), ("because", "money"))
"""Members with words, each with the member after it."""


class _FindingJson(FunctionElement[str]):
    """The bytes of a kept finding as text."""

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


def match_finding_text(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Return that a finding's words contain these, whatever their case; `*` matches any letters."""
    literal = json.dumps(words, ensure_ascii=False)[1:-1]
    for special in "\\%_":
        literal = literal.replace(special, f"\\{special}")
    pattern = literal.replace("*", "%")
    text = _FindingJson(column)
    return or_(*(text.ilike(f'%"{member}":"%{pattern}%","{following}":%', escape="\\") for member, following in _SPANS))
