"""The error classes of the program, with one for each kind of failure.

Each takes data, builds its sentence from them and keeps them. `hint` says what to do next.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final


class HandledgerError(Exception):
    """An error that the program expects. `code` is stable, `hint` says what to do.

    `form_hint` is the hint for a user of a form, who knows no commands; "" if `hint` will do.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, hint: str = "", *, form_hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.form_hint = form_hint

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the fields, so that an error of any class reaches another process as it is."""
        return _restore_error, (type(self), self.args, self.__dict__)


def _restore_error(
    error_class: type[HandledgerError], args: tuple[Any, ...], fields: dict[str, Any]
) -> HandledgerError:
    error = error_class.__new__(error_class, *args)
    error.__dict__.update(fields)
    return error


class UnreadableHandError(HandledgerError):
    """A span of a source isn't a hand that its format can express. The reader turns it into a reject."""

    code: ClassVar[str] = "unreadable-hand"

    def __init__(self, reason: str, *, kind: str = "unreadable", byte_offset: int = 0, hint: str = "") -> None:
        super().__init__(reason, hint)
        self.reason = reason
        self.kind = kind  # stable code of the reject
        self.byte_offset = byte_offset  # byte offset from the start of the hand


class NotAccountedError(HandledgerError):
    """A reader's spans overlap or leave the source."""

    code: ClassVar[str] = "bytes-not-accounted"


FORMAT_HINT: Final = "If you know the format, add --format NAME (see handledger import --help)."
"""The hint for a file without a known format."""


class UnknownFormatError(HandledgerError):
    """No format has that name."""

    code: ClassVar[str] = "unknown-format"

    def __init__(self, name: str, hint: str = "handledger import --help lists them.") -> None:
        super().__init__(f"no format is called {name!r}", hint)
        self.name = name


class SourceError(HandledgerError):
    """A file, folder or archive cannot be opened or read."""

    code: ClassVar[str] = "source"


class NoFileError(SourceError):
    """A named file is a pipe, a socket or a device."""

    code: ClassVar[str] = "no-file"

    def __init__(self, path: str, words: str) -> None:
        super().__init__(
            f"{path} is {words}, no file",
            "Name a file, or - for what comes through a pipe." if words == "a pipe" else "Name a file.",
        )


class ArchiveError(SourceError):
    """An archive is damaged, or exceeds a limit on size, depth or number of files."""

    code: ClassVar[str] = "archive"


class NothingFoundError(HandledgerError):
    """No hand, file or finding matches the request."""

    code: ClassVar[str] = "nothing-found"


class QueryError(HandledgerError):
    """A query doesn't parse, or names a field that doesn't exist."""

    code: ClassVar[str] = "query"


class AddressError(HandledgerError):
    """An address (`table#42`, `hand@12`, `file:line`) doesn't parse or is ambiguous."""

    code: ClassVar[str] = "address"


class StoreError(HandledgerError):
    """The ledger's database failed, or isn't a ledger."""

    code: ClassVar[str] = "store"


class NotALedgerError(StoreError):
    """The database exists and isn't a ledger."""

    code: ClassVar[str] = "not-a-ledger"


class NoLedgerError(StoreError):
    """The named ledger doesn't exist."""

    code: ClassVar[str] = "no-ledger"


class UnstorableError(StoreError):
    """An event contains text that can't be stored: U+0000 or half a surrogate pair."""

    code: ClassVar[str] = "unstorable"


class NewerLedgerError(StoreError):
    """The ledger was written by a newer version of handledger."""

    code: ClassVar[str] = "newer-ledger"


class ConflictError(StoreError):
    """Another writer appended to the stream first."""

    code: ClassVar[str] = "conflict"


class LedgerBusyError(StoreError):
    """Another program has the ledger open for writing."""

    code: ClassVar[str] = "busy"


class StorageFullError(StoreError):
    """The disk is full or read-only."""

    code: ClassVar[str] = "storage"


class IntegrityError(StoreError):
    """Stored data contradict each other."""

    code: ClassVar[str] = "integrity"
    exit_code: ClassVar[int] = 4


class ProofError(HandledgerError):
    """A proof, a checkpoint or a key isn't valid; the message says why."""

    code: ClassVar[str] = "proof"
    exit_code: ClassVar[int] = 4


class NotSealedError(ProofError):
    """A commit to be proved came after the last checkpoint. Nothing is wrong, it's too early."""

    code: ClassVar[str] = "not-sealed"
    exit_code: ClassVar[int] = 2


class ForkError(ProofError):
    """A log contradicts what it signed before. `evidence` has both versions."""

    code: ClassVar[str] = "fork"

    def __init__(self, message: str, evidence: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.evidence = evidence


class SigningKeyError(HandledgerError):
    """A private or public signing key can't be used."""

    code: ClassVar[str] = "key"


class PeopleKeyError(HandledgerError):
    """The key of a ledger's ids is missing, belongs to another ledger, or can't be read or written."""

    code: ClassVar[str] = "people-key"


class UnknownEventError(StoreError):
    """Stored bytes contain an event that this version doesn't know."""

    code: ClassVar[str] = "unknown-event"


class LostInFormatError(HandledgerError):
    """A format can't express part of a hand, and losses aren't allowed."""

    code: ClassVar[str] = "would-be-lost"

    def __init__(self, name: str, losses: list[str], *, lossy: bool = False) -> None:
        hint = "Choose another --to." if lossy else "Add --lossy to write it without them."
        super().__init__(
            f"{name} can't hold {len(losses)} kind{'s' * (len(losses) != 1)} of facts in this export: "
            + "; ".join(losses),
            hint,
        )
        self.losses = losses


class HeldError(HandledgerError):
    """A person's data can't be erased now: a case is open, or a law requires them."""

    code: ClassVar[str] = "held"


class CaseError(HandledgerError):
    """A new fact contradicts the facts of a case; `hint` is the way out."""

    code: ClassVar[str] = "case"


class CorrectionError(HandledgerError):
    """A correction doesn't fit the hand that it corrects."""

    code: ClassVar[str] = "correction"


class DisclosureError(HandledgerError):
    """The output would show an audience cards that it hasn't seen."""

    code: ClassVar[str] = "disclosure"

    def __init__(self, audience: str, seats: list[int]) -> None:
        seat_text = ", ".join(map(str, seats))
        super().__init__(
            f"the record holds cards of seat {seat_text} in the clear that this audience has not seen",
            "They cannot be left out of the bytes that are proved. Only hands whose hidden cards "
            "are recorded as commitments can be proved to everybody.",
        )
        self.audience = audience
        self.seats = seats


class RulebookError(HandledgerError):
    """A rulebook file has an error, or no rulebook has this name."""

    code: ClassVar[str] = "rulebook"


class VariantError(HandledgerError):
    """A game is unknown, or can't be evaluated with the installed packages."""

    code: ClassVar[str] = "variant"


class MissingExtraError(HandledgerError):
    """An optional part of the program isn't installed."""

    code: ClassVar[str] = "missing-extra"

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs a part that is not installed", f"Install it with: pip install 'handledger[{extra}]'"
        )


class UsageError(HandledgerError):
    """The request makes no sense."""

    code: ClassVar[str] = "usage"


class TableError(UsageError):
    """An act that can't happen at a table: an empty seat, a name twice, a choice that nobody has."""

    code: ClassVar[str] = "table"


class GameTextError(UsageError):
    """A text that names a game and its stakes can't be read, or leaves something open."""

    code: ClassVar[str] = "game-text"


class PostsError(UsageError):
    """Button, posts or players of a hand can't be right, or the posts that are due aren't known."""

    code: ClassVar[str] = "posts"


class NoRulebookError(UsageError):
    """No rulebook was named to judge by, or the named one has no rules for such a table."""


class NoBookFileError(UsageError):
    """The house adopted a rulebook of its own, and the ledger doesn't have its file."""
