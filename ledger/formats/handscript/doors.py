"""The two doors of handscript: the strict grammar first, free notes where it refuses what a person wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.account import Account, Amendment, Reject
from ledger.formats.handscript import reading
from ledger.formats.handscript.notes import reader as notes
from ledger.formats.handscript.notes.answers import split_answers
from ledger.formats.handscript.sections import Told
from ledger.hand.opening import SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People


def read(chunk: Chunk, people: People) -> Iterator[Told | Amendment]:
    """Yield what a chunk tells. What the program writes, and what keeps to the notation, is read strictly and at once."""
    if not notes.is_free(chunk.data):
        yield from reading.read(chunk, people)
        return
    if split_answers(chunk.data, chunk.encoding).answers:
        yield from notes.read(chunk, people)
        return
    mark = people.mark()
    strict = list(reading.read(chunk, people))
    if _score(strict) == (len(_hands(strict)), 0, 0):
        yield from strict
        return
    people.unlearn(mark)
    free = list(notes.read(chunk, people))
    if _score(free) > _score(strict):
        yield from free
        return
    people.unlearn(mark)
    yield from reading.read(chunk, people)


def _score(told: Sequence[Told | Amendment]) -> tuple[int, int, int]:
    """Return the hands that are read, and how few lines are to be mended, and how few hands name no player."""
    hands = _hands(told)
    problems = sum(max(1, len(one.problems)) for one in told if isinstance(one, Reject) and one.code != "no-hands")
    return len(hands), -problems, sum(map(_names_players, hands)) - len(hands)


def _hands(told: Sequence[Told | Amendment]) -> list[Account]:
    return [one for one in told if isinstance(one, Account)]


def _names_players(hand: Account) -> bool:
    return any(isinstance(event, SeatDealtIn) for event in hand.events)
