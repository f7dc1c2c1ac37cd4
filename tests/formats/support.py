"""What the tests of all formats share: reading bytes, events as text, what a hand does not balance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import msgspec

from ledger import formats
from ledger.account import Account, Reject, TableAccount
from ledger.formats.handscript import write_told
from ledger.hand.ending import HandCompleted, LineUnread, ResultDeclared
from ledger.hand.fold import apply, begin, fold
from ledger.intake.byte_accounts import ByteCounts
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.intake.encoding import Utf8Check, convert_to_utf8, detect_encoding
from ledger.notation import Chunk, Format, Item
from ledger.people import People


def samples(name: str) -> list[Path]:
    """Our own samples of a format: `samples`, and `local` for those in other languages."""
    home = Path(__file__).parent / formats.find_module_name(name).rpartition(".")[2]
    paths = [path for folder in ("samples", "local") for path in (home / folder).glob("*")]
    return sorted(path for path in paths if path.suffix != ".golden")


def texts(name: str) -> Callable[[str], str]:
    """What gives the text of one of a format's samples by its name without the ending."""
    paths = {path.stem: path for path in samples(name)}
    return lambda stem: paths[stem].read_text(encoding="utf-8")


def new_people() -> People:
    return People(bytes(range(32)))


def encoding_of(data: bytes) -> str:
    """As the import finds it."""
    encoding = detect_encoding(data[: 64 * 1024])
    if encoding != "utf-8":
        return encoding
    check = Utf8Check()
    check.add_bytes(data)
    return check.decide_encoding()


def read(
    form: Format, data: bytes | str, *, people: People | None = None, name: str = "", encoding: str = ""
) -> list[Item]:
    raw = data.encode() if isinstance(data, str) else data
    chunk = Chunk(raw, encoding=encoding or encoding_of(raw), name=name)
    return list(form.read(chunk, people or new_people()))


def read_hand(form: Format, data: bytes | str, *, people: People | None = None, name: str = "") -> Account:
    items = read(form, data, people=people, name=name)
    assert len(items) == 1, items
    assert isinstance(items[0], Account), items[0]
    return items[0]


def format_items(items: list[Item], people: People) -> str:
    """What a golden holds: every item in handscript, before each line the place of its event in the bytes.

    Behind an item's own place stands a digest of its events as they are stored, with places and marks: what
    no line shows (an id, an amount that follows from others) is checked, too.
    """
    lines: list[str] = []
    above: list[str] = []
    for item in items:
        if isinstance(item, Reject):
            lines.append(f"reject {item.start}+{item.length} line {item.line} {item.code}: {item.reason}")
            continue
        table = isinstance(item, TableAccount)
        lines.append(f"{'table' if table else 'hand'} {item.start}+{item.length} {_digest(item)}")
        text_lines = write_told(item, people).splitlines()[1:]
        if table:
            text_lines.remove("between-hands")
        stops = table or not isinstance(item.events[-1], HandCompleted)  # a last line that tells no event
        cut = len(text_lines) - len(item.events) - stops
        if text_lines[:cut] != above:  # the header holds until it is another
            above = text_lines[:cut]
            lines += [f"{'':13}{line}" for line in above]
        for index, line in enumerate(text_lines[cut:]):
            place = "+".join(map(str, item.places[2 * index : 2 * index + 2]))
            lines.append(f"{place:<12} {line}")
    return "\n".join(lines) + "\n"


def _digest(item: Account | TableAccount) -> str:
    marks = (item.events, item.places, sorted(item.inferred), sorted(item.times.items()))
    return blake2b(msgspec.json.encode(marks), digest_size=6).hexdigest()


Kind = TypeVar("Kind")


def events_of(account: Account, kind: type[Kind]) -> list[Kind]:
    """The events of one kind of a hand, in order."""
    return [event for event in account.events if isinstance(event, kind)]


@dataclass
class Read:
    """A sample file and what its reader made of it."""

    path: Path
    chunk: Chunk
    items: list[Item]

    @property
    def accounts(self) -> list[Account]:
        return [item for item in self.items if isinstance(item, Account)]

    @property
    def rejects(self) -> list[Reject]:
        return [item for item in self.items if isinstance(item, Reject)]

    @property
    def bytes(self) -> ByteCounts:
        return accounted(self.chunk, self.items)


def read_folder(form: Format, root: Path, pattern: str = "*", people: People | None = None) -> Iterator[Read]:
    """Read every file of a folder of sample hands that the format recognises as its own."""
    people = people or new_people()
    for path in sorted(root.rglob(pattern)):
        if not path.is_file():
            continue
        data = path.read_bytes()
        encoding = encoding_of(data)
        if form.sniff(convert_to_utf8(data[: 64 * 1024], encoding)):
            chunk = Chunk(data, encoding=encoding, name=path.name)
            yield Read(path, chunk, list(form.read(chunk, people)))


def unread(account: Account, people: People) -> list[str]:
    """The parts of a hand that nobody knows."""
    return [people.texts[event.text] for event in account.events if isinstance(event, LineUnread)]


def unbalanced(account: Account) -> list[str]:
    """What of a hand does not add up against what its source declares: [] = all of it does."""
    state = fold(account.events)
    wrong = []
    if state.conservation():
        wrong.append(f"{state.conservation()} more went in than came out")
    for declaration in state.declarations:
        if declaration.what == "total-pot" and declaration.amount != state.pot_size():
            wrong.append(f"declared pot {declaration.amount}, chips in {state.pot_size()}")
        if declaration.what == "collected" and declaration.amount != state.chips.awarded.get(declaration.seat or 0, 0):
            wrong.append(
                f"seat {declaration.seat} declared {declaration.amount}, was paid {state.chips.awarded.get(declaration.seat or 0, 0)}"
            )
        if (
            declaration.what == "end-stack"
            and declaration.seat is not None
            and state.stack(declaration.seat) != declaration.amount
        ):
            wrong.append(
                f"seat {declaration.seat} declared end {declaration.amount}, has {state.stack(declaration.seat)}"
            )
    return wrong


def balances(accounts: Iterable[Account]) -> int:
    """Compare what a seat has by each of its acts with what the record says behind it; return how often."""
    compared = 0
    for account in accounts:
        state = begin()
        for event in account.events:
            apply(state, event)
            if isinstance(event, ResultDeclared) and event.what == "balance":
                assert state.stack(event.seat or 0) == event.amount, account.opened.number
                compared += 1
    return compared
