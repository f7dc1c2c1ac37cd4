"""What a `Table` answers is what a ledger of the same hands answers: `due`, and what `audit` finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from handledger.question_text import make_sentence
from handledger.table import Table
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.addresses.hand_address import find_table
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.obligations import dues
from projections.table_walk.played_tables import list_places
from projections.table_walk.replay import walk_hands
from projections.tables.owed_document import build_document
from tests.evenings import ROOMS, evening
from tests.evenings.judging import judge
from tests.evenings.script import script
from tests.laws import size
from tests.library.random_tables import play

KIND_ROLES = {"small blind": "small", "big blind": "big", "third blind": "extra", "make-up": "makeup"}


def imported(folder: Path, text: str) -> Ledger:
    """Return a ledger with a text of handscript."""
    path = folder / "table.hand"
    path.write_text(text)
    book = open_ledger("sqlite://")
    [summary] = import_paths(book, [path]).files
    assert not summary.rejected, text
    return book


def ledger_due(book: Ledger, book_name: str, before: str | None = None) -> dues.Due:
    """Return what `handledger due` answers."""
    [place] = list_places(book)
    row = find_table(book, f"{place.tournament}/{place.table}" if place.tournament else place.table)
    return build_document(book, row, [load(book_name)], before).due[0]


def ledger_findings(book: Ledger, book_name: str) -> set[tuple[str, str, int | None, str, str, str]]:
    """Return what `handledger audit` finds: number, clause, seat and sentences."""
    chosen = [(place, list(book.hands(**place._asdict(), standing=True))) for place in list_places(book)]
    result = Auditor([load(book_name)]).judge_hands(walk_hands(book, chosen, [load(book_name)]))
    return {
        (finding.hand.number, finding.citation, finding.seat, finding.saw, finding.should, finding.certainty)
        for finding in result.findings
    }


def same_due(table: Table, book: Ledger, book_name: str) -> None:
    """Hold the library's answer against the ledger's, by way of the same words."""
    answer, engine = table.due(), ledger_due(book, book_name)
    assert answer.unknown == make_sentence(engine.unknown)
    assert answer.after == engine.previous_hand
    assert [seat.seat for seat in answer.seats] == [seat_due.seat for seat_due in engine.seats]
    for seat, seat_due in zip(answer.seats, engine.seats, strict=True):
        assert (seat.chips, seat.dead, seat.may_have_button) == (seat_due.live, seat_due.dead, seat_due.button)
        assert {reason.sentence for reason in seat.reasons} >= {
            make_sentence(ground.sentence) for ground in seat_due.grounds
        }
    if engine.unknown:
        return
    shown = [(r.button, r.small_blind, r.big_blind, r.dealt, r.is_settled) for r in answer.readings]
    placements = [choice.placements for choice in engine.choices] or [engine.placements]
    engine_readings = [[(p.button, p.small, p.big, p.dealt, p.judged) for p in group] for group in placements]
    assert shown in engine_readings, (shown, engine_readings)
    blinds = {(p.seat, p.role, p.live, p.dead) for group in placements for place in group for p in place.posts}
    answered = {(p.seat, KIND_ROLES.get(p.kind, p.kind), p.chips, p.dead) for p in answer.readings[0].posts}
    assert {post for post in answered if post[1] in ("small", "big", "extra")} <= blinds


@pytest.mark.law
@pytest.mark.parametrize("seed", range(size(6, 400)))
def test_a_random_table_and_a_ledger_of_its_hands_answer_the_same(seed: int, tmp_path: Path) -> None:
    played = play(seed)
    table = played.table
    assert table.rulebook is not None
    text = table.to_handscript()
    with imported(tmp_path, text) as book:
        same_due(table, book, table.rulebook.name)
        faults = {
            (number, f"{fault.book} {fault.clause}", fault.seat, fault.sentence, fault.should, fault.certainty)
            for number, hand_faults in played.faults.items()
            for fault in hand_faults
        }
        assert faults == ledger_findings(book, table.rulebook.name), text
    document = table.to_dict()
    assert Table.from_dict(document).due() == table.due()
    assert Table.from_dict(document).to_dict() == document
    read_table = Table.from_handscript(text, rulebook=table.rulebook)
    assert read_table.due() == Table.from_dict({**document, "picks": {}}).due()
    assert Table.from_dict(read_table.to_dict()).due() == read_table.due()


@pytest.mark.law
@pytest.mark.parametrize("name", ROOMS)
def test_an_evening_read_from_handscript_answers_as_its_ledger(name: str, tmp_path: Path) -> None:
    for seed in range(size(1, 20)):
        sample = evening(name, seed, size(8, 30))
        text = script(sample)
        if " tournament 77" in text:  # the facts between its hands are of the tournament's table too
            text = text.replace("venue Evening  table 1", "venue Evening  table 1  tournament 77", 1)
        table = Table.from_handscript(text, rulebook=sample.room.book)
        assert not judge(sample)[0]
        with imported(tmp_path, text) as book:
            same_due(table, book, sample.room.book)
