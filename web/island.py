"""What the script of a page is given: each frame as what changed in it, so that a long hand stays small.

There are no names and no free text in it, only numbers, cards and words of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

import msgspec

from projections.amount_text import amount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.vocabulary import Chips
    from projections.audit.knock_on import Spots
    from web.documents import Frame, HandPage

_EXACT: Final = 2**53
"""From here on a browser's numbers are no longer exact: such amounts are sent in words."""


def island(page: HandPage) -> str:
    """Return a hand for the script, as JSON that can stand in an HTML script element."""
    data: dict[str, object] = {
        "sign": amount(0, page.unit, 0).removesuffix("0"),
        "exponent": page.exponent,
        "big": page.big,
        "first": page.first,
        "frames": _changes(page),
        "books": [
            {"should": _spots(one.should), "frames": sorted({_place(page, found.version) for found in one.findings})}
            for one in page.judgements
        ],
        "source": _segments(page),
    }
    return escaped(msgspec.json.encode(data).decode("utf-8"))


def escaped(text: str) -> str:
    """Return JSON in which nothing can end the element that it stands in."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _place(page: HandPage, version: int) -> int:
    """Return the place of the frame of an event, or of the nearest before."""
    return max((at for at, frame in enumerate(page.frames) if frame.version <= version), default=0)


def _spots(one: Spots | None) -> list[int | None]:
    return [] if one is None else [one.button, one.small, one.big]


class _State(TypedDict, total=False):
    """A frame as the script knows it."""

    s: Mapping[str, Sequence[object]]  # seats
    b: list[str]  # boards
    p: Sequence[Sequence[object]]  # pots
    t: int  # whose turn it is
    w: str  # the street
    d: object  # what was paid out


def _changes(page: HandPage) -> list[dict[str, object]]:
    """Return of each frame what differs from the one before."""
    made: list[dict[str, object]] = []
    before = _State()
    for frame in page.frames:
        now = _state(page, frame)
        seats = {seat: told for seat, told in now["s"].items() if before.get("s", {}).get(seat) != told}
        change = {key: value for key, value in now.items() if key != "s" and before.get(key) != value}
        made.append(change | ({"s": seats} if seats else {}))
        before = now
    return made


def _state(page: HandPage, frame: Frame) -> _State:
    def chips(told: Chips | None) -> int | str | None:
        return amount(told, page.unit, page.exponent) if told is not None and abs(told) >= _EXACT else told

    seats = {
        str(one.seat): [
            chips(one.stack),
            chips(one.bet),
            one.cards,
            one.status,
            *([public] if public != one.cards else []),
        ]
        for one, public in zip(frame.seats, frame.public, strict=True)
    }
    pots = [[chips(pot.amount), len(pot.seats)] for pot in frame.pots if pot.amount]
    turn = 0 if frame.turn is None else frame.turn.seat
    return {"s": seats, "b": frame.boards, "p": pots, "t": turn, "w": frame.street, "d": chips(frame.paid)}


def _segments(page: HandPage) -> list[list[int]]:
    """Return of each frame the first and the last piece of the source that it was read from; [] = none."""
    out: list[list[int]] = [[] for _ in page.frames]
    for at, segment in enumerate(page.source.segments if page.source else []):
        for frame in segment.frames:
            out[frame] = [out[frame][0] if out[frame] else at, at]
    return out
