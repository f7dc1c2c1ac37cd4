"""Who sat where and who dealt: as the record tells it, the same in bits as at once, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.tables.sittings import SITTINGS_SCHEMA, hand_dealers, sittings
from projections.tables.table_set import open_tables
from tests.cli.conftest import Run, run
from tests.conftest import scale_examples
from tests.evenings.script import script
from tests.postgres import NoPostgresError, server
from tests.projections.tables.test_judging import parts
from tests.projections.test_doubts import wrong_evenings

__all__ = ["run"]

HEAD = "handscript 1\nvenue Riverside table T7\n"
HAND = """
hand {number} 2026-11-20T20:{minute:02}:00Z
game holdem limit cash blinds 5/10 bets 10/20 unit USD 0
button {button} stacks {stacks}
{small} posts small 5
{big} posts big 10
deal done
{rest} folds
{small} folds
{big} uncalled 5
{big} wins 10 from main
end
"""


def hand(number: int, seats: list[int]) -> str:
    button, small, big = seats
    stacks = " ".join(f"{seat}:500" for seat in sorted(seats))
    return HAND.format(number=number, minute=number, stacks=stacks, button=button, small=small, big=big, rest=button)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An evening on either store: Kim deals a hand, then Lee; a player leaves, another comes, a third moves."""
    text = HEAD + "\ndealer Kim\n" + hand(1, [1, 2, 3])
    text += '\n3 leaves "Player 3" busted\n\ndealer Lee\n' + hand(2, [2, 4, 1])
    text += '\nmoved "Player 4" 4 to 6\n' + hand(3, [1, 2, 6]).replace("6:500", "6:500")
    (tmp_path / "night.hand").write_text(text)
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = str(tmp_path / "x.ledger")
        else:
            try:
                url = stack.enter_context(server())
            except NoPostgresError as error:
                pytest.skip(str(error))
        with open_ledger(url) as ledger:
            import_paths(ledger, [tmp_path / "night.hand"])
        yield url


def test_sittings_and_dealers_are_as_the_record_tells_them(book: str, run: Run) -> None:
    document = run("seats", "T7", "--ledger", book, "--format", "json").document
    sittings = [
        (row["seat"], row["player"], row["first"], row["last"], row["hands"], row["ended"])
        for row in document["sittings"]
    ]
    assert (3, "Player 3", "1", "1", 1, "busted") in sittings
    assert (1, "Player 1", "1", "3", 3, "") in sittings
    assert {seat for seat, *_ in sittings} == {1, 2, 3, 4, 6}
    document_then = run("seats", "T7", "--at", "2026-11-20T20:01:30Z", "--ledger", book, "--format", "json").document
    assert {row["seat"] for row in document_then["sittings"]} == {1, 2, 3}

    def numbers(query: str) -> list[str]:
        document = run("log", "--where", query, "--ledger", book, "--format", "json").document
        return [hand["number"] for hand in document["hands"]]

    assert numbers("dealer:Kim") == ["1"]
    assert numbers("dealer:Lee") == ["2", "3"]
    assert numbers("-dealer:Lee") == ["1"]
    sums = run("log", "--by", "dealer", "--ledger", book, "--format", "json").document["sums"]
    assert [(row["names"], row["hands"]) for row in sums] == [(["Kim"], 1), (["Lee"], 2)]
    rates = run("rates", "-r", "hilton", "--by", "dealer", "--ledger", book, "--format", "json").document["rates"]
    assert {(row["name"], row["hands"]) for row in rates} == {("Kim", 1), ("Lee", 2)}


def test_a_player_whom_a_record_names_in_two_seats_sits_in_both(run: Run, tmp_path: Path) -> None:
    hand = "\nhand {n}\nseat 1 Ana 100\nseat 2 Bo 100\nseat 3 Ana 100\nbutton 1\n2 posts small 1\n3 posts big 2\nend\n"
    head = "handscript 1\nvenue V  table T\ngame holdem no-limit cash blinds 1/2 unit USD 2\n"
    (tmp_path / "x.hand").write_text(head + hand.format(n=1) + hand.format(n=2))
    ledger = ("--ledger", str(tmp_path / "l"))
    run("import", str(tmp_path / "x.hand"), *ledger)
    sittings = run("seats", "T", *ledger, "--format", "json").document["sittings"]
    assert [(sitting["seat"], sitting["player"], sitting["hands"]) for sitting in sittings] == [
        (1, "Ana", 2),
        (2, "Bo", 2),
        (3, "Ana", 2),
    ]


def rows(ledger: Ledger) -> list[list[tuple[object, ...]]]:
    with open_tables(ledger, seats=True) as (keeping, _), keeping.core() as connection:
        tables = (sittings, hand_dealers)
        return [
            [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))] for table in tables
        ]


@settings(max_examples=scale_examples(10), deadline=None)
@given(data=st.data())
def test_what_is_kept_is_what_a_walk_from_the_beginning_gives(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    _, evening = data.draw(st.sampled_from(wrong_evenings()))
    files = parts(script(evening), data.draw(st.lists(st.integers(1, len(evening.hands) - 1), max_size=3, unique=True)))
    folder = tmp_path_factory.mktemp("night")
    with open_ledger(folder / "x.ledger") as ledger:
        for file_index in data.draw(st.permutations(range(len(files)))):
            (folder / f"{file_index}.hand").write_text(files[file_index])
            import_paths(ledger, [folder / f"{file_index}.hand"])
            live = rows(ledger)
            ledger.upto = ledger.head()[0]  # so that they are made beside it
            assert rows(ledger) == live
            ledger.upto = None
        assert live[0]
        assert SITTINGS_SCHEMA.tables.keys() == {"sittings", "hand_dealers"}
