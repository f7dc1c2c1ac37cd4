"""`handledger log`: only the hands of some days, and of one player."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.projections.test_table_context import HEAD


def hand(number: int | str, time: str, names: tuple[str, str]) -> str:
    seats = "\n".join(f'seat {seat} "{name}" 1000' for seat, name in enumerate(names, 1))
    return f"hand {number} {time}\n{seats}\nbutton 1\n1 posts small 5\n2 posts big 10\n1 folds\nend\n"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("log")
    hands = [
        hand(1, "2026-01-01T23:59:59Z", ("Anna", "Bob")),
        hand(2, "2026-01-02T00:00:00Z", ("Cleo", "Bob")),
        hand(3, "2026-01-02T23:59:59Z", ("Cleo", "Anna")),
        hand(4, "2026-01-03T00:00:00Z", ("anna78", "Bob")),
    ]
    (folder / "x.hand").write_text(f'handscript 1\nvenue "Room"  table T1\n{HEAD}{"".join(hands)}')
    with open_ledger(folder / "l") as ledger:
        summary = import_paths(ledger, [folder / "x.hand"])
        assert summary.total.new == 4, [file.rejects for file in summary.files]
    return str(folder / "l")


def numbers(run: Run, url: str, *more: str) -> list[str]:
    result = run("log", "--ledger", url, "--format", "json", *more)
    assert result.code == 0, result.err
    document: Any = result.document
    return [hand["number"] for hand in document["hands"]]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (["--since", "2026-01-02"], "234"),
        (["--until", "2026-01-02"], "123"),
        (["--since", "2026-01-02", "--until", "2026-01-02"], "23"),
        (["--since", "2026-01-02T00:00:01"], "34"),
        (["--until", "2026-01-02T23:59:59Z"], "12"),
        (["--since", "2026-01-03T01:00:00+01:00"], "4"),
        (["--since", "2026-01-02", "-n", "1"], "2"),
        (["--since", "2026-01-02", "--table", "T1", "--source", "x.hand"], "234"),
        (["--player", "Anna"], "13"),
        (["--player", "Room/Bob"], "124"),
        (["--player", "Cleo", "--until", "2026-01-02T12:00"], "2"),
        (["--player", "Anna", "-n", "1"], "1"),
    ],
)
def test_only_the_hands_that_fit_are_listed(run: Run, night: str, told: list[str], expected: str) -> None:
    assert numbers(run, night, *told) == list(expected)


def test_who_was_said_to_be_the_same_person_is_listed_under_every_name(run: Run, night: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(Path(night).read_bytes())
    assert run("people", "merge", "Anna", "anna78", "--why", "one passport", "--ledger", str(copy)).code == 0
    for name in ("Anna", "anna78"):
        assert numbers(run, str(copy), "--player", name) == ["1", "3", "4"]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (["--since", "yesterday"], "--since: I can't read 'yesterday' as a date or time"),
        (["--until", "2026-02-30"], "--until: I can't read '2026-02-30' as a date or time"),
        (["--since", "2026-01-04"], "no hands match"),
        (["--player", "Dora"], "nobody is called 'Dora'"),
        (["--until", "9999-12-31", "--since", "9999-12-31"], "no hands match"),
    ],
)
def test_what_fits_nothing_or_means_nothing_is_said(run: Run, night: str, told: list[str], message: str) -> None:
    result = run("log", "--ledger", night, *told)
    assert result.code == 2
    assert message in result.err


def test_the_text_tells_when_the_listed_hands_began(run: Run, night: str) -> None:
    (line,) = run("log", "--since", "2026-01-03", "--ledger", night).out.splitlines()
    local_time = datetime(2026, 1, 3, tzinfo=UTC).strftime("%Y-%m-%d %H:%M")
    assert line.startswith(f"T1/4  {local_time} UTC  ")


# the room's own clock


def played(folder: Path, *files: tuple[str, list[str]]) -> str:
    """A ledger of files of hands at tables: `T1` and the hands' lines."""
    with open_ledger(folder / "l") as ledger:
        for index, (table, hands) in enumerate(files):
            path = folder / f"{index}.hand"
            path.write_text(f'handscript 1\nvenue "Room"  table {table}\n{HEAD}{"".join(hands)}')
            assert import_paths(ledger, [path]).exit_code == 0
    return str(folder / "l")


NAMES = ("Anna", "Bob")
EVENING = [
    hand(1, "2026-11-20T20:06:19-05:00", NAMES),
    hand(2, "2026-11-21T01:30:00-05:00", NAMES),
    hand(3, "2026-11-21T20:00:00-05:00", NAMES),
]


def test_times_are_those_of_the_room_and_say_their_zone(run: Run, tmp_path: Path) -> None:
    url = played(tmp_path, ("T1", EVENING))
    first = run("log", "--ledger", url).out.splitlines()[0]
    assert first.startswith("T1/1  2026-11-20 20:06 -05:00  ")
    hand = run("log", "--ledger", url, "--format", "json").document["hands"][0]
    assert (hand["local"], hand["zone"]) == ("2026-11-20T20:06:19", "-05:00")
    assert hand["started"] == 1795223179000
    assert "2026-11-20 20:06 -05:00" in run("show", "1", "--ledger", url).out.splitlines()[0]
    assert "2026-11-20 20:06 -05:00" in run("show", "1@1", "--ledger", url).out.splitlines()[0]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (["--since", "2026-11-20", "--until", "2026-11-20"], "12"),
        (["--since", "2026-11-21"], "3"),
        (["--until", "2026-11-20", "--day-begins", "00:00"], "1"),
        (["--since", "2026-11-21", "--day-begins", "1:31"], "3"),
        (["--since", "2026-11-21T01:30"], "23"),
        (["--until", "2026-11-21T01:30"], "1"),
        (["--since", "2026-11-21T06:30Z"], "23"),
        (["--since", "2026-11-21T06:30:01Z"], "3"),
        (["--reverse"], "321"),
        (["--reverse", "-n", "1"], "3"),
        (["-n", "1"], "1"),
        (["--reverse", "--since", "2026-11-20", "--until", "2026-11-20"], "21"),
    ],
)
def test_a_day_is_the_gaming_day_of_the_room(run: Run, tmp_path: Path, told: list[str], expected: str) -> None:
    assert numbers(run, played(tmp_path, ("T1", EVENING)), *told) == list(expected)


def test_a_day_that_begins_at_no_time_is_refused(run: Run, tmp_path: Path) -> None:
    url = played(tmp_path, ("T1", EVENING))
    for odd in ("24:00", "six", "6", "06:60", "-1:00"):
        result = run("log", "--ledger", url, f"--day-begins={odd}")
        assert (result.code, "isn't a time of day" in result.err) == (2, True), odd


def test_the_sample_evening_is_found_under_its_own_date(run: Run, tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "cli/samples/riverside-nl-evening.hand"
    url = str(tmp_path / "l")
    assert run("import", str(sample), "--ledger", url).code == 0
    every = numbers(run, url)
    assert numbers(run, url, "--since", "2026-11-20", "--until", "2026-11-20") == every
    assert run("log", "--ledger", url, "--since", "2026-11-21").code == 2


def test_a_source_without_a_zone_shows_its_own_clock_marked(run: Run, tmp_path: Path) -> None:
    sample = Path(__file__).parents[1] / "formats/everleaf/samples/french.txt"
    url = str(tmp_path / "l")
    run("import", str(sample), "--ledger", url)
    lines = run("log", "--ledger", url).out.splitlines()
    assert all(" 2010-04-19 " in line and " (no zone) " in line for line in lines)
    hand = run("log", "--ledger", url, "--format", "json").document["hands"][0]
    assert (hand["started"], hand["zone"], hand["local"][:10]) == (None, "", "2010-04-19")
    assert numbers(run, url, "--since", "2010-04-19", "--until", "2010-04-19") == numbers(run, url)
    assert run("log", "--ledger", url, "--since", "2010-04-20").code == 2


def test_a_hand_that_tells_no_time_says_so(run: Run, tmp_path: Path) -> None:
    url = played(tmp_path, ("T1", [hand(1, "", NAMES)]))
    assert run("log", "--ledger", url).out.startswith("T1/1  no time  ")


# order


def test_hands_are_listed_as_they_were_played_whatever_came_first(run: Run, tmp_path: Path) -> None:
    later = [hand(5, "2026-11-20T23:00:00-05:00", NAMES), hand(6, "2026-11-20T23:05:00-05:00", NAMES)]
    earlier = [hand(n, f"2026-11-20T22:{n}:00-05:00", NAMES) for n in (11, 12)]
    url = played(tmp_path, ("T1", later), ("T2", EVENING[:1]), ("T1", earlier))
    assert numbers(run, url) == ["1", "11", "12", "5", "6"]
    assert numbers(run, url, "--reverse") == ["6", "5", "12", "11", "1"]
    assert numbers(run, url, "--reverse", "-n", "2") == ["6", "5"]


def test_hands_without_times_are_listed_in_the_order_of_their_table(run: Run, tmp_path: Path) -> None:
    night = [hand("P0", "", NAMES), hand(1, "", NAMES), hand(2, "", NAMES)]
    mixed = [hand("a", "2026-11-20T20:00:00Z", NAMES), hand("x", "", NAMES), hand("b", "2026-11-20T20:09:00Z", NAMES)]
    other_night = [hand(7, "2026-11-20T20:05:00Z", NAMES)]
    url = played(tmp_path, ("T1", night[1:]), ("T1", night), ("T2", mixed), ("T3", other_night))
    assert numbers(run, url) == ["a", "x", "7", "b", "P0", "1", "2"]
    assert numbers(run, url, "--reverse") == ["2", "1", "P0", "b", "7", "x", "a"]
    assert numbers(run, url, "--table", "T1", "-n", "2") == ["P0", "1"]
    assert numbers(run, url, "--source", "2.hand") == ["a", "x", "b"]


def test_what_import_says_that_log_marks_is_marked(run: Run, tmp_path: Path) -> None:
    wrong = "hand 1\nseat 1 A 100\nseat 2 B 100\nbutton 1\n1 posts small 5\n2 posts big 10\n1 folds\n2 wins 99\nend\n"
    url = str(tmp_path / "l")
    (tmp_path / "x.hand").write_text(f'handscript 1\nvenue "Room"  table T1\n{HEAD}{wrong}')
    assert "chips don't add up" in run("import", str(tmp_path / "x.hand"), "--ledger", url).out
    assert "! chips do not add up" in run("log", "--ledger", url).out


def test_a_number_that_was_used_again_is_told_apart_by_the_rooms_own_day(run: Run, tmp_path: Path) -> None:
    second = [hand(1, "2026-11-21T20:06:19-05:00", ("Cleo", "Dora"))]
    url = played(tmp_path, ("T1", EVENING[:1]), ("T1", second))
    doubt = run("show", "1", "--ledger", url)
    assert "T1/1/2026-11-20, T1/1/2026-11-21" in doubt.err
    for day, name in (("2026-11-20", "Anna"), ("2026-11-21", "Cleo")):
        assert name in run("show", f"1/{day}", "--ledger", url).out


def test_a_ledger_without_hands_names_the_step_that_is_next(run: Run, tmp_path: Path) -> None:
    """Sums and columns answer as the plain list does: it isn't `log` that helps, which was typed."""
    url, empty = str(tmp_path / "x.ledger"), str(tmp_path / "empty.ledger")
    (tmp_path / "night.hand").write_text("handscript 9\nwho knows what\n")
    run("import", str(tmp_path / "night.hand"), "--ledger", url)
    run("rules", "adopt", "hilton", "--ledger", empty)
    for more in (
        [],
        ["--by", "table"],
        ["--fields", "time,pot"],
        ["--sort", "-pot"],
        ["--where", "pot>0"],
        ["--table", "T7"],
    ):
        refused = run("log", *more, "--ledger", url)
        assert refused.code == 2, more
        assert "no hands are stored yet\n  handledger rejects says" in refused.err, (more, refused.err)
        assert "no hands are stored yet\n  handledger import PATH" in run("log", *more, "--ledger", empty).err, more
