"""Judgement that is kept is the judgement of all hands from the beginning, whatever came in when."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import func, select, update

from cli import audit
from cli.output import console
from ledger.entry import Provenance
from ledger.errors import CorrectionError, UsageError
from ledger.hand.ending import CorrectionMade, PotAwarded
from ledger.intake import import_paths
from ledger.store import HandRow, Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests import amendments
from projections.audit.audit_result import AuditResult
from projections.books import rulebook
from projections.queries.ledger_query import select_hands
from projections.reports.audit_json import build_header
from projections.table_walk.played_tables import list_places
from projections.table_walk.replay import walk_hands
from projections.table_walk.table_context import pick_table_books
from projections.tables.due_on_hand import find_dues_on_next_hand
from projections.tables.finding_tables import judged_tables, kept_findings
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from projections.tables.owed_document import build_document
from projections.tables.owed_update import resume_dues
from projections.tables.recomputation import compare_tables
from projections.tables.stored_dues import load_stored_dues
from projections.tables.table_set import load_judgement, update_tables
from tests.conftest import scale_examples
from tests.evenings.script import script
from tests.postgres import NoPostgresError, server
from tests.projections.test_doubts import wrong_evenings

HEAD = "handscript 1\nvenue Evening  table 1\nwitness everything\n"


def parts(text: str, cuts: list[int]) -> list[str]:
    """The hands of an evening in several files, each with what was told before its first hand."""
    _, *hands = text.split("\n\nhand ")
    part, first = text.split("\n\nhand ", maxsplit=1)[0], 0
    file_parts = []
    for cut in [*sorted(cuts), len(hands)]:
        hand_text = "".join(f"\n\nhand {hand}" for hand in hands[first:cut])
        if hand_text:
            file_parts.append(
                (HEAD + part.partition("witness everything\n")[2] if first == 0 else HEAD) + hand_text + "\n"
            )
        first = cut
    return file_parts


def encode_result(result: AuditResult) -> tuple[bytes, list[object]]:
    return console.encode_document(build_header(result)).encode(), list(result.findings)


def anew(ledger: Ledger, book: str) -> AuditResult:
    hands_by_place = ((place, ledger.hands(**place._asdict(), standing=True)) for place in list_places(ledger))
    return audit.judge_with_progress(ledger, hands_by_place, [rulebook.load(book)])


def check_judgement(ledger: Ledger, book: str) -> None:
    for table in ledger.tables():
        place, books = TableKey(table.venue, table.tournament, table.table), [rulebook.load(book)]
        assert resume_dues(ledger, place, books) in (None, find_dues_on_next_hand(ledger, table, books))
    audit_result = load_judgement(ledger, rulebook.load(book), list_places(ledger))
    assert audit_result is not None
    assert encode_result(audit_result) == encode_result(anew(ledger, book))
    for table in ledger.tables():
        table_dueses = load_stored_dues(
            ledger, TableKey(table.venue, table.tournament, table.table), [rulebook.load(book)]
        )
        if pick_table_books([rulebook.load(book)]):
            assert table_dueses == find_dues_on_next_hand(ledger, table, [rulebook.load(book)])
        else:
            assert table_dueses is None, "the book has no clause about tables: nothing is kept of what is due"


@pytest.fixture(params=[1, 500], ids=["walks rest", "walks are made anew"])
def long(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """From how many hands on a table's walk is kept at rest."""
    hand_limit: int = request.param
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", hand_limit)
    return hand_limit


@pytest.mark.slow
@settings(max_examples=scale_examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.usefixtures("long")
def test_kept_judgement_is_that_of_all_hands_whatever_came_when(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    book, evening = data.draw(st.sampled_from(wrong_evenings()))
    text = script(evening)
    files = parts(text, data.draw(st.lists(st.integers(1, len(evening.hands) - 1), max_size=3, unique=True)))
    folder = tmp_path_factory.mktemp("night")
    order = data.draw(st.permutations(range(len(files))))
    with open_ledger(folder / "x.ledger") as ledger:
        for file_index in order:
            path = folder / f"{file_index}.hand"
            path.write_text(files[file_index])
            import_paths(ledger, [path])
            check_judgement(ledger, book)
            if data.draw(st.booleans()):
                corrected(ledger, data)
                check_judgement(ledger, book)
        assert compare_tables(ledger).different == []
        repeated_index = data.draw(st.sampled_from(range(len(files))))
        lines = files[repeated_index].splitlines()
        wagers = [i for i, line in enumerate(lines) if line.split()[1:2] in (["folds"], ["checks"], ["calls"])]
        if wagers:  # a file that was mended: its hands take the place of those that it told before
            del lines[data.draw(st.sampled_from(wagers))]
            (folder / f"{repeated_index}.hand").write_text("\n".join(lines) + "\n")
            import_paths(ledger, [folder / f"{repeated_index}.hand"])
            check_judgement(ledger, book)


def taken_back(ledger: Ledger, row: HandRow, version: int) -> None:
    """Correct a hand: an event was never there."""
    correction_made = CorrectionMade((version,), version - 1, 0, "floor", "", ledger.people.text("it was told twice"))
    correction = amendments.build_correction_events(ledger, row, [(correction_made, lambda *_: [])])
    amendments.append_correction(ledger, row, *correction, Provenance(ledger.now(), writer="correct"))


def corrected(ledger: Ledger, data: st.DataObject) -> None:
    """Correct any hand: a pot was not won."""
    row = data.draw(st.sampled_from(list(ledger.hands(standing=True))))
    awards = [index for index, event in enumerate(ledger.events(row.stream), 1) if isinstance(event, PotAwarded)]
    if awards:
        with suppress(CorrectionError):  # it was corrected before
            taken_back(ledger, row, awards[0])


def test_a_table_that_alone_was_judged_is_judged_again_once_a_hand_of_it_is_corrected(tmp_path: Path) -> None:
    """Whoever looks at a hand of a long table has that table judged, and no other."""
    book, evening = wrong_evenings()[0]
    with open_ledger(tmp_path / "x.ledger") as ledger:
        (tmp_path / "a.hand").write_text(script(evening))
        import_paths(ledger, [tmp_path / "a.hand"])
        (place,) = list_places(ledger)
        update_tables(ledger, [rulebook.load(book)], results=False, selected_places={place})
        row = next(iter(ledger.hands()))
        award = next(index for index, event in enumerate(ledger.events(row.stream), 1) if isinstance(event, PotAwarded))
        taken_back(ledger, row, award)
        check_judgement(ledger, book)


def test_what_a_table_owes_is_kept_until_anything_comes_in(tmp_path: Path) -> None:
    _, evening = wrong_evenings()[0]
    first, second = parts(script(evening), [len(evening.hands) - 1])
    books = [rulebook.load("hilton"), rulebook.load("rrop4")]
    with open_ledger(tmp_path / "x.ledger") as ledger:
        for text in (first, second):
            (tmp_path / "night.hand").write_text(text)
            import_paths(ledger, [tmp_path / "night.hand"])
            (place,), (table,) = list_places(ledger), ledger.tables()
            assert load_stored_dues(ledger, place, books) is None
            load_judgement(ledger, books[0], list_places(ledger))
            assert load_stored_dues(ledger, place, books) is None, "one of the books has not judged"
            walked = build_document(ledger, table, books)
            load_judgement(ledger, books[1], list_places(ledger))
            assert load_stored_dues(ledger, place, books) is not None
            assert build_document(ledger, table, books) == walked
        ledger.upto = ledger.head()[0] - 1
        assert load_stored_dues(ledger, place, books) is None


def test_what_a_long_table_owes_is_walked_to_from_where_its_walk_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", 1)
    _, evening = wrong_evenings()[0]
    first, second = parts(script(evening), [len(evening.hands) - 2])
    books = [rulebook.load("hilton"), rulebook.load("rrop4")]
    night = tmp_path / "night.hand"
    with open_ledger(tmp_path / "x.ledger") as ledger:
        night.write_text(first)
        import_paths(ledger, [night])
        (place,), (table,) = list_places(ledger), ledger.tables()
        for book in books:
            assert resume_dues(ledger, place, books) is None, "not every book has judged"
            load_judgement(ledger, book, [place])
        night.write_text(second)
        import_paths(ledger, [night])
        anew = find_dues_on_next_hand(ledger, table, books)
        monkeypatch.setattr("projections.tables.due_on_hand.find_dues_on_next_hand", None)  # who calls it now, fails
        assert build_document(ledger, table, books).due == [table_duese.due for table_duese in anew]
        ledger.upto = ledger.head()[0] - 1
        assert resume_dues(ledger, place, books) is None


def filled(folder: Path) -> Ledger:
    book, evening = wrong_evenings()[0]
    assert book == "hilton"
    (folder / "night.hand").write_text(script(evening))
    ledger = open_ledger(folder / "x.ledger")
    import_paths(ledger, [folder / "night.hand"])
    return ledger


def test_nothing_is_judged_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with filled(tmp_path) as ledger:
        book = rulebook.load("hilton")
        assert load_judgement(ledger, book, list_places(ledger))
        monkeypatch.setattr("projections.tables.judgement_update.judge_table", None)  # who calls it now, fails
        audit_result = load_judgement(ledger, book, list_places(ledger))
        assert audit_result is not None
        assert audit_result.findings


def test_of_hands_that_come_behind_only_these_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, evening = wrong_evenings()[0]
    first, second = parts(script(evening), [len(evening.hands) - 2])
    (tmp_path / "a.hand").write_text(first)
    (tmp_path / "b.hand").write_text(second)
    judged = []
    monkeypatch.setattr(
        "projections.tables.table_judge.walk_hands",
        lambda ledger, wanted, *more: walk_hands(
            ledger, [(p, judged.append(len(rows)) or rows) for p, rows in wanted], *more
        ),
    )
    with open_ledger(tmp_path / "x.ledger") as ledger:
        for name in ("a.hand", "b.hand"):
            import_paths(ledger, [tmp_path / name])
            check_judgement(ledger, "hilton")
    assert judged == [len(evening.hands) - 2, 2]


def test_a_long_table_of_which_a_hand_was_corrected_goes_on_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", 1)
    _, evening = wrong_evenings()[0]
    night = tmp_path / "night.hand"
    first, second = parts(script(evening), [len(evening.hands) - 2])
    with open_ledger(tmp_path / "x.ledger") as ledger:
        night.write_text(first)
        import_paths(ledger, [night])
        row = next(iter(ledger.hands()))
        taken_back(
            ledger,
            row,
            next(index for index, e in enumerate(ledger.events(row.stream), 1) if isinstance(e, PotAwarded)),
        )
        check_judgement(ledger, "hilton")
        night.write_text(second)
        import_paths(ledger, [night])
        monkeypatch.setattr("projections.tables.table_judge._walk_group", None)  # who walks all of it now, fails
        check_judgement(ledger, "hilton")


@pytest.mark.slow
def test_a_long_table_is_not_walked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, evening = wrong_evenings()[0]
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", len(evening.hands) - 3)
    walked = []
    monkeypatch.setattr(
        "projections.tables.table_judge.walk_hands", lambda *args: walked.append(args) or walk_hands(*args)
    )
    files = parts(script(evening), [len(evening.hands) - 3, len(evening.hands) - 1])
    books = ("hilton", "rrop4", "house-burn")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        for index, text in enumerate(files):
            (tmp_path / f"{index}.hand").write_text(text)
            import_paths(ledger, [tmp_path / f"{index}.hand"])
            update_judgements([TableJudgement(ledger, rulebook.load(book), ledger.database) for book in books])
        assert len(walked) == 1
        for book in books:
            check_judgement(ledger, book)
        assert compare_tables(ledger).different == []


def test_how_far_it_is_is_told_from_the_first_hand_to_the_last(tmp_path: Path) -> None:
    progress_events: list[tuple[int, int]] = []
    with filled(tmp_path) as ledger:
        hands = len(list(ledger.hands()))
        for _ in range(2):  # again there is nothing to judge, and nothing is told
            judgements = [TableJudgement(ledger, rulebook.load("hilton"), ledger.database)]
            update_judgements(judgements, progress=lambda done, of: progress_events.append((done, of)))
    assert progress_events[0] == (0, hands)
    assert progress_events[-1] == (hands, hands)
    assert progress_events == sorted(progress_events)
    assert len(progress_events) == 2


def test_other_code_and_other_books_stand_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with filled(tmp_path) as ledger:
        for book in ("hilton", "rrop4"):
            load_judgement(ledger, rulebook.load(book), list_places(ledger))
        monkeypatch.setattr("projections.tables.stored_judgement.code_digest", lambda: "0" * 64)
        load_judgement(ledger, rulebook.load("hilton"), list_places(ledger))
        with ledger.database.core() as connection:
            numbers = connection.execute(
                select(judged_tables.c.judgement, func.count()).group_by(judged_tables.c.judgement)
            ).all()
    assert [tuple(row) for row in numbers] == [(1, 1), (2, 1), (3, 1)]


def test_what_somebody_changed_in_it_is_seen(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        audit_result = load_judgement(ledger, rulebook.load("hilton"), list_places(ledger))
        assert audit_result is not None
        with ledger.database.core(write=True) as connection:
            finding = connection.execute(select(kept_findings.c.finding).limit(1)).scalar_one()
            forged = bytes(finding).replace(b'"certain"', b'"likely"').replace(b'"saw": "', b'"saw": "not ')
            connection.execute(update(kept_findings).where(kept_findings.c.number == 1).values(finding=forged))
        changed = load_judgement(ledger, rulebook.load("hilton"), list_places(ledger))
        assert changed is not None
        assert encode_result(changed) != encode_result(anew(ledger, "hilton"))


@pytest.mark.slow
@settings(max_examples=scale_examples(10), deadline=None)
@given(data=st.data())
def test_books_that_are_judged_together_find_what_each_finds_alone(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    _, evening = data.draw(st.sampled_from(wrong_evenings()))
    text = script(evening)
    files = parts(text, data.draw(st.lists(st.integers(1, len(evening.hands) - 1), max_size=2, unique=True)))
    folder = tmp_path_factory.mktemp("night")
    books = [rulebook.load(name) for name in ("hilton", "rrop4", "bicycle", "house-burn", "record")]
    with open_ledger(folder / "x.ledger") as ledger:
        for file_index in data.draw(st.permutations(range(len(files)))):
            (folder / f"{file_index}.hand").write_text(files[file_index])
            import_paths(ledger, [folder / f"{file_index}.hand"])
            chosen_books = data.draw(st.lists(st.sampled_from(books), min_size=1, unique=True))
            update_judgements([TableJudgement(ledger, book, ledger.database) for book in chosen_books])
        judgements = [TableJudgement(ledger, book, ledger.database) for book in books]
        assert len(set(update_judgements(judgements))) == len(books)
        for judgement in judgements:
            assert encode_result(judgement.load_result()) == encode_result(anew(ledger, judgement.book.name))


@pytest.mark.slow
def test_several_processes_keep_what_one_keeps(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        with open_ledger(folder / "x.ledger") as ledger:
            for table, (_, evening) in enumerate(wrong_evenings()[:4]):
                text = script(evening).replace("table 1", f"table {table}")
                first, second = parts(text, [len(evening.hands) - 1])
                for index, stored_rows in enumerate((first, second)):
                    (folder / f"{table}-{index}.hand").write_text(stored_rows.replace("table 1", f"table {table}"))
            books = [rulebook.load(name) for name in ("hilton", "rrop4")]
            for index in (0, 1):  # from the beginning, and what comes behind
                import_paths(ledger, [folder / f"{table}-{index}.hand" for table in range(4)])
                judgements = [TableJudgement(ledger, book, ledger.database) for book in books]
                update_judgements(judgements, jobs=jobs)
            found.append([encode_result(judgement.load_result()) for judgement in judgements])
            assert len(list_places(ledger)) == 4
            assert compare_tables(ledger).different == []
    judgement, two = (
        [(frame_, [without_stream(judgement) for judgement in stored_rows]) for frame_, stored_rows in frame_rows]
        for frame_rows in found
    )
    assert judgement == two
    assert any(stored_rows for _, stored_rows in judgement)


def without_stream(stored_judgement: Any) -> Any:
    return replace(stored_judgement, hand=replace(stored_judgement.hand, stream=""), source="")


@pytest.mark.postgres
def test_on_postgresql_a_query_and_a_judgement_answer_as_on_sqlite(tmp_path: Path) -> None:
    _, evening = wrong_evenings()[0]
    (tmp_path / "night.hand").write_text(script(evening))
    queries = ["pot>=20 showdown", "clause:hilton.*", 'player:"Player 1" position:BTN,CO', "not table:1 or board:Ah"]
    queries += [
        "since:2026-11-18 until:2026-11-18T12:00Z net<0",
        "severity>=warning seat:1,2,3",
        "street>=turn game:lhe",
    ]
    with ExitStack() as stack:
        try:
            url = stack.enter_context(server())
        except NoPostgresError as error:
            pytest.skip(str(error))
        found = []
        for location in (str(tmp_path / "x.ledger"), url):
            with open_ledger(location) as ledger:
                import_paths(ledger, [tmp_path / "night.hand"])
                check_judgement(ledger, "hilton")
                answer_rows = []
                for query in queries:
                    with select_hands(ledger, query, "06:00", [rulebook.load("hilton")]) as answers:
                        answer_rows.append([row.number for row in answers.iter_rows()])
                found.append(answer_rows)
    assert found[0] == found[1]
    assert any(found[0])


@pytest.mark.slow
def test_a_process_that_has_other_code_does_not_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        for index, (_, evening) in enumerate(wrong_evenings()[:2]):
            (tmp_path / f"{index}.hand").write_text(script(evening).replace("table 1", f"table {index}"))
            import_paths(ledger, [tmp_path / f"{index}.hand"])
        judgement = TableJudgement(ledger, rulebook.load("hilton"), ledger.database)
        monkeypatch.setattr("projections.tables.table_judge.code_digest", lambda: "of a version before")
        with pytest.raises(UsageError, match="another version of handledger"):
            update_judgements([judgement], jobs=2)
        monkeypatch.undo()
        update_judgements([judgement], jobs=2)
        assert encode_result(judgement.load_result()) == encode_result(anew(ledger, "hilton"))
