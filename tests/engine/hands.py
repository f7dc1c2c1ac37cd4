"""The hands that the engine's digest is made of: pages, samples, evenings, made-up damage, real hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple
from uuid import UUID, uuid5

from ledger import formats
from ledger.account import Account, TableAccount
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.variants import VARIANTS
from ledger.replay import HandReplay
from ledger.table.events import TableEvent, TableOpened
from ledger.table.order import TableEntry, number_table_events
from ledger.table.played import build_hand_played
from ledger.vocabulary import Millis
from tests.evenings import ROOMS, evening
from tests.evenings.generate import hand_id
from tests.formats.support import new_people, read, samples
from tests.ledger.hand.generate import BETTINGS, Dealer
from tests.projections.pages import cases

_SPACE = UUID(int=0)
BOOKS = ("hilton", "rrop4", "bicycle", "tda2024", "house-burn")


class Table(NamedTuple):
    """Hands of one table with the table's stream, and the books that they are judged under."""

    hands: tuple[HandReplay, ...]
    told: tuple[TableEntry, ...]
    books: tuple[str, ...]


def pages() -> Iterator[Table]:
    """Yield every fence of the case pages under its column."""
    for case in cases():
        yield Table(case.told.hands, case.told.table, (case.book,))


def own_samples() -> Iterator[Table]:
    """Yield the samples of all formats."""
    for name in formats.NAMES:
        for path in samples(name):
            yield from tables_of(path, name)


def evenings(count: int) -> Iterator[Table]:
    """Yield random legal evenings, so many of each kind of game."""
    for name, room in ROOMS.items():
        for seed in range(count):
            played_evening = evening(name, 500 + seed, 12)
            dealt = [
                HandReplay(hand.events, stream=UUID(hex=hand_id(int(hand.number)))) for hand in played_evening.hands
            ]
            yield Table(tuple(dealt), tuple(played_evening.told()), (room.book,))


def damaged(count: int) -> Iterator[Table]:
    """Yield random hands of every game, some with events that were lost, doubled, moved or changed."""
    rng = Random(33)
    for number in range(count):
        for variant in VARIANTS:
            dealer = Dealer(
                rng,
                variant,
                rng.choice(BETTINGS),
                count=rng.randint(2, 6),
                number=str(number),
                antes=rng.random() < 0.2,
                straddle=rng.random() < 0.2,
                deep=rng.random() < 0.5,
                drop=rng.random() < 0.3,
            )
            events = dealer.play()
            for _ in range(rng.choice((0, 1, 2, 4))):
                _damage(events, rng)
            yield alone(events, BOOKS)


def _damage(events: list[HandEvent], rng: Random) -> None:
    index = rng.randrange(2, len(events))
    event = events[index]
    match rng.choice(("lose", "double", "swap", "move", "change")):
        case "lose" if len(events) > 4:
            del events[index]
        case "double":
            events.insert(index, event)
        case "swap" if index + 1 < len(events):
            events[index], events[index + 1] = events[index + 1], event
        case "move":
            events.insert(rng.randrange(2, len(events)), events.pop(index))
        case _:
            for field in ("seat", "amount", "to", "added"):
                if isinstance(getattr(event, field, None), int) and rng.random() < 0.5:
                    value = rng.randint(1, 9) if field == "seat" else rng.choice((0, 5, 10, 20, 40, 300))
                    events[index] = event.__class__(**{**_fields(event), field: value})
                    break


def _fields(event: HandEvent) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def real(folder: Path, stride: int) -> Iterator[Table]:
    """Yield the hands of every file of a folder, or of each n-th."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "expected-by-fpdb" not in path.parts]
    for path in files[::stride]:
        yield from tables_of(path)


def tables_of(path: Path, name: str = "") -> Iterator[Table]:
    """Yield the tables of a file, each with its hands in the order of the file."""
    data = path.read_bytes()
    form = formats.get(name) if name else formats.recognise(data[: 64 * 1024])
    if form is None:
        return
    by_table: dict[tuple[str, str, str], list[Account | TableAccount]] = {}
    for item in read(form, data, people=new_people(), name=path.name):
        if isinstance(item, Account):
            opened = item.opened
            by_table.setdefault((opened.venue, opened.table, opened.tournament), []).append(item)
        elif isinstance(item, TableAccount) and by_table:
            next(reversed(by_table.values())).append(item)
    for items in by_table.values():
        yield _tabled(items, BOOKS)


def alone(events: list[HandEvent], books: tuple[str, ...]) -> Table:
    """Return a hand that is the only one of its table."""
    opened = events[0]
    stream = uuid5(_SPACE, getattr(opened, "number", ""))
    line = build_hand_played(fold(events), stream.hex)
    return Table((HandReplay(events, stream=stream),), tuple(number_table_events([line], {})), books)


def _tabled(items: Iterable[Account | TableAccount], books: tuple[str, ...]) -> Table:
    hands: list[HandReplay] = []
    events: list[TableEvent] = []
    times: dict[int, Millis] = {}
    for item in items:
        if isinstance(item, TableAccount):
            times |= {len(events) + index: time for index, time in item.times.items()}
            events += item.events
            continue
        first = item.opened
        if not hands:
            opened = TableOpened(first.venue, first.table, first.tournament, first.club, first.seats, first.witnesses)
            events.insert(0, opened)
            times = {index + 1: time for index, time in times.items()}
        stream = uuid5(_SPACE, f"{len(hands)} {first.number}")
        hand = HandReplay(item.events, stream=stream)
        hands.append(hand)
        events.append(build_hand_played(hand.final_state, stream.hex))
    return Table(tuple(hands), tuple(number_table_events(events, times)), books)
