"""Values in the syntax of queries."""

from __future__ import annotations


def quote_query_value(value: str) -> str:
    """Return a value quoted for a query. A quote inside it is doubled."""
    return '"' + value.replace('"', '""') + '"'
