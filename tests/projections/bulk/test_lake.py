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
from ledger.lake import atomic_files, layout
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
from tests.mentions import mentions
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
    rows = [row for shard in layout.read_manifest(lake).shards for row in layout.read_rows(lake / shard.name)]
    unread_counts = {row[10] for row in rows if row[3] is not None}
    assert {0, 1, 2} <= unread_counts
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
    arguments = [*names, *(["--only", "*B*"] if "--only" in books else []), "--format"]
    for form in ("json", "jsonl"):
        direct = program("audit", *arguments, form, "--ledger", str(ledger))
        result = program("lake", "audit", str(lake), "--out", str(tmp_path / "out"), *arguments, form)
        assert direct.out
        assert (result.out, result.code) == (direct.out, direct.code)


def test_each_hand_is_judged_under_the_book_that_the_house_had(ledger: Path, tmp_path: Path, program: Program) -> None:
    path = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    adopt(path, "hilton")
    for table in ("3", "1"):
        adopt(path, "rrop4", table)
    laid(path, tmp_path / "lake")
    direct = program("audit", "--format", "json", "--ledger", str(path))
    result = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"), "--format", "json")
    assert {"hilton", "rrop4"} < {book["name"] for book in direct.document["books"]}
    assert (result.out, result.code) == (direct.out, direct.code)
    assert [one.name for one in (tmp_path / "out" / "receipts").iterdir()]


def test_findings_of_a_lake_stand_on_the_lines_of_their_source(
    ledger: Path, lake: Path, tmp_path: Path, program: Program
) -> None:
    options = ("--frames", "1000", "-r", "hilton")
    direct = program("audit", *options, "--ledger", str(ledger)).out.splitlines()
    lines = program("lake", "audit", str(lake), "--out", str(tmp_path), *options).out.splitlines()
    frames = [line for line in direct if "-->" in line or " | " in line]
    assert len(frames) > 50
    assert [line for line in lines if "-->" in line or " | " in line] == frames


def shuffled(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
    return map(work, random.Random(7).sample(tasks, len(tasks)))


@pytest.mark.parametrize("hands", [1, 13, 10_000])
def test_the_digest_does_not_hang_on_how_a_lake_is_cut(
    ledger: Path, once: tuple[Path, LakeRun], tmp_path: Path, hands: int
) -> None:
    lake_manifest = laid(ledger, tmp_path / "lake", hands=hands)
    assert len(lake_manifest.shards) == {1: sum(shard.tables for shard in lake_manifest.shards), 10_000: 1}.get(
        hands, len(lake_manifest.shards)
    )
    lake_run = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out", shuffled)
    assert (lake_run.digest, lake_run.findings, lake_run.hands) == (once[1].digest, once[1].findings, once[1].hands)


def test_a_session_never_spans_shards(ledger: Path, tmp_path: Path) -> None:
    lake_manifest = laid(ledger, tmp_path, hands=13)
    places = [{row[:3] for row in layout.read_rows(tmp_path / shard.name)} for shard in lake_manifest.shards]
    assert sum(map(len, places)) == len(set().union(*places)) == sum(shard.tables for shard in lake_manifest.shards)


def test_processes_find_the_same_and_one_that_is_killed_changes_nothing(
    lake: Path, once: tuple[Path, LakeRun], tmp_path: Path
) -> None:
    flag = str(tmp_path / "flag")

    def mapper(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        assert isinstance(work, partial)
        return make_process_mapper(2)(partial(killed_once, out=work.keywords["out"], flag=flag), tasks)

    lake_run = audit_lake(lake, HILTON, tmp_path / "out", mapper)
    assert Path(flag).exists()
    assert lake_run == once[1]


def test_processes_that_end_each_time_are_an_error_and_not_a_standstill(lake: Path, tmp_path: Path) -> None:
    def mapper(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        assert isinstance(work, partial)
        return make_process_mapper(2)(partial(always_killed, out=work.keywords["out"]), tasks)

    with pytest.raises(StoreError, match="stopped before they finished"):
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
    receipt = shard_judge.Receipt(
        "99999", "f" * 32, 999_999, 99_999_999, 9_999_999, "f" * 64, [9_999_999, *[999_999_999] * 4]
    )
    assert len(shard_judge.encode_json(receipt)) <= 250
    assert not [file for file in once[0].rglob("*") if "draft" in file.name]


@pytest.mark.parametrize("damage", ["another byte", "cut off", "gone"])
def test_a_damaged_shard_is_named_and_the_others_are_judged(
    lake: Path, once: tuple[Path, LakeRun], tmp_path: Path, program: Program, damage: str
) -> None:
    own_lake = tmp_path / "lake"
    shutil.copytree(lake, own_lake)
    shard = own_lake / "shards" / "00002.parquet"
    data = shard.read_bytes()
    shard.unlink()
    if damage != "gone":
        changed = data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
        shard.write_bytes(changed if damage == "another byte" else data[:-100])
    arguments = ("lake", "audit", str(own_lake), "--out", str(tmp_path / "out"), "-r", "hilton", "--format", "json")
    result = program(*arguments)
    assert result.code == 4
    assert "shard 00002 was not judged" in result.err
    assert "00001" not in result.err
    asking = program("lake", "log", str(tmp_path / "out"), "--count")
    assert "not in this answer: shard 00002\n" in asking.err
    hands_left = sum(receipt.hands for receipt in once[1].receipts if receipt.shard != "00002")
    assert asking.out == f"{hands_left} hands\n"
    assert result.document["summary"]["hands"] == hands_left
    shard.write_bytes(data)
    assert program(*arguments).code == 1
    assert json.loads((tmp_path / "out" / "run.json").read_text())["digest"] == once[1].digest


def test_only_what_changed_is_written_and_judged_again(ledger: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    first = laid(path, tmp_path / "lake")
    lake_run = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out")
    assert laid(path, tmp_path / "lake") == first
    grown(path, "T1", tmp_path)
    second = laid(path, tmp_path / "lake")
    changed = [a.name for a, b in zip(first.shards, second.shards, strict=True) if a != b]
    assert len(changed) == 1
    result_after = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out")
    assert len({receipt.key for receipt in result_after.receipts} - {receipt.key for receipt in lake_run.receipts}) == 1
    assert result_after.hands == lake_run.hands + 2
    assert audit_lake(tmp_path / "lake", HILTON, tmp_path / "anew").digest == result_after.digest


def test_a_query_takes_whole_tables(ledger: Path, tmp_path: Path, program: Program) -> None:
    lake_manifest = laid(ledger, tmp_path / "lake", "hand:77 or table:3 venue:Evening or hand:4 table:T1")
    lake_run = audit_lake(tmp_path / "lake", HILTON, tmp_path / "out")
    counted = program("log", "--count", "--where", "table:3 venue:Evening or table:T1", "--ledger", str(ledger))
    assert counted.out.split()[0] == str(lake_run.hands)
    assert sum(shard.tables for shard in lake_manifest.shards) == lake_run.sessions == 2


def test_a_lake_tells_no_name_of_a_person_without_its_sources(ledger: Path, tmp_path: Path, program: Program) -> None:
    arguments = ("shard", "-o", str(tmp_path / "lake"), "--no-sources", "--ledger", str(ledger), "--format", "json")
    result = program(*arguments)
    assert result.document["hands"] > 100
    data = b"".join(
        row[-1]
        for shard in layout.read_manifest(tmp_path / "lake").shards
        for row in layout.read_rows(tmp_path / "lake" / shard.name)
    )
    assert b"HandOpened" in data
    assert not mentions(data.decode(), "Ann")
    second_output = program(*arguments)
    assert second_output.document["written"] == 0


def test_a_worker_of_another_version_judges_nothing(lake: Path, once: tuple[Path, LakeRun], tmp_path: Path) -> None:
    def elsewhere(work: Job, tasks: Sequence[shard_judge.Task]) -> Iterable[bytes]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("projections.tables.code.code_digest", lambda: "other")
            return list(map(work, tasks))

    lake_run = audit_lake(lake, HILTON, tmp_path / "out", elsewhere)
    assert not lake_run.receipts
    assert {trouble.code for trouble in lake_run.troubles} == {"usage"}
    assert "another version" in lake_run.troubles[0].trouble
    assert audit_lake(lake, HILTON, tmp_path / "out") == once[1]


def test_a_lake_of_the_ledger_as_it_stood_is_judged_as_that(ledger: Path, tmp_path: Path, program: Program) -> None:
    path = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    grown(path, "Later", tmp_path)
    grown(path, "T1", tmp_path)
    with opened(ledger) as earlier_ledger:
        position = str(earlier_ledger.head()[0])
    assert program("shard", "-o", str(tmp_path / "lake"), "--as-of", position, "--ledger", str(path)).code == 0
    arguments = ("-r", "hilton", "--format", "json")
    direct = program("audit", *arguments, "--as-of", position, "--ledger", str(path))
    result = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"), *arguments)
    assert (result.out, result.code) == (direct.out, direct.code)
    assert program("verify", str(tmp_path / "lake")).code == 0


def test_a_book_that_is_not_this_programs_is_no_damage(ledger: Path, tmp_path: Path, program: Program) -> None:
    path = Path(shutil.copy(ledger, tmp_path / "own.ledger"))
    adopt(path, "hilton")
    with open_ledger(path) as opened_:
        unknown_adoption = RulebookAdopted("none", edition="1", digest="", table="3")
        opened_.append("house", HOUSE, [unknown_adoption], recorded=Provenance(1, writer="test"))
    laid(path, tmp_path / "lake")
    result = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"))
    assert result.code == 2
    assert "and the file is missing here" in result.err


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
    for edition, adopted_on in (("1", "2020-01-01"), ("2", "2026-11-20T23:00Z")):
        file.write_text(OURS.format(edition=edition, base="all-rooms.toml", more=""))
        rulebook.load.cache_clear()
        assert program("rules", "adopt", str(file), "--since", adopted_on, "--ledger", str(ledger)).code == 0
    base.unlink()
    file.unlink()


def test_a_lake_holds_the_rulebooks_of_the_houses_own(ledger: Path, tmp_path: Path, program: Program) -> None:
    path, lake = Path(shutil.copy(ledger, tmp_path / "own.ledger")), tmp_path / "lake"
    own_books(tmp_path, path, program)
    laid(path, lake, "table:T3")
    for index, arguments in enumerate(((), ("-r", "ours"), ("-r", "ours@1"))):
        direct = program("audit", *arguments, "--table", "T3", "--format", "json", "--ledger", str(path))
        result = program(
            "lake", "audit", str(lake), "--out", str(tmp_path / f"out{index}"), *arguments, "--format", "json"
        )
        assert direct.code == 1, direct.err
        assert (result.out, result.code) == (direct.out, direct.code), arguments
    assert "ours" in program("lake", "audit", str(lake), "--out", str(tmp_path / "no"), "-r", "our").err
    assert program("verify", str(lake)).code == 0
    rows = [*layout.read_rows(lake / layout.RULEBOOKS_FILE)]
    with atomic_files.open_replacement(lake / layout.RULEBOOKS_FILE) as draft:
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
        arguments = ("-r", "hilton", "--format", "json")
        direct = program("audit", *arguments, "--ledger", url)
        result = program("lake", "audit", str(tmp_path / "lake"), "--out", str(tmp_path / "out"), *arguments)
        assert (result.out, result.code) == (direct.out, direct.code)
        assert program("verify", str(tmp_path / "lake")).code == 0


def test_shards_that_processes_write_are_the_same(ledger: Path, tmp_path: Path) -> None:
    with opened(ledger) as book:
        alone, manifests = (
            build_lake(book, tmp_path / str(jobs), day_start="06:00", hands_per_shard=40, jobs=jobs) for jobs in (1, 2)
        )
    assert manifests == alone
    assert len(manifests.shards) > 1
    for shard in manifests.shards:
        assert (tmp_path / "1" / shard.name).read_bytes() == (tmp_path / "2" / shard.name).read_bytes()


def test_who_forgets_a_person_is_told_of_lakes_and_the_next_one_lacks_the_name(
    ledger: Path, tmp_path: Path, program: Program
) -> None:
    path, lake = Path(shutil.copy(ledger, tmp_path / "own.ledger")), tmp_path / "lake"
    with opened(path) as book, book.database.reading() as link:
        people = {name: person for person, _, name in book.people.all_names(link)}

    def in_sources(name: str) -> bool:
        return any(name.encode() in row[-1] for row in layout.read_rows(lake / "sources.parquet", 16))

    for name, options, is_told in ("Bob", ["--no-sources"], False), ("MoorHen", [], True):
        assert program("shard", "-o", str(lake), *options, "--ledger", str(path)).code == 0
        assert not is_told or in_sources(name)
        result = program("people", "forget", people[name], "--ledger", str(path))
        assert ("lakes that were written with their sources" in " ".join(result.out.split())) is is_told
    assert program("shard", "-o", str(lake), "--ledger", str(path)).code == 0
    assert not in_sources("MoorHen")
    assert in_sources("quiet.fox")
    assert program("verify", str(lake)).code == 0
