"""Render documents as HTML: one file that needs nothing else.

Every text passes `ledger.safe` and then the template's escaping, so control characters become visible.
The content policy admits our script and style sheet by their hashes and refuses everything else.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import web
from ledger import safe
from ledger.clocks import describe_local_time, format_wall_time
from ledger.hand.titles import format_game_title
from ledger.text.language import language_in_force, phrase, phrase_count
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import amount
from projections.findings.finding import NOT_JUDGED, TOO_LARGE
from projections.live.evening_documents import iter_stack_summary
from projections.reports.fact_names import advise_recording, describe_fact
from projections.reports.knock_on_text import describe_knock_on
from projections.sentences.words import certainty_name, severity_name
from web.charts import page_charts
from web.pages import display_texts
from web.pages.frame_data import build_island
from web.pages.seat_layout import find_narrowed_width, lay_out_tall, lay_out_wide

if TYPE_CHECKING:
    from web.pages.documents import ReportDocument

SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_MAX_TEXT_LENGTH: Final = 4000
_HELPERS: Final = (
    "count_moved_chips",
    "count_unjudged",
    "describe_debts",
    "describe_overlong_hands",
    "describe_overpaid",
    "describe_position_errors",
    "describe_seat",
    "describe_stack_changes",
    "describe_table",
    "find_finding_frames",
    "find_opening_seat",
    "find_street_starts",
    "format_headline",
    "format_plate_name",
    "format_positions",
    "format_pot",
    "format_pots",
    "format_should_be",
    "format_signed_amount",
    "has_ghosts",
    "lay_cards",
    "list_books",
    "list_dealt_boards",
    "list_judgements_in_force",
    "list_markers",
    "list_position_seats",
    "name_live_players",
    "name_players",
    "place_boards",
)


def render_html(report: ReportDocument) -> str:
    """Return a report as one file of HTML."""
    return _render_report(report, _read_style(report), read_static("replay.js"), paper=False)


def render_for_paper(report: ReportDocument) -> str:
    """Return a report as HTML to print: no script, and the parts in reading order."""
    return _render_report(report, _read_style(report) + read_static("paper.css"), "", paper=True)


def _read_style(report: ReportDocument) -> str:
    """Return the style sheet of a report. Only a report of several hands has charts."""
    names = ["page.css", "charts.css", "report.css"] if report.summary else ["page.css"]
    return "\n".join(map(read_static, names))


def _render_report(report: ReportDocument, style: str, script: str, *, paper: bool) -> str:
    return (
        build_template_environment()
        .get_template("report.html")
        .render(
            report=report,
            paper=paper,
            style=Markup(style),  # noqa: S704 - a file of ours
            script=Markup(script),  # noqa: S704 - a file of ours
            policy=build_content_policy(style, script),
        )
    )


def build_content_policy(style: str, script: str) -> str:
    """Return a content security policy that admits only this style sheet and this script."""
    return (
        f"default-src 'none'; script-src '{_hash_for_policy(script)}'; style-src '{_hash_for_policy(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash_for_policy(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def read_static(name: str) -> str:
    """Return a static file without its indentation and comment lines."""
    lines = resources.files(web).joinpath("static", name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for raw_line in lines if (line := raw_line.strip()) and not line.startswith("//"))


def list_static(folder: str) -> list[str]:
    """Return the names of the scripts in a folder of static files."""
    return [
        entry.name for entry in resources.files(web).joinpath("static", folder).iterdir() if entry.name.endswith(".js")
    ]


_LANGUAGE_TAGS: Final = {"zh": "zh-Hans"}


@cache
def build_template_environment() -> Environment:
    """Return the templates with the filters and functions that they call."""
    templates = Environment(
        loader=PackageLoader(web.__name__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_make_safe,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "already_safe": SafeText,
        "cards": parse_cards,
        "fact": describe_fact,
        "advise_recording": advise_recording,
        "describe_aftermath": lambda knock_on: SafeText(describe_knock_on(knock_on)),
    }
    templates.globals |= {
        **{name: getattr(display_texts, name) for name in _HELPERS},
        "marker_names": display_texts.MARKER_NAMES,
        "too_long": TOO_LARGE,
        "not_judged": NOT_JUDGED,
        "basis_labels": display_texts.BASIS_LABELS,
        "amount": amount,
        "certainty_name": certainty_name,
        "severity_name": severity_name,
        "quote_for_shell": quote_for_shell,
        "titled": format_game_title,
        "when": describe_local_time,
        "paper_table": lambda: Markup(read_static("paper-table.css")),  # noqa: S704 - a file of ours
        "paper_chart": lambda: Markup(read_static("paper-chart.css")),  # noqa: S704 - a file of ours
        "narrowed_width": find_narrowed_width,
        "stack_charts": page_charts.build_stack_charts,
        "stack_summary": iter_stack_summary,
        "heat_level": page_charts.find_heat_level,
        "clock": lambda millis: format_wall_time(millis).replace("T", " "),
        "drawings": lambda seats: [lay_out_wide(seats), lay_out_tall(seats)],
        "island": lambda page: Markup(build_island(page)),  # noqa: S704 - JSON of ours, without < > &
        "suit": SUITS.get,
        "phrase": phrase,
        "phrase_count": phrase_count,
        "page_language": lambda: _LANGUAGE_TAGS.get(language_in_force(), language_in_force()),
    }
    return templates


class SafeText(str):
    """A text that `ledger.safe` has escaped already. A second pass would double its escapes."""

    __slots__ = ()


def _make_safe(value: object) -> object:
    """Return a value that templates may print. They escape it for HTML afterwards."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup | SafeText):
        return safe.lines(value, _MAX_TEXT_LENGTH)
    return value


def parse_cards(text: str) -> list[tuple[str, str]]:
    """Return the rank and suit of each card; empty for an unknown card.

    >>> parse_cards("Th??")
    [('10', 'h'), ('', '')]
    """
    card_texts = [text[start : start + 2] for start in range(0, len(text), 2)]
    return [("", "") if card == "??" else ({"T": "10"}.get(card[0], card[0]), card[1]) for card in card_texts]
