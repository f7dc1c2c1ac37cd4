"""The notation's fixed lists, and our own field, which keeps a hand's events beside what the notation can express.

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

from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.events import HandEvent
from ledger.hand.opening import Betting, HandOpened
from ledger.people import People
from ledger.readers.games import DRAW_STREETS, STUD_STREETS
from ledger.readers.json_hand import split_names
from ledger.vocabulary import Street, Witness


class PhhGame(NamedTuple):
    """The game of one of the notation's codes, as far as the reader needs it."""

    code: str
    variant: str
    betting: Betting
    hole: int  # cards of the first deal
    kind: str  # "board", "stud", "draw"
    draws: int = 0


GAMES: Final = {
    game.code: game
    for game in (
        PhhGame("FT", "holdem", "limit", 2, "board"),
        PhhGame("NT", "holdem", "no-limit", 2, "board"),
        PhhGame("NS", "short-deck", "no-limit", 2, "board"),
        PhhGame("PO", "omaha", "pot-limit", 4, "board"),
        PhhGame("FO/8", "omaha8", "limit", 4, "board"),
        PhhGame("F7S", "stud", "limit", 3, "stud"),
        PhhGame("F7S/8", "stud8", "limit", 3, "stud"),
        PhhGame("FR", "razz", "limit", 3, "stud"),
        PhhGame("N2L1D", "single-27", "no-limit", 5, "draw", 1),
        PhhGame("F2L3D", "triple-27", "limit", 5, "draw", 3),
        PhhGame("FB", "badugi", "limit", 4, "draw", 3),
    )
}
CODES: Final = {(game.variant, game.betting): game for game in GAMES.values()}

STREETS: Final[dict[str, tuple[Street, ...]]] = {
    "stud": tuple(STUD_STREETS.values()),
    "draw": ("preflop", *DRAW_STREETS),
}
"""The streets of games without a board."""

DEALS, LAYS = "d dh {player} {cards}", "d db {cards}"
FOLDS, CALLS, WAGERS, BRINGS_IN = "{player} f", "{player} cc", "{player} cbr {amount}", "{player} pb"
SHOWS, MUCKS = "{player} sm {shown}", "{player} sm"
DISCARDS, STANDS_PAT = "{player} sd {cards}", "{player} sd"
"""The actions, as they are read and written."""

WITNESSES: Final = Witness.from_names("POSTS ANTES BLIND_AMOUNTS STACKS_BEFORE ACTS BOARD DISCARDS SHOWDOWN")
"""What every file records. The button isn't included: the notation can't express an empty button seat."""

KNOWN_FIELDS: Final = split_names(
    "variant ante_trimming_status antes blinds_or_straddles min_bet small_bet big_bet bring_in starting_stacks actions",
    "venue event table hand seats seat_count players finishing_stacks winnings currency level",
    "time day month year time_zone time_zone_abbreviation",
    "_handledger_rake _handledger_exponent _handledger_unit _handledger_events",
)
"""Fields that become events. Every other field is kept as a remark, word for word."""

IDENTITY_FIELDS: Final = (
    ("venue", "venue", False),
    ("event", "event", False),
    ("level", "level", True),
    ("hand", "number", True),
    ("table", "table", True),
)
"""Fields that identify a hand, the header's attribute for each, and whether a number is written unquoted."""

HAND_BYTES_MAX: Final = 1 << 20
FIELDS_MAX: Final = 400
ACTIONS_MAX: Final = 4000
DEPTH_MAX: Final = 16
PLAYERS_MAX: Final = 64
DIGITS_MAX: Final = 15
EXPONENT_MAX: Final = 9

UNNAMED: Final = "unnamed-"
UNNUMBERED: Final = "unnumbered-"
"""Prefixes for a table or a hand without a name; a digest of its own text follows."""

EVENTS_FIELD: Final = "_handledger_events"
"""The field in which our writer keeps events that the notation can't express."""

CHANGED_REMARK: Final = "the other fields were changed after handledger wrote its events beside them"

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


_EVENTS_DECODER: Final = build_json_decoder(list[HandEvent])
_CHIPS_END: Final = 10 ** (DIGITS_MAX + 1)
_EventType = TypeVar("_EventType", bound=Event)


@cache
def _list_vault_fields(event_type: type[Event]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of an event type that refer to the vault, and whether each is a person."""
    return tuple(
        (field_name, annotation == "PlayerId")
        for base_class in reversed(event_type.__mro__)
        for field_name, annotation in getattr(base_class, "__annotations__", {}).items()
        if annotation in ("PlayerId", "TextRef")
    )


def _change_references(event: _EventType, change_reference: Callable[[str, bool], str]) -> _EventType:
    """Return an event with changed references to the vault. `change_reference` takes a reference, and whether it is a person."""
    changed_fields = {
        field_name: change_reference(ref, is_person)
        for field_name, is_person in _list_vault_fields(type(event))
        if (ref := getattr(event, field_name))
    }
    return msgspec.structs.replace(event, **changed_fields) if changed_fields else event


def encode_in_clear(events: Sequence[Event], people: People) -> tuple[bytes, int]:
    """Return events as JSON with names and words in the clear, and how many of them were erased."""
    erased_references: list[str] = []

    def reveal(ref: str, is_person: bool) -> str:
        words = people.name(ref) if is_person else people.words(ref)
        if words is None:
            erased_references.append(ref)
        return format_erased_name(ref) if words is None else words

    return msgspec.json.encode([_change_references(event, reveal) for event in events]), len(erased_references)


def format_erased_name(ref: str) -> str:
    """Return a stand-in for a name or text that the vault no longer has."""
    return f"erased {ref[:8]}"


def decode_events(events_json: str, people: People, field_start: int) -> list[HandEvent]:
    """Return the events in our field, with names turned into ids again."""
    try:
        events = _EVENTS_DECODER.decode(events_json)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise UnreadableHandError(
            "a field of ours that holds no events", kind="kept", byte_offset=field_start
        ) from None
    if not events or not isinstance(events[0], HandOpened):
        raise UnreadableHandError("kept events without a beginning", kind="kept", byte_offset=field_start)
    venue = events[0].venue

    def hide(clear_text: str, is_person: bool) -> str:
        return people.player(venue, clear_text) if is_person else people.text(clear_text)

    return [_check_bounds(_change_references(event, hide), field_start) for event in events]


def _check_bounds(event: HandEvent, field_start: int) -> HandEvent:
    for field_name in event.__struct_fields__:
        value = getattr(event, field_name)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int) and not -_CHIPS_END < number < _CHIPS_END:
                raise UnreadableHandError("a number too large", kind="amount", byte_offset=field_start)
    return event


def compute_fields_digest(fields: dict[str, str]) -> str:
    """Return a digest of fields (key → text of the value), which ties our events to them."""
    joined = "\n".join(f"{key} = {fields[key]}" for key in sorted(fields))
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
