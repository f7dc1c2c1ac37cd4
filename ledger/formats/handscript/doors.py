"""Read handscript by the strict grammar first, and as free notes if the grammar rejects a person's text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.account import Account, Amendment, Reject
from ledger.formats.handscript import chunk_reader
from ledger.formats.handscript.notes import reader as notes
from ledger.formats.handscript.notes.answers import split_answers
from ledger.formats.handscript.sections import SectionResult
from ledger.hand.opening import SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People


def read(chunk: Chunk, people: People) -> Iterator[SectionResult | Amendment]:
    """Yield the accounts of a chunk. Text that the program wrote, or that follows the notation, is read strictly."""
    if not notes.is_free(chunk.data):
        yield from chunk_reader.read(chunk, people)
        return
    if split_answers(chunk.data, chunk.encoding).answers:
        yield from notes.read(chunk, people)
        return
    people_mark = people.mark()
    strict_reading = list(chunk_reader.read(chunk, people))
    if _rate_reading(strict_reading) == (len(_list_hands(strict_reading)), 0, 0):
        yield from strict_reading
        return
    people.unlearn(people_mark)
    free_reading = list(notes.read(chunk, people))
    if _rate_reading(free_reading) > _rate_reading(strict_reading):
        yield from free_reading
        return
    people.unlearn(people_mark)
    yield from chunk_reader.read(chunk, people)


def _rate_reading(accounts: Sequence[SectionResult | Amendment]) -> tuple[int, int, int]:
    """Return the number of readable hands, then the negative numbers of bad lines and of hands without players."""
    hands = _list_hands(accounts)
    problems = sum(
        max(1, len(account.problems))
        for account in accounts
        if isinstance(account, Reject) and account.code != "no-hands"
    )
    return len(hands), -problems, sum(map(_names_players, hands)) - len(hands)


def _list_hands(accounts: Sequence[SectionResult | Amendment]) -> list[Account]:
    return [account for account in accounts if isinstance(account, Account)]


def _names_players(hand: Account) -> bool:
    return any(isinstance(event, SeatDealtIn) for event in hand.events)
