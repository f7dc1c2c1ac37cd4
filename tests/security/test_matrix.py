"""Every table of a ledger, row by row, on both stores: each change is found, or the verdict names it.

The matrix (`tests/torture/matrix.py`) is made from the schema: a table or a column that comes is in it, and
fails here without a check.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.authority import Authority
from tests.conftest import scale_examples
from tests.laws import size
from tests.ledger.store.conftest import STORES, empty_schema, postgres_server
from tests.torture import matrix

__all__ = ["postgres_server"]


@pytest.fixture(scope="module", params=STORES)
def sound(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, authority: Authority
) -> Iterator[tuple[matrix.Store, str]]:
    """A ledger in which every table holds rows, and the public key that signs it."""
    folder = tmp_path_factory.mktemp("matrix")
    if request.param == "sqlite":
        key = matrix.filled(str(folder / "x.ledger"), folder, authority)
        yield matrix.Sqlite(folder / "x.ledger"), key
    else:
        url = empty_schema(request.getfixturevalue("postgres_server"))
        key = matrix.filled(url, folder, authority)
        store = matrix.Postgres(url)
        yield store, key
        store.plain.close()


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("table", sorted(matrix.TABLES))
def test_no_row_is_changed_unnoticed(sound: tuple[matrix.Store, str], table: str) -> None:
    store, key = sound
    if table not in store.tables:
        return  # PostgreSQL's own
    planned = list(matrix.deeds(store, table))
    assert planned, "the ledger of this test lacks rows of it"
    verdicts = {}
    part = 2 if isinstance(store, matrix.Sqlite) else 8  # a server takes four times as long
    sample_size = size(len(planned) // part, len(planned))
    count = min(len(planned), max(4, scale_examples(sample_size)))
    for deed in Random(table).sample(planned, count):
        with store.spoiled(deed.statements) as spoilt:
            if spoilt is not None:
                verdicts[str(deed)] = matrix.judged(deed, spoilt, key)
    assert [deed for deed, verdict in verdicts.items() if verdict == "missed"] == []
    if count == len(planned):
        assert "found" in verdicts.values() or all(verdict == "named" for verdict in verdicts.values())
    assert verdicts


@pytest.mark.parametrize("deed", matrix.JOINT_DEEDS, ids=str)
def test_no_rows_that_belong_together_are_changed_unnoticed(sound: tuple[matrix.Store, str], deed: matrix.Deed) -> None:
    store, key = sound
    with store.spoiled(deed.statements) as spoilt:
        assert spoilt is not None
        assert matrix.judged(deed, spoilt, key) == "found"
