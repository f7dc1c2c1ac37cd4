"""Values as queries say them."""

from __future__ import annotations


def quoted(value: str) -> str:
    """Return a value as a query says it, whatever stands in it: a quote is written twice."""
    return '"' + value.replace('"', '""') + '"'
