"""What the fields of a hand say, as plain values; amounts still as their file counts them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ledger.errors import UnreadableHandError
from ledger.formats.phh.scanning import Scanned, amount, amounts, finest, plain_strings, stacks, strings, unquoted
from ledger.formats.phh.words import (
    EXPONENT_MAX,
    GAMES,
    NAMED,
    PLAYERS_MAX,
    SYMBOLS,
    UNNAMED,
    UNNUMBERED,
    WITHOUT_CENTS,
    ZONES,
    Game,
)
from ledger.vocabulary import Chips, Millis, Seat


@dataclass(slots=True)
class Header:
    """A hand without its actions. Lists are by dealing order, heads-up turned the right way round."""

    game: Game
    stacks: list[Chips | None]
    antes: list[Chips]
    blinds: list[Chips]  # negative: a live post out of turn
    seats: list[Seat]
    names: list[str]
    bets: tuple[Chips, ...]  # minimum bet, or small and big bet
    bring_in: Chips = 0
    trimmed: bool = False  # uneven antes go back, and make side pots
    exponent: int = 0
    unit: str = "chips"
    venue: str = ""
    event: str = ""
    table: str = ""
    number: str = ""
    level: str = ""
    seat_count: int = 0
    written: str = ""
    started: Millis | None = None
    finishing: list[Chips] | None = None
    winnings: list[Chips] | None = None
    rake: Chips | None = None


_FINE: Final = re.compile(r"\bcbr\s+[0-9_]{1,20}(\.[0-9_]{1,20})", re.ASCII)
_BET, _BETS = ("min_bet",), ("small_bet", "big_bet")
_AMOUNTS: Final = (
    "antes",
    "blinds_or_straddles",
    "starting_stacks",
    "finishing_stacks",
    "winnings",
    "min_bet",
    "small_bet",
    "big_bet",
    "bring_in",
    "_handledger_rake",
)


def header(found: Scanned) -> Header:
    """Return what the fields say; `UnreadableHandError` where a needed one is missing or wrong."""
    values = found.values
    for key in ("variant", "starting_stacks", "actions"):
        if key not in values:
            kind = "not-a-hand" if key == "variant" else "field"
            raise UnreadableHandError(f"no field {key}", kind=kind)
    code = _text(found, "variant")
    game = GAMES.get(code)
    if game is None:
        raise UnreadableHandError(
            f"{code[:40]!r} is no code of a game",
            kind="variant",
            at=found.spans["variant"][0],
            hint=f"Known codes: {', '.join(GAMES)}.",
        )
    unit, exponent = _unit(found)
    exponent = _exponent(found, exponent)
    before = _of(found, "starting_stacks", stacks, exponent)
    count = len(before)
    if not 2 <= count <= PLAYERS_MAX:
        raise _wrong(found, "starting_stacks", f"{count} starting stacks")
    antes = _column(found, "antes", count, exponent)
    blinds = _column(found, "blinds_or_straddles", count, exponent)
    if min(antes) < 0 or min(filter(None, before), default=0) < 0:
        raise _wrong(found, "starting_stacks", "a stack or an ante of less than nothing")
    if count == 2:
        antes.reverse()
        blinds.reverse()
    finishing = (
        _column(found, "finishing_stacks", count, exponent, whole=True) if "finishing_stacks" in values else None
    )
    winnings = _column(found, "winnings", count, exponent, whole=True) if "winnings" in values else None
    head = Header(
        game,
        list(before),
        antes,
        blinds,
        _seats(found, count),
        _names(found, count),
        tuple(_single(found, key, exponent) for key in (_BET if "min_bet" in values else _BETS)),
        bring_in=_single(found, "bring_in", exponent),
        exponent=exponent,
        unit=unit,
        finishing=finishing,
        winnings=winnings,
    )
    _identity(found, head)
    return head


def _wrong(found: Scanned, key: str, reason: str) -> UnreadableHandError:
    return UnreadableHandError(reason, kind="field", at=found.spans[key][0])


_Out = TypeVar("_Out")


def _of(found: Scanned, key: str, take: Callable[[str, int], _Out], exponent: int) -> _Out:
    """Return what `take` makes of a field's amounts; an error says where the field stands."""
    try:
        return take(found.values[key], exponent)
    except UnreadableHandError as error:
        error.at = found.spans[key][0]
        raise


def _exponent(found: Scanned, exponent: int) -> int:
    """Return the exponent that the hand's amounts need, no less than `exponent`."""
    values = found.values
    if "_handledger_exponent" in values:
        exponent = min(max(exponent, _single(found, "_handledger_exponent", 0)), EXPONENT_MAX)
    for key, digits in decimals(values).items() if "." in found.text else ():
        if digits > EXPONENT_MAX:
            at = found.spans[key][0]
            raise UnreadableHandError("an amount finer than 9 decimals", kind="amount", at=at)
        exponent = max(exponent, digits)
    return exponent


def decimals(values: dict[str, str]) -> dict[str, int]:
    """Return how many decimals the amounts in each of these fields have."""
    told: dict[str, int] = {key: finest(said) for key in _AMOUNTS if "." in (said := values.get(key, ""))}
    if "." in values["actions"]:
        told["actions"] = finest(" ".join(_FINE.findall(values["actions"])))
    return told


def _single(found: Scanned, key: str, exponent: int) -> Chips:
    """Return one amount, 0 where the field is missing."""
    if key not in found.values:
        return 0
    chips = _of(found, key, amount, exponent)
    if chips < 0:
        raise _wrong(found, key, f"{key} is less than nothing")
    return chips


def _column(found: Scanned, key: str, count: int, exponent: int, *, whole: bool = False) -> list[Chips]:
    """Return one amount for each player; a list that need not be `whole` means nothing for the rest."""
    column = list(_of(found, key, amounts, exponent)) if key in found.values else []
    missing = count - len(column)
    if missing < 0 or (whole and missing):
        raise _wrong(found, key, f"{len(column)} {key} for {count} players")
    return column + [0] * missing if missing else column


def _seats(found: Scanned, count: int) -> list[Seat]:
    if "seats" not in found.values:
        return list(range(1, count + 1))
    seats = list(_of(found, "seats", amounts, 0))
    if len(seats) != count or len(set(seats)) != count or min(seats) < 1 or max(seats) > 999:
        raise _wrong(found, "seats", "the seats are not one chair for each player")
    return seats


def _names(found: Scanned, count: int) -> list[str]:
    span = found.spans.get("players")
    if span is None:
        return [""] * count
    names = plain_strings(found.values["players"])
    if names is None:
        names = [word[0] for word in strings(found.text, span[1], span[2])[0]]
    if len(names) != count:
        raise _wrong(found, "players", f"{len(names)} players for {count} stacks")
    return names


def _text(found: Scanned, key: str) -> str:
    """Return what a text field says, "" without one; a number is taken as it is written."""
    said = found.values.get(key)
    if said is None:
        return ""
    if said[0] in "'\"":
        try:
            return unquoted(said)
        except UnreadableHandError as error:
            error.at = found.spans[key][0]
            raise
    if said[0] in "[{" or len(said) > 64:
        raise _wrong(found, key, f"the field {key} is not text")
    return said


def _unit(found: Scanned) -> tuple[str, int]:
    """Return the unit of the amounts and the least exponent that fits it."""
    values = found.values
    key = "_handledger_unit" if "_handledger_unit" in values else "currency"
    unit = _text(found, key) if key in values else ""
    if not unit and found.extra:
        symbol = next((said[18:] for said, _, _ in found.extra if said.startswith("currency_symbol = ")), "")
        symbol = unquoted(symbol) if symbol[:1] in ("'", '"') else ""
        unit = SYMBOLS.get(symbol, symbol)
    if not unit:
        return "chips", 0
    money = len(unit) == 3 and unit.isupper() and unit not in WITHOUT_CENTS
    return unit, 2 if money else 0


def _identity(found: Scanned, head: Header) -> None:
    """Fill in which hand it is, when and where; what the file lacks is made up from its own text."""
    values = found.values
    for key, name, _ in NAMED:
        if key in values:
            setattr(head, name, _text(found, key))
    if "seat_count" in values:
        head.seat_count = _single(found, "seat_count", 0)
    trimmed = values.get("ante_trimming_status", "")
    if trimmed:
        if trimmed not in ("true", "false"):
            raise _wrong(found, "ante_trimming_status", "ante_trimming_status is true or false")
        head.trimmed = trimmed == "true"
        start, _, end = found.spans["ante_trimming_status"]
        found.extra.insert(0, (f"ante_trimming_status = {trimmed}", start, end))
    if not head.number or not (head.venue or head.event or head.table):
        plain = found.text.strip().replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        own = blake2b(plain, digest_size=6).hexdigest()
        head.number = head.number or UNNUMBERED + own
        if not (head.venue or head.event or head.table):
            head.table = UNNAMED + own
    if "year" in values or "time" in values:
        zone = _text(found, "time_zone") or _text(found, "time_zone_abbreviation")
        head.written, head.started = _moment([_text(found, key) for key in ("year", "month", "day", "time")], zone)
    if "_handledger_rake" in values:
        head.rake = _single(found, "_handledger_rake", head.exponent)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(ZONES.get(name, name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _moment(said: list[str], zone: str) -> tuple[str, Millis | None]:
    """Return date, time and zone as written, and the moment they mean if they mean one."""
    year, month, day, time = said
    date = "-".join(part.zfill(2) if part else "?" for part in (year, month, day))
    written = " ".join(part for part in (date, time, zone) if part)
    place = _zone(zone) if zone else None
    if place is None or not time or "?" in date:
        return written, None
    try:
        clock = datetime.fromisoformat(f"{year.zfill(4)}-{month.zfill(2)}-{day.zfill(2)} {time}")
        if clock.tzinfo is not None:
            return written, None
        return written, int(clock.replace(tzinfo=place).timestamp() * 1000)
    except (ValueError, OverflowError):
        return written, None


def strangers(head: Header) -> list[str]:
    """Return a name for each player, for those without one: two hands never share it."""
    hand = f"{head.event or head.table} {head.number}"
    return [f"p{number} of {hand}" for number in range(1, len(head.seats) + 1)]
