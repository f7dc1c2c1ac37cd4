"""Documents as HTML: templates that escape everything, and one file that needs nothing else.

Every text passes `ledger.safe` on its way out, and then the template's escaping: what would act, hide
or turn round is shown. The script and the style sheet are let in by their hashes; all else is refused.
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
from ledger.hand.titles import game_title
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import amount
from projections.findings.finding import NOT_JUDGED, TOO_LARGE
from projections.reports.fact_names import describe_fact, how_to_record
from projections.reports.knock_on_text import describe_knock_on
from web import shown
from web.geometry import tall, wide
from web.island import island

if TYPE_CHECKING:
    from web.documents import ReportDocument

SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_TEXT_MOST: Final = 4000
_ASKED: Final = (
    "at",
    "boards_of",
    "books_of",
    "changed",
    "differs",
    "found_at",
    "ghostly",
    "headline",
    "in_force",
    "in_words",
    "laid",
    "marked",
    "overpaid",
    "owes",
    "placed",
    "places_of",
    "pot_of",
    "pots_of",
    "short",
    "should_be",
    "signed",
    "spots",
    "standing",
    "streets",
    "unjudged",
    "with_names",
)


def html(report: ReportDocument) -> str:
    """Return a report as one file of HTML."""
    return _rendered(report, static("page.css"), static("replay.js"), paper=False)


def for_paper(report: ReportDocument) -> str:
    """Return a report as HTML to be printed: without a script, its parts in the order of reading."""
    return _rendered(report, static("page.css") + static("paper.css"), "", paper=True)


def _rendered(report: ReportDocument, style: str, script: str, *, paper: bool) -> str:
    return (
        environment()
        .get_template("report.html")
        .render(
            report=report,
            paper=paper,
            style=Markup(style),  # noqa: S704 - a file of ours
            script=Markup(script),  # noqa: S704 - a file of ours
            policy=policy(style, script),
        )
    )


def policy(style: str, script: str) -> str:
    """Return the security policy under which nothing runs or is fetched but this style sheet and this script."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def static(name: str) -> str:
    """Return a file that is sent to browsers, without its indentation and its lines of comment."""
    lines = resources.files(web).joinpath("static", name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for one in lines if (line := one.strip()) and not line.startswith("//"))


@cache
def environment() -> Environment:
    """Return the templates, with what they may call."""
    made = Environment(
        loader=PackageLoader(web.__name__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "told": Told,
        "cards": cards,
        "fact": describe_fact,
        "how_to_record": how_to_record,
        "led": lambda one: Told(describe_knock_on(one)),
    }
    made.globals |= {
        **{name: getattr(shown, name) for name in _ASKED},
        "names": shown.NAMES,
        "too_long": TOO_LARGE,
        "not_judged": NOT_JUDGED,
        "basis": shown.BASIS,
        "amount": amount,
        "typed": quote_for_shell,
        "titled": game_title,
        "when": describe_local_time,
        "paper_table": lambda: Markup(static("paper-table.css")),  # noqa: S704 - a file of ours
        "clock": lambda millis: format_wall_time(millis).replace("T", " "),
        "drawings": lambda seats: [wide(seats), tall(seats)],
        "island": lambda page: Markup(island(page)),  # noqa: S704 - JSON of ours, without < > &
        "suit": SUITS.get,
    }
    return made


class Told(str):
    """A text that has been through `ledger.safe` already: a second time would double its escapes."""

    __slots__ = ()


def _harmless(value: object) -> object:
    """Return a value as templates may print it; escaping for HTML comes behind this."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup | Told):
        return safe.lines(value, _TEXT_MOST)
    return value


def cards(written: str) -> list[tuple[str, str]]:
    """Return cards as rank and suit; an unknown one has neither.

    >>> cards("Th??")
    [('10', 'h'), ('', '')]
    """
    each = [written[at : at + 2] for at in range(0, len(written), 2)]
    return [("", "") if one == "??" else ({"T": "10"}.get(one[0], one[0]), one[1]) for one in each]
