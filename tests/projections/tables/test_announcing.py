"""What the house knows is told by its own stream: each finding that came, went or changed, and never twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.entry import Provenance
from ledger.house.events import FindingChanged, RulebookAdopted
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from projections.table_walk.replay import walk_hands
from projections.tables.finding_events import announce_new_findings, load_known_findings
from projections.tables.finding_tables import FINDINGS
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from tests.conftest import scale_examples
from tests.evenings.script import script
from tests.projections.tables.test_judging import anew, parts
from tests.projections.test_doubts import wrong_evenings


def adopt(ledger: Ledger, book: str, **told: Any) -> None:
    rulebook_found = rulebook.load(book)
    event = RulebookAdopted(
        **({"book": book, "edition": rulebook_found.edition, "digest": rulebook_found.digest} | told)
    )
    ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now(), writer="test"))


def night(tmp_path: Path, cuts: list[int]) -> list[Path]:
    """The first wrong evening of hilton's in files."""
    book, evening = wrong_evenings()[0]
    assert book == "hilton"
    paths = [tmp_path / f"{index}.hand" for index in range(len(cuts) + 1)]
    for path, text in zip(paths, parts(script(evening), cuts), strict=True):
        path.write_text(text)
    return paths


def announced_changes(ledger: Ledger) -> list[FindingChanged]:
    return [event for event in ledger.events(HOUSE) if isinstance(event, FindingChanged)]


def is_true(ledger: Ledger, book: str) -> None:
    """What the house knows is what its hands give when they are judged from the beginning."""
    values_now = {
        finding.fingerprint: (finding.clause, finding.certainty, finding.severity)
        for finding in anew(ledger, book).findings
    }
    knows = {
        name: finding for of_table in load_known_findings(ledger).values() for name, (finding, _) in of_table.items()
    }
    assert {
        name: (finding.clause, finding.certainty, finding.severity) for name, finding in knows.items()
    } == values_now


@settings(max_examples=scale_examples(10), deadline=None)
@given(data=st.data())
def test_what_the_house_knows_is_true_whatever_came_when(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    book, evening = data.draw(st.sampled_from(wrong_evenings()))
    text = script(evening)
    files = parts(text, data.draw(st.lists(st.integers(1, len(evening.hands) - 1), max_size=3, unique=True)))
    folder = tmp_path_factory.mktemp("night")
    with open_ledger(folder / "x.ledger") as ledger:
        adopt(ledger, book)
        for file_index in data.draw(st.permutations(range(len(files)))):
            path = folder / f"{file_index}.hand"
            path.write_text(files[file_index])
            import_paths(ledger, [path])
            if data.draw(st.booleans()):  # killed between judging and telling
                update_judgements([TableJudgement(ledger, rulebook.load(book), ledger.database)])
            if data.draw(st.booleans()):  # and the tables lost
                with ledger.database.core(write=True) as connection:
                    FINDINGS.drop_all(connection)
            announce_new_findings(ledger)
            is_true(ledger, book)
            head_before = ledger.head()
            assert announce_new_findings(ledger) == []
            assert ledger.head() == head_before


def test_what_a_mended_file_takes_away_is_told_as_gone(tmp_path: Path) -> None:
    (path,) = night(tmp_path, [])
    with open_ledger(tmp_path / "x.ledger") as ledger:
        adopt(ledger, "hilton")
        import_paths(ledger, [path])
        events = announce_new_findings(ledger)
        assert {event.became for event in events} == {"found"}
        head_then = ledger.head()[0]
        (first,) = events
        text = path.read_text()
        wrong = "position small 6\nposition big 7\n6 posts small 5\n7 posts big 10\n"
        assert text.count(wrong) == 1
        path.write_text(text.replace(wrong, "position small 2\nposition big 3\n2 posts small 5\n3 posts big 10\n"))
        import_paths(ledger, [path])
        changed = announce_new_findings(ledger)
        assert first.fingerprint in {event.fingerprint for event in changed if event.became == "gone"}
        is_true(ledger, "hilton")
    url = str(tmp_path / "x.ledger")
    with open_ledger(url) as ledger:
        ledger.upto = head_then
        assert [event for event, _ in next(iter(load_known_findings(ledger).values())).values()] == events


def test_other_code_tells_only_what_it_finds_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = night(tmp_path, [])
    with open_ledger(tmp_path / "x.ledger") as ledger:
        adopt(ledger, "hilton")
        import_paths(ledger, [path])
        announce_new_findings(ledger)
        for module in ("stored_judgement", "finding_events"):
            monkeypatch.setattr(f"projections.tables.{module}.code_digest", lambda: "0" * 64)
        assert announce_new_findings(ledger) == []
        is_true(ledger, "hilton")


def test_a_book_of_another_table_is_not_asked(tmp_path: Path) -> None:
    (path,) = night(tmp_path, [])
    with open_ledger(tmp_path / "x.ledger") as ledger:
        adopt(ledger, "hilton", table="another")
        import_paths(ledger, [path])
        assert announce_new_findings(ledger) == []
        adopt(ledger, "hilton", since=4_000_000_000_000)  # these hands were dealt long before
        assert announce_new_findings(ledger) == []


def test_two_programs_that_judge_at_once_tell_each_finding_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = night(tmp_path, [])
    url = tmp_path / "x.ledger"
    with open_ledger(url) as ledger, open_ledger(url) as other_ledger:
        adopt(ledger, "hilton")
        import_paths(ledger, [path])
        meanwhile: list[list[FindingChanged]] = []

        def seated_late(*args: Any) -> Any:
            if not meanwhile:  # between what was read of the table and what is written
                meanwhile.append([])
                meanwhile[0] += announce_new_findings(other_ledger)
            return walk_hands(*args)

        monkeypatch.setattr("projections.tables.table_judge.walk_hands", seated_late)
        events = announce_new_findings(ledger)
        assert len(meanwhile[0]) == 1
        assert events == []
        assert announced_changes(ledger) == meanwhile[0]
        is_true(ledger, "hilton")
