"""A house's book: what it changes, how it is cited, and what is said where it is wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ledger.errors import RulebookError
from projections.audit.auditor import Auditor
from projections.books.clause_page import explain_clause
from projections.books.house_template import build_house_template, to_toml
from projections.books.rulebook import Rulebook, list_names, load, read
from projections.obligations.house_points import HOUSE_POINTS
from projections.obligations.policy import POINTS
from tests.projections.pages import book_cases
from tests.test_schemas import validator

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

HEAD = '[rulebook]\ntitle = "Our room"\nedition = "1"\nsource = "ours"\nextends = "hilton@{}"\n'


def room(text: str = "", base: str = "hilton") -> Rulebook:
    head = HEAD.replace("hilton", base).format(load(base).edition)
    return read("room", (head + text).encode())


def wrong(text: str) -> str:
    with pytest.raises(RulebookError) as error:
        room(text)
    return error.value.message


def test_a_book_without_changes_judges_as_the_other_does() -> None:
    book, base = room(), load("hilton")
    assert list(book.clauses) == list(base.clauses)
    assert book.policy.rulings == base.policy.rulings
    assert [c.kind for c in book.clauses.values()] == [c.kind for c in base.clauses.values()]
    assert [c.using for c in book.clauses.values()] == [c.using for c in base.clauses.values()]


def test_the_digest_is_of_both_files() -> None:
    assert len({room().digest, room("# a word\n").digest, load("hilton").digest}) == 3
    assert room().digest != room(base="rrop4").digest
    assert room().digest == room().digest


def test_a_point_is_overridden_and_keeps_its_clauses() -> None:
    book = room(
        '[policy]\n"entry.zone" = { is = "open" }\n"missed.marker" = { is = true, clauses = ["B6"], says = "a red chip" }\n'
    )
    zone, base = book.policy.get("entry.zone"), load("hilton").policy.get("entry.zone")
    assert zone is not None
    assert base is not None
    assert (zone.value, zone.clauses, zone.says) == ("open", base.clauses, "")
    marker = book.policy.get("missed.marker")
    assert marker is not None
    assert (marker.clauses, marker.says) == (("B6",), "a red chip")
    assert list(book.policy.rulings) == [key for key in POINTS if key in book.policy.rulings]


def test_a_point_can_be_left_open_with_a_reason() -> None:
    book = room('[policy]\n"entry.zone" = { off = "the floor decides" }\n')
    assert book.policy.get("entry.zone") is None
    assert "gives no reason" in wrong('[policy]\n"entry.zone" = { off = "" }\n')
    assert "missing required field `is`" in wrong('[policy]\n"entry.zone" = { says = "x" }\n')


def test_the_same_value_keeps_its_words() -> None:
    book = room('[policy]\n"entry.zone" = { is = "barred" }\n')
    assert book.policy.get("entry.zone") == load("hilton").policy.get("entry.zone")


def test_a_point_that_the_other_book_is_silent_on_may_be_decided() -> None:
    book = room('[policy]\n"button.buy" = { is = true, says = "for one big blind" }\n')
    assert book.policy.value("button.buy") is True
    assert book.policy.clauses("button.buy") == ()


def test_parameters_of_a_detector_are_laid_over_those_of_the_book() -> None:
    book = room('[B8a.1]\nusing = { limit = 2 }\nseverity = "warning"\nnote = "since May"\n')
    clause = book.clauses["B8a.1"]
    assert clause.using == (("limit", 2),)
    assert (clause.entry.severity, clause.entry.note) == ("warning", "since May")
    assert clause.entry.says == load("hilton").clauses["B8a.1"].entry.says
    assert load("hilton").clauses["B8a.1"].using == (("limit", 1),)
    kept_settings = dict(room("[intro.1b]\nusing = { burns = 2 }\n").clauses["intro.1b"].using)
    assert kept_settings == {"burns": 2, "spare_frozen_flop": True}


def test_a_changed_parameter_changes_the_verdict() -> None:
    case = next(c for c in book_cases() if (c.book, c.clause, c.title) == ("hilton", "B8a.1", "a second straddle"))
    (hand,) = case.told.hands
    findings_by_limit = {}
    for name, book in {
        "hilton": load("hilton"),
        "two": room("[B8a.1]\nusing = { limit = 2 }\n"),
        "off": room('[B8a.1]\noff = "the more the merrier"\n'),
    }.items():
        audit = Auditor([book])
        findings_by_limit[name] = {finding.clause for finding in audit.judge_hand(hand)}
    assert "B8a.1" in findings_by_limit["hilton"]
    assert "B8a.1" not in findings_by_limit["two"] | findings_by_limit["off"]


def test_a_clause_is_switched_off_with_those_that_say_it_again() -> None:
    book = room('[B8h]\noff = "sleepers are welcome"\n')
    assert book.clauses["B8h"].kind == "off"
    assert book.clauses["B8h"].run is None
    assert book.clauses["B8h"].no_detector_reason == "sleepers are welcome"
    assert (book.clauses["B8.1"].kind, book.clauses["B8.1"].no_detector_reason) == ("off", "sleepers are welcome")
    audit = Auditor([book])
    case = next(c for c in book_cases() if (c.book, c.clause) == ("hilton", "B8h"))
    for hand in case.told.hands:
        audit.judge_hand(hand)
    rows = {row.clause: row for row in audit.result().coverage if row.book == "room"}
    assert rows["B8h"].no_judgement == audit.result().hands


def test_clauses_go_by_the_houses_own_numbers_everywhere() -> None:
    book = room('[cite]\n"B8h" = "7.2"\n"B16.3" = "9(c)"\n"B12a.1" = "3.1"\n')
    assert "7.2" in book.clauses
    assert "B8h" not in book.clauses
    assert book.clauses["B8.1"].entry.restates == "7.2"
    assert book.clauses["7.2"].restated_by == ("B8.1",)
    assert "9(c)" in book.policy.clauses("button.eligibility")
    assert "3.1" in book.clauses["B11a"].entry.yields_to
    assert book.clauses["7.2"].origin == ("hilton", "B8h")
    assert list(book.clauses).index("7.2") == list(load("hilton").clauses).index("B8h")


def test_findings_cite_the_houses_number(tmp_path: Path) -> None:
    path = tmp_path / "room.toml"
    path.write_text(HEAD.format(load("hilton").edition) + '[cite]\n"B8a.1" = "4.2"\n')
    book = load(str(path))
    case = next(c for c in book_cases() if (c.book, c.clause, c.title) == ("hilton", "B8a.1", "a second straddle"))
    audit = Auditor([book])
    findings = audit.judge_hand(case.told.hands[0])
    assert [f.citation for f in findings if f.book == "room"] == ["room 4.2"]
    clause_explanation = explain_clause(load(str(path)), "4.2", [load("hilton")])
    assert clause_explanation.origin == "hilton B8a.1"
    assert "a second straddle" in clause_explanation.worked_case
    assert [answer.book for answer in clause_explanation.points[0].answers] == ["room", "hilton"]


def test_a_clause_of_its_own_stands_after_the_others() -> None:
    book = room(
        '[house.1]\nsays = "No phones."\ntopic = "conduct"\nseverity = "info"\nundetectable = "no record shows phones"\n'
    )
    assert list(book.clauses)[-1] == "house.1"
    assert book.clauses["house.1"].origin == ("room", "house.1")


def test_games_may_be_told_anew() -> None:
    book = room('[rulebook.games]\ntexas = ["holdem", "short-deck"]\n')
    assert book.clauses["intro.1c"].variants == {"holdem", "short-deck"}
    assert "royal" in wrong('[rulebook.games]\ntexas = ["royal"]\n')


def test_a_book_may_extend_a_house_book_beside_it(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text(HEAD.format(load("hilton").edition) + '[cite]\n"B8h" = "7.2"\n')
    (tmp_path / "second.toml").write_text(
        HEAD.format("").replace('"hilton@"', '"first.toml"') + '[cite]\n"7.2" = "8"\n["7.2"]\n'
    )
    second = load(str(tmp_path / "second.toml"))
    assert second.clauses["8"].origin == ("hilton", "B8h")
    (tmp_path / "loop.toml").write_text(HEAD.format("").replace('"hilton@"', '"loop.toml"'))
    with pytest.raises(RulebookError, match="more than 5 books extend one another"):
        load(str(tmp_path / "loop.toml"))
    (tmp_path / "lost.toml").write_text(HEAD.format("").replace('"hilton@"', '"nowhere.toml"'))
    with pytest.raises(RulebookError, match=r"lost\.toml:5: .*cannot be read"):
        load(str(tmp_path / "lost.toml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[policy]\n"entry.zon" = { is = "open" }\n',
            "room.toml:7: there is no policy point 'entry.zon'; Near it: entry.zone",
        ),
        ('[policy]\n"entry.zone" = { is = "opn" }\n', "room.toml:7: entry.zone: 'opn' will not do: "),
        (
            '[policy]\n"entry.zone" = { is = "open", clauses = ["B99"] }\n',
            "room.toml:7: entry.zone: the book has no clause 'B99'",
        ),
        ("policy = 3\n", "room.toml"),
        ('[B8a.9]\nseverity = "error"\n', "room.toml:6: hilton has no clause B8a.9; near it: B8a.2, B8a.1"),
        (
            '[B8a.1]\n\nusing = { limit = "two" }\n',
            "room.toml:8: B8a.1: straddle.too_many: limit = 'two': expected `int`, got `str`; allowed: whole numbers",
        ),
        ("[B8a.1]\nusing = { most = 2 }\n", "room.toml:7: B8a.1: straddle.too_many takes no most; it takes: limit"),
        (
            '[B8a.1]\nseverity = "mortal"\n',
            'room.toml:7: B8a.1: severity: invalid enum value \'mortal\'; allowed: "error", "warning", "info"',
        ),
        (
            "[B8a.1]\ncolour = 1\n",
            "room.toml:7: B8a.1: colour is unknown; known here: says, severity, applies_to, using, remedy, note, off",
        ),
        ('[B8a.1]\ndetector = "x.y"\n', "room.toml:7: B8a.1: detector is unknown; known here: says"),
        ('[B8a.1.using]\nlimit = "two"\n', "room.toml:7: B8a.1: straddle.too_many: limit"),
        ('[cite]\n"B99" = "1"\n', "room.toml:7: hilton has no clause B99; near it: B9.3"),
        ('[cite]\n"B6" = "B7"\n', "room.toml:7: B7 is the number of B6 and of B7; a number names one clause"),
        ('[cite]\n"B6" = 4\n', "room.toml:7: 4 is no number of a clause; allowed: a text of up to 40 characters"),
        ('[cite]\n"B6" = " "\n', "is no number of a clause"),
        ("cite = 4\n", "room.toml"),
        ('[x]\nsays = "No."\n', "room.toml:6: x: object missing required field `topic`"),
        (
            '[x]\nsays = "No."\ntopic = "t"\nseverity = "info"\n',
            "room.toml:6: x: it must have exactly one of detector, restates, defines, permits, undetectable, not_built, it has none",
        ),
        (
            '[x]\nsays = "No."\ntopic = "t"\nseverity = "info"\ndetector = "straddle.tooo_many"\n',
            "room.toml:10: x: there is no detector 'straddle.tooo_many'; known in straddle: barred",
        ),
        (
            '[x]\nsays = "No."\ntopic = "t"\nseverity = "info"\ndetector = "stradle.too_many"\n',
            "room.toml:10: x: there is no detector 'stradle.too_many'; modules of detectors: allin",
        ),
        (
            '[x]\nsays = "No."\ntopic = "t"\nseverity = "info"\ndefines = "it"\nyields_to = ["B99"]\n',
            "room.toml:11: x: it yields to B99, which the book has not",
        ),
        (
            '[x]\nsays = "No."\ntopic = "t"\nseverity = "info"\ndetector = "straddle.too_many"\nusing = { limit = { policy = "button.buy" } }\n',
            "room.toml:11: x: limit is what the book decides on button.buy, and it is silent there",
        ),
        (
            '[x]\nsays = "No."\ntopic = "t"\nseverity = "info"\ndetector = "straddle.too_many"\nusing = { limit = { policy = "button.by" } }\n',
            "room.toml:11: x: there is no policy point 'button.by'",
        ),
        (
            '[B6]\napplies_to = { game = "chess" }\n',
            "room.toml:7: B6: the book does not say which games 'chess' means; known: texas",
        ),
        ("[B6\n", "room.toml:6: "),
        ("a = \n", "room.toml:6: "),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_is_allowed(text: str, message: str) -> None:
    assert message in wrong(text)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    messages = wrong('[policy]\n"entry.zon" = { is = "open" }\n[B8a.1]\nusing = { most = 2 }\n[cite]\n"B99" = "1"\n')
    lines = messages.splitlines()
    assert lines[0] == "room.toml: 2 things are wrong"
    assert [line.split(":")[1] for line in lines[1:]] == ["7", "11"]
    many = wrong("[policy]\n" + "".join(f'"p{n}" = {{ is = 1 }}\n' for n in range(30)))
    assert many.splitlines()[-1] == "and 10 more"
    assert len(many.splitlines()) == 22


def test_a_house_book_pins_an_edition() -> None:
    head = HEAD.format("").replace("hilton@", "hilton")
    with pytest.raises(RulebookError, match=r"room\.toml:5: 'hilton' names no edition; .*hilton@undated-r1"):
        read("room", head.encode())
    with pytest.raises(RulebookError, match=r"room\.toml:5: there is no edition '9' of hilton; Known: undated-r1"):
        read("room", HEAD.format("9").encode())
    with pytest.raises(RulebookError, match=r"room\.toml:5: there is no rulebook called 'hiltn@9'"):
        read("room", HEAD.replace("hilton", "hiltn").format("9").encode())
    with pytest.raises(RulebookError, match="'hiltn' names no edition"):
        read("room", HEAD.replace("hilton@{}", "hiltn").encode())


def test_a_parameter_may_be_what_the_book_decides() -> None:
    text = (
        '[x]\nsays = "Two."\ntopic = "t"\nseverity = "info"\ndetector = "straddle.too_many"\n'
        'using = { limit = { policy = "straddle.max_count", part = "most" } }\n'
    )
    assert room(text).clauses["x"].using == (("limit", 1),)
    book_text = '[policy]\n"straddle.max_count" = { is = { most = 3 } }\n' + text
    assert room(book_text).clauses["x"].using == (("limit", 3),)


@pytest.mark.parametrize("name", list_names())
def test_the_file_that_a_house_starts_from_changes_nothing(name: str) -> None:
    base = load(name)
    book = read("room", build_house_template(base, name, "room.toml").encode())
    assert book.extends == f"{name}@{base.edition}"
    assert list(book.clauses) == list(base.clauses)
    assert book.policy.rulings == base.policy.rulings


@pytest.mark.parametrize("name", list_names())
def test_every_line_that_is_offered_can_be_taken(name: str) -> None:
    base = load(name)
    text = build_house_template(base, name, "room.toml")
    line = re.compile(r'^# ("[^"]+" += (?:"[^"]*"|\{ is = .*\}).*|\[[^\]]+\]|severity = .*|using = .*)$')
    lines_taken = [(m[1] if (m := line.match(text_line)) else text_line) for text_line in text.splitlines()]
    lines_taken = [text_line for text_line in lines_taken if "..." not in text_line or not text_line.startswith("[")]
    assert len(tomllib.loads("\n".join(lines_taken))["cite"]) == len(base.clauses)
    book = read("room", "\n".join(lines_taken).encode())
    assert [c.origin for c in book.clauses.values()] == [c.origin for c in base.clauses.values()]
    assert [c.using for c in book.clauses.values()] == [c.using for c in base.clauses.values()]
    for key, ruled in base.policy.rulings.items():
        ours = book.policy.get(key)
        assert ours is not None
        assert (ours.value, ours.says) == (ruled.value, ruled.says)


def test_a_house_book_has_the_form_that_is_published() -> None:
    checked = validator("rulebook")
    good = (
        HEAD.format("9")
        + '[cite]\n"B6" = "4.2"\n[policy]\n"entry.zone" = { is = "open" }\n"missed.marker" = { off = "no" }\n[B8a.1]\nusing = { limit = 2 }\n'
    )
    assert [error.message for error in checked.iter_errors(tomllib.loads(good))] == []
    for old, new in (
        ("open", "opn"),
        ('"4.2"', "4"),
        ("entry.zone", "entry.zon"),
        ("using", "usin"),
        ('off = "no"', "off = 1"),
        ("is = ", "iss = "),
    ):
        assert not checked.is_valid(tomllib.loads(good.replace(old, new))), new


def test_values_are_written_as_toml_reads_them() -> None:
    values = {"a": [1, 2.5, True], "b c": {"d": 'x"y\\z\n\u00e9'}, "e": []}
    assert tomllib.loads(f"v = {to_toml(values)}")["v"] == values


@pytest.mark.parametrize("name", list_names())
def test_the_examples_of_what_a_house_states_can_be_taken(name: str) -> None:
    head, marker, clause_lines = build_house_template(load(name), name, "room.toml").partition(
        "# Clauses that judge what your room spreads"
    )
    assert marker
    head = re.sub(
        r'^#   "house\..*?^#   \].*?$',
        lambda block: block[0].replace("\n#   ", "\n")[4:],
        head,
        flags=re.MULTILINE | re.DOTALL,
    )
    book = read("room", (head + marker + re.sub(r"^#   ", "", clause_lines, flags=re.MULTILINE)).encode())
    assert [point for point in POINTS if book.policy.value(point) != load(name).policy.value(point)] == [*HOUSE_POINTS]
    assert [clause for clause in book.clauses if clause.startswith("house.")] == [
        clause for point in HOUSE_POINTS for clause in book.policy.clauses(point)
    ]
