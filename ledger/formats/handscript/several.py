"""What several seats did alike, on one line: `2,3,4 check`, `3 4 killed lost`, `Bo and Cy are away`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ledger.event import Event
from ledger.formats.handscript import counting, shorthand
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.tokens import TAIL, Counted, Group, instead, quoted
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

_AMOUNTS: Final = (PotAwarded, ChipsAdded, StraddlePosted)
_ALIKE: Final = (
    *(Folded, Checked, Called, AntePosted, StoodPat, HandKilled, ClockExpired, CardsMucked, CardsTurnedDown),
    *(CardsViewed, PlayerAway, PlayerBack, DealOutRequested, WaitDeclared, ConnectionLost, ConnectionRestored),
    *(PlayerBusted, SeatLeft, PlayerEstablished, MarkerGiven, MarkerTaken),
)
"""What several seats may do alike."""


Understand: TypeAlias = Callable[[Sequence[str], Context], Sequence[Event]]


def several_seats(line: Sequence[str], context: Context, understand: Understand) -> Sequence[Event]:
    """Return what several seats did alike, as in `2,3,4 check`, `3 4 killed lost`, `Bo and Cy are away`."""
    seats, rest = seats_first(line, context)
    if len(seats) < 2 or not rest or any(context.occupant(seat) is None for seat in seats):
        return ()
    each = rest[-1].lower() == "each"
    events: list[Event] = []
    for seat in seats:
        found = understand([str(seat), *(rest[:-1] if each else rest)], context)
        if len(found) != 1 or not _is_alike(found[0], rest, each=each):
            return ()
        events += found
    return events


def seats_first(line: Sequence[str], context: Context) -> tuple[list[Seat], list[str]]:
    """Return the seats, or names, that a line begins with, and the words behind them."""
    words = [part for word in line for part in ([word] if quoted(word) else _parted(word))]
    names, seats = shorthand.seated(context), list[Seat]()
    while words:
        word = words[0].lower()
        if (seats and word in ("and", "&")) or (word in ("seat", "seats", "players") and len(words) > 1):
            words = words[1:]
        elif word.isdecimal() and len(word) <= _SEAT_DIGITS:
            seats.append(int(word))
            words = words[1:]
        elif (named := shorthand.seat_first(words, names)) is not None:
            seats.append(int(named[0]))
            words = named[1:]
        else:
            break
    if words and words[0].lower() in ("are", "were", "both", "all"):
        words = words[1:]
    return (seats if len(set(seats)) == len(seats) else []), words


_SEAT_DIGITS: Final = 2


def _parted(word: str) -> list[str]:
    """Return a word by the commas in it: `2,3,4`; one behind an amount's is no other seat."""
    if isinstance(word, Group) or TAIL in word:
        return [word]
    return [instead(word, part) for part in word.split(",") if part]


def _is_alike(event: Event, rest: Sequence[str], *, each: bool) -> bool:
    """Whether several seats can do the same in one line: an amount is each one's own only where the line says so."""
    if isinstance(event, _AMOUNTS):
        return each
    return isinstance(event, _ALIKE) and not (isinstance(event, Called) and len(rest) > 1)


def answers(line: Sequence[str], context: Context) -> list[tuple[str, str]]:
    """Return a hint and the lines for what several seats did that cannot be read from one line."""
    seats, rest = seats_first(line, context)
    if len(seats) < 2 or not rest:
        return []
    verb = shorthand.verb(rest[0])
    if verb == "shows" and len(rest) == 1:
        return [("Write the cards of each.", "; ".join(f"{seat} shows CARDS" for seat in seats))]
    if verb == "wins" and len(rest) > 1:
        amount = next(
            (
                word
                for word in _plain(rest, context)
                if word.replace(".", "", 1).isdigit() and type(word) is not Counted
            ),
            "",
        )
        if amount:
            return [(_SHARED, "; ".join(f"{seat} wins {amount}" for seat in seats))]
    return []


def _plain(words: Sequence[str], context: Context) -> list[str]:
    return counting.marked(shorthand.plain_words(words, context), context)


_SHARED: Final = "Is that what each of them won? If they split it, write each one's share."
