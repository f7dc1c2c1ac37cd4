"""Words of findings are found on PostgreSQL as on SQLite."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run
from tests.ledger.store.conftest import empty_schema, postgres_server

__all__ = ["postgres_server"]

QUERIES = (
    "no burn and book:hilton",
    'text:"BURNED before" book:hilton',
    "book:hilton text:because",
    "straddle book:hilton",
)


@pytest.mark.postgres
def test_the_same_words_find_the_same_hands(run: Run, postgres_server: str, sampled: object) -> None:
    url = empty_schema(postgres_server)
    run("import", "cli/samples", "--ledger", url)
    for query in QUERIES:
        on_sqlite, on_postgres = (run("log", "--where", query, "--ledger", str(place)) for place in (sampled, url))
        assert (on_postgres.code, on_postgres.out) == (on_sqlite.code, on_sqlite.out), query
    assert run("log", "--where", QUERIES[0], "--ledger", url).out.count("T7/") == 2
