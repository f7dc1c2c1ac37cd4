"""The report of a shift as a page, on paper, as a table and as text: the answer first, lines to sign last."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from html import unescape
from io import StringIO

from msgspec.structs import replace

from cli.output.shift_text import format_shift_report
from projections.audit.audit_result import BookRef
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.money.funds import FundSums
from projections.money.shift_csv import COLUMNS, format_shift_rows
from projections.money.shift_report import (
    ShiftCorrection,
    ShiftDealerSums,
    ShiftFinding,
    ShiftReport,
    ShiftTableSums,
    ShiftTotal,
    ShiftTournamentSums,
)
from web.pages.documents import Head, ShiftReportDocument
from web.pages.shift_page import render_shift_for_paper, render_shift_html

HOSTILE = "=<b>Eve</b>\x1b[31m\u202e"
COUNT = EventRef("cd" * 16, 99, "T1@99", "drop box counted: $186")
HAND = EventRef("ab" * 16, 3, "T1/1020", "rake $8")


def table_sums(name: str, box: int | None) -> ShiftTableSums:
    return ShiftTableSums(
        venue="Desert Palms",
        tournament="",
        table=name,
        first="2026-11-20 18:03",
        last="2026-11-20 21:18",
        hands=66,
        rake=20600,
        box=box,
        box_difference=None if box is None else box - 20600,
        jackpot=3800,
        jackpot_box=3800,
        jackpot_difference=0,
        fills=150000,
        credits=20000,
        tray=170000,
        unit="USD",
        exponent=2,
    )


SHORT_BOX = MoneyDifference(
    "box",
    "Desert Palms",
    "",
    "T1",
    "The drop box of table T1 held $186. The hands dropped $206.",
    20600,
    18600,
    "USD",
    2,
    because="66 hands dropped $206 since the box before.",
    events=[COUNT],
    could_explain=[HAND],
)
NOT_COUNTED = MoneyGap("box", "Desert Palms", "", "T3", "Nobody counted the drop box of table T3.")
REPORT = ShiftReport(
    shift="swing",
    venues=["Desert Palms"],
    first="2026-11-20 18:03",
    last="2026-11-20 21:21",
    hands=228,
    answer="One difference in the money of 228 hands. One thing couldn't be checked.",
    totals=[
        ShiftTotal(
            unit="USD",
            exponent=2,
            tables=3,
            hands=200,
            rake=60500,
            hands_without_drop=0,
            box=None,
            box_difference=None,
            jackpot=12200,
            jackpot_box=12200,
            jackpot_difference=0,
        )
    ],
    tables=[table_sums("T1", 18600), table_sums("T2", 20600), table_sums("T3", None)],
    dealers=[ShiftDealerSums(dealer="Maria", tables=["T1", "T2"], hands=100, rake=30000, unit="USD", exponent=2)],
    tournaments=[
        ShiftTournamentSums(
            venue="Desert Palms",
            tournament="88",
            tables=["1", "2"],
            entries=12,
            further_entries=1,
            pool=130000,
            stated_pool=130000,
            paid=130000,
        )
    ],
    funds=[FundSums("Desert Palms", "jackpot", "USD", 2, 12200, 12200, 50000, 0, 0, [])],
    differences=[SHORT_BOX],
    gaps=[NOT_COUNTED],
    corrections=[
        ShiftCorrection(
            venue="Desert Palms",
            tournament="",
            table="T2",
            was=["drop box counted: $180"],
            became=["drop box counted: $189"],
            by="floor",
            person="Rosa",
            why="read 180 for 189",
            recorded="2026-11-21T02:10:00Z",
            event=EventRef("cd" * 16, 99, "T2"),
        )
    ],
    findings=[
        ShiftFinding(
            clause="rrop4 blinds.3", severity="error", saw="Seat 7 posted", asks="The button posts.", event=HAND
        )
    ],
    books=[BookRef("room", "Our room", "1", "e" * 64, "2026-11-01")],
)


def document_of(report: ShiftReport) -> ShiftReportDocument:
    return ShiftReportDocument(
        title=f"Shift report: {report.shift}",
        made=1_795_000_000_000,
        version="1.0",
        head=Head("room.ledger", 1234, "ab" * 32, 1200, "room.example", "key+abc"),
        command="handledger report --shift swing --table T1 -r room.toml",
        shift=report,
    )


def text_of(html: str) -> str:
    body = html[html.index("<main") :]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def rows_of(report: ShiftReport) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO("".join(format_shift_rows(report)))))


def in_order(text: str, words: Sequence[str]) -> bool:
    places = [text.index(word) for word in words]
    return places == sorted(places)


def test_a_page_begins_with_the_answer_and_ends_with_lines_to_sign() -> None:
    for render in (render_shift_html, render_shift_for_paper):
        text = text_of(render(document_of(REPORT)))
        assert in_order(
            text,
            [
                "✗ 1 difference",
                "? 1 thing not checked",
                REPORT.answer,
                "sha256",
                "Differences, and what they rest on",
                "Corrections",
                "Auditor: name and signature",
                "Floor manager: name and signature",
            ],
        )


def test_a_difference_has_both_sums_and_what_it_rests_on() -> None:
    text = text_of(render_shift_html(document_of(REPORT)))
    assert "expected $206 · recorded $186 · -$20" in text
    assert "Based on: T1@99: drop box counted: $186" in text
    assert "These could explain it: T1/1020: rake $8" in text


def test_a_difference_without_both_sums_states_none() -> None:
    report = replace(REPORT, differences=[replace(REPORT.differences[0], expected=None)])
    assert "expected" not in text_of(render_shift_html(document_of(report)))


def test_a_correction_names_who_and_why() -> None:
    text = text_of(render_shift_html(document_of(REPORT)))
    assert "drop box counted: $180 drop box counted: $189 floor Rosa read 180 for 189" in text


def test_a_missing_count_is_no_difference() -> None:
    html = render_shift_html(document_of(REPORT))
    (row,) = [row for row in html.split("<tr>") if row.startswith('<th scope="row">T3</th><td>66')]
    assert "<td>$206</td><td>?</td><td>?</td>" in row


def test_a_shift_is_green_only_if_everything_was_counted() -> None:
    counted = replace(REPORT, differences=[], gaps=[])
    assert "✓ adds up" in text_of(render_shift_html(document_of(counted)))
    for report in (REPORT, replace(REPORT, gaps=[]), replace(REPORT, differences=[])):
        assert "✓" not in text_of(render_shift_html(document_of(report)))


def test_what_belongs_to_no_table_names_the_room() -> None:
    gap = MoneyGap("fund", "Desert Palms", "", "", "The jackpot fund paid more than the hands took for it.")
    report = replace(REPORT, gaps=[gap])
    assert "Fund · Desert Palms" in text_of(render_shift_html(document_of(report)))
    assert "? Fund · Desert Palms" in format_shift_report(report)


def test_text_for_a_terminal_has_the_same() -> None:
    text = format_shift_report(REPORT)
    assert text.splitlines()[:2] == ["Desert Palms · 2026-11-20 18:03 to 2026-11-20 21:21", REPORT.answer]
    assert in_order(
        text, ["✗ Box · T1", "expected $206, recorded $186: -$20", "T1/1020: rake $8", "? Box · T3", "Maria", "Rosa"]
    )


def test_the_table_has_a_row_for_each_sum_difference_gap_and_correction() -> None:
    rows = rows_of(REPORT)
    assert list(rows[0]) == list(COLUMNS)
    assert {row["row"] for row in rows} == {
        "table",
        "dealer",
        "fund",
        "tournament",
        "difference",
        "gap",
        "correction",
        "finding",
    }
    (difference,) = [row for row in rows if row["row"] == "difference"]
    assert (difference["expected"], difference["recorded"], difference["difference"]) == ("206.00", "186.00", "-20.00")
    assert (difference["events"], difference["could_explain"]) == ("T1@99", "T1/1020@3")
    uncounted_row = next(row for row in rows if (row["table"], row["kind"]) == ("T3", "rake"))
    assert (uncounted_row["recorded"], uncounted_row["difference"]) == ("", "")


def test_an_overlay_and_added_money_have_columns_of_their_own() -> None:
    tournament = REPORT.tournaments[0]
    guaranteed = replace(tournament, tournament="89", stated_pool=200000, guaranteed=200000, added=0, overlay=70000)
    for report, has_columns in ((REPORT, False), (replace(REPORT, tournaments=[tournament, guaranteed]), True)):
        text, html = format_shift_report(report), text_of(render_shift_html(document_of(report)))
        assert ("overlay" in text, "overlay" in html) == (has_columns, has_columns)
        (row,) = [line.split() for line in text.splitlines() if line.split()[:1] == ["88"]]
        assert row[:6] == ["88", "12", "1", "1300", *(["0", "0"] if has_columns else ["1300", "1300"])]
        sums = {row["kind"]: row["recorded"] for row in rows_of(report) if row["tournament"] == "89"}
        assert (sums.get("overlay"), sums.get("guaranteed pool")) == (
            ("700.00", "2000.00") if has_columns else (None, None)
        )


def test_the_overlay_and_added_money_are_no_difference_of_the_pool() -> None:
    tournament = replace(REPORT.tournaments[0], stated_pool=200000, paid=200000, added=20000, overlay=50000)
    rows = {row["kind"]: row for row in rows_of(replace(REPORT, tournaments=[tournament])) if row["tournament"] == "88"}
    for kind in ("pool", "prizes"):
        assert (rows[kind]["expected"], rows[kind]["recorded"], rows[kind]["difference"]) == (
            "2000.00",
            "2000.00",
            "0.00",
        )


def test_names_are_harmless_everywhere() -> None:
    event = replace(HAND, name=HOSTILE, note=HOSTILE)
    report = replace(
        REPORT,
        shift=HOSTILE,
        venues=[HOSTILE],
        answer=HOSTILE,
        tables=[table_sums(HOSTILE, None)],
        dealers=[replace(REPORT.dealers[0], dealer=HOSTILE, tables=[HOSTILE])],
        tournaments=[replace(REPORT.tournaments[0], tournament=HOSTILE)],
        differences=[
            replace(SHORT_BOX, table=HOSTILE, says=HOSTILE, because=HOSTILE, player=HOSTILE, clause=HOSTILE, events=[event], could_explain=[event])
        ],
        gaps=[replace(NOT_COUNTED, table=HOSTILE, missing=HOSTILE, events=[event])],
        corrections=[replace(REPORT.corrections[0], person=HOSTILE, why=HOSTILE, was=[HOSTILE], event=event)],
        findings=[replace(REPORT.findings[0], saw=HOSTILE, asks=HOSTILE, event=event)],
    )  # fmt: skip
    outputs = [
        render_shift_html(document_of(report)),
        render_shift_for_paper(document_of(report)),
        format_shift_report(report),
        "".join(format_shift_rows(report)),
    ]
    for output in outputs:
        assert "\x1b" not in output
        assert "\u202e" not in output
    for html in outputs[:2]:
        assert "<b>Eve" not in html
    for row in rows_of(report):
        assert not any(cell.startswith("=") for cell in row.values())
