"""Appending and reading: what everybody relies on, the same on both stores."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

import ledger
from ledger.chain import START, chain_commit, compute_link, encode_entry, hash_leaf
from ledger.entry import NO_ORIGIN, Provenance, SourceSpan
from ledger.errors import ConflictError, UnknownEventError, UnstorableError, UsageError
from ledger.event import Event
from ledger.hand.betting import Checked, Folded
from ledger.hand.ending import HandCompleted, LineUnread
from ledger.hand.opening import HandOpened
from ledger.house.events import SourceImported
from ledger.store import CommitDraft, Ledger, SourceProgress, hand_draft
from ledger.store.log.mapper import Mapper
from ledger.streams import HOUSE
from ledger.table.events import HandsMissing
from tests.ledger.store.hands import SOURCE, account, draft

STREAM = UUID(int=42)


def missing(number: int) -> HandsMissing:
    return HandsMissing(str(number))


def test_events_come_back_in_their_place(book: Ledger) -> None:
    first = book.append("table", STREAM, [missing(1), missing(2)])
    second = book.append("table", STREAM, [missing(3)], recorded=Provenance(9, "ntp", "terminal 4"))
    entries = book.entries(STREAM)
    assert [(e.version, e.position, e.event) for e in entries] == [
        (1, 2, missing(1)),
        (2, 3, missing(2)),
        (3, 4, missing(3)),
    ]
    assert [e.mark for e in entries] == [NO_ORIGIN] * 3
    assert entries[2].recorded == Provenance(9, "ntp", "terminal 4")
    assert list(book.commits(after=1)) == [first, second]
    assert book.head() == (4, second.hash.hex())


def test_a_new_ledger_begins_with_the_fact_that_it_was_made(book: Ledger) -> None:
    (created,) = book.events(HOUSE)
    assert created.ledger == book.id
    assert book.head()[0] == 1


def test_a_place_that_is_taken_is_a_conflict(book: Ledger) -> None:
    book.append("table", STREAM, [missing(1)], version=1)
    for version in (1, 3):
        with pytest.raises(ConflictError, match="goes on at 2"):
            book.append("table", STREAM, [missing(1)], version=version)
    assert len(book.entries(STREAM)) == 1
    assert book.append("table", STREAM, [missing(2)], version=2).version == 2


def test_a_stream_is_of_one_kind(book: Ledger) -> None:
    book.append("table", STREAM, [missing(1)])
    with pytest.raises(ConflictError, match="not of kind case"):
        book.append_all([CommitDraft("case", STREAM, None, 1, b"[[]]", b"", Provenance(1))])


def test_a_retry_with_the_same_key_stores_nothing_and_gives_the_first_commit(book: Ledger) -> None:
    provenance = Provenance(5, key="tablet-7:113")
    first = book.append("table", STREAM, [missing(1)], recorded=provenance)
    second_commit = book.append("table", STREAM, [missing(1)], recorded=provenance)
    assert second_commit == first
    assert len(book.entries(STREAM)) == 1


def test_a_key_twice_in_one_batch_is_stored_once(book: Ledger) -> None:
    data = book.mapper.encode("table", [missing(1)])
    draft = CommitDraft("table", STREAM, None, 1, data, b"", Provenance(5, key="k"))
    assert [o.state for o in book.append_all([draft, draft])] == ["new", "same"]
    assert len(book.entries(STREAM)) == 1


def test_the_same_hand_again_is_same_and_told_otherwise_a_second_account(book: Ledger) -> None:
    drafts = [draft(n, book.people) for n in range(3)]
    assert [(o.state, o.account) for o in book.append_all(drafts)] == [("new", 1)] * 3
    repeated_drafts = [*drafts, drafts[0], draft(1, book.people, amount=300)]
    assert [(o.state, o.account) for o in book.append_all(repeated_drafts)] == [
        ("same", 0),
        ("same", 0),
        ("same", 0),
        ("same", 0),
        ("new", 2),
    ]
    assert [(h.number, h.account) for h in book.hands()] == [("0", 1), ("1", 1), ("2", 1), ("1", 2)]
    assert [t.hands for t in book.tables()] == [4]
    assert book.verify() == []


def test_the_same_hand_twice_in_one_batch_is_stored_once(book: Ledger) -> None:
    hand_draft = draft(1, book.people)
    assert [o.state for o in book.append_all([hand_draft, hand_draft])] == ["new", "same"]
    assert len(list(book.hands())) == 1


def test_a_batch_is_stored_whole_or_not_at_all(book: Ledger) -> None:
    book.append("table", STREAM, [missing(1)])
    data = book.mapper.encode("table", [missing(2)])
    stale = CommitDraft("table", STREAM, 1, 1, data, b"", Provenance(5))
    with pytest.raises(ConflictError):
        book.append_all([draft(1, book.people), stale])
    assert book.head()[0] == 2
    assert list(book.hands()) == []
    assert book.append_all([draft(1, book.people)])[0].state == "new"
    assert book.verify() == []


def test_what_follows_from_a_batch_goes_into_its_transaction(book: Ledger) -> None:
    def make_followers(outcomes: list) -> list[CommitDraft]:
        count = sum(o.state == "new" for o in outcomes)
        data = book.mapper.encode("table", [missing(count)])
        return [CommitDraft("table", STREAM, None, 1, data, b"", Provenance(1))] * 2

    book.append_all([draft(1, book.people), draft(2, book.people)], follow_up=make_followers)
    assert book.events(STREAM) == [missing(2), missing(2)]
    assert book.verify() == []


def test_the_index_of_hands_can_be_asked(book: Ledger) -> None:
    with book.bulk():
        book.append_all([draft(n, book.people, table=f"T{n % 2}") for n in range(6)])
    (row,) = book.hands(number="3")
    assert (row.venue, row.table, row.variant, row.format) == ("PokerStars", "T1", "holdem", "cash")
    assert (row.source, row.start, row.length, row.count) == (SOURCE, 450, 150, 7)
    assert book.commit_of(row.stream).position == row.position
    assert len(list(book.hands(table="T0"))) == 3
    assert len(list(book.hands(since=1_600_000_000_002, until=1_600_000_000_004))) == 2
    assert len(list(book.hands(source=SOURCE))) == 6
    assert list(book.hands(source="00" * 32)) == []
    assert list(book.hands(venue="' OR 1=1 --")) == []
    assert [(t.table, t.hands) for t in book.tables()] == [("T0", 3), ("T1", 3)]


def test_hands_that_are_not_whole_say_so_in_the_index(book: Ledger) -> None:
    opened = HandOpened("V", "T", "1", 0)
    book.append("hand", uuid4(), [opened])
    book.append("hand", uuid4(), [opened, LineUnread(book.people.text("what?")), HandCompleted()])
    assert [(h.note, h.account) for h in book.hands()] == [("cut off", 1), ("unread lines", 2)]
    assert book.verify() == []


def test_a_hand_begins_with_which_hand_it_is(book: Ledger) -> None:
    with pytest.raises(UsageError, match="begins with HandOpened"):
        book.append("hand", uuid4(), [Folded(1)])
    with pytest.raises(UnknownEventError, match="Folded"):
        book.append("table", uuid4(), [Folded(1)])  # type: ignore[list-item] # the point
    with pytest.raises(UsageError):
        book.append("table", uuid4(), [])


def test_a_live_hand_goes_on_one_act_at_a_time(book: Ledger) -> None:
    stream = uuid4()
    book.append("hand", stream, [HandOpened("V", "T", "1", 0)], version=1)
    for version in range(2, 5):
        book.append("hand", stream, [Checked(version)], version=version)
    assert [e.version for e in book.entries(stream)] == [1, 2, 3, 4]
    assert len(list(book.hands())) == 1
    assert book.verify() == []


def test_marks_and_places_come_back(book: Ledger) -> None:
    hand_account = account(7, book.people)
    hand_account.inferred, hand_account.times = [5], {0: 1_600_000_000_007}
    book.append_all([hand_draft(hand_account, Provenance(3, source=SourceSpan(SOURCE, 10, 150)))])
    (hand,) = book.hands()
    entries = book.entries(hand.stream)
    assert entries[5].mark == (100, 19, None, "derived")
    assert entries[0].mark.time == 1_600_000_000_007
    assert entries[0].recorded.source == (SOURCE, 10, 150)


def test_no_text_breaks_out_of_the_store(book: Ledger) -> None:
    nasty = ["'; DROP TABLE log; --", "%s ? $1", "\u202egnp.exe", "\U0001f0a1", "\ufdd0", "x" * 10_000]
    for number, words in enumerate(nasty):
        book.append("hand", uuid4(), [HandOpened(words, words, str(number), 0), HandCompleted()])
    assert [h.table for h in book.hands()] == nasty
    assert [h.venue for h in book.hands(venue=nasty[1])] == [nasty[1]]
    assert book.verify() == []


@pytest.mark.parametrize("words", ["a\0b", "\ud800"])
def test_what_no_store_can_keep_is_refused_alike(book: Ledger, words: str) -> None:
    with pytest.raises(UnstorableError):
        book.append("table", STREAM, [HandsMissing(words)])
    assert book.head()[0] == 1


def test_an_escaped_backslash_is_not_mistaken_for_a_null(book: Ledger) -> None:
    book.append("table", STREAM, [HandsMissing("\\u0000"), HandsMissing("\\\\u0000")])
    assert book.events(STREAM) == [HandsMissing("\\u0000"), HandsMissing("\\\\u0000")]


def test_stored_bytes_are_what_is_hashed(book: Ledger) -> None:
    book.append_all([draft(1, book.people)])
    previous_hash, position = START, 0
    for commit in book.commits():
        source = commit.recorded.source
        header = (
            commit.position,
            commit.count,
            {"house": 4, "hand": 1}[commit.kind],
            commit.stream.bytes,
            commit.version,
            commit.recorded.time,
            commit.recorded.clock.encode(),
            commit.recorded.writer.encode(),
            commit.recorded.key.encode(),
            bytes.fromhex(source.source) if source else b"",
            source.start if source else 0,
            source.length if source else 0,
            commit.marks,
            commit.data,
        )
        assert (
            commit.hash
            == compute_link(previous_hash, hash_leaf(encode_entry(*header)))
            == chain_commit(previous_hash, *header)
        )
        assert commit.position == position + commit.count
        previous_hash, position = commit.hash, commit.position


def test_every_event_is_a_row_for_plain_sql(book: Ledger) -> None:
    book.append_all([draft(1, book.people)])
    with book.database.reading() as sql:
        rows = sql.execute("SELECT position, version, kind, type, data FROM events ORDER BY position").fetchall()
    assert [row[0] for row in rows] == list(range(1, 9))
    assert [row[1] for row in rows] == [1, 1, 2, 3, 4, 5, 6, 7]
    assert [(row[2], row[3]) for row in rows[:2]] == [("house", "LedgerCreated"), ("hand", "HandOpened")]
    assert json.loads(rows[4][4])[:2] == ["Raised", 1]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE log SET at = 0",
        "UPDATE log SET data = '[]' WHERE position = 1",
        "DELETE FROM log WHERE position = 1",
        (
            "INSERT INTO log SELECT position + 5, count, kind, stream, version + 1, codec, data, marks, "
            "at, writer, source, start, length, NULL, hash FROM log"
        ),
        (
            "INSERT INTO log SELECT position + 1, count, kind, stream, version + 2, codec, data, marks, "
            "at, writer, source, start, length, NULL, hash FROM log"
        ),
        (
            "INSERT INTO log SELECT position + 1, count, 2, stream, version + 1, codec, data, marks, "
            "at, writer, source, start, length, NULL, hash FROM log"
        ),
        (
            "INSERT INTO log SELECT position + 1, count, kind, marks, 2, codec, data, marks, "
            "at, writer, source, start, length, NULL, hash FROM log"
        ),
    ],
)
def test_the_log_refuses_change_gaps_and_overlaps(book: Ledger, sql: str) -> None:
    with pytest.raises(ledger.errors.StoreError), book.database.writing() as link:
        link.execute(sql)
    assert book.verify() == []


def test_progress_of_an_import_is_kept_with_what_it_appended(book: Ledger) -> None:
    assert book.sources.progress(SOURCE) is None
    book.append_all([draft(1, book.people)], source=SOURCE, progress=SourceProgress(300, '{"new":1}'))
    assert book.sources.progress(SOURCE) == SourceProgress(300, '{"new":1}')
    imported = SourceImported(SOURCE, "pokerstars", "1", 300, 300, 0, 0, 1, 0, 0, 0)
    first = book.finish(imported)
    assert book.sources.progress(SOURCE) is None
    assert book.finish(imported) == first


def test_many_threads_append_at_once_and_every_one_is_told_the_truth(book: Ledger) -> None:
    streams = [UUID(int=n) for n in range(1, 9)]
    conflicts = []

    def work(stream: UUID, shared: UUID) -> None:
        for number in range(10):
            book.append("table", stream, [missing(number)])
            try:
                book.append("table", shared, [missing(number)], version=number + 1)
            except ConflictError as error:
                conflicts.append(error)

    threads = [threading.Thread(target=work, args=(s, UUID(int=99))) for s in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(book.events(s)) for s in streams] == [10] * 8
    shared = book.events(UUID(int=99))
    assert len(shared) + len(conflicts) == 80
    assert book.head()[0] == 1 + 80 + len(shared)
    assert book.verify() == []


def test_two_programs_write_to_one_ledger_without_gaps(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:

        def work(book: Ledger, name: int) -> None:
            for number in range(15):
                book.append("table", UUID(int=name), [missing(number)])
                book.append_all([draft(name * 100 + number, book.people)])

        threads = [threading.Thread(target=work, args=(b, n)) for n, b in ((1, first_ledger), (2, second_ledger))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert first_ledger.head() == second_ledger.head()
        assert first_ledger.head()[0] == 1 + 2 * 15 * 8
        assert second_ledger.verify() == []


def test_a_ledger_is_followed_as_it_grows(url: str) -> None:
    with ledger.open(url) as writer, ledger.open(url) as reader:
        stop, positions = threading.Event(), []

        def read() -> None:
            for commit in reader.follow(stop=stop):
                positions.append(commit.position)
                if commit.position == 21:
                    stop.set()

        reading = threading.Thread(target=read)
        reading.start()
        for number in range(20):
            writer.append("table", STREAM, [missing(number)])
        reading.join(timeout=20)
        stop.set()
        assert positions == list(range(1, 22))


def test_old_events_are_lifted_to_what_they_became(new_url: Callable[[], str]) -> None:
    class Dealt2(Event, frozen=True, tag="Dealt2"):
        STREAM = "table"
        UPCASTS = {"Dealt1": lambda old: [old[0], old[1] * 100], "Dealt0": lambda old: [*old, 500]}  # noqa: RUF012 - a test
        seat: int
        cents: int

    mapper = Mapper({"table": (Dealt2,)})
    stored = b'[["Dealt1",3,5],["Dealt2",4,700],["Dealt0",1]]'
    assert mapper.decode("table", stored) == [Dealt2(3, 500), Dealt2(4, 700), Dealt2(1, 500)]

    class Wrong(Event, frozen=True, tag="Wrong"):
        UPCASTS = {"Dealt2": lambda old: old}  # noqa: RUF012 - a test

    with pytest.raises(UsageError, match="still written"):
        Mapper({"table": (Dealt2, Wrong)})


def test_an_unknown_event_is_named(book: Ledger) -> None:
    data = b'[["TeleportUsed",3]]'
    book.append_all([CommitDraft("table", STREAM, None, 1, data, b"", Provenance(1))])
    with pytest.raises(UnknownEventError, match="TeleportUsed"):
        book.entries(STREAM)
    assert [p.code for p in book.verify()] == ["unknown-event"]


def test_a_clock_that_goes_backwards_changes_no_order_and_no_proof(url: str) -> None:
    times = iter(range(9_000_000, 0, -1000))
    with ledger.open(url, clock=lambda: next(times)) as book:
        for number in range(5):
            book.append("table", UUID(int=4), [HandsMissing(str(number))])
        entries = book.entries(UUID(int=4))
        assert [entry.event.after for entry in entries] == ["0", "1", "2", "3", "4"]  # type: ignore[attr-defined]  # HandsMissing
        assert [entry.position for entry in entries] == sorted(entry.position for entry in entries)
        recorded = [entry.recorded.time for entry in entries]
        assert recorded == sorted(recorded, reverse=True), "the clock's word is kept as it was given"
        assert book.verify() == []


def test_many_hands_of_one_table_come_page_by_page_in_the_order_of_the_log(book: Ledger) -> None:
    tables = ("Aludra", "Vega")
    drafts = [draft(n, book.people, table=tables[n % 2]) for n in range(2200)]
    with book.bulk():
        book.append_all(drafts)
    for table in tables:
        rows = list(book.hands(venue="PokerStars", table=table))
        assert [row.stream for row in rows] == [d.stream for d in drafts[tables.index(table) :: 2]]
