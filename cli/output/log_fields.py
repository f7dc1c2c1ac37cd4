"""`handledger log --fields`, `--sort`, `--by`: hands as rows of chosen columns, or summed up by group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from cli.documents.query_documents import FieldsDocument, SumEntry, SumsDocument
from cli.output import console
from ledger import safe
from ledger.errors import UsageError
from projections.amount_text import amount

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.errors import HandledgerError
    from projections.queries.columns import ChipAmount, FieldValue
    from projections.queries.query_run import HandSelection
    from projections.queries.result_query import NameLookup


def _list_columns(names: str | None) -> str | None:
    """Print the names of all columns and end, if `--fields help` asks for them."""
    if names is not None and names.strip().lower() == "help":
        from projections.queries.columns import LISTED_FIELDS

        typer.echo("Columns for --fields, separated by commas:\n")
        typer.echo("\n".join(wrap(", ".join(LISTED_FIELDS), 76, initial_indent="  ", subsequent_indent="  ")))
        typer.echo("\nhandledger log --fields hand,pot,board --sort -pot -n 10")
        raise typer.Exit
    return names


Fields = Annotated[
    str | None,
    typer.Option(
        "--fields",
        metavar="NAMES",
        callback=_list_columns,
        help="The columns: time,table,hand,pot. `--fields help` lists them.",
    ),
]
Sort = Annotated[
    str | None,
    typer.Option("--sort", metavar="FIELD", help="With --fields: sort by a column; -pot puts the highest first."),
]
Group = Annotated[
    str | None,
    typer.Option("--by", metavar="GROUPS", help="Add up hands, pots and rake by table,day,dealer,game,venue,format."),
]

DEFAULT: Final = ("time", "table", "hand", "pot")
"""The columns if only `--sort` is given."""


def check_listing_options(fields: str | None, sort: str | None, grouping: str | None) -> None:
    """Raise `UsageError` if `--by` comes with `--fields` or `--sort`."""
    if grouping is not None and (fields is not None or sort is not None):
        raise UsageError("--by sums up, --fields and --sort list", "Leave out one of them.")


class Listing(NamedTuple):
    """The options of a listing.

    `day`: when a gaming day begins, in milliseconds after midnight. `no_hands` returns the error to raise if no hand
    matches.
    """

    fields: str | None
    sort: str | None
    groups: str | None
    day: int
    limit: int
    no_hands: Callable[[], HandledgerError]


def write_listing(
    name_of: NameLookup, selection: HandSelection, listing: Listing, format_: str, file: Path | None
) -> None:
    """Write the listing; `name_of` returns the name of a player's id."""
    if listing.groups is not None:
        _write_sums(name_of, selection, _parse_names(listing.groups, "--by"), listing, format_, file)
    else:
        fields = _parse_names(listing.fields, "--fields") if listing.fields else list(DEFAULT)
        _write_fields(selection, fields, listing, format_, file)


def _parse_names(option_value: str, option: str) -> list[str]:
    """Return the names in an option's value; `UsageError` for an unknown name."""
    from projections.queries.columns import GROUP_FIELDS, LISTED_FIELDS

    known_names = GROUP_FIELDS if option == "--by" else tuple(LISTED_FIELDS)
    names = [name.strip().lower() for name in option_value.split(",") if name.strip()]
    for name in names:
        if name not in known_names:
            raise UsageError(f"{option}: there is no {name!r}", f"Choose from: {', '.join(known_names)}.")
    if not names:
        raise UsageError(f"{option}: the names are missing", f"Choose from: {', '.join(known_names)}.")
    return list(dict.fromkeys(names))


def _write_fields(
    selection: HandSelection, fields: list[str], listing: Listing, format_: str, file: Path | None
) -> None:
    from projections.queries.columns import list_field_values

    sort, limit = listing.sort, listing.limit
    if sort is not None:
        _parse_names(sort.removeprefix("-"), "--sort")
    rows = list_field_values(selection, fields, sort, listing.day, limit + 1 if limit else None)
    shown_rows = list(islice(rows, limit or None))
    if not shown_rows:
        raise listing.no_hands()
    has_more = next(rows, None) is not None
    if format_ == "jsonl":
        json_lines = (safe.json({name: _convert_value(value) for name, value in row.items()}) for row in shown_rows)
        console.write_lines(json_lines, file)
        return
    if format_ == "json":
        hands = [{name: _convert_value(value) for name, value in row.items()} for row in shown_rows]
        console.write_document(FieldsDocument(fields=fields, hands=hands, more=has_more), file)
        return
    console.write_lines(_format_table(fields, shown_rows, has_more, limit), file)


def _format_table(
    fields: list[str], rows: Sequence[dict[str, FieldValue | ChipAmount]], has_more: bool, limit: int
) -> Iterator[str]:
    from cli.output.columns import format_columns

    cells = [fields, *([_format_value(value) for value in row.values()] for row in rows)]
    yield from (line.rstrip() for line in format_columns(cells))
    if has_more:
        yield f"(the first {limit:,}; --limit 0 shows all)"


def _convert_value(value: FieldValue | ChipAmount) -> object:
    if isinstance(value, tuple):
        return {"amount": value.chips, "unit": value.purse.unit, "exponent": len(str(value.purse.scale)) - 1}
    return value


def _format_value(value: FieldValue | ChipAmount) -> str:
    if value is None:
        return "?"
    if isinstance(value, tuple):
        return amount(value.chips, value.purse.unit, len(str(value.purse.scale)) - 1)
    if isinstance(value, bool):
        return "yes" if value else ""
    return safe.terminal(str(value), 60)


def _write_sums(
    name_of: NameLookup, selection: HandSelection, groups: list[str], listing: Listing, format_: str, file: Path | None
) -> None:
    from projections.queries.columns import sum_groups
    from projections.queries.result_query import name_group_for_display

    sums = [
        SumEntry(
            [
                name_group_for_display(name_of, group, (group_name,))
                for group, group_name in zip(groups, names, strict=True)
            ],
            group_sum.hands,
            group_sum.pot,
            group_sum.rake,
            purse.unit,
            len(str(purse.scale)) - 1,
            purse.format,
        )
        for (names, purse), group_sum in sum_groups(selection, groups, listing.day).items()
    ]
    if not sums:
        raise listing.no_hands()
    sums.sort(key=lambda group: (group.names, group.format, group.unit, group.exponent))
    if format_ == "jsonl":
        console.write_jsonl(sums, file)
    elif format_ == "json":
        console.write_document(SumsDocument(by=groups, sums=sums), file)
    else:
        console.write_lines(_format_sums(groups, sums), file)


def _format_sums(groups: list[str], sums: Iterable[SumEntry]) -> Iterator[str]:
    from cli.output.columns import format_columns

    cells = [[*groups, "hands", "pots", "rake", "average pot"]]
    for group_sum in sums:
        chips = (group_sum.pot, group_sum.rake, group_sum.pot // group_sum.hands)
        amounts = [amount(total, group_sum.unit, group_sum.exponent) for total in chips]
        if group_sum.format == "tournament":
            amounts = [f"{amount_text} chips" for amount_text in amounts]
        cells.append([*(safe.terminal(name, 40) or "?" for name in group_sum.names), f"{group_sum.hands:,}", *amounts])
    yield from format_columns(cells)
