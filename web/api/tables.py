"""The tables that devices record: each is kept by one recorder, whoever sends."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger.errors import ConflictError, HandledgerError
from ledger.events import KINDS
from ledger.export.audience import HOUSE as ALL
from ledger.export.audience import PUBLIC, seats_of
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.slots import witnessed
from ledger.hiding import HIDES
from ledger.house.devices import may_append
from ledger.recording.recorder import Recorder
from ledger.recording.running import find_last_settings
from ledger.recording.writer import Author
from projections.live.live_document import LiveDocument
from projections.live.live_session import TableSession
from web.api.asking import BATCH_MOST
from web.api.clocks import Clocks
from web.api.documents import Answer
from web.api.former import former_acts
from web.api.keys import device_key, page_key
from web.api.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.event import Event
    from ledger.house.events import DeviceEnrolled
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Millis, Seat
    from web.api.asking import Events, Lines, NewTable, Undo

_KEPT: Final = 1_000
_NUMBERS: Final = 1_000
"""So far back an act's predecessor is looked for: more than a browser keeps waiting."""
_KINDS: Final = {kind.__name__: kind for kind in KINDS}


class Act(NamedTuple):
    """An act of one browser that keeps a table on its page."""

    line: str
    sender: str  # the browser; its acts at a table count from 1
    number: int
    after: int  # number of its last act that is recorded, 0 = none: those between them were refused, or told nothing
    seat: Seat | None = None  # whose turn it was, where a key was pressed
    since: int | None = None  # position in the log of what its sender saw last; None = its act before this one


class Receipt(NamedTuple):
    """What became of a numbered act: whether it told an event, had been recorded before, and where the log stands then."""

    recorded: bool
    again: bool
    position: int


class _Table:
    """A table with its lock: what one device sends is recorded before the next is looked at."""

    def __init__(self, keeping: TableSession) -> None:
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
        self._tables: OrderedDict[TableKey, _Table] = OrderedDict()
        self._clocks = Clocks(ledger)

    def stands(self, place: TableKey, device: DeviceEnrolled) -> LiveDocument:
        """Return where a table stands, as a device may see it."""
        return self.stands_at(place, device)[0]

    def stands_at(self, place: TableKey, device: DeviceEnrolled) -> tuple[LiveDocument, int]:
        """Return where a table stands, and the position in the log of what was recorded last there."""
        table = self._table(place)
        with table.lock:
            recorder = table.keeping.recorder
            recorder.look()
            position = recorder.position()
            recorder.look()  # what comes after that position is news to whoever asks, seen or not
            return self._seen(table, device), position

    def open(self, place: TableKey, device: DeviceEnrolled, told: NewTable) -> LiveDocument:
        """Say what is played at a table that has no hand here yet."""
        _may_record(device)
        settings = Settings(place.venue, place.table, told.seats, place.tournament, witnesses=witnessed(told.records))
        keeping = self._keep(Recorder(self.ledger, settings))
        # looked at behind the recorder: another device may have begun a hand at the same moment
        if find_last_settings(self.ledger, place.venue, place.table, place.tournament) is not None:
            raise ProblemError(
                409, "there are hands of this table already", "A game line says what is played from now on."
            )
        keeping.recorder.tell(f"game {told.game}")
        with self._lock:
            self._tables[place] = table = _Table(keeping)
        with table.lock:
            return self._seen(table, device)

    def lines(self, place: TableKey, device: DeviceEnrolled, told: Lines) -> Answer:
        """Record lines one after the other; the first that is refused ends it, and says how many were recorded."""
        if not 0 < len(told.lines) <= BATCH_MOST:
            raise ProblemError(422, f"a request has 1 to {BATCH_MOST} lines", "Send them in parts.")
        keys = [device_key(place, device.device, told.key, index) for index in range(len(told.lines))]
        table = self._table(place)
        with table.lock:
            recorder = self._by(table, device, told.sent)
            former = former_acts(recorder, place, device.device, told.key, len(keys))
            behind, own, again = told.behind, -1, False
            for index, (line, key) in enumerate(zip(told.lines, keys, strict=True)):
                if (
                    behind is not None and recorder.position() == own
                ):  # nothing was recorded since but the request's own lines
                    behind = None
                try:
                    done = table.keeping.take(line, key=key, behind=behind, earlier_act=former[index])
                except HandledgerError as error:
                    if index:
                        error.hint = f"{index} lines before it are recorded. {error.hint}".strip()
                    raise
                again = again or done.is_repeat
                if done.is_repeat:
                    act = recorder.find_stored(key) or former[index]
                    own = own if act is None else act.position
                elif done.kind != "header":  # the first new act was held against it
                    behind = None
            return Answer(recorded=len(told.lines), again=again, live=self._seen(table, device))

    def act(self, place: TableKey, device: DeviceEnrolled, told: Act) -> Receipt:
        """Record a numbered act of one browser: each number once, in their order, and only where its sender saw it.

        `ProblemError` 409 with the number of its last act here: the number holds another act, acts before it are
        missing, or the table has moved on since.
        """
        table = self._table(place)
        with table.lock:
            recorder = self._by(table, device, None)
            try:
                done = table.keeping.take(
                    told.line,
                    key=page_key(place, told.sender, told.number),
                    seat=told.seat,
                    check=partial(self._expect, recorder, place, told),
                )
            except ConflictError as error:
                raise ProblemError(409, error.message, error.hint, last=self._last(recorder, place, told)) from error
            return Receipt(done.kind != "header", done.is_repeat, self._reached(recorder, place, told))

    def _expect(self, recorder: Recorder, place: TableKey, told: Act) -> None:
        """Refuse an act whose sender's acts before it are not here, or that another device's act came before."""
        last = self._last(recorder, place, told)
        if last < told.after:
            missing = f"act {told.after} is" if last == told.after - 1 else f"acts {last + 1} to {told.after} are"
            raise ConflictError(
                f"{missing} missing: act {told.number} of this page comes after it", "Send what is missing first."
            )
        if last > told.after:
            raise ConflictError(
                f"act {last} of this page is recorded already: act {told.number} does not come after act {told.after}",
                "Open the page again.",
            )
        before = recorder.find_stored(page_key(place, told.sender, last)) if last else None
        since = told.since if told.since is not None or before is None else before.position
        if since is None:
            raise ProblemError(422, "the first act says what was recorded when it was made", "Open the page again.")
        if recorder.position() != since:
            raise recorder.conflict_since(since)

    def _last(self, recorder: Recorder, place: TableKey, told: Act) -> int:
        """Return the number of the last act of a sender that is recorded, up to the one that it sends; 0 = none is."""
        numbers = range(told.number, max(0, told.number - _NUMBERS), -1)
        return next((one for one in numbers if recorder.find_stored(page_key(place, told.sender, one)) is not None), 0)

    def _reached(self, recorder: Recorder, place: TableKey, told: Act) -> int:
        """Return the position in the log of an act that is recorded."""
        act = recorder.find_stored(page_key(place, told.sender, told.number))
        return recorder.position() if act is None else act.position

    def events(self, place: TableKey, device: DeviceEnrolled, told: Events) -> Answer:
        """Record events, all or none."""
        if not 0 < len(told.events) <= BATCH_MOST:
            raise ProblemError(422, f"a request has 1 to {BATCH_MOST} events", "Send them in parts.")
        events = [_event(raw) for raw in told.events]
        times = {at: moment for at, moment in enumerate(told.at[: len(events)]) if moment is not None}
        key = device_key(place, device.device, told.key, 0)
        table = self._table(place)
        with table.lock:
            recorder = self._by(table, device, told.sent)
            (former,) = former_acts(recorder, place, device.device, told.key, 1)
            done = recorder.record_events(events, times, key=key, behind=told.behind, former=former)
            return Answer(recorded=len(events), again=done.is_repeat, live=self._seen(table, device))

    def undo(self, place: TableKey, device: DeviceEnrolled, told: Undo) -> Answer:
        """Take back the last event that holds of the running hand."""
        key = device_key(place, device.device, told.key, 0)
        table = self._table(place)
        with table.lock:
            recorder = self._by(table, device, told.sent)
            (former,) = former_acts(recorder, place, device.device, told.key, 1)
            done = recorder.undo(why=told.why, key=key, behind=told.behind, former=former)
            return Answer(recorded=1, again=done.is_repeat, live=self._seen(table, device))

    def _table(self, place: TableKey) -> _Table:
        """Return a table, with its recorder; 404 where nobody said what is played there."""
        with self._lock:
            found = self._tables.get(place)
            if found is None:
                before = find_last_settings(self.ledger, place.venue, place.table, place.tournament)
                if before is None:
                    raise ProblemError(
                        404, "there is no such table yet", "POST /api/1/table says what is played there."
                    )
                found = self._tables[place] = _Table(self._keep(Recorder(self.ledger, *before)))
            self._tables.move_to_end(place)
            while len(self._tables) > _KEPT:
                self._tables.popitem(last=False)
            return found

    def _keep(self, recorder: Recorder) -> TableSession:
        return TableSession(recorder, self._books)

    def _by(self, table: _Table, device: DeviceEnrolled, sent: Millis | None) -> Recorder:
        """Return a table's recorder as it stands now, for what this device sends."""
        _may_record(device)
        recorder = table.keeping.recorder
        recorder.author = Author(f"device:{device.device}", hides_cards=self._hide, check=partial(_allowed, device))
        if sent is not None:
            self._clocks.check(f"device:{device.device}", sent)
        recorder.look()
        return recorder

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


def _may_record(device: DeviceEnrolled) -> None:
    """Refuse a device that only looks, before anything that it says is taken in."""
    if not any(may_append(device, kind) for kind in ("hand", "table")):
        raise ProblemError(403, f"{device.device} may only look", "handledger device lists what each may.")


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
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ProblemError(422, f"an event is not what it says: {error}", "openapi.json has the schemas.") from None
