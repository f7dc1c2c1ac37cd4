"""Read an act that several seats share in a line: `2,3,4 check`, `3 4 killed lost`, `Bo and Cy are away`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ledger.event import Event
from ledger.formats.handscript import counts, shorthand
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.tokens import TAIL, Counted, Group, is_quoted, replace_text
from ledger.hand.betting import Called, Checked, ClockExpired, Folded, HandKilled
from ledger.hand.dealing import CardsViewed, StoodPat
from ledger.hand.ending import CardsMucked, CardsTurnedDown, PotAwarded
from ledger.hand.opening import AntePosted, StraddlePosted
from ledger.presence import (
    ChipsAdded,
    ConnectionLost,
    ConnectionRestored,
    DealOutRequested,
    MarkerGiven,
    MarkerTaken,
    PlayerAway,
    PlayerBack,
    PlayerBusted,
    SeatLeft,
    WaitDeclared,
)
from ledger.table.events import PlayerEstablished
from ledger.vocabulary import Seat

_AMOUNT_EVENTS: Final = (PotAwarded, ChipsAdded, StraddlePosted)
_SHARED_EVENTS: Final = (
    *(Folded, Checked, Called, AntePosted, StoodPat, HandKilled, ClockExpired, CardsMucked, CardsTurnedDown),
    *(CardsViewed, PlayerAway, PlayerBack, DealOutRequested, WaitDeclared, ConnectionLost, ConnectionRestored),
    *(PlayerBusted, SeatLeft, PlayerEstablished, MarkerGiven, MarkerTaken),
)
"""The events that several seats can share."""


LineInterpreter: TypeAlias = Callable[[Sequence[str], Context], Sequence[Event]]


def read_several_seats(line: Sequence[str], context: Context, understand: LineInterpreter) -> Sequence[Event]:
    """Return the events of seats that share an act, as in `2,3,4 check`, `3 4 killed lost`, `Bo and Cy are away`."""
    seats, remaining_words = split_seats(line, context)
    if len(seats) < 2 or not remaining_words or any(context.find_occupant(seat) is None for seat in seats):
        return ()
    is_each = remaining_words[-1].lower() == "each"
    events: list[Event] = []
    for seat in seats:
        seat_events = understand([str(seat), *(remaining_words[:-1] if is_each else remaining_words)], context)
        if len(seat_events) != 1 or not _is_alike(seat_events[0], remaining_words, is_each=is_each):
            return ()
        events += seat_events
    return events


def split_seats(line: Sequence[str], context: Context) -> tuple[list[Seat], list[str]]:
    """Return the seats or names at the beginning of a line, and the words after them."""
    words = [part for word in line for part in ([word] if is_quoted(word) else _split_commas(word))]
    names, seats = shorthand.index_seats_by_name(context), list[Seat]()
    while words:
        word = words[0].lower()
        if (seats and word in ("and", "&")) or (word in ("seat", "seats", "players") and len(words) > 1):
            words = words[1:]
        elif word.isdecimal() and len(word) <= _SEAT_DIGITS:
            seats.append(int(word))
            words = words[1:]
        elif (renamed_words := shorthand.replace_first_name(words, names)) is not None:
            seats.append(int(renamed_words[0]))
            words = renamed_words[1:]
        else:
            break
    if words and words[0].lower() in ("are", "were", "both", "all"):
        words = words[1:]
    return (seats if len(set(seats)) == len(seats) else []), words


_SEAT_DIGITS: Final = 2


def _split_commas(word: str) -> list[str]:
    """Split `2,3,4` at its commas, except a comma within an amount."""
    if isinstance(word, Group) or TAIL in word:
        return [word]
    return [replace_text(word, part) for part in word.split(",") if part]


def _is_alike(event: Event, remaining_words: Sequence[str], *, is_each: bool) -> bool:
    """Whether several seats can share an event. An amount is shared only if the line says `each`."""
    if isinstance(event, _AMOUNT_EVENTS):
        return is_each
    return isinstance(event, _SHARED_EVENTS) and not (isinstance(event, Called) and len(remaining_words) > 1)


def advise_seats(line: Sequence[str], context: Context) -> list[tuple[str, str]]:
    """Return a hint and the separate lines for an act of several seats that can't share a line."""
    seats, remaining_words = split_seats(line, context)
    if len(seats) < 2 or not remaining_words:
        return []
    verb = shorthand.normalize_verb(remaining_words[0])
    if verb == "shows" and len(remaining_words) == 1:
        return [("Write the cards of each.", "; ".join(f"{seat} shows CARDS" for seat in seats))]
    if verb == "wins" and len(remaining_words) > 1:
        amount = next(
            (
                word
                for word in _normalize_words(remaining_words, context)
                if word.replace(".", "", 1).isdigit() and type(word) is not Counted
            ),
            "",
        )
        if amount:
            return [(_SHARE_QUESTION, "; ".join(f"{seat} wins {amount}" for seat in seats))]
    return []


def _normalize_words(words: Sequence[str], context: Context) -> list[str]:
    return counts.mark_counts(shorthand.list_plain_words(words, context), context)


_SHARE_QUESTION: Final = "Is that what each of them won? If they split it, write each one's share."
