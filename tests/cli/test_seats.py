"""Who sat where, by the clock of the room: the same that its hands show."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.formats.support import texts

STARS = texts("pokerstars")


def _moved(text: str, number: str, new_time: str) -> str:
    head, body = text.split("\n", 1)
    prefix, _, suffix = head.partition("#")
    suffix = number + suffix[suffix.index(":") :]
    return f"{prefix}#{suffix[: suffix.rindex(' - ')]} - {new_time}\n{body}"


def test_seats_tell_the_time_that_the_hands_show(run: Run, tmp_path: Path) -> None:
    hand = STARS("dead-blinds")
    hands = [
        _moved(hand, "900000000001", "2026/03/07 22:10:00 ET"),
        _moved(hand, "900000000002", "2026/03/08 22:10:00 ET"),
    ]
    (tmp_path / "a.txt").write_text("\n\n\n".join(hands))
    url = str(tmp_path / "l")
    assert run("import", str(tmp_path / "a.txt"), "--ledger", url).code == 0
    hand_rows = run("log", "--ledger", url, "--format", "json").document["hands"]
    assert {row["zone"] for row in hand_rows} == {"ET"}
    table = hand_rows[0]["table"]
    output = run("seats", table, "--ledger", url).out
    assert "2026-03-07 22:10 ET" in output, "the clock of the room, before it was put forward"
    assert "Z" not in output
    sittings = run("seats", table, "--ledger", url, "--format", "json").document["sittings"]
    assert {(row["began_at"]["local"], row["began_at"]["zone"]) for row in sittings} == {("2026-03-07T22:10:00", "ET")}
    assert {row["ended_at"]["zone"] for row in sittings} == {""}


def test_where_no_hand_tells_a_clock_the_time_is_utcs_and_says_so(run: Run, tmp_path: Path) -> None:
    text = "handscript 1\nvenue V  table T\ngame holdem no-limit cash blinds 1/2 unit USD 2\n"
    hand = "\nhand 1 2026-01-02T20:00:00Z\nseat 1 Ana 100\nseat 2 Bo 100\nseat 3 Cy 100\nbutton 1\n2 posts small 1\n3 posts big 2\nend\n"
    (tmp_path / "x.hand").write_text(text + hand)
    url = str(tmp_path / "l")
    run("import", str(tmp_path / "x.hand"), "--ledger", url)
    assert "2026-01-02 20:00 UTC" in run("seats", "T", "--ledger", url).out
