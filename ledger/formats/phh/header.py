"""What the fields of a hand say, as plain values; amounts still as their file counts them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ledger.errors import UnreadableHandError
from ledger.formats.phh.scanning import Scanned, Word, amount, decimals, numbers, strings, unquoted
from ledger.formats.phh.words import (
    DIGITS_MAX,
    EXPONENT_MAX,
    GAMES,
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


FINE: Final = re.compile(r"\bcbr\s+[0-9_]{1,20}\.([0-9_]{1,20})", re.ASCII)


def header(found: Scanned) -> Header:
    """Return what the fields say; `UnreadableHandError` where a needed one is missing or wrong."""
    text, spans = found.text, found.spans
    for key in ("variant", "antes", "starting_stacks", "actions"):
        if key not in spans:
            raise UnreadableHandError(
                f"no field {key}", kind="not-a-hand" if key == "variant" else "field"
            )
    code = _text(found, "variant")
    game = GAMES.get(code)
    if game is None:
        raise UnreadableHandError(
            f"{code[:40]!r} is no code of a game", kind="variant", at=spans["variant"][0],
            hint=f"Known codes: {', '.join(GAMES)}.",
        )  # fmt: skip
    stacks = numbers(text, *spans["starting_stacks"])
    count = len(stacks)
    if not 2 <= count <= PLAYERS_MAX:
        raise UnreadableHandError(
            f"{count} starting stacks", kind="field", at=spans["starting_stacks"][0]
        )
    antes = _column(found, "antes", count)
    blinds = _column(found, "blinds_or_straddles", count)
    bets = [key for key in ("min_bet", "small_bet", "big_bet", "bring_in") if key in spans]
    singles = [text[slice(*spans[key])] for key in bets]
    finishing = _results(found, "finishing_stacks", count)
    winnings = _results(found, "winnings", count)
    unit, floor = _unit(found)
    exponent = floor
    if "_handledger_exponent" in spans:
        exponent = amount(text[slice(*spans["_handledger_exponent"])], 0)
    for column in (antes, blinds, stacks, singles, finishing or (), winnings or ()):
        for number in column:
            if "." in number:
                exponent = max(exponent, decimals(number))
    first, last = spans["actions"]
    if text.find(".", first, last) >= 0:
        for mark in FINE.finditer(text, first, last):
            exponent = max(exponent, decimals("0." + mark[1]))
    if exponent > EXPONENT_MAX:
        raise UnreadableHandError("an amount finer than 9 decimals", kind="amount")
    at = spans["antes"][0]
    one = {
        key: amount(number, exponent, spans[key][0])
        for key, number in zip(bets, singles, strict=True)
    }
    if any(chips < 0 for chips in one.values()):
        raise UnreadableHandError("a bet below nothing", kind="amount", at=at)
    min_bet = one.get("min_bet")
    head = Header(
        game=game,
        stacks=[
            None if number in _UNKNOWN else _chips(number, exponent, spans["starting_stacks"][0])
            for number in stacks
        ],
        antes=[_chips(number, exponent, at) for number in antes],
        blinds=[amount(number, exponent, at) for number in blinds],
        seats=_seats(found, count),
        names=_names(found, count),
        bets=(min_bet,)
        if min_bet is not None
        else (one.get("small_bet", 0), one.get("big_bet", 0)),
        bring_in=one.get("bring_in", 0),
        exponent=exponent,
        unit=unit,
        finishing=finishing and [_chips(number, exponent, at) for number in finishing],
        winnings=winnings and [amount(number, exponent, at) for number in winnings],
    )
    if count == 2:
        head.antes.reverse()
        head.blinds.reverse()
    _identity(found, head)
    return head


_UNKNOWN: Final = frozenset(("inf", "+inf"))


def _chips(number: str, exponent: int, at: int) -> Chips:
    """Return an amount that cannot be below nothing."""
    if number.isdecimal() and number.isascii() and len(number) <= DIGITS_MAX:
        return int(number) * 10**exponent if exponent else int(number)
    chips = amount(number, exponent, at)
    if chips < 0:
        raise UnreadableHandError(f"{number[:24]!r} is less than nothing", kind="amount", at=at)
    return chips


def _column(found: Scanned, key: str, count: int) -> list[str]:
    """Return one number for each player; a short list means nothing for the rest."""
    span = found.spans.get(key)
    if span is None:
        return ["0"] * count
    column = numbers(found.text, *span)
    if len(column) > count:
        raise UnreadableHandError(
            f"{len(column)} {key} for {count} players", kind="field", at=span[0]
        )
    return column + ["0"] * (count - len(column))


def _results(found: Scanned, key: str, count: int) -> list[str] | None:
    span = found.spans.get(key)
    if span is None:
        return None
    column = numbers(found.text, *span)
    if len(column) != count:
        raise UnreadableHandError(
            f"{len(column)} {key} for {count} players", kind="field", at=span[0]
        )
    return column


def _seats(found: Scanned, count: int) -> list[Seat]:
    span = found.spans.get("seats")
    if span is None:
        return list(range(1, count + 1))
    seats = [amount(number, 0, span[0]) for number in numbers(found.text, *span)]
    if len(seats) != count or len(set(seats)) != count or min(seats) < 1 or max(seats) > 999:
        raise UnreadableHandError(
            "the seats are not one chair for each player", kind="field", at=span[0]
        )
    return seats


def _names(found: Scanned, count: int) -> list[str]:
    span = found.spans.get("players")
    if span is None:
        return [""] * count
    names = [word.text for word in strings(found.text, *span)[0]]
    if len(names) != count:
        raise UnreadableHandError(
            f"{len(names)} players for {count} stacks", kind="field", at=span[0]
        )
    return names


def _text(found: Scanned, key: str) -> str:
    """Return what a text field says, "" without one; a number is taken as it is written."""
    span = found.spans.get(key)
    if span is None:
        return ""
    start, end = span
    head = found.text[start]
    if head in "'\"":
        return unquoted(found.text, start, end)
    words = found.text[start:end]
    if head in "[{" or len(words) > 64:
        raise UnreadableHandError(f"the field {key} is no text", kind="field", at=start)
    return words


def _unit(found: Scanned) -> tuple[str, int]:
    """Return the unit of the amounts and the least exponent that fits it."""
    unit = _text(found, "_handledger_unit") or _text(found, "currency")
    if not unit:
        symbol = _symbol(found)
        unit = SYMBOLS.get(symbol, symbol)
    if not unit:
        return "chips", 0
    money = len(unit) == 3 and unit.isupper() and unit not in WITHOUT_CENTS
    return unit, 2 if money else 0


def _symbol(found: Scanned) -> str:
    for word in found.extra:
        if word.text.startswith("currency_symbol = "):
            return unquoted(word.text, 18, len(word.text)) if word.text[18] in "'\"" else ""
    return ""


def _identity(found: Scanned, head: Header) -> None:
    """Fill in which hand it is, when and where; what the file lacks is made up from its own text."""
    spans = found.spans
    head.venue = _text(found, "venue")
    head.event = _text(found, "event")
    head.table = _text(found, "table")
    head.number = _text(found, "hand")
    head.level = _text(found, "level")
    if "seat_count" in spans:
        head.seat_count = amount(_text(found, "seat_count"), 0, spans["seat_count"][0])
    trimmed = _text(found, "ante_trimming_status")
    if trimmed not in ("", "true", "false"):
        at = spans["ante_trimming_status"][0]
        raise UnreadableHandError("ante_trimming_status is true or false", kind="field", at=at)
    head.trimmed = trimmed == "true"
    if trimmed:
        start, (_, end) = found.lines["ante_trimming_status"], spans["ante_trimming_status"]
        found.extra.insert(0, Word(f"ante_trimming_status = {trimmed}", start, end))
    if not head.number or not (head.venue or head.event or head.table):
        plain = found.text.strip().replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        own = blake2b(plain, digest_size=6).hexdigest()
        head.number = head.number or UNNUMBERED + own
        if not (head.venue or head.event or head.table):
            head.table = UNNAMED + own
    if "year" in spans or "time" in spans:
        parts = [_text(found, key) for key in ("year", "month", "day", "time")]
        zone = _text(found, "time_zone") or _text(found, "time_zone_abbreviation")
        head.written, head.started = _moment(*parts, zone)
    if "_handledger_rake" in spans:
        start, end = spans["_handledger_rake"]
        head.rake = _chips(found.text[start:end], head.exponent, start)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(ZONES.get(name, name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _moment(year: str, month: str, day: str, time: str, zone: str) -> tuple[str, Millis | None]:
    """Return date, time and zone as written, and the moment they mean if they mean one."""
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


def clock(moment: Millis) -> tuple[int, int, int, str]:
    """Return year, month, day and time of a moment in UTC, as the fields want them."""
    at = datetime.fromtimestamp(moment / 1000, UTC)
    return at.year, at.month, at.day, at.strftime("%H:%M:%S")
