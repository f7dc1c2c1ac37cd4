"""No finding is surer than the record it rests on: what was not read, or may be missing, lowers it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.replay import HandReplay
from ledger.table.carry import explain_loose_link
from ledger.table.events import HandPlayed
from ledger.table.fold import apply, begin
from ledger.table.order import TableEntry
from ledger.table.state import Carry, Continuity
from ledger.vocabulary import Witness
from projections.audit.audit_result import AuditResult
from projections.books.rulebook import list_names, load
from projections.findings.detector import WITNESS_OF_EVENT
from projections.findings.doubts import UNREAD_LINE, RecordDoubts, UnreadLines, limit_certainty
from projections.sentences import as_sentence
from projections.table_walk.replay import make_first_checkpoint, replay_to_hand
from projections.table_walk.table_context import TableWalk, pick_table_books
from tests.conftest import scale_examples
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.injections import INJECTIONS, inject
from tests.ledger.table.tables import hand
from tests.projections.running import audit_of

HANDS = 16


def judged(
    entries: list[TableEntry], hands: dict[str, HandReplay], book: str, spoiled: Mapping[str, UnreadLines]
) -> AuditResult:
    """Judge the hands of a table of which something was not read."""
    audit, table = audit_of(book), TableWalk(pick_table_books([load(book)]), spoiled)
    for sat in table.contexts(entries):
        audit.judge_hand(hands[sat.hand.hand], sat)
    return audit.result()


def hands_of(evening: Evening) -> dict[str, HandReplay]:
    events = [t.event for t in evening.told() if isinstance(t.event, HandPlayed)]
    return {hand.hand: played for hand, played in zip(events, evening.played, strict=True)}


def numbers_of(entries: list[TableEntry]) -> dict[str, str]:
    return {entry.event.hand: entry.event.number for entry in entries if isinstance(entry.event, HandPlayed)}


@cache
def wrong_evenings() -> list[tuple[str, Evening]]:
    """Return evenings with one wrong in each, under the book of their room."""
    evenings_found = []
    for room in ROOMS:
        sound = evening(room, 11, HANDS, keep=True)
        for injection in INJECTIONS:
            for index in range(4, len(sound.hands)):
                wrong = inject(sound, injection, index)
                if wrong is not None:
                    evenings_found.append((ROOMS[room].book, wrong))
                    break
    return evenings_found


def certain_fingerprints(result: AuditResult) -> set[str]:
    return {finding.fingerprint for finding in result.findings if finding.certainty == "certain"}


def all_of(result: AuditResult) -> list[str]:
    return [finding.fingerprint for finding in result.findings]


@settings(max_examples=scale_examples(60), deadline=None)
@given(data=st.data())
def test_a_spoiled_line_changes_no_finding_and_makes_none_surer(data: st.DataObject) -> None:
    book, drawn_evening = data.draw(st.sampled_from(wrong_evenings()))
    entries, hands = drawn_evening.told(), hands_of(drawn_evening)
    streams = list(hands)
    entry_index = data.draw(st.integers(0, len(streams) - 1))
    damage = data.draw(
        st.sampled_from([UnreadLines(in_hand=True), UnreadLines(before_hand=True), UnreadLines(after_hand=True)])
    )
    sound, damaged = judged(entries, hands, book, {}), judged(entries, hands, book, {streams[entry_index]: damage})
    assert all_of(damaged) == all_of(sound)
    assert certain_fingerprints(damaged) <= certain_fingerprints(sound)
    if damage.in_hand:
        number = numbers_of(entries)[streams[entry_index]]
        assert not any(f.certainty == "certain" for f in damaged.findings if f.hand.number == number)
    for coverage_before, coverage_after in zip(sound.coverage, damaged.coverage, strict=True):
        assert coverage_after.clean <= coverage_before.clean
        assert coverage_after.found == coverage_before.found
        assert (
            coverage_after.not_applicable - coverage_after.did_not_come_up
            == coverage_before.not_applicable - coverage_before.did_not_come_up
        )
        if coverage_after.cannot_tell > coverage_before.cannot_tell:
            assert UNREAD_LINE in [lack.fact for lack in coverage_after.missing]
            assert coverage_after.book == book  # `record` speaks of what the record says


def without_numbers(entries: list[TableEntry]) -> list[TableEntry]:
    """Return the same table as told by a room that counts the hands of all its tables."""
    mask = ~int(Witness.MISSING_HANDS)

    def spread(entry: TableEntry) -> TableEntry:
        event = entry.event
        if not isinstance(event, HandPlayed):
            return entry
        number, hidden = str(int(event.number) * 7), event.witnesses & mask
        return entry._replace(event=msgspec.structs.replace(event, number=number, witnesses=hidden))

    return [spread(entry) for entry in entries]


@settings(max_examples=scale_examples(30), deadline=None)
@given(data=st.data())
def test_where_hand_numbers_leave_room_nothing_about_several_hands_is_certain(data: st.DataObject) -> None:
    book, drawn_evening = data.draw(st.sampled_from(wrong_evenings()))
    entries = without_numbers(drawn_evening.told())
    specs = {clause.id: clause.spec for clause in load(book).clauses.values()}
    first, *_ = numbers_of(drawn_evening.told()).values()  # as the hands themselves say
    for finding in judged(entries, hands_of(drawn_evening), book, {}).findings:
        its = specs.get(finding.clause) if finding.book == book else None
        if its is not None and its.reads_table and finding.hand.number != first:
            assert finding.certainty != "certain", finding


@settings(max_examples=scale_examples(40), deadline=None)
@given(data=st.data())
def test_owed_doubts_what_the_audit_doubts(data: st.DataObject) -> None:
    book, drawn_evening = data.draw(st.sampled_from(wrong_evenings()))
    entries, hands = drawn_evening.told(), hands_of(drawn_evening)
    streams = list(hands)
    spoiled = {streams[data.draw(st.integers(0, len(streams) - 1))]: UnreadLines(before_hand=True)}
    rules = load(book)
    stream_of = {number: stream for stream, number in numbers_of(entries).items()}
    for finding in judged(entries, hands, book, spoiled).findings:
        spec = rules.clauses[finding.clause].spec if finding.book == book else None
        if spec is None or not spec.reads_table:
            continue
        _, _, (due,) = replay_to_hand(make_first_checkpoint(entries, spoiled), [rules], stream_of[finding.hand.number])
        seat_at = None if spec.subject == "places" else finding.seat
        doubts = next((d.sentences for d in due.doubts if d.seat == seat_at), ())
        assert not (finding.certainty == "certain" and doubts), finding
        assert all(as_sentence(doubt) in finding.because for doubt in doubts[:1])


@given(
    st.lists(
        st.tuples(st.sampled_from(["next", "next", "next", "next", "far", "again", "lower"]), st.booleans()),
        max_size=12,
    )
)
def test_the_nearest_doubts_and_their_number_are_those_of_all(doubts_told: list[tuple[str, bool]]) -> None:
    state, number, names = begin(), 10, [""]
    doubts = RecordDoubts({f"{index}": UnreadLines(in_hand=in_hand) for index, (_, in_hand) in enumerate(doubts_told)})
    for index, (kind, _) in enumerate(doubts_told):
        number += {"next": 1, "far": 7, "again": 0, "lower": -1}[kind]
        hand_played = hand(number, 1, 2, 3, (1, 2, 3, 4), witnesses=0)
        hand_played = msgspec.structs.replace(hand_played, hand=f"{index}")
        for name in (None, *names, "of no hand"):
            everything = doubts.list_since(state, hand_played, name)
            nearest, further = doubts.list_nearest(state, hand_played, name)
            assert nearest == everything[: len(nearest)]
            assert len(nearest) + further == len(everything)
            assert limit_certainty("certain", "", nearest, further) == limit_certainty("certain", "", everything)
        doubts.add_hand(state, hand_played)
        apply(state, hand_played)
        names.append(f"{number}")


def test_the_bound_names_what_is_doubtful_and_never_raises() -> None:
    assert limit_certainty("certain", "why", []) == ("certain", "why")
    assert limit_certainty("certain", "why", ["a"]) == ("likely", "Why. A.")
    assert limit_certainty("needs-video", "", ["a", "b", "c", "d"]) == (
        "needs-video",
        "A. B. There are 2 more open questions.",
    )


def fit(
    number_after: str, number_before: str, *differences: int | None, players_came: int = 0, players_left: int = 0
) -> Continuity:
    stacks = tuple(Carry(n, str(n), 100, 0, 100, difference) for n, difference in enumerate(differences, 1))
    return Continuity(
        number_after, number_before, None, stacks, tuple(range(players_came)), tuple(map(str, range(players_left)))
    )


@pytest.mark.parametrize(
    ("continuity", "sentence"),
    [
        (fit("7", "8"), "the record doesn't rule it out"),  # its numbers may be those of what it recorded
        (fit("7", "7"), ""),  # dealt again
        (fit("7", "8", 0, 0, 0), ""),
        (fit("7", "8", 0, 0, players_came=1), ""),
        (fit("7", "8", 0, 0, players_came=1, players_left=1), "the record doesn't rule it out"),
        (fit("7", "8", 0, None, 0), "the record doesn't rule it out"),
        (fit("7", "8", 0, -5, 5), "differ from those after"),
        (fit("HD7", "HD8"), "the record doesn't rule it out"),
        (fit("HD7", "HD8", 0, 0), ""),
        (fit("7", "9", 0, 0, 0), "don't follow, so hands may be missing"),
        (fit("HD7", "HD9", 0, 0), "don't follow, so hands may be missing"),
        (fit("8", "7", 0, 0), "don't follow, so hands may be missing"),
        (fit("a", "b", 0, 0), ""),  # no numbers: every stack goes on as it was
        (fit("a", "b", 0, 0, players_came=1), ""),
        (
            fit("a", "b", 0, 0, players_came=1, players_left=1),
            "the record doesn't rule it out",
        ),  # these two may have played alone
        (fit("a", "b", 0, None), "the record doesn't rule it out"),
        (fit("a", "b", 0, 5), "the record doesn't rule it out"),
        (fit("a", "b"), "the record doesn't rule it out"),
        (msgspec.structs.replace(fit("1", "2", 5), consecutive=True), ""),
    ],
)
def test_numbers_and_stacks_tell_whether_a_hand_may_be_missing(continuity: Continuity, sentence: str) -> None:
    assert (sentence in explain_loose_link(continuity)) if sentence else explain_loose_link(continuity) == ""


def test_what_a_clause_waits_for_is_witnessed_by_something() -> None:
    """Else its absence would be told as "did not come up" of a source that never records it."""
    waited_for = {
        kind
        for book in list_names()
        for clause in load(book).clauses.values()
        if clause.spec is not None
        for kind in clause.spec.events
    }
    assert waited_for <= WITNESS_OF_EVENT.keys()
