"""Whether an unexpected error comes of a damaged ledger: then the damage is named, not the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import HandledgerError, IntegrityError

if TYPE_CHECKING:
    from ledger.store import Ledger

_DECODERS: Final = frozenset({"json", "msgspec", "pickle", "zlib", "zstandard"})
_EVENTS_VERIFIED: Final = 1_000_000
"""Events of a ledger up to which an error is looked into by verifying all of it, which takes a minute."""

_opened: list[str] = []
"""The URL of each ledger that a command opened, the last one last."""


def note_opened(url: str) -> None:
    """Remember a ledger that a command opened."""
    _opened.append(url)


def damage_behind(error: Exception, args: Sequence[str] = ()) -> HandledgerError | None:
    """Return what is damaged in the ledger, or in a lake of the command line, as the error came; None if nothing is.

    What is kept beside the log and isn't what the log gives is emptied where the ledger may be written.
    """
    for word in args:
        folder = Path(word)
        if (damage := _damage_in_lake(folder) or _damage_in_findings(folder, error)) is not None:
            return damage
    if not _opened:
        return None
    from ledger.store import open as open_ledger

    try:
        with open_ledger(_opened[-1], create=False, read_only=True) as ledger:
            reason = _damage(ledger)
            is_kept_wrong = not reason and (_decodes(error) or _differs(ledger, error))
    except HandledgerError as damage:
        return damage
    if reason:
        return IntegrityError(
            f"the ledger is damaged: {reason}", "handledger verify lists everything that doesn't hold."
        )
    return _emptied(_opened[-1]) if is_kept_wrong else None


def _damage_in_lake(folder: Path) -> HandledgerError | None:
    """Return what doesn't hold in a lake; None where nothing is wrong, or the folder holds none."""
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


def _damage_in_findings(folder: Path, error: Exception) -> HandledgerError | None:
    """Return an error for a folder of findings whose files hold what no audit of a lake writes."""
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


def _damage(ledger: Ledger) -> str:
    """Return the first thing that doesn't hold in a ledger's own tables, "" where all does."""
    from ledger.store.database.derived_tables import TABLE_GROUPS
    from ledger.store.database.raw_connection import open_raw
    from ledger.store.verify.column_checks import check_columns

    table_prefixes = tuple(f"{table}." for table_set in TABLE_GROUPS for table in table_set.tables)
    with open_raw(ledger.database.engine) as connection:
        wrong = [
            problem.reason for problem in check_columns(connection) if not problem.reason.startswith(table_prefixes)
        ]
    if not wrong and ledger.head()[0] <= _EVENTS_VERIFIED:
        wrong = [problem.reason for problem in ledger.verify() if problem.code != "projection"]
    return wrong[0] if wrong else ""


def _decodes(error: Exception) -> bool:
    """Whether the error comes of bytes that can't be decoded."""
    return type(error).__module__.partition(".")[0] in _DECODERS or isinstance(error, UnicodeDecodeError)


def _differs(ledger: Ledger, error: Exception) -> bool:
    """Whether what is kept beside the log isn't what the log gives; not so where the log alone ends in the same error."""
    from projections.tables.recomputation import compare_tables, rebuild_tables

    try:
        rebuild_tables(ledger)
    except Exception as repeated_error:  # noqa: BLE001 - any error may be the one that is looked into
        if (type(repeated_error), repeated_error.args) == (type(error), error.args):
            return False
    try:
        return bool(compare_tables(ledger).different)
    except Exception:  # noqa: BLE001 - what can't even be compared isn't what the log gives
        return True


def _emptied(url: str) -> HandledgerError:
    """Empty what is kept beside the log, and say so."""
    from ledger.store import open as open_ledger
    from ledger.store.database.derived_tables import TABLE_GROUPS, empty_derived_tables

    damage_text = "findings or results that are stored next to the log are damaged"
    try:
        with open_ledger(url, create=False) as ledger:
            empty_derived_tables(ledger.database, TABLE_GROUPS)
    except HandledgerError:
        return IntegrityError(damage_text, "handledger verify --tables names them. This ledger can't be written here.")
    return IntegrityError(f"{damage_text}; they were deleted", "Run the command again: it rebuilds them from the log.")
