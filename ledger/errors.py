"""One class for each thing that can go wrong; nothing else leaves the program.

Each takes the data, writes the sentence itself and keeps the data. `hint` says what to do next.
"""

from __future__ import annotations

from typing import ClassVar, Final


class HandledgerError(Exception):
    """Something went wrong that the program foresaw. `code` is stable, `hint` says what to do.

    `form_hint` says it to somebody who fills in a form and knows no commands; "" if `hint` will do.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, hint: str = "", *, form_hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.form_hint = form_hint


class UnreadableHandError(HandledgerError):
    """A span of a source is no hand that its format can say. Caught by the reader: a reject."""

    code: ClassVar[str] = "unreadable-hand"

    def __init__(self, reason: str, *, kind: str = "unreadable", byte_offset: int = 0, hint: str = "") -> None:
        super().__init__(reason, hint)
        self.reason = reason
        self.kind = kind  # stable code of the reject
        self.byte_offset = byte_offset  # byte offset from the start of the hand


class NotAccountedError(HandledgerError):
    """A reader's spans overlap or leave the source."""

    code: ClassVar[str] = "bytes-not-accounted"


HOW_TO_SAY: Final = "If you know the format, add --format NAME (see handledger import --help)."
"""The hint of whatever has no format, or one that nobody knows."""


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
    """What was named as a file is a pipe, a socket or a device."""

    code: ClassVar[str] = "no-file"

    def __init__(self, path: str, words: str) -> None:
        super().__init__(
            f"{path} is {words}, no file",
            "Name a file, or - for what comes through a pipe." if words == "a pipe" else "Name a file.",
        )


class ArchiveError(SourceError):
    """An archive is damaged or larger, deeper or fuller than allowed."""

    code: ClassVar[str] = "archive"


class NothingFoundError(HandledgerError):
    """No hand, file or finding matches what was asked for."""

    code: ClassVar[str] = "nothing-found"


class QueryError(HandledgerError):
    """A query does not parse, or asks for what there is not."""

    code: ClassVar[str] = "query"


class AddressError(HandledgerError):
    """An address (`table#42`, `hand@12`, `file:line`) does not parse or is ambiguous."""

    code: ClassVar[str] = "address"


class StoreError(HandledgerError):
    """The ledger's database refused, or is not one."""

    code: ClassVar[str] = "store"


class NotALedgerError(StoreError):
    """The database exists and is no ledger."""

    code: ClassVar[str] = "not-a-ledger"


class NoLedgerError(StoreError):
    """There is no ledger where one was looked for."""

    code: ClassVar[str] = "no-ledger"


class UnstorableError(StoreError):
    """An event holds something that no ledger can keep: U+0000, half a surrogate pair."""

    code: ClassVar[str] = "unstorable"


class NewerLedgerError(StoreError):
    """The ledger was written by a newer version of handledger."""

    code: ClassVar[str] = "newer-ledger"


class ConflictError(StoreError):
    """Another writer was first at this place of the stream."""

    code: ClassVar[str] = "conflict"


class LedgerBusyError(StoreError):
    """Another program holds the ledger for writing."""

    code: ClassVar[str] = "busy"


class StorageFullError(StoreError):
    """The disk is full or may not be written."""

    code: ClassVar[str] = "storage"


class IntegrityError(StoreError):
    """What is stored contradicts itself."""

    code: ClassVar[str] = "integrity"
    exit_code: ClassVar[int] = 4


class ProofError(HandledgerError):
    """A proof, a checkpoint or a key is not what it should be; the sentence says what is wrong."""

    code: ClassVar[str] = "proof"
    exit_code: ClassVar[int] = 4


class NotSealedError(ProofError):
    """What is to be proved came after the last checkpoint: nothing is broken, it is too early."""

    code: ClassVar[str] = "not-sealed"
    exit_code: ClassVar[int] = 2


class ForkError(ProofError):
    """A log contradicts what it signed before. `evidence` shows both, for whoever has to decide."""

    code: ClassVar[str] = "fork"

    def __init__(self, message: str, evidence: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.evidence = evidence


class SigningKeyError(HandledgerError):
    """A signing key, or a public one, cannot be used."""

    code: ClassVar[str] = "key"


class PeopleKeyError(HandledgerError):
    """The key of a ledger's ids is not at hand, is another, or cannot be read or made."""

    code: ClassVar[str] = "people-key"


class UnknownEventError(StoreError):
    """Stored bytes hold an event that this version does not know."""

    code: ClassVar[str] = "unknown-event"


class LostInFormatError(HandledgerError):
    """A format cannot say part of a hand, and losing it was not allowed."""

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
    """A person's data may not be erased now: a case is open, or the law asks for them."""

    code: ClassVar[str] = "held"


class CaseError(HandledgerError):
    """A fact contradicts what a case says already; `hint` is the way out."""

    code: ClassVar[str] = "case"


class CorrectionError(HandledgerError):
    """A correction does not fit the hand that it is to correct."""

    code: ClassVar[str] = "correction"


class DisclosureError(HandledgerError):
    """What was asked for would show somebody cards that they have not seen."""

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
    """A rulebook file is wrong, or there is none of that name."""

    code: ClassVar[str] = "rulebook"


class VariantError(HandledgerError):
    """A game is not known, or cannot be evaluated with what is installed."""

    code: ClassVar[str] = "variant"


class MissingExtraError(HandledgerError):
    """An optional part of the program is not installed."""

    code: ClassVar[str] = "missing-extra"

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs a part that is not installed", f"Install it with: pip install 'handledger[{extra}]'"
        )


class UsageError(HandledgerError):
    """What was asked for makes no sense."""

    code: ClassVar[str] = "usage"


class TableError(UsageError):
    """Something that can't happen at a table: an empty seat, a name twice, a choice that nobody has."""

    code: ClassVar[str] = "table"


class GameTextError(UsageError):
    """A text that names a game and its stakes can't be read, or leaves something open."""

    code: ClassVar[str] = "game-text"


class PostsError(UsageError):
    """Button, posts or players of a hand can't be, or what is due on it isn't known."""

    code: ClassVar[str] = "posts"


class NoRulebookError(UsageError):
    """Nobody said which rulebook to judge by, or the named one has no rules for such a table."""


class NoBookFileError(UsageError):
    """The house adopted a rulebook of its own, and its file is not in the ledger."""
