"""A correction counts, says what it leaves behind, and bounds what rests on that."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

NIGHT = """handscript 1
venue Room  table 7
witness everything
game holdem no-limit cash blinds 5/10 bets 10
hand 1
seat 1 Ann 1000
seat 2 Bo 1000
seat 3 Cy 1000
button 1
2 posts small 5
3 posts big 10
deal done
1 raises to 30
2 calls 25
3 calls 20
burn
flop Ah Kd 7s
3 bets 12
1 calls 12
2 calls 12
2 wins 126
end
"""
"""Seat 3 opens the flop out of turn, and the pot is paid with two streets to come."""


def test_calls_behind_a_corrected_bet_stay_as_told_are_named_and_bound_the_findings(run: Run, tmp_path: Path) -> None:
    ledger, night = str(tmp_path / "l"), tmp_path / "n.hand"
    night.write_text(NIGHT)
    run("import", str(night), "--ledger", ledger)

    def certainties() -> dict[str, str]:
        document = run("audit", "-r", "hilton", "--ledger", ledger, "--format", "json").document
        return {event["clause"]: event["certainty"] for event in document["findings"]}

    assert certainties()["intro.4d"] == "certain"
    events = run("show", "1", "--ledger", ledger, "--format", "json").document["events"]
    bet = next(event["version"] for event in events if event["told"].endswith("bets 12"))
    flo = ("--by", "floor", "--why", "the tape", "--ledger", ledger)
    result = run("correct", f"1@{bet}", "3 bets 120", *flo)
    assert f"correct event {bet + 1}, {bet + 2}, too" in result.out
    assert "no longer adds up" in result.out
    assert certainties() == {"intro.4d": "likely", "R1": "certain"}
    for call in (bet + 1, bet + 2):
        seat = "1" if call == bet + 1 else "2"
        document = run("correct", f"1@{call}", f"{seat} calls 120", *flo, "--format", "json").document
    assert document["left_behind"] == []
    assert document["unbalanced"]
    award = next(event["version"] for event in events if "wins" in event["told"])
    run("correct", f"1@{award}", "2 wins 450", *flo)
    assert certainties()["intro.4d"] == "certain"


def test_a_hand_that_its_source_no_longer_tells_stands_and_import_says_how_to_void_it(run: Run, tmp_path: Path) -> None:
    ledger, night = str(tmp_path / "l"), tmp_path / "n.hand"
    head, _, hand = NIGHT.partition("hand 1\n")
    hands = [f"hand {n}\n" + hand.replace("button 1", f"button {n}") for n in (1, 2, 3)]
    night.write_text(head + "".join(hands))
    assert "isn't in this file any more" not in run("import", str(night), "--ledger", ledger).out
    night.write_text(head + hands[0] + hands[2])
    output = run("import", str(night), "--ledger", ledger).out
    assert "hand 7/2 isn't in this file any more. It stays in the ledger." in output
    assert "voided --insert" in output
    last = run("show", "2", "--ledger", ledger, "--format", "json").document["events"][-1]
    run(
        "correct",
        f"2@{last['version']}",
        "voided",
        "--insert",
        "--by",
        "floor",
        "--why",
        "never played",
        "--ledger",
        ledger,
    )
    night.write_text(head + hands[0] + hands[2] + "# read again\n")
    assert "isn't in this file any more" not in run("import", str(night), "--ledger", ledger).out


def test_a_correction_of_the_wrong_event_says_what_stands_there(run: Run, tmp_path: Path) -> None:
    ledger, night = str(tmp_path / "l"), tmp_path / "n.hand"
    night.write_text(NIGHT)
    run("import", str(night), "--ledger", ledger)
    events = run("show", "1", "--ledger", ledger, "--format", "json").document["events"]
    flop = next(event["version"] for event in events if event["told"].startswith("flop"))
    flo = ("--by", "floor", "--why", "the tape", "--ledger", ledger)
    result = run("correct", f"1@{flop}", "3 bets 120", *flo)
    assert result.code == 2
    assert f"event {flop} of hand '1' is something else: board dealt\n" in result.err
    assert f"Event {flop + 1} is like what you wrote" in result.err
    run("correct", f"1@{flop + 1}", "3 bets 120", *flo)
    output = run("show", "1", "--ledger", ledger).out
    assert "(by floor: “the tape”)" in output


def test_an_award_is_not_taken_for_the_bet_that_a_correction_means(run: Run, tmp_path: Path) -> None:
    """The hand was finished since the correction was written down: its numbers name other events."""
    ledger, night = str(tmp_path / "l"), tmp_path / "n.hand"
    night.write_text(NIGHT)
    run("import", str(night), "--ledger", ledger)
    events = run("show", "1", "--ledger", ledger, "--format", "json").document["events"]
    award = next(event["version"] for event in events if "wins" in event["told"])
    bet = next(event["version"] for event in events if event["told"].endswith("bets 12"))
    correction = tmp_path / "c.hand"
    correction.write_text(
        NIGHT.split("hand 1\n", maxsplit=1)[0]
        + f'hand 1\ncorrection {award} after {award - 1} count 1 by floor why "tape"\n2 calls 20\nend\n'
    )
    flo = ("--by", "floor", "--why", "the tape", "--ledger", ledger)
    result = run("correct", f"1@{award}", "3 bets 120", *flo)
    assert result.code == 2
    assert f"event {award} of hand '1' is something else: pot awarded, seat 2" in result.err
    assert f"Event {bet} is like what you wrote" in result.err
    assert run("import", str(correction), "--ledger", ledger).code == 2
    assert "is something else" in run("rejects", "--ledger", ledger).out


COUNTED_NIGHT = """handscript 1
venue Room  table T7
witness everything
game holdem no-limit cash blinds 5/10 unit USD 2

hand 1
button 1 stacks 1:500 2:500 3:500
2 posts small 5
3 posts big 10
1 folds
2 folds
3 uncalled 5
3 wins 10
end

drop-box 412 shift swing
1 leaves "Player 1"
"""


def test_a_count_between_hands_is_corrected_at_its_tables_address(run: Run, tmp_path: Path) -> None:
    ledger, night = str(tmp_path / "l"), tmp_path / "n.hand"
    night.write_text(COUNTED_NIGHT)
    run("import", str(night), "--ledger", ledger)
    statement = ("--by", "floor", "--person", "Max", "--why", "digits swapped", "--ledger", ledger)
    line = "drop-box 421.50 shift swing"
    planned = run("correct", "T7@3", line, *statement, "--dry-run")
    assert "Table T7 would be corrected. Nothing was written." in planned.out
    corrected = run("correct", "T7@3", line, *statement)
    assert corrected.out.splitlines()[:2] == [
        "Table T7 is corrected. The old event stays in the record.",
        "  event 3 was: drop box counted after shift swing: $412",
    ]
    assert "  event 6: drop box counted after shift swing: $421.50" in corrected.out
    again = run("correct", "T7@3", line, *statement)
    assert "event 3 of T7 was corrected already: event 6 replaced it" in again.err
    assert "Correct what counts now: handledger correct T7@6" in again.err
    document = run("correct", "T7@6", "fill 5", "--insert", *statement, "--format", "json").document
    assert (document["voids"], document["table"], document["events"][1]["told"]) == ([], "T7", "fill: the tray gets $5")
    run("correct", "T7@6", "--remove", *statement)
    for version in (3, 6):
        taken_away = run("correct", f"T7@{version}", line, *statement)
        assert f"event {version} of T7 doesn't count any more: correction 9 took it away" in taken_away.err
        assert "To undo that: handledger correct T7@9 --remove" in taken_away.err
    assert run("correct", "T7@9", "--remove", *statement).code == 0
    assert "event 9 of T7 was corrected already: event 6 replaced it" in run("correct", "T7@9", line, *statement).err
    for address in ("T7@2", "T7@99", "Nowhere@3"):
        refused = run("correct", address, "fill 5", *statement)
        assert (refused.code != 0, refused.out) == (True, ""), address
    assert "It's a hand" in run("correct", "T7@2", "fill 5", *statement).err
