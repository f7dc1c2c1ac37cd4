"""What a fence of a case page leaves unsaid: the table that stands above it, and an evening like the last.

A ```table fence says how hands of the page begin: game, options, seats, button, blinds, cards. Each fence below it, up to
the next such fence, begins so, and says anew only what is otherwise. CONTRIBUTING.md has it for people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.formats.handscript.header import SETTINGS
from ledger.formats.handscript.lines import split_lines
from ledger.notation import Chunk

NO: Final = "no"
NO_TABLE: Final = "no table"
AS_ABOVE: Final = "as above"
UNTIL_PREFIX: Final = "as above until "
_HEADER, _SEATS, _BUTTON, _POSTS, _CARDS, _DEAL = range(6)
"""The parts of a beginning, in the order in which a hand tells them."""
_STACKS: Final = (_SEATS, "stacks")


def facts(text: str) -> list[str]:
    """Return the facts of a text, those that share a line one by one; a comment stands behind its own."""
    fact_lines = (line.text.strip() for line in split_lines(Chunk(f"\n{text}".encode())))
    return [fact for fact in fact_lines if fact]


def hand(table: Sequence[str], own_lines: Sequence[str]) -> list[str]:
    """Return the facts of a hand: the table's, but for those that the hand says anew, then its own."""
    if NO_TABLE in own_lines[:1]:
        return list(own_lines[1:])
    if not table:
        return list(own_lines)
    fact_lines = list(table)
    position = 0
    while position < len(own_lines) and (words := own_lines[position].split()):
        if words[0] == NO:
            for part in " ".join(words[1:]).split(", "):
                fact_lines = _drop_facts(fact_lines, part.split())
        elif (place := _place(words)) is not None:
            _place_fact(fact_lines, own_lines[position], place)
        else:
            break
        position += 1
    return fact_lines + list(own_lines[position:])


def evening(table: Sequence[str], own_lines: Sequence[str], above: Sequence[str]) -> list[str]:
    """Return the facts of an evening, whose first hand begins as the table says.

    `above`: those of the evening before it on the page, for `as above`.
    """
    if own_lines[:1] == [AS_ABOVE]:
        return list(above)
    if own_lines and own_lines[0].startswith(UNTIL_PREFIX):
        end_of_facts = own_lines[0].removeprefix(UNTIL_PREFIX)
        if end_of_facts not in above:
            raise ValueError(f"no line above is {end_of_facts!r}")
        return [*_unmarked(above[: above.index(end_of_facts)]), *own_lines[1:]]
    if NO_TABLE in own_lines[:1]:
        return list(own_lines[1:])
    header = [fact for fact in table if _header(fact)]
    beginning = [fact for fact in table if not _header(fact)]
    first = next((index for index, fact in enumerate(own_lines) if fact.split()[0] == "hand"), len(own_lines))
    return [*hand(header, own_lines[:first]), *own_lines[first : first + 1], *hand(beginning, own_lines[first + 1 :])]


def _header(fact: str) -> bool:
    place = _place(fact.split())
    return place is not None and place[0] == _HEADER


def _unmarked(lines: Sequence[str]) -> Sequence[str]:
    for line in lines:
        if "#" in line:
            raise ValueError(f"a marked line is written anew where it is marked: {line!r}")
    return lines


def _place(words: Sequence[str]) -> tuple[int, str] | None:
    """Return the part of a beginning that a fact belongs to, and what it tells of there; None if it tells none."""
    match words:
        case [("game" | "level") as first, *_]:
            return _HEADER, first
        case ["option", name, *_]:
            return _HEADER, name
        case [first, *_] if first in SETTINGS and first != "seats":
            return _HEADER, first
        case ["seat" | "left-out", seat, *_]:
            return _SEATS, seat
        case ["stacks", *_] | ["button", _, "stacks", *_]:
            return _STACKS
        case ["button", *_]:
            return _BUTTON, ""
        case [seat, "posts", role, *_]:
            return _POSTS, f"{seat} {role}"
        case [seat, "gets", *_]:
            return _CARDS, seat
        case ["deal", *_]:
            return _DEAL, ""
    return None


def _place_fact(fact_lines: list[str], fact: str, place: tuple[int, str]) -> None:
    """Put a fact where the table tells the same, or else behind its like."""
    if place == _STACKS:
        fact_lines[:] = [
            fact_line
            for fact_line in fact_lines
            if (_place(fact_line.split()) or (_DEAL, ""))[0] not in (_SEATS, _BUTTON)
        ]
    places = [_place(fact_line.split()) for fact_line in fact_lines]
    if place in places:
        fact_lines[places.index(place)] = fact
        return
    indexes_before = [
        index for index, other_place in enumerate(places) if other_place is not None and other_place[0] <= place[0]
    ]
    fact_lines.insert(indexes_before[-1] + 1 if indexes_before else 0, fact)


def _drop_facts(fact_lines: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return a beginning without the facts that `no seat 3`, `no posts`, `no deal` name."""
    facts = [fact for fact in fact_lines if not _begins_with(fact.split(), words)]
    if len(facts) == len(fact_lines):
        raise ValueError(f"the table above has no {' '.join(words)}")
    return facts


def _begins_with(fact: list[str], words: Sequence[str]) -> bool:
    return fact[: len(words)] == list(words) or fact[1 : 1 + len(words)] == list(words)
