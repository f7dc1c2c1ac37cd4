"""`accounts`, `correct` and `--as-of`: what stands is one answer for every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.intake.test_accounts import FIRST, HEADER, NEXT, hand


@pytest.fixture
def url(run: Run, tmp_path: Path) -> str:
    """A ledger of a night whose second hand was told anew."""
    ledger, night = str(tmp_path / "book.ledger"), tmp_path / "night.hand"
    for raised in (15, 20):
        night.write_text(HEADER + hand(1) + hand(2, raised=raised))
        result = run("import", str(night), "--ledger", ledger)
    assert "SUPERSEDED" in result.out
    assert "hand T5/2: this version counts now" in result.out
    return ledger


def stands(run: Run, url: str, *more: str) -> list[tuple[str, int]]:
    hands = run("log", "--ledger", url, "--format", "json", *more).document["hands"]
    return [(hand["number"], hand["account"]) for hand in hands]


def test_every_command_goes_by_what_stands(run: Run, url: str) -> None:
    assert stands(run, url) == [("1", 1), ("2", 2)]
    assert stands(run, url, "--accounts") == [("1", 1), ("2", 1), ("2", 2)]
    assert "1 raises to 20" in run("export", "2", "--to", "handscript", "--ledger", url).out
    assert "raises to 15" in run("export", "2~1", "--to", "handscript", "--ledger", url).out
    output = run("export", "--to", "handscript", "--ledger", url).out
    assert output.count("hand 2") == 1
    assert "2 hands" in run("audit", "-r", "hilton", "--ledger", url).out
    assert run("compare", "2", "--ledger", url).code == 1
    assert run("verify", "--ledger", url).code == 0


def test_a_person_chooses_with_a_reason_and_takes_it_back(run: Run, url: str) -> None:
    for account in (1, 2):
        refused = run("accounts", "2", "--choose", str(account), "--ledger", url)
        assert refused.code == 2
        assert "needs your role and a reason" in refused.err
    signed = ("--by", "floor", "--why", "the tape shows it", "--ledger", url)
    run("accounts", "2", "--choose", "1", *signed)
    assert stands(run, url) == [("1", 1), ("2", 1)]
    assert "account 1 counts, by floor: the tape shows it" in run("accounts", "2", "--ledger", url).out
    run("accounts", "2", "--choose", "2", *signed)
    assert stands(run, url) == [("1", 1), ("2", 2)]


def test_what_stood_can_be_shown(run: Run, url: str) -> None:
    choices = run("accounts", "2", "--ledger", url, "--format", "json").document["choices"]
    position_before = str(choices[0]["position"] - 1)
    assert stands(run, url, "--as-of", position_before) == [("1", 1), ("2", 1)]
    assert "raises to 15" in run("export", "2", "--to", "handscript", "--as-of", position_before, "--ledger", url).out
    assert run("show", "2", "--as-of", "1", "--ledger", url).code == 2, "no hand was there yet"


def test_an_event_is_corrected_and_the_table_follows(run: Run, url: str) -> None:
    history = run("show", "2", "--ledger", url, "--format", "json").document["events"]
    version = next(event["version"] for event in history if event["told"] == "1 Ana wins $12")
    result = run("correct", f"2@{version}", "1 wins 11", "--by", "floor", "--why", "a chip fell", "--ledger", url)
    assert "is corrected" in result.out
    history = run("show", "2", "--ledger", url)
    assert history.out.count("(corrected: it no longer counts)") == 1
    assert f"correction: event {version} no longer counts; the next event replaces it (by floor" in history.out
    events = run("show", "2", "--ledger", url, "--format", "json").document["events"]
    assert [event["version"] for event in events if event["void"]] == [version]
    assert "no longer adds up" in result.out
    owed = run("due", "T5", "-r", "hilton", "--ledger", url, "--format", "json").document
    assert next(event["stack"] for event in owed["occupied"] if event["seat"] == 1) == 32600
    second_result = run("correct", f"2@{version}", "1 wins 12", "--by", "floor", "--why", "no", "--ledger", url)
    assert second_result.code == 2
    replacement = max(event["version"] for event in events)
    assert f"event {version} of T5/2 was corrected already: event {replacement} replaced it" in second_result.err
    statement = ("--by", "floor", "--why", "no", "--ledger", url)
    assert run("correct", f"T5/2@{replacement}", "1 wins 12", *statement).code == 0


def test_a_number_that_was_used_again_is_asked_for(run: Run, url: str, tmp_path: Path) -> None:
    for name, began in (("a.hand", FIRST), ("b.hand", NEXT)):
        (tmp_path / name).write_text(HEADER + hand(7, began=began, stacks=300 + 50 * (began == NEXT)))
        run("import", str(tmp_path / name), "--ledger", url)
    result = run("show", "7", "--ledger", url)
    assert result.code == 2
    assert "T5/7/2026-11-22, T5/7/2026-11-23" in result.err
    outputs = {
        address: run("show", address, "--ledger", url).out for address in ("7/2026-11-23", "T5/7/2nd", "T5/7/1st")
    }
    assert outputs["7/2026-11-23"] == outputs["T5/7/2nd"] != outputs["T5/7/1st"]
    refused = run("show", "7/2", "--ledger", url)
    assert (refused.code, "is T5/7/2026-11-23." in refused.err) == (2, True)


def test_what_a_later_edition_made_right_leaves_rejects(run: Run, url: str, tmp_path: Path) -> None:
    night = tmp_path / "typo.hand"
    night.write_text(HEADER + hand(3) + hand(4).replace("2 folds", "2 flods"))
    assert run("import", str(night), "--ledger", url).code == 3
    assert run("rejects", "--ledger", url).code == 3
    night.write_text(HEADER + hand(3) + hand(4))
    assert run("import", str(night), "--ledger", url).code == 0
    assert run("rejects", "--ledger", url).code == 0


def test_a_hand_asked_for_before_it_came_in_is_said_to_have_come_later(run: Run, url: str) -> None:
    result = run("show", "2", "--as-of", "1", "--ledger", url)
    assert (result.code, "had no hand '2' yet: it came in at" in result.err) == (2, True)
    assert "no hand '77'" in run("show", "77", "--as-of", "1", "--ledger", url).err
