"""Open the ledger of a command line, and name it in messages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.output.damage import remember_opened
from ledger import safe
from ledger.errors import NoLedgerError
from ledger.text.language import phrase

if TYPE_CHECKING:
    from ledger.errors import HandledgerError
    from ledger.store import Ledger


_YEARS: Final = range(1990, 2100)
"""Log positions that may be meant as years."""


def open_ledger(
    url: str | None,
    *,
    create: bool = False,
    read_only: bool = True,
    as_of: str | None = None,
    people_key: Path | None = None,
    ignores_damage: bool = False,
) -> Ledger:
    """Open the ledger of a command line. `as_of`: read it as of then. `create`: make it if it doesn't exist.

    `ignores_damage`: neither report nor mend damage outside of the log; without it a damaged index is an error. If a new
    ledger got a key for ids, standard error names its file.
    """
    from ledger.store import open as open_store
    from ledger.store.database.quick_checks import build_index_error

    ledger = open_store(url, create=create, read_only=read_only, people_key=people_key)
    remember_opened(ledger.database.address.full_url)
    if ledger.key_made is not None:
        sys.stderr.write(f"{describe_new_key(ledger.key_made)}\n")
    if ledger.derived_faults and not ignores_damage:
        _report_derived_faults(ledger)
    if ledger.index_damage and not ignores_damage:
        ledger.close()
        raise build_index_error(ledger.database.address.name, ledger.index_damage)
    if as_of is not None:
        try:
            ledger.upto = _resolve_position(ledger, as_of)
        except BaseException:
            ledger.close()
            raise
    return ledger


def create_missing_ledger(url: str | None, *, people_key: Path | None = None) -> None:
    """Make the ledger of a command line if it doesn't exist. Standard error then names it: the path may have a typo."""
    from ledger.store import open as open_store

    try:
        open_store(url, create=False, read_only=True).close()
    except NoLedgerError:
        with open_ledger(url, create=True, read_only=False, people_key=people_key) as ledger:
            message = phrase("New, empty ledger: {path}", path=safe.terminal(name_ledger(ledger), 300))
            sys.stderr.write(f"{message}\n")


def _report_derived_faults(ledger: Ledger) -> None:
    """Report damaged tables outside of the log. If the ledger can be written, opening it empties them."""
    from ledger.errors import StoreError
    from ledger.store import open as open_store

    consequence = "They're made again from the log."
    if ledger.database.read_only:
        try:
            open_store(ledger.database.address.full_url, create=False).close()
        except StoreError:
            consequence = "They aren't used: this ledger is read-only."
    for problem in ledger.derived_faults:
        sys.stderr.write(f"{problem.reason}. Somebody or something changed the database. {consequence}\n")


def _resolve_position(ledger: Ledger, typed_moment: str) -> int:
    """Return the position of the log for the value of `--as-of`; a day means its end."""
    from ledger.clocks import format_minute
    from ledger.errors import UsageError
    from ledger.readers.timestamps import parse_iso
    from ledger.store.hands.hand_accounts import find_position_at
    from projections.addresses.room_days import DAY_MILLIS, require_zone, suggest_date

    if typed_moment.isascii() and typed_moment.isdigit() and len(typed_moment) < 16:
        return _check_position(ledger, int(typed_moment))
    moment = parse_iso(typed_moment)
    if moment is None:
        example = suggest_date(typed_moment)
        raise UsageError(
            phrase("--as-of: I can't read {text} as a date, a time or a position in the log", text=repr(typed_moment)),
            phrase("Write the year first: {example} or {example}T20:00Z. A position is a number.", example=example),
        )
    require_zone(typed_moment, "--as-of")
    if len(typed_moment) > len("2026-01-02"):
        return find_position_at(ledger, moment)
    position = find_position_at(ledger, moment + DAY_MILLIS - 1)
    is_day_over = ledger.now() >= moment + DAY_MILLIS
    if is_day_over:
        day_end = format_minute(moment + DAY_MILLIS)
        note = phrase(
            "--as-of {day}: this is the ledger as of {time}, the end of that day in UTC (position {position}).",
            day=typed_moment,
            time=day_end,
            position=format(position, ","),
        )
    else:
        note = phrase(
            "{day} isn't over yet (UTC), so this is the ledger as of now (position {position}).",
            day=typed_moment,
            position=format(position, ","),
        )
    sys.stderr.write(f"{note}\n")
    return position


def _check_position(ledger: Ledger, position: int) -> int:
    """Return a position of the log; `UsageError` if it's beyond the end. Print a note if it may be meant as a year."""
    from ledger.errors import UsageError

    head = ledger.head()[0]
    if position > head:
        raise UsageError(
            phrase(
                "--as-of: the log has no position {position}: it has {head}", position=position, head=format(head, ",")
            ),
            phrase("Write 2026-01-02, 2026-01-02T20:00Z, or a lower number."),
        )
    if position in _YEARS:
        note = phrase(
            "--as-of {position}: read as a position in the log. For the year, write {position}-12-31.",
            position=position,
        )
        sys.stderr.write(f"{note}\n")
    return position


def describe_new_key(path: Path) -> str:
    """Return the message about the key file of a new ledger."""
    key_path = safe.terminal(str(path), 300)
    return (
        f"Created the key for player ids: {key_path}\n"
        "  Back it up: you can't import without it. Store it apart from the ledger's backups:\n"
        "  whoever has both could guess the names of forgotten people."
    )


def no_hands_error(ledger: Ledger, hint: str = "", *, table: str | None = None) -> HandledgerError:
    """Return the error where no hand matches: with `hint`, or with what to do first if the ledger has no hands.

    If the ledger has hands but no table called `table`, return the error that suggests similar names.
    """
    from ledger.errors import NothingFoundError
    from ledger.store.requests.open_rejects import iter_open_rejects
    from projections.addresses.hand_address import unknown_table_error

    if next(iter(ledger.hands(limit=1)), None) is not None:
        if table is not None and next(ledger.tables(table), None) is None:
            return unknown_table_error(ledger, table)
        return NothingFoundError(phrase("no hands match"), hint or phrase("handledger log lists the hands."))
    if next(iter(iter_open_rejects(ledger)), None) is not None:
        return NothingFoundError(
            phrase("no hands are stored yet"), phrase("handledger rejects says what couldn't be read, and why.")
        )
    return NothingFoundError(phrase("no hands are stored yet"), phrase("handledger import PATH brings them in."))


def name_ledger(ledger: Ledger) -> str:
    """Return the name of a ledger in messages: its path, or its URL without the password."""
    return ledger.database.address.name
