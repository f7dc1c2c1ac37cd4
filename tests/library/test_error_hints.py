"""An error says what its reader can do: write a call, write JSON, or tap a key; and it says so in the language in force."""

from __future__ import annotations

import inspect
import json
import re
from itertools import product

import pytest

from handledger import door_errors
from handledger.mcp_server.server import AssistantServer
from handledger.mcp_server.tools import ServerOptions
from handledger.notation import write_json
from handledger.pocket import answer_request
from ledger.errors import HandledgerError
from ledger.text.language import LANGUAGES, use_language
from tests.wording.error_samples import ERROR_SAMPLES
from tests.wording.rendering import SAMPLES, public_functions, sample_values
from web.pocket.pocket_words import WORDS

CALL = re.compile(r"\w\([^)]*[=.\d\"]")
CODE = re.compile(r"\w\([^)]*\)|[{}`]|\bdealt\b|\bPass\b")


def list_errors() -> list[HandledgerError]:
    """Return each error of the door with each of its sample values."""
    errors = []
    for name, function in public_functions(door_errors):
        parameters = inspect.signature(function).parameters
        samples = [
            sample_values(name, field, parameter, vars(door_errors), SAMPLES | ERROR_SAMPLES)
            for field, parameter in parameters.items()
        ]
        errors += [function(*values) for values in product(*samples)]
    return errors


def ask_page(language: str, **request: object) -> dict:
    return json.loads(answer_request(json.dumps({"language": language, **request})))


def make_table(*steps: dict, **fields: object) -> dict:
    return {"handledger": "table/1", "game": "no-limit 1/2", "seats": 9, "rulebook": "hilton", "steps": steps, **fields}


ANA_TWICE = make_table({"do": "sit", "seat": 1, "name": "Ana"}, {"do": "sit", "seat": 2, "name": "Ana"})
AWAY_TWICE = make_table(*[{"do": "sit", "seat": 1, "name": "Ana"}], *[{"do": "away", "seat": 1}] * 2)


def test_a_program_reads_calls_and_an_assistant_steps_of_its_document() -> None:
    assert door_errors.vacant_seat(4).hint == 'To seat a player: sit(seat=4, name="Ana")'
    with write_json():
        assert door_errors.vacant_seat(4).hint == 'To seat a player: {"do": "sit", "seat": 4, "name": "Ana"}'
        assert [error.hint for error in list_errors() if CALL.search(error.hint)] == []
    assert [error.hint for error in list_errors() if CALL.search(error.hint)] != []


def test_the_page_names_no_function_and_no_json() -> None:
    hints = [error.form_hint or error.hint for error in list_errors()]
    assert hints
    assert [hint for hint in hints if CODE.search(hint)] == []


@pytest.mark.parametrize("key", ["comesBack", "leaves", "different", "choose post", "choose wait"])
def test_hints_name_keys_as_the_page_does(key: str) -> None:
    texts = " ".join(error.form_hint for error in list_errors())
    assert WORDS[key] in texts


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_page_answers_in_its_language(language: str) -> None:
    for table in (ANA_TWICE, AWAY_TWICE, make_table(game="no-limit"), make_table({"do": "dance"})):
        english = ask_page("en", ask="show", table=table, books=["hilton"])
        answer = ask_page(language, ask="show", table=table, books=["hilton"])
        assert answer["code"] == english["code"]
        assert answer["error"] != english["error"]
        assert answer["hint"] != english["hint"]


def test_an_assistant_reads_the_error_in_the_language_in_force() -> None:
    server = AssistantServer(ServerOptions())
    with use_language("es"):
        text, is_error = server._answer("due", {"document": AWAY_TWICE})
    assert is_error
    assert "Si el jugador volvió" in text
    assert "back(" not in text
    assert '\\"do\\": \\"back\\"' in text
