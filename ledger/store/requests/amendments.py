"""What people say of stored hands: that an event was told wrongly, and which account stands.

The hand's own stream takes a correction, its table's stream what follows from it, in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import takewhile
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

import msgspec

from ledger.account import Reread
from ledger.entry import Recorded
from ledger.errors import CorrectionError, UnreadableHandError, UsageError
from ledger.event import Event, topic
from ledger.hand.corrections import holding
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.hand.fold import fold
from ledger.replay import corrected as as_corrected
from ledger.store.commits import Draft
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
_NEAR: Final = 3
"""How far from the event that was named the one that was meant may lie."""


def corrected(
    ledger: Ledger, row: HandRow, corrections: Sequence[tuple[CorrectionMade, Reread]]
) -> tuple[list[Event], list[Event]]:
    """Return what a hand's stream and its table's take in for these corrections.

    `CorrectionError` says why a correction does not fit the hand.
    """
    events = cast("list[HandEvent]", ledger.events(row.stream))
    new: list[Event] = []
    for made, reread in corrections:
        there = [*events, *new]
        brought = _read(ledger, there, made, reread)
        _fits(row, there, made, brought)
        new += [made, *brought]
    try:
        now = remember_hand(cast("list[HandEvent]", [*events, *new]), row.stream.hex)
    except Exception as error:
        raise CorrectionError(f"hand {row.number!r} cannot be played any more with that: {error}", _SHOW) from error
    return new, table_follows(ledger, row, now, corrections[-1][0])


def append(ledger: Ledger, row: HandRow, hand: Sequence[Event], table: Sequence[Event], recorded: Recorded) -> bool:
    """Store both in one transaction; return whether they are new. Decided upon what is there now."""
    streams = [("hand", row.stream, hand), ("table", _stream_of(row), table)]
    drafts = [
        Draft(
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


def key_of(row: HandRow, corrections: Sequence[tuple[CorrectionMade, Reread]]) -> str:
    """Return the key that takes a correction in once, however often its file is imported."""
    said = (
        _encode([made for made, _ in corrections])
        + repr([getattr(reread, "args", ()) for _, reread in corrections]).encode()
    )
    return f"correction:{row.stream.hex}:{sha256(said).hexdigest()[:32]}"


def known(ledger: Ledger, key: str) -> bool:
    """Tell whether corrections were taken in under that key of `key_of`."""
    with ledger.database.reading() as link:
        row = link.execute("SELECT 1 FROM log WHERE key = ?", (f"{key}:hand",)).fetchone()
    return row is not None


def chosen(ledger: Ledger, row: HandRow, stands: str, by: Role, person: PlayerId, why: TextRef) -> list[Event]:
    """Return what a table is told when somebody says that an account stands, not `stands`."""
    if not why:
        raise UsageError("a choice says why", 'Say it with --why "...".')
    choice = AccountChosen(row.number, row.stream.hex, stands, by, person, why)
    return [*_untold(ledger, row), choice]


def placed(
    ledger: Ledger, row: HandRow, other: HandRow | None, by: Role, person: PlayerId, why: TextRef
) -> list[Event]:
    """Return what a table is told when somebody says that an account tells the hand that `other` tells.

    Without `other` it is a hand of its own.
    """
    if not why:
        raise UsageError("a choice says why", 'Say it with --why "...".')
    home = row if other is None else other
    said = AccountPlaced(row.number, row.stream.hex, home.stream.hex, by=by, person=person, why=why)
    return [*_untold(ledger, row), said]


def _untold(ledger: Ledger, row: HandRow) -> list[Event]:
    """Return what a table remembers of an account of which an older program did not tell it."""
    told = ledger.events(_stream_of(row))
    if any(isinstance(event, HandPlayed) and event.hand == row.stream.hex for event in told):
        return []
    return [remember_hand(cast("list[HandEvent]", ledger.events(row.stream)), row.stream.hex)]


def _stream_of(row: HandRow) -> UUID:
    return table_stream(row.venue, row.tournament, row.table)


# what fits


def _read(ledger: Ledger, events: Sequence[Event], made: CorrectionMade, reread: Reread) -> list[Event]:
    """Return the events that a correction brings, read in their place in the hand."""
    last = len(events) + 2  # of whatever comes with the correction
    mark = msgspec.structs.replace(made, count=1)
    held = holding(list(enumerate([*events, mark, _MARK], 1)))
    before = [event for _, event in takewhile(lambda one: one[0] != last, held)]
    try:
        return list(reread(before, ledger.people))
    except UnreadableHandError as error:
        raise CorrectionError(error.reason, error.hint) from error


def _fits(row: HandRow, events: Sequence[Event], made: CorrectionMade, brought: Sequence[Event]) -> None:
    number = f"hand {row.number!r}"
    if made.by == "unknown" or not made.why:
        raise CorrectionError("a correction says who makes it and why", _HOW)
    wrong = [v for v in (*made.voids, made.after) if not 0 < v <= len(events)]
    if wrong:
        raise CorrectionError(f"{number} has {len(events)} events, none of them is number {wrong[0]}", _SHOW)
    if 1 in made.voids:
        raise CorrectionError("event 1 says which hand this is, and stands", _SHOW)
    holds = {version for version, _ in holding(list(enumerate(events, 1)))}
    for version in made.voids:
        if version not in holds and not isinstance(events[version - 1], CorrectionMade):
            raise CorrectionError(f"event {version} of {number} was corrected already", _SHOW)
    if len(made.voids) == len(brought) == 1:
        _meant(number, events, made.voids[0], brought[0], holds)


def _meant(number: str, events: Sequence[Event], version: int, brought: Event, holds: Iterable[int]) -> None:
    """Refuse to replace what is plainly something else, where the one that was meant stands near.

    That is another seat's event of another kind, or of the same seat what is no act where an act is
    written, and the other way round.
    """
    told = events[version - 1]
    alike = sorted((v for v in holds if _alike(events[v - 1], brought)), key=lambda v: abs(v - version))
    seats = getattr(told, "seat", None), getattr(brought, "seat", None)
    foreign = type(told).__module__ != type(brought).__module__
    strange = seats[0] != seats[1] and alike and abs(alike[0] - version) <= _NEAR
    if type(told) is not type(brought) and alike and (foreign or strange):
        said = topic(type(told)).removeprefix("hand.").replace("-", " ")
        whose = "" if seats[0] is None else f", seat {seats[0]}"
        raise CorrectionError(
            f"event {version} of {number} is something else: {said}{whose}",
            f"Event {alike[0]} is like what you wrote: name that one if it is meant. If {version} is meant, "
            "take it away first and add the other.",
        )


def _alike(event: Event, brought: Event) -> bool:
    return type(event) is type(brought) and getattr(event, "seat", None) == getattr(brought, "seat", None)


def table_follows(ledger: Ledger, row: HandRow, now: HandPlayed, made: CorrectionMade) -> list[Event]:
    """Return what the table is told in the place of what it remembers of the hand."""
    told = ledger.entries(_stream_of(row))
    held = holding([(entry.version, entry.event) for entry in told])
    before = next(((v, e) for v, e in held if isinstance(e, HandPlayed) and e.hand == row.stream.hex), None)
    if before is None or before[1] == now:
        return []
    version = before[0]
    return [CorrectionMade((version,), version, 1, made.by, made.person, made.why), now]


def unbalanced(ledger: Ledger, row: HandRow, more: Sequence[Event] = ()) -> bool:
    """Tell whether the chips of a hand do not add up, as it stands; `more` are events that it is about to get."""
    events = cast("list[HandEvent]", [*ledger.events(row.stream), *more])
    state = fold([event for _, event in as_corrected(events)])
    return bool(state.chips.awarded and state.conservation())


_MARK: Final = RemarkNoted("")
_SHOW: Final = "handledger show HAND numbers its events."
_HOW: Final = 'As in: correction 27 after 26 count 1 by floor why "the bet was 120"'
