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
    found = (line.text.strip() for line in split_lines(Chunk(f"\n{text}".encode())))
    return [fact for fact in found if fact]


def hand(table: Sequence[str], own: Sequence[str]) -> list[str]:
    """Return the facts of a hand: the table's, but for those that the hand says anew, then its own."""
    if NO_TABLE in own[:1]:
        return list(own[1:])
    if not table:
        return list(own)
    found = list(table)
    at = 0
    while at < len(own) and (words := own[at].split()):
        if words[0] == NO:
            for part in " ".join(words[1:]).split(", "):
                found = _drop_facts(found, part.split())
        elif (place := _place(words)) is not None:
            _place_fact(found, own[at], place)
        else:
            break
        at += 1
    return found + list(own[at:])


def evening(table: Sequence[str], own: Sequence[str], above: Sequence[str]) -> list[str]:
    """Return the facts of an evening, whose first hand begins as the table says.

    `above`: those of the evening before it on the page, for `as above`.
    """
    if own[:1] == [AS_ABOVE]:
        return list(above)
    if own and own[0].startswith(UNTIL_PREFIX):
        until = own[0].removeprefix(UNTIL_PREFIX)
        if until not in above:
            raise ValueError(f"no line above is {until!r}")
        return [*_unmarked(above[: above.index(until)]), *own[1:]]
    if NO_TABLE in own[:1]:
        return list(own[1:])
    header = [fact for fact in table if _header(fact)]
    beginning = [fact for fact in table if not _header(fact)]
    first = next((index for index, fact in enumerate(own) if fact.split()[0] == "hand"), len(own))
    return [*hand(header, own[:first]), *own[first : first + 1], *hand(beginning, own[first + 1 :])]


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


def _place_fact(found: list[str], fact: str, place: tuple[int, str]) -> None:
    """Put a fact where the table tells the same, or else behind its like."""
    if place == _STACKS:
        found[:] = [one for one in found if (_place(one.split()) or (_DEAL, ""))[0] not in (_SEATS, _BUTTON)]
    places = [_place(one.split()) for one in found]
    if place in places:
        found[places.index(place)] = fact
        return
    before = [index for index, other in enumerate(places) if other is not None and other[0] <= place[0]]
    found.insert(before[-1] + 1 if before else 0, fact)


def _drop_facts(found: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return a beginning without the facts that `no seat 3`, `no posts`, `no deal` name."""
    facts = [fact for fact in found if not _begins_with(fact.split(), words)]
    if len(facts) == len(found):
        raise ValueError(f"the table above has no {' '.join(words)}")
    return facts


def _begins_with(fact: list[str], words: Sequence[str]) -> bool:
    return fact[: len(words)] == list(words) or fact[1 : 1 + len(words)] == list(words)
