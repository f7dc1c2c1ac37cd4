"""Published schemas say what is stored, and what was ever stored can still be read."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType

import jsonschema
import msgspec
import pytest

from cli.documents import published
from cli.documents.command_documents import ErrorDocument, Failure
from ledger.event import Event, topic
from ledger.events import STREAMS, TOPICS, AnyEvent
from ledger.schema import build_event_schema, list_fields, list_streams, map_event_types
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult, BookRef
from projections.findings.finding import Coverage, Finding, Line, Share
from projections.reports.audit_json import encode_document
from tests.conftest import ROOT, script
from tests.several import all_keep

SAMPLES = ROOT / "tests" / "events"
EVENTS = map_event_types()
DECODER = msgspec.json.Decoder(AnyEvent)


@cache
def generator() -> ModuleType:
    module = script(ROOT / "schemas/generate.py")
    module.build_files = cache(module.build_files)  # type: ignore[attr-defined]  # what the types say does not change meanwhile
    return module


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((ROOT / "schemas" / f"{name}.json").read_text("utf-8"))
    return jsonschema.Draft202012Validator(schema)


def required(kind: type[Event]) -> int:
    return sum(field.default is None for field in list_fields(kind))


def test_the_published_schemas_are_those_of_the_types() -> None:
    assert generator().main(["--check"]) == 0, "run make docs, and read which schemas changed"


def test_a_schema_that_is_left_over_or_differs_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = generator()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    assert module.main(["--check"]) == 1
    assert module.main([]) == 0
    assert module.main(["--check"]) == 0
    (tmp_path / "old.json").write_text("{}")
    assert module.main(["--check"]) == 1
    assert module.main([]) == 0
    assert not (tmp_path / "old.json").exists()


def sample_of(path: Path) -> tuple[str, int]:
    """Topic and version of a sample: `hand.folded.v1`, and `hand.folded.v1b` after a field came."""
    match = re.fullmatch(r"([a-z]+\.[a-z-]+)\.v([0-9]+)[a-z]?", path.stem)
    assert match, f"{path.name}: name it after its event and version"
    return match[1], int(match[2])


def test_every_event_version_has_a_sample_of_all_its_fields() -> None:
    lengths: dict[tuple[str, int], int] = {}
    for path in SAMPLES.glob("*.json"):
        name = sample_of(path)
        lengths[name] = max(lengths.get(name, 0), len(json.loads(path.read_bytes())))
    expected = {(topic(kind), kind.VERSION): 1 + len(kind.__struct_fields__) for kind in EVENTS.values()}
    names = [name for name, length in expected.items() if lengths.get(name) != length]
    assert names == [], "write a payload with all fields, tests/events/TOPIC.v1.json; those that are there stay"
    assert {name for name, _ in lengths} <= set(TOPICS), "an event that was ever stored is read for good: put it back"


def is_read_and_written_as_it_was(path: Path) -> None:
    stored = path.read_bytes().rstrip(b"\n")
    event = DECODER.decode(stored)
    name, version = sample_of(path)
    assert topic(type(event)) == name
    assert version == type(event).VERSION
    data = msgspec.json.encode(event)
    assert data[: len(stored) - 1] == stored[:-1]
    stored_fields = len(json.loads(stored)) - 1
    assert all(field.default is not None for field in list_fields(type(event))[stored_fields:])


def test_what_was_ever_stored_is_read_and_written_as_it_was() -> None:
    """Fields that came later stand behind the stored ones, with their defaults."""
    all_keep(is_read_and_written_as_it_was, sorted(SAMPLES.glob("*.json")))


@pytest.mark.slow
def test_every_name_that_the_program_lists_has_its_schema() -> None:
    for name in published.list_names():
        schema = published.find_schema(name)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["title"].startswith(name)
    assert published.find_schema("hand.folded") == published.find_schema("hand.folded.v1")
    with pytest.raises(KeyError):
        published.find_schema("hand.stolen")


def takes_what_is_stored_and_refuses_what_is_broken(name: str) -> None:
    checked = validator(f"events/{name}")
    stored = json.loads((SAMPLES / f"{name}.json").read_bytes())
    assert list(checked.iter_errors(stored)) == []
    assert not checked.is_valid(["Stranger", *stored[1:]]), "another tag"
    assert not checked.is_valid({"event": stored}), "no array"
    least = 1 + required(EVENTS[name])
    assert checked.is_valid(stored[:least]), "older payloads lack later fields"
    assert not checked.is_valid(stored[: least - 1]), "a field that must be told is missing"
    for place in range(1, len(stored)):
        broken = [*stored[:place], {"no": "value"}, *stored[place + 1 :]]
        assert not checked.is_valid(broken), f"{name}: item {place} may be anything"


def test_a_schema_takes_what_is_stored_and_refuses_what_is_broken() -> None:
    all_keep(takes_what_is_stored_and_refuses_what_is_broken, sorted(EVENTS))


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("hand.folded.v1", ["Folded", 4, "Ah1d"]),
        ("hand.folded.v1", ["Folded", "4"]),
        ("hand.folded.v1", ["Folded", 4.5]),
        ("hand.seat-dealt-in.v1", ["SeatDealtIn", 1, "Phil Ivey", 100]),
        ("table.words-said.v1", ["WordsSaid", "nice hand"]),
        ("hand.blind-posted.v1", ["BlindPosted", 1, "gigantic", 5]),
        ("table.seat-taken.v1", ["SeatTaken", 1, "Zm9yIGEgcGxheWVy", "walked-in"]),
    ],
)
def test_cards_names_words_and_roles_are_held_to_their_form(name: str, broken: list) -> None:
    assert not validator(f"events/{name}").is_valid(broken)


def test_a_schema_names_each_field_with_its_comment() -> None:
    schema = build_event_schema(EVENTS["hand.blind-posted.v1"])
    titles = [item["title"] for item in schema["prefixItems"]]
    assert titles == ["event", "seat", "role", "live", "dead", "all_in"]
    assert schema["prefixItems"][5]["description"] == "null: the record does not say"
    assert schema["$id"] == "urn:handledger:events:hand.blind-posted.v1"


def test_an_event_names_every_stream_it_may_stand_in() -> None:
    for kinds in STREAMS.values():
        for kind in kinds:
            assert list_streams(kind)
    assert list_streams(TOPICS["table.seat-taken"]) == ["hand", "table"]


def test_rulebooks_have_the_form_that_is_published() -> None:
    checked = validator("rulebook")
    books = sorted((ROOT / "projections" / "rulebooks").glob("*.toml"))
    assert books
    for path in books:
        book = tomllib.loads(path.read_text("utf-8"))
        assert [error.message for error in checked.iter_errors(book)] == []
    clause = {"says": "No.", "topic": "t", "severity": "error"}
    head = {"title": "t", "edition": "1", "source": "s", "games": {}}
    assert checked.is_valid({"rulebook": head, "B1": clause, "intro": {"1a": clause}})
    assert not checked.is_valid({"rulebook": head, "B1": clause | {"severity": "mortal"}})
    assert not checked.is_valid({"rulebook": head, "intro": {"1a": clause | {"sayz": 1}}})
    assert not checked.is_valid({"B1": clause})


@pytest.mark.slow
def test_every_document_has_a_schema_that_a_validator_takes() -> None:
    draft202012_validators = [validator(path.stem) for path in sorted((ROOT / "schemas").glob("*.json"))]
    parts = [
        part
        for draft202012_validator in draft202012_validators
        for part in (
            draft202012_validator.schema | {"$defs": {}},
            *draft202012_validator.schema.get("$defs", {}).values(),
        )
    ]
    for part in {json.dumps(part, sort_keys=True): part for part in parts}.values():  # documents share most of them
        draft202012_validators[0].check_schema(part)


def test_findings_are_written_as_their_schema_says() -> None:
    hand = Hand("Hilton", "7", "42")
    finding = Finding(
        "B8a.1",
        "hilton",
        "seed-000",
        "error",
        "certain",
        hand,
        5,
        4,
        "two straddles",
        "one straddle",
        "",
        "",
        [Share(4, -20), Share(2, 20)],
        "none",
        "0123456789abcdef",
        [Line(5, "the second")],
    )
    book = BookRef("hilton", "Hilton", "seed-000", "ab")
    document = json.loads(encode_document(AuditResult([book], 1, [finding], [Coverage("B8a.1", "hilton", "detector")])))
    checked = validator("findings")
    assert [error.message for error in checked.iter_errors(document)] == []
    assert not checked.is_valid(document | {"schema": "handledger/findings/0"})
    assert not checked.is_valid(document | {"findings": [{}]})
    assert validator("finding").is_valid(document["findings"][0])
    assert not validator("finding").is_valid(document["findings"][0] | {"certainty": "perhaps"})


def test_an_error_on_standard_output_has_its_schema() -> None:
    checked = validator("error")
    document = json.loads(msgspec.json.encode(ErrorDocument(Failure("usage", "No.", "Say more."))))
    assert checked.is_valid(document)
    assert not checked.is_valid({"schema": document["schema"], "error": {"code": 1}})
