"""Whether an unexpected error comes of a damaged ledger: then the damage is named, not the program."""

from __future__ import annotations

from typing import Final

from ledger.errors import HandledgerError, IntegrityError

_DECODERS: Final = frozenset({"json", "msgspec", "pickle", "zlib", "zstandard"})

_opened: list[str] = []
"""The URL of each ledger that a command opened, the last one last."""


def note_opened(url: str) -> None:
    """Remember a ledger that a command opened."""
    _opened.append(url)


def damage_behind(error: Exception) -> HandledgerError | None:
    """Return what is damaged in the ledger that was open as the error came; None if nothing is.

    What is kept beside the log and can't be decoded is emptied where the ledger may be written.
    """
    if not _opened:
        return None
    from ledger.store import open as open_ledger
    from ledger.store.verify_columns import check_columns
    from ledger.store.verify_raw import raw

    try:
        with (
            open_ledger(_opened[-1], create=False, read_only=True) as ledger,
            raw(ledger.database.engine) as connection,
        ):
            problem = next(check_columns(connection), None)
    except HandledgerError as damage:
        return damage
    if problem is not None:
        return IntegrityError(
            f"the ledger is damaged: {problem.reason}", "handledger verify lists everything that doesn't hold."
        )
    decodes = type(error).__module__.partition(".")[0] in _DECODERS or isinstance(error, UnicodeDecodeError)
    return _emptied(_opened[-1]) if decodes else None


def _emptied(url: str) -> HandledgerError:
    """Empty what is kept beside the log, and say so."""
    from ledger.store import open as open_ledger
    from ledger.store.positions import MADE, empty

    what = "findings or results that are kept beside the log can't be read"
    try:
        with open_ledger(url, create=False) as ledger:
            empty(ledger.database, MADE)
    except HandledgerError:
        return IntegrityError(what, "handledger verify --tables names them. This ledger can't be written here.")
    return IntegrityError(f"{what}; they were emptied", "Run the command again: they're made again from the log.")
