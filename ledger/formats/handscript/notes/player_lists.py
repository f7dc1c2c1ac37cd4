"""Finds lists of players above the hands by their parts, on one line or several, and writes each in one form.

A part is a seat, a stack, a name or a mark. Each player has one name; the numbers around the names have the same order for
all players of a list. A list that could be read in two ways stays as it is, and is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.hand_headings import begins_hand, marks_hand
from ledger.formats.handscript.notes.list_parts import ListPart
from ledger.formats.handscript.notes.list_rows import (
    MAX_PLAYERS,
    MAX_TEXT_LENGTH,
    ListedPlayer,
    read_players,
    write_player,
)

_SENTENCE: Final = re.compile(
    r"(?<=[.!?])(?<!mr\.)(?<!mrs\.)(?<!ms\.)(?<!dr\.)(?<!st\.)(?<!no\.)(?<!vs\.)\s+(?=\S)|\s-\s(?=seat|players|stacks|line)",
    re.IGNORECASE,
)
_BOUNDARY: Final = re.compile(r"(?<=:)\s+|\s-\s|,\s")
"""Where a list may begin within a sentence."""
_MAX_BOUNDARIES: Final = 5
_LIST_WORD: Final = re.compile(
    r"\b(?:seats?|players?|line-?\s?up|stacks?|order|clockwise|playing|present|sitting|at the table|in the game|roster|names|left to right|around|chips|who)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^(?P<label>[^:\d\"]{1,60}?)(?:\s?:\s|\s(?:was|were|are|is|at the start)\s(?=[^:]*\d))", re.IGNORECASE
)
_OCCUPIED_SEATS: Final = re.compile(
    r"\bseats?\s(\d{1,2}(?:(?:\s?,\s?(?:and\s)?|\s(?:and|&)\s)\d{1,2}){1,9})\b[^\d]{0,30}$", re.IGNORECASE
)
_NUMBERED: Final = re.compile(r"\bseats?\s\d", re.IGNORECASE)
_LEGEND: Final = re.compile(r"\*\s?(?:=|:|is|means|marks|-)?\s?(?:the\s)?(?:dealer|button|btn)\b", re.IGNORECASE)
_PLAY: Final = re.compile(
    r"\b(?:folds?|folded|calls|called|raises|raised|checks|checked|flop|posts|posted)\b", re.IGNORECASE
)
"""A line with these words is play: the first hand has begun."""
_RULE: Final = re.compile(r"^[\s|+:=_*-]*$")
_GAME_WORDS: Final = re.compile(r"\d\s?/\s?\$?\d|\b(?:nl|limit|holdem|hold)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Unit:
    """A piece of a line: a row of a list, its label, or other text."""

    line: ScriptLine
    text: str
    kind: str = "text"  # "text", "row", "label", "blank"
    players: list[ListedPlayer] = field(default_factory=list)
    is_ordered: bool = False
    of_seats: bool = False
    of_all: Decimal | None = None
    asides: list[str] = field(default_factory=list)  # remarks in brackets about the deal

    @property
    def is_legend(self) -> bool:
        """Whether it explains the mark of the dealer: `* = button`."""
        return self.kind == "text" and bool(_LEGEND.search(self.text))


class _PlayerList(NamedTuple):
    """The pieces of a list, and its players."""

    units: list[_Unit]
    players: list[ListedPlayer]


def rewrite_lists(lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines; above the first hand each list of players is written as `seat 1 "Ana" 500`, its button follows."""
    lines = list(lines)
    units = [unit for line in _find_lines_above(lines) for unit in _split_units(line)]
    has_legend = any(unit.is_legend for unit in units)
    lists = _read_lists(units, has_legend=has_legend)
    rewritten = {id(unit): texts for player_list in lists for unit, texts in _write_list(player_list)}
    button_texts = _write_button(lists)
    last_units = {id(unit.line): unit for unit in units}
    for unit in units:
        if id(unit) in rewritten:
            yield from (unit.line._replace(text=text) for text in rewritten[id(unit)])
        elif not (has_legend and unit.is_legend):
            yield unit.line._replace(text=unit.text)
        if unit is last_units[id(unit.line)] and (button_text := button_texts.get(id(unit.line))):
            yield unit.line._replace(text=button_text)
    yield from lines[len(last_units) :]


def _read_lists(units: Sequence[_Unit], *, has_legend: bool) -> list[_PlayerList]:
    """Return the lists of players; none if several lists seat the same players or seats."""
    regions = list(_find_regions(units))
    lists = [_PlayerList(region, _read_region(region, has_legend=has_legend)) for region in regions]
    lists = [player_list for player_list in lists if player_list.players]
    if len(lists) > 1 and not _agree([player_list.players for player_list in lists]):
        return []
    return lists


def _write_button(lists: list[_PlayerList]) -> dict[int, str]:
    """Return the line of the button by the id of the line that it follows; none unless exactly one player is marked."""
    marked_seats = [
        (id(player_list.units[-1].line), abs(player.seat))
        for player_list in lists
        for player in player_list.players
        if player.is_button
    ]
    return {line_id: f"button {seat}" for line_id, seat in marked_seats} if len(marked_seats) == 1 else {}


def _find_lines_above(lines: Sequence[ScriptLine]) -> list[ScriptLine]:
    """Return the lines before the first hand; rows such as `#1 Ana 500` aren't hands."""
    for index, line in enumerate(lines):
        begins = begins_hand(line.text) or marks_hand(line.text) or _PLAY.search(line.text)
        if begins and not _is_numbered_row(line.text):
            return list(lines[:index])
    return list(lines)


def _is_numbered_row(text: str) -> bool:
    players = read_players(text).players
    numeric = {part.kind for player in players for part in (*player.before, *player.after)}
    return len(players) == 1 and "chips" in numeric and len(numeric) > 1


def _split_units(line: ScriptLine) -> list[_Unit]:
    """Split a line into rows of a list, labels and other text; a line without a list stays whole."""
    whole = _Unit(line, line.text)
    if not line.text.strip() or _RULE.match(line.text):
        whole.kind = "blank"
        return [whole]
    if len(line.text) > MAX_TEXT_LENGTH or line.text.lstrip().startswith(
        ("handscript", "option ", "book ", "source ", "witness ")
    ):
        return [whole]
    read_unit = _read_unit(line, line.text)
    if read_unit.kind != "text":
        return [read_unit]
    segments = [unit for text in _SENTENCE.split(line.text) if text.strip() for unit in _split_sentence(line, text)]
    for previous, segment in pairwise(segments):
        if segment.kind == "row" and previous.kind != "row" and _NUMBERED.search(previous.text):
            _take_seats(previous, segment)
    if not any(segment.kind == "row" for segment in segments):
        return [whole]
    return list(_join_texts(segments))


def _split_sentence(line: ScriptLine, text: str) -> list[_Unit]:
    """Split a sentence into the words before a list and the list; a sentence without a list stays whole."""
    unit = _read_unit(line, text)
    if unit.kind != "text":
        return [unit]
    boundaries = sorted(_BOUNDARY.finditer(text), key=lambda match: match[0].startswith(","))  # a comma only then
    for match in boundaries[:_MAX_BOUNDARIES]:
        listed = _read_unit(line, text[match.end() :])
        before = text[: match.start()]
        if listed.kind == "text" and _LIST_WORD.search(before) and ":" in before:
            listed = _read_unit(line, "players: " + text[match.end() :])
            listed.text = text[match.end() :]
        if listed.kind == "row" and len(listed.players) > 1:
            is_label = (
                _LIST_WORD.search(before) and not any(map(str.isdigit, before)) and not _GAME_WORDS.search(before)
            )
            return [_Unit(line, before, "label" if is_label else "text"), listed]
    return [unit]


def _take_seats(label: _Unit, row: _Unit) -> None:
    """Give the players of a row the seats of the words before it: `Seats 2, 5 and 8 taken: Ana 300, …`."""
    match = _OCCUPIED_SEATS.search(label.text.rstrip(" :"))
    seats = re.findall(r"\d{1,2}", match[1]) if match else []
    if len(seats) != len(row.players) or any(part.kind == "seat" for player in row.players for part in player.after):
        row.kind = "text"
        return
    label.kind = "label"
    for seat, player in zip(seats, row.players, strict=True):
        player.after.append(ListPart("seat", seat, Decimal(seat)))


def _join_texts(segments: list[_Unit]) -> Iterator[_Unit]:
    """Yield the segments of a line; neighbouring texts are one."""
    previous: _Unit | None = None
    for segment in segments:
        if segment.kind == "text" and previous is not None and previous.kind == "text":
            previous.text = f"{previous.text} {segment.text}"
            continue
        if previous is not None:
            yield previous
        previous = segment
    if previous is not None:
        yield previous


def _read_unit(line: ScriptLine, text: str) -> _Unit:
    unit = _Unit(line, text)
    label_match = _LABEL.match(text.strip() + " ")
    if label_match and _LIST_WORD.search(label_match["label"]) and not _GAME_WORDS.search(label_match["label"]):
        row = read_players(text.strip()[label_match.end() :], allows_names=True)
        if row.players or not text.strip()[label_match.end() :].strip():
            unit.kind = "row" if row.players else "label"
            unit.players, unit.of_all, unit.asides = row.players, row.of_all, row.asides
            unit.is_ordered = row.is_ordered or unit.kind == "row"
            unit.of_seats = bool(re.search(r"\bseats?\b", label_match["label"], re.IGNORECASE))
            return unit
    row = read_players(text)
    if row.players:
        unit.kind, unit.players, unit.is_ordered, unit.of_all = "row", row.players, row.is_ordered, row.of_all
        unit.asides = row.asides
    elif row.is_label:
        unit.kind = "label"
        unit.is_ordered = row.is_ordered
    return unit


def _find_regions(units: Sequence[_Unit]) -> Iterator[list[_Unit]]:
    """Yield the runs of rows and labels that may be one list."""
    region: list[_Unit] = []
    for unit in units:
        if unit.kind in ("row", "label") or (unit.kind == "blank" and region and region[-1].kind != "blank"):
            region.append(unit)
            continue
        if any(region_unit.kind == "row" for region_unit in region):
            yield region
        region = []
    if any(region_unit.kind == "row" for region_unit in region):
        yield region


def _read_region(region: list[_Unit], *, has_legend: bool) -> list[ListedPlayer]:
    """Return the players of a run of rows, each with seat and stack; none if the rows can be read in two ways."""
    rows = [unit for unit in region if unit.kind == "row"]
    is_ordered = any(unit.is_ordered for unit in region)
    of_seats = any(unit.of_seats for unit in region)
    of_all = next((unit.of_all for unit in rows if unit.of_all is not None), None)
    for start in range(min(len(rows), 3)):
        players = [player for unit in rows[start:] for player in unit.players]
        if start and len(rows) - start < 2:
            break
        if _resolve(players, is_ordered=is_ordered, of_seats=of_seats, of_all=of_all, has_legend=has_legend):
            for unit in rows[:start]:
                unit.kind = "text"
            return players
    return []


def _resolve(
    players: list[ListedPlayer], *, is_ordered: bool, of_seats: bool, of_all: Decimal | None, has_legend: bool
) -> bool:
    """Settle which numbers are seats and which are stacks; return whether there is one way to do it."""
    if not 1 < len(players) <= MAX_PLAYERS or not _has_distinct_names(players):
        return False
    has_chips = any(player.numbers_of("chips") for player in players)
    for player in players:
        if not _settle_numbers(player, has_chips=has_chips, of_seats=of_seats or of_all is not None):
            return False
        if player.stack is None and of_all is not None:
            player.stack = ListPart("chips", "", of_all)
        if has_legend:
            player.read_stars_as_button()
    if any(player.seat for player in players):
        return _has_all_seats(players)
    if not is_ordered and not _has_all_stacks(players, has_chips=has_chips):
        return False
    for seat, player in enumerate(players, 1):
        player.seat = -seat  # by the order of the list
    return True


def _has_distinct_names(players: list[ListedPlayer]) -> bool:
    return len({player.name.lower() for player in players}) == len(players)


def _has_all_seats(players: list[ListedPlayer]) -> bool:
    """Whether each player has a seat, and no two share one."""
    seats = [player.seat for player in players]
    return all(seats) and len(set(seats)) == len(seats)


def _has_all_stacks(players: list[ListedPlayer], *, has_chips: bool) -> bool:
    """Whether a list without seats gives each of three or more players a stack, as a list of players does."""
    if len(players) < 3 or any(player.stack is None for player in players):
        return False
    return has_chips or any(player.name != player.name.lower() for player in players)


def _settle_numbers(player: ListedPlayer, *, has_chips: bool, of_seats: bool) -> bool:
    """Settle which number of a player is the seat and which the stack."""
    seats = player.numbers_of("seat")
    chips = player.numbers_of("chips", "unknown")
    plain_numbers = player.numbers_of("number")
    if len(player.before) + len(player.after) > 2 or len(seats) > 1 or len(chips) > 1:
        return False
    if plain_numbers and seats:
        chips = plain_numbers
    elif plain_numbers and chips:
        seats = plain_numbers
    elif plain_numbers:
        if not _is_seat_first(player, len(plain_numbers), has_chips=has_chips, of_seats=of_seats):
            return False
        seats, chips = plain_numbers[:1], plain_numbers[1:]
    player.seat = int(seats[0].number) if seats else 0
    player.stack = chips[0] if chips else None
    return not seats or 0 < player.seat <= MAX_PLAYERS


def _is_seat_first(player: ListedPlayer, number_count: int, *, has_chips: bool, of_seats: bool) -> bool:
    """Whether the first of a player's one or two plain numbers is the seat."""
    is_before_name = bool(player.before)
    if number_count == 2:
        return is_before_name and has_chips
    return is_before_name or (of_seats and not has_chips)


def _agree(lists: list[list[ListedPlayer]]) -> bool:
    """Whether several lists seat each player once, by number."""
    seats = [player.seat for players in lists for player in players]
    names = [player.name for players in lists for player in players]
    return min(seats) > 0 and len(set(seats)) == len(seats) and len(set(names)) == len(names)


def _write_list(player_list: _PlayerList) -> Iterator[tuple[_Unit, list[str]]]:
    """Yield each unit of a list and the lines that it becomes."""
    players = player_list.players
    names = {player.name for player in players}
    has_button = any(player.is_button for player in players)
    for unit in player_list.units:
        if unit.kind == "row":
            listed_players = [player for player in unit.players if player in players]
            asides = [] if has_button else unit.asides
            player_remarks = [text for text in asides if _names_single_player(text, names)]
            yield unit, [", ".join(map(write_player, listed_players)), *player_remarks]
        elif unit.kind == "label":
            yield unit, []


def _names_single_player(text: str, names: set[str]) -> bool:
    """Whether a remark names one of the players."""
    padded_text = f" {text.replace(',', ' ').replace('.', ' ')} "
    return sum(f" {name} " in padded_text for name in names) == 1
