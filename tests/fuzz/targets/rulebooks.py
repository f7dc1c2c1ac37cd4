"""Rulebooks of a house: whatever its file says, it is a book that can judge, or an error with its line."""

from __future__ import annotations

from functools import cache
from typing import Final

from ledger.account import Account
from ledger.errors import RulebookError
from ledger.formats.handscript import FORMAT
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from projections.audit.auditor import audit
from projections.books.house_template import build_house_template
from projections.books.rulebook import list_names, load, read
from tests.fuzz.target import Target
from tests.web.nights import wrong_button

_HEAD: Final = '[rulebook]\ntitle = "Our room"\nedition = "1"\nsource = "ours"\nextends = "{book}@{edition}"\n'
_BODIES: Final = (
    "",
    '[policy]\n"entry.zone" = { is = "open" }\n"missed.marker" = { is = true, clauses = ["B6"], says = "a red chip" }\n',
    '[policy]\n"entry.zone" = { off = "the floor decides" }\n"button.buy" = { is = true, says = "for one big blind" }\n',
    '[B8a.1]\nusing = { limit = 2 }\nseverity = "warning"\nnote = "since May"\n',
    '[intro.1b]\nusing = { burns = 2 }\n\n[B8h]\noff = "sleepers are welcome"\n',
    '[cite]\n"B8a.1" = "12"\n',
    '["own.1"]\nsays = "Nobody straddles."\ntopic = "straddles"\nseverity = "error"\ndetector = "straddles.count"\n',
    '["own.2"]\nsays = "The floor decides."\ntopic = "floor"\nseverity = "info"\nundetectable = "it is the floor\'s"\n',
)


def targets() -> list[Target]:
    """Return the one target."""
    modules = (
        "projections.books.rulebook",
        "projections.book",
        "projections.obligations.policy",
        "projections.detectors",
    )
    return [Target("rulebooks", seeds, run, modules, work=3_000_000, work_per_byte=200)]


def seeds() -> list[bytes]:
    """Return books over each of ours, and the first lines of every template, its comments taken away."""
    heads = [_HEAD.format(book=name, edition=load(name).edition) for name in list_names() if name != "record"]
    bodies = [f"{_HEAD.format(book='hilton', edition=load('hilton').edition)}\n{body}" for body in _BODIES]
    return [text.encode() for text in (*heads, *bodies)]


def run(data: bytes) -> None:
    """Read a book, judge an evening by it, and write what a book over it would be."""
    try:
        book = read("room", data)
    except RulebookError as error:
        if not error.message.startswith("room"):
            raise AssertionError("the error doesn't name the file") from error
        return
    audit([HandReplay(account.events) for account in _evening()], [book])
    build_house_template(book, "room.toml", "room2.toml")


@cache
def _evening() -> tuple[Account, ...]:
    items = FORMAT.read(Chunk(wrong_button().encode()), People(bytes(32)))
    return tuple(item for item in items if isinstance(item, Account))
