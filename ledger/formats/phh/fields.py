"""The fields of a hand as they are written: worked out from events, put into text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.phh import header as h
from ledger.formats.phh.scanning import scan
from ledger.formats.phh.words import CODES, NAMED, WITHOUT_CENTS, ZONES, erased
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.people import People
from ledger.vocabulary import Chips, Seat, in_units

_ByKind: TypeAlias = dict[type[Event], list[Any]]
"""Events by their type."""


def header_of(events: Sequence[Event], opening: int, people: People) -> tuple[h.Header, list[str], list[str]]:
    """Return the fields that tell the opening; remarks that are fields; those that are comments."""
    by_kind: _ByKind = {}
    for event in events[:opening]:
        by_kind.setdefault(type(event), []).append(event)
    opened, game = by_kind[o.HandOpened][0], by_kind[o.GameSet][0]
    dealt = by_kind.get(o.SeatDealtIn, [])
    seats = _order(dealt, by_kind, events[opening:])
    index = {seat: place for place, seat in enumerate(seats)}
    stacks = {event.seat: event.stack for event in dealt}
    head = h.Header(
        game=CODES[game.variant, game.betting],
        stacks=[stacks[seat] for seat in seats],
        antes=[0] * len(seats),
        blinds=[0] * len(seats),
        seats=seats,
        names=_names(dealt, seats, people),
        bets=game.bets or (max(game.blinds, default=0),),
        bring_in=game.bring_in,
        exponent=game.exponent,
        unit=game.unit,
        venue=opened.venue,
        event=opened.tournament,
        table=opened.table,
        number=opened.number,
        level=by_kind[o.TournamentSet][0].level if o.TournamentSet in by_kind else "",
        seat_count=opened.seats,
        written=opened.written,
        started=opened.started,
    )
    if head.game.kind == "stud" and not head.bring_in:
        head.bring_in = next((event.amount for event in events if isinstance(event, o.BringInPosted)), 0)
    if head.game.betting == "limit" and len(head.bets) == 1:
        head.bets = (head.bets[0], 2 * head.bets[0])
    if not any(head.bets):
        head.bets = _bets(by_kind, events, head)
    _posts(head, by_kind, index, game)
    comments: list[str] = []
    remarks: list[str] = []
    for event in by_kind.get(e.RemarkNoted, []):
        words = people.words(event.text)
        words = erased(event.text) if words is None else words
        if _is_field(words):
            remarks.append(words)
        else:
            comments.append(plain(words))
    head.trimmed = "ante_trimming_status = true" in remarks
    return head, remarks, comments


def _bets(by_kind: _ByKind, events: Sequence[Event], head: h.Header) -> tuple[Chips, ...]:
    """Return what the notation must have though the hand does not tell it: the bets of its game.

    They are those that were made; else what the bring-in was completed to, twice the bring-in, the big
    blind, the ante, or a chip: no bet of the hand hangs on it then.
    """
    completed = next((event.to for event in events if isinstance(event, b.Completed)), 0)
    ante = max((event.amount for event in by_kind.get(o.AntePosted, [])), default=0)
    least = completed or 2 * head.bring_in or _big_blind(by_kind) or ante or 1
    if head.game.betting != "limit":
        return (least,)
    small, big = _steps(events, _big_blind(by_kind) or head.bring_in)
    return (small or big // 2 or least, big or 2 * (small or least))


def _steps(events: Sequence[Event], level: Chips) -> tuple[Chips, Chips]:
    """Return the least steps by which bets went up on the first two streets and on the later ones; 0 = none did."""
    least, streets = [0, 0], 0
    for event in events:
        if isinstance(event, d.BoardDealt | d.StreetDealt):
            streets, level = streets + isinstance(event, d.BoardDealt), 0
        elif isinstance(event, b.Bet | b.Raised) and not event.all_in:
            step, late = event.to - level, streets > 1
            least[late] = min(least[late] or step, step) if step > 0 else least[late]
            level = event.to
    return least[0], least[1]


def _big_blind(by_kind: _ByKind) -> Chips:
    """Return what the big blind posted: the least bet where the source names no stakes."""
    posts = by_kind.get(o.BlindPosted, [])
    return max((post.live for post in posts if post.role == "big"), default=0)


def _order(dealt: list[o.SeatDealtIn], by_kind: _ByKind, body: Sequence[Event]) -> list[Seat]:
    """Return the seats in dealing order: by the deal if it tells, else clockwise from the button."""
    seats = sorted(event.seat for event in dealt)
    button = by_kind[o.ButtonPlaced][0].seat if o.ButtonPlaced in by_kind else None
    deal = [event.seat for event in body[: len(seats)] if isinstance(event, d.HoleCardsDealt)]
    if sorted(deal) == seats and (button is None or deal[-1:] == [button]):
        return deal
    if button is None:
        posted = by_kind.get(o.BlindPosted)
        first = posted[0].seat if posted else 1
        return [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    return [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]


def _names(dealt: list[o.SeatDealtIn], seats: list[Seat], people: People) -> list[str]:
    players = {event.seat: event.player for event in dealt}
    names = {seat: people.name(player) for seat, player in players.items()}
    return [erased(players[seat]) if (name := names[seat]) is None else name for seat in seats]


def _posts(head: h.Header, by_kind: _ByKind, index: dict[Seat, int], game: o.GameSet) -> None:
    """Fill in antes and blinds; a post that took a whole stack is written as large as it was due."""
    for event in by_kind.get(o.AntePosted, ()):
        if event.seat in index:
            due = game.ante if event.all_in and not event.for_table else 0
            head.antes[index[event.seat]] += max(event.amount, due)
    structure = dict(zip(("big", "small"), reversed(game.blinds), strict=False))
    for event in by_kind.get(o.BlindPosted, ()):
        if event.seat not in index:
            continue
        who = index[event.seat]
        head.antes[who] += event.dead
        due = structure.get(event.role, 0) if event.all_in else 0
        if event.role in ("entry", "makeup-small", "makeup-big", "makeup"):
            head.blinds[who] -= event.live
        else:
            head.blinds[who] += max(event.live, due)
    for event in by_kind.get(o.StraddlePosted, ()):
        if event.seat in index and event.live:
            head.blinds[index[event.seat]] += event.amount
    if len(head.seats) > 2 and len(structure) == 2 and head.game.kind != "stud":
        _unposted(head, structure)


def _unposted(head: h.Header, structure: dict[str, Chips]) -> None:
    """Write a blind that a stack eaten up by its ante could not post."""
    for who, role in ((0, "small"), (1, "big")):
        stack = head.stacks[who]
        if not head.blinds[who] and stack is not None and stack <= head.antes[who]:
            head.blinds[who] = structure[role]


@lru_cache(maxsize=1024)
def _is_field(words: str) -> bool:
    """Whether a remark is a field that the reader would keep as this very remark."""
    if words in ("ante_trimming_status = true", "ante_trimming_status = false"):
        return True
    if " = " not in words or words[0] == "#":
        return False
    try:
        found = scan(words)
    except UnreadableHandError:
        return False
    return not (found.spans or found.before or found.after) and [said for said, _, _ in found.extra] == [words]


def plain(words: str | None) -> str:
    """Return words for a comment: on one line, without control characters."""
    if words is None:
        return "(erased)"
    if words.isprintable():
        return words
    return "".join(sign if sign.isprintable() or sign == "\t" else " " for sign in words)


_QUOTED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x7f": "\\u007F"}


@lru_cache(maxsize=4096)
def quoted(words: str) -> str:
    """Return a text as TOML writes it."""
    if "'" not in words and words.isprintable():
        return f"'{words}'"
    inner = "".join(_QUOTED.get(sign) or (f"\\u{ord(sign):04X}" if sign < " " else sign) for sign in words)
    return f'"{inner.encode("utf-8", "replace").decode()}"'


def _listed(words: list[str]) -> str:
    """Return a list of texts as TOML writes it; the plain ones all at once."""
    joined = "".join(words)
    if "'" not in joined and joined.isprintable():
        return "['" + "', '".join(words) + "']" if words else "[]"
    return "[" + ", ".join([quoted(each) for each in words]) + "]"


def money(chips: Chips | None, exponent: int) -> str:
    """Return an amount as it is written: `2`, `2.50`, `-0.50`, `inf` for one that nobody told."""
    return "inf" if chips is None else in_units(chips, exponent)


_DATE: Final = re.compile(
    r"(\d{1,4}|\?)-(\d{1,2}|\?)-(\d{1,2}|\?)(?: (\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?))?(?: (\S{1,40}))?", re.ASCII
)


def fields(head: h.Header, items: list[str], remarks: list[str], *, exact: bool) -> dict[str, str]:
    """Return the fields of a hand as text, in the order in which they are written."""
    exponent = head.exponent

    def column(chips: Sequence[Chips | None]) -> str:
        if not exponent and None not in chips:
            return str(list(chips))
        return "[" + ", ".join([money(value, exponent) for value in chips]) + "]"

    turned = -1 if len(head.seats) == 2 else 1
    out = {"variant": quoted(head.game.code)}
    trimming = [words[23:] for words in remarks if words.startswith("ante_trimming_status = ")]
    if trimming:
        out["ante_trimming_status"] = trimming[0]
    elif not exact:
        out["ante_trimming_status"] = "true" if min(head.antes) > 0 else "false"
    out["antes"] = column(head.antes[::turned])
    if head.game.kind == "stud":
        out["bring_in"] = money(head.bring_in, exponent)
    else:
        out["blinds_or_straddles"] = column(head.blinds[::turned])
    names = ("small_bet", "big_bet") if head.game.betting == "limit" else ("min_bet",)
    if any(head.bets):
        out |= {name: money(bet, exponent) for name, bet in zip(names, head.bets, strict=False)}
    out["starting_stacks"] = column(head.stacks)
    out["actions"] = _listed(items)
    _where(head, out)
    _when(head, out)
    if head.finishing is not None:
        out["finishing_stacks"] = column(head.finishing)
    if head.winnings is not None:
        out["winnings"] = column(head.winnings)
    if head.rake:
        out["_handledger_rake"] = money(head.rake, exponent)
    _unit(head, out)
    return out


def _where(head: h.Header, out: dict[str, str]) -> None:
    for key, name, as_number in NAMED:
        if words := getattr(head, name):
            out[key] = _number(words) if as_number else quoted(words)
    if head.seats != list(range(1, len(head.seats) + 1)):
        out["seats"] = "[" + ", ".join(map(str, head.seats)) + "]"
    if head.seat_count:
        out["seat_count"] = str(head.seat_count)
    names = ["" if name == other else name for name, other in zip(head.names, h.strangers(head), strict=True)]
    if any(names):
        out["players"] = _listed(names)


def _number(words: str) -> str:
    """Return a number as one, anything else as text."""
    plain_number = words.isdecimal() and words.isascii() and len(words) <= 18
    return words if plain_number and (words[0] != "0" or words == "0") else quoted(words)


def _when(head: h.Header, out: dict[str, str]) -> None:
    said = _DATE.fullmatch(head.written)
    if said:
        for key, value in zip(("year", "month", "day"), said.groups(), strict=False):
            if value and value != "?":
                out[key] = str(int(value))
        if said[4]:
            out["time"] = said[4]
        if said[5]:
            key = "time_zone_abbreviation" if said[5] in ZONES or "/" not in said[5] else "time_zone"
            out[key] = quoted(said[5])
    elif head.started is not None:
        at = datetime.fromtimestamp(head.started / 1000, UTC)
        out |= {"year": str(at.year), "month": str(at.month), "day": str(at.day), "time": f"{at:%H:%M:%S}"}
        out["time_zone"] = "'UTC'"


def _unit(head: h.Header, out: dict[str, str]) -> None:
    """Write the unit, and the exponent where the amounts alone would give another."""
    floor = 0
    if head.unit not in ("", "chips"):
        currency = len(head.unit) == 3 and head.unit.isupper()
        out["currency" if currency else "_handledger_unit"] = quoted(head.unit)
        floor = 2 if currency and head.unit not in WITHOUT_CENTS else 0
    inferred = floor
    amounts = [*head.stacks, *head.antes, *head.blinds, *head.bets, head.bring_in]
    amounts += [*(head.finishing or ()), *(head.winnings or ())]
    if head.exponent > inferred:
        scale = 10**head.exponent
        fine = any(chips is not None and chips % scale for chips in amounts)
        if fine or "." in out["actions"]:
            inferred = max((inferred, *h.decimals(out).values()))
    if inferred != head.exponent:
        out["_handledger_exponent"] = str(head.exponent)
