"""Open and update the tables made from the log: in the ledger, or in a temporary database if it is read-only.

The code that makes the tables is imported only when needed, because most commands find the tables up to date.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from ledger.errors import StoreError
from ledger.store import open as open_ledger
from ledger.store.database.derived_tables import RESULTS_NAME, SITTINGS_NAME, STATISTICS_NAME
from ledger.text.language import ENGLISH, is_english, language_in_force
from projections.tables.stored_judgement import StoredJudgement
from projections.tables.table_stores import SqlTableStore, TemporaryTables

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.log.projection import Projection
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook
    from projections.tables.judgement_update import Progress
    from projections.tables.result_tables import ResultsProjection
    from projections.tables.statistics_tables import StatisticsProjection

_PAGE_COMMITS: Final = 1000


@contextmanager
def open_tables(
    ledger: Ledger,
    books: Sequence[Rulebook] = (),
    *,
    results: bool = True,
    seats: bool = False,
    statistics: bool = False,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
    translated: bool = False,
) -> Iterator[tuple[SqlTableStore, list[int]]]:
    """Open the tables, updated to the end of the ledger, with the numbers of the books' judgements.

    If the ledger is read-only, or is read as of a past day, the tables are made in a temporary database for this call.
    `results`: update the results of hands. `seats`: update sittings and dealers. `statistics`: update the statistics
    of players. `progress`: as for `update_judgements`. `on_log_progress` gets the position reached in the log and the
    position of its end. `translated`: if the language isn't English, judge the hands again in a temporary database.
    Otherwise findings and dues are in English, as they're stored.
    """
    is_stored = ledger.upto is None and (is_english() or not translated)
    if is_stored and update_tables(
        ledger,
        books,
        results=results,
        seats=seats,
        statistics=statistics,
        progress=progress,
        on_log_progress=on_log_progress,
    ):
        yield ledger.database, _find_judgement_numbers(ledger, books)  # later commits wait for the next call
        return
    with TemporaryDirectory() as folder:
        scratch = TemporaryTables(Path(folder))
        try:
            if results:
                fill_results(ledger, scratch, on_log_progress)
            if statistics:
                fill_statistics(ledger, scratch, on_log_progress)
            if seats:
                from projections.tables.sittings import update_sittings  # noqa: PLC0415 - see the module's docstring

                update_sittings(ledger, scratch)
            language = language_in_force() if translated else ENGLISH
            yield scratch, _update_judgements(ledger, scratch, books, progress=progress, language=language)
        finally:
            scratch.close()


def load_judgement(
    ledger: Ledger,
    book: Rulebook,
    selected_places: Iterable[TableKey],
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> AuditResult | None:
    """Return a book's stored judgement of these tables, updated first, or None if the ledger can't store any.

    Return None in other languages too, because stored sentences are in English. The result is the same as that of an
    audit of all hands of these tables. `jobs` and `progress`: as for `update_judgements`.
    """
    if ledger.upto is not None or not is_english():
        return None
    if not update_tables(ledger, [book], results=False, jobs=jobs, progress=progress):
        return None
    return StoredJudgement(ledger, book, ledger.database).load_result(selected_places)


def _find_judgement_numbers(ledger: Ledger, books: Sequence[Rulebook]) -> list[int]:
    """Return the numbers of the judgements in the ledger."""
    if not books:
        return []
    stored_judgements = (StoredJudgement(ledger, book, ledger.database) for book in books)
    numbers = [
        number for stored_judgement in stored_judgements if (number := stored_judgement.find_number()) is not None
    ]
    if len(numbers) == len(books):
        return numbers

    from projections.tables.judgement import TableJudgement  # noqa: PLC0415 - see the module's docstring

    return [TableJudgement(ledger, book, ledger.database).number for book in books]


def _update_judgements(
    ledger: Ledger,
    table_store: SqlTableStore,
    books: Sequence[Rulebook],
    jobs: int = 1,
    progress: Progress | None = None,
    selected_places: Collection[TableKey] | None = None,
    language: str = ENGLISH,
) -> list[int]:
    """Update the books' judgements and return their numbers. A ledger stores only English sentences."""
    if not books:
        return []
    from projections.tables.judgement import TableJudgement  # noqa: PLC0415 - few queries need it
    from projections.tables.judgement_update import update_judgements  # noqa: PLC0415 - as above

    book_judgements = [TableJudgement(ledger, book, table_store) for book in books]
    return update_judgements(book_judgements, selected_places, jobs=jobs, progress=progress, language=language)


def update_tables(
    ledger: Ledger,
    books: Sequence[Rulebook],
    *,
    results: bool = True,
    seats: bool = False,
    statistics: bool = False,
    selected_places: Collection[TableKey] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> bool:
    """Update the tables in the ledger to the end of its log; return False if they can't be stored.

    `selected_places` limits the tables that are judged. A ledger opened for reading is opened for writing once more.
    """
    if books and ledger.judging is not None and ledger.upto is None:
        has_tables = update_tables(
            ledger, (), results=results, seats=seats, statistics=statistics, on_log_progress=on_log_progress
        )
        ledger.judging.bring_up(books, selected_places)
        return has_tables
    wanted = ((RESULTS_NAME, results), (SITTINGS_NAME, seats), (STATISTICS_NAME, statistics))
    names = [name for name, is_wanted in wanted if is_wanted]
    if all(_is_at_end(ledger, name) for name in names) and all(
        StoredJudgement(ledger, book, ledger.database).is_at_end() for book in books
    ):
        return True
    if not books and ledger.judging is not None and ledger.upto is None and on_log_progress is None:
        with suppress(StoreError):  # if the judging process ended, update the tables here
            return ledger.judging.update(results=results, seats=seats, statistics=statistics)
    with suppress(StoreError):
        with _open_writable_ledger(ledger) as writable:
            _update_writable(
                writable,
                books,
                jobs,
                progress,
                selected_places,
                results=results,
                seats=seats,
                statistics=statistics,
                on_log_progress=on_log_progress,
            )
        return True
    return False


def _open_writable_ledger(ledger: Ledger) -> AbstractContextManager[Ledger]:
    """Open a ledger for writing, unless it is already. A server keeps its writable ledger open."""
    if not ledger.database.read_only:
        return nullcontext(ledger)
    if ledger.judging is not None and ledger.upto is None:
        return ledger.judging.writable_ledger()
    return open_ledger(ledger.database.address.full_url, create=False)


def _update_writable(
    ledger: Ledger,
    books: Sequence[Rulebook],
    jobs: int,
    progress: Progress | None,
    selected_places: Collection[TableKey] | None,
    *,
    results: bool,
    seats: bool,
    statistics: bool,
    on_log_progress: Progress | None,
) -> None:
    if seats:
        from projections.tables.sittings import update_sittings  # noqa: PLC0415 - see the module's docstring

        update_sittings(ledger, ledger.database)
    if results:
        ledger.catch_up(build_results_projection(ledger), progress=on_log_progress)
    if statistics:
        ledger.catch_up(build_statistics_projection(ledger), progress=on_log_progress)
    _update_judgements(ledger, ledger.database, books, jobs, progress, selected_places)


def build_results_projection(ledger: Ledger) -> ResultsProjection:
    """Return the projection of a ledger's hands to results."""
    from projections.tables.result_tables import ResultsProjection  # noqa: PLC0415 - see the module's docstring

    return ResultsProjection(ledger.mapper, ledger.stream)


def build_statistics_projection(ledger: Ledger) -> StatisticsProjection:
    """Return the projection of a ledger's hands to statistics of players."""
    from projections.tables.statistics_tables import StatisticsProjection  # noqa: PLC0415 - see the module's docstring

    return StatisticsProjection(ledger.mapper, ledger.stream)


def _is_at_end(ledger: Ledger, name: str) -> bool:
    """Whether a projection, by its name in `tracking`, has processed the whole log."""
    return _read_position(ledger, name) == ledger.head()[0]


def count_commits_behind(ledger: Ledger, name: str) -> int:
    """Return how many positions of the log a projection, by its name in `tracking`, hasn't processed."""
    return max(0, ledger.head()[0] - (_read_position(ledger, name) or 0))


def has_begun(ledger: Ledger, name: str) -> bool:
    """Whether the tables of a projection, by its name in `tracking`, were made."""
    return _read_position(ledger, name) is not None


def _read_position(ledger: Ledger, name: str) -> int | None:
    """Return the position that a projection has reached; None if it never ran."""
    try:
        with ledger.database.reading() as connection:
            row = connection.execute("SELECT position FROM tracking WHERE name = ?", (name,)).fetchone()
    except StoreError:
        return None
    return None if row is None else int(row[0])


def fill_results(ledger: Ledger, scratch: TemporaryTables, on_log_progress: Progress | None = None) -> None:
    """Fill a temporary database with the results of a ledger's hands. `on_log_progress`: as for `open_tables`."""
    _fill_tables(ledger, scratch, build_results_projection(ledger), on_log_progress)


def fill_statistics(ledger: Ledger, scratch: TemporaryTables, on_log_progress: Progress | None = None) -> None:
    """Fill a temporary database with the statistics of a ledger's hands. `on_log_progress`: as for `open_tables`."""
    _fill_tables(ledger, scratch, build_statistics_projection(ledger), on_log_progress)


def _fill_tables(
    ledger: Ledger, scratch: TemporaryTables, projection: Projection, on_log_progress: Progress | None
) -> None:
    head = ledger.head()[0]
    end = head if ledger.upto is None else min(head, ledger.upto)
    commits = ledger.commits()
    with scratch.core(write=True) as connection:
        projection.tables.create_all(connection)
    while page := list(islice(commits, _PAGE_COMMITS)):
        with scratch.core(write=True) as connection:
            projection.project(page, connection)
        if on_log_progress is not None:
            on_log_progress(page[-1].position, end)
