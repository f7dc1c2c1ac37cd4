"""The closed lists of the notation, and a hand's own events, kept in a field of ours beside what the notation can say.

`_handledger_events` holds a digest of the other fields and all events as JSON, names and free texts in
the clear as in the rest of the file: ids belong to one ledger only. Other programs pass it over. Where
somebody changed the other fields since, the digest tells, and those are read instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from typing import Final, NamedTuple, TypeVar

import msgspec

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.events import HandEvent
from ledger.hand.opening import Betting, HandOpened
from ledger.people import People
from ledger.readers.documented import names
from ledger.readers.games import DRAW_STREETS, STUD_STREETS
from ledger.vocabulary import Street, Witness


class Game(NamedTuple):
    """What a code of the notation stands for, as far as its reader needs it."""

    code: str
    variant: str
    betting: Betting
    hole: int  # cards of the first deal
    kind: str  # "board", "stud", "draw"
    draws: int = 0


GAMES: Final = {
    game.code: game
    for game in (
        Game("FT", "holdem", "limit", 2, "board"),
        Game("NT", "holdem", "no-limit", 2, "board"),
        Game("NS", "short-deck", "no-limit", 2, "board"),
        Game("PO", "omaha", "pot-limit", 4, "board"),
        Game("FO/8", "omaha8", "limit", 4, "board"),
        Game("F7S", "stud", "limit", 3, "stud"),
        Game("F7S/8", "stud8", "limit", 3, "stud"),
        Game("FR", "razz", "limit", 3, "stud"),
        Game("N2L1D", "single-27", "no-limit", 5, "draw", 1),
        Game("F2L3D", "triple-27", "limit", 5, "draw", 3),
        Game("FB", "badugi", "limit", 4, "draw", 3),
    )
}
CODES: Final = {(game.variant, game.betting): game for game in GAMES.values()}

STREETS: Final[dict[str, tuple[Street, ...]]] = {
    "stud": tuple(STUD_STREETS.values()),
    "draw": ("preflop", *DRAW_STREETS),
}
"""The streets of games without a board."""

DEALS, LAYS = "d dh {who} {cards}", "d db {cards}"
FOLDS, CALLS, WAGERS, BRINGS_IN = "{who} f", "{who} cc", "{who} cbr {amount}", "{who} pb"
SHOWS, MUCKS = "{who} sm {shown}", "{who} sm"
DISCARDS, STANDS_PAT = "{who} sd {cards}", "{who} sd"
"""The actions, as they are read and written."""

WITNESSES: Final = Witness.of("POSTS ANTES BLIND_AMOUNTS STACKS_BEFORE ACTS BOARD DISCARDS SHOWDOWN")
"""What every file of the notation tells. The button is none of it: an empty button seat has no word."""

USED: Final = names(
    "variant ante_trimming_status antes blinds_or_straddles min_bet small_bet big_bet bring_in starting_stacks actions",
    "venue event table hand seats seat_count players finishing_stacks winnings currency level",
    "time day month year time_zone time_zone_abbreviation",
    "_handledger_rake _handledger_exponent _handledger_unit _handledger_events",
)
"""Fields that become facts of their own. Every other one is kept as a remark, word for word."""

NAMED: Final = (
    ("venue", "venue", False),
    ("event", "event", False),
    ("level", "level", True),
    ("hand", "number", True),
    ("table", "table", True),
)
"""Fields that say which hand it is, what each is of a header, and whether a number is written as one."""

HAND_BYTES_MAX: Final = 1 << 20
FIELDS_MAX: Final = 400
ACTIONS_MAX: Final = 4000
DEPTH_MAX: Final = 16
PLAYERS_MAX: Final = 64
DIGITS_MAX: Final = 15
EXPONENT_MAX: Final = 9

UNNAMED: Final = "unnamed-"
UNNUMBERED: Final = "unnumbered-"
"""How a table or a hand that the file does not name is told from others: by its own text."""

KEPT: Final = "_handledger_events"
"""The field in which our writer keeps events that the notation cannot say."""

CHANGED: Final = "the other fields were changed after handledger wrote its events beside them"

WITHOUT_CENTS: Final = frozenset(("JPY", "KRW", "VND", "CLP", "ISK", "PYG", "UGX", "XAF", "XOF"))
SYMBOLS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
ZONES: Final = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "UTC": "UTC",
    "GMT": "UTC",
    "CET": "Europe/Paris",
    "WET": "Europe/Lisbon",
    "EET": "Europe/Helsinki",
    "BRT": "America/Sao_Paulo",
}


_LIST: Final[msgspec.json.Decoder[list[HandEvent]]] = msgspec.json.Decoder(list[HandEvent])
_CHIPS_END: Final = 10 ** (DIGITS_MAX + 1)
_Kind = TypeVar("_Kind", bound=Event)


@cache
def _personal(kind: type[Event]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of `kind` that refer to the vault, and whether each is a person."""
    return tuple(
        (name, said == "PlayerId")
        for base in reversed(kind.__mro__)
        for name, said in getattr(base, "__annotations__", {}).items()
        if said in ("PlayerId", "TextRef")
    )


def _changed(event: _Kind, change: Callable[[str, bool], str]) -> _Kind:
    """Return an event whose references to the vault are changed; the second argument says whether one is a person."""
    told = {name: change(ref, person) for name, person in _personal(type(event)) if (ref := getattr(event, name))}
    return msgspec.structs.replace(event, **told) if told else event


def in_clear(events: Sequence[Event], people: People) -> tuple[bytes, int]:
    """Return events as JSON with names and words in the clear, and how many of those are gone."""
    gone: list[str] = []

    def clear(ref: str, person: bool) -> str:
        words = people.name(ref) if person else people.words(ref)
        if words is None:
            gone.append(ref)
        return erased(ref) if words is None else words

    return msgspec.json.encode([_changed(event, clear) for event in events]), len(gone)


def erased(ref: str) -> str:
    """Return what stands for a name or text that the vault no longer holds."""
    return f"erased {ref[:8]}"


def kept(words: str, people: People, at: int) -> list[HandEvent]:
    """Return the events that our field keeps, names turned into ids again."""
    try:
        events = _LIST.decode(words)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise UnreadableHandError("a field of ours that holds no events", kind="kept", at=at) from None
    if not events or not isinstance(events[0], HandOpened):
        raise UnreadableHandError("kept events without a beginning", kind="kept", at=at)
    venue = events[0].venue

    def hidden(said: str, person: bool) -> str:
        return people.player(venue, said) if person else people.text(said)

    return [_bounded(_changed(event, hidden), at) for event in events]


def _bounded(event: HandEvent, at: int) -> HandEvent:
    for name in event.__struct_fields__:
        value = getattr(event, name)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int) and not -_CHIPS_END < number < _CHIPS_END:
                raise UnreadableHandError("a number too large", kind="amount", at=at)
    return event


def digest(fields: dict[str, str]) -> str:
    """Return what ties kept events to the fields beside them: key → text of the value."""
    joined = "\n".join(f"{key} = {fields[key]}" for key in sorted(fields))
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
