"""Errors of the pages: which part of an address or a form is wrong, and what to choose instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.errors import HandledgerError, NothingFoundError, QueryError, StoreError, UsageError
from ledger.text.language import join_list, phrase, translatable

# What an address asks for

_PARAMETER_HINTS: Final = {
    "id": translatable("Choose the hand in the list of tables. Programs find its id in {address}."),
    "name": translatable("Choose the table in the list of tables, or the player in the results."),
}
_PAGES_HINT: Final = translatable("Open the page from the list of tables.")


def page_unknown() -> NothingFoundError:
    """Return the error for an address without a page."""
    return NothingFoundError(
        phrase("There is no such page."), phrase("Choose a table from the list: {address}", address="/tables")
    )


def parameter_missing(name: str) -> UsageError:
    """Return the error for an address that lacks a parameter."""
    return UsageError(
        phrase("The address lacks the parameter {name}.", name=name),
        phrase(_PARAMETER_HINTS.get(name, _PAGES_HINT), address="/log.json"),
    )


def bad_page_number(text: str, maximum: int) -> UsageError:
    """Return the error for a page of a list that isn't a number, or too high."""
    return UsageError(
        phrase("{text} isn't a page number.", text=repr(text[:20])),
        phrase("Give a number from 1 to {maximum}.", maximum=f"{maximum:,}"),
    )


def sort_order_unknown(text: str, names: Sequence[str]) -> UsageError:
    """Return the error for findings in an order that doesn't exist."""
    return UsageError(
        phrase("Findings can't be sorted by {text}.", text=repr(text[:40])),
        phrase("Choose one of: {names}.", names=join_list(names)),
    )


def too_many_to_sort(maximum: int) -> UsageError:
    """Return the error for more findings than can be sorted by money."""
    return UsageError(
        phrase("More than {maximum} findings can't be sorted by money.", maximum=f"{maximum:,}"),
        phrase("Filter them first, for example by table."),
    )


def grouping_unknown(text: str, names: Sequence[str]) -> UsageError:
    """Return the error for results by something that hands don't have."""
    return UsageError(
        phrase("Results can't be grouped by {text}.", text=repr(text[:40])),
        phrase("Choose one of: {names}.", names=join_list(names)),
    )


def findings_not_allowed() -> QueryError:
    """Return the error for a query about findings from somebody who may not see them."""
    return QueryError(
        phrase("This key doesn't show findings."), phrase("Search for tables, players, pots or cards of the board.")
    )


def table_unknown() -> NothingFoundError:
    """Return the error for the page of a table that the ledger doesn't have."""
    return NothingFoundError(
        phrase("There is no such table."), phrase("Choose a table from the list: {address}", address="/tables")
    )


def player_unknown(text: str) -> NothingFoundError:
    """Return the error for the page of a player whom the ledger doesn't know."""
    return NothingFoundError(
        phrase("Nobody has the id {text}.", text=repr(text[:40])), phrase("Choose the player from the results.")
    )


def rulebook_unknown(name: str, names: Sequence[str]) -> NothingFoundError:
    """Return the error for a page about a rulebook that doesn't exist; `names`: those that do."""
    return NothingFoundError(
        phrase("There is no rulebook {name}.", name=repr(name[:80])),
        phrase("Choose one of: {names}.", names=join_list(names)),
    )


def act_address_damaged() -> UsageError:
    """Return the error for an approval whose address lacks its act."""
    return UsageError(
        phrase("The address of this page is damaged."), phrase("Go back to the table and press the button again.")
    )


# What a form holds


def file_missing() -> UsageError:
    """Return the error for an import without a file."""
    return UsageError(phrase("No file was chosen."), phrase("Choose one, or drop it on the page."))


def rulebook_not_listed() -> UsageError:
    """Return the error for a first rulebook that isn't in the form's list."""
    return UsageError(phrase("This rulebook isn't in the list."), phrase("Choose one from the list."))


def table_name_missing() -> UsageError:
    """Return the error for a new table without a name."""
    return UsageError(phrase("The table needs a name."), phrase("For example: {name}", name="T1"))


def game_not_listed() -> UsageError:
    """Return the error for a new table's game that isn't in the form's lists."""
    return UsageError(phrase("This game isn't in the list."), phrase("Choose the game, its blinds and its unit."))


def version_missing() -> UsageError:
    """Return the error for a form that lacks the version of the adoptions that its author saw."""
    return UsageError(phrase("The form lacks its version."), phrase("Open the page again and send it from there."))


def place_without_hands() -> UsageError:
    """Return the error for adopting a book at a room or table without hands."""
    return UsageError(
        phrase("There is no hand from this room or table."), phrase("Choose a room or table from the lists.")
    )


def base_unknown(name: str, names: Sequence[str]) -> NothingFoundError:
    """Return the error for a draft that starts from a book that doesn't exist."""
    return NothingFoundError(
        phrase("There is no rulebook {name} to start from.", name=repr(name[:80])),
        phrase("Choose one of: {names}.", names=join_list(names)),
    )


def draft_unsound(reason: str) -> UsageError:
    """Return the error for a draft with answers that are missing or contradict each other; `reason`: the first."""
    return UsageError(phrase("Some answers don't fit. The reason is next to each of them."), reason)


def draft_unchanged() -> UsageError:
    """Return the error for a draft that says what its base says."""
    return UsageError(
        phrase("Nothing is changed, so there is no book of your own yet."), phrase("Change an answer first.")
    )


def viewer_unnamed() -> UsageError:
    """Return the error for opening hidden cards without a name or a reason."""
    return UsageError(
        phrase("Your name or the reason is missing."),
        phrase("Fill in both: the record keeps who opened hidden cards, and why."),
    )


# What the server can't do now


def ledger_gone() -> StoreError:
    """Return the error for a ledger whose file was moved or deleted."""
    return StoreError(phrase("The ledger's file is no longer there."), phrase(_LEDGER_HINT))


def ledger_replaced() -> StoreError:
    """Return the error for another file in the ledger's place."""
    return StoreError(phrase("Another file is where the ledger was."), phrase(_LEDGER_HINT))


_LEDGER_HINT: Final = translatable(
    "Put the ledger back and start the server again. Until then nothing is shown or recorded."
)


def ledger_unreadable() -> StoreError:
    """Return the error for a database that fails."""
    return StoreError(
        phrase("The ledger can't be read now."),
        phrase("Try again. If it stays so, check the ledger on the server's machine: {command}", command=_VERIFY),
    )


_VERIFY: Final = "handledger verify"


def comparisons_running() -> StoreError:
    """Return the error for another comparison of books, where some are running."""
    return StoreError(phrase("Other comparisons are still running."), phrase("Try again in a minute."))


class WorkerStoppedError(StoreError):
    """The process that judges and draws ended before it finished a job."""


def judging_stopped() -> WorkerStoppedError:
    """Return the error for a process that ended while it judged hands."""
    return WorkerStoppedError(phrase("The process that judges hands stopped before it finished."), phrase("Try again."))


def drawing_stopped() -> StoreError:
    """Return the error for a process that ended while it drew a page, and again on the second try."""
    return StoreError(
        phrase("The process that draws pages stopped before this page was finished."),
        phrase("Open the page again. Tables can still be recorded."),
    )


def page_too_slow(minutes: int) -> StoreError:
    """Return the error for a page that isn't drawn after some minutes."""
    return StoreError(
        phrase("This page wasn't finished within {minutes} minutes.", minutes=minutes),
        phrase("Open it again later, or filter it first, for example by table. Tables can still be recorded."),
    )


def judging_failed(kind: str) -> StoreError:
    """Return the error for a fault in the process that judges; `kind`: the exception's name."""
    return StoreError(phrase("This page can't be shown: {kind}.", kind=kind), phrase(_FAULT_HINT))


def page_failed() -> HandledgerError:
    """Return the error for a fault that the program didn't foresee."""
    return HandledgerError(phrase("This page can't be shown."), phrase(_FAULT_HINT))


_FAULT_HINT: Final = translatable("That's an error in handledger. Please report it.")
