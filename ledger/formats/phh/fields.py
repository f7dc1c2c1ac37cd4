"""Derive a hand's fields from its events, and write them as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.phh.header import PhhHeader, decimals, list_stand_in_names
from ledger.formats.phh.scanner import scan
from ledger.formats.phh.words import CODES, IDENTITY_FIELDS, WITHOUT_CENTS, ZONES, format_erased_name
from ledger.hand import betting, dealing, ending, opening
from ledger.people import People
from ledger.vocabulary import Chips, Seat, in_units, shown_decimals

_ByKind: TypeAlias = dict[type[Event], list[Any]]
"""Events by their type."""


def build_header(events: Sequence[Event], opening_count: int, people: People) -> tuple[PhhHeader, list[str], list[str]]:
    """Return the header of a hand, the remarks that are fields, and those that are comments."""
    by_kind: _ByKind = {}
    for event in events[:opening_count]:
        by_kind.setdefault(type(event), []).append(event)
    opened, game = by_kind[opening.HandOpened][0], by_kind[opening.GameSet][0]
    dealt = by_kind.get(opening.SeatDealtIn, [])
    seats = _find_dealing_order(dealt, by_kind, events[opening_count:])
    position_by_seat = {seat: position for position, seat in enumerate(seats)}
    stacks = {event.seat: event.stack for event in dealt}
    header = PhhHeader(
        game=CODES[game.variant, game.betting],
        stacks=[stacks[seat] for seat in seats],
        antes=[0] * len(seats),
        blinds=[0] * len(seats),
        seats=seats,
        names=_list_player_names(dealt, seats, people),
        bets=game.bets or (max(game.blinds, default=0),),
        bring_in=game.bring_in,
        exponent=game.exponent,
        unit=game.unit,
        venue=opened.venue,
        event=opened.tournament,
        table=opened.table,
        number=opened.number,
        level=by_kind[opening.TournamentSet][0].level if opening.TournamentSet in by_kind else "",
        seat_count=opened.seats,
        date_text=opened.written,
        started_at=opened.started,
    )
    if header.game.kind == "stud" and not header.bring_in:
        header.bring_in = next((event.amount for event in events if isinstance(event, opening.BringInPosted)), 0)
    if header.game.betting == "limit" and len(header.bets) == 1:
        header.bets = (header.bets[0], 2 * header.bets[0])
    if not any(header.bets):
        header.bets = _infer_bets(by_kind, events, header)
    _fill_posts(header, by_kind, position_by_seat, game)
    remarks, comments = _split_remarks(by_kind.get(ending.RemarkNoted, []), people)
    header.trims_antes = "ante_trimming_status = true" in remarks
    return header, remarks, comments


def _split_remarks(events: Sequence[ending.RemarkNoted], people: People) -> tuple[list[str], list[str]]:
    """Return the remarks that are fields, and those that are comments."""
    comments: list[str] = []
    remarks: list[str] = []
    for event in events:
        remark = people.words(event.text)
        remark = format_erased_name(event.text) if remark is None else remark
        if _is_field(remark):
            remarks.append(remark)
        else:
            comments.append(clean_comment(remark))
    return remarks, comments


def _infer_bets(by_kind: _ByKind, events: Sequence[Event], header: PhhHeader) -> tuple[Chips, ...]:
    """Return the game's bets, which the notation requires, for a hand that doesn't have them.

    They are the smallest bets of the hand. Without any, use the completed bring-in, twice the bring-in, the big blind,
    the ante, or a single chip, since nothing in the hand depends on it.
    """
    completed = next((event.to for event in events if isinstance(event, betting.Completed)), 0)
    ante = max((event.amount for event in by_kind.get(opening.AntePosted, [])), default=0)
    least_bet = completed or 2 * header.bring_in or _find_big_blind(by_kind) or ante or 1
    if header.game.betting != "limit":
        return (least_bet,)
    small_bet, big_bet = _find_smallest_raises(events, _find_big_blind(by_kind) or header.bring_in)
    return (small_bet or big_bet // 2 or least_bet, big_bet or 2 * (small_bet or least_bet))


def _find_smallest_raises(events: Sequence[Event], bet_to_call: Chips) -> tuple[Chips, Chips]:
    """Return the smallest raises on the first two streets and on the later ones, 0 if there were none."""
    least_steps, street_count = [0, 0], 0
    for event in events:
        if isinstance(event, dealing.BoardDealt | dealing.StreetDealt):
            street_count, bet_to_call = street_count + isinstance(event, dealing.BoardDealt), 0
        elif isinstance(event, betting.Bet | betting.Raised) and not event.all_in:
            step, is_late_street = event.to - bet_to_call, street_count > 1
            least_steps[is_late_street] = (
                min(least_steps[is_late_street] or step, step) if step > 0 else least_steps[is_late_street]
            )
            bet_to_call = event.to
    return least_steps[0], least_steps[1]


def _find_big_blind(by_kind: _ByKind) -> Chips:
    """Return the amount of the big blind, the smallest bet of a source without stakes."""
    posts = by_kind.get(opening.BlindPosted, [])
    return max((post.live for post in posts if post.role == "big"), default=0)


def _find_dealing_order(
    seatings: list[opening.SeatDealtIn], by_kind: _ByKind, later_events: Sequence[Event]
) -> list[Seat]:
    """Return the seats in dealing order: by the deal if that is complete, otherwise clockwise from the button."""
    seats = sorted(event.seat for event in seatings)
    button = by_kind[opening.ButtonPlaced][0].seat if opening.ButtonPlaced in by_kind else None
    dealt_seats = [event.seat for event in later_events[: len(seats)] if isinstance(event, dealing.HoleCardsDealt)]
    if sorted(dealt_seats) == seats and (button is None or dealt_seats[-1:] == [button]):
        return dealt_seats
    if button is None:
        posted = by_kind.get(opening.BlindPosted)
        return _rotate_to_seat(seats, posted[0].seat if posted else 1)
    return _rotate_to_seat(seats, button + 1)


def _rotate_to_seat(seats: list[Seat], first: Seat) -> list[Seat]:
    """Return the seats clockwise from the seat `first`, or from the next one that is taken."""
    return [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]


def _list_player_names(seatings: list[opening.SeatDealtIn], seats: list[Seat], people: People) -> list[str]:
    players = {event.seat: event.player for event in seatings}
    names = {seat: people.name(player) for seat, player in players.items()}
    return [format_erased_name(players[seat]) if (name := names[seat]) is None else name for seat in seats]


def _fill_posts(header: PhhHeader, by_kind: _ByKind, position_by_seat: dict[Seat, int], game: opening.GameSet) -> None:
    """Fill in antes and blinds; an all-in post is written in full, as it was due."""
    for event in by_kind.get(opening.AntePosted, ()):
        if event.seat in position_by_seat:
            amount_due = game.ante if event.all_in and not event.for_table else 0
            header.antes[position_by_seat[event.seat]] += max(event.amount, amount_due)
    blinds_by_role = dict(zip(("big", "small"), reversed(game.blinds), strict=False))
    for event in by_kind.get(opening.BlindPosted, ()):
        if event.seat not in position_by_seat:
            continue
        position = position_by_seat[event.seat]
        header.antes[position] += event.dead
        amount_due = blinds_by_role.get(event.role, 0) if event.all_in else 0
        if event.role in ("entry", "makeup-small", "makeup-big", "makeup"):
            header.blinds[position] -= event.live
        else:
            header.blinds[position] += max(event.live, amount_due)
    for event in by_kind.get(opening.StraddlePosted, ()):
        if event.seat in position_by_seat and event.live:
            header.blinds[position_by_seat[event.seat]] += event.amount
    if len(header.seats) > 2 and len(blinds_by_role) == 2 and header.game.kind != "stud":
        _fill_unposted_blinds(header, blinds_by_role)


def _fill_unposted_blinds(header: PhhHeader, blinds_by_role: dict[str, Chips]) -> None:
    """Fill in a blind that a player couldn't post because the ante took the whole stack."""
    for position, role in ((0, "small"), (1, "big")):
        stack = header.stacks[position]
        if not header.blinds[position] and stack is not None and stack <= header.antes[position]:
            header.blinds[position] = blinds_by_role[role]


@lru_cache(maxsize=1024)
def _is_field(remark: str) -> bool:
    """Whether a remark is a field that the reader keeps as the same remark."""
    if remark in ("ante_trimming_status = true", "ante_trimming_status = false"):
        return True
    if " = " not in remark or remark[0] == "#":
        return False
    try:
        scanned = scan(remark)
    except UnreadableHandError:
        return False
    return not (scanned.spans or scanned.comments_before or scanned.comments_after) and [
        field_text for field_text, _, _ in scanned.extra_fields
    ] == [remark]


def clean_comment(comment_text: str | None) -> str:
    """Return a comment's words on one line, without control characters."""
    if comment_text is None:
        return "(erased)"
    if comment_text.isprintable():
        return comment_text
    return "".join(character if character.isprintable() or character == "\t" else " " for character in comment_text)


_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x7f": "\\u007F"}


@lru_cache(maxsize=4096)
def quote(plain_text: str) -> str:
    """Return a text as TOML writes it."""
    if "'" not in plain_text and plain_text.isprintable():
        return f"'{plain_text}'"
    escaped_text = "".join(
        _ESCAPES.get(character) or (f"\\u{ord(character):04X}" if character < " " else character)
        for character in plain_text
    )
    return f'"{escaped_text.encode("utf-8", "replace").decode()}"'


def _quote_list(plain_texts: list[str]) -> str:
    """Return a list of texts as TOML; if all are plain, they are joined at once."""
    joined = "".join(plain_texts)
    if "'" not in joined and joined.isprintable():
        return "['" + "', '".join(plain_texts) + "']" if plain_texts else "[]"
    return "[" + ", ".join([quote(plain_text) for plain_text in plain_texts]) + "]"


def format_chips(chips: Chips | None, exponent: int) -> str:
    """Return an amount as text: `2`, `2.50`, `-0.50`, or `inf` for an unknown stack."""
    return "inf" if chips is None else in_units(chips, exponent)


_DATE: Final = re.compile(
    r"(\d{1,4}|\?)-(\d{1,2}|\?)-(\d{1,2}|\?)(?: (\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?))?(?: (\S{1,40}))?", re.ASCII
)


def build_fields(header: PhhHeader, action_texts: list[str], remarks: list[str], *, is_exact: bool) -> dict[str, str]:
    """Return the fields of a hand as text, in the order of the file."""
    exponent = header.exponent

    def column(chips: Sequence[Chips | None]) -> str:
        if not exponent and None not in chips:
            return str(list(chips))
        return "[" + ", ".join([format_chips(value, exponent) for value in chips]) + "]"

    direction = -1 if len(header.seats) == 2 else 1
    field_texts = {"variant": quote(header.game.code)}
    trimming_values = [remark[23:] for remark in remarks if remark.startswith("ante_trimming_status = ")]
    if trimming_values:
        field_texts["ante_trimming_status"] = trimming_values[0]
    elif not is_exact:
        field_texts["ante_trimming_status"] = "true" if min(header.antes) > 0 else "false"
    field_texts["antes"] = column(header.antes[::direction])
    if header.game.kind == "stud":
        field_texts["bring_in"] = format_chips(header.bring_in, exponent)
    else:
        field_texts["blinds_or_straddles"] = column(header.blinds[::direction])
    bet_names = ("small_bet", "big_bet") if header.game.betting == "limit" else ("min_bet",)
    if any(header.bets):
        field_texts |= {
            bet_name: format_chips(bet, exponent) for bet_name, bet in zip(bet_names, header.bets, strict=False)
        }
    field_texts["starting_stacks"] = column(header.stacks)
    field_texts["actions"] = _quote_list(action_texts)
    _write_identity(header, field_texts)
    _write_date(header, field_texts)
    if header.finishing_stacks is not None:
        field_texts["finishing_stacks"] = column(header.finishing_stacks)
    if header.winnings is not None:
        field_texts["winnings"] = column(header.winnings)
    if header.rake:
        field_texts["_handledger_rake"] = format_chips(header.rake, exponent)
    _write_unit(header, field_texts)
    return field_texts


def _write_identity(header: PhhHeader, field_texts: dict[str, str]) -> None:
    for key, name, as_number in IDENTITY_FIELDS:
        if field_text := getattr(header, name):
            field_texts[key] = _format_number_or_text(field_text) if as_number else quote(field_text)
    if header.seats != list(range(1, len(header.seats) + 1)):
        field_texts["seats"] = "[" + ", ".join(map(str, header.seats)) + "]"
    if header.seat_count:
        field_texts["seat_count"] = str(header.seat_count)
    names = [
        "" if name == stand_in else name
        for name, stand_in in zip(header.names, list_stand_in_names(header), strict=True)
    ]
    if any(names):
        field_texts["players"] = _quote_list(names)


def _format_number_or_text(field_text: str) -> str:
    """Return a number unquoted, anything else as quoted text."""
    plain_number = field_text.isdecimal() and field_text.isascii() and len(field_text) <= 18
    return field_text if plain_number and (field_text[0] != "0" or field_text == "0") else quote(field_text)


def _write_date(header: PhhHeader, field_texts: dict[str, str]) -> None:
    date_match = _DATE.fullmatch(header.date_text)
    if date_match:
        for key, value in zip(("year", "month", "day"), date_match.groups(), strict=False):
            if value and value != "?":
                field_texts[key] = str(int(value))
        if date_match[4]:
            field_texts["time"] = date_match[4]
        if date_match[5]:
            key = "time_zone_abbreviation" if date_match[5] in ZONES or "/" not in date_match[5] else "time_zone"
            field_texts[key] = quote(date_match[5])
    elif header.started_at is not None:
        started_at = datetime.fromtimestamp(header.started_at / 1000, UTC)
        field_texts |= {
            "year": str(started_at.year),
            "month": str(started_at.month),
            "day": str(started_at.day),
            "time": f"{started_at:%H:%M:%S}",
        }
        field_texts["time_zone"] = "'UTC'"


def _write_unit(header: PhhHeader, field_texts: dict[str, str]) -> None:
    """Write the unit, and the exponent if a reader would infer another from the amounts."""
    least_exponent = 0
    if header.unit not in ("", "chips"):
        currency = len(header.unit) == 3 and header.unit.isupper()
        field_texts["currency" if currency else "_handledger_unit"] = quote(header.unit)
        least_exponent = 2 if currency and header.unit not in WITHOUT_CENTS else 0
    inferred = least_exponent
    amounts = [*header.stacks, *header.antes, *header.blinds, *header.bets, header.bring_in]
    amounts += [*(header.finishing_stacks or ()), *(header.winnings or ())]
    if header.exponent > inferred:
        scale = 10 ** shown_decimals(header.exponent)
        has_fractions = any(chips is not None and chips % scale for chips in amounts)
        if has_fractions or "." in field_texts["actions"]:
            inferred = max((inferred, *decimals(field_texts).values()))
    if inferred != header.exponent:
        field_texts["_handledger_exponent"] = str(header.exponent)
