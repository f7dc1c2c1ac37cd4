"""A query finds what a filter in plain Python over all hands finds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import select

from ledger.errors import QueryError, UsageError
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.addresses.query_values import quote_query_value
from projections.books import rulebook
from projections.queries.fields import (
    CERTAINTIES,
    FIELDS,
    GAME_NICKNAMES,
    SEVERITIES,
    STREETS,
    WORDS,
    QueryField,
    write_query_help,
)
from projections.queries.finding_phrases import PHRASES
from projections.queries.ledger_query import select_hands
from projections.queries.query_checks import check_query
from projections.queries.query_grammar import And, Not, Or, Query, QueryWord, Term, parse_syntax
from projections.queries.query_run import HandSelection
from projections.queries.result_query import build_results, sum_matching_results
from projections.shards.lake_audit import audit_lake
from projections.shards.lake_builder import build_lake
from projections.shards.shard_queries import run_lake_query as of_lake
from projections.tables.finding_tables import kept_findings
from projections.tables.result_tables import hand_results, seat_results
from tests.conftest import ROOT, scale_examples
from tests.evenings.script import script
from tests.laws import size
from tests.projections.test_doubts import wrong_evenings

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ":": lambda a, b: a == b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}
BOOK = "hilton"


class Hands(SimpleNamespace):
    """The rows of a ledger's tables, for a filter in Python."""

    hands: list[dict[str, Any]]
    seats: dict[int, list[dict[str, Any]]]
    findings: dict[int, list[dict[str, Any]]]


_FOLDER = TemporaryDirectory()


@cache
def ledger_of() -> tuple[Any, Hands]:
    folder = Path(_FOLDER.name)
    ledger = ExitStack().enter_context(open_ledger(folder / "x.ledger"))
    for index, (book, evening) in enumerate(wrong_evenings()[:24]):
        if book == BOOK:
            text = script(evening).replace("table 1", f"table T{index}")
            (folder / f"{index}.hand").write_text(text)
    samples = [ROOT / "tests" / "formats" / name for name in ("pokerstars", "fulltilt")]
    import_paths(ledger, [folder, *samples])
    with select_hands(ledger, f"book:{BOOK}", "06:00") as selection, selection._table_store.core() as connection:
        rows = Hands(
            hands=[dict(row._mapping) for row in connection.execute(select(hand_results))], seats={}, findings={}
        )
        for table, into in ((seat_results, rows.seats), (kept_findings, rows.findings)):
            for row in connection.execute(select(table)):
                into.setdefault(row.position, []).append(dict(row._mapping))
    return ledger, rows


def value_of(field: str, row: dict[str, Any]) -> Any:
    kind, column = FIELDS[field].kind, FIELDS[field].column
    value = row[column]
    return None if value is None else value / row["scale"] if kind == "money" else value


def holds(query: Query, row: dict[str, Any]) -> bool:
    """Whether a query holds of one row: a hand, a seat, a finding."""
    match query:
        case Or():
            return any(holds(operand, row) for operand in query.operands)
        case And():
            return all(holds(operand, row) for operand in query.operands)
        case Not():
            return not holds(query.operand, row)
        case QueryWord():
            return {"showdown": "showdown", "voided": "voided", "all-in": "all_in", "winner": "net"}[query.word] in {
                key for key, value in row.items() if isinstance(value, int) and value > 0
            }
    assert isinstance(query, Term)
    compare = COMPARE[query.operator]
    if query.operator == "!=":
        return not any(fits(query.field, COMPARE["="], value, row) for value in query.values)
    return any(fits(query.field, compare, value, row) for value in query.values)


def fits(field: str, compare: Callable[[Any, Any], bool], value: str, row: dict[str, Any]) -> bool:
    if field == "note":
        return bool(row[value]) if value != "cut-off" else not row["voided"] and not row["completed"]
    if field == "board":
        return value in row["board"]
    if field == "game":
        variant, betting = GAME_NICKNAMES[value]
        return row["variant"] == variant and betting in ("", row["betting"])
    if field == "text":
        finding = json.loads(bytes(row["finding"]))
        return any(value.lower() in finding[member].lower() for member in ("saw", "asks", "should", "because"))
    if field == "clause":
        return value in (row["clause"], f"{row['book']}.{row['clause']}")
    field_value = value_of(field, row)
    if field_value is None:
        return False
    if field in ("severity", "certainty"):
        ranks = SEVERITIES if field == "severity" else CERTAINTIES
        return compare(ranks.index(field_value), ranks.index(value))
    if field == "street":
        return compare(field_value, STREETS.index(value))
    if FIELDS[field].kind in ("number", "money"):
        return compare(field_value, float(value))
    return compare(str(field_value).lower(), value.lower())


def level(query: Query) -> str:
    match query:
        case Term():
            return FIELDS[query.field].level
        case QueryWord():
            return WORDS[query.word].level
        case Not():
            return level(query.operand)
        case And(operands=ones) | Or(operands=ones):
            levels = {level(term) for term in ones}
            return levels.pop() if len(levels) == 1 else "mixed"


def of_hand(query: Query, hand: dict[str, Any], rows: Hands) -> bool:
    """Whether a hand fits: terms of a seat beside each other speak of one seat, of a finding of one finding."""
    if isinstance(query, Or):
        return any(of_hand(term, hand, rows) for term in query.operands)
    if isinstance(query, Not) and level(query.operand) in ("hand", "mixed"):
        return not of_hand(query.operand, hand, rows)
    operands = query.operands if isinstance(query, And) else (query,)
    seats = rows.seats.get(hand["position"], [])
    findings = rows.findings.get(hand["position"], [])
    for term in operands:
        if level(term) == "hand" and not holds(term, hand):
            return False
        if level(term) == "mixed" and not of_hand(term, hand, rows):
            return False
    asked_seats = [term for term in operands if level(term) == "seat"]
    asked_findings = [term for term in operands if level(term) == "finding"]
    seat_named = any(not isinstance(term, Not) for term in asked_seats)
    finding_named = any(not isinstance(term, Not) for term in asked_findings)
    if not seat_named and any(holds(term.operand, s) for term in asked_seats for s in seats if isinstance(term, Not)):
        return False
    if not finding_named and any(
        holds(term.operand, f) for term in asked_findings for f in findings if isinstance(term, Not)
    ):
        return False
    fitting_seats = [s for s in seats if all(holds(term, s) for term in asked_seats)]
    fitting_findings = [f for f in findings if all(holds(term, f) for term in asked_findings)]
    if seat_named and finding_named:
        return any(f["seat"] in (None, s["seat"]) for s in fitting_seats for f in fitting_findings)
    return not (seat_named and not fitting_seats) and not (finding_named and not fitting_findings)


def texts() -> st.SearchStrategy[str]:
    _, rows = ledger_of()
    seats = [seat for rows_of_hand in rows.seats.values() for seat in rows_of_hand]
    findings = [finding for rows_of_hand in rows.findings.values() for finding in rows_of_hand]

    def value(field: str) -> st.SearchStrategy[str]:
        kind, level = FIELDS[field].kind, FIELDS[field].level
        if field == "note":
            return st.sampled_from(["voided", "cut-off", "unbalanced", "corrected"])
        if field == "game":
            return st.sampled_from(sorted(GAME_NICKNAMES))
        if field == "street":
            return st.sampled_from(STREETS)
        rows_of_level = {"hand": rows.hands, "seat": seats, "finding": findings}[level]
        if kind == "cards":
            return st.sampled_from([row["board"][:2] for row in rows_of_level if row["board"]])
        if field == "text":
            words = [json.loads(bytes(row["finding"]))["saw"].split() for row in findings]
            return st.sampled_from(
                [" ".join(word[index : index + 3]) for word in words for index in range(len(word))]
            ).map(quote_query_value)
        if field == "clause":
            return st.sampled_from(
                [form for row in rows_of_level for form in (row["clause"], f"{row['book']}.{row['clause']}")]
            )
        values = sorted({str(v) for row in rows_of_level if (v := value_of(field, row)) not in (None, "")})
        return st.sampled_from(values or ["x"]).map(quote_query_value)

    def term(field: str) -> st.SearchStrategy[str]:
        ranked = FIELDS[field].kind in ("number", "money") or field in ("severity", "certainty", "street")
        finding = st.tuples(
            st.sampled_from([":", "=", "!=", ">", ">=", "<", "<="] if ranked else [":", "=", "!="]), value(field)
        )
        many = (
            st.lists(value(field), min_size=1, max_size=3).map(",".join).map(lambda rows_of_hand: (":", rows_of_hand))
        )
        return st.one_of(finding, many).map(lambda both: field + "".join(both))

    fields = [name for name, field in FIELDS.items() if field.kind not in ("day", "person", "source")]
    word = st.sampled_from([name for name in WORDS if name != "finding"])
    leaf = st.one_of(st.sampled_from(fields).flatmap(term), word)
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            inner.map(lambda finding: f"-({finding})"),
            st.lists(inner, min_size=2, max_size=3).map(" ".join),
            st.lists(inner, min_size=2, max_size=3).map(" and ".join),
            st.lists(inner, min_size=2, max_size=3).map(lambda rows_of_hand: f"({' or '.join(rows_of_hand)})"),
        ),
        max_leaves=6,
    )


@cache
def lake_of() -> Path:
    """What was found in a lake of the ledger."""
    ledger, _ = ledger_of()
    folder = Path(_FOLDER.name)
    build_lake(ledger, folder / "lake", day_start="06:00", hands_per_shard=100)
    audit_lake(folder / "lake", [rulebook.load(BOOK)], folder / "out")
    return folder / "out"


@contextmanager
def asked_of(store_kind: str, text: str) -> Iterator[HandSelection]:
    """Ask a ledger, or what was found in its lake."""
    if store_kind == "lake":
        pytest.importorskip("duckdb_engine", reason="no DuckDB: pip install 'handledger[duckdb]'")
        with of_lake(lake_of(), text, "06:00") as selection:
            yield selection
    else:
        with select_hands(ledger_of()[0], text, "06:00", [rulebook.load(BOOK)]) as selection:
            yield selection


@pytest.mark.parametrize("store_kind", ["ledger", "lake"])
@pytest.mark.law
@pytest.mark.slow
@settings(max_examples=scale_examples(size(100, 300)), deadline=None)
@given(data=st.data())
def test_a_query_finds_what_a_filter_in_python_finds(store_kind: str, data: st.DataObject) -> None:
    ledger, rows = ledger_of()
    text = data.draw(texts())
    query = check_query(parse_syntax(text), text)
    with asked_of(store_kind, text) as selection:
        streams = {bytes(row[0]) for row in selection.iter_hand_values(hand_results.c.stream)}
    standing_streams = {row.stream.bytes for row in ledger.hands(standing=True)}
    expected_streams = {bytes(hand["stream"]) for hand in rows.hands if of_hand(query, hand, rows)}
    assert streams == expected_streams & standing_streams, text


@pytest.mark.parametrize("store_kind", ["ledger", pytest.param("lake", marks=pytest.mark.slow)])
@pytest.mark.parametrize("field", [*FIELDS.values(), *WORDS.values()], ids=lambda field: field.example)
def test_every_example_of_the_help_can_be_asked(store_kind: str, field: QueryField) -> None:
    text = field.example
    assert text in write_query_help()
    if store_kind == "lake" and text.startswith("dealer"):
        with pytest.raises(UsageError, match="store the dealers"), asked_of(store_kind, text):
            pass
        return
    if field.kind in ("person", "source"):  # nobody, and no file, is called so here
        with pytest.raises(QueryError, match=r"nobody|no player|no source"), asked_of(store_kind, text):
            pass
        return
    with asked_of(store_kind, text) as selection:
        assert selection.count_hands() >= 0


@pytest.mark.parametrize("store_kind", ["ledger", pytest.param("lake", marks=pytest.mark.slow)])
def test_phrases_find_what_their_words_say(store_kind: str) -> None:
    _, rows = ledger_of()
    saws = [
        json.loads(bytes(finding["finding"]))["saw"].lower()
        for rows_of_hand in rows.findings.values()
        for finding in rows_of_hand
    ]
    for phrase, patterns in PHRASES.items():
        with asked_of(store_kind, phrase) as selection:
            is_found = any(pattern in saw for saw in saws for pattern in patterns)
            assert selection.count_hands() > 0 or not is_found, phrase
    with asked_of(store_kind, 'text:"},"') as selection:
        assert selection.count_hands() == 0, "what is between the words is no word"
    with asked_of(store_kind, "text:because") as selection:
        assert selection.count_hands() == 0, "nor is the name of a member"
    with asked_of(store_kind, "text:%") as selection:
        assert selection.count_hands() == 0
    with (
        asked_of(store_kind, "clause:record.R6"),
        pytest.raises(QueryError, match="no words"),
        asked_of(store_kind, "text:*"),
    ):
        pass


@pytest.mark.parametrize("store_kind", ["ledger", pytest.param("lake", marks=pytest.mark.slow)])
@pytest.mark.parametrize("amount", ["9999999999", "99999999999999999", "9999999999999.999"])
def test_an_amount_greater_than_any_on_record_can_be_asked(store_kind: str, amount: str) -> None:
    for least, at_most in (("pot>{}", "pot<={}"), ("net>={}", "net<{}"), ("pot:{}", "pot!={}")):
        with asked_of(store_kind, least.format(amount)) as none, asked_of(store_kind, at_most.format(amount)) as every:
            assert (none.count_hands(), every.count_hands() > 0) == (0, True)
    with asked_of(store_kind, f"net>-{amount}") as every, asked_of(store_kind, f"net<-{amount}") as none:
        assert (none.count_hands(), every.count_hands() > 0) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("grouping", ["player", "position", "table", "day", "game"])
@pytest.mark.parametrize("query", ["", "pot>=20", "position:BTN,CO clause:hilton.*", "-(showdown or all-in)"])
def test_sums_of_a_lake_are_those_of_its_ledger(grouping: str, query: str) -> None:
    ledger, _ = ledger_of()
    with asked_of("lake", query or "pot>=0") as selection:
        result_tolds = build_results(selection, grouping, [], "06:00", ledger.people.name)
    assert result_tolds
    ledger_sums = sum_matching_results(ledger, query or "pot>=0", grouping, [], "06:00")
    assert result_tolds == [replace(result_told, room="") for result_told in ledger_sums], (
        "but for rooms, which stand beside names: a lake has none"
    )


@pytest.mark.slow
def test_a_lake_is_asked_of_people_by_their_ids_and_of_no_book_that_did_not_judge_it() -> None:
    _, rows = ledger_of()
    player = rows.seats[rows.hands[0]["position"]][0]["player"]
    with asked_of("lake", f"player:{player[:12]}") as selection:
        assert selection.count_hands() == len(
            {p for p, rows_of_hand in rows.seats.items() for s in rows_of_hand if s["player"] == player}
        )
    with pytest.raises(UsageError, match="wasn't judged under 'rrop4'"), asked_of("lake", "clause:rrop4.B1"):
        pass
    with pytest.raises(UsageError, match="a lake has no saved queries"), asked_of("lake", "saved:big"):
        pass
