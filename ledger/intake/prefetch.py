"""Prepare small sources in other processes before their turn, many at a time.

No file in a folder of thousands is worth a process of its own. Their bytes are read here, in order, and sent to the
processes in batches. Each source then takes its result. A source that can't be prepared this way is read in its turn as
usual.
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
from ledger.intake.chunk_preparation import ChunkOrigin, prepare_chunk
from ledger.intake.chunks import split_chunks
from ledger.intake.encoding import HEAD_BYTES, Utf8Check, convert_to_utf8, detect_encoding, is_binary
from ledger.intake.jobs import ChunkNames, Jobs, ReadySource, create_worker_people
from ledger.notation import Chunk

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import BinaryIO

    from ledger.intake.files import IncomingSource

MAX_SMALL_BYTES: Final = 256 * 1024
"""Larger sources, in bytes, are read in their turn."""

BATCH_BYTES: Final = 512 * 1024
BATCH_SOURCES: Final = 64
"""A batch is full when it reaches either limit."""


class SourceContent(NamedTuple):
    """A source as a process gets it."""

    name: str
    data: bytes
    digest: str


@dataclass(slots=True)
class SourceBatch:
    """Sources that one process prepares together."""

    sources: list[IncomingSource] = field(default_factory=list)
    contents: list[SourceContent] = field(default_factory=list)
    size: int = 0

    def add(self, source: IncomingSource, source_bytes: bytes, *, is_known: bool, digest: str) -> None:
        """Add a source. Nothing is prepared for a known one."""
        source.open = cast("Callable[[], BinaryIO]", partial(BytesIO, source_bytes))
        self.sources.append(source)
        self.contents.append(SourceContent(source.name, b"" if is_known else source_bytes, digest))
        self.size += len(source_bytes)

    @property
    def is_full(self) -> bool:
        """Whether it is large enough to send."""
        return self.size >= BATCH_BYTES or len(self.sources) >= BATCH_SOURCES

    def send(self, jobs: Jobs, format_name: str) -> None:
        """Send the batch to a process. `format_name` forces a reader; "" recognises each source."""
        try:
            future = jobs.submit(prepare_batch, format_name, self.contents)
        except SourceError:
            return  # the processes have ended, which is reported elsewhere
        for source_index, source in enumerate(self.sources):
            source.ready = partial(_wait_for_result, jobs, future, source_index)


def prefetch_sources(
    jobs: Jobs,
    sources: Iterable[IncomingSource],
    format_name: str,
    source_name: Callable[[bytes], str],
    is_known: Callable[[str], bool],
) -> Iterator[IncomingSource]:
    """Yield the sources in order. Small ones were sent to the processes a few batches earlier.

    `source_name`: returns the ledger's name of a source by its SHA-256. `is_known`: whether a source with this name was
    read. Less than one batch starts no process.
    """
    if jobs.count < 2:
        yield from sources
        return
    sent_batches: deque[SourceBatch] = deque()
    batch, has_started = SourceBatch(), False
    for source in sources:
        source_bytes = _read_small(source)
        if source_bytes is not None and batch.is_full:
            batch.send(jobs, format_name)
            has_started = True
            sent_batches.append(batch)
            batch = SourceBatch()
            while len(sent_batches) > 2 * jobs.count:
                yield from sent_batches.popleft().sources
        if source_bytes is not None:
            digest = source_name(sha256(source_bytes).digest())
            batch.add(source, source_bytes, is_known=is_known(digest), digest=digest)
            continue
        # It can only be opened until the next one is asked for, so all before it come first.
        for earlier_batch in (*sent_batches, batch):
            yield from earlier_batch.sources
        sent_batches.clear()
        batch = SourceBatch()
        yield source
    if has_started:
        batch.send(jobs, format_name)
    for earlier_batch in (*sent_batches, batch):
        yield from earlier_batch.sources


def _read_small(source: IncomingSource) -> bytes | None:
    """Return the bytes of a small source. None: it's larger, or it can't be read, which its turn reports."""
    if source.problem or source.opens_once or source.size is None or source.size > MAX_SMALL_BYTES:
        return None
    try:
        with source.open() as stream:
            source_bytes = stream.read(MAX_SMALL_BYTES + 1)
            return source_bytes if len(source_bytes) <= MAX_SMALL_BYTES and not stream.read(1) else None
    except (HandledgerError, OSError, EOFError):
        return None


def _wait_for_result(jobs: Jobs, future: Future[list[ReadySource | None]], source_index: int) -> ReadySource | None:
    return jobs.result(future)[source_index]


def prepare_batch(format_name: str, sources: list[SourceContent]) -> list[ReadySource | None]:
    """Prepare sources, in a process of `Jobs`."""
    return [_prepare_source(format_name, source) for source in sources]


def _prepare_source(format_name: str, source: SourceContent) -> ReadySource | None:
    """Prepare one source. None: it isn't text, has no format, or needs several pieces."""
    head = source.data[:HEAD_BYTES]
    encoding = detect_encoding(head)
    if not head or is_binary(head):
        return None
    source_format = formats.get(format_name) if format_name else formats.recognise(convert_to_utf8(head, encoding))
    if source_format is None:
        return None
    if encoding == "utf-8":
        check = Utf8Check()
        check.add_bytes(source.data)
        encoding = check.decide_encoding()
    pieces = list(islice(split_chunks(BytesIO(source.data).read, source_format, encoding, source.name), 2))
    piece = pieces[0]
    if len(pieces) > 1 or not isinstance(piece, Chunk):
        return None
    people = create_worker_people()
    parts = prepare_chunk(source_format, piece, people, ChunkOrigin(source.digest, 0))
    return ReadySource(source_format.name, encoding, parts, ChunkNames(people.names, people.texts))
