"""Parts of a lake checked by themselves: a file, the chain and the tree of a log, sources."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain as joined
from pathlib import Path
from struct import error as StructError  # noqa: N812 - it is a class
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger import chain
from ledger.chain import KIND_CODES
from ledger.errors import HandledgerError
from ledger.lake import layout
from ledger.lake.layout import Receipt
from ledger.seal.tree import HASH, Peaks
from ledger.store.commits import KIND_NAMES, Problem
from ledger.store.log.hand_facts import facts_of
from ledger.store.log.mapper import Mapper
from ledger.store.verify.tree_checks import Anchor
from ledger.streams import HOUSE, shard_of, table_stream

if TYPE_CHECKING:
    from ledger.store.database.database import Row

WRONG: Final = (HandledgerError, ArithmeticError, AttributeError, LookupError, StructError, TypeError, ValueError)
"""What reading raises where a file holds what no lake holds."""
_KNOWN: Final = len(layout.SHARD) - len(layout.COMMIT)
_UNREAD: Final = (None, *range(8))
"""Three bits, of hands: lines within, before or behind it that nobody could read."""
_HAND, _TABLE = KIND_CODES["hand"], KIND_CODES["table"]


class Read(NamedTuple):
    """What the commits of a file hash to, in its order: eight bytes, and twice 32, of each."""

    positions: bytes
    leaves: bytes
    hashes: bytes  # as its rows say; nothing of a file of leaves
    problems: list[Problem]


def read_file(lake: Path, receipt: Receipt, dealt: int = 0) -> Read:
    """Read a file and check it by itself. `dealt`: tables were dealt into so many shards, 0 = they were not."""
    problems: list[Problem] = []
    positions, leaves, hashes = array("q"), bytearray(), bytearray()
    wrong = layout.damage(lake, receipt)
    if wrong:
        problems.append(Problem(None, "file", f"{receipt.name}: {wrong}"))
        return Read(b"", b"", b"", problems)
    rows = 0
    try:
        checked = _Rows(receipt, dealt)
        for row in layout.rows(lake / receipt.name):
            rows += 1
            if len(row) == len(layout.LEAVES):
                positions.append(row[0])
                leaves += row[1]
                continue
            commit = row[-len(layout.COMMIT) :]
            positions.append(commit[0])
            leaves += layout.leaf(commit)
            hashes += commit[13]
            problems += checked.of(row)
            if (missing := _lacks_place(commit)) is not None:
                problems.append(missing)
    except WRONG as error:
        problems.append(Problem(None, "file", f"{receipt.name}: {error}"))
    if rows != receipt.rows:
        problems.append(Problem(None, "file", f"{receipt.name} has {rows:,} rows, its receipt says {receipt.rows:,}"))
    return Read(positions.tobytes(), bytes(leaves), bytes(hashes), problems)


def _lacks_place(commit: Row) -> Problem | None:
    """Return a problem where a commit names a source without its place there, which its hash takes for 0."""
    source, start, length = commit[8:11]
    if (source is None, start is None, length is None) in ((True, True, True), (False, False, False)):
        return None
    return Problem(commit[0], "place", "a commit has a source without a place in it, or a place without a source")


class _Rows:
    """Checks rows of a file: that they are where they belong, and say of a hand what its events say."""

    def __init__(self, receipt: Receipt, dealt: int) -> None:
        self._dealt, self._number = dealt, int(Path(receipt.name).stem) - 1 if dealt else 0
        self._house = receipt.first is None
        self._mapper = Mapper()
        self._place: Row = ()
        self._hands: set[bytes] = set()

    def of(self, row: Row) -> Iterator[Problem]:
        """Say what is wrong with a row."""
        if self._house:
            if row[3] != HOUSE.bytes:
                yield Problem(row[0], "place", "what is not the house's stands in the house's stream")
            return
        place, (number, _, *facts, unread) = row[:3], row[3:_KNOWN]
        position, _, kind, stream, version, *_, source = row[_KNOWN : _KNOWN + 9]
        if place != self._place:
            if not place > self._place:
                yield Problem(position, "order", f"table {place[2]!r} does not stand in the order of names")
            if self._dealt and shard_of(place[0], place[1], place[2], self._dealt) != self._number:
                yield Problem(position, "order", f"table {place[2]!r} does not belong into this shard")
            self._place, self._hands = place, set()
        if unread not in _UNREAD:
            yield Problem(position, "index", f"the bits for unread lines near a hand are {unread}, outside 0 to 7")
        if kind == _TABLE:
            if stream != table_stream(*place).bytes:
                yield Problem(position, "place", f"what another table was told stands at table {place[2]!r}")
        elif kind != _HAND:
            yield Problem(position, "place", f"a commit of kind {KIND_NAMES.get(kind, kind)} stands in a shard")
        elif version > 1:
            if stream not in self._hands:
                yield Problem(position, "place", f"a hand goes on at table {place[2]!r} that does not begin there")
        else:
            self._hands.add(stream)
            told = facts_of(self._mapper.decode("hand", row[-1]), live=source is None)
            if tuple(told) != (*place, number, *facts):
                yield Problem(position, "index", "a hand's row does not say what its events say")


def leaves_of(read: Sequence[Read]) -> bytes:
    """Return the leaves of a log's commits, in its order."""
    pyarrow, _ = layout.arrow()
    positions = array("q")
    for one in read:
        positions.frombytes(one.positions)
    leaves = b"".join(one.leaves for one in read)
    order = layout.ordered(pyarrow.array(positions, pyarrow.int64()))
    return b"".join(leaves[HASH * at : HASH * (at + 1)] for at in order)


class End(NamedTuple):
    """Where a log is said to end."""

    position: int
    head: str
    commits: int
    root: str = ""  # "" = not said


def linked(found: End, read: Sequence[Read], anchors: Sequence[Anchor]) -> Iterator[Problem]:
    """Derive the chain and the tree over all commits of a log anew."""
    pyarrow, _ = layout.arrow()
    positions = array("q")
    for one in read:
        positions.frombytes(one.positions)
    leaves, hashes = (b"".join(getattr(one, name) for one in read) for name in ("leaves", "hashes"))
    order = layout.ordered(pyarrow.array(positions, pyarrow.int64()))
    wanted: dict[int, list[Anchor]] = {}
    for anchor in anchors:
        wanted.setdefault(anchor.size, []).append(anchor)
    tree, link, before = Peaks(), chain.START, 0
    for at in order:
        if positions[at] <= before:
            yield Problem(positions[at], "position", "a commit stands in the lake twice")
            return
        before = positions[at]
        leaf = leaves[HASH * at : HASH * (at + 1)]
        tree.add(leaf)
        link = chain.link(link, leaf)
        said = hashes[HASH * at : HASH * (at + 1)]
        if said and said != link:
            yield Problem(before, "hash", "the commit is not the one that was recorded, or one before it is not there")
            return
        for anchor in wanted.pop(tree.size, ()):
            if tree.root() != anchor.root:
                yield Problem(None, "checkpoint", f"the first {tree.size:,} commits are not those of {anchor.label}")
    if (before, link.hex(), tree.size) != (found.position, found.head, found.commits):
        yield Problem(None, "head", "the commits do not lead to the head that the lake names")
    if found.root and tree.root().hex() != found.root:
        yield Problem(None, "head", "the commits do not come to the root of the tree that the lake names")
    for size, some in wanted.items():
        yield Problem(None, "checkpoint", f"{some[0].label} is of {size:,} commits, the lake is of {tree.size:,}")


def sources(lake: Path, receipt: Receipt, lengths: dict[str, int] | None = None) -> Iterator[Problem]:
    """Say which sources are not the bytes whose digest stands beside them; write down how long they are."""
    wrong = layout.damage(lake, receipt)
    if wrong:
        yield Problem(None, "file", f"{receipt.name}: {wrong}")
        return
    try:
        yield from _source_bytes(lake, receipt, lengths)
    except WRONG as error:
        yield Problem(None, "file", f"{receipt.name}: {error}")


def _source_bytes(lake: Path, receipt: Receipt, lengths: dict[str, int] | None) -> Iterator[Problem]:
    """Compare the blocks of each source with its digest."""
    whole, before, length = sha256(), ("", ""), 0
    end: list[tuple[Any, ...]] = [("", "", "", 0, b"")]
    for digest, told, _, start, data in joined(layout.rows(lake / receipt.name, 16), end):
        if (digest, told) != before:
            if before[1] and whole.hexdigest() != before[1]:
                yield Problem(None, "source", f"the bytes of source {before[0][:12]} are not those of its digest")
            if lengths is not None and before[0]:
                lengths[before[0]] = length
            whole, before, length = sha256(), (digest, told), 0
        if start != length:
            yield Problem(None, "source", f"source {digest[:12]} lacks its bytes from {length:,} on")
        whole.update(data)
        length += len(data)
