"""Reads the players of one row: each name with the numbers and marks around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from ledger.formats.handscript.notes.list_parts import ListPart, PartKind, is_joiner, is_label, split_parts

MAX_PLAYERS: Final = 12
MAX_TEXT_LENGTH: Final = 600
"""Longer lines hold no list."""
_NUMERIC: Final = frozenset(("seat", "chips", "number", "unknown"))
_MARKS: Final = frozenset(("button", "star", "writer", "place"))
_MAX_NAME_WORDS: Final = 4
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
_CLAUSE: Final = re.compile(r"[,.;]\s|\s(?=[a-z]{1,12}\sby\s)")
_OF_DEAL: Final = re.compile(r"\b(?:deals|dealing|dealt|dealer|button|btn)\b", re.IGNORECASE)
_COPULA: Final = re.compile(r"\b(?:was|were|is|are|cost|costs|by)\b", re.IGNORECASE)
"""`Pizza was 23`: no player's stack."""


@dataclass(slots=True)
class ListedPlayer:
    """A player of a list, with the parts around the name."""

    name: str
    before: list[ListPart] = field(default_factory=list)
    after: list[ListPart] = field(default_factory=list)
    marks: list[ListPart] = field(default_factory=list)
    seat: int = 0
    stack: ListPart | None = None

    def numbers_of(self, *kinds: PartKind) -> list[ListPart]:
        """Return the numbers of these kinds, in the order of the row."""
        return [part for part in (*self.before, *self.after) if part.kind in kinds]

    def read_stars_as_button(self) -> None:
        """Take stars for the mark of the dealer, as a legend says."""
        self.marks = [ListPart("button", "*") if mark.kind == "star" else mark for mark in self.marks]

    @property
    def is_button(self) -> bool:
        """Whether the list marks the player as the dealer."""
        return any(mark.kind == "button" for mark in self.marks)


def names_player(text: str) -> bool:
    """Whether a part of a line may seat a player or give a stack: `Zed 400`; `Pizza was 23` doesn't."""
    return any(
        read_players(part).players and any(map(str.isdigit, part)) and not _COPULA.search(part)
        for part in _CLAUSE.split(text[:MAX_TEXT_LENGTH])
    )


@dataclass(slots=True)
class ListRow:
    """The players of a row; without players it may still be the label of a list."""

    players: list[ListedPlayer] = field(default_factory=list)
    is_ordered: bool = False
    is_label: bool = False
    of_all: Decimal | None = None
    asides: list[str] = field(default_factory=list)


def read_players(text: str, *, allows_names: bool = False) -> ListRow:
    """Read the players of a row; none if a word doesn't belong to a list."""
    row = ListRow()
    if len(text) > MAX_TEXT_LENGTH or not text.strip():
        return row
    text = _REASON.sub("", _OPENING.sub("", _EMPTY.sub(" , ", text)))
    row.asides = _find_deal_asides(text)
    parts = split_parts(_drop_descriptions(text))
    if not parts or parts[-1].kind == "stop":
        return row
    row.is_ordered = any(part.kind == "order" for part in parts)
    row.is_label = all(part.kind in ("order", "mark") or is_label(part) for part in parts)
    row.of_all = next((part.number for part in parts if part.kind == "each"), None)
    players = _group_players(_join_names([part for part in parts if part.kind not in ("order", "each")]))
    if len(players) <= MAX_PLAYERS and _can_be_row(players, row, allows_names=allows_names):
        row.players = players
    return row


def _find_deal_asides(text: str) -> list[str]:
    """Return the remarks in brackets about the deal or the button: `(deals first)`."""
    clauses = [
        clause.strip() for match in _BRACKETED_WORDS.finditer(text) for clause in match[0].strip("()").split(",")
    ]
    return [clause for clause in clauses if _OF_DEAL.search(clause)]


def _drop_descriptions(text: str) -> str:
    """Return the text without what brackets say about players; marks such as `(D)` stay."""
    return _BRACKETED_WORDS.sub(lambda match: match[0] if _is_mark_aside(match[0]) else " ", text)


def _can_be_row(players: list[ListedPlayer], row: ListRow, *, allows_names: bool) -> bool:
    """Whether each player has a number, or the row says why none is needed."""
    has_numbers = [bool(player.before or player.after) for player in players]
    if all(has_numbers) or row.is_ordered or row.of_all:
        return True
    return allows_names and not any(has_numbers)


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
    parts = _name_writer(parts)
    for index, part in enumerate(parts):
        is_before_name = index + 1 < len(parts) and parts[index + 1].kind == "name"
        begins_name = is_joiner(part) and part.text[:1].isupper() and is_before_name
        if can_join and _continues_name(joined[-1], part, is_before_name=is_before_name):
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text} {part.text}")
        elif begins_name:
            joined.append(ListPart("name", part.text))
            can_join = True
            continue
        elif part.kind != "filler":
            joined.append(part)
        else:
            can_join = False
        is_name_last = bool(joined) and joined[-1].kind == "name" and part.kind != "filler"
        can_join = is_name_last or (can_join and is_joiner(part))
    return joined


def _continues_name(name: ListPart, part: ListPart, *, is_before_name: bool) -> bool:
    """Whether a part belongs to the name before it: another word, or `of` between two words."""
    if is_joiner(part) and is_before_name:
        return True
    return part.kind == "name" and len(name.text.split()) < _MAX_NAME_WORDS


def _name_writer(parts: Sequence[ListPart]) -> list[ListPart]:
    """Return the parts with `me` as a name, unless it explains one: `Nora (me)`."""
    return [
        part._replace(kind="name") if part.kind == "writer" and not _is_beside_name(parts, index) else part
        for index, part in enumerate(parts)
    ]


def _is_beside_name(parts: Sequence[ListPart], index: int) -> bool:
    """Whether `me` comes with a name: `Nora (me)`, `me (Nora)`."""
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
        parts_of_previous, parts_of_player = _split_between(parts_between, before_count)
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


def _split_between(
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


def write_player(player: ListedPlayer) -> str:
    """Return a player in the one form of lists: `seat 1 "Ana" 500`."""
    is_unknown = player.stack is not None and player.stack.kind == "unknown"
    stack = "" if player.stack is None else "?" if is_unknown else f"{player.stack.number:f}"
    marks = "" if player.stack is None else "~" * player.stack.is_approximate + "bb" * player.stack.in_blinds
    writer_mark = " me" if any(mark.kind == "writer" for mark in player.marks) else ""
    order = " in order" if player.seat < 0 else ""
    return f'seat {abs(player.seat)} "{player.name}" {stack}{marks}{writer_mark}{order}'
