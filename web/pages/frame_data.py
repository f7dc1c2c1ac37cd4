"""Build the data for a page's script. Each frame holds only its changes, so that a long hand stays small.

It holds no names and no free text: only numbers, cards and our own words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

import msgspec

from projections.amount_text import amount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.vocabulary import Chips
    from projections.audit.knock_on import ButtonAndBlinds
    from web.pages.documents import Frame, HandPage

_FIRST_INEXACT: Final = 2**53
"""From here on a browser's numbers are inexact, so such amounts are sent as text."""


def build_island(page: HandPage) -> str:
    """Return a hand for the script, as JSON that can stand in an HTML script element."""
    document: dict[str, object] = {
        "sign": amount(0, page.unit, 0).removesuffix("0"),
        "exponent": page.exponent,
        "big": page.big,
        "first": page.first,
        "frames": _list_frame_changes(page),
        "books": [
            {
                "should": _list_position_seats(judgement.should),
                "frames": sorted({_find_frame_index(page, finding.version) for finding in judgement.findings}),
            }
            for judgement in page.judgements
        ],
        "source": _find_segment_ranges(page),
    }
    return escape_for_script(msgspec.json.encode(document).decode("utf-8"))


def escape_for_script(text: str) -> str:
    """Return JSON that can't end the script element around it."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _find_frame_index(page: HandPage, version: int) -> int:
    """Return the index of an event's frame, or of the nearest frame before it."""
    return max((index for index, frame in enumerate(page.frames) if frame.version <= version), default=0)


def _list_position_seats(positions: ButtonAndBlinds | None) -> list[int | None]:
    return [] if positions is None else [positions.button, positions.small, positions.big]


class _FrameState(TypedDict, total=False):
    """A frame in the script's short form."""

    s: Mapping[str, Sequence[object]]  # seats
    b: list[str]  # boards
    p: Sequence[Sequence[object]]  # pots
    t: int  # whose turn it is
    w: str  # the street
    d: object  # what was paid out


def _list_frame_changes(page: HandPage) -> list[dict[str, object]]:
    """Return the difference of each frame from the one before."""
    changes: list[dict[str, object]] = []
    previous_state = _FrameState()
    for frame in page.frames:
        state = _build_frame_state(page, frame)
        seats = {
            seat: seat_state
            for seat, seat_state in state["s"].items()
            if previous_state.get("s", {}).get(seat) != seat_state
        }
        change = {key: value for key, value in state.items() if key != "s" and previous_state.get(key) != value}
        changes.append(change | ({"s": seats} if seats else {}))
        previous_state = state
    return changes


def _build_frame_state(page: HandPage, frame: Frame) -> _FrameState:
    def encode_chips(chip_amount: Chips | None) -> int | str | None:
        return (
            amount(chip_amount, page.unit, page.exponent)
            if chip_amount is not None and abs(chip_amount) >= _FIRST_INEXACT
            else chip_amount
        )

    seats = {
        str(seat.seat): [
            encode_chips(seat.stack),
            encode_chips(seat.bet),
            seat.cards,
            seat.status,
            *([public_cards] if public_cards != seat.cards else []),
        ]
        for seat, public_cards in zip(frame.seats, frame.public, strict=True)
    }
    pots = [[encode_chips(pot.amount), len(pot.seats)] for pot in frame.pots if pot.amount]
    turn = 0 if frame.turn is None else frame.turn.seat
    return {"s": seats, "b": frame.boards, "p": pots, "t": turn, "w": frame.street, "d": encode_chips(frame.paid)}


def _find_segment_ranges(page: HandPage) -> list[list[int]]:
    """Return the first and last source segment of each frame; [] if it has none."""
    ranges: list[list[int]] = [[] for _ in page.frames]
    for segment_index, segment in enumerate(page.source.segments if page.source else []):
        for frame in segment.frames:
            ranges[frame] = [ranges[frame][0] if ranges[frame] else segment_index, segment_index]
    return ranges
