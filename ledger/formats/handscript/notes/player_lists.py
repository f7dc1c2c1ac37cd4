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
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.hand_headings import begins_hand, marks_hand
from ledger.formats.handscript.notes.list_parts import ListPart, is_joiner, is_label, split_parts

_NUMERIC: Final = frozenset(("seat", "chips", "number", "unknown"))
_MARKS: Final = frozenset(("button", "star", "writer", "place"))
_MAX_PLAYERS: Final = 12
_MAX_NAME_WORDS: Final = 4
_MAX_TEXT_LENGTH: Final = 600
"""Longer lines hold no list."""
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
_BRACKETED_WORDS: Final = re.compile(r"(?<!me\s)(?<!myself\s)(?<!hero\s)\([^()\d]{2,80}\)", re.IGNORECASE)
_REASON: Final = re.compile(r"\s(?:because|since|as)\s[^\d,;()]{1,80}?(?=\s-\s|[,;.]|$)")
_EMPTY: Final = re.compile(
    r"[(,;]?\s?(?:and\s)?(?:(?:seats?|chairs?|s|\#)\s?)?\d{1,2}(?:(?:\s?,\s?|\s?(?:and|&|-|to)\s)\d{1,2}){0,8}\s?[:=.)-]?\s?(?:is\s|are\s|was\s|were\s|both\s)?[(]?"
    r"(?:empty|open|vacant|nobody|no one|free)\b(?:\s(?:seats?|chairs?))?[)]?"
    r"|[(,;]?\s?(?:and\s)?\b(?:empty|open|vacant)\s(?:seats?|chairs?)?\s?:?\s?\d{1,2}(?:(?:\s?,\s?|\s?(?:and|&)\s)\d{1,2}){0,8}\b[)]?",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"^\s*(?:and\s)?(?:we|they)\s(?:sat|had|have|were|started with|started)\b|^\s*(?:there\s(?:was|were|are|is)|here(?:'s| is| are))\b",
    re.IGNORECASE,
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
_CLAUSE: Final = re.compile(r"[,.;]\s|\s(?=[a-z]{1,12}\sby\s)")
_OF_DEAL: Final = re.compile(r"\b(?:deals|dealing|dealt|dealer|button|btn)\b", re.IGNORECASE)
_COPULA: Final = re.compile(r"\b(?:was|were|is|are|cost|costs|by)\b", re.IGNORECASE)
"""`Pizza was 23`: no player's stack."""
_RULE: Final = re.compile(r"^[\s|+:=_*-]*$")
_GAME_WORDS: Final = re.compile(r"\d\s?/\s?\$?\d|\b(?:nl|limit|holdem|hold)\b", re.IGNORECASE)


@dataclass(slots=True)
class ListedPlayer:
    """A player of a list, with the parts around the name."""

    name: str
    before: list[ListPart] = field(default_factory=list)
    after: list[ListPart] = field(default_factory=list)
    marks: list[ListPart] = field(default_factory=list)
    seat: int = 0
    stack: ListPart | None = None

    @property
    def is_button(self) -> bool:
        """Whether the list marks the player as the dealer."""
        return any(mark.kind == "button" for mark in self.marks)


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


def rewrite_lists(lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines; above the first hand each list of players is written as `seat 1 "Ana" 500`, its button follows."""
    lines = list(lines)
    units = [unit for line in _find_lines_above(lines) for unit in _split_units(line)]
    has_legend = any(_LEGEND.search(unit.text) for unit in units if unit.kind == "text")
    regions = list(_find_regions(units))
    lists = [(region, _read_region(region, has_legend=has_legend)) for region in regions]
    read_lists = [(region, players) for region, players in lists if players]
    if len(read_lists) > 1 and not _agree([players for _, players in read_lists]):
        read_lists = []
    rewritten = {id(unit): text for region, players in read_lists for unit, text in _write_region(region, players)}
    button_lines = [
        (region[-1].line, abs(player.seat)) for region, players in read_lists for player in players if player.is_button
    ]
    for unit in units:
        if id(unit) in rewritten:
            yield from (unit.line._replace(text=text) for text in rewritten[id(unit)])
        elif not (unit.kind == "text" and has_legend and _LEGEND.search(unit.text)):
            yield unit.line._replace(text=unit.text)
        if len(button_lines) == 1 and unit.line is button_lines[0][0] and unit is _last_of(units, unit.line):
            yield unit.line._replace(text=f"button {button_lines[0][1]}")
    yield from lines[len({id(unit.line) for unit in units}) :]


def _last_of(units: Sequence[_Unit], line: ScriptLine) -> _Unit:
    return next(unit for unit in reversed(units) if unit.line is line)


def _find_lines_above(lines: Sequence[ScriptLine]) -> list[ScriptLine]:
    """Return the lines before the first hand; rows such as `#1 Ana 500` aren't hands."""
    for index, line in enumerate(lines):
        begins = begins_hand(line.text) or marks_hand(line.text) or _PLAY.search(line.text)
        if begins and not _is_numbered_row(line.text):
            return list(lines[:index])
    return list(lines)


def _is_numbered_row(text: str) -> bool:
    players = _read_players(text).players
    numeric = {part.kind for player in players for part in (*player.before, *player.after)}
    return len(players) == 1 and "chips" in numeric and len(numeric) > 1


def _split_units(line: ScriptLine) -> list[_Unit]:
    """Split a line into rows of a list, labels and other text; a line without a list stays whole."""
    whole = _Unit(line, line.text)
    if not line.text.strip() or _RULE.match(line.text):
        whole.kind = "blank"
        return [whole]
    if len(line.text) > _MAX_TEXT_LENGTH or line.text.lstrip().startswith(
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
        row = _read_players(text.strip()[label_match.end() :], allows_names=True)
        if row.players or not text.strip()[label_match.end() :].strip():
            unit.kind = "row" if row.players else "label"
            unit.players, unit.of_all, unit.asides = row.players, row.of_all, row.asides
            unit.is_ordered = row.is_ordered or unit.kind == "row"
            unit.of_seats = bool(re.search(r"\bseats?\b", label_match["label"], re.IGNORECASE))
            return unit
    row = _read_players(text)
    if row.players:
        unit.kind, unit.players, unit.is_ordered, unit.of_all = "row", row.players, row.is_ordered, row.of_all
        unit.asides = row.asides
    elif row.is_label:
        unit.kind = "label"
        unit.is_ordered = row.is_ordered
    return unit


def names_player(text: str) -> bool:
    """Whether a part of a line may seat a player or give a stack: `Zed 400`; `Pizza was 23` doesn't."""
    return any(
        _read_players(part).players and any(map(str.isdigit, part)) and not _COPULA.search(part)
        for part in _CLAUSE.split(text[:_MAX_TEXT_LENGTH])
    )


@dataclass(slots=True)
class _Row:
    players: list[ListedPlayer] = field(default_factory=list)
    is_ordered: bool = False
    is_label: bool = False
    of_all: Decimal | None = None
    asides: list[str] = field(default_factory=list)


def _read_players(text: str, *, allows_names: bool = False) -> _Row:
    """Read the players of a row; none if a word doesn't belong to a list."""
    row = _Row()
    if len(text) > _MAX_TEXT_LENGTH or not text.strip():
        return row
    text = _OPENING.sub("", _EMPTY.sub(" , ", text))
    text = _REASON.sub("", text)
    clauses = [
        clause.strip() for match in _BRACKETED_WORDS.finditer(text) for clause in match[0].strip("()").split(",")
    ]
    row.asides = [clause for clause in clauses if _OF_DEAL.search(clause)]
    text = _BRACKETED_WORDS.sub(lambda match: match[0] if _is_mark_aside(match[0]) else " ", text)
    parts = split_parts(text)
    if not parts or parts[-1].kind == "stop":
        return row
    row.is_ordered = any(part.kind == "order" for part in parts)
    row.is_label = all(part.kind in ("order", "mark") or is_label(part) for part in parts)
    row.of_all = next((part.number for part in parts if part.kind == "each"), None)
    parts = _join_names([part for part in parts if part.kind not in ("order", "each")])
    row.players = _group_players(parts)
    if len(row.players) > _MAX_PLAYERS:
        row.players = []
    has_numbers = [bool(player.before or player.after) for player in row.players]
    if not all(has_numbers) and not (row.is_ordered or row.of_all or (allows_names and not any(has_numbers))):
        row.players = []
    return row


def _is_mark_aside(text: str) -> bool:
    """Whether a text in brackets is a mark, not a description of a player."""
    parts = split_parts(text)
    return all(part.kind not in ("name", "stop") for part in parts) and any(
        part.kind not in ("filler", "mark") for part in parts
    )


def _join_names(parts: Sequence[ListPart]) -> list[ListPart]:
    """Join the words of a name; words such as `with` between parts are dropped."""
    joined: list[ListPart] = []
    can_join = False
    parts = [
        part._replace(kind="name") if part.kind == "writer" and not _is_beside_name(parts, index) else part
        for index, part in enumerate(parts)
    ]
    for index, part in enumerate(parts):
        is_before_name = index + 1 < len(parts) and parts[index + 1].kind == "name"
        if can_join and (
            (part.kind == "name" and len(joined[-1].text.split()) < _MAX_NAME_WORDS)
            or (is_joiner(part) and is_before_name)
        ):
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text} {part.text}")
        elif is_joiner(part) and part.text[:1].isupper() and is_before_name:
            joined.append(ListPart("name", part.text))
            can_join = True
            continue
        elif part.kind == "filler":
            can_join = False
        else:
            joined.append(part)
        is_name_last = bool(joined) and joined[-1].kind == "name" and part.kind != "filler"
        can_join = is_name_last or (can_join and is_joiner(part))
    return joined


def _is_beside_name(parts: Sequence[ListPart], index: int) -> bool:
    """Whether `me` stands beside a name: `Nora (me)`, `me (Nora)`."""
    parts_before = [part for part in parts[:index] if part.text != "("][-1:]
    parts_after = [part for part in parts[index + 1 : index + 3] if part.text != "("][:1]
    is_before_name = bool(parts_after) and parts_after[0].kind == "name" and parts[index + 1].text == "("
    return is_before_name or (bool(parts_before) and parts_before[0].kind == "name")


def _group_players(parts: Sequence[ListPart]) -> list[ListedPlayer]:
    """Give each name the numbers and marks around it; none if their order differs from player to player."""
    name_indexes = [index for index, part in enumerate(parts) if part.kind == "name"]
    if not name_indexes:
        return []
    before_count = sum(part.kind in _NUMERIC for part in parts[: name_indexes[0]])
    players: list[ListedPlayer] = []
    parts_between: Sequence[ListPart] = parts[: name_indexes[0]]
    for index, name_index in enumerate(name_indexes):
        player = ListedPlayer(parts[name_index].text)
        parts_of_previous, parts_of_player = _part_between(parts_between, before_count)
        if players:
            _add_parts(players[-1], parts_of_previous, is_after_name=True)
        else:
            parts_of_player = parts_between
        _add_parts(player, parts_of_player, is_after_name=False)
        if len([part for part in player.before if part.kind in _NUMERIC]) != before_count:
            return []
        players.append(player)
        end = name_indexes[index + 1] if index + 1 < len(name_indexes) else len(parts)
        parts_between = parts[name_index + 1 : end]
    _add_parts(players[-1], parts_between, is_after_name=True)
    return players


def _part_between(
    parts_between: Sequence[ListPart], before_count: int
) -> tuple[Sequence[ListPart], Sequence[ListPart]]:
    """Split the parts between two names: the last numbers belong to the player after them."""
    split_index = len(parts_between)
    numbers_left = before_count
    while split_index and numbers_left:
        split_index -= 1
        numbers_left -= parts_between[split_index].kind in _NUMERIC
    if not before_count:  # a mark after the last comma belongs to the next player
        for index in range(len(parts_between) - 1, -1, -1):
            if parts_between[index].kind == "mark" and parts_between[index].text in ",;|/":
                split_index = index + 1
                break
            if parts_between[index].kind not in _MARKS and parts_between[index].kind != "mark":
                break
    return parts_between[:split_index], parts_between[split_index:]


def _add_parts(player: ListedPlayer, parts: Sequence[ListPart], *, is_after_name: bool) -> None:
    for part in parts:
        if part.kind in _NUMERIC:
            (player.after if is_after_name else player.before).append(part)
        elif part.kind in _MARKS:
            player.marks.append(part)


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
    if not 1 < len(players) <= _MAX_PLAYERS or len({player.name.lower() for player in players}) < len(players):
        return False
    has_chips = any(part.kind == "chips" for player in players for part in (*player.before, *player.after))
    for player in players:
        if not _settle_numbers(player, has_chips=has_chips, of_seats=of_seats or of_all is not None):
            return False
        if player.stack is None and of_all is not None:
            player.stack = ListPart("chips", "", of_all)
        if has_legend:
            player.marks = [ListPart("button", "*") if mark.kind == "star" else mark for mark in player.marks]
    seats = [player.seat for player in players]
    if any(seats):
        return all(seats) and len(set(seats)) == len(seats)
    if not is_ordered and not _has_all_stacks(players, has_chips=has_chips):
        return False
    for seat, player in enumerate(players, 1):
        player.seat = -seat  # by the order of the list
    return True


def _has_all_stacks(players: list[ListedPlayer], *, has_chips: bool) -> bool:
    """Whether a list without seats gives each of three or more players a stack, as a list of players does."""
    if len(players) < 3 or any(player.stack is None for player in players):
        return False
    return has_chips or any(player.name != player.name.lower() for player in players)


def _settle_numbers(player: ListedPlayer, *, has_chips: bool, of_seats: bool) -> bool:
    """Settle which number of a player is the seat and which the stack."""
    number_parts = [*player.before, *player.after]
    seats = [part for part in number_parts if part.kind == "seat"]
    chips = [part for part in number_parts if part.kind in ("chips", "unknown")]
    plain_numbers = [part for part in number_parts if part.kind == "number"]
    if len(number_parts) > 2 or len(seats) > 1 or len(chips) > 1:
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
    return not seats or 0 < player.seat <= _MAX_PLAYERS


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


def _write_region(region: list[_Unit], players: list[ListedPlayer]) -> Iterator[tuple[_Unit, list[str]]]:
    """Yield each unit of a list and the lines that it becomes."""
    for unit in region:
        if unit.kind == "row":
            listed_players = [player for player in unit.players if player in players]
            asides = [] if any(player.is_button for player in players) else unit.asides
            names = {player.name for player in players}
            player_remarks = [text for text in asides if _names_single_player(text, names)]
            yield unit, [", ".join(map(write_player, listed_players)), *player_remarks]
        elif unit.kind == "label":
            yield unit, []


def _names_single_player(text: str, names: set[str]) -> bool:
    """Whether a remark names one of the players."""
    padded_text = f" {text.replace(',', ' ').replace('.', ' ')} "
    return sum(f" {name} " in padded_text for name in names) == 1


def write_player(player: ListedPlayer) -> str:
    """Return a player in the one form of lists: `seat 1 "Ana" 500`."""
    is_unknown = player.stack is not None and player.stack.kind == "unknown"
    stack = "" if player.stack is None else "?" if is_unknown else f"{player.stack.number:f}"
    marks = "" if player.stack is None else "~" * player.stack.is_approximate + "bb" * player.stack.in_blinds
    writer_mark = " me" if any(mark.kind == "writer" for mark in player.marks) else ""
    order = " in order" if player.seat < 0 else ""
    return f'seat {abs(player.seat)} "{player.name}" {stack}{marks}{writer_mark}{order}'
