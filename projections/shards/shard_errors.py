"""Errors of imports into lakes, of their audits, and of queries of their findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ledger.errors import IntegrityError, LedgerBusyError, NothingFoundError, SourceError, StoreError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

_OTHER_FOLDER_HINT: Final = "Name another folder."
_JUDGE_AGAIN_HINT: Final = "Judge it again: handledger lake audit LAKE --out FOLDER"

# Imports into a lake


def file_unreadable(name: str, reason: str) -> SourceError:
    """Return the error for a file of hands that can't be read. `reason`: the system's message."""
    return SourceError(f"{name}: {(reason or 'cannot be read').lower()}", "Check that it can be read, then try again.")


def only_own_files(folder: Path) -> NothingFoundError:
    """Return the error for an import of nothing but the lake's own files."""
    return NothingFoundError(f"no files but those of the lake in {folder}", "Name the files of hands.")


def lake_of_ledger(folder: Path) -> UsageError:
    """Return the error for importing into a lake that was written from a ledger."""
    return UsageError(f"the lake in {folder} was made from a ledger", _OTHER_FOLDER_HINT)


def lake_of_other_files(folder: Path) -> UsageError:
    """Return the error for importing into a lake of other files, or with other shards."""
    return UsageError(
        f"the lake in {folder} was made from other files, or with other shards",
        "Name another folder. To add files to a lake, make a new one from all files.",
    )


def folder_unreadable(folder: Path, reason: str) -> UsageError:
    """Return the error for a folder that can't be read. `reason`: the system's message."""
    return UsageError(f"{folder} can't be read: {reason}", _OTHER_FOLDER_HINT)


def folder_not_made(folder: Path, reason: str) -> SourceError:
    """Return the error for a folder that can't be created or opened. `reason`: the system's message."""
    return SourceError(f"{folder}: {(reason or 'cannot be made').lower()}", _OTHER_FOLDER_HINT)


def folder_in_use(folder: Path) -> UsageError:
    """Return the error for a folder with other files."""
    return UsageError(f"{folder} contains something else", "Name an empty folder, or a new one.")


def other_import_running(folder: Path) -> LedgerBusyError:
    """Return the error for a second import into the same lake."""
    return LedgerBusyError(
        f"another import --to-shards is making a lake in {folder}", "Wait until it is done, or name another folder."
    )


def imported_file_damaged(name: str, damage: str, folder: Path) -> IntegrityError:
    """Return the error for a file of a lake that was imported before; `damage`: how it differs."""
    return IntegrityError(f"{name}: {damage}", f"Remove {folder} and import the files again.")


def no_rejects_in_lake() -> UsageError:
    """Return the error for asking for rejects of a lake that was made from a ledger."""
    return UsageError(
        "this lake was made from a ledger, which keeps what couldn't be read", "Ask the ledger: handledger rejects"
    )


def work_file_damaged(path: Path) -> NothingFoundError:
    """Return the error for a file of unfinished work that is missing or changed."""
    return NothingFoundError(f"{path} is missing or damaged", "Run the command again.")


# Audits


def judges_lost() -> StoreError:
    """Return the error for processes that ended too early, twice in a row."""
    return StoreError(
        "the processes that judge hands stopped before they finished",
        "Run the command again: it goes on where it stopped. With fewer --jobs it needs less memory.",
    )


def tables_missing(shard: str, judged_count: int, table_count: int) -> IntegrityError:
    """Return the error for a shard whose tables weren't all judged."""
    return IntegrityError(
        f"shard {shard} has {table_count} tables, but {judged_count} of them were judged", _JUDGE_AGAIN_HINT
    )


def lake_as_results(folder: Path) -> NothingFoundError:
    """Return the error for a lake where the results of its audit are expected."""
    return NothingFoundError(
        f"{folder} is a lake: it has hands, not results", "Name the folder of its audit, as in lake audit --out FOLDER."
    )


def no_results(folder: Path) -> NothingFoundError:
    """Return the error for a folder without the results of an audit."""
    return NothingFoundError(
        f"{folder} has no results of a lake audit", "To make them: handledger lake audit LAKE --out FOLDER"
    )


def nothing_judged(folder: Path) -> NothingFoundError:
    """Return the error for an audit that judged no hand."""
    return NothingFoundError(
        f"nothing of the lake in {folder} was judged", "To see why: handledger lake audit LAKE --out FOLDER"
    )


def run_damaged(path: Path, reason: str) -> IntegrityError:
    """Return the error for a record of an audit that can't be read. `reason`: what is wrong with it."""
    return IntegrityError(f"{path} isn't the record of a lake audit: {reason}", _JUDGE_AGAIN_HINT)


def run_contradictory(path: Path) -> IntegrityError:
    """Return the error for a record of an audit whose counts are wrong."""
    return IntegrityError(f"{path} doesn't add up: a job is named twice, or its totals are wrong", _JUDGE_AGAIN_HINT)


def result_unreadable(path: Path, reason: str) -> IntegrityError:
    """Return the error for a result that can't be read. `reason`: the system's message."""
    return IntegrityError(f"{path} can't be read: {reason}", _JUDGE_AGAIN_HINT)


def result_changed(path: Path) -> IntegrityError:
    """Return the error for a result that was changed after it was written."""
    return IntegrityError(f"{path} has other bytes than were written", _JUDGE_AGAIN_HINT)


def results_damaged(folder: Path) -> IntegrityError:
    """Return the error for files that no audit of a lake writes."""
    return IntegrityError(f"the files in {folder} aren't those of a lake that was judged", _JUDGE_AGAIN_HINT)


# Queries


def dealers_not_stored() -> UsageError:
    """Return the error for a query about dealers."""
    return UsageError("a lake doesn't store the dealers", "Query the ledger: handledger log --where QUERY")


def no_saved_queries() -> UsageError:
    """Return the error for a query by its saved name."""
    return UsageError("a lake has no saved queries", "Write the query out.")


def no_addresses(address: str) -> UsageError:
    """Return the error for a hand's address in a query."""
    return UsageError(f"a lake has no addresses such as {address!r}", "Query for its parts: table:T7 hand:408.")


def player_unknown(text: str) -> NothingFoundError:
    """Return the error for a player's id that no hand of the lake has."""
    return NothingFoundError(f"no player here has an id that begins with {text!r}", _IDS_HINT)


def source_unknown(text: str) -> NothingFoundError:
    """Return the error for a source's digest that no hand of the lake has."""
    return NothingFoundError(f"no source here has a digest that begins with {text!r}", _IDS_HINT)


_IDS_HINT: Final = "Type the beginning of an id: a lake has no names."


def book_not_judged(name: str, judged_books: Sequence[str]) -> UsageError:
    """Return the error for a query about a rulebook that the lake wasn't judged under."""
    return UsageError(f"the lake wasn't judged under {name!r}", f"Query for one of: {', '.join(judged_books)}.")


# Spark


def two_clusters() -> UsageError:
    """Return the error for two addresses of clusters."""
    return UsageError("--master and --remote name two clusters", "Give only one of them.")


def no_cluster() -> UsageError:
    """Return the error for a job without a cluster."""
    return UsageError(
        "no cluster is named", "Name one: --master spark://HOST:7077, or --remote sc://HOST:15002 for Spark Connect."
    )


def java_missing() -> UsageError:
    """Return the error for Spark on a machine without Java."""
    return UsageError("Spark needs Java 17 or newer, and there is none here", "Install it, or set JAVA_HOME.")


def spark_failed(kind: str, reason: str) -> StoreError:
    """Return the error for a failed Spark job. `kind`: the name of the exception. `reason`: its message."""
    return StoreError(
        f"the Spark job failed: {kind}: {reason[:300]}", "Run the command again; finished shards are skipped."
    )
