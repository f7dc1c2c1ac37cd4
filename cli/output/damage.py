"""Find out whether an unexpected error comes from a damaged ledger or lake, so that the report names the damage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import HandledgerError, IntegrityError

if TYPE_CHECKING:
    from ledger.store import Ledger

_DECODERS: Final = frozenset({"json", "msgspec", "pickle", "zlib", "zstandard"})
_MAX_VERIFIED_EVENTS: Final = 1_000_000
"""Events of a ledger that is verified to explain an error; more would take longer than a minute."""

_opened_urls: list[str] = []
"""The URLs of the ledgers that this command opened, in order."""


def remember_opened(url: str) -> None:
    """Remember a ledger that a command opened."""
    _opened_urls.append(url)


def find_damage(error: Exception, args: Sequence[str] = ()) -> HandledgerError | None:
    """Return the damage in the ledger, or in a lake of the command line, that explains an error; None if there is none.

    Derived tables that don't match the log are emptied if the ledger can be written.
    """
    for word in args:
        folder = Path(word)
        if (damage := _check_lake(folder) or _check_findings_folder(folder, error)) is not None:
            return damage
    if not _opened_urls:
        return None
    from ledger.store import open as open_ledger

    try:
        with open_ledger(_opened_urls[-1], create=False, read_only=True) as ledger:
            reason = _check_ledger(ledger)
            has_wrong_tables = not reason and (_is_decoding_error(error) or _are_derived_tables_wrong(ledger, error))
    except HandledgerError as damage:
        return damage
    if reason:
        return IntegrityError(
            f"the ledger is damaged: {reason}", "handledger verify lists everything that doesn't hold."
        )
    return _empty_derived_tables(_opened_urls[-1]) if has_wrong_tables else None


def _check_lake(folder: Path) -> HandledgerError | None:
    """Return the damage of a lake; None if it's sound, or if the folder isn't a lake."""
    from ledger.lake import lake_errors, layout
    from ledger.lake.checks import DAMAGE_ERRORS
    from ledger.lake.lake_check import verify

    try:
        if not layout.is_lake(folder):
            return None
        problems = verify(folder)[1]
    except HandledgerError as damage:
        return damage
    except (*DAMAGE_ERRORS, OSError) as error:
        return lake_errors.lake_unreadable(folder, str(error))
    return lake_errors.lake_damaged(folder, problems[0].reason) if problems else None


def _check_findings_folder(folder: Path, error: Exception) -> HandledgerError | None:
    """Return an error if a folder of findings has files that no audit of a lake writes; otherwise None."""
    from projections.shards import lake_audit, shard_errors

    try:
        if not (folder / lake_audit.RUN).is_file():
            return None
        lake_audit.check_files(folder, lake_audit.read_run(folder))
    except HandledgerError as damage:
        return damage
    except (OSError, ValueError):
        return None
    if not type(error).__module__.startswith(("duckdb", "_duckdb", "sqlalchemy", "pyarrow")):
        return None
    return shard_errors.results_damaged(folder)


def _check_ledger(ledger: Ledger) -> str:
    """Return the first problem in a ledger's own tables; "" if there is none."""
    from ledger.store.database.derived_tables import TABLE_GROUPS
    from ledger.store.database.raw_connection import open_raw
    from ledger.store.verify.column_checks import check_columns

    table_prefixes = tuple(f"{table}." for table_set in TABLE_GROUPS for table in table_set.tables)
    with open_raw(ledger.database.engine) as connection:
        reasons = [
            problem.reason for problem in check_columns(connection) if not problem.reason.startswith(table_prefixes)
        ]
    if not reasons and ledger.head()[0] <= _MAX_VERIFIED_EVENTS:
        reasons = [problem.reason for problem in ledger.verify() if problem.code != "projection"]
    return reasons[0] if reasons else ""


def _is_decoding_error(error: Exception) -> bool:
    """Whether an error comes from bytes that can't be decoded."""
    return type(error).__module__.partition(".")[0] in _DECODERS or isinstance(error, UnicodeDecodeError)


def _are_derived_tables_wrong(ledger: Ledger, error: Exception) -> bool:
    """Whether the derived tables don't match the log; False if rebuilding them from the log raises the same error."""
    from projections.tables.recomputation import compare_tables, rebuild_tables

    try:
        rebuild_tables(ledger)
    except Exception as repeated_error:  # noqa: BLE001 - the error to explain may be of any kind
        if (type(repeated_error), repeated_error.args) == (type(error), error.args):
            return False
    try:
        return bool(compare_tables(ledger).different)
    except Exception:  # noqa: BLE001 - tables that can't be compared are wrong
        return True


def _empty_derived_tables(url: str) -> HandledgerError:
    """Empty the derived tables; return the error that reports it."""
    from ledger.store import open as open_ledger
    from ledger.store.database.derived_tables import TABLE_GROUPS, empty_derived_tables

    damage_text = "findings or results that are stored next to the log are damaged"
    try:
        with open_ledger(url, create=False) as ledger:
            empty_derived_tables(ledger.database, TABLE_GROUPS)
    except HandledgerError:
        return IntegrityError(damage_text, "handledger verify --tables names them. This ledger is read-only here.")
    return IntegrityError(f"{damage_text}; they were deleted", "Run the command again: it rebuilds them from the log.")
