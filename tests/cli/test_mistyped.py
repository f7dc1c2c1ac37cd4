"""What is mistyped is answered with what may be meant, and with a place that the reader named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run

EVENING = """\
handscript 1
venue "Riverside"
table T7
game holdem no-limit cash blinds 2/5 unit USD 2
seats 9

hand 408
seat 1 Ana 500
seat 2 Bo 500
seat 3 Hana 500
button 1
2 posts small 2
3 posts big 5
deal done
1 folds
2 folds
3 wins 7 from main
end
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    night = tmp_path / "night.hand"
    night.write_text(EVENING)
    with open_ledger(tmp_path / "l") as ledger:
        assert import_paths(ledger, [night]).total.new == 1
    return str(tmp_path / "l")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (["log", "--table", "t7"], "no table is called 't7'\n  Did you mean 'T7'?"),
        (["due", "T77", "-r", "hilton"], "no table is called 'T77'\n  Did you mean 'T7'?"),
        (["floor", "xyz", "-r", "hilton"], "no table is called 'xyz'\n  handledger log --by table lists them."),
        (["log", "--venue", "Riversid"], "no hands match\n  handledger log lists all hands;"),
        (["results", "player:ana"], "nobody is called 'ana'\n  player:ana\n         ^\n  Did you mean 'Ana'?"),
        (["people", "hold", "hanna"], "nobody is called 'hanna'\n  Did you mean 'Hana' or 'Ana'?"),
        (
            ["show", "408@rver"],
            "hand '408' has no event or street 'rver'\n  Write 408@12 (after event 12) or a street:",
        ),
        (["show", "409@rver"], "no hand '409@rver' in this ledger"),
        (["audit", "T7"], "handledger audit --where table:T7 judges it."),
    ],
)
def test_who_mistypes_a_name_is_told_what_is_there(run: Run, url: str, typed: list[str], answer: str) -> None:
    result = run(*typed, "--ledger", url)
    assert result.code == 2
    assert answer in result.err


def test_a_night_in_handscript_without_its_first_line_is_read(run: Run, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    night.write_text(EVENING.partition("\n")[2])
    result = run("import", "--dry-run", str(night), "--ledger", str(tmp_path / "l"))
    assert result.code == 0
    assert re.search(r"handscript +1 +0 +0 +0 +0", result.out)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("clause:hilton.B99", "no clause of hilton, record is called 'hilton.B99'"),
        ("clause:hilton.B8a", "Did you mean 'B8a.1' or 'B8a.2'"),
        ("-clause:hilton.B8a.1 pot>5 or clause:hilton.B77*", "no clause of hilton, record is called 'hilton.B77*'"),
        ("clause:hilton.B8a.1,hilton.B8a.9", "is called 'hilton.B8a.9'"),
        ("betting:nolimit", "Choose one of: no-limit, pot-limit, limit, spread."),
    ],
)
def test_nothing_is_never_found_of_what_does_not_exist(run: Run, url: str, query: str, answer: str) -> None:
    for command in (["log"], ["audit", "-r", "hilton"], ["results"]):
        result = run(*command, "--where", query, "--ledger", url)
        assert (result.code, answer in result.err) == (2, True), command


@pytest.mark.parametrize(
    "query", ['clause:"hilton B8a.1"', "clause:HILTON.b8a*", "clause:record.R3", "clause:hilton.*"]
)
def test_a_clause_may_be_asked_for_as_findings_are_headed(run: Run, url: str, query: str) -> None:
    assert run("log", "--where", f"{query} or book:hilton", "--count", "--ledger", url).out == "0 hands\n"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (
            ["seats", "T7", "--at", "2026-11-20T20:10"],
            "has no time zone\n  Say 2026-11-20T20:10Z, or add the room's zone:",
        ),
        (["log", "--as-of", "2026-11-20T20:10"], "has no time zone"),
        (["rules", "adopt", "hilton", "--since", "2026-11-20T20:10"], "has no time zone"),
        (["findings", "--as-of", "99999"], "the log has no position 99999"),
    ],
)
def test_a_moment_that_may_be_hours_off_is_not_guessed(run: Run, url: str, typed: list[str], answer: str) -> None:
    result = run(*typed, "--ledger", url)
    assert (result.code, answer in result.err) == (2, True), result.err


def test_a_year_is_not_taken_for_a_position_unsaid(run: Run, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Of a year" not in run("findings", "--as-of", "2", "--ledger", url).err
    monkeypatch.setattr("cli.options.ledger_options._YEARS", range(1, 5))
    assert "For the year, write 2-12-31." in run("findings", "--as-of", "2", "--ledger", url).err


def test_the_end_of_a_day_is_said_with_its_zone(run: Run, url: str) -> None:
    result = run("log", "--count", "--as-of", "2026-01-02", "--ledger", url)
    assert result.err == (
        "--as-of 2026-01-02: this is the ledger as of 2026-01-03 00:00Z, the end of that day in UTC (position 0).\n"
    )
    assert run("log", "--count", "--as-of", "2026-01-02T20:00-05:00", "--ledger", url).err == ""
    result = run("log", "--count", "--as-of", "2999-01-02", "--ledger", url)
    assert result.err.startswith("2999-01-02 isn't over yet (UTC), so this is the ledger as of now (")


def test_a_clause_of_another_book_is_looked_for_in_its_own(run: Run) -> None:
    assert "handledger rules rrop4 lists its clauses." in run("rules", "rrop4", "B8a.1").err


def test_a_file_that_cannot_be_made_is_called_as_it_was_typed(run: Run, url: str, tmp_path: Path) -> None:
    place = str(tmp_path / "no" / "such" / "x.csv")
    result = run("export", "408", "--to", "csv", "-o", place, "--ledger", url)
    way_out = f"  There is no folder {Path(place).parent}: check the spelling, or make it first.\n"
    assert (result.code, result.err) == (2, f"handledger: {place}: no such file or directory\n{way_out}")


def test_a_port_that_is_no_number_is_no_fault_of_ours(run: Run) -> None:
    result = run("log", "--ledger", "postgresql://127.0.0.1:notaport/x")
    assert (result.code, "no SQLAlchemy URL" in result.err) == (2, True)


def test_a_table_that_nobody_knows_is_adopted_with_a_word_about_it(run: Run, url: str) -> None:
    assert "check the spelling" in run("rules", "adopt", "hilton", "--table", "t7", "--ledger", url).out
    assert "spelling" not in run("rules", "adopt", "hilton", "--table", "T7", "--ledger", url).out


def test_a_file_that_is_no_checkpoint_is_named(run: Run, url: str, tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_text("x\n")
    result = run("verify", "--against", str(junk), "--ledger", url)
    assert f"{junk}: the note has no signatures" in result.err


def test_an_address_that_is_none_of_this_machine_is_not_taken_for_a_port_in_use(run: Run, url: str) -> None:
    result = run("serve", "--address", "300.1.1.1", "--ledger", url)
    assert result.code == 2
    assert "--address is one of this machine's own addresses" in result.err


@pytest.mark.parametrize("words", [["log"], ["audit"], ["results"], ["export", "--to", "csv"]])
def test_where_no_hand_is_stored_the_next_step_is_another_command(run: Run, tmp_path: Path, words: list[str]) -> None:
    url = str(tmp_path / "empty.ledger")
    (tmp_path / "letter.txt").write_text("Dear Sir,\nno hand here.\n")
    run("import", str(tmp_path / "letter.txt"), "--ledger", url)
    result = run(*words, "--ledger", url)
    assert result.code == 2
    assert "no hands are stored yet\n  handledger rejects says what couldn't be read" in result.err
    due = run("due", "T7", "-r", "rrop4", "--ledger", url)
    assert "no table is called 'T7'\n  No hands are stored yet. handledger rejects says" in due.err


def test_a_mistyped_format_or_book_is_answered_with_the_nearest(run: Run, url: str, tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("x\n")
    slip = run("import", "--format", "pokerstarz", str(tmp_path / "n.txt"), "--ledger", url)
    assert (slip.code, slip.err) == (2, "handledger: no format is called 'pokerstarz'\n  Did you mean pokerstars?\n")
    assert "Did you mean 'hilton'? Known: " in run("audit", "-r", "hiltn", "--ledger", url).err


def test_a_rejected_line_has_one_number(run: Run, tmp_path: Path) -> None:
    """The place of a reject is its wrong line, not the line of the hand below it."""
    night = tmp_path / "night.hand"
    night.write_text("handscript 2\n" + EVENING.partition("\n")[2])
    for command in (["import", str(night)], ["rejects"]):
        out = run(*command, "--ledger", str(tmp_path / "l")).out
        assert ":1  bytes 0-" in out
        assert "line 1: this is handscript 2; this program reads handscript 1" in out


def test_findings_without_a_seat_are_not_counted_as_anybodys(run: Run, url: str) -> None:
    by_player = run("rates", "--by", "player", "-r", "hilton", "--ledger", url).out
    assert "\nfindings that name a seat " in by_player
    assert "all hands" in run("rates", "-r", "hilton", "--ledger", url).out


def test_groups_that_nobody_recorded_are_called_so(run: Run, url: str) -> None:
    for command in ("log", "results", "rates"):
        more = ["-r", "hilton"] if command == "rates" else []
        out = run(command, "--by", "dealer", *more, "--ledger", url).out
        assert "not recorded" in out
        assert "?" not in out


def test_a_citation_without_a_rulebook_says_which_option_names_one(run: Run, url: str) -> None:
    number = run(
        "case", "open", "T7/408", "--claim", "x", "--by", "floor", "--ledger", url, "--format", "json"
    ).document
    refused = run("case", "cite", number["number"], "2068bb48", "--ledger", url)
    assert "The house hasn't adopted a rulebook. Name the one you cite with -r, as in -r hilton." in refused.err
    assert "There are none" not in refused.err


def test_a_mistyped_column_names_the_option_that_has_it(run: Run, url: str) -> None:
    for option in ("--sort", "--fields", "--by"):
        assert f"{option}: there is no 'potz'" in run("log", option, "potz", "--ledger", url).err


def test_notes_with_a_question_are_not_called_unusable(run: Run, tmp_path: Path) -> None:
    night = tmp_path / "night.txt"
    night.write_text(
        "riverside t7, nlh 2/5\n1 Ann 500, 2 Bo 500, 3 Cy 500, 4 Dee 500\nhand 1, btn 1\n2 sb, 3 bb\n"
        "4 r 20, 1 f, 2 f, 3 c\nflop Ah 9d 4c, 3 x, 4 x\nZed wins 60\n"
    )
    asked = run("import", str(night), "--ledger", str(tmp_path / "l"))
    assert asked.code == 2
    assert asked.out.rstrip().splitlines()[-1].endswith("No hand was stored: the notes wait for answers.")
