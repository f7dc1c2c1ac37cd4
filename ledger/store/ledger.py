"""The ledger for the rest of the program: the log, its hands, projections and verification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal

from ledger.store.commits import HandRow, IntegrityProblem, TableRow
from ledger.store.database.db_errors import translated
from ledger.store.hands.account_standings import AccountStandings
from ledger.store.hands.hand_accounts import TableKey, read_stream_pages
from ledger.store.log import log_reader
from ledger.store.log.event_log import EventLog
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.entry import Entry
    from ledger.event import Event
    from ledger.seal.note import PublicKey
    from ledger.store.log.projection import Projection
    from ledger.store.verify.tree_checks import Anchor


class Ledger(EventLog):
    """One open ledger; safe to use from many threads."""

    def hands(
        self,
        *,
        venue: str | None = None,
        tournament: str | None = None,
        table: str | None = None,
        number: str | None = None,
        source: str | Sequence[str] | None = None,
        since: Millis | None = None,
        until: Millis | None = None,
        variant: str | None = None,
        betting: str | None = None,
        format: str | None = None,  # noqa: A002 - the field's word
        account: int | None = None,
        note: str | None = None,
        beginning: str | None = None,
        behind: int = 0,
        order: Literal["log", "played", "newest"] = "log",
        limit: int | None = None,
        standing: bool = False,
    ) -> Iterator[HandRow]:
        """Yield the matching accounts of hands, at most `limit`; with `standing`, those that the house relies on.

        `source` is the digest of a file, or of several; `since` and `until` bound the start of a hand (until
        excluded); `beginning` is a prefix of the hand's number or of its stream's id (hex); `behind` is a
        position of the log after which to start, for the log's order.
        `order`: of the log, of play (`ledger.store.hands.hand_order`), or of play with the newest first; in
        the last two, hands without a time match any bounds of time.
        """
        hand_filter: log_reader.HandFilter = {
            "venue": venue,
            "tournament": tournament,
            "table": table,
            "number": number,
            "source": source,
            "since": since,
            "until": until,
            "variant": variant,
            "betting": betting,
            "format": format,
            "note": note,
            "beginning": beginning,
            "upto": self.upto,
        }

        def number_of(digest: str) -> int | None:
            with self.database.reading() as link:
                return log_reader.find_source_number(link, digest)

        rows: Iterator[HandRow]
        if order == "log":
            rows = log_reader.read_hand_rows(self.database, hand_filter=hand_filter, number_of=number_of, after=behind)
        else:
            from ledger.store.hands.hand_order import iter_hands_in_order  # noqa: PLC0415 - it reads tables, which few commands do

            spare = log_reader.count_repeated_accounts(self.database) if limit and (standing or account) else 0
            order_limit = limit + spare if limit else None
            rows = iter_hands_in_order(self, hand_filter, number_of, newest_first=order == "newest", limit=order_limit)
        matching_rows = (
            row
            for row in AccountStandings(self).add_standings(rows)
            if (row.stands or not standing) and account in (None, row.account)
        )
        return islice(matching_rows, limit)

    def hands_of(self, streams: Iterable[bytes]) -> Iterator[HandRow]:
        """Yield the hands of these streams, by the bytes of their ids; skips ids of other streams."""
        return AccountStandings(self).add_standings(log_reader.read_rows_of_streams(self.database, streams, self.upto))

    def hand(self, stream: str) -> HandRow | None:
        """Return the hand of a stream, by its id, hex; None if this ledger has no such hand."""
        try:
            stream_id = bytes.fromhex(stream)
        except ValueError:
            return None
        return next(self.hands_of([stream_id]), None)

    def entries_of_types(self, stream: UUID, *kinds: type[Event], after: int = 0) -> Iterator[Entry]:
        """Yield the events of a stream that have these types, each in its place, page by page.

        `after`: a version; those up to it are left out. It decodes only commits that name one of the types: most events
        of a house are changes of findings.
        """
        names = [name.encode() for kind in kinds for name in (kind.__name__, *getattr(kind, "UPCASTS", ()))]
        for page in read_stream_pages(self, stream, after):
            for commit in page:
                for entry in self.entries_of(commit) if any(name in commit.data for name in names) else ():
                    if self.upto is not None and entry.position > self.upto:
                        return
                    if isinstance(entry.event, kinds):
                        yield entry

    def sources_at(self, place: TableKey) -> set[str]:
        """Return the sources of a table's hands, by digest in hex."""
        return log_reader.find_table_sources(self.database, place, self.upto)

    def tables(self, table_name: str | None = None) -> Iterator[TableRow]:
        """Yield the tables of hands; `table_name`: name, tournament/name or venue/name."""
        return log_reader.read_table_rows(self.database, table_name)

    # Upkeep

    def verify(
        self, anchors: Sequence[Anchor] = (), *, jobs: int = 1, progress: Callable[[int, int], None] | None = None
    ) -> list[IntegrityProblem]:
        """Recompute everything from the raw rows; return the problems, empty if there are none.

        `anchors` are roots of the log seen before: it must begin with each of them. `jobs`: number of
        processes, if others can read the ledger. `progress` gets the position reached and the end of the log.
        """
        from ledger.store.verify import verifier  # noqa: PLC0415 - only `handledger verify` and `seal` need it

        jobs = jobs if self.database.is_lasting else 1
        url = self.database.address.full_url
        secret = self.unsalted_secret()
        return verifier.verify(self.database.engine, anchors, secret, url=url, jobs=jobs, progress=progress)

    def signed_by(self, keys: list[PublicKey]) -> tuple[int, list[IntegrityProblem]]:
        """Return how many kept checkpoints one of these keys signed, and what is wrong with the others."""
        from ledger.store.database.raw_connection import open_raw  # noqa: PLC0415 - as `verify`
        from ledger.store.verify.checkpoint_checks import count_signed_by  # noqa: PLC0415 - as `verify`

        with translated(), open_raw(self.database.engine) as connection:
            return count_signed_by(connection, keys)

    def unsalted_secret(self) -> bytes | None:
        """Return the secret of ids without salts, None if there is none or it's unknown."""
        return None if self.people.salted else self.people.ids.known_secret()

    def catch_up(
        self, projection: Projection, *, batch: int = 1000, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Bring a projection up to the end of the log, each commit exactly once; return its position.

        `progress` gets the position reached and the end of the log.
        """
        from ledger.store.log.projection import catch_up  # noqa: PLC0415 - it loads SQLAlchemy

        log_end = self.head()[0]
        on_progress = None if progress is None else lambda position: progress(position, log_end)
        return catch_up(self.database, self.reader, projection, batch, on_progress)

    def rebuild(self, projection: Projection, *, batch: int = 1000) -> int:
        """Drop a projection and rebuild it from the log."""
        from ledger.store.log.projection import rebuild  # noqa: PLC0415 - it loads SQLAlchemy

        return rebuild(self.database, self.reader, projection, batch)

    def reindex(self) -> int:
        """Rebuild the index of hands from the log in one transaction; return how many accounts it holds."""
        from ledger.store.log.batch import reindex  # noqa: PLC0415 - few commands write

        with self.writing() as link:
            return reindex(self._batch(link, strict=True), self.reader)
