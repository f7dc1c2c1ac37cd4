"""The store behind eventsourcing's recorder interfaces, over the same log.

Events of our own vocabulary are read and written by topic (`hand.straddle-posted`), with the tagged array
as their state. Other events of the library (its own aggregates, foreign topics, bytes that aren't JSON)
go to streams of kind `opaque`, as `[topic, base64 of the state]`: so the log holds only JSON text and
returns the exact bytes. Consecutive events of a stream that are appended together make one row.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias, cast
from uuid import UUID

import msgspec
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    DataError,
    IntegrityError,
    ListenNotifySubscription,
    Notification,
    OperationalError,
    PersistenceError,
    ProcessRecorder,
    ProgrammingError,
    StoredEvent,
    Subscription,
    Tracking,
    TrackingRecorder,
)

from ledger.decoders import build_json_decoder
from ledger.entry import Provenance
from ledger.errors import ConflictError, HandledgerError, LedgerBusyError, StoreError
from ledger.events import STREAMS, TOPICS
from ledger.store.commits import KIND_NAMES, CommitDraft, Kind
from ledger.store.database.database import Link, Row
from ledger.store.database.db_errors import as_store_error
from ledger.store.ledger import Ledger

_TOPIC_OF: Final = {event_type.__name__: name for name, event_type in TOPICS.items()}
_RAW_DECODER: Final = build_json_decoder(list[msgspec.Raw])
_PAIR_DECODER: Final = build_json_decoder(list[tuple[str, str]])
LinkAction: TypeAlias = Callable[[Link], None]
_TEXT_ID_PREFIX: Final = bytes(16)
"""The prefix of a text stream id's UTF-8, which makes it longer than any UUID."""


class TextId(NamedTuple):
    """A text stream id, with the parts of a UUID that the store uses."""

    text: str

    @property
    def bytes(self) -> bytes:
        """The id as stored."""
        return _TEXT_ID_PREFIX + self.text.encode()

    @property
    def hex(self) -> str:
        """The id for messages."""
        return self.text


def _build_stream_id(originator: UUID | str) -> UUID:
    return originator if isinstance(originator, UUID) else cast("UUID", TextId(originator))


def _restore_originator(stream: bytes) -> UUID | str:
    return UUID(bytes=stream) if len(stream) == 16 else stream[16:].decode()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Turn our errors into the library's."""
    try:
        yield
    except ConflictError as error:
        raise IntegrityError(error.message) from error
    except LedgerBusyError as error:
        raise OperationalError(error.message) from error
    except StoreError as error:
        raise DataError(error.message) from error
    except HandledgerError as error:
        raise ProgrammingError(error.message) from error


def split_events(kind: str, data: bytes) -> list[tuple[str, bytes]]:
    """Return topic and state of each event of a commit."""
    if kind == "opaque":
        return [(name, base64.b64decode(state)) for name, state in _PAIR_DECODER.decode(data)]
    topic_states = []
    for raw_event in _RAW_DECODER.decode(data):
        state = bytes(raw_event)
        tag = state[2 : state.index(b'"', 2)].decode()
        topic_states.append((_TOPIC_OF.get(tag) or f"{kind}.{tag}", state))
    return topic_states


def join_events(kind: str, events: Sequence[StoredEvent]) -> bytes:
    """Return the events of a commit as stored."""
    if kind == "opaque":
        return msgspec.json.encode([(event.topic, base64.b64encode(event.state).decode()) for event in events])
    return b"[" + b",".join(event.state for event in events) + b"]"


class LedgerRecorder:
    """The base of all recorders: a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger


class LedgerApplicationRecorder(LedgerRecorder, ApplicationRecorder):
    """Events in streams and in one sequence, without gaps."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: object) -> Sequence[int] | None:
        """Append events in one transaction; return their positions in the log."""
        with _translate_errors():
            if not stored_events and not kwargs.get("tracking"):
                return []
            drafts = self._group_drafts(stored_events)
            outcomes = self.ledger.append_all(drafts, in_transaction=self._link_action(**kwargs), strict=True)
        positions: list[int] = []
        for draft, outcome in zip(drafts, outcomes, strict=True):
            positions.extend(range(outcome.position - draft.count + 1, outcome.position + 1))
        return positions

    def _link_action(self, **_: object) -> LinkAction | None:
        return None

    def _group_drafts(self, events: Sequence[StoredEvent]) -> list[CommitDraft]:
        """Group consecutive events into one draft."""
        groups: list[tuple[str, list[StoredEvent]]] = []
        for event in events:
            kind = self._stream_kind(event)
            if groups:
                kind_before, group = groups[-1]
                last_event = group[-1]
                if (
                    kind == kind_before
                    and last_event.originator_id == event.originator_id
                    and last_event.originator_version + 1 == event.originator_version
                ):
                    group.append(event)
                    continue
            groups.append((kind, [event]))
        recording = Provenance(self.ledger.now(), writer="eventsourcing")
        drafts = []
        for kind, group in groups:
            data = join_events(kind, group)
            if kind != "opaque":
                self.ledger.mapper.decode(kind, data)  # refuses events that aren't ours
            first_event = group[0]
            drafts.append(
                CommitDraft(
                    cast("Kind", kind),
                    _build_stream_id(first_event.originator_id),
                    first_event.originator_version,
                    len(group),
                    data,
                    b"",
                    recording,
                )
            )
        return drafts

    def _stream_kind(self, event: StoredEvent) -> str:
        """Return the kind of stream for an event: by its stream, else by its topic."""
        event_type = TOPICS.get(event.topic)
        if event_type is None:
            return "opaque"
        if len([kind for kind, types in STREAMS.items() if event_type in types]) > 1:
            stream_kind = self.ledger.kind_of(_build_stream_id(event.originator_id))
            if stream_kind is not None:
                return stream_kind
        return event_type.STREAM

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the events of a stream, with version above `gt` and up to `lte`."""
        with _translate_errors():
            rows = self._read_rows(
                "stream = ? AND version + count > ? AND version <= ? ORDER BY version",
                (_build_stream_id(originator_id).bytes, -1 if gt is None else gt + 1, 1 << 60 if lte is None else lte),
            )
        stored_events = [
            StoredEvent(originator_id, version + event_index, name, state)
            for _, _, kind, _, version, data in rows
            for event_index, (name, state) in enumerate(split_events(KIND_NAMES[kind], data))
            if (gt is None or version + event_index > gt) and (lte is None or version + event_index <= lte)
        ]
        if desc:
            stored_events.reverse()
        return stored_events if limit is None else stored_events[:limit]

    def _read_rows(self, condition: str, parameters: Sequence[object]) -> list[Row]:
        database = self.ledger.database
        with database.reading() as link:
            rows = link.execute(
                f"SELECT position, count, kind, stream, version, {database.bytes_of('data')}, "  # noqa: S608 - constants
                f"codec FROM log WHERE {condition}",
                parameters,
            ).fetchall()
            unpack = self.ledger.packing.unpack
            return [(*row_fields, unpack(link, codec, data) if codec else data) for *row_fields, data, codec in rows]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return up to `limit` events of the whole log, from `start` up to `stop`."""
        first_wanted = (start or 0) + (0 if inclusive_of_start else 1)
        notifications: list[Notification] = []
        last_position = first_wanted - 1
        while True:
            with _translate_errors():
                rows = self._read_rows(
                    "position > ? AND position - count < ? ORDER BY position LIMIT ?",
                    (last_position, 1 << 60 if stop is None else stop, limit),
                )
            for position, count, kind, stream, version, data in rows:
                first_in_commit = position - count + 1
                originator = _restore_originator(bytes(stream))
                for event_index, (name, state) in enumerate(split_events(KIND_NAMES[kind], data)):
                    number = first_in_commit + event_index
                    if number < first_wanted or (topics and name not in topics):
                        continue
                    if stop is not None and number > stop:
                        return notifications
                    notifications.append(Notification(originator, version + event_index, name, state, number))
                    if len(notifications) == limit:
                        return notifications
            if len(rows) < limit:
                return notifications
            last_position = rows[-1][0]

    def max_notification_id(self) -> int | None:
        """Return the position of the last event, None in an empty log."""
        with _translate_errors():
            return self.ledger.head()[0] or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """Follow the log: events after `gt`, then new ones, from here or elsewhere."""
        return LedgerSubscription(self, gt=gt, topics=topics)


class LedgerSubscription(ListenNotifySubscription[ApplicationRecorder]):
    """Yields events as they are appended, by this process or another."""

    def __init__(self, recorder: LedgerApplicationRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._end_event = threading.Event()
        self._watcher = threading.Thread(target=self._watch, args=(recorder,), daemon=True)
        self._watcher.start()

    def _watch(self, recorder: LedgerApplicationRecorder) -> None:
        try:
            with recorder.ledger.database.watch(self._has_been_notified.set):
                self._has_been_notified.set()
                self._end_event.wait()
        except HandledgerError as error:
            if not self._end_event.is_set():
                self._thread_error = PersistenceError(error.message)
                self.stop()

    def stop(self) -> None:
        """End the iteration."""
        super().stop()
        if hasattr(self, "_end_event"):
            self._end_event.set()

    def __exit__(self, *args: object, **kwargs: object) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._watcher.join()


class LedgerTrackingRecorder(LedgerRecorder, TrackingRecorder):
    """Stores the positions of readers of logs; each position is accepted once.

    `reader` names the projection of these positions: several read one log, each at its own pace.
    """

    reader = ""

    def insert_tracking(self, tracking: Tracking) -> None:
        """Store a position; refuse one that isn't after the last."""
        with _translate_errors(), self.ledger.writing() as link:
            self.track(link, tracking)

    def track(self, link: Link, tracking: Tracking) -> None:
        """Store a position inside a transaction of `ledger.writing`, together with the event's projection."""
        insert_tracking(link, self._name(tracking.application_name), tracking)

    def _name(self, application_name: str) -> str:
        return ":".join(filter(None, ("upstream", self.reader, application_name)))

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the last position of a reader, None for a new reader."""
        with _translate_errors(), self.ledger.database.reading() as link:
            row = link.execute(
                "SELECT position FROM tracking WHERE name = ?", (self._name(application_name),)
            ).fetchone()
        return None if row is None else cast("int", row[0])


def insert_tracking(link: Link, name: str, tracking: Tracking) -> None:
    """Store a reader's position inside a transaction; refuse one that isn't after the last."""
    row = link.execute(
        "INSERT INTO tracking (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET "
        "position = excluded.position WHERE tracking.position < excluded.position "
        "RETURNING position",
        (name, tracking.notification_id),
    ).fetchone()
    if row is None:
        raise ConflictError(f"place {tracking.notification_id} of {tracking.application_name} was taken in before")


class LedgerProcessRecorder(LedgerTrackingRecorder, LedgerApplicationRecorder, ProcessRecorder):
    """Appends events and stores a position in one transaction."""

    def _link_action(self, **kwargs: object) -> LinkAction | None:
        tracking = kwargs.get("tracking")
        if not isinstance(tracking, Tracking):
            return None
        return lambda link: self.track(link, tracking)


class LedgerSnapshotRecorder(LedgerRecorder, AggregateRecorder):
    """Keeps the library's snapshots: a table beside the log, whose versions may have gaps."""

    def __init__(self, ledger: Ledger, purpose: str = "snapshots") -> None:
        super().__init__(ledger)
        self._purpose = purpose

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> None:
        """Store snapshots, all or none."""
        rows = [
            (
                self._purpose,
                _build_stream_id(snapshot.originator_id).bytes,
                snapshot.originator_version,
                snapshot.topic,
                snapshot.state,
            )
            for snapshot in stored_events
        ]
        if not rows:
            return
        with _translate_errors(), self.ledger.writing() as link:
            try:
                link.executemany(
                    "INSERT INTO snapshots (purpose, stream, version, topic, state) VALUES (?, ?, ?, ?, ?)", rows
                )
            except Exception as error:
                store_error = as_store_error(error)
                if store_error is not None and "snapshots" in str(error):
                    raise ConflictError("there is a snapshot of this version already") from error
                raise

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return snapshots of a stream, with version above `gt` and up to `lte`."""
        direction = "DESC" if desc else "ASC"
        with _translate_errors(), self.ledger.database.reading() as link:
            rows = link.execute(
                "SELECT version, topic, state FROM snapshots WHERE purpose = ? AND stream = ? "  # noqa: S608 - constants
                f"AND version > ? AND version <= ? ORDER BY version {direction} LIMIT ?",
                (
                    self._purpose,
                    _build_stream_id(originator_id).bytes,
                    -1 if gt is None else gt,
                    1 << 60 if lte is None else lte,
                    1 << 60 if limit is None else limit,
                ),
            ).fetchall()
        return [StoredEvent(originator_id, row[0], row[1], bytes(row[2])) for row in rows]
