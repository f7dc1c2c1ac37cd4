"""The tables that devices record: each is kept by one recorder, whoever sends."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.entry import Recorded
from ledger.errors import HandledgerError
from ledger.events import KINDS
from ledger.export.audience import HOUSE as ALL
from ledger.export.audience import PUBLIC, seats_of
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.slots import witnessed
from ledger.hiding import HIDES
from ledger.house.devices import may_append
from ledger.house.events import ClockChecked
from ledger.recording.recorder import Recorder, Writer
from ledger.recording.running import as_before
from ledger.streams import HOUSE
from projections.live.document import LiveDocument
from projections.live.keeping import Keeping
from web.api.asking import BATCH_MOST
from web.api.documents import Answer
from web.api.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.event import Event
    from ledger.house.events import DeviceEnrolled
    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from ledger.vocabulary import Millis
    from web.api.asking import Events, Lines, NewTable, Undo

_KEPT: Final = 1_000
_OFF_MOST: Final = 1_000
"""Milliseconds by which a device's clock may differ from what is known of it before that is noted anew."""
_KINDS: Final = {kind.__name__: kind for kind in KINDS}


class _Table:
    """A table with its lock: what one device sends is recorded before the next is looked at."""

    def __init__(self, keeping: Keeping) -> None:
        self.keeping = keeping
        self.lock = threading.Lock()


class Tables:
    """All tables of a ledger that were asked for of late."""

    def __init__(self, ledger: Ledger, books: Sequence[str] = (), *, hide: bool = False) -> None:
        """Take the ledger and the books to judge by (without any: the house's); `hide`: cards go in as commitments only."""
        self.ledger = ledger
        self._books = tuple(books)
        self._hide = hide
        self._lock = threading.Lock()
        self._tables: OrderedDict[Place, _Table] = OrderedDict()
        self._clocks: dict[str, Millis] = {}

    def stands(self, place: Place, device: DeviceEnrolled) -> LiveDocument:
        """Return where a table stands, as a device may see it."""
        table = self._table(place)
        with table.lock:
            table.keeping.recorder.look()
            return self._seen(table, device)

    def open(self, place: Place, device: DeviceEnrolled, told: NewTable) -> LiveDocument:
        """Say what is played at a table that has no hand here yet."""
        settings = Settings(place.venue, place.table, told.seats, place.tournament, witnesses=witnessed(told.records))
        keeping = self._keep(Recorder(self.ledger, settings))
        # looked at behind the recorder: another device may have begun a hand at the same moment
        if as_before(self.ledger, place.venue, place.table, place.tournament) is not None:
            raise ProblemError(
                409, "there are hands of this table already", "A game line says what is played from now on."
            )
        keeping.recorder.tell(f"game {told.game}")
        with self._lock:
            self._tables[place] = table = _Table(keeping)
        with table.lock:
            return self._seen(table, device)

    def lines(self, place: Place, device: DeviceEnrolled, told: Lines) -> Answer:
        """Record lines one after the other; the first that is refused ends it, and says how many were recorded."""
        if not 0 < len(told.lines) <= BATCH_MOST:
            raise ProblemError(422, f"a request has 1 to {BATCH_MOST} lines", "Send them in parts.")
        table = self._table(place)
        with table.lock:
            self._by(table, device, told.sent)
            behind, again = told.behind, False
            for at, line in enumerate(told.lines):
                try:
                    done = table.keeping.take(line, key=_key(device, told.key, at), behind=behind)
                except HandledgerError as error:
                    if at:
                        error.hint = f"{at} lines before it are recorded. {error.hint}".strip()
                    raise
                again, behind = again or done.again, None
            return Answer(recorded=len(told.lines), again=again, live=self._seen(table, device))

    def events(self, place: Place, device: DeviceEnrolled, told: Events) -> Answer:
        """Record events, all or none."""
        if not 0 < len(told.events) <= BATCH_MOST:
            raise ProblemError(422, f"a request has 1 to {BATCH_MOST} events", "Send them in parts.")
        events = [_event(raw) for raw in told.events]
        times = {at: moment for at, moment in enumerate(told.at[: len(events)]) if moment is not None}
        table = self._table(place)
        with table.lock:
            recorder = self._by(table, device, told.sent)
            done = recorder.told(events, times, key=_key(device, told.key, 0), behind=told.behind)
            return Answer(recorded=len(events), again=done.again, live=self._seen(table, device))

    def undo(self, place: Place, device: DeviceEnrolled, told: Undo) -> Answer:
        """Take back the last event that holds of the running hand."""
        table = self._table(place)
        with table.lock:
            recorder = self._by(table, device, told.sent)
            done = recorder.undo(why=told.why, key=_key(device, told.key, 0), behind=told.behind)
            return Answer(recorded=1, again=done.again, live=self._seen(table, device))

    def _table(self, place: Place) -> _Table:
        """Return a table, with its recorder; 404 where nobody said what is played there."""
        with self._lock:
            found = self._tables.get(place)
            if found is None:
                before = as_before(self.ledger, place.venue, place.table, place.tournament)
                if before is None:
                    raise ProblemError(
                        404, "there is no such table yet", "POST /api/1/table says what is played there."
                    )
                found = self._tables[place] = _Table(self._keep(Recorder(self.ledger, *before)))
            self._tables.move_to_end(place)
            while len(self._tables) > _KEPT:
                self._tables.popitem(last=False)
            return found

    def _keep(self, recorder: Recorder) -> Keeping:
        return Keeping(recorder, self._books)

    def _by(self, table: _Table, device: DeviceEnrolled, sent: Millis | None) -> Recorder:
        """Return a table's recorder as it stands now, for what this device sends."""
        recorder = table.keeping.recorder
        recorder.writer = Writer(f"device:{device.device}", hide=self._hide, check=partial(_allowed, device))
        if sent is not None:
            self._clock(device, sent)
        recorder.look()
        return recorder

    def _clock(self, device: DeviceEnrolled, sent: Millis) -> None:
        """Note by how much a device's clock differs from ours, where that is not known yet."""
        now = self.ledger.now()
        offset = sent - now
        known = self._clocks.get(device.device, 0)
        if abs(offset - known) > _OFF_MOST:
            self._clocks[device.device] = offset
            event = ClockChecked(f"device:{device.device}", "server", offset)
            self.ledger.append("house", HOUSE, [event], recorded=Recorded(now, by="api"))

    def _seen(self, table: _Table, device: DeviceEnrolled) -> LiveDocument:
        recorder = table.keeping.recorder
        return table.keeping.document(seats_of(recorder.recorded, ALL if device.cards else PUBLIC, self.ledger.people))


def _allowed(device: DeviceEnrolled, kind: str, events: Sequence[Event]) -> None:
    """Refuse what a device may not record: facts of another kind, cards that were not shown."""
    if not may_append(device, kind):
        raise ProblemError(
            403, f"{device.device} may not record facts of a {kind}", "handledger device lists what each may."
        )
    if not device.cards and any(isinstance(one, HIDES) and one.cards.strip("?") for one in events):
        raise ProblemError(
            403, f"{device.device} may not tell cards that were not shown", "handledger device add --cards lets it."
        )


def _key(device: DeviceEnrolled, key: str, at: int) -> str:
    """Return the key of one append of a request: a device's keys are its own."""
    if len(key) > 100:
        raise ProblemError(422, "a key has 100 characters at most")
    return f"device:{device.device}:{key}:{at}" if key else ""


def _event(raw: msgspec.Raw) -> Event:
    """Return an event of its array: the tag, then its fields."""
    try:
        told = msgspec.json.decode(raw)
        tag = told[0] if isinstance(told, list) and told else None
        kind = _KINDS.get(tag) if isinstance(tag, str) else None
        if kind is None:
            raise ProblemError(
                422, f"{str(tag)[:40]!r} is no event", "openapi.json has the schemas: an array, its name first."
            )
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProblemError(422, f"an event is not what it says: {error}", "openapi.json has the schemas.") from None
