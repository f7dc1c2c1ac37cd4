"""Hands asked for in words: `log`, `audit`, `export`, `results` and `rates` understand the same query."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.queries.columns import LISTED_FIELDS
from projections.queries.ledger_query import select_hands
from projections.tables.result_tables import hand_results, seat_results
from tests.cli.conftest import Run, copy_ledger
from tests.evenings.script import script
from tests.projections.test_doubts import wrong_evenings

HAND = """
hand {number} 2026-11-20T20:0{number}:00Z
game holdem limit cash blinds 5/10 bets 10/20 unit USD 0
button {button} stacks 1:500 2:500 3:500
{small} posts small 5
{big} posts big 10
deal done
{button} folds
{small} folds
{big} uncalled 5
{big} wins 10 from main
end
"""


@pytest.fixture(scope="module")
def book(room: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a ledger with a night that has something wrong in it, and with hands of a room."""
    folder = tmp_path_factory.mktemp("where")
    (folder / "night.hand").write_text(script(wrong_evenings()[0][1]))
    with open_ledger(copy_ledger(room, folder)) as ledger:
        import_paths(ledger, [folder / "night.hand"])
    return str(folder / "x.ledger")


def ids(run: Run, book: str, *words: str) -> list[str]:
    result = run("log", "--ledger", book, "--format", "json", "-n", "0", *words)
    return [hand["id"] for hand in result.document["hands"]] if result.code == 0 else []


def test_log_lists_the_hands_that_fit_in_the_order_in_which_they_were_played(run: Run, book: str) -> None:
    every = ids(run, book)
    fit = ids(run, book, "--where", "showdown pot>0")
    assert fit
    assert fit == [hand for hand in every if hand in set(fit)]
    assert sorted(fit + ids(run, book, "--where", "-(showdown pot>0)")) == sorted(every)
    assert ids(run, book, "--where", "showdown", "--table", "1") == ids(run, book, "--where", "showdown table:1")
    assert ids(run, book, "--where", "showdown", "--reverse") == ids(run, book, "--where", "showdown")[::-1]


def test_count_says_how_many(run: Run, book: str) -> None:
    assert run("log", "--ledger", book, "--count").out == f"{len(ids(run, book))} hands\n"
    assert run("log", "--ledger", book, "--count", "--format", "json").document["hands"] == len(ids(run, book))
    assert run("log", "--ledger", book, "--count", "--where", "pot>99999999").out == "0 hands\n"


def test_audit_judges_the_hands_that_fit_in_their_place(run: Run, book: str) -> None:
    findings = run("audit", "-r", "hilton", "--ledger", book, "--format", "json").document["findings"]
    wrong = {finding["hand"]["stream"] for finding in findings if finding["book"] == "hilton"}
    assert wrong
    document = run("audit", "-r", "hilton", "--ledger", book, "--format", "json", "--where", "book:hilton").document
    assert [row for row in findings if row["hand"]["stream"] in wrong] == document["findings"]


def test_export_writes_the_hands_that_fit(run: Run, book: str) -> None:
    result = run("export", "--ledger", book, "--to", "jsonl", "--where", "table:1", "--format", "json")
    assert result.document["hands"] == len(ids(run, book, "--where", "table:1"))


def test_findings_need_a_book(run: Run, book: str) -> None:
    result = run("log", "--ledger", book, "--where", "severity:error")
    assert result.code == 2
    assert "names no rulebook" in result.err
    assert ids(run, book, "--where", "clause:hilton.* severity>=info")


def test_a_query_and_hands_that_are_named_are_refused_together(run: Run, book: str) -> None:
    assert run("audit", "3", "--where", "pot>1", "--ledger", book).code == 2


def test_help_lists_every_word_with_an_example(run: Run) -> None:
    result = run("log", "--where", "help")
    assert result.code == 0
    assert "pot>=200" in result.out


def test_help_lists_every_column(run: Run) -> None:
    result = run("log", "--fields", "help")
    assert result.code == 0
    assert all(name in result.out for name in LISTED_FIELDS)


def test_a_ledger_as_it_stood_and_one_that_may_not_be_written_answer_too(run: Run, book: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    copy.write_bytes(Path(book).read_bytes())
    copy.chmod(0o444)
    query_options = ("--where", "clause:hilton.*", "--ledger")
    assert ids(run, str(copy), *query_options[:2]) == ids(run, book, *query_options[:2])
    early_ids = ids(run, book, "--as-of", "200", "--where", "pot>0")
    assert early_ids
    assert len(early_ids) < len(ids(run, book, "--where", "pot>0"))


def test_what_was_won_and_lost_sums_to_zero_with_the_rake(book: str) -> None:
    """Of hands whose chips add up, in which nobody made a deal with the house."""
    query = "not note:unbalanced not note:cut-off not flag:cash-out"
    hand, net = hand_results.c, func.sum(seat_results.c.net)
    with open_ledger(book) as ledger, select_hands(ledger, query, "06:00") as selection:
        sums = select(hand.number, net + hand.rake - hand.carried, func.sum(seat_results.c.rake) - hand.rake)
        rows = list(
            selection.fetch_rows(
                sums.join_from(hand_results, seat_results, hand.position == seat_results.c.position)
                .where(selection.condition, hand.voided == 0)
                .group_by(hand.position)
            )
        )
    assert len(rows) > 20
    assert [row for row in rows if tuple(row[1:]) != (0, 0)] == []


def test_results_are_those_of_the_seats_that_the_query_means(run: Run, book: str) -> None:
    def count_hands(*words: str) -> int:
        rows = run("results", *words, "--ledger", book, "--format", "json", "-n", "0").document["results"]
        return sum(row["hands"] for row in rows)

    buttons = run("results", "position:BTN", "--by", "position", "--ledger", book, "--format", "json").document[
        "results"
    ]
    assert {row["name"] for row in buttons} == {"BTN"}
    assert count_hands("position:BTN") + count_hands("not position:BTN") == count_hands()


def test_results_say_of_which_hands_they_are_unsure(run: Run, tmp_path: Path) -> None:
    head = (
        "handscript 1\nvenue Lakeside  table T\ngame holdem no-limit cash blinds 1/2 unit USD 2\n"
        "seats 1 Ana 100, 2 Bo 100\n"
    )
    hand_start = (
        "button 1\nseat 1 Ana 100\nseat 2 Bo 100\n1 posts small 1\n2 posts big 2\ndeal done\n1 calls 1\n2 checks\n"
    )
    head = head.replace("seats 1 Ana 100, 2 Bo 100\n", "")
    flop = hand_start + "flop 2c 7d Kh\n2 bets 2\n1 folds\n2 uncalled 2\n"
    hands = [
        f"hand 1\n{flop}2 wins 3.80\nrake 0.20\nend\n",
        f"hand 2\n{flop}2 wins 4\nend\n",  # no rake is told
        f"hand 3\n{flop}2 wins 3\nend\n",  # more is missing
        f"hand 4\n{hand_start}",  # and nobody knows how it went on
    ]
    (tmp_path / "night.hand").write_text(head + "".join(hands))
    run("import", str(tmp_path / "night.hand"), "--ledger", str(tmp_path / "l"))
    (ana, bo) = run("results", "--ledger", str(tmp_path / "l"), "--format", "json").document["results"]
    assert [(row["hands"], row["unsure"], row["unraked"]) for row in (ana, bo)] == [(4, 2, 2)] * 2
    output = run("results", "--ledger", str(tmp_path / "l")).out
    assert output.splitlines()[0].endswith("unsure  no rake")
    certain_output = run("results", "--ledger", str(tmp_path / "l"), "-note:cut-off,unbalanced,unread-lines rake>0").out
    assert "unsure" not in certain_output
    assert "no rake" not in certain_output


def test_players_of_one_name_are_told_apart_by_their_rooms(run: Run, tmp_path: Path) -> None:
    for room in ("Lakeside", "Hillside"):
        (tmp_path / f"{room}.hand").write_text(
            f"handscript 1\nvenue {room}  table T\ngame holdem no-limit cash blinds 1/2 unit USD 2\nhand 1\n"
            "seat 1 Ana 100\nseat 2 Bo 100\nbutton 1\n1 posts small 1\n2 posts big 2\ndeal done\n1 folds\n"
            "2 uncalled 1\n2 wins 2\nend\n"
        )
        run("import", str(tmp_path / f"{room}.hand"), "--ledger", str(tmp_path / "l"))
    output = run("results", "player:Ana", "--ledger", str(tmp_path / "l")).out
    assert {line.partition("  ")[0] for line in output.splitlines()[1:]} == {"Ana @ Lakeside", "Ana @ Hillside"}
    options = ("--one", "Lakeside/Ana", "--one", "Hillside/Ana")
    assert "Ana  " in (output := run("results", *options, "--ledger", str(tmp_path / "l")).out)
    assert " @ " not in output


@pytest.mark.parametrize("query", ["T7", "T7 pot>=1", "pot>=1 T7", "(T7 or voided)"])
def test_a_table_by_itself_is_answered_with_how_it_is_asked_for(run: Run, book: str, query: str) -> None:
    result = run("log", "--where", query, "--ledger", book)
    assert (result.code, "table:T7, hand:T7, player:T7" in result.err) == (2, True)


def test_a_field_that_is_called_otherwise_elsewhere_is_said_as_it_is_here(run: Run, book: str) -> None:
    result = run("log", "--where", "date>=2026-01-01", "--ledger", book)
    assert (result.code, "Write day:2026-11-20, since:" in result.err) == (2, True)


def test_several_names_are_counted_as_one_person(run: Run, book: str) -> None:
    first_result, second_result = (
        run("results", "--one", name, "--ledger", book, "--format", "json").document["results"]
        for name in ("Player 1", "Player 2")
    )
    document = run("results", "--one", "Player 1", "--one", "Player 2", "--ledger", book, "--format", "json").document
    assert [row["name"] for row in document["results"]] == ["Player 1"]
    assert document["results"][0]["net"] == first_result[0]["net"] + second_result[0]["net"]


def test_rates_stand_beside_the_number_of_hands_and_say_where_there_are_too_few(run: Run, book: str) -> None:
    document = run("rates", "-r", "hilton", "--by", "table", "--ledger", book, "--format", "json").document
    assert document["whole"]["hands"] == len(ids(run, book))
    assert document["whole"]["findings"] == sum(row["findings"] for row in document["rates"])
    assert all(row["few"] for row in document["rates"] if row["hands"] < document["whole"]["hands"] / 50)
    assert "too few hands to tell" in run("rates", "-r", "hilton", "--by", "table", "--ledger", book).out
    only = run("rates", "clause:hilton.*", "-r", "hilton", "--ledger", book, "--format", "json").document
    assert {row["name"].split()[0] for row in only["rates"]} == {"hilton"}
    assert only["whole"]["hands"] == document["whole"]["hands"]


def test_fields_of_hands_are_listed_and_sorted(run: Run, book: str) -> None:
    result = run("log", "--fields", "hand,table,pot,showdown", "--sort", "-pot", "-n", "3", "--ledger", book)
    head, *rows = result.out.splitlines()
    assert head.split() == ["hand", "table", "pot", "showdown"]
    assert rows[-1] == "(the first 3; --limit 0 shows all)"
    document = run(
        "log", "--fields", "hand,pot,board,time,day", "--sort", "-pot", "-n", "0", "--ledger", book, "--format", "json"
    ).document
    pots = [hand["pot"]["amount"] / 10 ** hand["pot"]["exponent"] for hand in document["hands"]]
    assert pots == sorted(pots, reverse=True)
    assert len(pots) == run("log", "--count", "--ledger", book, "--format", "json").document["hands"]
    assert document["more"] is False
    only = run("log", "--fields", "hand", "--where", "showdown", "--ledger", book, "--format", "json").document
    counted = run("log", "--count", "--where", "showdown", "--ledger", book, "--format", "json").document
    assert len(only["hands"]) == counted["hands"]


def test_hands_are_summed_up_by_several_groups(run: Run, book: str) -> None:
    document = run("log", "--by", "table,day", "--ledger", book, "--format", "json").document
    counted = run("log", "--count", "--ledger", book, "--format", "json").document
    assert sum(row["hands"] for row in document["sums"]) == counted["hands"]
    assert run("log", "--by", "table", "--ledger", book).out.splitlines()[0].split()[:2] == ["table", "hands"]
    hands = run("log", "--fields", "pot", "-n", "0", "--ledger", book, "--format", "json").document["hands"]
    pots = {(row["pot"]["unit"], row["pot"]["exponent"]): 0 for row in hands}
    for row in hands:
        pots[row["pot"]["unit"], row["pot"]["exponent"]] += row["pot"]["amount"]
    sums = dict.fromkeys(pots, 0)
    for row in document["sums"]:
        sums[row["unit"], row["exponent"]] += row["pot"]
    assert sums == pots


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fields", "pott"], "there is no 'pott'"),
        (["--fields", "pots"], "Choose from: table, venue"),
        (["--sort", "big"], "there is no 'big'"),
        (["--by", "seat"], "there is no 'seat'"),
        (["--by", "day", "--fields", "pot"], "--by sums up"),
        (["--where", "saved:none"], "there is no saved query 'none'"),
        (["--save", "x"], "--save needs a query"),
    ],
)
def test_what_cannot_be_listed_is_said_with_what_can(run: Run, book: str, args: list[str], message: str) -> None:
    result = run("log", *args, "--ledger", book)
    assert result.code == 2
    assert message in " ".join(result.err.split())


def test_a_query_that_is_kept_stands_for_itself_in_any_query(run: Run, book: str, tmp_path: Path) -> None:
    url = str(shutil.copy(book, tmp_path / "mine.ledger"))

    def count(query: str) -> int:
        return int(run("log", "--count", "--where", query, "--ledger", url, "--format", "json").document["hands"])

    assert run("log", "--where", "showdown or pot>=20", "--save", "worth a look", "--ledger", url).code == 0
    assert count('saved:"worth a look"') == count("showdown or pot>=20")
    assert count('saved:"worth a look" players<6') == count("(showdown or pot>=20) players<6")
    assert count('not saved:"worth a look"') == count("not (showdown or pot>=20)")
    run("log", "--where", 'saved:"worth a look" button:1', "--save", "b1", "--ledger", url)
    run("log", "--where", "pot>=1000000", "--save", "worth a look", "--ledger", url)  # the other one was kept whole
    assert count("saved:b1") == count("(showdown or pot>=20) button:1")
    assert run("results", "saved:b1", "--ledger", url).code == 0
    assert run("log", "--where", "pot>=", "--save", "bad", "--ledger", url).code == 2
    assert "no hands match" in run("log", "--where", 'table:"saved:b1"', "--ledger", url).err


@pytest.mark.slow
@pytest.mark.parametrize("rulebook", ["hilton", "rrop4"])
def test_what_all_tables_owe_is_what_each_owes_by_itself(run: Run, book: str, rulebook: str) -> None:
    tables = run("due", "-r", rulebook, "--ledger", book, "--format", "json").document["tables"]
    assert len(tables) > 5
    for table in tables:
        address = f"{table['tournament'] or table['venue']}/{table['table']}"
        result = run("due", address, "-r", rulebook, "--ledger", book, "--format", "json")
        if result.code == 0:  # two tables of one tournament may be called the same
            assert result.document["due"] == [table["due"]]
            assert result.document["after"] == table["after"]
    text = run("due", "-r", rulebook, "--ledger", book).out
    assert all(table["after"] in text for table in tables)


def test_what_all_tables_owe_is_current(run: Run, tmp_path: Path) -> None:
    head = "handscript 1\nvenue Riverside table T7\nseats 6\n"
    first = head + HAND.format(number=1, button=1, small=2, big=3)
    url, night = str(tmp_path / "l"), tmp_path / "n.hand"
    night.write_text(first)
    assert run("import", str(night), "--ledger", url).code == 0

    def due() -> dict[str, int]:
        (table,) = run("due", "-r", "hilton", "--ledger", url, "--format", "json").document["tables"]
        return {name: table["due"]["placements"][0][name] for name in ("button", "small", "big")}

    assert due() == {"button": 2, "small": 3, "big": 1}
    night.write_text(first + HAND.format(number=2, button=2, small=3, big=1))
    run("import", str(night), "--ledger", url)
    assert due() == {"button": 3, "small": 1, "big": 2}
    night.write_text(night.read_text() + '\n1 leaves "Player 1" left\n')  # a fact alone, no hand behind it
    run("import", str(night), "--ledger", url)
    assert due() == {"button": 3, "small": 3, "big": 2}


def test_fairness_counts_each_dealt_seat_once_whatever_the_period(run: Run, book: str) -> None:
    def shares(*args: str) -> list[dict[str, Any]]:
        result = run("fairness", "table:1", "-r", "hilton", "--ledger", book, "--format", "json", *args)
        return list(result.document["shares"])

    total_shares = shares()
    for period in ("orbit", "night", "month"):
        parts = shares("--by", period)
        for name in ("hands", "due", "paid", "untold"):
            assert sum(part[name] for part in parts) == sum(part[name] for part in total_shares), period
    assert any(part["due"] for part in total_shares)
    assert "not judged" in run("fairness", "-r", "hilton", "--ledger", book).out
    assert "under one rulebook" in run("fairness", "-r", "hilton", "-r", "rrop4", "--ledger", book).err


def test_two_rulebooks_are_compared_over_the_hands(run: Run, book: str) -> None:
    document = run("rules", "diff", "hilton", "rrop4", "--ledger", book, "--format", "json").document
    old = [turn for turn in document["turns"] if turn["becomes"] != "appears"]
    audited = run("audit", "-r", "hilton", "--ledger", book, "--format", "json").document["findings"]
    assert {turn["old"]["fingerprint"] for turn in old} <= {turn["fingerprint"] for turn in audited}
    assert document["hands"] == run("log", "--count", "--ledger", book, "--format", "json").document["hands"]
    assert document["turns"]
    table_document = run(
        "rules", "diff", "hilton", "rrop4", "--where", "table:1", "--ledger", book, "--format", "json"
    ).document
    assert table_document["turns"] == [
        turn for turn in document["turns"] if (turn["new"] or turn["old"])["hand"]["table"] == "1"
    ]
    text = run("rules", "diff", "hilton", "rrop4", "--ledger", book).out
    assert "B11b.1 error, certain → blinds.intro.4 error, certain" in text
    assert run("rules", "diff", "hilton", "hilton", "--ledger", book).code == 2
    assert run("rules", "diff", "hilton", "--ledger", book).code == 2
    assert run("rules", "hilton", "B1", "--where", "pot>0").code == 2
