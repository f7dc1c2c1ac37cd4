"""Lists of players by position: `UTG: Ana (500)`, `BTN Bo 300`. Seats follow the order of the list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.embedded_lists import CHIPS

_ORDER: Final = ("utg", "utg+1", "utg+2", "mp", "lj", "hj", "co", "btn", "sb", "bb")
_SPELLINGS: Final = {
    "under the gun": "utg",
    "cutoff": "co",
    "cut-off": "co",
    "hijack": "hj",
    "lojack": "lj",
    "button": "btn",
    "bu": "btn",
    "dealer": "btn",
    "small blind": "sb",
    "big blind": "bb",
}
_ROW: Final = re.compile(
    rf"^\s*(?P<position>{'|'.join(map(re.escape, sorted((*_ORDER, *_SPELLINGS), key=len, reverse=True)))})\s?[:=)-]?\s+"
    rf"(?P<name>[^\W\d_][\w'.-]*(?:\s[^\W\d_][\w'.-]*){{0,2}})\s?[:,(-]?\s?(?:with\s|has\s)?(?P<stack>{CHIPS})\)?\s*$",
    re.IGNORECASE,
)
_BUTTON_INDEX: Final = _ORDER.index("btn")
_PLAYERS_LEAST: Final = 2


def number_positions(note_lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines; rows of positions become numbered rows, and a line for the button follows them."""
    rows: list[tuple[ScriptLine, re.Match[str]]] = []
    for line in note_lines:
        if match := _ROW.match(line.text):
            rows.append((line, match))
            continue
        yield from _number_rows(rows)
        rows = []
        yield line
    yield from _number_rows(rows)


def _number_rows(rows: list[tuple[ScriptLine, re.Match[str]]]) -> Iterator[ScriptLine]:
    """Yield rows with seats by their order, if the positions go round the table once."""
    indexes = [_find_position_index(match) for _, match in rows]
    steps = [
        (next_index - index) % len(_ORDER)
        for index, next_index in zip(indexes, [*indexes[1:], *indexes[:1]], strict=True)
    ]
    if len(rows) < _PLAYERS_LEAST or sum(steps) != len(_ORDER) or len(set(indexes)) < len(rows):
        yield from (line for line, _ in rows)
        return
    for seat, (line, match) in enumerate(rows, 1):
        yield line._replace(text=f"{seat} {match['name']} {match['stack']}")
    if _BUTTON_INDEX in indexes:
        last_line = rows[-1][0]
        yield last_line._replace(text=f"button {indexes.index(_BUTTON_INDEX) + 1}")


def _find_position_index(match: re.Match[str]) -> int:
    word = match["position"].lower()
    return _ORDER.index(_SPELLINGS.get(word, word))
