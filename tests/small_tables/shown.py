"""Reads back what `due` and `floor` print, so that it can be held against what is due."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from projections.obligations.dues import Due, Placement, blind_posters

_SCREEN_LABEL: Final = re.compile(
    r"^  (button|small blind|big blind|third blind) +(?:seat (\d+)|nobody|open)([^:]*?)(?:$|:| \(| \[)"
)
_SEAT_LINE: Final = re.compile(r"^ {0,3}(\d+) \S.* {2,}(\S.*)$")
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
        for seat in blind_posters(place, role):
            yield _NAMES[role], seat


def placements_on_screen(text: str) -> list[ShownPlacement]:
    """Return the readings that `due` prints."""
    shown: list[ShownPlacement] = []
    for line in text.split("\nseats\n", maxsplit=1)[0].splitlines():
        label = _SCREEN_LABEL.match(line)
        if label is None:
            continue
        seat = None if label[2] is None else int(label[2])
        if label[1] == "button":
            shown.append(ShownPlacement(seat, ()))
        elif seat is not None:
            shown[-1] = shown[-1]._replace(blinds=(*shown[-1].blinds, (label[1], seat)))
    return shown


def placements_in_summary(text: str) -> list[ShownPlacement]:
    """Return the readings that `floor` prints."""
    shown = []
    for line in text.splitlines():
        button = re.search(r"button (?:seat (\d+)|nobody)", line)
        if button is None or " · " not in line:
            continue
        blinds = [
            (name, int(seat))
            for name in _NAMES.values()
            for part in line.split(" · ")
            if part.startswith(name)
            for seat in re.findall(r"seat (\d+)", part)
        ]
        shown.append(ShownPlacement(None if button[1] is None else int(button[1]), tuple(blinds)))
    return shown


def seats_on_screen(text: str) -> dict[int, str]:
    """Return what `due` prints of each seat, without the reasons."""
    seats = {}
    for line in text.rsplit("\nseats\n", maxsplit=1)[-1].splitlines():
        match = _SEAT_LINE.match(line)
        if match is not None:
            seats[int(match[1])] = match[2]
    return seats
