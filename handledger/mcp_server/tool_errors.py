"""Errors of the server: what an assistant asked for that can't be, and what to ask instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from ledger.errors import HandledgerError, NothingFoundError, UsageError
from ledger.text.language import join_list, phrase

_MAX_QUOTED: Final = 80  # characters of a text that an error quotes


class ServerFaultError(HandledgerError):
    """Something went wrong that nobody foresaw. The server goes on."""

    code: ClassVar[str] = "fault"

    def __init__(self, kind: str) -> None:
        super().__init__(
            phrase("This is an error in handledger ({kind}).", kind=kind),
            phrase("Please report it with what was asked; HANDLEDGER_DEBUG=1 shows where it happened."),
        )


def unknown_tool(name: str, tool_names: Iterable[str]) -> UsageError:
    """Return the error for a tool that there is not."""
    return UsageError(
        phrase("There is no tool {name}.", name=_quote(name)),
        phrase("The tools: {names}.", names=join_list(list(tool_names))),
    )


def unusable_arguments(tool: str, reason: str, arguments: Iterable[str]) -> UsageError:
    """Return the error for arguments that don't fit a tool; `reason` names the place."""
    return UsageError(
        phrase("I can't use these arguments of {tool}: {reason}", tool=tool, reason=reason[:300]),
        phrase("Arguments of {tool}: {names}.", tool=tool, names=join_list(list(arguments))),
    )


def table_or_document() -> UsageError:
    """Return the error for a question about no table, or about two."""
    return UsageError(
        phrase("Name a table of the ledger, or write the table out as a document: one of the two."),
        phrase("As in: {example}", example='{"table": "T3"}'),
    )


def text_or_query() -> UsageError:
    """Return the error for a search for nothing, or for two things."""
    return UsageError(
        phrase("Search for letters or for a query: one of the two."),
        phrase("As in: {example}", example='{"query": "pot>=200"}'),
    )


def one_choice_of_hands() -> UsageError:
    """Return the error for hands that are chosen in no way, or in several."""
    return UsageError(
        phrase("Choose hands by their addresses, by a table or by a query: one of the three."),
        phrase("As in: {example}", example='{"hands": ["T3/712"]}'),
    )


def too_many_hands(count: int, limit: int) -> UsageError:
    """Return the error for more hands than one call may check."""
    return UsageError(
        phrase(
            "These are {count} hands; one call checks {limit} at most.",
            count=format(count, ","),
            limit=format(limit, ","),
        ),
        phrase("Narrow it with `query`: a table, a day, a pot. `handledger audit` has no such limit."),
    )


def document_too_long(limit: int) -> UsageError:
    """Return the error for a table that is too long."""
    return UsageError(
        phrase("The table has more than {limit} characters as JSON.", limit=format(limit, ",")),
        phrase("Import it into a ledger, and name its table."),
    )


def book_by_path(name: str, names: Iterable[str]) -> UsageError:
    """Return the error for a rulebook that is named by a file: an assistant reads no files."""
    return UsageError(
        phrase("{name} is a file. Here a rulebook has a name.", name=_quote(name)),
        phrase("Choose one of: {choices}.", choices=", ".join(names)),
    )


def no_rulebook() -> UsageError:
    """Return the error for a question about rules where nobody has chosen a rulebook."""
    return UsageError(
        phrase("no rulebook is chosen, and the house hasn't adopted one"),
        phrase("As in: {example}", example='{"rulebooks": ["hilton"]}'),
    )


def clause_without_book() -> UsageError:
    """Return the error for a clause of no book."""
    return UsageError(phrase("A clause needs its rulebook."), phrase("As in: {example}", example='{"book": "hilton"}'))


def start_beyond_end(start: int, total: int) -> UsageError:
    """Return the error for a page behind the last entry."""
    return UsageError(
        phrase("start is {start}, and the list has {total} entries.", start=start, total=total),
        phrase("Lists begin with 1."),
    )


def names_hidden() -> UsageError:
    """Return the error for a search by name where names are hidden."""
    return UsageError(
        phrase("Names are hidden here, so nothing can be searched by name."),
        phrase("Search by table, day, seat, position or clause."),
    )


def nothing_matches(text: str) -> NothingFoundError:
    """Return the error for a search without a match."""
    return NothingFoundError(
        phrase("Nothing matches {text}.", text=_quote(text)),
        phrase("Search for a part of a table's name, a hand's number, a case or a clause."),
    )


def unknown_resource(uri: str) -> UsageError:
    """Return the error for a resource that there is not."""
    return UsageError(
        phrase("There is no resource {uri}.", uri=_quote(uri)),
        phrase("As in: {example}", example="handledger://rulebooks/hilton"),
    )


def _quote(text: str) -> str:
    return repr(text[:_MAX_QUOTED])
