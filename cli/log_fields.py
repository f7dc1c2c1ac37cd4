"""`handledger log --fields`, `--sort`, `--by`: hands as rows of what was asked for, or summed up by group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from cli import output
from cli.query_documents import FieldsDocument, SumsDocument, SumTold
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from projections.amount_text import amount

if TYPE_CHECKING:
    from pathlib import Path

    from projections.queries.columns import ChipAmount, Value
    from projections.queries.query_run import HandSelection
    from projections.queries.result_query import NameLookup

Fields = Annotated[
    str | None,
    typer.Option("--fields", metavar="NAMES", help="A row of these: time,table,hand,pot,... (`--fields help`)."),
]
Sort = Annotated[
    str | None,
    typer.Option("--sort", metavar="FIELD", help="With --fields: sorted by a field; -pot: the highest first."),
]
Group = Annotated[
    str | None,
    typer.Option("--by", metavar="GROUPS", help="Hands, pots and rake summed up: table,day,dealer,game,venue,format."),
]

DEFAULT: Final = ("time", "table", "hand", "pot")
"""What is listed where only an order is asked for."""


def plain(fields: str | None, sort: str | None, by: str | None) -> bool:
    """Whether hands are told whole, as `log` tells them."""
    if by is not None and (fields is not None or sort is not None):
        raise UsageError("--by sums up, --fields and --sort list", "Leave out one of them.")
    return fields is None and sort is None and by is None


class Listing(NamedTuple):
    """What is to be listed: `day` is when a gaming day begins, in milliseconds."""

    fields: str | None
    sort: str | None
    by: str | None
    day: int
    limit: int


def tell(name_of: NameLookup, asked: HandSelection, listing: Listing, format_: str, file: Path | None) -> None:
    """Write what was asked for; `name_of` gives the name of an id."""
    if listing.by is not None:
        _tell_sums(name_of, asked, _names(listing.by, "--by"), listing.day, format_, file)
    else:
        fields = _names(listing.fields, "--fields") if listing.fields else list(DEFAULT)
        _tell_fields(asked, fields, listing, format_, file)


def _names(told: str, option: str) -> list[str]:
    """Return the names of an option, each of which is known."""
    from projections.queries.columns import COLUMNS, GROUPS

    there = tuple(COLUMNS) if option == "--fields" else GROUPS
    names = [name.strip().lower() for name in told.split(",") if name.strip()]
    for name in names:
        if name not in there:
            raise UsageError(f"{option}: there is no {name!r}", f"There are: {', '.join(there)}.")
    if not names:
        raise UsageError(f"{option}: nothing is named", f"There are: {', '.join(there)}.")
    return list(dict.fromkeys(names))


def _tell_fields(asked: HandSelection, fields: list[str], listing: Listing, format_: str, file: Path | None) -> None:
    from projections.queries.columns import list_hands

    sort, limit = listing.sort, listing.limit
    if sort is not None:
        _names(sort.removeprefix("-"), "--fields")
    rows = list_hands(asked, fields, sort, listing.day, limit + 1 if limit else None)
    shown = list(islice(rows, limit or None))
    if not shown:
        raise NothingFoundError(
            "no hands match", "handledger log lists all hands; handledger import PATH brings more in."
        )
    more = next(rows, None) is not None
    if format_ == "jsonl":
        rows_ = (safe.json({name: _plain(value) for name, value in row.items()}) for row in shown)
        output.lines(rows_, file)
        return
    if format_ == "json":
        hands = [{name: _plain(value) for name, value in row.items()} for row in shown]
        output.document(FieldsDocument(fields=fields, hands=hands, more=more), file)
        return
    output.lines(_table(fields, shown, more, limit), file)


def _table(fields: list[str], rows: Sequence[dict[str, Value | ChipAmount]], more: bool, limit: int) -> Iterator[str]:
    from cli.results import table

    cells = [fields, *([_shown(value) for value in row.values()] for row in rows)]
    yield from (line.rstrip() for line in table(cells))
    if more:
        yield f"(the first {limit:,}; --limit 0 shows all)"


def _plain(value: Value | ChipAmount) -> object:
    if isinstance(value, tuple):
        return {"amount": value.chips, "unit": value.purse.unit, "exponent": len(str(value.purse.scale)) - 1}
    return value


def _shown(value: Value | ChipAmount) -> str:
    if value is None:
        return "?"
    if isinstance(value, tuple):
        return amount(value.chips, value.purse.unit, len(str(value.purse.scale)) - 1)
    if isinstance(value, bool):
        return "yes" if value else ""
    return safe.terminal(str(value), 60)


def _tell_sums(
    name_of: NameLookup, asked: HandSelection, by: list[str], day: int, format_: str, file: Path | None
) -> None:
    from projections.queries.columns import sum_groups
    from projections.queries.result_query import display_name

    sums = [
        SumTold(
            [display_name(name_of, one, (name,)) for one, name in zip(by, names, strict=True)],
            some.hands,
            some.pot,
            some.rake,
            purse.unit,
            len(str(purse.scale)) - 1,
            purse.format,
        )
        for (names, purse), some in sum_groups(asked, by, day).items()
    ]
    if not sums:
        raise NothingFoundError(
            "no hands match", "handledger log lists all hands; handledger import PATH brings more in."
        )
    sums.sort(key=lambda one: (one.names, one.format, one.unit, one.exponent))
    if format_ == "jsonl":
        output.jsonl(sums, file)
    elif format_ == "json":
        output.document(SumsDocument(by=by, sums=sums), file)
    else:
        output.lines(_sums(by, sums), file)


def _sums(by: list[str], sums: Iterable[SumTold]) -> Iterator[str]:
    from cli.results import table

    cells = [[*by, "hands", "pots", "rake", "average pot"]]
    for one in sums:
        chips = (one.pot, one.rake, one.pot // one.hands)
        money = [amount(some, one.unit, one.exponent) for some in chips]
        if one.format == "tournament":
            money = [f"{some} chips" for some in money]
        cells.append([*(safe.terminal(name, 40) or "?" for name in one.names), f"{one.hands:,}", *money])
    yield from table(cells)
