"""Quote values for queries. This is a module of its own so that addresses needn't load the grammar of queries."""

from __future__ import annotations


def quote_query_value(value: str) -> str:
    """Return a value in quotes, as a query spells it: a quote inside is doubled."""
    return '"' + value.replace('"', '""') + '"'
