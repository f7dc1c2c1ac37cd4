"""Reads back what `due` and `floor` print, so that it can be held against what is due."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from projections.obligations.dues import Due, Placement, list_blind_posters

_SCREEN_LABEL: Final = re.compile(
    r"^  (button|small blind|big blind|third blind) +(?:seat (\d+)|nobody|open)([^:]*?)(?:$|:| \(| \[)"
)
_SEAT_LINE: Final = re.compile(r"^ {0,3}(\d+) \S.* {2,}(\S.*)$")
_CALLED_BLIND: Final = re.compile(r"(small blind|big blind|third blind)[^,]*? seat (\d+)")
_NAMES: Final = {"small": "small blind", "big": "big blind", "extra": "third blind"}


class ShownPlacement(NamedTuple):
    """Where a reading has the button, and who posts which blind, as printed."""

    button: int | None
    blinds: tuple[tuple[str, int], ...]


def placements_due(due: Due) -> list[ShownPlacement]:
    """Return what has to be printed of each reading."""
    return [ShownPlacement(place.button, tuple(_blinds(place))) for place in due.placements]


def _blinds(place: Placement) -> Iterator[tuple[str, int]]:
    for role in ("small", "big", "extra"):
        for seat in list_blind_posters(place, role):
            yield _NAMES[role], seat


def placements_on_screen(text: str) -> list[ShownPlacement]:
    """Return the readings that `due` prints."""
    shown_placements: list[ShownPlacement] = []
    for line in text.split("\nseats\n", maxsplit=1)[0].splitlines():
        label = _SCREEN_LABEL.match(line)
        if label is None:
            continue
        seat = None if label[2] is None else int(label[2])
        if label[1] == "button":
            shown_placements.append(ShownPlacement(seat, ()))
        elif seat is not None:
            shown_placements[-1] = shown_placements[-1]._replace(
                blinds=(*shown_placements[-1].blinds, (label[1], seat))
            )
    return shown_placements


def placements_in_summary(text: str) -> list[ShownPlacement]:
    """Return the readings that `floor` prints: a line each, or the call alone if there is one reading."""
    lines = [line for line in text.splitlines() if " · " in line and re.search(r"button (?:seat \d|nobody)", line)]
    call = placement_called(text)
    return [_in_line(line) for line in lines] or ([call] if call else [])


def placement_called(text: str) -> ShownPlacement | None:
    """Return the reading that is called out; None = none is."""
    match = re.search(r"^ *(?:Button seat (\d+)|The button is open)", text, re.MULTILINE)
    if match is None:
        return None
    sentence = re.split(r"\. (?=[A-Z])|\.$", text[match.end() :], flags=re.MULTILINE)[1]
    blinds = [(name, int(seat)) for name, seat in _CALLED_BLIND.findall(sentence.lower())]
    return ShownPlacement(None if match[1] is None else int(match[1]), tuple(blinds))


def _in_line(line: str) -> ShownPlacement:
    button = re.search(r"button (?:seat (\d+)|nobody)", line)
    blinds = [
        (name, int(seat))
        for name in _NAMES.values()
        for part in line.split(" · ")
        if part.startswith(name)
        for seat in re.findall(r"seat (\d+)", part)
    ]
    return ShownPlacement(None if button is None or button[1] is None else int(button[1]), tuple(blinds))


def seats_on_screen(text: str) -> dict[int, str]:
    """Return what `due` prints of each seat, without the reasons."""
    seats = {}
    for line in text.rsplit("\nseats\n", maxsplit=1)[-1].splitlines():
        match = _SEAT_LINE.match(line)
        if match is not None:
            seats[int(match[1])] = match[2]
    return seats
