"""Cases in a ledger: programs that write to one at the same time, and holds, on both databases."""

from __future__ import annotations

import pytest

import ledger
from ledger.case.events import CaseClosed, CaseOpened, HoldLifted, HoldPlaced, StatementTaken
from ledger.errors import CaseError, HeldError, NothingFoundError
from ledger.house.events import PeopleMerged
from ledger.store.requests import case_streams
from ledger.store.requests.erasure import erase
from ledger.streams import HOUSE, case_stream


def test_two_programs_at_one_case_neither_lose_nor_overwrite(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        stream = case_stream("A1")
        case_streams.open_case(first_ledger, CaseOpened("", "other", "floor"), [], "A1")
        questions = []

        def decide(case: case_streams.Case) -> list[StatementTaken]:
            questions.append(len(case.entries))
            if len(questions) == 1:  # another program is quicker
                second_ledger.append(
                    "case", stream, [StatementTaken("dealer", words=second_ledger.people.text("first"))]
                )
            return [StatementTaken("floor", words=first_ledger.people.text("second"))]

        case = case_streams.add_to_case(first_ledger, "A1", decide)
        assert questions == [1, 2]
        assert [first_ledger.people.words(statement.words) for statement in case.state.statements] == [
            "first",
            "second",
        ]


def test_nothing_is_added_to_a_case_that_was_closed_a_moment_before(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        case_streams.open_case(first_ledger, CaseOpened("", "other", "floor"), [], "A1")

        def decide(case: case_streams.Case) -> list[StatementTaken]:
            if case.state.status == "open":
                second_ledger.append("case", case_stream("A1"), [CaseClosed("withdrawn")])
            return [StatementTaken("floor", words="t-late")]

        with pytest.raises(CaseError, match="closed"):
            case_streams.add_to_case(first_ledger, "A1", decide)
        assert len(first_ledger.events(case_stream("A1"))) == 2


def test_two_cases_opened_at_once_have_two_numbers(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        real = first_ledger.append

        def open_late(*args: object, **named: object) -> object:
            monkeypatch.setattr(first_ledger, "append", real)
            case_streams.open_case(second_ledger, CaseOpened("", "other", "floor"), [])
            return real(*args, **named)  # type: ignore[arg-type]  # passed on as they came

        monkeypatch.setattr(first_ledger, "append", open_late)
        second = case_streams.open_case(first_ledger, CaseOpened("", "other", "player"), [])
        assert [case.number.partition("-")[2] for case in case_streams.all_cases(first_ledger)] == ["1", "2"]
        assert second.number.endswith("-2")
        assert second.state.opening is not None
        assert second.state.opening.by == "player"


def test_a_held_person_is_not_forgotten_under_any_id(url: str) -> None:
    with ledger.open(url) as book:
        anna, ann = book.people.player("Room", "Anna"), book.people.player("Room", "Ann")
        hold = HoldPlaced("person", ann)
        case_streams.open_case(book, CaseOpened("", "other", "floor", anna), [hold], "A1")
        book.append("house", HOUSE, [PeopleMerged(anna, ann, "manager")])
        with pytest.raises(HeldError, match="case A1 holds"):
            erase(book, anna)
        case_streams.add_to_case(book, "A1", lambda _: [HoldLifted("person", ann)])
        assert sorted(erase(book, anna)) == sorted([anna, ann])
        assert book.people.name(anna) is None


def test_a_case_that_is_not_there_is_an_error(url: str) -> None:
    with ledger.open(url) as book:
        with pytest.raises(NothingFoundError):
            case_streams.find_case(book, "A1")
        with pytest.raises(NothingFoundError):
            case_streams.add_to_case(book, "A1", lambda _: [])
        assert list(case_streams.all_cases(book)) == []
