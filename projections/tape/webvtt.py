"""Write cues as WebVTT (W3C): captions that a browser or a player shows with the recording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger import safe
from ledger.vocabulary import Millis
from projections.tape.cues import Cue, HandCues

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write_webvtt(hands: Iterable[HandCues], remarks: Sequence[str] = ()) -> Iterator[str]:
    """Yield the pieces of a WebVTT file: remarks first, then all cues by their place on the recording."""
    yield "WEBVTT\n\n"
    for remark in remarks:
        yield f"NOTE\n{_escape(remark)}\n\n"
    cues = [cue for hand_cues in hands for cue in (hand_cues.hand, *hand_cues.moments)]
    for number, cue in enumerate(sorted(cues, key=lambda cue: cue.order), 1):
        yield f"{number} {cue.kind} {_escape(cue.address)}\n{_format_place(cue.start)} --> {_format_place(cue.end)}\n"
        yield "".join(f"{line}\n" for line in _format_lines(cue)) + "\n"


def _format_lines(cue: Cue) -> Iterator[str]:
    """Yield a cue's lines. Each kind has a class, which a page's style sheet can colour."""
    for line in cue.lines:
        yield f"<c.{cue.kind}>{_escape(line)}</c>"


def _escape(text: str) -> str:
    """Return text on one line, escaped so that no player reads it as markup, as a time arrow or as the end of a cue."""
    return safe.terminal(text).translate(_ENTITIES)


def _format_place(place: Millis) -> str:
    seconds, millis = divmod(max(place, 0), 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{millis:03}"
