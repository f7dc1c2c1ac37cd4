"""Correct stored hands, and choose which account of a hand counts.

One transaction appends a correction to the hand's stream and its consequence to the table's stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import takewhile
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

import msgspec

from ledger.account import CorrectionReader
from ledger.entry import Provenance
from ledger.errors import CorrectionError, UnreadableHandError, UsageError
from ledger.event import Event, topic
from ledger.hand.correction_errors import event_corrected_already
from ledger.hand.corrections import apply_corrections, find_replacement
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.hand.fold import fold
from ledger.replay import list_corrected as as_corrected
from ledger.store.commits import CommitDraft
from ledger.store.hands.table_streams import remember_hand
from ledger.streams import table_stream
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed
from ledger.vocabulary import PlayerId, Role, TextRef

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.hand.events import HandEvent
    from ledger.store.commits import HandRow
    from ledger.store.ledger import Ledger

_encode: Final = msgspec.json.Encoder().encode
_NEAR_EVENTS: Final = 3
"""The greatest distance between the event that was named and the one that was meant."""


def build_correction_events(
    ledger: Ledger, row: HandRow, corrections: Sequence[tuple[CorrectionMade, CorrectionReader]]
) -> tuple[list[Event], list[Event]]:
    """Return the events that these corrections add to a hand's stream and to its table's.

    Raises `CorrectionError` if a correction doesn't fit the hand.
    """
    events = cast("list[HandEvent]", ledger.events(row.stream))
    new_events: list[Event] = []
    for correction, reread in corrections:
        current_events = [*events, *new_events]
        brought_events = _read_correction(ledger, current_events, correction, reread)
        _check_fits(row, current_events, correction, brought_events)
        new_events += [correction, *brought_events]
    try:
        corrected_hand = remember_hand(cast("list[HandEvent]", [*events, *new_events]), row.stream.hex)
    except Exception as error:
        raise CorrectionError(
            f"hand {row.number!r} cannot be played any more with that: {error}", _SHOW_HINT
        ) from error
    return new_events, build_table_correction(ledger, row, corrected_hand, corrections[-1][0])


def append_correction(
    ledger: Ledger, row: HandRow, hand: Sequence[Event], table: Sequence[Event], recorded: Provenance
) -> bool:
    """Append both in one transaction; return whether they are new."""
    streams = [("hand", row.stream, hand), ("table", _find_stream(row), table)]
    drafts = [
        CommitDraft(
            "hand" if kind == "hand" else "table",
            stream,
            None,
            len(events),
            _encode(events),
            b"",
            recorded._replace(key=f"{recorded.key}:{kind}" if recorded.key else ""),
        )
        for kind, stream, events in streams
        if events
    ]
    return any(outcome.state == "new" for outcome in ledger.append_all(drafts))


def build_correction_key(row: HandRow, corrections: Sequence[tuple[CorrectionMade, CorrectionReader]]) -> str:
    """Return the append key of a correction, so that importing its file again adds nothing."""
    correction_bytes = (
        _encode([correction for correction, _ in corrections])
        + repr([getattr(reread, "args", ()) for _, reread in corrections]).encode()
    )
    return f"correction:{row.stream.hex}:{sha256(correction_bytes).hexdigest()[:32]}"


def is_taken_in(ledger: Ledger, key: str) -> bool:
    """Return whether corrections were appended under this key of `build_correction_key`."""
    with ledger.database.reading() as link:
        row = link.execute("SELECT 1 FROM log WHERE key = ?", (f"{key}:hand",)).fetchone()
    return row is not None


def choose_account(
    ledger: Ledger, row: HandRow, earlier_stream: str, role: Role, person: PlayerId, reason: TextRef
) -> list[Event]:
    """Return the table's events for the choice of an account over `earlier_stream`."""
    if not reason:
        raise UsageError("a choice says why", 'Say it with --why "...".')
    choice = AccountChosen(row.number, row.stream.hex, earlier_stream, role, person, reason)
    return [*_build_missing_hand_event(ledger, row), choice]


def place_account(
    ledger: Ledger, row: HandRow, other_row: HandRow | None, role: Role, person: PlayerId, reason: TextRef
) -> list[Event]:
    """Return the table's events for the statement that an account is of the same hand as `other_row`.

    Without `other_row`, it's a hand of its own.
    """
    if not reason:
        raise UsageError("a choice says why", 'Say it with --why "...".')
    home_row = row if other_row is None else other_row
    placement = AccountPlaced(row.number, row.stream.hex, home_row.stream.hex, by=role, person=person, why=reason)
    return [*_build_missing_hand_event(ledger, row), placement]


def _build_missing_hand_event(ledger: Ledger, row: HandRow) -> list[Event]:
    """Return the table's missing event for an account of an older program."""
    table_events = ledger.events(_find_stream(row))
    if any(isinstance(event, HandPlayed) and event.hand == row.stream.hex for event in table_events):
        return []
    return [remember_hand(cast("list[HandEvent]", ledger.events(row.stream)), row.stream.hex)]


def _find_stream(row: HandRow) -> UUID:
    return table_stream(row.venue, row.tournament, row.table)


# which corrections fit


def _read_correction(
    ledger: Ledger, events: Sequence[Event], correction: CorrectionMade, reread: CorrectionReader
) -> list[Event]:
    """Return the events of a correction, read at their place in the hand."""
    last_version = len(events) + 2  # the version of the correction's own events
    correction_mark = msgspec.structs.replace(correction, count=1)
    holding_events = apply_corrections(list(enumerate([*events, correction_mark, _END_MARK], 1)))
    events_before = [
        event for _, event in takewhile(lambda numbered_event: numbered_event[0] != last_version, holding_events)
    ]
    try:
        return list(reread(events_before, ledger.people))
    except UnreadableHandError as error:
        raise CorrectionError(error.reason, error.hint) from error


def _check_fits(
    row: HandRow, events: Sequence[Event], correction: CorrectionMade, brought_events: Sequence[Event]
) -> None:
    number = f"hand {row.number!r}"
    if correction.by == "unknown" or not correction.why:
        raise CorrectionError("a correction says who makes it and why", _CORRECTION_HINT)
    unknown_versions = [
        version_number
        for version_number in (*correction.voids, correction.after)
        if not 0 < version_number <= len(events)
    ]
    if unknown_versions:
        raise CorrectionError(
            f"{number} has {len(events)} events, none of them is number {unknown_versions[0]}", _SHOW_HINT
        )
    if 1 in correction.voids:
        raise CorrectionError("event 1 identifies the hand and can't be corrected", _SHOW_HINT)
    holding_versions = {version for version, _ in apply_corrections(list(enumerate(events, 1)))}
    for version in correction.voids:
        replacement = find_replacement(list(enumerate(events, 1)), version)
        if replacement is not None:
            place = f"{row.table}/{row.number}" if row.table else row.number
            raise event_corrected_already(place, version, replacement.versions, replacement.correction)
    if len(correction.voids) == len(brought_events) == 1:
        _check_meant_event(number, events, correction.voids[0], brought_events[0], holding_versions)


def _check_meant_event(
    number: str, events: Sequence[Event], version: int, brought_event: Event, holding_versions: Iterable[int]
) -> None:
    """Refuse to replace a clearly different event if the one that was meant is near.

    That is another seat's event of another type, or the same seat's event where one is an act and the other
    isn't.
    """
    replaced_event = events[version - 1]
    similar_versions = sorted(
        (
            similar_version
            for similar_version in holding_versions
            if _is_alike(events[similar_version - 1], brought_event)
        ),
        key=lambda similar_version: abs(similar_version - version),
    )
    seats = getattr(replaced_event, "seat", None), getattr(brought_event, "seat", None)
    is_other_module = type(replaced_event).__module__ != type(brought_event).__module__
    is_other_seat = seats[0] != seats[1] and similar_versions and abs(similar_versions[0] - version) <= _NEAR_EVENTS
    if type(replaced_event) is not type(brought_event) and similar_versions and (is_other_module or is_other_seat):
        event_words = topic(type(replaced_event)).removeprefix("hand.").replace("-", " ")
        seat_words = "" if seats[0] is None else f", seat {seats[0]}"
        raise CorrectionError(
            f"event {version} of {number} is something else: {event_words}{seat_words}",
            f"Event {similar_versions[0]} is like what you wrote: name that one if it is meant. If {version} is meant, "
            "take it away first and add the other.",
        )


def _is_alike(event: Event, brought_event: Event) -> bool:
    return type(event) is type(brought_event) and getattr(event, "seat", None) == getattr(brought_event, "seat", None)


def build_table_correction(
    ledger: Ledger, row: HandRow, corrected_hand: HandPlayed, correction: CorrectionMade
) -> list[Event]:
    """Return the events that replace the table's summary of the hand."""
    table_entries = ledger.entries(_find_stream(row))
    holding_events = apply_corrections([(entry.version, entry.event) for entry in table_entries])
    earlier_hand = next(
        (
            (event_version, event)
            for event_version, event in holding_events
            if isinstance(event, HandPlayed) and event.hand == row.stream.hex
        ),
        None,
    )
    if earlier_hand is None or earlier_hand[1] == corrected_hand:
        return []
    version = earlier_hand[0]
    return [CorrectionMade((version,), version, 1, correction.by, correction.person, correction.why), corrected_hand]


def is_unbalanced(ledger: Ledger, row: HandRow, added_events: Sequence[Event] = ()) -> bool:
    """Return whether the chips of a hand don't add up, with `added_events` at its end."""
    events = cast("list[HandEvent]", [*ledger.events(row.stream), *added_events])
    state = fold([event for _, event in as_corrected(events)])
    return bool(state.chips.awarded and state.conservation())


_END_MARK: Final = RemarkNoted("")
_SHOW_HINT: Final = "handledger show HAND numbers its events."
_CORRECTION_HINT: Final = 'As in: correction 27 after 26 count 1 by floor why "the bet was 120"'
