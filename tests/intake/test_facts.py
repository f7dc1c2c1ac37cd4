"""Facts between hands of which a source tells another edition: what it no longer tells does not count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.case.events import CaseLinked, CaseOpened
from ledger.hand.ending import CorrectionMade
from ledger.house.events import CheckpointSigned
from ledger.intake import import_paths
from ledger.intake.summary import FileSummary
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.table_streams import table_entries
from ledger.streams import HOUSE, case_stream, table_stream
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, TableOpened
from ledger.table.order import sort_entries
from tests.conftest import scale_examples
from tests.intake.test_accounts import FIRST, HEADER, NEXT, TABLE, hand, take


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "book.ledger") as opened:
        yield opened


def holds(book: Ledger) -> list[tuple[object, ...]]:
    """Return what the table goes by, in its order, without the names, which are each ledger's own."""
    facts_held: list[tuple[object, ...]] = []
    for entry in sort_entries(table_entries(book, TABLE)):
        event = entry.event
        if isinstance(event, HandPlayed):
            chips = [(dealt.seat, dealt.before, dealt.after) for dealt in event.dealt_in]
            facts_held.append(("hand", event.number, chips))
        elif not isinstance(event, TableOpened | AccountChosen | AccountPlaced):
            facts_held.append((type(event).__name__, getattr(event, "seat", None)))
    return facts_held


def facts(book: Ledger) -> list[tuple[object, ...]]:
    """Return the facts between hands that hold."""
    return [fact for fact in holds(book) if fact[0] != "hand"]


def fresh(folder: Path, text: str) -> list[tuple[object, ...]]:
    """Return what a ledger goes by that read nothing but this."""
    path = folder / "fresh.hand"
    path.write_text(HEADER + text)
    with open_ledger(folder / "fresh.ledger") as book:
        import_paths(book, [path])
        held_facts = holds(book)
    (folder / "fresh.ledger").unlink()
    return held_facts


@pytest.mark.parametrize(
    ("first_edition", "second_edition", "voided"),
    [
        (["2 away"], ["3 away"], 1),
        (["2 away"], [], 1),
        (["2 away"], ["2 away", "3 leaves Cy"], 0),
        (["2 away", "3 leaves Cy"], ["3 leaves Cy"], 1),
    ],
)
def test_what_an_edition_no_longer_tells_does_not_count(
    book: Ledger, tmp_path: Path, first_edition: list[str], second_edition: list[str], voided: int
) -> None:
    night = tmp_path / "night.hand"

    def text(lines: list[str]) -> str:
        return hand(1) + "".join(f"\n{line}\n" for line in lines) + hand(2)

    take(book, night, text(first_edition))
    head = book.head()
    dry = take(book, night, text(second_edition), dry=True)
    assert book.head() == head
    summary = take(book, night, text(second_edition))
    assert dry.facts_voided == summary.facts_voided == voided
    assert holds(book) == fresh(tmp_path, text(second_edition))
    head = book.head()
    take(book, night, text(second_edition))
    assert book.head() == head, "importing again writes nothing"


def test_a_person_takes_the_rule_back(book: Ledger, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    take(book, night, hand(1), "\n2 away\n", hand(2))
    take(book, night, hand(1), hand(2))
    assert facts(book) == []
    stream = table_stream(*TABLE)
    version = next(e.version for e in book.entries(stream) if isinstance(e.event, CorrectionMade))
    book.append("table", stream, [CorrectionMade((version,), version, 0, "floor", "", "")])
    assert len(facts(book)) == 1
    take(book, night, hand(1), hand(2, raised=20))
    assert len(facts(book)) == 1, "what somebody said goes before the rule"


def test_the_next_night_in_the_same_file_voids_nothing(book: Ledger, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    first = [hand(1, began=FIRST), "\n2 away\n", hand(2, began=FIRST), "\n3 leaves Cy\n"]
    take(book, night, *first)
    facts_before = facts(book)
    changes = {"names": ("Zoe", "Bo", "Cy"), "began": NEXT}
    summary = take(book, night, hand(1, **changes), "\n1 away\n", hand(2, **changes))
    assert summary.facts_voided == 0
    assert facts(book)[: len(facts_before)] == facts_before
    assert len(facts(book)) == len(facts_before) + 1


def test_a_file_that_grew_or_rolled_on_voids_nothing(book: Ledger, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    parts = [hand(1), "\n2 away\n", hand(2), "\n3 away\n", hand(3), "\n2 back\n", hand(4)]
    for index in range(1, len(parts) + 1):
        assert take(book, night, *parts[:index]).facts_voided == 0
    for start in (2, 4):
        assert take(book, night, *parts[start:]).facts_voided == 0
    assert holds(book) == fresh(tmp_path, "".join(parts))


def _case(book: Ledger, stream: str) -> None:
    opening = CaseOpened("C1", "record", by="player")
    book.append("case", case_stream("C1"), [opening, CaseLinked(stream, 0, 0)])


def _sealed(book: Ledger, _: str) -> None:
    book.append("house", HOUSE, [CheckpointSigned(book.head()[0], "00", "key")])


@pytest.mark.parametrize("bind", [_case, _sealed])
def test_what_is_bound_stays_and_import_says_so(book: Ledger, tmp_path: Path, bind: object) -> None:
    night = tmp_path / "night.hand"
    take(book, night, hand(1), "\n2 away\n", hand(2))
    facts_before = holds(book)
    bind(book, next(book.hands()).stream.hex)  # type: ignore[operator] # one of the two above
    summary = take(book, night, hand(1), "\n3 away\n", hand(2))
    assert (summary.facts_voided, summary.facts_kept) == (0, 1)
    assert summary.accounts[0].why
    assert holds(book) == facts_before


LINES = ["2 away", "3 away", "2 back", "3 leaves Cy"]
EVENING = st.tuples(
    st.lists(st.sampled_from([15, 20]), min_size=2, max_size=3),
    st.lists(st.lists(st.sampled_from(LINES), max_size=2), min_size=4, max_size=4),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=scale_examples(12))
@given(editions=st.lists(EVENING, min_size=2, max_size=4))
def test_the_table_goes_by_the_last_edition(
    editions: list[tuple[list[int], list[list[str]]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("editions")
    with open_ledger(folder / "book.ledger") as book:
        hands = max(len(raised) for raised, _ in editions)
        for raised, lines in editions:
            text = "".join(f"\n{line}\n" for line in lines[0])
            for number in range(1, hands + 1):
                text += hand(number, raised=raised[(number - 1) % len(raised)])
                text += "".join(f"\n{line}\n" for line in lines[number])
            summary: FileSummary = take(book, folder / "night.hand", text)
            assert not summary.rejected, summary.rejects
            assert holds(book) == fresh(folder, text)
        assert not book.verify()


def night(name: str, *, first: int = 1, lead: str = "") -> str:
    """Return a night of three hands with players of its own, where seat 3 goes away behind the second."""
    names = (f"{name}1", f"{name}2", f"{name}3")
    chips = 300 if name == "Ana" else 511
    texts = [hand(first + index, names=names, stacks=chips) for index in range(3)]
    return f"{lead}{texts[0]}{texts[1]}\n3 away\n{texts[2]}"


def test_the_next_night_tells_the_same_fact_behind_the_same_number(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "monday.hand", night("Ana"))
    take(book, tmp_path / "tuesday.hand", night("Zoe"))
    assert facts(book) == [("PlayerAway", 3)] * 2
    take(book, tmp_path / "copy.hand", night("Zoe") + hand(4, names=("Zoe1", "Zoe2", "Zoe3"), stacks=511))
    assert facts(book) == [("PlayerAway", 3)] * 2  # a longer copy of a night is no third one


def test_facts_before_the_first_hand_are_of_their_night(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "monday.hand", night("Ana", lead="\n2 away\n"))
    take(book, tmp_path / "later.hand", night("Ana", first=4, lead="\n2 away\n"))
    take(book, tmp_path / "tuesday.hand", night("Zoe", lead="\n2 away\n"))
    away_facts = [("PlayerAway", 2), ("PlayerAway", 3)]
    assert facts(book) == away_facts * 3
    take(book, tmp_path / "copy.hand", night("Ana", first=4, lead="\n2 away\n") + "\n# a note\n")
    assert facts(book) == away_facts * 3


def test_two_nights_in_one_file_tell_the_same_fact(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "both.hand", night("Ana") + night("Zoe"))
    assert facts(book) == [("PlayerAway", 3)] * 2
    take(book, tmp_path / "tuesday.hand", night("Zoe"))
    assert facts(book) == [("PlayerAway", 3)] * 2
