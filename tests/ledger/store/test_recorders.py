"""The library's own recorder tests, on both stores, and programs that use the library on ours."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import TestCase
from uuid import UUID, uuid4

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import DataError, IntegrityError, StoredEvent
from eventsourcing.tests import persistence as theirs
from eventsourcing.utils import Environment

import ledger
from ledger.hand.betting import Folded
from ledger.hand.opening import HandOpened
from ledger.store.eventsourced import LedgerFactory, Placed, VocabularyMapper
from ledger.store.eventsourced.recorders import (
    LedgerApplicationRecorder,
    LedgerProcessRecorder,
    LedgerSnapshotRecorder,
    LedgerTrackingRecorder,
)
from tests.ledger.store.conftest import empty_schema


class OnAStore:
    """Gives each of the library's tests recorders over an empty ledger."""

    recorder: Any
    new_place: Callable[[], str]

    @pytest.fixture(autouse=True)
    def _ledgers(self) -> Iterator[None]:
        self.opened: list[Any] = []
        yield
        for book in self.opened:
            book.close()

    def create_recorder(self) -> Any:
        book = ledger.open(self.new_place(), announce=False)
        self.opened.append(book)
        return self.recorder(book)


class OnSqlite(OnAStore):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.new_place = lambda: f"sqlite:///{tmp_path / secrets.token_hex(4)}.ledger"
        self.env = Environment(
            env={"PERSISTENCE_MODULE": "ledger.store.eventsourced", "HANDLEDGER_URL": self.new_place()}
        )


class OnPostgres(OnAStore):
    @pytest.fixture(autouse=True)
    def _place(self, postgres_server: str) -> None:
        self.new_place = lambda: empty_schema(postgres_server)
        self.env = Environment(
            env={"PERSISTENCE_MODULE": "ledger.store.eventsourced", "HANDLEDGER_URL": self.new_place()}
        )


class ApplicationCases(theirs.ApplicationRecorderTestCase):
    recorder = LedgerApplicationRecorder

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()

    @pytest.mark.slow
    def test_concurrent_no_conflicts(self, *args: Any) -> None:
        super().test_concurrent_no_conflicts(*args)


class Interleaving(theirs.NonInterleavingNotificationIDsBaseCase):
    recorder = LedgerApplicationRecorder


class Snapshots(theirs.AggregateRecorderTestCase):
    recorder = LedgerSnapshotRecorder


class Places(theirs.TrackingRecorderTestCase):
    recorder = LedgerTrackingRecorder


class Processes(theirs.ProcessRecorderTestCase):
    recorder = LedgerProcessRecorder


class MyTrackingRecorder(LedgerTrackingRecorder):
    pass


class Factories(theirs.InfrastructureFactoryTestCase[LedgerFactory]):
    def expected_factory_class(self) -> Any:
        return LedgerFactory

    def expected_aggregate_recorder_class(self) -> Any:
        return LedgerSnapshotRecorder

    def expected_application_recorder_class(self) -> Any:
        return LedgerApplicationRecorder

    def expected_tracking_recorder_class(self) -> Any:
        return LedgerTrackingRecorder

    def tracking_recorder_subclass(self) -> Any:
        return MyTrackingRecorder

    def expected_process_recorder_class(self) -> Any:
        return LedgerProcessRecorder


CASES = (ApplicationCases, Interleaving, Snapshots, Places, Processes, Factories)

for _case in CASES:
    for _store, _mark in ((OnSqlite, None), (OnPostgres, pytest.mark.postgres)):
        _name = f"Test{_case.__name__}{_store.__name__}"
        _test_class = type(_name, (_store, _case), {"__module__": __name__})
        globals()[_name] = _mark(_test_class) if _mark else _test_class
del _case, _test_class, ApplicationCases, Interleaving, Snapshots, Places, Processes, Factories, TestCase


class Dog(Aggregate):
    @event("Registered")
    def __init__(self, name: str) -> None:
        self.name = name
        self.tricks: list[str] = []

    @event("TrickAdded")
    def add_trick(self, trick: str) -> None:
        self.tricks.append(trick)


def environment(url: str) -> dict[str, str]:
    return {"PERSISTENCE_MODULE": "ledger.store.eventsourced", "HANDLEDGER_URL": url, "IS_SNAPSHOTTING_ENABLED": "y"}


def test_a_program_of_the_library_runs_on_a_ledger(url: str) -> None:
    app: Application[UUID] = Application(env=environment(url))
    dog = Dog("Fido")
    dog.add_trick("roll over")
    app.save(dog)
    app.take_snapshot(dog.id)
    loaded_dog: Dog = app.repository.get(dog.id)
    assert loaded_dog.tricks == ["roll over"]
    app.close()
    with ledger.open(url) as book:
        assert [c.kind for c in book.commits()] == ["opaque"]
        assert book.verify() == []


def test_the_vocabulary_goes_in_and_out_by_its_topics(url: str) -> None:
    factory = LedgerFactory(environment(url))
    mapper = VocabularyMapper(transcoder=factory.transcoder())
    store = factory.event_store(mapper=mapper, recorder=factory.application_recorder())
    hand = uuid4()
    placed_events = [Placed(hand, 1, HandOpened("Rivers", "4", "77", 0)), Placed(hand, 2, Folded(3))]
    assert store.put(placed_events)
    assert list(store.get(hand)) == placed_events
    assert [n.topic for n in factory.application_recorder().select_notifications(1, 10)] == [
        "hand.hand-opened",
        "hand.folded",
    ]
    assert factory.ledger.events(hand) == [placed_event.body for placed_event in placed_events]
    assert next(factory.ledger.hands()).number == "77"
    factory.close()


def test_what_is_no_event_of_ours_is_refused_under_our_topics(url: str) -> None:
    factory = LedgerFactory(environment(url))
    recorder = factory.application_recorder()
    for state in (b"state", b'["Folded","x"]', b'["Nonsense",1]'):
        with pytest.raises(DataError):
            recorder.insert_events([StoredEvent(uuid4(), 1, "hand.folded", state)])
    assert recorder.max_notification_id() is None
    factory.close()


def test_a_stream_keeps_to_its_own_events(url: str) -> None:
    factory = LedgerFactory(environment(url))
    recorder = factory.application_recorder()
    stream = uuid4()
    recorder.insert_events([StoredEvent(stream, 1, "their.event", b"\x00\xff any bytes")])
    with pytest.raises(IntegrityError):
        recorder.insert_events([StoredEvent(stream, 2, "hand.folded", b'["Folded",3]')])
    assert recorder.select_events(stream)[0].state == b"\x00\xff any bytes"
    factory.close()


def test_streams_may_be_named_by_texts(url: str) -> None:
    factory = LedgerFactory(environment(url))
    recorder = factory.application_recorder()
    stored_events = [StoredEvent("table-é", version, "their.event", b"{}") for version in (1, 2, 3)]
    assert recorder.insert_events(stored_events) == [1, 2, 3]
    assert recorder.select_events("table-é", gt=1) == stored_events[1:]
    assert recorder.select_events("table-é", desc=True, limit=1) == stored_events[2:]
    assert [n.originator_id for n in recorder.select_notifications(1, 9)] == ["table-é"] * 3
    factory.close()
