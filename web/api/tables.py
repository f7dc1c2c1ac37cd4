"""The tables that devices record. All devices of a table share one recorder."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from ledger.errors import ConflictError, HandledgerError
from ledger.export.audience import HOUSE as ALL
from ledger.export.audience import PUBLIC, find_visible_seats
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.slots import read_witness_set
from ledger.hidden_cards import CARD_EVENTS
from ledger.house.devices import may_append
from ledger.recording.author import Author
from ledger.recording.conflicts import build_position_conflict
from ledger.recording.recorder import Recorder
from ledger.recording.running_hand import find_last_settings
from ledger.recording.table_opening import list_opened_tables, open_table
from ledger.table.events import DealerChanged
from ledger.text.language import join_sentences, phrase_count
from projections.live.live_document import LiveDocument
from projections.live.live_session import TableSession
from web.api import api_errors
from web.api.clocks import Clocks
from web.api.device_requests import MAX_BATCH
from web.api.documents import Answer
from web.api.event_arrays import decode_event
from web.api.former import find_former_acts
from web.api.keys import build_approval_key, build_device_key, build_page_key
from web.api.page_acts import ActReceipt, ApprovedAct, LastAct, PageAct, PagePerson, TableView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.formats.handscript.live import LineResult
    from ledger.house.events import DeviceEnrolled
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Millis, Seat
    from projections.live.deal_drawing import DealRequest
    from web.api.device_requests import Events, Lines, NewTable, Undo

_MAX_TABLES: Final = 1_000
_MAX_OPENED_TABLES: Final = 20
"""Tables without a hand that are listed."""
_MAX_SENDERS: Final = 16
"""Pages whose last act at a table is remembered. The ledger knows those of all."""
_MAX_LOOKBACK: Final = 1_000
"""How many numbers back to look for an act's predecessor: more than a browser queues."""


class _LockedTable:
    """A table with its lock: each request is recorded before the next one is read."""

    def __init__(self, session: TableSession) -> None:
        self.session = session
        self.lock = threading.Lock()
        self._last_acts: OrderedDict[str, LastAct] = OrderedDict()  # by sender

    def find_last_act(self, sender: str) -> LastAct | None:
        """Return the last act that a page recorded here, as far as this server knows: another one may know more."""
        return self._last_acts.get(sender)

    def note_act(self, sender: str, last_act: LastAct) -> None:
        """Remember the last act of a page. Of the pages, only the latest ones are remembered."""
        self._last_acts[sender] = last_act
        self._last_acts.move_to_end(sender)
        if len(self._last_acts) > _MAX_SENDERS:
            self._last_acts.popitem(last=False)


class RecordedTables:
    """The tables of a ledger that were used lately."""

    def __init__(self, ledger: Ledger, books: Sequence[str] = (), *, hides_cards: bool = False) -> None:
        """`books`: to judge by; without any, the house's. `hides_cards`: hidden cards are stored only as commitments."""
        self.ledger = ledger
        self._books = tuple(books)
        self.hides_cards = hides_cards
        self._lock = threading.Lock()
        self._tables: OrderedDict[TableKey, _LockedTable] = OrderedDict()
        self._clocks = Clocks(ledger)
        ledger.drop_erased()

    def build_live_document(self, table_key: TableKey, device: DeviceEnrolled) -> LiveDocument:
        """Return a table's state as a device may see it."""
        return self.build_live_document_at(table_key, device)[0]

    def build_live_document_at(self, table_key: TableKey, device: DeviceEnrolled) -> tuple[LiveDocument, int]:
        """Return a table's state, and the log position of its last entry."""
        table = self._find_table(table_key)
        with table.lock:
            recorder = table.session.recorder
            recorder.look()
            position = recorder.position()
            recorder.look()  # entries after that position count as unseen by the device, even if it sees them
            return self._build_visible_document(table, device), position

    def build_table_view(self, table_key: TableKey, device: DeviceEnrolled, request: DealRequest) -> TableView:
        """Return a table as its page shows it. `request`: how the next hand is to be drawn."""
        table = self._find_table(table_key)
        recorder = table.session.recorder
        with table.lock, recorder.steady():
            seats = self._find_visible_seats(table, device)
            document, offers = table.session.document(seats), table.session.build_offers(seats, request)
            return TableView(document, offers, recorder.position(), table.session.live_table.state.dealer)

    def open(
        self, table_key: TableKey, device: DeviceEnrolled, new_table: NewTable, person: PagePerson | None = None
    ) -> LiveDocument:
        """Record which game is played at a table that has no hand here yet."""
        _require_recorder(device)
        settings = Settings(
            table_key.venue,
            table_key.table,
            new_table.seats,
            table_key.tournament,
            witnesses=read_witness_set(new_table.records),
        )
        session = self._open_session(Recorder(self.ledger, settings))
        # check after creating the recorder: another device may have begun a hand at the same moment
        if next(self.ledger.hands(**table_key._asdict(), limit=1), None) is not None:
            raise api_errors.table_has_hands()
        for line in (f"game {new_table.game}", *new_table.options):
            session.recorder.tell(line)
        open_table(self.ledger, settings, session.recorder.lines.opening, self._build_author(device, person))
        with self._lock:
            self._tables[table_key] = table = _LockedTable(session)
        with table.lock:
            return self._build_visible_document(table, device)

    def record_lines(
        self, table_key: TableKey, device: DeviceEnrolled, request: Lines, person: PagePerson | None = None
    ) -> Answer:
        """Record lines one by one. The first refused line ends the request and reports how many were recorded."""
        if not 0 < len(request.lines) <= MAX_BATCH:
            raise api_errors.wrong_line_count(MAX_BATCH)
        keys = [build_device_key(table_key, device.device, request.key, index) for index in range(len(request.lines))]
        table = self._find_table(table_key)
        with table.lock:
            recorder = self._prepare_recorder(table, device, request.sent, person)
            earlier_acts = find_former_acts(recorder, table_key, device.device, request.key, len(keys))
            for line in request.lines:
                self._require_floor_for_line(table, line, person)
            seen_version, own_position, is_repeated = request.seen_version, -1, False
            for index, (line, key) in enumerate(zip(request.lines, keys, strict=True)):
                if (
                    seen_version is not None and recorder.position() == own_position
                ):  # only the request's own lines came since
                    seen_version = None
                try:
                    outcome = table.session.take(line, key=key, behind=seen_version, earlier_act=earlier_acts[index])
                except HandledgerError as error:
                    if index:
                        recorded = phrase_count(
                            "{count} line before it is recorded.", "{count} lines before it are recorded.", index
                        )
                        error.hint = join_sentences([recorded, error.hint])
                    raise
                is_repeated = is_repeated or outcome.is_repeat
                if outcome.is_repeat:
                    act = recorder.find_stored(key) or earlier_acts[index]
                    own_position = own_position if act is None else act.position
                elif outcome.kind != "header":  # only the first new act is checked against it
                    seen_version = None
            return Answer(
                recorded=len(request.lines), again=is_repeated, live=self._build_visible_document(table, device)
            )

    def record_act(
        self, table_key: TableKey, device: DeviceEnrolled, act: PageAct, person: PagePerson | None = None
    ) -> ActReceipt:
        """Record a numbered act of one browser: each number once, in order, and only on the state that its sender saw.

        Raise `ProblemError` 409 with the number of the sender's last recorded act if the number holds another act,
        earlier acts are missing, or the table has moved on.
        """
        table = self._find_table(table_key, shows_names=False)  # the page asks for the state after the act
        recorder = table.session.recorder
        with table.lock, recorder.steady():
            self._set_author(table, device, person)

            def check() -> None:
                self._check_sequence(table, table_key, act)
                if act.user and person is not None and act.user != person.recording.user:
                    raise api_errors.other_user()
                self._require_floor_for_line(table, act.line, person)

            try:
                outcome = table.session.take(
                    act.line, key=build_page_key(table_key, act.sender, act.number), seat=act.seat, check=check
                )
            except ConflictError as error:
                raise api_errors.ProblemError(
                    409, error.message, error.hint, last=self._find_last_act(recorder, table_key, act).number
                ) from error
            position = outcome.position or self._find_act_position(recorder, table_key, act)
            if outcome.kind != "header":
                table.note_act(act.sender, LastAct(act.number, position))
            return ActReceipt(outcome.kind != "header", outcome.is_repeat, position)

    def record_approved(
        self,
        table_key: TableKey,
        device: DeviceEnrolled,
        act: ApprovedAct,
        person: PagePerson,
        spend: Callable[[], None],
    ) -> bool:
        """Record an act that a floor approves; return whether it was recorded before, under the same key.

        `spend` uses the floor's code up, after the table is still as the dealer saw it, or raises an error.
        """
        table = self._find_table(table_key)
        with table.lock:
            recorder = self._prepare_recorder(table, device, None, person)

            def check() -> None:
                if recorder.position() != act.seen_position:
                    raise build_position_conflict(recorder, act.seen_position)
                spend()

            key = build_approval_key(table_key, act.form_id)
            return table.session.take(act.line, key=key, seat=act.seat, check=check).is_repeat

    def change_dealer(self, table_key: TableKey, device: DeviceEnrolled, person: PagePerson) -> None:
        """Record that another dealer sits down, if the table's record has somebody else."""
        table = self._find_table(table_key)
        with table.lock:
            recorder = self._prepare_recorder(table, device, None, person)
            table.session.live_table.refresh()
            previous, dealer = table.session.live_table.state.dealer, person.recording.user
            if previous != dealer:
                recorder.record_events([DealerChanged(dealer, previous)], {})

    def find_position(self, table_key: TableKey) -> int:
        """Return the log position of a table's last entry."""
        table = self._find_table(table_key)
        with table.lock:
            table.session.recorder.look()
            return table.session.recorder.position()

    def _require_floor_for_line(self, table: _LockedTable, line: str, person: PagePerson | None) -> None:
        """Refuse a line that a floor has to approve, as far as its words show it."""
        if person is None or person.line_needs_floor is None:
            return
        recorder = table.session.recorder
        table.session.live_table.refresh()
        act = person.line_needs_floor(line, recorder, bool(table.session.live_table.state.number))
        if act:
            raise api_errors.approval_needed(act, recorder.position())

    def _check_sequence(self, table: _LockedTable, table_key: TableKey, act: PageAct) -> None:
        """Refuse an act if its sender's earlier acts are missing, or another device's act came first."""
        recorder, last_act = table.session.recorder, table.find_last_act(act.sender)
        if last_act is None or last_act.number != act.previous_number:
            last_act = self._find_last_act(recorder, table_key, act)
        last_number = last_act.number
        if last_number < act.previous_number:
            raise api_errors.acts_missing(act.number, last_number + 1, act.previous_number)
        if last_number > act.previous_number:
            raise api_errors.act_out_of_order(act.number, act.previous_number, last_number)
        seen_position = act.seen_position if act.seen_position is not None or not last_number else last_act.position
        if seen_position is None:
            raise api_errors.seen_position_missing()
        if recorder.position() != seen_position:
            raise build_position_conflict(recorder, seen_position)

    def _find_last_act(self, recorder: Recorder, table_key: TableKey, act: PageAct) -> LastAct:
        """Return the sender's last recorded act up to this one; number 0 if there is none."""
        for number in range(act.number, max(0, act.number - _MAX_LOOKBACK), -1):
            stored_act = recorder.find_stored(build_page_key(table_key, act.sender, number))
            if stored_act is not None:
                return LastAct(number, stored_act.position)
        return LastAct(0, 0)

    def _find_act_position(self, recorder: Recorder, table_key: TableKey, act: PageAct) -> int:
        """Return the log position of a recorded act."""
        stored_act = recorder.find_stored(build_page_key(table_key, act.sender, act.number))
        return recorder.position() if stored_act is None else stored_act.position

    def record_events(self, table_key: TableKey, device: DeviceEnrolled, request: Events) -> Answer:
        """Record events, all or none."""
        if not 0 < len(request.events) <= MAX_BATCH:
            raise api_errors.wrong_event_count(MAX_BATCH)
        events = [decode_event(raw) for raw in request.events]
        times = {index: moment for index, moment in enumerate(request.times[: len(events)]) if moment is not None}
        key = build_device_key(table_key, device.device, request.key, 0)
        table = self._find_table(table_key)
        with table.lock:
            recorder = self._prepare_recorder(table, device, request.sent)
            (earlier_act,) = find_former_acts(recorder, table_key, device.device, request.key, 1)
            outcome = recorder.record_events(
                events, times, key=key, behind=request.seen_version, former_act=earlier_act
            )
            return Answer(
                recorded=len(events), again=outcome.is_repeat, live=self._build_visible_document(table, device)
            )

    def undo(self, table_key: TableKey, device: DeviceEnrolled, request: Undo) -> Answer:
        """Take back the last valid event of the running hand."""
        key = build_device_key(table_key, device.device, request.key, 0)
        table = self._find_table(table_key)
        with table.lock:
            recorder = self._prepare_recorder(table, device, request.sent)
            (earlier_act,) = find_former_acts(recorder, table_key, device.device, request.key, 1)
            outcome = recorder.undo(why=request.reason, key=key, behind=request.seen_version, former_act=earlier_act)
            return Answer(recorded=1, again=outcome.is_repeat, live=self._build_visible_document(table, device))

    def _find_table(self, table_key: TableKey, *, shows_names: bool = True) -> _LockedTable:
        """Return a table with its recorder. Raise `ProblemError` 404 if its game is unknown.

        `shows_names`: the answer may name people, so nobody who was erased may be remembered.
        """
        with self._lock:
            # Tables in memory may name people whom another program erased. A request that still reads one keeps the old dict.
            if shows_names and self.ledger.drop_erased():
                self._tables = OrderedDict()
            tables = self._tables
            table = tables.get(table_key)
        if table is None:
            table = self._read_table(table_key)
        with self._lock:
            table = tables.setdefault(table_key, table)  # another request may have read it at the same moment
            tables.move_to_end(table_key)
            while len(tables) > _MAX_TABLES:
                tables.popitem(last=False)
            return table

    def _read_table(self, table_key: TableKey) -> _LockedTable:
        """Read a table from the ledger. Other tables go on meanwhile."""
        settings_before = find_last_settings(self.ledger, table_key.venue, table_key.table, table_key.tournament)
        if settings_before is None:
            raise api_errors.table_unknown()
        return _LockedTable(self._open_session(Recorder(self.ledger, *settings_before)))

    def list_kept(self) -> list[TableKey]:
        """Return the tables that were used lately, also those without a hand yet."""
        opened_tables = list_opened_tables(self.ledger, _MAX_OPENED_TABLES)
        with self._lock:
            return list(dict.fromkeys((*opened_tables, *self._tables)))

    def reload_books(self) -> None:
        """Reload the books that the house adopted, for all tables in memory."""
        with self._lock:
            tables = list(self._tables.values())
        for table in tables:
            with table.lock:
                table.session.load_books(self._books)

    def _open_session(self, recorder: Recorder) -> TableSession:
        return TableSession(recorder, self._books)

    def _prepare_recorder(
        self, table: _LockedTable, device: DeviceEnrolled, sent: Millis | None, person: PagePerson | None = None
    ) -> Recorder:
        """Return a table's up-to-date recorder, set up to write for this device, or for a person on it."""
        self._set_author(table, device, person)
        if sent is not None:
            self._clocks.check(f"device:{device.device}", sent)
        table.session.recorder.look()
        return table.session.recorder

    def _set_author(self, table: _LockedTable, device: DeviceEnrolled, person: PagePerson | None) -> None:
        """Set a table's recorder up to write for a device, or for a person on it."""
        _require_recorder(device)
        recorder = table.session.recorder

        def check(facts: LineResult) -> None:
            _check_allowed(device, facts)
            if person is not None and person.needs_floor is not None:
                act = person.needs_floor(facts, recorder, bool(table.session.live_table.state.number))
                if act:
                    raise api_errors.approval_needed(act, recorder.position())

        recorder.author = self._build_author(device, person)._replace(check=check)

    def _build_author(self, device: DeviceEnrolled, person: PagePerson | None) -> Author:
        if person is None:
            return Author(f"device:{device.device}", hides_cards=self.hides_cards)
        recording = person.recording
        responsible_person = recording.approver or recording.user
        return Author(recording.writer, person=responsible_person, role=person.role, hides_cards=self.hides_cards)

    def _build_visible_document(self, table: _LockedTable, device: DeviceEnrolled) -> LiveDocument:
        return table.session.document(self._find_visible_seats(table, device))

    def _find_visible_seats(self, table: _LockedTable, device: DeviceEnrolled) -> frozenset[Seat] | None:
        """Return the seats whose cards a device may see; None = all."""
        audience = ALL if device.cards else PUBLIC
        return find_visible_seats(table.session.recorder.hand_events, audience, self.ledger.people)


def _check_allowed(device: DeviceEnrolled, facts: LineResult) -> None:
    """Refuse facts that a device may not record: another kind, or cards that were not shown."""
    if not may_append(device, facts.kind):
        raise api_errors.facts_not_allowed(facts.kind)
    if not device.cards and any(isinstance(event, CARD_EVENTS) and event.cards.strip("?") for event in facts.events):
        raise api_errors.cards_not_allowed()


def _require_recorder(device: DeviceEnrolled) -> None:
    """Refuse a read-only device before reading its request."""
    if not any(may_append(device, kind) for kind in ("hand", "table")):
        raise api_errors.device_may_look()
