"""Quote values for queries. It's a separate module so that addresses needn't load the grammar of queries."""

from __future__ import annotations


def quote_query_value(value: str) -> str:
    """Return a value in quotes for a query. Quotes inside it are doubled."""
    return '"' + value.replace('"', '""') + '"'
