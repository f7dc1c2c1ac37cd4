"""One record: its members, each event with the value that tells it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.globalpoker import acts, settling
from ledger.formats.globalpoker.values import Hand
from ledger.formats.globalpoker.words import GAMES, LIMITS, VENUE, WITNESSES
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.documented import Record
from ledger.readers.spans import members
from ledger.vocabulary import Millis, Seat, Witness

_KNOWN: Final = frozenset(("id", "table", "startTime", "endTime", "results", "events", "seats", "settings"))
_FLAGS: Final = ("broadcast", "winPercentage", "rabbitHunting")
"""Settings that say nothing of this hand: what the table shows to those who look on."""

_SETTINGS: Final = frozenset(
    ("variant", "currencyCode", "betStrategyType", "capacity", "bigBlind", "smallBlind", "ante", "attributes", *_FLAGS)
)
_MOST: Final = 200


def tell(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> Hand:
    """Read the record at `place`; one that cannot be read raises `UnreadableHandError`."""
    record = Record(data, place)
    value = record.value
    events, seats = value.get("events"), value.get("seats")
    if not isinstance(events, list) or not isinstance(seats, list):
        raise UnreadableHandError("no record of a hand: no events or no seats", kind="not-a-hand")
    number, settings = value.get("id"), value.get("settings")
    if not isinstance(number, str) or not number or not isinstance(settings, dict):
        raise UnreadableHandError("the record has no id or no settings", kind="no-header")
    exponent = 2 if exponent is None else exponent
    game = _game(settings, exponent)
    told = Hand(record, people, VENUE, game)
    told.at = record.where.get("settings", record.where[""])
    told.put(game)
    _settings(told, settings)
    acts.sit(told)
    acts.play(told)
    settling.settle(told)
    for name in value:
        if name not in _KNOWN:
            told.strange(name, record.where[name])
    table, seated = _table(value.get("table")), settings.get("capacity")
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if told.own else 0)
    told.open(
        HandOpened(
            VENUE,
            table,
            number[:_MOST],
            witnesses,
            _moment(value.get("startTime")),
            str(value.get("startTime", ""))[:_MOST],
            _count(seated),
        )
    )
    return told


def _moment(value: object) -> Millis | None:
    told = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 47
    return int(str(value)) if told else None


def _count(value: object) -> Seat:
    told = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100
    return int(str(value)) if told else 0


def _table(value: object) -> str:
    """Return a table as `Irving (47978)`: names come back, numbers do not."""
    table = value if isinstance(value, dict) else {}
    name, number = table.get("tableName"), table.get("tableId")
    parts = [name[:_MOST].strip()] if isinstance(name, str) else []
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 10**15:
        parts.append(f"({number})" if parts else str(number))
    if not parts:
        raise UnreadableHandError("the record names no table", kind="no-header")
    return " ".join(parts)


def _game(settings: dict[str, Any], exponent: int) -> GameSet:
    name, limit = str(settings.get("variant"))[:_MOST], str(settings.get("betStrategyType"))[:_MOST]
    variant, betting = GAMES.get(name), LIMITS.get(limit)
    if variant is None or betting is None:
        raise UnreadableHandError(
            f"the game {limit[:20]!r} {name[:40]!r} is not known",
            kind="unknown-game",
            hint="If it is a game that handledger knows by another name, please report it.",
        )
    blinds = tuple(amounts.number(settings[one], exponent) for one in ("smallBlind", "bigBlind") if settings.get(one))
    unit = settings.get("currencyCode")
    return GameSet(
        variant,
        betting,
        "cash",
        unit[:10] if isinstance(unit, str) and unit else "chips",
        exponent,
        blinds,
        amounts.number(settings.get("ante") or 0, exponent),
        (),
        0,
        f"{name} {limit}",  # the bets of a limit game are in no setting
    )


def _settings(told: Hand, settings: dict[str, Any]) -> None:
    """Keep settings that nobody knows; attributes are the room's own, told as they stand."""
    if settings.get("attributes"):
        told.put(OptionSet("other", msgspec.json.encode(settings["attributes"]).decode()[:1000]))
    at = told.at
    inside = members(told.data, told.spans.starts[at], told.spans.lengths[at])
    for name in settings:
        if name not in _SETTINGS:
            told.strange(f"settings.{name}", told.spans.add(*inside[name]))
