"""`handledger statistics`: how players play, in the figures that every tracker has."""

from __future__ import annotations

import textwrap
from typing import Annotated, Final, Literal, TypeAlias

import typer

from cli.documents.query_documents import StatisticsDocument
from cli.options import common_options, day_options, ledger_options
from cli.options.day_options import DayBegins
from cli.options.where import QueryOption
from cli.output import console
from cli.output.columns import explain_chair_names, format_columns
from cli.output.line_chart import draw_line_chart
from ledger import safe
from ledger.clocks import format_moment
from ledger.export.seats import Number, format_decimal, write_csv_line
from ledger.text.language import phrase, phrase_count
from projections.amount_text import amount
from projections.queries.statistics_row import Ratio, StatisticsRow, WinLine
from projections.sentences.statistics import describe_left_out, describe_unknown_showdowns, describe_untimed

Grouping: TypeAlias = Literal[
    "player", "position", "stakes", "players", "game", "seat", "table", "venue", "day", "dealer"
]

_WIDTH: Final = 100
_CSV_COLUMNS: Final = (
    *("name", "room", "format", "unit", "hands", "net", "bb_per_100"),
    *("vpip", "pfr", "decisions", "three_bet", "three_bet_chances"),
    *("bets", "raises", "calls", "folds"),
    *("showdowns", "saw_flop", "showdowns_won", "showdowns_judged"),
    *("left_out", "showdown_unknown"),
)


def command(
    player: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLAYER]",
            autocompletion=common_options.complete_people,
            help="A name, venue/name, or the beginning of an id. Default: everybody.",
        ),
    ] = None,
    *,
    grouping: Annotated[Grouping, typer.Option("--by", help="What gets a row.")] = "player",
    shows_counts: Annotated[bool, typer.Option("--counts", help="Show the counts behind each percentage.")] = False,
    where_text: QueryOption = None,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of rows at most; 0 = all.")] = 50,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: Annotated[
        Literal["text", "json", "csv"],
        typer.Option("--format", help="Text for people, JSON for programs, CSV for a spreadsheet."),
    ] = "text",
    file: common_options.Output = None,
) -> None:
    """Count how players play: VPIP, PFR, 3-bet, aggression, showdowns."""
    from projections.queries.statistics_query import find_person_ids, read_statistics

    with (
        ledger_options.open_ledger(url, as_of=as_of) as ledger,
        console.show_progress(phrase("adding up statistics")) as progress,
    ):
        report = read_statistics(
            ledger,
            where_text,
            grouping,
            find_person_ids(ledger, player) if player is not None else [],
            day_begins,
            progress=progress.show_judged,
            on_log_progress=progress.show_followed,
        )
    rows, lines = report.rows, report.lines
    if not rows:
        raise ledger_options.no_hands_error(ledger)
    document = StatisticsDocument(
        by=grouping,
        player=player or "",
        query=where_text or "",
        rows=rows,
        lines=lines,
        left_out=report.left_out,
        showdown_unknown=report.showdown_unknown,
    )
    if format_ == "json":
        console.write_document(document, file)
    elif format_ == "csv":
        console.write_table(list_csv_lines(rows), file)
    elif player is not None and grouping == "player":
        console.write_text(
            "\n\n".join(["\n".join(_describe_row(row)) for row in rows] + list(_draw_lines(lines))), file
        )
    else:
        console.write_text(
            "\n\n".join([_format_table(document, limit, shows_counts=shows_counts), *_draw_lines(lines)]), file
        )


def list_csv_lines(rows: list[StatisticsRow]) -> list[str]:
    """Return statistics as a table for a spreadsheet."""
    return [
        write_csv_line(_CSV_COLUMNS),
        *(
            write_csv_line(
                [
                    row.name,
                    row.room,
                    row.format,
                    row.unit,
                    _format_count(row.hands),
                    format_decimal(row.net, row.exponent),
                    Number("" if row.per_hundred is None else row.per_hundred),
                    *map(_format_count, (row.vpip.count, row.pfr.count, row.vpip.of)),
                    *map(_format_count, (row.three_bet.count, row.three_bet.of)),
                    *map(_format_count, (row.bets, row.raises, row.calls, row.folds)),
                    *map(_format_count, (row.went_to_showdown.count, row.went_to_showdown.of)),
                    *map(_format_count, (row.won_at_showdown.count, row.won_at_showdown.of)),
                    *map(_format_count, (sum(row.left_out.values()), row.showdown_unknown)),
                ]
            )
            for row in rows
        ),
    ]


def _format_count(count: int) -> Number:
    return Number(str(count))


def _format_table(document: StatisticsDocument, limit: int, *, shows_counts: bool) -> str:
    """Return statistics as a table for people, at most `limit` rows; 0 = all."""
    rows = document.rows[: limit or None]
    hands_heading = phrase("hands") if document.by in ("player", "position", "seat") else phrase("dealt in")
    headings = [
        document.by,
        hands_heading,
        phrase("net"),
        "bb/100",
        "VPIP",
        "PFR",
        "3-bet",
        "AF",
        "AFq",
        "WTSD",
        "W$SD",
    ]
    cells = [headings, *(_list_cells(row, shows_counts=shows_counts) for row in rows)]
    lines = format_columns(cells)
    if len(document.rows) > len(rows):
        lines.append(phrase("({count} more; --limit 0 shows all)", count=_group_digits(len(document.rows) - len(rows))))
    for note in (describe_left_out(document.left_out), describe_unknown_showdowns(document.showdown_unknown)):
        lines += ["", *textwrap.wrap(note, _WIDTH)] if note else []
    return "\n".join(lines + explain_chair_names(row.name for row in rows if document.by == "player"))


def _list_cells(row: StatisticsRow, *, shows_counts: bool) -> list[str]:
    ratios = [row.vpip, row.pfr, row.three_bet, row.aggression_frequency, row.went_to_showdown, row.won_at_showdown]
    percentages = [_format_ratio(ratio, shows_counts=shows_counts) for ratio in ratios]
    factor = "" if row.aggression_factor is None else f"{row.aggression_factor:.1f}"
    return [
        safe.terminal(row.name, 32) + (f" @ {safe.terminal(row.room, 24)}" if row.room else ""),
        f"{row.hands:,}",
        _format_net(row.net, row),
        "" if row.per_hundred is None else f"{row.per_hundred:+.1f}",
        *percentages[:3],
        factor,
        *percentages[3:],
    ]


def _format_ratio(ratio: Ratio, *, shows_counts: bool = False) -> str:
    if ratio.percent is None:
        return ""
    return f"{ratio.percent:.0f} %" + (f" ({ratio.count:,}/{ratio.of:,})" if shows_counts else "")


def _format_net(chips: int, row: StatisticsRow | WinLine) -> str:
    amount_text = amount(chips, row.unit, row.exponent)
    return phrase("{amount} chips", amount=amount_text) if row.format == "tournament" else amount_text


def _describe_row(row: StatisticsRow) -> list[str]:
    """Return one person's figures, each with the counts behind it."""
    name = safe.terminal(row.name, 32) + (f" @ {safe.terminal(row.room, 24)}" if row.room else "")
    hands = phrase_count("{number} hand", "{number} hands", row.hands, number=_group_digits(row.hands))
    summary = [name, _name_format(row), hands, _format_net(row.net, row)]
    if row.per_hundred is not None:
        summary.append(f"{row.per_hundred:+.1f} bb/100")
    aggression, factor = row.aggression_frequency, row.aggression_factor
    cells = [
        ["  VPIP", _format_percent(row.vpip), phrase("{count} of {total} hands with a decision before the flop", count=_group_digits(row.vpip.count), total=_group_digits(row.vpip.of))],
        ["  PFR", _format_percent(row.pfr), phrase("{count} of {total} hands, raised before the flop", count=_group_digits(row.pfr.count), total=_group_digits(row.pfr.of))],
        ["  3-bet", _format_percent(row.three_bet), phrase("{count} of {total} chances to raise the first raise", count=_group_digits(row.three_bet.count), total=_group_digits(row.three_bet.of))],
        ["  AF", "-" if factor is None else f"{factor:.1f}", phrase("{aggressive} bets and raises, {calls} calls after the flop", aggressive=_group_digits(aggression.count), calls=_group_digits(row.calls))],
        ["  AFq", _format_percent(aggression), phrase("{count} of {total} bets, raises, calls and folds after the flop", count=_group_digits(aggression.count), total=_group_digits(aggression.of))],
        ["  WTSD", _format_percent(row.went_to_showdown), phrase("{count} showdowns in {total} hands that saw the flop", count=_group_digits(row.went_to_showdown.count), total=_group_digits(row.went_to_showdown.of))],
        ["  W$SD", _format_percent(row.won_at_showdown), phrase("{count} of {total} showdowns won", count=_group_digits(row.won_at_showdown.count), total=_group_digits(row.won_at_showdown.of))],
    ]  # fmt: skip
    widths = [max(len(cell[column]) for cell in cells) for column in range(2)]
    lines = [" · ".join(summary)]
    lines += [f"{label:{widths[0]}}  {value:>{widths[1]}}  {counts}" for label, value, counts in cells]
    for note in (describe_left_out(row.left_out), describe_unknown_showdowns(row.showdown_unknown)):
        lines += textwrap.wrap(note, _WIDTH, initial_indent="  ", subsequent_indent="  ") if note else []
    return lines


def _group_digits(count: int) -> str:
    return f"{count:,}"


def _format_percent(ratio: Ratio) -> str:
    return "-" if ratio.percent is None else f"{ratio.percent:.1f} %"


def _name_format(row: StatisticsRow | WinLine) -> str:
    if row.format == "tournament":
        return phrase("tournaments")
    return phrase("cash {unit}", unit=row.unit) if row.format == "cash" else row.unit


def _draw_lines(lines: list[WinLine]) -> list[str]:
    """Return each line of winnings as a chart, with its figures."""
    return ["\n".join(_draw_line(line)) for line in lines if line.hands > 1]


def _draw_line(line: WinLine) -> list[str]:
    last = line.points[-1]
    chart = draw_line_chart([(point.hands, point.net) for point in line.points], lambda chips: _format_net(chips, line))
    dates = [point.started for point in line.points if point.started is not None]
    period = f"{format_moment(dates[0])[:10]} - {format_moment(dates[-1])[:10]}" if dates else ""
    title = phrase_count(
        "Won over {number} hand", "Won over {number} hands", line.hands, number=_group_digits(line.hands)
    )
    figures = phrase(
        "{net} in all: {showdown} at showdowns, {other} without one",
        net=_format_net(last.net, line),
        showdown=_format_net(last.showdown, line),
        other=_format_net(last.other, line),
    )
    notes = textwrap.wrap(describe_untimed(line.untimed, line.hands), _WIDTH)
    return [" · ".join(part for part in (title, _name_format(line), period) if part), *chart, figures, *notes]
