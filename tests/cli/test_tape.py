"""An index of a camera's recording: hands, acts and findings where somebody who looks at the tape finds them."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.intake.import_loop import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Result, Run

NIGHT = """\
handscript 1
venue Riverside  table T1  seats 6
witness live-table
hand 9 2026-11-20T20:00:00-05:00
game holdem no-limit cash blinds 1/2 unit USD 0
seat 1 Ann 100
seat 2 Bo 100
button 1
1 posts small 1
2 posts big 2
deal done
1 calls 1 at 20:00:07.500
2 checks at 20:00:09
flop Ah Kd 2c
2 checks at 20:00:20
1 checks at 20:00:24
stop

hand 10 2026-11-20T20:03:00-05:00
game holdem no-limit cash blinds 1/2 unit USD 0
seat 1 Ann 99
seat 2 Bo 98
button 2
2 posts small 1
1 posts big 2
deal done
2 folds
1 wins 2 pot
end

hand 11
game holdem no-limit cash blinds 1/2 unit USD 0
seat 1 Ann 99
seat 2 Bo 98
button 1
1 posts small 1
2 posts big 2
deal done
1 folds
2 wins 2 pot
end
"""
CUE = re.compile(r"(?m)^\d+ (hand|act|finding) (\S+)\n(\S+) --> (\S+)\n((?:.+\n)+)")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tape")
    night, path = folder / "night.hand", folder / "hands.ledger"
    night.write_text(NIGHT)
    with open_ledger(path) as ledger:
        import_paths(ledger, [night])
        assert sum(1 for _ in ledger.hands()) == 3
    return str(path)


def read_cues(text: str) -> list[tuple[str, str, str, str, list[str]]]:
    """Return kind, address, start, end and lines of each cue. All text after the remarks is cues."""
    assert text.startswith("WEBVTT\n\n")
    cues = [(*match.groups()[:4], match[5].splitlines()) for match in CUE.finditer(text)]
    left_over = CUE.sub("", re.sub(r"(?m)^NOTE\n.+\n\n", "", text.removeprefix("WEBVTT\n\n")))
    assert not left_over.strip()
    return cues  # type: ignore[return-value]  # five groups each


def test_each_hand_act_and_finding_has_its_place(run: Run, book: str) -> None:
    index = run("export", "--to", "webvtt", "--starts", "2026-11-20T19:59:00-05:00", "-r", "hilton", "--ledger", book)
    cues = read_cues(index.out)
    hands = {address: (start, end, lines) for kind, address, start, end, lines in cues if kind == "hand"}
    assert {address: start for address, (start, _, _) in hands.items()} == {
        "T1/9": "00:01:00.000",
        "T1/10": "00:04:00.000",
    }
    assert hands["T1/9"][1] == "00:01:24.000"  # its last act
    acts = [(start, lines) for kind, _, start, _, lines in cues if kind == "act"]
    assert [start for start, _ in acts] == ["00:01:07.500", "00:01:09.000", "00:01:20.000", "00:01:24.000"]
    assert "1 Ann calls" in acts[0][1][0]
    assert any(kind == "finding" and address.startswith("T1/9@") for kind, address, *_ in cues)  # no card was burned
    assert "1 hand is left out: the record has no time of it." in index.err
    assert "1 hand is left out: the record has no time of it." in index.out
    assert "The record doesn't say when this hand ended." in "\n".join(hands["T1/10"][2])


def test_a_clock_that_is_ahead_moves_every_cue(run: Run, book: str) -> None:
    def first_act(*options: str) -> str:
        index = run("export", "T1/9", "--to", "webvtt", "--ledger", book, *options)
        return next(start for kind, _, start, _, _ in read_cues(index.out) if kind == "act")

    start = ("--starts", "2026-11-20T19:59:00-05:00")
    assert first_act(*start, "--clock", "+3.2s") == "00:01:10.700"
    assert first_act(*start, "--clock", "-1m5s") == "00:00:02.500"
    assert first_act("--starts", "2026-11-20 19:59") == "00:01:07.500"  # the room's clock
    assert first_act("--starts", "2026-11-21T00:59:00Z") == "00:01:07.500"


def test_matched_moments_place_the_rest(run: Run, book: str) -> None:
    shown = run("show", "T1/9", "--format", "json", "--ledger", book).document
    version = next(event["version"] for event in shown["events"] if "calls" in json.dumps(event))
    index = run("export", "--to", "webvtt", "--match", f"T1/9@{version}=00:10:00", "--ledger", book)
    acts = [start for kind, _, start, _, _ in read_cues(index.out) if kind == "act"]
    assert acts == ["00:10:00.000", "00:10:01.500", "00:10:12.500", "00:10:16.500"]
    # The tape is half a percent fast: 172.5 s of the room are 173.3625 s of the tape.
    drift = ("--match", f"T1/9@{version}=00:10:00", "--match", "T1/10=00:12:53.363")
    index = run("export", "--to", "webvtt", *drift, "--ledger", book)
    acts = [start for kind, _, start, _, _ in read_cues(index.out) if kind == "act"]
    assert acts[-1] == "00:10:16.583"


def test_an_edit_list_has_an_event_for_each_hand(run: Run, book: str) -> None:
    options = ("--starts", "2026-11-20T19:59:00-05:00", "--frame-rate", "50", "--ledger", book)
    lines = run("export", "--to", "edl", *options).out.splitlines()
    assert lines[:2] == ["TITLE: HANDLEDGER INDEX", "FCM: NON-DROP FRAME"]
    assert "001  AX       V     C        00:01:00:00 00:01:24:00 00:01:00:00 00:01:24:00" in lines
    assert "* FROM CLIP NAME: T1/10" in lines
    assert any(line.startswith("* LOC: 00:01:07:25 GREEN") for line in lines)


def test_a_public_index_names_no_hidden_card(run: Run, book: str) -> None:
    start = ("--starts", "2026-11-20T19:59:00-05:00", "-r", "hilton")
    index = run("export", "T1/9", "--to", "webvtt", *start, "--as", "public", "--names", "position", "--ledger", book)
    assert "Ann" not in index.out
    assert "hilton" in index.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--to", "webvtt"), "nobody knows when the recording begins"),
        (("--to", "webvtt", "--starts", "noon"), "isn't a time"),
        (("--to", "webvtt", "--starts", "2026-11-20 19:59", "--clock", "3"), "isn't an offset"),
        (
            ("--to", "webvtt", "--starts", "2026-11-20 19:59", "--ends", "2026-11-21T03:00Z"),
            "only one of --starts and --ends has a time zone",
        ),
        (("--to", "webvtt", "--starts", "2026-11-20 19:59", "--ends", "2026-11-20 19:00"), "ends before it begins"),
        (("--to", "webvtt", "--starts", "2026-11-22 19:59"), "none of these hands is on the recording"),
        (("--to", "webvtt", "--match", "T1/9"), "can't be read"),
        (("--to", "webvtt", "--match", "T1/11=00:01:00"), "doesn't know when"),
        (("--to", "webvtt", "--match", "T1/9=00:01:00", "--match", "T1/10=00:02:00"), "% off"),
        (("--to", "webvtt", "--match", "T1/9=00:01:00", "--match", "T1/9=00:02:00"), "same moment"),
        (("--to", "webvtt", "--match", "T1/9=00:01:00", "--clock", "+1s"), "already says where"),
        (("--to", "csv", "--clock", "+1s"), "belongs to an index of a recording"),
        (("--to", "edl", "--starts", "2026-11-19 19:59"), "24 hours"),
    ],
)
def test_what_fits_no_recording_is_refused(run: Run, book: str, options: tuple[str, ...], words: str) -> None:
    refused = run("export", *options, "--ledger", book)
    assert refused.code != 0
    assert words in refused.err
    assert len(refused.err.splitlines()) == 2
    assert not refused.out


def test_a_hostile_name_stays_text(run: Run, tmp_path: Path) -> None:
    night, book = tmp_path / "night.hand", str(tmp_path / "hands.ledger")
    night.write_text(NIGHT.replace("Ann", '"<i>--> 00:00 & x"'))
    assert run("import", str(night), "--ledger", book).code == 0
    start = ("--starts", "2026-11-20T19:59:00-05:00", "--ledger", book)
    index = run("export", "T1/9", "--to", "webvtt", *start).out
    assert "&lt;i&gt;--&gt; 00:00 &amp; x" in index
    assert index.count("-->") == len(read_cues(index))
    edit_list = run("export", "--to", "edl", *start).out
    assert all(line.startswith(("* ", "00", "TITLE", "FCM")) for line in filter(None, edit_list.split("\n")))


def test_a_case_indexes_its_recording_and_keeps_the_digest(run: Run, book: str, tmp_path: Path) -> None:
    def case(*words: str) -> Result:
        return run("case", *words, "--ledger", book)

    case("open", "T1/9", "--number", "A1", "--claim", "no burn", "--by", "player")
    index_file = tmp_path / "a1.vtt"
    refused = run("case", "tape", "A1", "--index", str(index_file), "--ledger", book)
    assert refused.code != 0
    assert "has no recording whose start is known" in refused.err
    times = ("--from", "2026-11-21T00:59:00Z", "--to", "2026-11-21T01:30:00Z")
    case("attach", "A1", "--kind", "video", "--camera", "12", "--label", "cage, tape 4", *times)
    indexed = run("case", "tape", "A1", "--clock", "+1s", "--index", str(index_file), "--ledger", book)
    assert indexed.code == 0
    assert sha256(index_file.read_bytes()).hexdigest() in indexed.out.replace(" ", "").replace("\n", "")
    assert read_cues(index_file.read_text())[0][:3] == ("hand", "T1/9", "00:01:01.000")
    case("attach", "A1", "--kind", "video", "--camera", "13", "--label", "cage, tape 5", *times)
    several = run("case", "tape", "A1", "--index", str(index_file), "--ledger", book)
    assert "several cameras: 12, 13" in several.err


def test_the_end_is_by_the_cameras_clock_too(run: Run, book: str) -> None:
    options = ("--starts", "2026-11-20 20:00:30", "--ends", "2026-11-20 20:02:00", "--clock", "+1m", "--ledger", book)
    hands = [
        address for kind, address, *_ in read_cues(run("export", "--to", "webvtt", *options).out) if kind == "hand"
    ]
    assert hands == ["T1/9"]  # the tape ends at 20:01:00 of the room's clock; hand 10 began at 20:03


def test_what_was_corrected_later_has_no_time_of_its_own(run: Run, tmp_path: Path) -> None:
    night, book = tmp_path / "night.hand", str(tmp_path / "hands.ledger")
    night.write_text(NIGHT)
    run("import", str(night), "--ledger", book)
    corrected = ("correct", "T1/9@9", 'remark "seen on tape"', "--insert", "--by", "floor", "--why", "forgotten")
    assert run(*corrected, "--ledger", book).code == 0
    index = run("export", "T1/9", "--to", "webvtt", "--starts", "2026-11-20T19:59:00-05:00", "--ledger", book)
    ends = [end for kind, _, _, end, _ in read_cues(index.out) if kind == "hand"]
    assert ends == ["00:01:24.000"]


@pytest.mark.parametrize("command", [("export", "T1/9", "--to", "csv"), ("show", "T1/9"), ("report", "T1/9")])
def test_no_output_goes_over_a_ledger(run: Run, book: str, command: tuple[str, ...]) -> None:
    before = Path(book).read_bytes()
    refused = run(*command, "--ledger", book, "-o", book)
    assert refused.code == 2
    assert "is a ledger; nothing was written" in refused.err
    assert Path(book).read_bytes() == before
