"""The vocabulary can say what the rulebooks ask for and what the formats write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.event import topic
from ledger.events import EVENT_TYPES, TOPICS
from ledger.schema import list_fields
from tests.conftest import ROOT

FACTS: dict[str, Any] = tomllib.loads((ROOT / "docs/facts.toml").read_text("utf-8"))


def told_by(fact: dict[str, list[str]]) -> Iterator[str]:
    for sources in fact.values():
        yield from sources


def problem(name: str) -> str:
    """What is wrong with `topic`, `topic.field` or `topic.field=value`; "" = nothing."""
    path, _, value = name.partition("=")
    stream, event, *field = path.split(".")
    kind = TOPICS.get(f"{stream}.{event}")
    if kind is None:
        return f"{name}: no such event"
    if field and field[0] not in kind.__struct_fields__:
        return f"{name}: no such field"
    if value:
        info = msgspec.inspect.type_info(kind)
        (matching_field,) = (field_info for field_info in info.fields if field_info.name == field[0])
        if value not in getattr(matching_field.type, "values", ()):
            return f"{name}: not one of its values"
    return ""


def test_every_fact_that_a_clause_can_ask_for_has_its_event_and_field() -> None:
    for name, fact in FACTS["fact"].items():
        assert fact["is"], name
        assert [wrong for path in told_by(fact) if (wrong := problem(path))] == [], name


def test_what_is_not_in_the_vocabulary_is_noticed() -> None:
    assert problem("hand.blind-stolen") == "hand.blind-stolen: no such event"
    assert problem("hand.blind-posted.colour") == "hand.blind-posted.colour: no such field"
    assert problem("hand.blind-posted.role=huge") == "hand.blind-posted.role=huge: not one of its values"
    assert problem("hand.blind-posted.role=kill") == ""


def test_what_is_inferred_rests_on_facts() -> None:
    for name, fact in FACTS["inferred"].items():
        assert set(fact["from"]) <= set(FACTS["fact"]), name
        assert fact["by"]


def test_every_event_comes_from_a_format_or_has_a_stated_origin() -> None:
    names = {name for origin_entry in FACTS["construct"] for name in origin_entry["events"]}
    live = {name for origin_entry in FACTS["live"] for name in origin_entry["events"]}
    known_topics = {topic(kind) for kind in EVENT_TYPES}
    origin = "docs/facts.toml: add the event to a [[construct]] if a format writes it, otherwise to a [[live]]"
    assert known_topics - names - live == set(), origin
    assert (names | live) - known_topics == set(), "docs/facts.toml names events that there are not"
    assert names & live == set(), "an event that a format writes needs no other origin"
    assert all(origin_entry["source"] for origin_entry in FACTS["construct"])
    assert all(origin_entry["why"] for origin_entry in FACTS["live"])


WORDS = {
    "active seats": "active_seats",
    "seats active (present) at the move": "active_seats",
    "hand count": "hand_count",
    "stack at post": "stack",
    "stack at hand start": "stack",
    "stack before action": "stack",
    "stack after action": "stack",
    "obligation state (derived)": "obligation",
    "blind due and missed (derived)": "obligation",
    "next big blind seat (derived)": "blind_positions",
    "blind position history": "blind_positions",
    "big blind seat history": "blind_positions",
    "dealer box position in the seat ring": "game_config.dealer_box",
    "pot and street bets before the action (derived)": "pots",
    "side pots (derived)": "pots",
    "raise unit": "raise_unit",
    "players live": "players_live",
    "players live at each raise": "players_live",
    "players live at the action": "players_live",
    "live hands at showdown": "players_live",
    "seats that already acted": "action",
    "cards turned down": "hand_discarded",
}
"""Free wording of the catalogue, and the fact, or what is inferred, it means."""

FREE_PARTS = {"seq": "sequence", "after_deal_completed": "sequence", "in_turn": "in_turn", "kind": "action"}
"""Parts of a fact that are inferred, or the event type itself."""


def covered(word: str) -> bool:
    """Whether a word of a rulebook's list of facts is told by an event or inferred from some."""
    for part_text in map(str.strip, re.split(r" / | or ", word)):
        if part_text in WORDS:
            name, _, part = WORDS[part_text].partition(".")
            if name in FACTS["fact"] and (not part or part in FACTS["fact"][name]):
                continue
            if name in FACTS["inferred"]:
                continue
            return False
        match = re.match(r"([a-z_]+)(?:\(([a-z]+)=([a-z_]+)\))?(?:\[\])?(?:\.([a-z_]+))?", part_text)
        if not match or match[1] not in FACTS["fact"]:
            return False
        parts = {match[4] or match[2]} - {None}
        if braces := re.search(r"\{([^}]*)\}", part_text):  # {seat, role=small}
            parts |= {part.partition("=")[0].split()[0] for part in braces[1].split(",")}
        if not parts <= {*FACTS["fact"][match[1]], *FREE_PARTS}:
            return False
    return True


def test_every_fact_that_the_rulebooks_name_is_in_the_map() -> None:
    lacking = set()
    for path in sorted((ROOT / "projections/rulebooks").glob("*.toml")):
        for word in _words(tomllib.loads(path.read_text("utf-8"))):
            if not covered(word):
                lacking.add(word)
    assert lacking == set(), "docs/facts.toml has no [fact.NAME] that says which events tell it"


def test_a_fact_that_nothing_tells_would_be_noticed() -> None:
    assert not covered("mood_of_the_dealer")
    assert not covered("blind_posted.colour")
    assert not covered("blind_posted / mood")
    assert not covered("blind_posted {seat, colour}")
    assert not covered("seat_moved {from,by}")
    assert covered("blind_posted(role=entry).amount")


def test_the_catalogue_beside_the_checkout_asks_for_nothing_else() -> None:
    catalogue = ROOT.parent / "shared" / "rules" / "catalogue.toml"
    if not catalogue.is_file():
        pytest.skip("no rule catalogue beside the checkout")
    clauses = tomllib.loads(catalogue.read_text("utf-8"))["clause"]
    words = {word for clause in clauses for word in clause["evidence"] if not covered(word)}
    assert words == set()


def _words(book: Any) -> Iterator[str]:
    """Yield the words of every `facts` list of a book, however deep its clauses lie."""
    if isinstance(book, dict):
        for key, value in book.items():
            if key == "facts" and isinstance(value, list):
                yield from value
            else:
                yield from _words(value)


def test_the_page_names_every_event_and_field() -> None:
    page = (ROOT / "docs/vocabulary.md").read_text("utf-8")
    sections = dict(part.split("\n", 1) for part in page.split("\n### ")[1:])
    for kind in EVENT_TYPES:
        section = sections.get(topic(kind), "")
        assert section, f"{topic(kind)}: run make docs"
        assert all(f"| {field.name} |" in section for field in list_fields(kind)), f"{topic(kind)}: run make docs"
        assert section.strip(), "what it means"
