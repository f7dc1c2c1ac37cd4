"""`handledger case`: a dispute written down from the claim to the ruling, and given out as evidence."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import jsonschema
import msgspec
import pytest

from cli.case import VERBS
from ledger.case.events import (
    CaseAssigned,
    CaseLinked,
    CaseReopened,
    FindingCited,
    HoldPlaced,
    PaymentOrdered,
    RegulatorNotified,
    RulingAppealed,
    RulingMade,
    StatementTaken,
)
from ledger.event import Event
from ledger.hand.ending import RemarkNoted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import case_stream
from projections.cases.case_documents import CaseDocument, CasesDocument
from tests.cli.conftest import Result, Run, sealed
from tests.cli.test_contract import HARMLESS, NAMES
from tests.conftest import ROOT

TOUR = ROOT / "docs" / "by-role.md"
SCHEMAS = ROOT / "schemas"
SAMPLE = Path(__file__).resolve().parent.parent.parent / "cli" / "samples" / "riverside-nl-evening.hand"
Case = Callable[..., Result]


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with one evening of a live table, in which hand 408 has a straddle too many."""
    path = tmp_path_factory.mktemp("evening") / "x.ledger"
    with open_ledger(path) as ledger:
        assert import_paths(ledger, [SAMPLE]).total.new == 26
    return path


@pytest.fixture
def book(evening: Path, tmp_path: Path) -> str:
    """The address of a copy of that ledger."""
    path = tmp_path / "x.ledger"
    path.write_bytes(evening.read_bytes())
    return str(path)


@pytest.fixture
def case(run: Run, book: str) -> Case:
    """Run a verb of `case` on that ledger."""
    return lambda verb, *args: run("case", verb, "--ledger", book, *args)


def answer_document(case: Case, verb: str, *args: str) -> CaseDocument:
    """What a verb answers to a program: valid by the document's own type."""
    result = case(verb, "--format", "json", *args)
    assert (result.code, result.err) == (0, ""), result.out
    assert HARMLESS.fullmatch(result.out)
    return msgspec.json.decode(result.out, type=CaseDocument)


def opened(case: Case, *more: str) -> str:
    """The number of a case about hand 408."""
    return answer_document(
        case, "open", "408@17-20", "--claim", "one straddle too many", "--by", "player", "--person", "Fay", *more
    ).number


def refused(case: Case, *args: str) -> str:
    """The sentence and the hint with which a verb refuses; it never fails otherwise."""
    result = case(*args)
    assert (result.code, result.out) == (2, "")
    assert "fault of handledger" not in result.err
    assert HARMLESS.fullmatch(result.err)
    assert "\n  " in result.err, f"a way out is told: {result.err}"
    return result.err


def test_opening_prints_a_number_of_this_year_and_links_the_hand(case: Case) -> None:
    first = answer_document(
        case,
        "open",
        "408@17-20",
        "--claim",
        "one straddle too many",
        "--by",
        "player",
        "--person",
        "Fay",
        "--amount",
        "15",
        "--subject",
        "betting",
        "--before-next-deal",
    )
    year, _, run = first.number.partition("-")
    assert (len(year), run) == (4, "1")
    assert (first.venue, first.table, first.person) == ("Riverside Cardroom", "T7", "Fay")
    assert (first.amount, first.unit, first.exponent) == (1500, "USD", 2)
    assert first.before_next_deal is True
    assert first.notes == []
    assert [(hand.number, hand.spans) for hand in first.hands] == [("408", [(17, 20)])]
    text = case("open", "409", "410", "--claim", "x", "--by", "floor")
    assert f"case {year}-2: opened" in text.out
    assert answer_document(case, "open", "--table", "T7", "--claim", "x", "--by", "floor").venue == "Riverside Cardroom"
    case_document = answer_document(
        case, "open", "--table", "T99", "--claim", "chips gone", "--by", "floor", "--number", "B-7"
    )
    assert (case_document.number, case_document.table, case_document.hands) == ("B-7", "T99", [])


def test_what_cannot_be_opened_says_why(case: Case) -> None:
    number = opened(case)
    claim_options = ("--claim", "x", "--by", "floor")
    assert "already" in refused(case, "open", "408", *claim_options, "--number", number)
    assert "the number of a case" in refused(case, "open", "408", *claim_options, "--number", "../x")
    assert "needs a hand or a table" in refused(case, "open", *claim_options)
    assert "can never be erased" in refused(case, "open", "408", *claim_options, "--number", "Fay")
    assert "can never be erased" in refused(case, "open", "--table", "Bo Lee", *claim_options)
    assert "no hand '999'" in refused(case, "open", "999", *claim_options)
    assert "isn't a span" in refused(case, "open", "408@17-999", *claim_options)
    assert "isn't an amount" in refused(case, "open", "408", *claim_options, "--amount", "1.5.7")
    assert "a chip is worth" in refused(case, "open", "--table", "T99", *claim_options, "--amount", "5")
    assert len(msgspec.json.decode(case("list", "--format", "json").out, type=CasesDocument).cases) == 1


def test_the_list_says_how_each_stands_and_what_is_late(case: Case) -> None:
    number = opened(case)
    other_number = answer_document(case, "open", "409", "--claim", "x", "--by", "floor").number
    answer_document(case, "due", number, "2020-01-02")
    answer_document(case, "close", other_number, "withdrawn")
    line, closed = case("list").out.splitlines()
    assert "hand T7/408" in line
    assert "OVERDUE a reply by 2020-01-02 23:59" in line
    assert "closed (withdrawn)" in closed
    document = msgspec.json.decode(case("list", "--open", "--format", "json").out, type=CasesDocument)
    (case_row,) = document.cases
    assert (case_row.number, case_row.overdue, case_row.claim) == (number, 1, "one straddle too many")
    answer_document(case, "note", number, "we look into it", "--by", "manager")
    assert "OVERDUE" not in case("list").out


def test_statements_and_remarks(case: Case) -> None:
    number = opened(case)
    long_note = "one " * 100 + "end"
    assert "end”" in case("note", number, long_note, "--by", "player").out.replace("\n", "")
    answer_document(case, "void", number, "3", "--why", "too long")
    case_document = answer_document(
        case, "note", number, "I saw two", "--by", "dealer", "--person", "Walter", "--seat", "9"
    )
    assert case_document.notes == ["Walter is new to this ledger."]
    assert [
        (statement.by, statement.person, statement.words, statement.seat) for statement in case_document.statements
    ] == [("dealer", "Walter", "I saw two", 9)]
    assert answer_document(case, "note", number, "again", "--by", "dealer", "--person", "Walter").notes == []
    remark = answer_document(case, "note", number, "tape asked for", "--by", "floor", "--remark")
    assert remark.remarks == ["tape asked for"]
    assert remark.added == [7]
    assert "Leave out" in refused(case, "note", number, "x", "--by", "floor", "--remark", "--person", "Fay")
    assert "statement is empty" in refused(case, "note", number, "", "--by", "floor")


def test_of_a_file_only_the_digest_is_kept_and_that_is_said(case: Case, book: str, tmp_path: Path) -> None:
    number = opened(case)
    tape = tmp_path / "cam12.mp4"
    tape.write_bytes(b"the very frames of that night" * 1000)
    result = case(
        "attach",
        number,
        str(tape),
        "--kind",
        "video",
        "--camera",
        "12",
        "--from",
        "2026-11-20T22:39Z",
        "--to",
        "2026-11-20T22:46Z",
    )
    assert "so keep the file" in result.out
    assert sha256(tape.read_bytes()).hexdigest() in result.out
    assert b"the very frames" not in Path(book).read_bytes()
    chips = answer_document(case, "attach", number, "--kind", "chips", "--label", "bag 12")
    assert [(attachment.kind, attachment.label, attachment.sha256[:4]) for attachment in chips.evidence][1] == (
        "chips",
        "bag 12",
        "",
    )
    assert "already" in refused(case, "attach", number, str(tape))
    assert "no file" in refused(case, "attach", number, str(tmp_path / "none"))
    assert "needs a file" in refused(case, "attach", number)
    assert "before it begins" in refused(
        case, "attach", number, "--label", "x", "--from", "2026-01-02", "--to", "2026-01-01"
    )


@pytest.mark.slow
def test_only_a_finding_that_audit_gives_in_a_linked_hand_can_be_cited(case: Case) -> None:
    number = opened(case)
    case_document = answer_document(case, "cite", number, "2068bb48", "-r", "hilton")
    assert [(citation.book, citation.clause, citation.fingerprint[:8]) for citation in case_document.cited] == [
        ("hilton", "B8a.1", "2068bb48")
    ]
    assert "straddle" in case_document.cited[0].says
    assert f"cited  hilton B8a.1  {case_document.cited[0].says}" in case("show", number).out
    assert "already" in refused(case, "cite", number, "2068bb48", "-r", "hilton")
    assert "2068bb48 (hilton B8a.1, T7/408)" in refused(case, "cite", number, "deadbeef", "-r", "hilton")
    assert "isn't a fingerprint" in refused(case, "cite", number, "20", "-r", "hilton")
    assert "hasn't adopted a rulebook" in refused(case, "cite", number, "2068bb48")
    other_number = answer_document(case, "open", "401", "--claim", "x", "--by", "floor").number
    assert "no finding" in refused(case, "cite", other_number, "2068bb48", "-r", "hilton")
    without_hands = answer_document(case, "open", "--table", "T7", "--claim", "x", "--by", "floor").number
    assert "case link" in refused(case, "cite", without_hands, "2068bb48", "-r", "hilton")


def test_hands_are_linked_once_and_only_of_the_same_money(case: Case, run: Run, book: str) -> None:
    number = opened(case)
    assert [hand.number for hand in answer_document(case, "link", number, "409", "410@3").hands] == [
        "408",
        "409",
        "410",
    ]
    assert "already" in refused(case, "link", number, "409")
    online = SAMPLE.with_name("final-table.phhs")
    assert run("import", str(online), "--ledger", book).code == 0
    hand = run("log", "--source", "final-table.phhs", "-n", "1", "--ledger", book, "--format", "json")
    assert "same money" in refused(case, "link", number, hand.document["hands"][0]["id"])


def test_a_ruling_moves_money_that_adds_up(case: Case) -> None:
    number = opened(case)
    ruled = ("rule", number, "--by", "floor", "--decision", "the straddle goes back")
    assert "add up to zero" in refused(case, *ruled, "--pay", "5=20", "--pay", "6=-5")
    assert "a payment" in refused(case, *ruled, "--pay", "5")
    assert "nobody sat in seat 7" in refused(case, *ruled, "--pay", "7=5", "--house-pays")
    assert "no clause" in refused(case, *ruled, "--clause", "Z9", "-r", "hilton")
    assert "--rulebook" in refused(case, *ruled, "--clause", "B8a.1")
    assert "nobody is called" in refused(case, *ruled, "--pay", "Nemo=5", "--house-pays")
    case_document = answer_document(
        case, *ruled, "--clause", "B8a.1", "-r", "hilton", "--pay", "5=20", "--pay", "Fay=-20"
    )
    assert case_document.status == "decided"
    assert [(share.seat, share.player, share.amount) for share in case_document.balance] == [
        (5, None, 2000),
        (None, "Fay", -2000),
    ]
    assert "decided already" in refused(case, *ruled)
    other_number = opened(case)
    noted = case("rule", other_number, *ruled[2:], "--pay", "5=20", "--pay", "6=-20")
    assert noted.code == 0
    assert "seat 6 had no chips in the pot" in noted.err
    answer_document(case, "appeal", number, "--by", "player", "--person", "Fay", "--to", "the manager")
    assert "isn't decided yet" in refused(case, "close", number, "upheld")
    second_ruling = case(
        "rule", number, "--by", "manager", "--decision", "the house pays", "--pay", "Fay=20", "--house-pays"
    )
    assert "seat 5 +$20, the house -$20" in second_ruling.out
    assert answer_document(case, "close", number, "partly-upheld").outcome == "partly-upheld"


def test_a_closed_case_takes_only_a_reopening(case: Case) -> None:
    number = opened(case, "--hold")
    assert "nobody has ruled" in refused(case, "close", number, "denied")
    answer_document(case, "close", number, "settled")
    for args in (
        ("note", number, "x", "--by", "floor"),
        ("rule", number, "--decision", "x", "--by", "floor"),
        ("lift", number, "hand", "408"),
        ("void", number, "2", "--why", "x"),
    ):
        assert f"case reopen {number}" in refused(case, *args)
    assert answer_document(case, "reopen", number, "--why", "new footage").status == "open"
    assert "closed: it is open" in refused(case, "reopen", number, "--why", "x")


def test_what_was_written_wrongly_is_voided_and_stays_to_be_seen(case: Case) -> None:
    number = opened(case)
    answer_document(case, "note", number, "the wrong words", "--by", "dealer")
    case_document = answer_document(case, "void", number, "3", "--why", "another case", "--by", "floor")
    assert (case_document.voided, case_document.statements) == ([3], [])
    assert "(voided)" in case("show", number).out
    assert "no entry 9" in refused(case, "void", number, "9", "--why", "x")
    assert "opening" in refused(case, "void", number, "1", "--why", "x")


@pytest.mark.slow
def test_a_person_is_not_forgotten_while_a_case_needs_them(case: Case, run: Run, book: str) -> None:
    number = opened(case, "--hold")
    erase = ("people", "forget", "Fay", "--ledger", book)
    result = run(*erase)
    assert result.code == 2
    assert f"case {number} holds a hand that this person played\n" in result.err
    assert f"To end the hold: handledger case lift {number} hand T7/408. It also ends with the case." in result.err
    assert f"held by case {number}" in run("people", "list", "Fay", "--ledger", book).out
    answer_document(case, "lift", number, "hand", "408")
    for hold_kind, target in (("person", "Fay"), ("table", "T7"), ("source", SAMPLE.name)):
        answer_document(case, "hold", number, hold_kind, target)
        assert run(*erase).code == 2, hold_kind
        assert "already" in refused(case, "hold", number, hold_kind, target)
        answer_document(case, "lift", number, hold_kind, target)
    answer_document(case, "hold", number, "person", "Ana")
    assert "nobody is called" in refused(case, "hold", number, "person", "Nemo")
    assert "hold that person" in refused(case, "lift", number, "person", "Fay")
    answer_document(case, "hold", number, "person", "Fay", "--days", "30")
    answer_document(case, "close", number, "withdrawn")
    assert run(*erase).code == 2, "a hold with a time lasts beyond the case"
    assert run("people", "forget", "Ana", "--ledger", book).code == 0, "one without ends with it"


def test_who_is_forgotten_is_gone_from_the_words_of_cases_and_the_proofs_hold(
    case: Case, run: Run, book: str, tmp_path: Path
) -> None:
    name = "Zephyrine Quux"
    number = opened(case)
    answer_document(case, "note", number, f"{name} took it, said {name}", "--by", "player", "--person", name)
    answer_document(case, "attach", number, "--label", f"photo of {name}", "--kind", "photo")
    answer_document(case, "rule", number, "--decision", f"{name} pays", "--by", "floor")
    run("people", "forget", name, "--ledger", book)
    names = [f.name for f in tmp_path.rglob("*") if f.is_file() and name.encode() in f.read_bytes()]
    assert names == []
    result = case("show", number)
    assert (result.code, name in result.out) == (0, False)
    assert "took it, said" in result.out
    assert answer_document(case, "show", number).statements[0].person is None
    assert "name was erased" in refused(case, "note", number, "x", "--by", "player", "--person", name)
    assert run("verify", "--ledger", book).code == 0


def test_no_name_stands_where_nothing_can_be_erased(case: Case) -> None:
    number = opened(case)
    answer_document(case, "rule", number, "--decision", "x", "--by", "floor")
    for args in (
        ("appeal", number, "--by", "player", "--to", "Fay's lawyer"),
        ("notify", number, "Bo Lee"),
        ("notify", number, "the board", "--reference", "Hana"),
        ("attach", number, "--label", "x", "--camera", "Ana"),
    ):
        assert "can never be erased" in refused(case, *args)
    assert answer_document(case, "appeal", number, "--by", "player", "--to", "the manager").status == "appealed"


def test_what_people_say_reaches_no_output_as_it_is(case: Case, book: str) -> None:
    worst = "".join(name for name in NAMES if len(name) < 100)
    number = answer_document(case, "open", "408", f"--claim={worst}", "--by", "player", f"--person={worst}").number
    answer_document(case, "attach", number, f"--label={worst}", f"--camera=12{worst}")
    with open_ledger(book) as ledger:
        events: list[Event] = []
        for name in NAMES:
            player, words = ledger.people.player(name, name), ledger.people.text(name)
            events += [
                StatementTaken("player", player, words),
                RemarkNoted(words),
                RegulatorNotified(name, name),
                FindingCited(name, name, name, name),
                CaseAssigned(player, "floor"),
                CaseLinked(name),
                HoldPlaced("table", name),
                HoldPlaced("person", player),
                RulingMade("floor", player, words, name, name),
                PaymentOrdered(5, name, player),
                RulingAppealed("player", player, name),
                CaseReopened(words),
            ]
        ledger.append("case", case_stream(number), events)
    for result in (case("show", number), case("list"), refused_by(case, worst)):
        assert HARMLESS.fullmatch(result.out + result.err)
        assert all(len(line) < 2500 for line in result.out.splitlines())
    assert answer_document(case, "show", number).claim == worst


def refused_by(case: Case, name: str) -> Result:
    """What is said of a case that is not there."""
    result = case("show", "--", name)
    assert result.code == 2
    return result


@pytest.mark.slow
def test_what_the_readme_says_of_a_case_can_be_typed(run: Run, book: str) -> None:
    lines = [line for line in TOUR.read_text("utf-8").splitlines() if line.startswith("handledger case ")]
    assert len(lines) == 5
    for line in lines:
        result = run(*shlex.split(line)[1:], "--ledger", book)
        assert (result.code, result.err) == (0, ""), line
    assert "moves  seat 3 +$10, seat 5 -$10" in result.out


@pytest.mark.slow
def test_every_verb_has_help_with_its_options(run: Run) -> None:
    for verb in VERBS:
        result = run("case", verb, "--help")
        assert (result.code, "--format" in result.out) == (0, True), verb


@pytest.mark.slow
def test_a_whole_dispute_ends_as_evidence_that_a_stranger_checks(
    case: Case, run: Run, book: str, tmp_path: Path
) -> None:
    number = opened(case, "--amount", "20", "--hold")
    tape = tmp_path / "cam12.mp4"
    tape.write_bytes(b"frames")
    for args in (
        ("note", number, "Two straddles, I said stop", "--by", "dealer"),
        ("assign", number, "Maria", "--as", "floor"),
        ("due", number, "--days", "10", "--for", "decision"),
        ("attach", number, str(tape), "--kind", "video", "--camera", "12"),
        ("cite", number, "2068bb48", "-r", "hilton"),
        (
            "rule",
            number,
            "--decision",
            "the second straddle goes back",
            "--by",
            "floor",
            "--person",
            "Maria",
            "--clause",
            "B8a.1",
            "-r",
            "hilton",
            "--pay",
            "5=20",
            "--pay",
            "6=-20",
        ),
        ("appeal", number, "--by", "player", "--person", "Fay", "--to", "the manager"),
        ("notify", number, "the board", "--reference", "X-1"),
        ("rule", number, "--decision", "it stands", "--by", "manager"),
        ("close", number, "upheld"),
    ):
        assert case(*args).code == 0, args
    case_document = answer_document(case, "show", number)
    assert [deadline.done for deadline in case_document.due] == [True]
    for verb, name in (("show", "case"), ("list", "cases")):
        schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
        arguments = [number] if verb == "show" else []
        jsonschema.validate(case(verb, *arguments, "--format", "json").document, schema)
    key = sealed(run, book, tmp_path / "k")
    path = tmp_path / "case.hlev"
    result = run("evidence", f"case:{number}", "-o", str(path), "--verifier", "--ledger", book)
    assert (result.code, result.err) == (0, "")
    count = len(case_document.events)
    assert f"{count} events of one case" in run("verify", str(path), "--key", key).out
    single = subprocess.run(
        [sys.executable, "-I", str(path.with_name("verify_hlev.py")), str(path), "--key", key],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (single.returncode, single.stderr) == (0, "")
    assert f"VERIFIED: {count} events of one case" in single.stdout
    assert run("verify", "--ledger", book).code == 0
