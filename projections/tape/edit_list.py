"""Write cues as an edit decision list (CMX 3600): an event for each hand, a locator for each act and finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger import safe
from ledger.vocabulary import Millis
from projections.tape import tape_errors
from projections.tape.cues import Cue, CueKind, HandCues

_MAX_EVENTS: Final = 999
_DAY_MILLIS: Final = 24 * 3_600_000
_MAX_COLUMNS: Final = 200
_COLORS: Final[dict[CueKind, str]] = {"hand": "BLUE", "act": "GREEN", "finding": "RED"}


def write_edit_list(hands: Sequence[HandCues], frames_per_second: int, remarks: Sequence[str] = ()) -> Iterator[str]:
    """Yield the pieces of an edit decision list without dropped frames.

    Raise `UsageError` for more than 999 hands or a time code after 24 hours, which the format can't number.
    """
    if len(hands) > _MAX_EVENTS:
        raise tape_errors.too_many_events(len(hands))
    yield "TITLE: HANDLEDGER INDEX\nFCM: NON-DROP FRAME\n\n"
    for remark in remarks:
        yield f"* COMMENT: {_fit_on_line(remark)}\n"
    for number, hand_cues in enumerate(sorted(hands, key=lambda hand_cues: hand_cues.hand.order), 1):
        hand = hand_cues.hand
        start, end = (_format_time_code(place, frames_per_second) for place in (hand.start, hand.end))
        yield f"{number:03}  AX       V     C        {start} {end} {start} {end}\n"
        yield f"* FROM CLIP NAME: {_fit_on_line(hand.address)}\n"
        for cue in (hand, *hand_cues.moments):
            yield _format_locator(cue, frames_per_second)
        yield "\n"


def _format_locator(cue: Cue, frames_per_second: int) -> str:
    place = _format_time_code(cue.start, frames_per_second)
    text = " / ".join(cue.lines)
    if cue.kind != "hand":
        text = f"{cue.address}  {text}"
    return f"* LOC: {place} {_COLORS[cue.kind]:<7} {_fit_on_line(text)}\n"


def _fit_on_line(text: str) -> str:
    return safe.terminal(text, _MAX_COLUMNS)


def _format_time_code(place: Millis, frames_per_second: int) -> str:
    if place >= _DAY_MILLIS:
        raise tape_errors.beyond_a_day()
    seconds, millis = divmod(max(place, 0), 1000)
    frame = millis * frames_per_second // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}:{frame:02}"
