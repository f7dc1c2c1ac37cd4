"""The header of a hand: its fields as plain values."""

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
from ledger.formats.phh.scanner import (
    ScannedFields,
    count_decimals,
    parse_amount,
    parse_amounts,
    parse_stacks,
    parse_strings,
    split_plain_strings,
    unquote,
)
from ledger.formats.phh.words import (
    EXPONENT_MAX,
    GAMES,
    IDENTITY_FIELDS,
    PLAYERS_MAX,
    SYMBOLS,
    UNNAMED,
    UNNUMBERED,
    WITHOUT_CENTS,
    ZONES,
    PhhGame,
)
from ledger.vocabulary import Chips, Millis, Seat


@dataclass(slots=True)
class PhhHeader:
    """A hand without its actions. Lists are in dealing order; heads-up lists, reversed in the file, are too."""

    game: PhhGame
    stacks: list[Chips | None]
    antes: list[Chips]
    blinds: list[Chips]  # negative: a live post out of position
    seats: list[Seat]
    names: list[str]
    bets: tuple[Chips, ...]  # minimum bet, or small and big bet
    bring_in: Chips = 0
    trims_antes: bool = False  # uneven antes are returned, and make side pots
    exponent: int = 0
    unit: str = "chips"
    venue: str = ""
    event: str = ""
    table: str = ""
    number: str = ""
    level: str = ""
    seat_count: int = 0
    date_text: str = ""
    started_at: Millis | None = None
    finishing_stacks: list[Chips] | None = None
    winnings: list[Chips] | None = None
    rake: Chips | None = None


_FRACTIONAL_WAGER: Final = re.compile(r"\bcbr\s+[0-9_]{1,20}(\.[0-9_]{1,20})", re.ASCII)
_ONE_BET, _TWO_BETS = ("min_bet",), ("small_bet", "big_bet")
_AMOUNT_FIELDS: Final = (
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


def parse_header(scanned: ScannedFields) -> PhhHeader:
    """Return the header. Raises `UnreadableHandError` if a required field is missing or wrong."""
    values = scanned.values
    for key in ("variant", "starting_stacks", "actions"):
        if key not in values:
            error_kind = "not-a-hand" if key == "variant" else "field"
            raise UnreadableHandError(f"no field {key}", kind=error_kind)
    game_code = _parse_text(scanned, "variant")
    game = GAMES.get(game_code)
    if game is None:
        raise UnreadableHandError(
            f"{game_code[:40]!r} is no code of a game",
            kind="variant",
            byte_offset=scanned.spans["variant"][0],
            hint=f"Known codes: {', '.join(GAMES)}.",
        )
    unit, exponent = _parse_unit(scanned)
    exponent = _find_needed_exponent(scanned, exponent)
    starting_stacks = _parse_amounts(scanned, "starting_stacks", parse_stacks, exponent)
    count = len(starting_stacks)
    if not 2 <= count <= PLAYERS_MAX:
        raise _build_field_error(scanned, "starting_stacks", f"{count} starting stacks")
    antes = _parse_column(scanned, "antes", count, exponent)
    blinds = _parse_column(scanned, "blinds_or_straddles", count, exponent)
    if min(antes) < 0 or min(filter(None, starting_stacks), default=0) < 0:
        raise _build_field_error(scanned, "starting_stacks", "a stack or an ante of less than nothing")
    if count == 2:
        antes.reverse()
        blinds.reverse()
    finishing_stacks = (
        _parse_column(scanned, "finishing_stacks", count, exponent, is_required=True)
        if "finishing_stacks" in values
        else None
    )
    winnings = _parse_column(scanned, "winnings", count, exponent, is_required=True) if "winnings" in values else None
    hand_header = PhhHeader(
        game,
        list(starting_stacks),
        antes,
        blinds,
        _parse_seats(scanned, count),
        _parse_names(scanned, count),
        tuple(_parse_amount(scanned, key, exponent) for key in (_ONE_BET if "min_bet" in values else _TWO_BETS)),
        bring_in=_parse_amount(scanned, "bring_in", exponent),
        exponent=exponent,
        unit=unit,
        finishing_stacks=finishing_stacks,
        winnings=winnings,
    )
    _fill_identity(scanned, hand_header)
    return hand_header


def _build_field_error(scanned: ScannedFields, key: str, reason: str) -> UnreadableHandError:
    return UnreadableHandError(reason, kind="field", byte_offset=scanned.spans[key][0])


_Parsed = TypeVar("_Parsed")


def _parse_amounts(scanned: ScannedFields, key: str, parse: Callable[[str, int], _Parsed], exponent: int) -> _Parsed:
    """Parse a field's amounts; an error gets the field's place."""
    try:
        return parse(scanned.values[key], exponent)
    except UnreadableHandError as error:
        error.byte_offset = scanned.spans[key][0]
        raise


def _find_needed_exponent(scanned: ScannedFields, exponent: int) -> int:
    """Return the exponent that the hand's amounts need, at least `exponent`."""
    values = scanned.values
    if "_handledger_exponent" in values:
        exponent = min(max(exponent, _parse_amount(scanned, "_handledger_exponent", 0)), EXPONENT_MAX)
    for key, digits in decimals(values).items() if "." in scanned.text else ():
        if digits > EXPONENT_MAX:
            value_start = scanned.spans[key][0]
            raise UnreadableHandError("an amount finer than 9 decimals", kind="amount", byte_offset=value_start)
        exponent = max(exponent, digits)
    return exponent


def decimals(values: dict[str, str]) -> dict[str, int]:
    """Return the number of decimals of the amounts in each field that has any."""
    decimals_by_field: dict[str, int] = {
        key: count_decimals(field_text) for key in _AMOUNT_FIELDS if "." in (field_text := values.get(key, ""))
    }
    if "." in values["actions"]:
        decimals_by_field["actions"] = count_decimals(" ".join(_FRACTIONAL_WAGER.findall(values["actions"])))
    return decimals_by_field


def _parse_amount(scanned: ScannedFields, key: str, exponent: int) -> Chips:
    """Return one amount, 0 if the field is missing."""
    if key not in scanned.values:
        return 0
    chips = _parse_amounts(scanned, key, parse_amount, exponent)
    if chips < 0:
        raise _build_field_error(scanned, key, f"{key} is less than nothing")
    return chips


def _parse_column(
    scanned: ScannedFields, key: str, count: int, exponent: int, *, is_required: bool = False
) -> list[Chips]:
    """Return one amount for each player. Unless the list is required, missing amounts are 0."""
    column = list(_parse_amounts(scanned, key, parse_amounts, exponent)) if key in scanned.values else []
    missing = count - len(column)
    if missing < 0 or (is_required and missing):
        raise _build_field_error(scanned, key, f"{len(column)} {key} for {count} players")
    return column + [0] * missing if missing else column


def _parse_seats(scanned: ScannedFields, count: int) -> list[Seat]:
    if "seats" not in scanned.values:
        return list(range(1, count + 1))
    seats = list(_parse_amounts(scanned, "seats", parse_amounts, 0))
    if len(seats) != count or len(set(seats)) != count or min(seats) < 1 or max(seats) > 999:
        raise _build_field_error(scanned, "seats", "the seats are not one chair for each player")
    return seats


def _parse_names(scanned: ScannedFields, count: int) -> list[str]:
    span = scanned.spans.get("players")
    if span is None:
        return [""] * count
    names = split_plain_strings(scanned.values["players"])
    if names is None:
        names = [word[0] for word in parse_strings(scanned.text, span[1], span[2])[0]]
    if len(names) != count:
        raise _build_field_error(scanned, "players", f"{len(names)} players for {count} stacks")
    return names


def _parse_text(scanned: ScannedFields, key: str) -> str:
    """Return a text field, "" if it is missing; a number is kept as it is written."""
    field_text = scanned.values.get(key)
    if field_text is None:
        return ""
    if field_text[0] in "'\"":
        try:
            return unquote(field_text)
        except UnreadableHandError as error:
            error.byte_offset = scanned.spans[key][0]
            raise
    if field_text[0] in "[{" or len(field_text) > 64:
        raise _build_field_error(scanned, key, f"the field {key} is not text")
    return field_text


def _parse_unit(scanned: ScannedFields) -> tuple[str, int]:
    """Return the unit of the amounts and the least exponent that fits it."""
    values = scanned.values
    key = "_handledger_unit" if "_handledger_unit" in values else "currency"
    unit = _parse_text(scanned, key) if key in values else ""
    if not unit and scanned.extra_fields:
        symbol = next(
            (
                field_text[18:]
                for field_text, _, _ in scanned.extra_fields
                if field_text.startswith("currency_symbol = ")
            ),
            "",
        )
        symbol = unquote(symbol) if symbol[:1] in ("'", '"') else ""
        unit = SYMBOLS.get(symbol, symbol)
    if not unit:
        return "chips", 0
    has_cents = len(unit) == 3 and unit.isupper() and unit not in WITHOUT_CENTS
    return unit, 2 if has_cents else 0


def _fill_identity(scanned: ScannedFields, hand_header: PhhHeader) -> None:
    """Fill in the hand's number, place and time; missing names are made from a digest of its text."""
    values = scanned.values
    for key, name, _ in IDENTITY_FIELDS:
        if key in values:
            setattr(hand_header, name, _parse_text(scanned, key))
    if "seat_count" in values:
        hand_header.seat_count = _parse_amount(scanned, "seat_count", 0)
    _fill_trimming(scanned, hand_header)
    has_place = bool(hand_header.venue or hand_header.event or hand_header.table)
    if not hand_header.number or not has_place:
        text_digest = _compute_digest(scanned.text)
        hand_header.number = hand_header.number or UNNUMBERED + text_digest
        if not has_place:
            hand_header.table = UNNAMED + text_digest
    if "year" in values or "time" in values:
        zone_name = _parse_text(scanned, "time_zone") or _parse_text(scanned, "time_zone_abbreviation")
        hand_header.date_text, hand_header.started_at = _parse_moment(
            [_parse_text(scanned, key) for key in ("year", "month", "day", "time")], zone_name
        )
    if "_handledger_rake" in values:
        hand_header.rake = _parse_amount(scanned, "_handledger_rake", hand_header.exponent)


def _fill_trimming(scanned: ScannedFields, hand_header: PhhHeader) -> None:
    """Fill in whether antes are trimmed, and keep the field as it is."""
    trimming_text = scanned.values.get("ante_trimming_status", "")
    if not trimming_text:
        return
    if trimming_text not in ("true", "false"):
        raise _build_field_error(scanned, "ante_trimming_status", "ante_trimming_status is true or false")
    hand_header.trims_antes = trimming_text == "true"
    start, _, end = scanned.spans["ante_trimming_status"]
    scanned.extra_fields.insert(0, (f"ante_trimming_status = {trimming_text}", start, end))


def _compute_digest(hand_text: str) -> str:
    """Return the digest of a hand's text, the same for every kind of line end."""
    hand_bytes = hand_text.strip().replace("\r\n", "\n").encode("utf-8", "surrogatepass")
    return blake2b(hand_bytes, digest_size=6).hexdigest()


@lru_cache(maxsize=64)
def _find_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(ZONES.get(name, name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _parse_moment(date_fields: list[str], zone_name: str) -> tuple[str, Millis | None]:
    """Return date, time and zone as written, and the moment, or None if they don't give one."""
    year, month, day, clock_text = date_fields
    day_text = "-".join(date_part.zfill(2) if date_part else "?" for date_part in (year, month, day))
    date_text = " ".join(date_part for date_part in (day_text, clock_text, zone_name) if date_part)
    time_zone = _find_zone(zone_name) if zone_name else None
    if time_zone is None or not clock_text or "?" in day_text:
        return date_text, None
    try:
        local_time = datetime.fromisoformat(f"{year.zfill(4)}-{month.zfill(2)}-{day.zfill(2)} {clock_text}")
        if local_time.tzinfo is not None:
            return date_text, None
        return date_text, int(local_time.replace(tzinfo=time_zone).timestamp() * 1000)
    except (ValueError, OverflowError):
        return date_text, None


def list_stand_in_names(hand_header: PhhHeader) -> list[str]:
    """Return a stand-in name for each player; no two hands share one."""
    hand_name = f"{hand_header.event or hand_header.table} {hand_header.number}"
    return [f"p{number} of {hand_name}" for number in range(1, len(hand_header.seats) + 1)]
