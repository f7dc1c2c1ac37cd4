"""Small sources made ready in other processes before it is their turn, many at a time.

A folder of thousands of files has no file that is worth a process of its own. Their bytes are read
here, in order, and go to the processes in batches; each source then takes what was made of it.
What cannot be made ready so is left to be read as if nobody had looked at it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from ledger import formats
from ledger.errors import HandledgerError, SourceError
from ledger.intake.chunks import chunks
from ledger.intake.encoding import HEAD, Utf8Check, as_utf8, by_head, is_binary
from ledger.intake.jobs import Fresh, Jobs, Ready, people_there
from ledger.intake.preparing import Origin, prepared
from ledger.notation import Chunk

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import BinaryIO

    from ledger.intake.files import Incoming

SMALL: Final = 256 * 1024
"""Sources of more bytes are read in their turn."""

BATCH_BYTES: Final = 512 * 1024
BATCH_SOURCES: Final = 64
"""A batch is full with one of these."""


class Bare(NamedTuple):
    """A source as a process is given it."""

    name: str
    data: bytes
    digest: str


@dataclass(slots=True)
class Batch:
    """Sources that one process makes ready together."""

    sources: list[Incoming] = field(default_factory=list)
    bare: list[Bare] = field(default_factory=list)
    size: int = 0

    def add(self, source: Incoming, data: bytes, *, known: bool, digest: str) -> None:
        """Take a source; of one that is known nothing is made ready."""
        source.open = cast("Callable[[], BinaryIO]", partial(BytesIO, data))
        self.sources.append(source)
        self.bare.append(Bare(source.name, b"" if known else data, digest))
        self.size += len(data)

    @property
    def full(self) -> bool:
        """Whether it has enough to do."""
        return self.size >= BATCH_BYTES or len(self.sources) >= BATCH_SOURCES

    def send(self, jobs: Jobs, form: str) -> None:
        """Give it to a process. `form` forces a reader, "" recognises each source."""
        try:
            future = jobs.submit(work, form, self.bare)
        except SourceError:
            return  # the processes have ended: whose work that was says so
        for number, source in enumerate(self.sources):
            source.ready = partial(_of, jobs, future, number)


def ahead(
    jobs: Jobs, sources: Iterable[Incoming], form: str, named: Callable[[bytes], str], known: Callable[[str], bool]
) -> Iterator[Incoming]:
    """Yield the sources in their order; small ones have been given to the processes a few batches ago.

    `named` says by what the ledger names a source of a SHA-256; `known` that it need not be read. Less than a batch starts no process.
    """
    if jobs.count < 2:
        yield from sources
        return
    sent: deque[Batch] = deque()
    batch, begun = Batch(), False
    for source in sources:
        data = _small(source)
        if data is not None and batch.full:
            batch.send(jobs, form)
            begun = True
            sent.append(batch)
            batch = Batch()
            while len(sent) > 2 * jobs.count:
                yield from sent.popleft().sources
        if data is not None:
            digest = named(sha256(data).digest())
            batch.add(source, data, known=known(digest), digest=digest)
            continue
        # It may be opened only until the next one is asked for: all before it come first.
        for before in (*sent, batch):
            yield from before.sources
        sent.clear()
        batch = Batch()
        yield source
    if begun:
        batch.send(jobs, form)
    for before in (*sent, batch):
        yield from before.sources


def _small(source: Incoming) -> bytes | None:
    """Return the bytes of a small source; None for others, and where reading fails: it will again."""
    if source.problem or source.once or source.size is None or source.size > SMALL:
        return None
    try:
        with source.open() as stream:
            data = stream.read(SMALL + 1)
            return data if len(data) <= SMALL and not stream.read(1) else None
    except (HandledgerError, OSError, EOFError):
        return None


def _of(jobs: Jobs, future: Future[list[Ready | None]], number: int) -> Ready | None:
    return jobs.result(future)[number]


def work(form: str, sources: list[Bare]) -> list[Ready | None]:
    """Make sources ready, in a process of `Jobs`."""
    return [_ready(form, source) for source in sources]


def _ready(form: str, source: Bare) -> Ready | None:
    """Make one source ready; None where it is no text, of no format, or in several pieces."""
    head = source.data[:HEAD]
    encoding = by_head(head)
    if not head or is_binary(head):
        return None
    found = formats.get(form) if form else formats.recognise(as_utf8(head, encoding))
    if found is None:
        return None
    if encoding == "utf-8":
        check = Utf8Check()
        check.see(source.data)
        encoding = check.encoding()
    pieces = list(islice(chunks(BytesIO(source.data).read, found, encoding, source.name), 2))
    piece = pieces[0]
    if len(pieces) > 1 or not isinstance(piece, Chunk):
        return None
    people = people_there()
    parts = prepared(found, piece, people, Origin(source.digest, 0))
    return Ready(found.name, encoding, parts, Fresh(people.names, people.texts))
