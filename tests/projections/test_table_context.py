"""Hands among the hands of their table: what was told before counts, and arrival does not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.order import TableEntry
from ledger.table.played import build_hand_played
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.audit.clause_plan import EARLIER_HANDS, TABLE_ORDER
from projections.books.rulebook import Rulebook, list_names, load, read
from projections.findings.finding import Coverage
from projections.reports.audit_json import encode_document
from projections.table_walk.replay import make_first_checkpoint, replay_to_hand
from projections.table_walk.table_context import TableWalk
from tests.projections.pages import Evening, column, evening


def hand(number: int, *lines: str, button: int = 1, seats: Sequence[int] = (1, 2, 3, 4, 5)) -> str:
    """A no-limit hand of 5/10 that everybody folds to the big blind."""
    text = "\n".join(f"seat {seat} P{seat} 1000" for seat in seats)
    ring = [s for s in seats if s > button] + [s for s in seats if s <= button]
    small, big = ring[0], ring[1]
    folds = ring[2:] + ring[:1]
    body = list(lines) or [f"{seat} folds" for seat in folds]
    return "\n".join(
        (
            f"hand {number} 2026-11-21T20:{number:02}:00Z",
            text,
            f"button {button}",
            f"{small} posts small 5",
            f"{big} posts big 10",
            *body,
            "end",
            "",
        )
    )


HEAD = "game holdem no-limit cash blinds 5/10 bets 10\n"
TWO = ("4 straddles 20", "5 straddles 40 restraddle", "deal done", "1 folds")


def night(*parts: str) -> Evening:
    return evening(HEAD + "\n".join(parts) + "\n", column("hilton"))


def judged(night: Evening, *books: str, entries: Sequence[TableEntry] | None = None) -> AuditResult:
    by_stream = {hand.stream.hex: hand for hand in night.hands if hand.stream}
    rules = [load(book) for book in books]
    audit, table = Auditor(rules), TableWalk(rules)
    for sat in table.contexts(night.table if entries is None else entries):
        audit.judge_hand(by_stream[sat.hand.hand], sat)
    return audit.result()


def clauses(night: Evening, book: str = "hilton") -> set[tuple[str, str]]:
    findings = judged(night, book).findings
    return {(f.hand.number, f.clause) for f in findings if f.book == book}


def row(result: AuditResult, clause: str) -> Coverage:
    return next(c for c in result.coverage if c.clause == clause and c.book == "hilton")


STRADDLED = hand(2, *TWO, button=1)


def test_without_a_permission_the_second_straddle_is_a_finding() -> None:
    assert ("2", "B8a.1") in clauses(night(hand(1, button=5), STRADDLED))


@pytest.mark.parametrize(
    ("permission", "hand_number", "allowed"),
    [
        ("allowed multiple-straddles by shift-manager scope table", 0, True),
        ("allowed multiple-straddles by shift-manager scope day", 0, True),
        ("allowed multiple-straddles by shift-manager", 1, True),
        ("allowed multiple-straddles by shift-manager", 0, False),
        ("allowed sleeper by shift-manager scope table", 0, False),
    ],
)
def test_a_permission_told_at_the_table_counts_in_its_scope(permission: str, hand_number: int, allowed: bool) -> None:
    parts = [hand(1, button=5), STRADDLED]
    parts.insert(hand_number, permission)
    assert (("2", "B8a.1") not in clauses(night(*parts))) is allowed


def test_a_permission_within_a_hand_holds_for_later_hands_only_beyond_it() -> None:
    def first(scope: str) -> str:
        return hand(1, f"allowed multiple-straddles by shift-manager scope {scope}", "2 folds", button=5)

    assert ("2", "B8a.1") not in clauses(night(first("table"), STRADDLED))
    assert ("2", "B8a.1") in clauses(night(first("hand"), STRADDLED))


def test_a_permission_of_the_wrong_role_is_none() -> None:
    permission = "allowed multiple-straddles by floor scope table"
    assert ("2", "B8a.2") in clauses(night(permission, hand(1, button=5), STRADDLED))


def test_a_permission_for_the_day_is_over_on_the_next() -> None:
    permission = "allowed multiple-straddles by shift-manager scope day at 2026-11-20T20:00:00Z"
    table = night("game-started at 2026-11-20T19:00:00Z", permission, hand(1, button=5), STRADDLED)
    assert ("2", "B8a.1") in clauses(table)
    assert ("2", "B8a.1") not in clauses(
        night(permission.replace("11-20T20:00", "11-20T20:03"), hand(1, button=5), STRADDLED)
    )


SLEEPER = ("5 straddles 20", "deal done", "1 folds")


def test_a_permission_goes_with_the_player_not_with_the_seat() -> None:
    allowed = "allowed sleeper by shift-manager seat 5 scope table"
    sleeper = hand(2, *SLEEPER, button=1)
    assert ("2", "B8h") not in clauses(night(hand(1, button=5), allowed, sleeper))
    other_permission = "allowed sleeper by shift-manager seat 4 scope table"
    assert ("2", "B8h") in clauses(night(hand(1, button=5), other_permission, sleeper))
    text = f"{allowed}\n5 leaves P5\n5 sits Newcomer stack 1000"
    newcomer = sleeper.replace("seat 5 P5", "seat 5 Newcomer")
    assert ("2", "B8h") in clauses(night(hand(1, button=5), text, newcomer))


def test_an_option_told_at_the_table_is_in_force_from_then_on() -> None:
    straddle = hand(2, "4 straddles 25", "deal done", "5 folds", button=1)
    option_text = "between-hands\noption straddle-amount 20\nend"
    assert ("2", "B8b.3") in clauses(night(hand(1, button=5), option_text, straddle))
    audit_result = judged(night(hand(1, button=5), straddle, option_text), "hilton")
    assert "B8b.3" not in {f.clause for f in audit_result.findings}
    assert row(audit_result, "B8b.3").cannot_tell == 1


def test_a_hand_by_itself_is_not_judged_by_clauses_about_several() -> None:
    hands = night(hand(1, button=5), hand(2, button=1)).hands
    audit = Auditor([load("hilton")])
    audit.judge_hand(hands[0])
    clauses = [
        clause
        for clause in load("hilton").clauses.values()
        if clause.spec and clause.spec.reads_table and not clause.spec.judges_alone
    ]
    assert clauses
    for clause in clauses:
        coverage = row(audit.result(), clause.id)
        assert not coverage.judged
        if coverage.cannot_tell:
            assert coverage.missing


def test_after_missing_hands_nobody_is_accused_until_the_table_is_known_again() -> None:
    wrong = hand(3, button=3)
    assert judged(night(hand(1, button=5), hand(2, button=1), wrong), "hilton").findings
    result = judged(night(hand(1, button=5), wrong), "hilton")
    assert not [f for f in result.findings if f.book == "hilton"]
    facts = {m.fact for c in result.coverage for m in c.missing}
    assert EARLIER_HANDS in facts
    assert TABLE_ORDER not in facts
    audit_result = judged(night(hand(1, button=5), wrong, hand(4, button=5)), "hilton")
    assert {f.hand.number for f in audit_result.findings if f.book == "hilton"} == {"4"}


def test_a_second_telling_stands_in_the_place_of_the_first() -> None:
    table = night(hand(1, button=5), hand(2, button=1))
    other_hand = night(hand(1, button=5), hand(2, button=3)).hands[1]
    audit = Auditor([load("hilton")])
    for sat in TableWalk([load("hilton")]).contexts(table.table):
        if sat.hand.number == "2":
            hand_played = other_played(other_hand)
            assert sat.for_account(hand_played).hand is hand_played
            assert sat.for_account(hand_played)["hilton"].due.place == sat["hilton"].due.place
            audit.judge_hand(other_hand, sat.for_account(hand_played))
    assert {f.hand.number for f in audit.result().findings if f.book == "hilton"} == {"2"}


def other_played(hand: HandReplay) -> HandPlayed:
    return build_hand_played(hand.final_state, "ab" * 16)


def test_what_was_due_on_a_hand_of_the_past_can_be_asked() -> None:
    table = night(hand(1, button=5), hand(2, button=1), hand(3, button=2))
    books = [load("hilton"), load("rrop4")]
    second = table.hands[1].stream
    assert second is not None
    state_before, findings_of_hand, due = replay_to_hand(make_first_checkpoint(table.table), books, second.hex)
    assert (findings_of_hand is not None and findings_of_hand.number, state_before.state.number) == ("2", "1")
    assert [due_of_book.place is not None and due_of_book.place.button for due_of_book in due] == [1, 1]
    state_before, findings_of_hand, due = replay_to_hand(make_first_checkpoint(table.table), books)
    assert (findings_of_hand, state_before.state.number) == (None, "3")
    assert [due_of_book.place is not None and due_of_book.place.button for due_of_book in due] == [3, 3]


# Arrival

EVENING = night(
    "game-started at 2026-11-21T19:59:00Z",
    hand(1, button=5),
    hand(2, *TWO, button=1),
    "3 away at 2026-11-21T20:02:30Z",
    hand(3, button=2, seats=(1, 2, 4, 5)),
    "3 back at 2026-11-21T20:03:30Z",
    "allowed multiple-straddles by shift-manager scope table at 2026-11-21T20:03:40Z",
    hand(4, button=1),
    hand(6, button=5),
    hand(7, *TWO, button=1),
    hand(8, button=4),
)


@cache
def in_order() -> bytes:
    return encode_document(judged(EVENING, *list_names()))


def test_the_evening_has_something_to_be_found_in() -> None:
    findings = judged(EVENING, *list_names()).findings
    assert {f.hand.number for f in findings} >= {"2", "4", "8"}


@settings(max_examples=min(25, settings().max_examples), deadline=None)
@given(order=st.permutations(range(len(EVENING.table))))
def test_arrival_changes_nothing(order: list[int]) -> None:
    entries = [
        TableEntry(arrived, EVENING.table[entry_index].event, EVENING.table[entry_index].time)
        for arrived, entry_index in enumerate(order, 1)
    ]
    assert encode_document(judged(EVENING, *list_names(), entries=entries)) == in_order()


# One wrong, one finding


def yielding(**yields: str) -> Rulebook:
    clause = """
[{id}]
says = "At most one straddle."
topic = "straddle"
severity = "error"
detector = "straddle.too_many"
using = {{ limit = 1 }}
{more}
"""
    head = '[rulebook]\ntitle = "T"\nedition = "1"\nsource = "none"\ngames = {}\n'
    body = "".join(
        clause.format(id=name, more=f"yields_to = [{other_clause}]" if other_clause else "")
        for name, other_clause in yields.items()
    )
    return read("mine", (head + body).encode())


def test_a_clause_that_yields_is_named_in_the_finding_of_the_other() -> None:
    wrong = night(hand(1, button=5), STRADDLED).hands[1]
    audit = Auditor([yielding(a='"b"', b='"c"', c="", d="")])
    own_findings = [f for f in audit.judge_hand(wrong) if f.book == "mine"]
    assert [(f.clause, f.also) for f in own_findings] == [("c", ["a", "b"]), ("d", [])]
    counts = {c.clause: (c.found, c.findings) for c in audit.result().coverage if c.book == "mine"}
    assert counts == {"a": (1, 0), "b": (1, 0), "c": (1, 1), "d": (1, 1)}


def test_merging_leaves_fingerprints_as_they_were() -> None:
    wrong = night(hand(1, button=5), STRADDLED).hands[1]

    def printed(book: Rulebook) -> dict[str, str]:
        return {f.clause: f.fingerprint for f in Auditor([book]).judge_hand(wrong) if f.book == "mine"}

    printed_apart, printed_together = printed(yielding(a="", c="")), printed(yielding(a='"c"', c=""))
    assert printed_together == {"c": printed_apart["c"]}


def test_findings_stay_json() -> None:
    document = msgspec.json.decode(in_order())
    assert document["summary"]["findings"] == len(document["findings"])
