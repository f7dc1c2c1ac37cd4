"""One wrong, one finding: which breaches are the same wrong, and what a finding takes from the others."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from projections.audit.merged_findings import ClauseBreach, list_shown_events, merge_breaches
from projections.books.rulebook import Clause, load
from projections.findings.doubts import grade_breach
from projections.findings.finding import Breach, Fate
from projections.obligations.dues import Ground

BOOK = load("hilton")


def clause(name: str, *yields: str, table: bool) -> Clause:
    """A clause of the book in another's clothes: its id, what it yields to, whether it is about tables."""
    clause = BOOK.clauses["B8a.1"]
    assert clause.spec is not None
    entry = msgspec.structs.replace(clause.entry, yields_to=list(yields))
    return replace(clause, id=name, entry=entry, spec=replace(clause.spec, reads_table=table))


def make_breach(
    name: str, version: int, seat: int | None, *yields: str, book_index: int = 0, table: bool = True
) -> ClauseBreach:
    return ClauseBreach(book_index, 0, clause(name, *yields, table=table), Breach(version, f"saw {name}", seat=seat))


def merge_clauses(*found: ClauseBreach) -> list[tuple[str, list[str]]]:
    return [
        (clause_breach.clause.id, [merged_breach.clause.id for merged_breach in clause_breach.merged_breaches])
        for clause_breach in merge_breaches(list(found))
    ]


@pytest.mark.parametrize(
    ("one_place", "other_place", "table", "is_same"),
    [
        ((5, 1), (5, 2), False, True),  # one event, whoever is named
        ((5, 1), (6, 1), False, False),  # a hand's clauses speak of events
        ((5, 1), (6, 1), True, True),  # a table's of seats
        ((5, 1), (6, 2), True, False),
        ((5, None), (6, 2), True, True),
        ((5, 1), (6, None), True, True),
    ],
)
def test_one_event_or_one_seat_of_a_table_is_the_same_wrong(
    one_place: tuple[int, int | None], other_place: tuple[int, int | None], table: bool, is_same: bool
) -> None:
    merged_clauses = merge_clauses(
        make_breach("a", *one_place, "b", table=table), make_breach("b", *other_place, table=table)
    )
    assert merged_clauses == ([("b", ["a"])] if is_same else [("a", []), ("b", [])])


def test_a_hands_clause_and_a_tables_meet_at_their_event_only() -> None:
    assert merge_clauses(make_breach("a", 5, 1, "b", table=False), make_breach("b", 6, 1)) == [("a", []), ("b", [])]
    assert merge_clauses(make_breach("a", 5, 1, "b"), make_breach("b", 6, 1, table=False)) == [("a", []), ("b", [])]


def test_who_yields_gives_way_to_the_first_of_its_list_that_speaks() -> None:
    assert merge_clauses(make_breach("a", 5, 1, "b", "c"), make_breach("c", 5, 1)) == [("c", ["a"])]
    both_merged = merge_clauses(
        make_breach("a", 5, 1, "c", "b"), make_breach("b", 5, 1, book_index=1), make_breach("c", 5, 1, book_index=2)
    )
    assert both_merged == [("b", []), ("c", ["a"])]
    assert merge_clauses(make_breach("a", 5, 1, "b")) == [("a", [])]


def test_a_chain_ends_in_one_finding() -> None:
    merged_clauses = merge_clauses(
        make_breach("a", 5, 1, "b"), make_breach("b", 5, 1, "c", book_index=1), make_breach("c", 5, 1, book_index=2)
    )
    assert merged_clauses == [("c", ["a", "b"])]


def test_clauses_of_another_book_are_not_meant() -> None:
    clause_breach = make_breach("b", 5, 1)
    foreign = ClauseBreach(1, 0, replace(clause_breach.clause, book="mine"), clause_breach.breach)
    assert merge_clauses(make_breach("a", 5, 1, "b"), foreign) == [("a", []), ("b", [])]


def test_findings_stand_in_the_order_of_the_hand_then_of_the_book() -> None:
    assert merge_clauses(
        make_breach("z", 7, 1), make_breach("b", 5, 2, book_index=4), make_breach("a", 5, 1, book_index=9)
    ) == [("b", []), ("a", []), ("z", [])]


def test_the_events_of_what_was_merged_are_shown_once() -> None:
    first = make_breach("a", 5, 1, "b")
    first.breach = replace(first.breach, other_events=((2, "two"), (6, "six")))
    second = make_breach("b", 6, 1)
    second.breach = replace(second.breach, other_events=((2, "zwei"),))
    (clause_breach,) = merge_breaches([first, second])
    assert list_shown_events(clause_breach) == ((2, "zwei"), (5, "saw a"))


BIG_BLIND_MISSED = Ground("the big blind went by", ("B11a",))
GUESS = Ground("the house uses a dead button", basis="assumed")


@pytest.mark.parametrize(
    ("breach", "expected"),
    [
        (Breach(1, "x", because="b"), ("certain", "b")),
        (Breach(1, "x", grounds=(BIG_BLIND_MISSED,)), ("certain", "The big blind went by.")),
        (Breach(1, "x", because="b", grounds=(BIG_BLIND_MISSED,)), ("certain", "b")),
        (
            Breach(1, "x", grounds=(BIG_BLIND_MISSED, GUESS, GUESS)),
            ("likely", "The big blind went by. Assumed: The house uses a dead button."),
        ),
        (
            Breach(1, "x", grounds=(GUESS,), certainty="needs-video"),
            ("needs-video", "Assumed: The house uses a dead button."),
        ),
    ],
)
def test_what_rests_on_an_assumption_is_likely_and_names_it(breach: Breach, expected: tuple[str, str]) -> None:
    assert grade_breach(breach) == expected


def step(name: str, version: int, wrong_version: int, remedy: Fate = "not-followed") -> ClauseBreach:
    """A breach about putting right what went wrong at the event `of`; 0 = it is the wrong itself."""
    clause_breach = make_breach(name, version, None, table=False)
    clause_breach.breach = replace(clause_breach.breach, wrong_event=wrong_version, remedy=remedy)
    return clause_breach


def test_the_steps_of_a_remedy_stand_beside_the_wrong() -> None:
    merged_clauses = merge_clauses(step("a", 5, 0), step("b", 8, 5), step("c", 9, 5), step("d", 9, 7))
    assert merged_clauses == [("a", ["b", "c"]), ("d", [])]


def test_where_no_clause_speaks_of_the_wrong_the_first_step_does() -> None:
    # What stands at the same event and has no remedy is another wrong.
    merged_clauses = merge_clauses(step("a", 5, 0, "none"), step("b", 8, 5), step("c", 9, 5))
    assert merged_clauses == [("a", []), ("b", ["c"])]


def test_a_step_that_was_not_followed_is_the_fate_of_the_remedy() -> None:
    wrong, clause_breach = step("a", 5, 0, "followed"), step("b", 8, 5)
    wrong.breach = replace(wrong.breach, severity="warning")
    (merged_breach,) = merge_breaches([wrong, clause_breach])
    assert (merged_breach.breach.remedy, merged_breach.breach.severity) == ("not-followed", None)
    assert merged_breach.breach.because == "Saw b."


def test_two_steps_of_which_one_yields_to_the_other_are_one_finding() -> None:
    loose, close = step("a", 8, 5), step("b", 8, 5)
    loose.clause = clause("a", "b", table=False)
    assert merge_clauses(loose, close) == [("b", ["a"])]
