"""Files that go straight into shards are judged as those of a ledger into which they were imported."""

from __future__ import annotations

import gzip
import os
import re
import zipfile
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.lake.sources import LakeSources
from ledger.streams import find_shard
from tests.cli.conftest import SAMPLES
from tests.cli.conftest import Run as Program
from tests.cli.conftest import run as program
from tests.conftest import scale_examples
from tests.evenings.script import script
from tests.intake.hands import hands
from tests.intake.test_accounts import HEADER, correction, hand
from tests.intake.test_games import GAME, log
from tests.laws import size
from tests.projections.bulk.straight import check_same, import_both_ways
from tests.projections.test_doubts import wrong_evenings

__all__ = ["program"]

FORMATS = Path(__file__).parents[2] / "formats"
RAISE = 10
"""Which event of `hand` is the raise."""


def write_files(folder: Path, **texts: str) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{name.replace('_', '.')}" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    return paths


def table(name: str, *told: str) -> str:
    """What follows is of another table."""
    return "\n" + HEADER.replace("table T5", f"table {name}").replace("handscript 1\n", "") + "".join(told)


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_packaged_samples(tmp_path: Path, jobs: int) -> None:
    rooms = [path for path in sorted(FORMATS.glob("*/samples")) if jobs > 1 or path.parent.name[0] in "ghp"]
    both_ways = import_both_ways(tmp_path, [SAMPLES, *rooms[:: size(3, 1)]], hands=10, jobs=jobs)
    check_same(both_ways)
    assert len(both_ways.made.manifest.shards) > 5


def test_one_table_in_two_files_the_same_hand_in_two_and_another_account_of_it(tmp_path: Path) -> None:
    files = write_files(
        tmp_path,
        a_phhs=hands(1, 2, 3) + hands(4, table="T2").replace("[1]", "[9]"),
        b_phhs=hands(3, 4, 5),
        c_phhs=hands(2, raised=9) + "\n[7]\nvariant = 1\n",
        d_hand=HEADER + hand(1) + hand(2) + table("T6", hand(1)) + hand(2, raised=20),
        e_hand=HEADER + hand(2, raised=30) + hand(3) + "\n2 away\n" + table("T6", "\n3 away\n", hand(2, raised=20)),
    )
    both_ways = import_both_ways(tmp_path, files)
    check_same(both_ways)
    total = both_ways.imported.total
    assert total.second
    assert total.same
    assert total.rejected


def test_corrections_in_a_later_file_and_one_that_waits_for_its_hand(tmp_path: Path) -> None:
    mend, none = correction(1, RAISE, "1 raises to 16"), correction(9, RAISE, "1 raises to 16")
    files = write_files(
        tmp_path,
        a_hand=HEADER + none + correction(2, RAISE, "1 raises to 17"),
        b_hand=HEADER + hand(1) + hand(2) + table("T6", hand(1)) + mend + table("T7", hand(1)),
        c_hand=HEADER + correction(2, RAISE, "1 raises to 17"),
        d_hand=HEADER + none + correction(2, RAISE, "1 raises to 17"),
    )
    both_ways = import_both_ways(tmp_path, files)
    check_same(both_ways)
    assert both_ways.imported.total.corrected > 1
    assert both_ways.imported.total.rejected > 2


def test_one_source_told_anew_and_the_same_bytes_twice(tmp_path: Path) -> None:
    header = HEADER + 'source "Notebook"\n'
    files = write_files(
        tmp_path,
        a_hand=header + hand(1) + "\n2 away\n" + hand(2) + table("T6", hand(1)),
        b_hand=header + hand(1, raised=20) + hand(2) + table("T6", hand(1, raised=25)) + correction(9, 9, "2 folds"),
        c_hand=header + hand(1, raised=25) + hand(2),
        d_hand=header + hand(1) + "\n2 away\n" + hand(2) + table("T6", hand(1)),
        e_hand=header + hand(1, raised=25) + hand(2),
    )
    both_ways = import_both_ways(tmp_path, [*files, files[2], files[3]])
    check_same(both_ways)
    assert both_ways.imported.total.superseded
    assert {file.outcome for file in both_ways.imported.files} == {"read", "known"}


def test_numbers_begin_anew_each_night(tmp_path: Path) -> None:
    nights = [
        HEADER
        + "".join(hand(number, began=f"2026-01-0{night}T20:0{number}:00Z", stacks=100 * night) for number in (1, 2, 3))
        + "\n2 away\n"
        + table("T6", *(hand(number, stacks=100 * night) + "\n3 away\n" for number in (1, 2)))
        for night in (1, 2, 3)
    ]
    check_same(
        import_both_ways(
            tmp_path, write_files(tmp_path, **{f"night{index}_hand": text for index, text in enumerate(nights)})
        )
    )


@pytest.mark.slow
def test_spans_that_nobody_read_beside_hands_of_other_shards(tmp_path: Path) -> None:
    online = (SAMPLES / "evening-online.txt").read_text()
    parts = online.split("\n\n\n")
    mixed = [re.sub("Table '", f"Table '{index % 3} ", part) for index, part in enumerate(parts * 3)]
    mixed[4] = "PokerStars Hand #1: somebody sings"
    mixed[7] = mixed[7].replace("*** FLOP ***", "somebody sings\n*** FLOP ***")
    files = write_files(tmp_path, a_txt="\n\n\n".join(mixed), b_txt="\n\n\n".join(mixed[2:6]), c_txt=online)
    both_ways = import_both_ways(tmp_path, files, hands=1)
    check_same(both_ways)
    assert both_ways.imported.total.rejected
    assert len(both_ways.made.manifest.shards) > 1


def test_a_game_under_another_file_name_is_one_table(tmp_path: Path) -> None:
    (tmp_path / GAME).write_text(log(hands=3))
    (tmp_path / "poker_now_log_pglOther.csv").write_text(log(hands=3, other_viewer=True))
    (tmp_path / "renamed.csv").write_text(log())
    both_ways = import_both_ways(
        tmp_path, [tmp_path / GAME, tmp_path / "poker_now_log_pglOther.csv", tmp_path / "renamed.csv"]
    )
    check_same(both_ways)
    assert both_ways.judged[1].sessions == 2
    assert len({find_shard("PokerNow", "", name, 1000) for name in ("a", "b", "c")}) == 1


def test_archives_empty_files_and_what_is_no_text(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.phhs", hands(1, 2))
        archive.writestr("inner.gz", gzip.compress(hands(2, 3, table="T2").encode(), mtime=0))
    (tmp_path / "b.gz").write_bytes(gzip.compress(hands(1, 2).encode(), mtime=0))
    (tmp_path / "c.gz").write_bytes(gzip.compress(hands(7).encode(), mtime=0)[:-9])
    (tmp_path / "d.phhs").touch()
    (tmp_path / "e.bin").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "f.txt").write_text("nothing that anybody reads\n")
    both_ways = import_both_ways(tmp_path, sorted(tmp_path.glob("?.*")))
    check_same(both_ways)
    assert {file.outcome for file in both_ways.imported.files} == {"read", "known", "failed", "empty", "rejected"}


def test_a_name_that_is_no_text_and_what_is_in_the_file(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.phhs"))
    path.write_text(hands(1, 2) + "\n[7]\nvariant = 1\n")
    both_ways = import_both_ways(tmp_path, [path])
    check_same(both_ways)
    assert LakeSources(tmp_path / "straight").sha256 == LakeSources(tmp_path / "lake").sha256


@pytest.mark.parametrize(
    "questions",
    [
        ["log", "--by", "table,day", "--format", "json"],
        ["log", "--where", "clause:hilton.* pot>=10", "--count"],
        ["log", "--where", "position:BTN", "--sort", "-pot", "--fields", "hand,pot", "--format", "jsonl"],
        ["log", "--by", "table", "--where", "clause:hilton.*", "--format", "json"],
        ["results", "--by", "player", "--format", "json"],
        ["results", "--where", "position:BB", "--by", "table", "--format", "json"],
    ],
    ids=" ".join,
)
def test_what_is_asked_of_several_logs_is_what_is_asked_of_one(
    asked_of: tuple[Path, Path], program: Program, questions: list[str]
) -> None:
    single, several = ([*questions[:1], str(out), *questions[1:]] for out in asked_of)
    direct, result = program("lake", *single), program("lake", *several)
    assert direct.out
    assert direct.code == result.code == 0
    assert rows(result.out) == rows(direct.out)


def rows(text: str) -> list[str]:
    """The innermost objects of a document, else its lines, in any order."""
    return sorted(re.findall(r"\{[^{}]*\}", text) or text.splitlines())


@pytest.fixture(scope="module")
def asked_of(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The findings of the same hands in a lake of one log, and in one of several."""
    folder = tmp_path_factory.mktemp("asked")
    evenings = [
        re.sub(r"\btable 1\b", f"table {index}", script(drawn_evening))
        for index, (_, drawn_evening) in enumerate(wrong_evenings()[::20])
    ]
    both_ways = import_both_ways(
        folder, write_files(folder, **{f"{index}_hand": text for index, text in enumerate(evenings)}), hands=2
    )
    check_same(both_ways)
    assert len(both_ways.made.manifest.shards) > 2
    return folder / "out", folder / "out-straight"


@pytest.mark.slow
@settings(max_examples=scale_examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_evenings_at_several_tables_told_by_several_files(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("evenings")
    chosen = data.draw(st.lists(st.sampled_from(wrong_evenings()), min_size=2, max_size=4))
    files = []
    for index, (_, evening) in enumerate(chosen):
        name = data.draw(st.sampled_from(["1", "2", "3"]))
        text = re.sub(r"\btable 1\b", f"table {name}", script(evening))
        cut = data.draw(st.integers(1, 12))
        starts = [match.start() for match in re.finditer(r"(?m)^hand ", text)]
        header, starts_behind = text[: starts[0]], starts[min(cut, len(starts) - 1)]
        overlap = starts[max(0, min(cut, len(starts) - 1) - data.draw(st.integers(0, 2)))]
        files += write_files(
            folder, **{f"{index}a_hand": text[:starts_behind], f"{index}b_hand": header + text[overlap:]}
        )
    check_same(
        import_both_ways(folder, data.draw(st.permutations(files)), hands=data.draw(st.sampled_from([1, 5, 1000])))
    )


RecordPart: TypeAlias = "tuple[str, str, int, int]"
TELLING: st.SearchStrategy[list[RecordPart]] = st.lists(
    st.tuples(
        st.sampled_from(["hand", "hand", "hand", "away", "junk", "mend"]),
        st.sampled_from(["T5", "T6", "T7"]),
        st.integers(1, 3),
        st.sampled_from([15, 20, 25]),
    ),
    min_size=1,
    max_size=8,
)


LAST: Final[list[RecordPart]] = [("hand", "T5", 1, 15)]


def text_of(name: str, record_parts: list[RecordPart]) -> str:
    """A file that tells this, of a source that calls itself so, if it does."""
    lines = [HEADER, f'source "{name}"\n' if name else ""]
    for kind, place, number, raised in record_parts:
        body = {
            "hand": hand(number, raised=raised),
            "away": f"\n{number} away\n",
            "junk": hand(number).replace("2 folds", "2 sings"),
            "mend": correction(number, RAISE, f"1 raises to {raised + 1}"),
        }[kind]
        lines.append(table(place, body))
    return "".join(lines)


@pytest.mark.slow
@settings(max_examples=scale_examples(24), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files_of_parts=st.lists(st.tuples(st.sampled_from(["", "", "A"]), TELLING), min_size=1, max_size=4),
    twice=st.booleans(),
)
def test_files_that_tell_anything_of_three_tables(
    tmp_path_factory: pytest.TempPathFactory, files_of_parts: list[tuple[str, list[RecordPart]]], twice: bool
) -> None:
    folder = tmp_path_factory.mktemp("any")
    files = write_files(
        folder,
        **{f"{index}_hand": text_of(*record_parts) for index, record_parts in enumerate([*files_of_parts, ("", LAST)])},
    )
    check_same(import_both_ways(folder, [*files, *files[:1]] if twice else files, hands=1))
