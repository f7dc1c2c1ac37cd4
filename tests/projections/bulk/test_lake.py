"""What is found in a lake is what is found in its ledger, whoever judges it and however it is laid out."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from ledger.entry import Provenance
from ledger.errors import StoreError
from ledger.house.events import RulebookAdopted
from ledger.lake import layout, whole_files
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from projections.shards import shard_judge
from projections.shards.lake_audit import Job, LakeRun, audit_lake, make_process_mapper, map_in_turn
from projections.shards.lake_builder import build_lake
from tests.cli.conftest import SAMPLES
from tests.cli.conftest import Run as Program
from tests.cli.conftest import run as program
from tests.intake.hands import hands
from tests.postgres import NoPostgresError, server
from tests.projections.bulk.lakes import adopt, always_killed, grown, killed_once, laid, ledger_of_everything, opened

__all__ = ["program"]

pytestmark = pytest.mark.slow  # its ledger, lake and run alone take seconds

HILTON = [rulebook.load("hilton")]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with all that judgement looks at."""
    return ledger_of_everything(tmp_path_factory.mktemp("ledger"))


@pytest.fixture(scope="module")
def lake(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of it, in several shards."""
    folder = tmp_path_factory.mktemp("lake")
    assert len(laid(ledger, folder).shards) > 4
    return folder


@pytest.fixture(scope="module")
def once(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, LakeRun]:
    """The lake judged under one book, by one process."""
    out = tmp_path_factory.mktemp("once")
    return out, audit_lake(lake, HILTON, out)


def test_the_ledger_of_these_tests_has_all_that_judgement_looks_at(lake: Path, once: tuple[Path, LakeRun]) -> None:
    rows = [row for one in layout.read_manifest(lake).shards for row in layout.read_rows(lake / one.name)]
    unread = {row[10] for row in rows if row[3] is not None}
    assert {0, 1, 2} <= unread
    assert max(row[4] or 0 for row in rows) > 1, "no hand is told twice"
    assert any(row[15] > 1 and row[13] == 1 for row in rows), "no hand goes on"
    assert once[1].findings > 20


@pytest.mark.parametrize(
    "books", [["hilton"], ["rrop4", "hilton", "bicycle"], [], ["house-burn", "--only", "*.B1*"]], ids=" ".join
)
def test_a_lake_is_judged_as_its_ledger_is_to_the_byte(
    ledger: Path, lake: Path, tmp_path: Path, program: Program, books: list[str]
) -> None:
    names = [word for name in books if name[0] not in "-*" for word in ("-r", name)]
    asked = [*names, *(["--only", "*B*"] if "--only" in books else []), "--format"]
    for form in ("json", "jsonl"):
        direct = program("audit", *asked, form, "--ledger", str(ledger))
        ours = program("lake", "audit", str(lake), "--out", str(tmp_path / "out"), *asked, form)
        assert direct.out
        assert (ours.out, ours.code) == (direct.out, direct.code)


def test_each_hand_is_judged_under_the_book_that_the_house_had(ledger: Path, tmp_path: Path, program: Program) -> None:
    own = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    adopt(own, "hilton")
    for table in ("3", "1"):
        adopt(own, "rrop4", table)
    laid(own, tmp_path / "lake")
    direct = program("audit", "--format", "json", "--ledger", str(own))
    ours = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"), "--format", "json")
    assert {"hilton", "rrop4"} < {book["name"] for book in direct.document["books"]}
    assert (ours.out, ours.code) == (direct.out, direct.code)
    assert [one.name for one in (tmp_path / "out" / "receipts").iterdir()]


def test_findings_of_a_lake_stand_on_the_lines_of_their_source(
    ledger: Path, lake: Path, tmp_path: Path, program: Program
) -> None:
    told = ("--frames", "1000", "-r", "hilton")
    direct = program("audit", *told, "--ledger", str(ledger)).out.splitlines()
    ours = program("lake", "audit", str(lake), "--out", str(tmp_path), *told).out.splitlines()
    frames = [line for line in direct if "-->" in line or " | " in line]
    assert len(frames) > 50
    assert [line for line in ours if "-->" in line or " | " in line] == frames


def shuffled(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
    return map(work, random.Random(7).sample(tasks, len(tasks)))


@pytest.mark.parametrize("hands", [1, 13, 10_000])
def test_the_digest_does_not_hang_on_how_a_lake_is_cut(
    ledger: Path, once: tuple[Path, LakeRun], tmp_path: Path, hands: int
) -> None:
    made = laid(ledger, tmp_path / "lake", hands=hands)
    assert len(made.shards) == {1: sum(one.tables for one in made.shards), 10_000: 1}.get(hands, len(made.shards))
    found = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out", shuffled)
    assert (found.digest, found.findings, found.hands) == (once[1].digest, once[1].findings, once[1].hands)


def test_a_session_never_spans_shards(ledger: Path, tmp_path: Path) -> None:
    made = laid(ledger, tmp_path, hands=13)
    places = [{row[:3] for row in layout.read_rows(tmp_path / one.name)} for one in made.shards]
    assert sum(map(len, places)) == len(set().union(*places)) == sum(one.tables for one in made.shards)


def test_processes_find_the_same_and_one_that_is_killed_changes_nothing(
    lake: Path, once: tuple[Path, LakeRun], tmp_path: Path
) -> None:
    flag = str(tmp_path / "flag")

    def mapper(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        assert isinstance(work, partial)
        return make_process_mapper(2)(partial(killed_once, out=work.keywords["out"], flag=flag), tasks)

    found = audit_lake(lake, HILTON, tmp_path / "out", mapper)
    assert Path(flag).exists()
    assert found == once[1]


def test_processes_that_end_each_time_are_an_error_and_not_a_standstill(lake: Path, tmp_path: Path) -> None:
    def mapper(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        assert isinstance(work, partial)
        return make_process_mapper(2)(partial(always_killed, out=work.keywords["out"]), tasks)

    with pytest.raises(StoreError, match="ended before they were done"):
        audit_lake(lake, HILTON, tmp_path / "out", mapper)


def test_what_is_judged_is_not_judged_again_and_a_part_goes_on(
    lake: Path, once: tuple[Path, LakeRun], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(once[0], out)
    judged: list[str] = []

    def noted(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        judged.extend(task.name for task in tasks)
        return map_in_turn(work, tasks)

    assert audit_lake(lake, HILTON, out, noted) == once[1]
    assert judged == []
    for receipt in once[1].receipts[::2]:
        (out / "receipts" / f"{receipt.key}.json").unlink()
    shard_judge.list_job_files(out, once[1].receipts[1])[2].write_bytes(b"cut off")
    assert audit_lake(lake, HILTON, out, noted) == once[1]
    assert sorted(judged) == sorted({one.shard for one in once[1].receipts[::2]} | {once[1].receipts[1].shard})


def test_a_receipt_is_small_and_there_is_no_draft_beside_it(once: tuple[Path, LakeRun]) -> None:
    for file in (once[0] / "receipts").iterdir():
        assert file.stat().st_size <= 250
    most = shard_judge.Receipt(
        "99999", "f" * 32, 999_999, 99_999_999, 9_999_999, "f" * 64, [9_999_999, *[999_999_999] * 4]
    )
    assert len(shard_judge.encode_json(most)) <= 250
    assert not [file for file in once[0].rglob("*") if "draft" in file.name]


@pytest.mark.parametrize("how", ["another byte", "cut off", "gone"])
def test_a_damaged_shard_is_named_and_the_others_are_judged(
    lake: Path, once: tuple[Path, LakeRun], tmp_path: Path, program: Program, how: str
) -> None:
    own = tmp_path / "lake"
    shutil.copytree(lake, own)
    shard = own / "shards" / "00002.parquet"
    data = shard.read_bytes()
    shard.unlink()
    if how != "gone":
        changed = data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
        shard.write_bytes(changed if how == "another byte" else data[:-100])
    asked = ("lake", "audit", str(own), "--out", str(tmp_path / "out"), "-r", "hilton", "--format", "json")
    found = program(*asked)
    assert found.code == 4
    assert "shard 00002 was not judged" in found.err
    assert "00001" not in found.err
    asking = program("lake", "log", str(tmp_path / "out"), "--count")
    assert "not in this answer: shard 00002\n" in asking.err
    left = sum(one.hands for one in once[1].receipts if one.shard != "00002")
    assert asking.out == f"{left} hands\n"
    assert found.document["summary"]["hands"] == left
    shard.write_bytes(data)
    assert program(*asked).code == 1
    assert json.loads((tmp_path / "out" / "run.json").read_text())["digest"] == once[1].digest


def test_only_what_changed_is_written_and_judged_again(ledger: Path, tmp_path: Path) -> None:
    own = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    first = laid(own, tmp_path / "lake")
    before = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out")
    assert laid(own, tmp_path / "lake") == first
    grown(own, "T1", tmp_path)
    second = laid(own, tmp_path / "lake")
    changed = [a.name for a, b in zip(first.shards, second.shards, strict=True) if a != b]
    assert len(changed) == 1
    after = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out")
    assert len({one.key for one in after.receipts} - {one.key for one in before.receipts}) == 1
    assert after.hands == before.hands + 2
    assert audit_lake(tmp_path / "lake", HILTON, tmp_path / "anew").digest == after.digest


def test_a_query_takes_whole_tables(ledger: Path, tmp_path: Path, program: Program) -> None:
    made = laid(ledger, tmp_path / "lake", "hand:77 or table:3 venue:Evening or hand:4 table:T1")
    found = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out")
    counted = program("log", "--count", "--where", "table:3 venue:Evening or table:T1", "--ledger", str(ledger))
    assert counted.out.split()[0] == str(found.hands)
    assert sum(one.tables for one in made.shards) == found.sessions == 2


def test_a_lake_tells_no_name_of_a_person_without_its_sources(ledger: Path, tmp_path: Path, program: Program) -> None:
    asked = ("shard", "-o", str(tmp_path / "lake"), "--no-sources", "--ledger", str(ledger), "--format", "json")
    told = program(*asked)
    assert told.document["hands"] > 100
    data = b"".join(
        row[-1]
        for one in layout.read_manifest(tmp_path / "lake").shards
        for row in layout.read_rows(tmp_path / "lake" / one.name)
    )
    assert b"HandOpened" in data
    assert b"Ann" not in data
    again = program(*asked)
    assert again.document["written"] == 0


def test_a_worker_of_another_version_judges_nothing(lake: Path, once: tuple[Path, LakeRun], tmp_path: Path) -> None:
    def elsewhere(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("projections.tables.code.code_digest", lambda: "other")
            return list(map(work, tasks))

    found = audit_lake(lake, HILTON, tmp_path / "out", elsewhere)
    assert not found.receipts
    assert {one.code for one in found.troubles} == {"usage"}
    assert "another version" in found.troubles[0].trouble
    assert audit_lake(lake, HILTON, tmp_path / "out") == once[1]


def test_a_lake_of_the_ledger_as_it_stood_is_judged_as_that(ledger: Path, tmp_path: Path, program: Program) -> None:
    own = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    grown(own, "Later", tmp_path)
    grown(own, "T1", tmp_path)
    with opened(ledger) as before:
        position = str(before.head()[0])
    assert program("shard", "-o", str(tmp_path / "lake"), "--as-of", position, "--ledger", str(own)).code == 0
    asked = ("-r", "hilton", "--format", "json")
    direct = program("audit", *asked, "--as-of", position, "--ledger", str(own))
    ours = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"), *asked)
    assert (ours.out, ours.code) == (direct.out, direct.code)
    assert program("verify", str(tmp_path / "lake")).code == 0


def test_a_book_that_is_not_this_programs_is_no_damage(ledger: Path, tmp_path: Path, program: Program) -> None:
    own = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    adopt(own, "hilton")
    with open_ledger(own) as opened_:
        gone = RulebookAdopted("none", edition="1", digest="", table="3")
        opened_.append("house", HOUSE, [gone], recorded=Provenance(1, by="test"))
    laid(own, tmp_path / "lake")
    found = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"))
    assert found.code == 2
    assert "and the file is missing here" in found.err


OURS = """[rulebook]
title = "Lantern"
edition = "{edition}"
source = "House rules"
extends = "{base}"
{more}
"""


def own_books(folder: Path, ledger: Path, program: Program) -> None:
    """Let the house adopt a book over another of its own, later another edition; their files go."""
    base, file = folder / "all-rooms.toml", folder / "ours.toml"
    base.write_text(OURS.format(edition="1", base="hilton@undated-r2", more='[B8a.1]\nseverity = "info"'))
    for edition, since in (("1", "2020-01-01"), ("2", "2026-11-20T23:00Z")):
        file.write_text(OURS.format(edition=edition, base="all-rooms.toml", more=""))
        rulebook.load.cache_clear()
        assert program("rules", "adopt", str(file), "--since", since, "--ledger", str(ledger)).code == 0
    base.unlink()
    file.unlink()


def test_a_lake_holds_the_rulebooks_of_the_houses_own(ledger: Path, tmp_path: Path, program: Program) -> None:
    own, lake = Path(shutil.copy(ledger, tmp_path / "own.ledger")), tmp_path / "lake"
    own_books(tmp_path, own, program)
    laid(own, lake, "table:T3")
    for at, asked in enumerate(((), ("-r", "ours"), ("-r", "ours@1"))):
        direct = program("audit", *asked, "--table", "T3", "--format", "json", "--ledger", str(own))
        ours = program("lake", "audit", str(lake), "--out", str(tmp_path / f"out{at}"), *asked, "--format", "json")
        assert direct.code == 1, direct.err
        assert (ours.out, ours.code) == (direct.out, direct.code), asked
    assert "ours" in program("lake", "audit", str(lake), "--out", str(tmp_path / "no"), "-r", "our").err
    assert program("verify", str(lake)).code == 0
    rows = [*layout.read_rows(lake / layout.RULEBOOKS_FILE)]
    with whole_files.replacing_file(lake / layout.RULEBOOKS_FILE) as draft:
        sheet = layout.ParquetSheet(draft, layout.RULEBOOK_COLUMNS)
        for digest, base, data in rows:
            sheet.add_row((digest, base, data.replace(b"Lantern", b"Lentern")))
        sheet.close()
    assert program("verify", str(lake)).code == 4
    changed = program("lake", "audit", str(lake), "--out", str(tmp_path / "changed"))
    assert "differs from the one the house adopted" in changed.err
    (lake / layout.RULEBOOKS_FILE).unlink()
    assert "the file is missing here" in program("lake", "audit", str(lake), "--out", str(tmp_path / "gone")).err


@pytest.mark.postgres
def test_a_lake_of_a_ledger_in_postgresql_is_the_same(tmp_path: Path, program: Program) -> None:
    with ExitStack() as ends:
        try:
            url = str(ends.enter_context(server()))
        except NoPostgresError as error:
            pytest.skip(str(error))
        (tmp_path / "night.phhs").write_text(hands(1, 2, 3, 4))
        assert program("import", str(SAMPLES), str(tmp_path / "night.phhs"), "--ledger", url).code == 0
        assert program("shard", "-o", str(tmp_path / "lake"), "--hands", "20", "--ledger", url).code == 0
        asked = ("-r", "hilton", "--format", "json")
        direct = program("audit", *asked, "--ledger", url)
        ours = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"), *asked)
        assert (ours.out, ours.code) == (direct.out, direct.code)
        assert program("verify", str(tmp_path / "lake")).code == 0


def test_shards_that_processes_write_are_the_same(ledger: Path, tmp_path: Path) -> None:
    with opened(ledger) as book:
        alone, made = (
            build_lake(book, tmp_path / str(jobs), day_start="06:00", hands_per_shard=40, jobs=jobs) for jobs in (1, 2)
        )
    assert made == alone
    assert len(made.shards) > 1
    for one in made.shards:
        assert (tmp_path / "1" / one.name).read_bytes() == (tmp_path / "2" / one.name).read_bytes()


def test_who_forgets_a_person_is_told_of_lakes_and_the_next_one_lacks_the_name(
    ledger: Path, tmp_path: Path, program: Program
) -> None:
    own, lake = Path(shutil.copy(ledger, tmp_path / "own.ledger")), tmp_path / "lake"
    with opened(own) as book, book.database.reading() as link:
        people = {name: person for person, _, name in book.people.all_names(link)}

    def in_sources(name: str) -> bool:
        return any(name.encode() in row[-1] for row in layout.read_rows(lake / "sources.parquet", 16))

    for name, more, told in ("Bob", ["--no-sources"], False), ("MoorHen", [], True):
        assert program("shard", "-o", str(lake), *more, "--ledger", str(own)).code == 0
        assert not told or in_sources(name)
        found = program("people", "forget", people[name], "--ledger", str(own))
        assert ("lakes that were written with their sources" in " ".join(found.out.split())) is told
    assert program("shard", "-o", str(lake), "--ledger", str(own)).code == 0
    assert not in_sources("MoorHen")
    assert in_sources("quiet.fox")
    assert program("verify", str(lake)).code == 0
