"""The store for programs written with eventsourcing; `environment_for` returns their settings.

`HANDLEDGER_URL` names the ledger. `VocabularyMapper` lets such programs read and write events of this program's own
vocabulary; other events are mapped by the library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import AggregateRecorder, StoredEvent
from eventsourcing.utils import Environment, get_topic, resolve_topic

from ledger.event import Event, topic
from ledger.events import TOPICS
from ledger.store.eventsourced.recorders import (
    LedgerApplicationRecorder,
    LedgerProcessRecorder,
    LedgerSnapshotRecorder,
    LedgerTrackingRecorder,
)
from ledger.store.ledger import Ledger
from ledger.store.log.mapper import Mapper
from ledger.store.open_ledger import open_ledger

_T = TypeVar("_T")


def environment_for(url: str) -> dict[str, str]:
    """Return the settings for an application of the library that uses the ledger at `url` as its store."""
    return {
        "PERSISTENCE_MODULE": __name__,  # a wheel has this module below handledger
        LedgerFactory.HANDLEDGER_URL: url,
        "MAPPER_TOPIC": get_topic(VocabularyMapper),
    }


class LedgerFactory(persistence.InfrastructureFactory[LedgerTrackingRecorder]):
    """Makes recorders over one ledger."""

    HANDLEDGER_URL = "HANDLEDGER_URL"

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.ledger: Ledger = open_ledger(
            self.env.get(self.HANDLEDGER_URL), announce=False
        )  # the library expects a new log to be empty

    def _make_recorder(self, setting: str, recorder_class: type[_T] | None, default_class: type[_T]) -> _T:
        class_topic = self.env.get(setting)
        chosen_class = recorder_class or (
            cast("type[_T]", resolve_topic(class_topic)) if class_topic else default_class
        )
        return cast("Callable[[Ledger], _T]", chosen_class)(self.ledger)  # the class is data

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """Make a recorder of streams beside the log (snapshots)."""
        return LedgerSnapshotRecorder(self.ledger, purpose)

    def application_recorder(self) -> LedgerApplicationRecorder:
        """Make a recorder of the log."""
        return self._make_recorder(self.APPLICATION_RECORDER_TOPIC, None, LedgerApplicationRecorder)

    def tracking_recorder(
        self, tracking_recorder_class: type[LedgerTrackingRecorder] | None = None
    ) -> LedgerTrackingRecorder:
        """Make a recorder of positions."""
        recorder = self._make_recorder(self.TRACKING_RECORDER_TOPIC, tracking_recorder_class, LedgerTrackingRecorder)
        recorder.reader = self.env.name
        return recorder

    def process_recorder(self) -> LedgerProcessRecorder:
        """Make a recorder of both."""
        recorder = self._make_recorder(self.PROCESS_RECORDER_TOPIC, None, LedgerProcessRecorder)
        recorder.reader = self.env.name
        return recorder

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()


@dataclass(frozen=True)
class Placed:
    """An event of the vocabulary in its stream, as the library's event store wants it."""

    originator_id: UUID
    originator_version: int
    body: Event


class VocabularyMapper(persistence.Mapper[UUID]):
    """Maps `Placed` events by their published topic, others by the library's rules."""

    def __init__(
        self,
        transcoder: persistence.Transcoder,
        compressor: persistence.Compressor | None = None,
        cipher: persistence.Cipher | None = None,
    ) -> None:
        super().__init__(transcoder, compressor, cipher)
        self._mapper = Mapper()

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """Return the event as stored."""
        if not isinstance(domain_event, Placed):
            return super().to_stored_event(domain_event)
        body = domain_event.body
        state = self._mapper.encode(type(body).STREAM, [body])[1:-1]
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic(type(body)), state)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """Return the event in its place."""
        kind, dot, _ = stored_event.topic.partition(".")
        if stored_event.topic not in TOPICS and not (dot and self._mapper.has_kind(kind)):
            return super().to_domain_event(stored_event)
        (body,) = self._mapper.decode(kind, b"[" + stored_event.state + b"]")
        return Placed(cast("UUID", stored_event.originator_id), stored_event.originator_version, body)
